"""The truth-discovery corpus, and what the product's own fusion and consensus make of it."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.consensus import agree, trust_for
from stanchion_core.fusion import ClaimPolicy, fuse
from stanchion_core.quantity import value_key

Claim = tuple[str, str]


class Set(Struct, frozen=True, kw_only=True):
    """One scored set.

    Attributes:
        folder: in the corpus.
        word: the properties whose name holds it are scored.
        read: normalises a published value, empty for none.
        baseline: what the best of vote, CRH and ACCU get right.
    """

    folder: str
    word: str
    read: Callable[[str], str]
    baseline: float


def _gate(text: str) -> str:
    """Give a gate's letters and digits."""
    return re.sub(r"[^a-z0-9]", "", re.sub("gate|terminal", "", text.lower()))


def _time(text: str) -> str:
    """Give the first time of day as 24 h hh:mm."""
    found = re.search(r"(\d{1,2}):(\d{2})\s*([ap])?", text.lower())
    if found is None:
        return ""
    hour = int(found[1]) % 12 + 12 * (found[3] == "p") if found[3] else int(found[1])
    return f"{hour:02d}:{found[2]}"


SETS: Final[Mapping[str, Set]] = {
    "flight gates": Set(folder="flight", word="gate", read=_gate, baseline=0.9193),
    "flight scheduled times": Set(folder="flight", word="scheduled", read=_time, baseline=0.9927),
    "flight actual times": Set(folder="flight", word="actual", read=_time, baseline=0.9061),
    "crowd-binary": Set(folder="crowd-binary", word="", read=str.strip, baseline=0.697),
}


def claims_of(corpus: Path, scored: Set) -> dict[Claim, list[Contribution]]:
    """Give what the sources of a set say, as contributions."""
    claims: dict[Claim, list[Contribution]] = {}
    for row in _rows(corpus / scored.folder / "claims.csv", scored):
        claims.setdefault((row["object"], row["property"]), []).append(_contribution(row, scored.read(row["value"])))
    return claims


def truth_of(corpus: Path, scored: Set) -> dict[Claim, str]:
    """Give what is true of each claim."""
    rows = _rows(corpus / scored.folder / "truth.csv", scored)
    return {(row["object"], row["property"]): scored.read(row["value"]) for row in rows}


def share_right(
    claims: Mapping[Claim, Iterable[Contribution]], truth: Mapping[Claim, str], *, consensus: bool
) -> float:
    """Give the share of claims whose likeliest value is the true one.

    Args:
        claims: what was said.
        truth: what is true.
        consensus: trust is calibrated by consensus; otherwise all are trusted alike.
    """
    trust = {}
    if consensus:
        said = ({one.source: value_key(one.value) for one in each} for each in claims.values())
        trust = {name: trust_for(found.accuracy) for name, found in agree(said).items()}
    scored = [claim for claim in truth if claim in claims]
    right = 0
    for claim in scored:
        held = fuse(claims[claim], trust, now_us=0, policy=ClaimPolicy(half_life_s=0))
        right += held.values[0].value.text == truth[claim]
    return right / len(scored)


def _rows(path: Path, scored: Set) -> Iterable[dict[str, str]]:
    """Give the rows of a file that say something of the set's properties."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if scored.word in row["property"] and scored.read(row["value"]):
                yield row


def _contribution(row: Mapping[str, str], text: str) -> Contribution:
    """Give one source's word."""
    return Contribution(
        id=f"{row['source']} {row['object']} {row['property']} {text}",
        subject=row["object"],
        predicate=row["property"],
        value=Value(type="string", text=text),
        evidence="citation",
        source=row["source"],
        agent=row["source"],
        observed_at_us=0,
    )
