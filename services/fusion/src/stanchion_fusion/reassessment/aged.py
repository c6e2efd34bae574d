"""What a belief has come to at a later time, from the belief alone: all its evidence ages by the same share."""

import math
from typing import Final

from stanchion_contracts.belief import Belief
from stanchion_core.fusion import PRIOR_WEIGHT, base_rate, decay, is_stale
from stanchion_core.fusion import probability as share_of

CONTRADICTS: Final = 0.5
"""Dissonance above this is a contradiction."""

RIVALS: Final = 0.25
"""Two values of which only one can be true, both likelier than this, are one too."""

_MILLION: Final = 1_000_000


class Aged:
    """One belief at one time.

    Args:
        belief: as it was stated.
        now_us: microseconds since the epoch; before the belief's own time nothing has aged.
    """

    def __init__(self, belief: Belief, now_us: int) -> None:
        self._belief = belief
        self._left = decay(now_us - belief.time_us, belief.half_life_s)
        sums = [state.evidence + state.against for state in belief.values]
        self._total = math.fsum([*sums, belief.unnamed, belief.unlisted])

    @property
    def stale(self) -> bool:
        """Tell whether age has taken more than three quarters of the evidence."""
        return is_stale(self._total * self._left, self._belief.undecayed)

    @property
    def dissonance(self) -> float:
        """Give the share of mass in conflict, 0 to 1: its parts keep their proportions, the prior gains on them."""
        belief = self._belief
        if belief.multi_valued:
            return max((self._apart(state.evidence, state.against) for state in belief.values), default=0.0)
        stated = belief.dissonance_millionths / _MILLION
        if not self._total:
            return 0.0
        return stated * self._left * (self._total + PRIOR_WEIGHT) / (self._total * self._left + PRIOR_WEIGHT)

    def likely(self) -> list[tuple[float, str]]:
        """Give the two heaviest values with their probability; of a multi-valued belief none: all may be true."""
        belief = self._belief
        if belief.multi_valued:
            return []
        boolean = all(state.value.type == "boolean" for state in belief.values)
        base = base_rate(len(belief.values) + belief.unlisted_values, boolean=boolean)
        total = self._total * self._left
        return [
            (share_of(state.evidence * self._left, total, base), f"{state.value.text} {state.value.unit}".strip())
            for state in belief.values[:2]
        ]

    @property
    def contradicts(self) -> bool:
        """Tell whether its values contradict each other."""
        if self.dissonance > CONTRADICTS:
            return True
        likely = self.likely()
        return len(likely) > 1 and likely[1][0] > RIVALS and self._belief.values[1].evidence > 0.0

    def _apart(self, evidence: float, against: float) -> float:
        """Give the dissonance of one value of a multi-valued belief, a boolean claim of its own."""
        whole = (evidence + against) * self._left + PRIOR_WEIGHT
        return 2.0 * min(evidence, against) * self._left / whole
