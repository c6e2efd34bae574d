"""A stored belief at a later time, from the belief alone: all of its evidence ages alike.

Every share of mass `b(v) = e(v) / (E + W)` changes by one factor, and the balance of two shares by none; so dissonance
changes by that factor, too.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from stanchion_core.condition import BeliefLike, ValueStateLike, mass_of
from stanchion_core.fusion import PRIOR_WEIGHT, decay, is_stale, probability
from stanchion_core.stance import base_rate, dissonance

CONTRADICTED_ABOVE: Final = 0.5
RIVALS_ABOVE: Final = 0.25
"""A dissonance above the first, or two values above the second of which one can be true, are a contradiction."""

_MILLION: Final = 1_000_000
_RIVALS: Final = 2


class StatedLike(BeliefLike, Protocol):
    """What this module reads of a belief (`stanchion_contracts.belief.Belief` is one)."""

    @property
    def dissonance_millionths(self) -> int:
        """Give the share of mass in conflict at the belief's time."""


def stale_at(belief: BeliefLike, now_us: int) -> bool:
    """Tell whether the evidence has shrunk below a quarter of its undecayed weight.

    Args:
        belief: as it was stated.
        now_us: microseconds since the epoch; a time before the belief's counts as the belief's.
    """
    return is_stale(mass_of(belief) * _left(belief, now_us), belief.undecayed)


def contradicted_at(belief: StatedLike, now_us: int) -> bool:
    """Tell whether the values contradict each other; the time as in `stale_at`."""
    if not belief.dissonance_millionths and (belief.multi_valued or len(belief.values) < _RIVALS):
        return False  # most: nothing has evidence against it
    rivals = [(state.evidence, likely) for state, likely in rivals_at(belief, now_us)]
    return contradicted(dissonance_at(belief, now_us), rivals)


def dissonance_at(belief: StatedLike, now_us: int) -> float:
    """Give the share of mass in conflict, 0 to 1; the time as in `stale_at`."""
    left = _left(belief, now_us)
    if belief.multi_valued:
        masses = [(state.evidence * left, state.against * left) for state in belief.values]
        return max((dissonance(both, sum(both)) for both in masses), default=0.0)
    total = mass_of(belief)
    shrunk = left * (total + PRIOR_WEIGHT) / (total * left + PRIOR_WEIGHT)
    return belief.dissonance_millionths / _MILLION * shrunk


def rivals_at(belief: BeliefLike, now_us: int) -> list[tuple[ValueStateLike, float]]:
    """Give the two heaviest values with their probability; none where several may be true. Time as in `stale_at`."""
    if belief.multi_valued:
        return []
    return list(zip(belief.values, _likely(belief, _left(belief, now_us)), strict=False))


def likeliest_at(belief: BeliefLike, now_us: int) -> tuple[ValueStateLike, float] | None:
    """Give the value that is held likeliest and its probability; None where nobody has named one.

    The time as in `stale_at`.
    """
    likely = _likely(belief, _left(belief, now_us))
    if not likely:
        return None
    best = max(likely)
    return belief.values[likely.index(best)], best


def contradicted(conflict: float, rivals: Sequence[tuple[float, float]]) -> bool:
    """Tell whether values contradict each other.

    Args:
        conflict: the dissonance, 0 to 1.
        rivals: evidence and probability of the two likeliest values, where only one can be true. A boolean's other
            value that nothing speaks for is likely without evidence, too, and contradicts nothing.
    """
    both = [likely for mass, likely in rivals[:_RIVALS] if mass > 0.0 and likely > RIVALS_ABOVE]
    return conflict > CONTRADICTED_ABOVE or len(both) == _RIVALS


def _likely(belief: BeliefLike, left: float) -> list[float]:
    """Give the probabilities of values: of those that may all be true every one, else of the two heaviest."""
    if belief.multi_valued:
        alone = base_rate(1, boolean=True)
        return [probability(one.evidence * left, (one.evidence + one.against) * left, alone) for one in belief.values]
    boolean = not belief.unlisted_values and all(state.value.type == "boolean" for state in belief.values)
    base = base_rate(len(belief.values) + belief.unlisted_values, boolean=boolean)
    total = mass_of(belief) * left
    return [probability(state.evidence * left, total, base) for state in belief.values[:_RIVALS]]


def _left(belief: BeliefLike, now_us: int) -> float:
    """Give what age has left of the evidence."""
    return decay(now_us - belief.time_us, belief.half_life_s)
