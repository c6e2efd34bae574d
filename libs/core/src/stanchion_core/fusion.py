"""Fusion: what the contributions to one claim come to, and how sure that is.

The state is a pure function of the set of contributions, the trust table and now: order, batching, retries and
duplicates cannot matter, bit for bit. It is a Dirichlet opinion over the candidate values (Jøsang, Subjective Logic,
2016). One voice's words are thinned once, when it speaks (`stanchion_core.voice`); the opinion is worked out from what
is left, at any time.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, cast

import msgspec
from msgspec import Struct

from stanchion_core.quantity import FALSE, TRUE, ValueKey, ValueLike, is_boolean
from stanchion_core.trust import DEFAULT_TRUST
from stanchion_core.voice import (
    BASE_WEIGHT,
    ContributionLike,
    Slot,
    Spoken,
    V,
    Voice,
    by_voice,
    hear,
    say,
    thin,
    voice_of,
    weigh,
)

__all__ = [
    "BASE_WEIGHT",
    "DEFAULT_TRUST",
    "HALF_LIVES_S",
    "PRIOR_WEIGHT",
    "ContributionLike",
    "Opinion",
    "Slot",
    "Spoken",
    "Stance",
    "Voice",
    "base_rate",
    "by_voice",
    "decay",
    "dissonance",
    "fuse",
    "hear",
    "is_stale",
    "opinion",
    "probability",
    "say",
    "thin",
    "voice_of",
    "weigh",
]

PRIOR_WEIGHT: Final = 2.0
STALE_BELOW: Final = 0.25
HALF_LIVES_S: Final[Mapping[str, int]] = {"fast": 14 * 86_400, "standard": 90 * 86_400, "slow": 365 * 86_400, "none": 0}
"""Half-lives in seconds; 0 means that nothing ages."""

MOST_COMPARED: Final = 100
"""Dissonance compares each slot with each other; beyond this many, the lightest are taken to conflict with nothing."""


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


def opinion(voices: Iterable[tuple[Spoken[V], ...]], *, now_us: int, half_life_s: int) -> Opinion[V]:
    """Work out the opinion on one claim from what stands of its voices.

    Args:
        voices: of each voice, what `thin`, `say` or `hear` gave; in any order.
        now_us: microseconds since the epoch.
        half_life_s: seconds; 0 for none.
    """
    slots: dict[Slot, list[float]] = {}
    shown: dict[ValueKey, V] = {}
    unlike: set[ValueKey] = set()
    undecayed: list[float] = []
    standing_of = list(voices)
    life_us = half_life_s * 1_000_000
    for standing in standing_of:
        if len(standing) == 1:  # most voices; written out, for it is done for each voice at each word on a claim
            (word,) = standing
            slot, weight, age_us = word.slot, word.weight, now_us - word.order[0]
            undecayed.append(weight)
            aged = weight * 2.0 ** -(age_us / life_us) if age_us > 0 < life_us else weight
            if slot in slots:
                slots[slot].append(aged)
            else:
                slots[slot] = [aged]
        else:
            _count_several(standing, now_us, half_life_s, slots, undecayed)
        for word in standing:
            if word.key not in shown:
                shown[word.key] = word.value
            elif shown[word.key] != word.value:
                unlike.add(word.key)
    for key in unlike:
        shown[key] = _shown(key, standing_of, now_us, half_life_s)
    evidence = {slot: math.fsum(weights) if len(weights) > 1 else weights[0] for slot, weights in slots.items()}
    total = math.fsum(evidence.values())
    return Opinion(
        values=_stances(evidence, shown, total),
        unnamed=evidence.get(None, 0.0),
        undecayed=math.fsum(undecayed),
        vacuity=PRIOR_WEIGHT / (total + PRIOR_WEIGHT),
        dissonance=dissonance(evidence.values(), total) if len(evidence) > 1 else 0.0,
    )


def _count_several(
    standing: tuple[Spoken[V], ...],
    now_us: int,
    half_life_s: int,
    slots: dict[Slot, list[float]],
    undecayed: list[float],
) -> None:
    """Count a voice of which several words stand: once a slot, at its heaviest, aged and unaged."""
    heaviest: dict[Slot, tuple[float, float]] = {}
    for word in standing:
        most, unaged = heaviest.get(word.slot, (0.0, 0.0))
        weight = word.weight * decay(now_us - word.order[0], half_life_s)
        heaviest[word.slot] = max(most, weight), max(unaged, word.weight)
    for slot, (weight, unaged) in heaviest.items():
        slots.setdefault(slot, []).append(weight)
        undecayed.append(unaged)


def _shown(key: ValueKey, standing_of: list[tuple[Spoken[V], ...]], now_us: int, half_life_s: int) -> V:
    """Give a value as its heaviest mention writes it, ties by its parts."""
    mentions = [
        (word.weight * decay(now_us - word.order[0], half_life_s), word.value)
        for standing in standing_of
        for word in standing
        if word.key == key
    ]
    most = max(weight for weight, _ in mentions)
    return min((value for weight, value in mentions if weight == most), key=_parts)


def _stances(evidence: Mapping[Slot, float], shown: dict[ValueKey, V], total: float) -> tuple[Stance[V], ...]:
    """Give each candidate's stance, heaviest first, ties by value; of a boolean claim both values."""
    boolean = False
    if any(map(is_boolean, shown)):  # seldom
        boolean = all(map(is_boolean, shown))
        _name_booleans(evidence, shown, boolean=boolean)
    base = base_rate(len(shown), boolean=boolean)
    stances = []
    for key, value in shown.items():
        mass = evidence.get(key, 0.0)
        stances.append(Stance(value=value, evidence=mass, probability=probability(mass, total, base)))
    if len(stances) > 1:
        stances.sort(key=_rank)
    return tuple(stances)


def _rank(stance: Stance[V]) -> tuple[float, str, str, str, str]:
    """Give what puts the heaviest first, ties by value."""
    value = stance.value
    return -stance.evidence, value.type, value.text, value.unit, value.op


def _name_booleans(evidence: Mapping[Slot, float], shown: dict[ValueKey, V], *, boolean: bool) -> None:
    """Add to what is shown the boolean that only denials speak for; of a boolean claim both."""
    unsaid = [slot for slot in evidence if slot is not None and slot not in shown]
    for key in (FALSE, TRUE) if boolean else unsaid:
        if key not in shown:
            shown[key] = _plain(key, shown)


def _plain(key: ValueKey, shown: Mapping[ValueKey, V]) -> V:
    """Give a boolean that nobody named, made from the one that was denied."""
    said: Any = shown[min(filter(is_boolean, shown))]
    text = "true" if key == TRUE else "false"
    return cast("V", msgspec.structs.replace(said, type="boolean", text=text, unit="", op=""))


def _parts(value: ValueLike) -> tuple[str, str, str, str]:
    """Give a value's four parts, to sort by."""
    return value.type, value.text, value.unit, value.op


def dissonance(evidence: Iterable[float], total: float) -> float:
    """Give the share of mass in conflict: `Σ b(v) · Σ_{j≠v} b(j)·Bal(j,v) / Σ_{j≠v} b(j)`, from 0 to 1.

    Source: Jøsang, Cho and Chen, Uncertainty Characteristics of Subjective Opinions, FUSION 2018; the relative balance
    `Bal(j,v) = 1 - |b(j)-b(v)|/(b(j)+b(v))` is twice the lesser by the sum.
    """
    whole_mass = total + PRIOR_WEIGHT
    masses = []
    for mass in evidence:
        share = mass / whole_mass
        if share > 0.0:  # the least weights vanish as shares
            masses.append(share)
    if len(masses) < 2:  # noqa: PLR2004 - one slot conflicts with nothing
        return 0.0
    masses.sort(reverse=True)
    whole = math.fsum(masses)
    compared = masses[:MOST_COMPARED]
    shares = []
    for at, mine in enumerate(compared):  # heaviest first: those before are no lighter, those after no heavier
        against = whole - mine
        if against > 0.0:
            balanced = []
            for other in compared[:at]:
                balanced.append(mine / (mine + other) * other)  # noqa: PERF401 - a comprehension costs more for a few
            for other in compared[at + 1 :]:
                balanced.append(other / (mine + other) * other)  # noqa: PERF401 - the same
            shares.append(mine * 2.0 * math.fsum(balanced) / against)
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
