"""Fusion: what the contributions to one claim come to, and how sure that is.

The state is a pure function of the set of contributions, the trust table and now: order, batching, retries and
duplicates cannot matter, bit for bit. It is a Dirichlet opinion over the candidate values (Jøsang, Subjective Logic,
2016). One voice's words are thinned once, when it speaks (`stanchion_core.voice`); the opinion is worked out from what
is left, at any time.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Generic

from msgspec import Struct

from stanchion_core.policy import HALF_LIVES_S, ClaimPolicy
from stanchion_core.quantity import ValueKey, ValueLike, is_boolean, value_key
from stanchion_core.stance import (
    PRIOR_WEIGHT,
    Stance,
    base_rate,
    dissonance,
    dissonance_of,
    most_dissonance,
    probability,
    stances_apart,
    stances_of,
)
from stanchion_core.trust import DEFAULT_TRUST
from stanchion_core.voice import (
    BASE_WEIGHT,
    PLAIN,
    ContributionLike,
    Reading,
    Slot,
    Spoken,
    V,
    Voice,
    by_voice,
    hear,
    read,
    say,
    thin,
    voice_of,
    weigh,
)

__all__ = [
    "BASE_WEIGHT",
    "DEFAULT_TRUST",
    "HALF_LIVES_S",
    "PLAIN",
    "PRIOR_WEIGHT",
    "ClaimPolicy",
    "ContributionLike",
    "Opinion",
    "Reading",
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
    "read",
    "say",
    "thin",
    "voice_of",
    "weigh",
]

STALE_BELOW: Final = 0.25


class Opinion(Struct, Generic[V], frozen=True, kw_only=True, gc=False):
    """The fused state of one claim at one time.

    Attributes:
        values: heaviest first, ties by value; of a boolean claim both values.
        unnamed: evidence mass on the slot for a value that nobody has named.
        total: the whole evidence mass.
        undecayed: the whole evidence mass had nothing aged.
        vacuity: the share of mass that no evidence backs, 0 to 1.
        dissonance: the share of mass in conflict, 0 to 1; of a multi-valued claim that of the value with most.
        multi_valued: several values may be true, each is a boolean claim of its own.
    """

    values: tuple[Stance[V], ...]
    unnamed: float
    total: float
    undecayed: float
    vacuity: float
    dissonance: float
    multi_valued: bool = False

    @property
    def stale(self) -> bool:
        """Tell whether age has taken more than three quarters of the evidence."""
        return is_stale(self.total, self.undecayed)


def decay(age_us: int, half_life_s: int) -> float:
    """Give what age leaves of a weight, 0 to 1; an age below 0 counts as 0, a half-life of 0 never ages."""
    if half_life_s <= 0 or age_us <= 0:
        return 1.0
    return float(2.0 ** -(age_us / (half_life_s * 1_000_000)))


def is_stale(evidence: float, undecayed: float) -> bool:
    """Tell whether the evidence left is below a quarter of what it was undecayed."""
    return evidence < STALE_BELOW * undecayed


def opinion(
    voices: Iterable[tuple[Spoken[V], ...]], *, now_us: int, half_life_s: int, multi_valued: bool = False
) -> Opinion[V]:
    """Work out the opinion on one claim from what stands of its voices.

    Args:
        voices: of each voice, what `thin`, `say` or `hear` gave; in any order.
        now_us: microseconds since the epoch.
        half_life_s: seconds; 0 for none.
        multi_valued: as the words were read. Where all values are booleans it changes nothing.
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
            key, slot, weight, age_us = word.key, word.slot, word.weight, now_us - word.order[0]
            undecayed.append(weight)
            aged = weight * 2.0 ** -(age_us / life_us) if age_us > 0 < life_us else weight
            if slot in slots:
                slots[slot].append(aged)
            else:
                slots[slot] = [aged]
            if key not in shown:
                shown[key] = word.value
            elif shown[key] != word.value:
                unlike.add(key)
        else:
            _count_several(standing, now_us, half_life_s, slots, undecayed)
            unlike.update(word.key for word in standing if shown.setdefault(word.key, word.value) != word.value)
    if unlike:
        shown.update(_shown(unlike, standing_of, now_us, half_life_s))
    evidence = {slot: math.fsum(weights) if len(weights) > 1 else weights[0] for slot, weights in slots.items()}
    total = math.fsum(evidence.values())
    apart = multi_valued and not all(map(is_boolean, shown))
    stances = stances_apart(evidence, shown) if apart else stances_of(evidence, shown, total)
    return Opinion(
        values=stances,
        unnamed=evidence.get(None, 0.0),
        total=total,
        undecayed=math.fsum(undecayed),
        vacuity=PRIOR_WEIGHT / (total + PRIOR_WEIGHT),
        dissonance=most_dissonance(stances) if apart else dissonance_of(evidence, total),
        multi_valued=apart,
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


def _shown(
    keys: Collection[ValueKey], standing_of: list[tuple[Spoken[V], ...]], now_us: int, half_life_s: int
) -> dict[ValueKey, V]:
    """Give values as their heaviest mentions write them; of a group first its heaviest value. Ties go by their parts.

    Args:
        keys: values that are not written alike everywhere, and groups of several.
        standing_of: of each voice, what stands.
        now_us: microseconds since the epoch.
        half_life_s: seconds; 0 for none.
    """
    asserted: dict[ValueKey, dict[V, list[float]]] = {key: {} for key in keys}
    denied: dict[ValueKey, dict[V, list[float]]] = {key: {} for key in keys}
    for standing in standing_of:
        for word, aged in _aged_once(standing, now_us, half_life_s):
            if word.key in asserted:
                (asserted if word.slot == word.key else denied)[word.key].setdefault(word.value, []).append(aged)
    return {key: _heaviest(asserted[key], denied[key]) for key in keys}


def _aged_once(standing: tuple[Spoken[V], ...], now_us: int, half_life_s: int) -> list[tuple[Spoken[V], float]]:
    """Give what stands of a voice, aged; a value that it says or denies more than once, once, at its heaviest."""
    aged = [(word, word.weight * decay(now_us - word.order[0], half_life_s)) for word in standing]
    if len(aged) == 1:
        return aged
    once: dict[tuple[Slot, ValueKey], tuple[Spoken[V], float]] = {}
    for word, weight in sorted(aged, key=lambda one: (-one[1], _parts(one[0].value))):
        once.setdefault((word.slot, value_key(word.value)), (word, weight))
    return list(once.values())


def _heaviest(asserted: Mapping[V, list[float]], denied: Mapping[V, list[float]]) -> V:
    """Give the heaviest mention of the value that most speaks for, ties by its parts."""
    rank = {value: max(*asserted.get(value, ()), *denied.get(value, ()), 0.0) for value in {*asserted, *denied}}
    own = {value: value_key(value) for value in rank}
    written: dict[ValueKey, list[V]] = {}
    for value, key in own.items():
        written.setdefault(key, []).append(value)
    if len(written) > 1:
        mass = {
            key: math.fsum(weight for value in values for weight in asserted.get(value, ()))
            for key, values in written.items()
        }
        most = max(mass.values())
        shown = own[min((value for value, key in own.items() if mass[key] == most), key=_parts)]
        rank = {value: rank[value] for value in written[shown]}
    top = max(rank.values())
    return min((value for value, weight in rank.items() if weight == top), key=_parts)


def _parts(value: ValueLike) -> tuple[str, str, str, str]:
    """Give a value's four parts, to sort by."""
    return value.type, value.text, value.unit, value.op


def fuse(
    contributions: Iterable[ContributionLike[V]], trust: Mapping[str, float], *, now_us: int, policy: ClaimPolicy
) -> Opinion[V]:
    """Work out the opinion on one claim from the whole set of its contributions.

    Args:
        contributions: all of one claim, in any order, repeats allowed.
        trust: by name of agent or source, as `TrustTable.effective` gives it; who is not in it has the default.
        now_us: microseconds since the epoch.
        policy: of the claim.
    """
    said = list(contributions)
    voices = by_voice(said, trust, read(said, policy))
    return opinion(voices.values(), now_us=now_us, half_life_s=policy.half_life_s, multi_valued=policy.multi_valued)
