"""Sets of claims with known truth, and what the product's own fusion and consensus make of them."""

import csv
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate
from stanchion_contracts.claim import Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.value import Value
from stanchion_core.fusion import opinion
from stanchion_core.grouping import are_near, group
from stanchion_core.quantity import is_number, value_key
from stanchion_fusion.core.workspace import hear_whole
from stanchion_fusion.handler import State, evolve
from stanchion_fusion.reassessment.estimates import moved_estimates
from support.baselines import BASELINES

Claim = tuple[str, str]
Said = dict[Claim, dict[str, str]]
Truth = dict[Claim, str]

_UNTOLD: Final = Belief(
    subject="",
    predicate="",
    values=(),
    unnamed=0.0,
    undecayed=0.0,
    vacuity_millionths=0,
    dissonance_millionths=0,
    half_life_s=0,
    time_us=0,
    contributions=0,
)


class Set(Struct, frozen=True, kw_only=True):
    """One scored set.

    Attributes:
        folder: in the corpus.
        word: the properties whose name holds it are scored.
        read: normalises a published value, empty for none.
        baseline: what the best of vote, CRH and ACCU get right, by the corpus page.
    """

    folder: str
    word: str
    read: Callable[[str], str]
    baseline: float


class Row(Struct, frozen=True, kw_only=True):
    """How a set came out: the shares that are right.

    Attributes:
        claims: how many words were said.
        scored: how many claims have a known truth.
        baselines: by name.
        fusion: with every source trusted alike.
        consensus: with trust by consensus.
    """

    claims: int
    scored: int
    baselines: Mapping[str, float]
    fusion: float
    consensus: float

    @property
    def best(self) -> float:
        """Give what the best baseline gets right."""
        return max(self.baselines.values())


def plain(text: str) -> str:
    """Give a value as any set is read: normalised, case folded, space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def gate(text: str) -> str:
    """Give a gate's letters and digits."""
    return re.sub(r"[^a-z0-9]", "", re.sub("gate|terminal", "", text.lower()))


def time_of_day(text: str) -> str:
    """Give the first time of day as 24 h hh:mm."""
    found = re.search(r"(\d{1,2}):(\d{2})\s*([ap])?", text.lower())
    if found is None:
        return ""
    hour = int(found[1]) % 12 + 12 * (found[3] == "p") if found[3] else int(found[1])
    return f"{hour:02d}:{found[2]}"


READERS: Final[Mapping[str, Callable[[str], str]]] = {"plain": plain, "gate": gate, "time": time_of_day}
"""How the values of a set may be read, by name."""

SETS: Final[Mapping[str, Set]] = {
    "flight gates": Set(folder="flight", word="gate", read=gate, baseline=0.9193),
    "flight scheduled times": Set(folder="flight", word="scheduled", read=time_of_day, baseline=0.9927),
    "flight actual times": Set(folder="flight", word="actual", read=time_of_day, baseline=0.9061),
    "crowd-binary": Set(folder="crowd-binary", word="", read=str.strip, baseline=0.697),
}


def load(folder: Path, *, word: str = "", read: Callable[[str], str] = plain) -> tuple[Said, Truth]:
    """Read `claims.csv` (source, object, property, value) and `truth.csv` (object, property, value).

    Args:
        folder: where they are.
        word: only the properties whose name holds it.
        read: normalises a value; what comes out empty is none. Of two words of a source the greater counts.
    """
    said: Said = {}
    for row in _rows(folder / "claims.csv", word):
        value, mine = read(row["value"]), said.setdefault((row["object"], row["property"]), {})
        if value:
            mine[row["source"]] = max(value, mine.get(row["source"], ""))
    truth = {(row["object"], row["property"]): read(row["value"]) for row in _rows(folder / "truth.csv", word)}
    said = {claim: mine for claim, mine in said.items() if mine}
    return said, {claim: value for claim, value in truth.items() if value and claim in said}


def measure(said: Said, truth: Truth, *, tolerance: float = 0.0) -> Row:
    """Have the baselines and the product choose a value for each claim, and count.

    Args:
        said: by claim, what each source says.
        truth: by claim; those that nobody speaks on are not among them.
        tolerance: numbers that differ by no more than this share of the larger are one value.
    """
    grouped = _grouped(said, tolerance)
    baselines = {name: _right(method(grouped), truth, tolerance) for name, method in BASELINES.items()}
    return Row(
        claims=sum(map(len, said.values())),
        scored=len(truth),
        baselines=baselines,
        fusion=_right(held(said, consensus=False, tolerance=tolerance), truth, tolerance),
        consensus=_right(held(said, consensus=True, tolerance=tolerance), truth, tolerance),
    )


def held(said: Said, *, consensus: bool, tolerance: float = 0.0) -> Truth:
    """Give what the product holds likeliest: fusion's fold, and with consensus what reassessment adds to it."""
    state, meta = State(), _meta()
    for predicate in {predicate for _, predicate in said}:
        policy = PolicyChange(
            before=BeliefPolicy(predicate=predicate), after=BeliefPolicy(predicate=predicate, tolerance=tolerance)
        )
        evolve(state, Beliefs(meta=meta, policy=policy))
    policy = PolicyChange(before=BeliefPolicy(), after=BeliefPolicy(consensus=consensus))
    evolve(state, Beliefs(meta=meta, policy=policy, updates=tuple(_update(claim, said[claim]) for claim in said)))
    workspace = state.workspaces[meta.workspace]
    if consensus:
        evolve(state, Beliefs(meta=meta, estimates=moved_estimates(workspace)))
    chosen = {}
    for claim in said:
        voices = hear_whole(workspace, claim, (), workspace.terms).voices
        chosen[claim] = opinion(voices.values(), now_us=0, half_life_s=0).values[0].value.text
    return chosen


def _rows(path: Path, word: str) -> list[dict[str, str]]:
    """Give the rows of a file whose property holds a word."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if word in row["property"]]


def _grouped(said: Said, tolerance: float) -> Said:
    """Give the words with near numbers as one, so that baselines that know no tolerance are helped to it."""
    if not tolerance:
        return said
    grouped = {}
    for claim, words in said.items():
        keys = {text: value_key(_value(text)) for text in words.values()}
        groups = group(keys.values(), tolerance)
        shown = {groups.of(key): text for text, key in sorted(keys.items())}
        grouped[claim] = {source: shown[groups.of(keys[text])] for source, text in words.items()}
    return grouped


def _right(chosen: Mapping[Claim, str], truth: Truth, tolerance: float) -> float:
    """Give the share of claims for which the true value was chosen."""
    keys = ((value_key(_value(chosen[claim])), value_key(_value(value))) for claim, value in truth.items())
    return sum(are_near(mine, true, tolerance) for mine, true in keys) / len(truth)


def _value(text: str) -> Value:
    """Give a number where it is one, else a string."""
    return Value(type="number" if is_number(text) else "string", text=text)


def _update(claim: Claim, said: Mapping[str, str]) -> BeliefUpdate:
    """Give what fusion's output would bring of one claim."""
    added = tuple(_contribution(claim, source, text) for source, text in said.items())
    after = Belief(
        **{name: getattr(_UNTOLD, name) for name in Belief.__struct_fields__[2:]}, subject=claim[0], predicate=claim[1]
    )
    return BeliefUpdate(before=None, after=after, added=added)


def _contribution(claim: Claim, source: str, text: str) -> Contribution:
    """Give one source's word."""
    return Contribution(
        id=f"{source} {claim[0]} {claim[1]} {text}",
        subject=claim[0],
        predicate=claim[1],
        value=_value(text),
        evidence="citation",
        source=source,
        agent=source,
        observed_at_us=0,
    )


def _meta() -> Meta:
    """Give the meta of a message that fusion wrote."""
    return Meta(
        id="m", workspace="w", time_us=0, seed=bytes(16), origin="observation:m", actor=Actor(kind="system", id="s")
    )
