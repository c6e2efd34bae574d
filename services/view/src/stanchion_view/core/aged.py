"""A stored belief at a later time, without its contributions: all of its evidence ages alike.

Every share of mass `b(v) = e(v) / (E + W)` changes by one factor, and the balance of two shares by none; so dissonance
changes by that factor, too.
"""

import math

from msgspec import Struct

from stanchion_contracts.belief import Belief
from stanchion_core.fusion import PRIOR_WEIGHT, base_rate, decay, is_stale, probability

CONTRADICTED_ABOVE = 0.5
RIVALS_ABOVE = 0.25
"""A dissonance above the first, or two values above the second of which one can be true, are a contradiction."""

_MILLION = 1_000_000


class Aged(Struct, frozen=True, kw_only=True, gc=False):
    """As much of a belief at a later time as tells whether it is of interest.

    Attributes:
        probability: of the likeliest value, 0 to 1; 0 where nobody has named one.
        stale: the evidence has shrunk below a quarter of its undecayed weight.
        contradicted: its values contradict each other.
    """

    probability: float
    stale: bool
    contradicted: bool


def aged(belief: Belief, now_us: int) -> Aged:
    """Tell how a belief is at a later time; a time before the belief's counts as the belief's."""
    factor = decay(now_us - belief.time_us, belief.half_life_s)
    masses = [state.evidence for state in belief.values]
    total = math.fsum([*masses, belief.unnamed, belief.unlisted])
    left = total * factor
    boolean = not belief.unlisted_values and all(state.value.type == "boolean" for state in belief.values)
    base = base_rate(len(masses) + belief.unlisted_values, boolean=boolean)
    likely = [probability(mass * factor, left, base) for mass in masses[:2]]
    shrunk = factor * (total + PRIOR_WEIGHT) / (left + PRIOR_WEIGHT)
    return Aged(
        probability=likely[0] if likely else 0.0,
        stale=is_stale(left, belief.undecayed),
        contradicted=is_contradicted(belief.dissonance_millionths / _MILLION * shrunk, likely),
    )


def is_contradicted(dissonance: float, likely: list[float]) -> bool:
    """Tell whether values contradict each other.

    Args:
        dissonance: 0 to 1.
        likely: how likely the two likeliest values are of which one can be true; empty where several can.
    """
    return dissonance > CONTRADICTED_ABOVE or (len(likely) > 1 and min(likely[:2]) > RIVALS_ABOVE)
