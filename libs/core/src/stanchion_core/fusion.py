"""Fusion: what the contributions to one claim come to, and how sure that is.

The state is a pure function of the set of contributions, the trust table and now: order, batching, retries and
duplicates cannot matter, bit for bit. It is a Dirichlet opinion over the candidate values (Jøsang, Subjective Logic,
2016).
One voice's words are thinned once, when it speaks (`thin`, `say`); the opinion is worked out from what is left, at any
time.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct

from stanchion_core.quantity import ValueKey, ValueLike, value_key

BASE_WEIGHT: Final[Mapping[str, float]] = {
    "measurement": 8.0,
    "citation": 4.0,
    "expert-judgment": 3.0,
    "user-assertion": 2.0,
    "inference": 1.0,
    "assumption": 0.5,
}
"""How much each type of evidence weighs."""

DEFAULT_TRUST: Final = 0.7
PRIOR_WEIGHT: Final = 2.0
STALE_BELOW: Final = 0.25
HALF_LIVES_S: Final[Mapping[str, int]] = {"fast": 14 * 86_400, "standard": 90 * 86_400, "slow": 365 * 86_400, "none": 0}
"""Half-lives in seconds; 0 means that nothing ages."""

MOST_COMPARED: Final = 200
"""Dissonance compares each slot with each other; beyond this many, the lightest are taken to conflict with nothing."""

V_co = TypeVar("V_co", bound=ValueLike, covariant=True)
V = TypeVar("V", bound=ValueLike)

Slot = ValueKey | None
"""Where evidence gathers: a value, or None for a value that nobody has named."""

Voice = tuple[str, str]
"""Source (the agent, where none is named) and sample: what speaks with one voice on a claim."""


class ContributionLike(Protocol[V_co]):
    """What fusion reads of a contribution (`stanchion_contracts.claim.Contribution` is one)."""

    @property
    def id(self) -> str:
        """Give its id; the same id is the same contribution."""

    @property
    def value(self) -> V_co:
        """Give what it says."""

    @property
    def positive(self) -> bool:
        """Tell an assertion from a denial."""

    @property
    def evidence(self) -> str:
        """Give its type, a key of `BASE_WEIGHT`."""

    @property
    def source(self) -> str:
        """Give what it rests on, may be empty."""

    @property
    def agent(self) -> str:
        """Give who submitted it."""

    @property
    def sample(self) -> str:
        """Give the name of an independent reading, or nothing."""

    @property
    def strength(self) -> float:
        """Give 0 to 1."""

    @property
    def observed_at_us(self) -> int:
        """Give microseconds since the epoch."""


class Spoken(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """One contribution that still stands inside its voice, weighed but not aged.

    Attributes:
        order: when it was said, then its id.
        value: as written.
        key: the value it names.
        slot: where its weight goes.
        power: base · trust(agent) · strength: what it takes to displace it.
        weight: power · trust(source), the source's trust counted once where agent and source are the same.
    """

    order: tuple[int, str]
    value: V
    key: ValueKey
    slot: Slot
    power: float
    weight: float


class Stance(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """How one candidate value stands: its evidence mass and its probability, 0 to 1."""

    value: V
    evidence: float
    probability: float


class Opinion(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """The fused state of one claim at one time.

    Attributes:
        values: heaviest first, ties by value; of a boolean claim both values.
        unnamed: evidence mass on the slot for a value that nobody has named.
        undecayed: the whole evidence mass had nothing aged.
        vacuity: the share of mass that no evidence backs, 0 to 1.
        dissonance: the share of mass in conflict, 0 to 1.
    """

    values: tuple[Stance[V], ...]
    unnamed: float
    undecayed: float
    vacuity: float
    dissonance: float

    @property
    def stale(self) -> bool:
        """Tell whether age has taken more than three quarters of the evidence."""
        return is_stale(math.fsum([self.unnamed, *(stance.evidence for stance in self.values)]), self.undecayed)


def voice_of(contribution: ContributionLike[ValueLike]) -> Voice:
    """Give the voice a contribution speaks with."""
    return contribution.source or contribution.agent, contribution.sample


def decay(age_us: int, half_life_s: int) -> float:
    """Give what age leaves of a weight, 0 to 1; an age below 0 counts as 0, a half-life of 0 never ages."""
    if half_life_s <= 0 or age_us <= 0:
        return 1.0
    return float(2.0 ** -(age_us / (half_life_s * 1_000_000)))


def is_stale(evidence: float, undecayed: float) -> bool:
    """Tell whether the evidence left is below a quarter of what it was undecayed."""
    return evidence < STALE_BELOW * undecayed


def base_rate(named: int, *, boolean: bool) -> float:
    """Give the prior probability of one value: 1/2 of a boolean, else 1/(k+1): a slot stays for a value nobody named.

    Args:
        named: k, how many values live contributions name, asserted or denied.
        boolean: whether all of them are booleans.
    """
    return 0.5 if boolean else 1.0 / (named + 1)


def probability(evidence: float, total: float, base: float) -> float:
    """Give `(e(v) + W·base) / (E + W)`, between 0 and 1."""
    return (evidence + PRIOR_WEIGHT * base) / (total + PRIOR_WEIGHT)


def weigh(contribution: ContributionLike[V], trust: Mapping[str, float]) -> Spoken[V]:
    """Weigh one contribution, unaged.

    Args:
        contribution: what was said.
        trust: settings by name of agent or source; who is not in it has the default.
    """
    agent, source = contribution.agent, contribution.source
    key = value_key(contribution.value)
    power = BASE_WEIGHT[contribution.evidence] * trust.get(agent, DEFAULT_TRUST) * contribution.strength
    apart = source not in {"", agent}
    return Spoken(
        order=(contribution.observed_at_us, contribution.id),
        value=contribution.value,
        key=key,
        slot=key if contribution.positive else _denied(key),
        power=power,
        weight=power * trust.get(source, DEFAULT_TRUST) if apart else power,
    )


def _denied(key: ValueKey) -> Slot:
    """Give where a denial's weight goes: to a boolean's other value, else to the slot for a value nobody named."""
    return ("boolean", "false" if key[1] == "true" else "true", "", "") if key[0] == "boolean" else None


def _gives_way(older: Spoken[V], newer: Spoken[V]) -> bool:
    """Tell whether a later word of the same voice displaces, or says again at least as strongly, an earlier one."""
    if older.power > newer.power:
        return False
    if older.slot == newer.slot:
        return older.key == newer.key and older.weight <= newer.weight
    return newer.slot is not None or older.key == newer.key  # to deny another value takes nothing back


def say(standing: tuple[Spoken[V], ...], newest: Spoken[V]) -> tuple[Spoken[V], ...]:
    """Add the latest word of a voice to what stands of it, in order of time; the same as `thin` over the whole.

    Args:
        standing: what `thin` or `say` gave.
        newest: later (by time, then id) than anything the voice has said.
    """
    return (*(older for older in standing if not _gives_way(older, newest)), newest)


def thin(words: Iterable[Spoken[V]]) -> tuple[Spoken[V], ...]:
    """Give what still stands of everything one voice said, oldest first.

    A word is displaced by a later one with another value and at least its power (a displaced one displaces too), and
    one that was said again at least as strongly is dropped: it can neither weigh nor displace more than its repetition.
    """
    standing: tuple[Spoken[V], ...] = ()
    for word in sorted(words, key=_order):
        standing = say(standing, word)
    return standing


def _order(word: Spoken[V]) -> tuple[int, str]:
    """Give when a word was said."""
    return word.order


def by_voice(
    contributions: Iterable[ContributionLike[V]], trust: Mapping[str, float]
) -> dict[Voice, tuple[Spoken[V], ...]]:
    """Give what stands of each voice on one claim.

    Args:
        contributions: all of the claim, in any order, repeats allowed.
        trust: settings by name.
    """
    words: dict[Voice, dict[str, Spoken[V]]] = {}
    for contribution in contributions:
        words.setdefault(voice_of(contribution), {})[contribution.id] = weigh(contribution, trust)
    return {voice: thin(said.values()) for voice, said in words.items()}


def opinion(voices: Iterable[tuple[Spoken[V], ...]], *, now_us: int, half_life_s: int) -> Opinion[V]:
    """Work out the opinion on one claim from what stands of its voices.

    Args:
        voices: of each voice, what `thin` or `say` gave; in any order.
        now_us: microseconds since the epoch.
        half_life_s: seconds; 0 for none.
    """
    slots: dict[Slot, list[float]] = {}
    undecayed: list[float] = []
    shown: dict[ValueKey, tuple[float, V]] = {}
    for standing in voices:
        aged = [(word, word.weight * decay(now_us - word.order[0], half_life_s)) for word in standing]
        for slot, weight, unaged in _counted(aged):
            slots.setdefault(slot, []).append(weight)
            undecayed.append(unaged)
        _show(shown, aged)
    evidence = {slot: math.fsum(weights) if len(weights) > 1 else weights[0] for slot, weights in slots.items()}
    total = math.fsum(evidence.values())
    return Opinion(
        values=_stances(evidence, shown, total),
        unnamed=evidence.get(None, 0.0),
        undecayed=math.fsum(undecayed),
        vacuity=PRIOR_WEIGHT / (total + PRIOR_WEIGHT),
        dissonance=dissonance(evidence.values(), total) if len(evidence) > 1 else 0.0,
    )


def _counted(aged: list[tuple[Spoken[V], float]]) -> Iterable[tuple[Slot, float, float]]:
    """Give what one voice puts on each slot: what stands counts once a slot, at its heaviest, aged and unaged."""
    if len(aged) == 1:
        word, weight = aged[0]
        return ((word.slot, weight, word.weight),)
    heaviest: dict[Slot, tuple[float, float]] = {}
    for word, weight in aged:
        most, unaged = heaviest.get(word.slot, (0.0, 0.0))
        heaviest[word.slot] = max(most, weight), max(unaged, word.weight)
    return [(slot, weight, unaged) for slot, (weight, unaged) in heaviest.items()]


def _show(shown: dict[ValueKey, tuple[float, V]], aged: list[tuple[Spoken[V], float]]) -> None:
    """Note how each value's heaviest mention writes it, ties by its text."""
    for word, weight in aged:
        best = shown.get(word.key)
        if best is None or weight > best[0] or (weight == best[0] and _parts(word.value) < _parts(best[1])):
            shown[word.key] = (weight, word.value)


def _stances(
    evidence: Mapping[Slot, float], shown: Mapping[ValueKey, tuple[float, V]], total: float
) -> tuple[Stance[V], ...]:
    """Give each candidate's stance, heaviest first, ties by value; of a boolean claim both values."""
    values = {key: value for key, (_, value) in shown.items()}
    boolean = bool(values) and all(key[0] == "boolean" for key in values)
    unsaid = [slot for slot in evidence if slot is not None and slot not in values]
    for key in _BOTH if boolean else unsaid:
        if key not in values:
            values[key] = _plain(key, values)
    base = base_rate(len(values), boolean=boolean)
    stances = [
        Stance(value=value, evidence=mass, probability=probability(mass, total, base))
        for key, value in values.items()
        for mass in (evidence.get(key, 0.0),)
    ]
    if len(stances) > 1:
        stances.sort(key=lambda stance: (-stance.evidence, *_parts(stance.value)))
    return tuple(stances)


_BOTH: Final[tuple[ValueKey, ...]] = (("boolean", "false", "", ""), ("boolean", "true", "", ""))


def _plain(key: ValueKey, values: Mapping[ValueKey, V]) -> V:
    """Give a boolean that nobody named, made from the one that was denied."""
    said: Any = values[min(other for other in values if other[0] == "boolean")]
    return cast("V", msgspec.structs.replace(said, type="boolean", text=key[1], unit="", op=""))


def _parts(value: ValueLike) -> tuple[str, str, str, str]:
    """Give a value's four parts, to sort by."""
    return value.type, value.text, value.unit, value.op


def dissonance(evidence: Iterable[float], total: float) -> float:
    """Give the share of mass in conflict: `Σ b(v) · Σ_{j≠v} b(j)·Bal(j,v) / Σ_{j≠v} b(j)`, from 0 to 1.

    Source: Jøsang, Cho and Chen, Uncertainty Characteristics of Subjective Opinions, FUSION 2018; the relative balance
    `Bal(j,v) = 1 - |b(j)-b(v)|/(b(j)+b(v))` is twice the lesser by the sum.
    """
    masses = sorted((mass / (total + PRIOR_WEIGHT) for mass in evidence if mass > 0.0), reverse=True)
    if len(masses) < 2:  # noqa: PLR2004 - one slot conflicts with nothing
        return 0.0
    whole = math.fsum(masses)
    compared = masses[:MOST_COMPARED]
    shares = []
    for at, mine in enumerate(compared):
        others = [
            other * 2.0 * min(mine, other) / (mine + other) for index, other in enumerate(compared) if index != at
        ]
        against = math.fsum([whole, -mine])
        shares.append(mine * math.fsum(others) / against if against > 0.0 else 0.0)
    return math.fsum(shares)


def fuse(
    contributions: Iterable[ContributionLike[V]], trust: Mapping[str, float], *, now_us: int, half_life_s: int
) -> Opinion[V]:
    """Work out the opinion on one claim from the whole set of its contributions.

    Args:
        contributions: all of one claim, in any order, repeats allowed.
        trust: settings by name of agent or source.
        now_us: microseconds since the epoch.
        half_life_s: seconds; 0 for none.
    """
    return opinion(by_voice(contributions, trust).values(), now_us=now_us, half_life_s=half_life_s)
