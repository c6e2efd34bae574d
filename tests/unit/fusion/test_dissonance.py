"""Dissonance at the edge of what a float holds."""

from stanchion_core.fusion import dissonance


def test_weights_that_vanish_conflict_with_nothing() -> None:
    """Evidence so light that its share is zero is no slot; nothing is divided by it."""
    assert 0.0 == dissonance([5e-324, 5e-324], 1e-323)
    assert 0.0 == dissonance([1.0, 5e-324], 1.0)
