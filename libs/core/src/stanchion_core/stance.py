"""How the candidate values of a claim stand, given the evidence for each: masses, probabilities, and their conflict."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, cast

import msgspec
from msgspec import Struct

from stanchion_core.quantity import FALSE, TRUE, ValueKey, is_boolean
from stanchion_core.voice import APART, Slot, V

PRIOR_WEIGHT: Final = 2.0

MOST_COMPARED: Final = 100
"""Dissonance compares each slot with each other; beyond this many, the lightest are taken to conflict with nothing."""


class Stance(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """How one candidate value stands.

    Attributes:
        value: the candidate.
        evidence: its evidence mass.
        probability: 0 to 1.
        against: of a multi-valued claim, the evidence mass that it is not one of the values (of a boolean, what its
            other value has); else 0.
    """

    value: V
    evidence: float
    probability: float
    against: float = 0.0


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


def stances_of(evidence: Mapping[Slot, float], shown: dict[ValueKey, V], total: float) -> tuple[Stance[V], ...]:
    """Give each candidate's stance, heaviest first, ties by value; of a boolean claim both values."""
    boolean = False
    if any(map(is_boolean, shown)):  # seldom
        boolean = all(map(is_boolean, shown))
        _name_booleans(evidence, shown, boolean=boolean)
    prior, whole = PRIOR_WEIGHT * base_rate(len(shown), boolean=boolean), total + PRIOR_WEIGHT
    stances = []
    for key, value in shown.items():
        mass = evidence.get(key, 0.0)
        stances.append(Stance(value=value, evidence=mass, probability=(mass + prior) / whole))  # `probability`, inline
    if len(stances) > 1:
        stances.sort(key=_rank)
    return tuple(stances)


def stances_apart(evidence: Mapping[Slot, float], shown: dict[ValueKey, V]) -> tuple[Stance[V], ...]:
    """Give each candidate's stance as a boolean claim of its own, heaviest first, ties by value."""
    _name_booleans(evidence, shown, boolean=False)
    stances = []
    for key, value in shown.items():
        mass, against = evidence.get(key, 0.0), evidence.get(APART.denied(key), 0.0)
        likely = probability(mass, mass + against, base_rate(1, boolean=True))
        stances.append(Stance(value=value, evidence=mass, probability=likely, against=against))
    return tuple(sorted(stances, key=_rank))


def most_dissonance(stances: Iterable[Stance[V]]) -> float:
    """Give the dissonance of the value that has most."""
    return max(dissonance((one.evidence, one.against), one.evidence + one.against) for one in stances)


def dissonance_of(evidence: Mapping[Slot, float], total: float) -> float:
    """Give the dissonance of a claim of which one value is true."""
    return dissonance(evidence.values(), total) if len(evidence) > 1 else 0.0


def _rank(stance: Stance[V]) -> tuple[float, str, str, str, str]:
    """Give what puts the heaviest first, ties by value."""
    value = stance.value
    return -stance.evidence, value.type, value.text, value.unit, value.op


def _name_booleans(evidence: Mapping[Slot, float], shown: dict[ValueKey, V], *, boolean: bool) -> None:
    """Add to what is shown the boolean that only denials speak for; of a boolean claim both."""
    unsaid = [slot for slot in evidence if slot is not None and is_boolean(slot) and slot not in shown]
    for key in (FALSE, TRUE) if boolean else unsaid:
        if key not in shown:
            shown[key] = _plain(key, shown)


def _plain(key: ValueKey, shown: Mapping[ValueKey, V]) -> V:
    """Give a boolean that nobody named, made from the one that was denied."""
    said: Any = shown[min(filter(is_boolean, shown))]
    text = "true" if key == TRUE else "false"
    return cast("V", msgspec.structs.replace(said, type="boolean", text=text, unit="", op=""))


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
