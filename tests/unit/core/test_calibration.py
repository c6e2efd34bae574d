"""Calibration on worked values."""

import math

from stanchion_core.calibration import BINS, Judged, calibration, outcome_trust


def test_nothing_judged_is_no_error() -> None:
    """Without outcomes there is nothing to be wrong about, and every bin is there, empty."""
    found = calibration([])
    assert (0, 0.0, 0.0, BINS) == (found.count, found.brier, found.error, len(found.bins))


def test_worked_values() -> None:
    """Two at 0.9 of which one is right, one at 0.2 that is wrong: Brier 0.286667, error 0.333333."""
    judged = [Judged(confidence=0.9, hit=True), Judged(confidence=0.9, hit=False), Judged(confidence=0.2, hit=False)]
    found = calibration(judged)
    assert math.isclose((0.01 + 0.81 + 0.04) / 3, found.brier)
    assert math.isclose((2 * 0.4 + 1 * 0.2) / 3, found.error)
    assert {2: 1, 9: 2} == {number: one.count for number, one in enumerate(found.bins) if one.count}
    assert (0.9, 0.5) == (found.bins[9].confidence, found.bins[9].hits)
    assert found == calibration(reversed(judged))


def test_certainty_falls_into_the_last_bin() -> None:
    """A confidence of 1 has a bin."""
    assert 1 == calibration([Judged(confidence=1.0, hit=True)]).bins[-1].count


def test_outcomes_move_trust_slowly() -> None:
    """Nobody judged is trusted 0.7; ten hits of ten make 0.85."""
    assert (0.7, 0.85, 7 / 11) == (outcome_trust(0, 0), outcome_trust(10, 10), outcome_trust(0, 1))
