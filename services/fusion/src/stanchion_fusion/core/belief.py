"""How the opinion on a claim is stated as a belief, within bounds."""

import math
from typing import Final

import msgspec

from stanchion_contracts.belief import Belief, ValueState
from stanchion_contracts.value import Value
from stanchion_core.fusion import ClaimPolicy, Opinion, Stance

MOST_LISTED: Final = 50
MOST_LISTED_BYTES: Final = 4_096
"""Values beyond these are summed up, so that a message of 200 beliefs stays far below the largest a broker takes."""

_MILLION: Final = 1_000_000


def state_belief(
    key: tuple[str, str], opinion: Opinion[Value], *, contributions: int, policy: ClaimPolicy, now_us: int
) -> Belief:
    """State an opinion as a belief.

    Args:
        key: subject and predicate, normalised.
        opinion: worked out for `now_us`.
        contributions: how many it rests on, displaced ones included.
        policy: it was worked out by.
        now_us: microseconds since the epoch.
    """
    stances = opinion.values
    listed = stances if len(stances) <= 2 else _within_bounds(stances)  # noqa: PLR2004 - both values of a boolean stay
    unlisted = stances[len(listed) :]
    states = tuple([
        ValueState(value=stance.value, evidence=stance.evidence, millionths=round(stance.probability * _MILLION))
        for stance in listed
    ])
    if opinion.multi_valued:
        states = tuple(map(_apart, states, listed))
    return Belief(
        subject=key[0],
        predicate=key[1],
        values=states,
        unnamed=opinion.unnamed,
        undecayed=opinion.undecayed,
        vacuity_millionths=round(opinion.vacuity * _MILLION),
        dissonance_millionths=round(opinion.dissonance * _MILLION),
        half_life_s=policy.half_life_s,
        time_us=now_us,
        contributions=contributions,
        unlisted=_mass(unlisted) if unlisted else 0.0,
        unlisted_values=len(unlisted),
        multi_valued=opinion.multi_valued,
        tolerance=policy.tolerance,
    )


def _apart(state: ValueState, stance: Stance[Value]) -> ValueState:
    """State how a value stands that is a claim of its own."""
    return msgspec.structs.replace(state, against=stance.against)


def _mass(stances: tuple[Stance[Value], ...]) -> float:
    """Give the evidence mass for and against values; what is against a boolean is for its other value."""
    against = [stance.against for stance in stances if stance.against and stance.value.type != "boolean"]
    return math.fsum([*[stance.evidence for stance in stances], *against])


def _within_bounds(stances: tuple[Stance[Value], ...]) -> tuple[Stance[Value], ...]:
    """Give the heaviest values that fit the bounds, one at least."""
    size = 0
    for place, stance in enumerate(stances[:MOST_LISTED]):
        size += len(stance.value.text.encode()) + len(stance.value.unit.encode())
        if size > MOST_LISTED_BYTES:
            return stances[: max(place, 1)]
    return stances[:MOST_LISTED]


def size_of(belief: Belief) -> int:
    """Give about how many bytes a belief takes in a message."""
    values = sum(len(state.value.text.encode()) + len(state.value.unit.encode()) + 32 for state in belief.values)
    return values + len(belief.subject.encode()) + len(belief.predicate.encode()) + 80
