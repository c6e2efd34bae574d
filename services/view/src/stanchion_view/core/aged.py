"""A stored belief at a later time, without its contributions: all of its evidence ages alike.

Every share of mass `b(v) = e(v) / (E + W)` changes by one factor, and the balance of two shares by none; so dissonance
changes by that factor, too.
"""

from collections.abc import Sequence
from typing import Final

from stanchion_contracts.belief import Belief
from stanchion_contracts.value import Value
from stanchion_core.condition import mass_of
from stanchion_core.fusion import PRIOR_WEIGHT, decay, is_stale, probability
from stanchion_core.stance import base_rate, dissonance

CONTRADICTED_ABOVE: Final = 0.5
RIVALS_ABOVE: Final = 0.25
"""A dissonance above the first, or two values above the second of which one can be true, are a contradiction."""

_MILLION: Final = 1_000_000
_RIVALS: Final = 2


def stale_at(belief: Belief, now_us: int) -> bool:
    """Tell whether the evidence has shrunk below a quarter of its undecayed weight."""
    return is_stale(mass_of(belief) * _factor(belief, now_us), belief.undecayed)


def contradicted_at(belief: Belief, now_us: int) -> bool:
    """Tell whether the values contradict each other."""
    if not belief.dissonance_millionths and (belief.multi_valued or len(belief.values) < _RIVALS):
        return False  # most
    factor = _factor(belief, now_us)
    if belief.multi_valued:
        masses = [(state.evidence * factor, state.against * factor) for state in belief.values]
        return is_contradicted(max((dissonance(both, sum(both)) for both in masses), default=0.0), ())
    total = mass_of(belief)
    shrunk = factor * (total + PRIOR_WEIGHT) / (total * factor + PRIOR_WEIGHT)
    conflict = belief.dissonance_millionths / _MILLION * shrunk
    return is_contradicted(conflict, _likely(belief, factor, _RIVALS))


def likeliest_at(belief: Belief, now_us: int) -> tuple[Value, float] | None:
    """Give the value that is held likeliest, and its probability; None where nobody has named one."""
    likely = _likely(belief, _factor(belief, now_us), len(belief.values) if belief.multi_valued else 1)
    if not likely:
        return None
    best = max(likely)
    return belief.values[likely.index(best)].value, best


def _likely(belief: Belief, factor: float, most: int) -> list[float]:
    """Give the probabilities of the heaviest values, so many at most."""
    states = belief.values[:most]
    if belief.multi_valued:
        base = base_rate(1, boolean=True)
        return [probability(one.evidence * factor, (one.evidence + one.against) * factor, base) for one in states]
    boolean = not belief.unlisted_values and all(state.value.type == "boolean" for state in belief.values)
    base = base_rate(len(belief.values) + belief.unlisted_values, boolean=boolean)
    left = mass_of(belief) * factor
    return [probability(one.evidence * factor, left, base) for one in states]


def _factor(belief: Belief, now_us: int) -> float:
    """Give what age has left since the belief was stated; a time before that counts as that."""
    return decay(now_us - belief.time_us, belief.half_life_s)


def is_contradicted(conflict: float, rivals: Sequence[float]) -> bool:
    """Tell whether values contradict each other.

    Args:
        conflict: the dissonance, 0 to 1.
        rivals: how likely the two likeliest values are, where only one can be true.
    """
    return conflict > CONTRADICTED_ABOVE or (len(rivals) >= _RIVALS and min(rivals[:_RIVALS]) > RIVALS_ABOVE)
