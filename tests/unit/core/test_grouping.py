"""Numbers that are one value within a tolerance."""

import pytest

from stanchion_core.grouping import Groups, are_near, group, join
from stanchion_core.quantity import ValueKey, value_key
from support.beliefs import value


def key(text: str, unit: str = "", op: str = "", kind: str = "number") -> ValueKey:
    """Give the key of a value."""
    return value_key(value(text, kind=kind, unit=unit, op=op))


def texts(groups: Groups, *keys: ValueKey) -> list[int]:
    """Give for each key the place of the first one in its group."""
    return [[groups.of(other) for other in keys].index(groups.of(one)) for one in keys]


@pytest.mark.parametrize(
    ("one", "other", "tolerance", "expected"),
    [
        (key("100"), key("90"), 0.1, True),
        (key("100"), key("89.9"), 0.1, False),
        (key("1"), key("0.97"), 0.03, True),  # in binary 1 - 0.97 is more than 0.03
        (key("-100"), key("-97"), 0.03, True),
        (key("100"), key("-100"), 0.5, False),
        (key("0"), key("0.0001"), 0.5, False),
        (key("0"), key("-0"), 0.5, True),
        (key("90", "min", kind="duration"), key("1.45", "h", kind="duration"), 0.05, True),
        (key("5", "min", kind="duration"), key("5"), 0.5, False),
        (key("5", "USD", kind="money"), key("5.1", "USD", kind="money"), 0.05, True),
        (key("5", "USD", kind="money"), key("5.1", "EUR", kind="money"), 0.05, False),
        (key("5", op=">"), key("5.1", op=">"), 0.05, True),
        (key("5", op=">"), key("5.1"), 0.05, False),
        (key("5", "%", kind="percent"), key("0.0501"), 0.01, True),
        (key("2026", kind="date"), key("2026-01", kind="date"), 0.5, False),
        (key("3..5", kind="range"), key("3..5.01", kind="range"), 0.5, False),
        (key("many"), key("many"), 0.1, True),
        (key("many"), key("more"), 0.1, False),
        (key("5"), key("5.1"), 0.0, False),
    ],
)
def test_near(one: ValueKey, other: ValueKey, tolerance: float, *, expected: bool) -> None:
    """Two numbers of one dimension are near within so large a share of the larger, the bound included."""
    assert (expected, expected) == (are_near(one, other, tolerance), are_near(other, one, tolerance))


def test_single_linkage() -> None:
    """A chain of neighbours is one group though its ends are far apart; what stands apart stays alone."""
    keys = [key(text) for text in ("100", "104", "108", "112", "130")]
    assert [0, 0, 0, 0, 4] == texts(group(keys, 0.04), *keys)


def test_dimensions_stay_apart() -> None:
    """Values of other dimensions, and what is no number, never go together."""
    keys = [key("60"), key("60", "s", kind="duration"), key("1", "min", kind="duration"), key("red", kind="string")]
    assert [0, 1, 1, 3] == texts(group(keys, 0.5), *keys)


def test_no_tolerance_groups_nothing() -> None:
    """At 0 each value is its own, and joining costs nothing."""
    none = group([key("5"), key("5.1")], 0.0)
    assert ({}, none) == (none.named, join(none, key("5.2")))


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ("100", True),  # known
        ("102", True),  # above its group's least
        ("200", True),  # alone
        ("96.5", False),  # a lesser one: the group is named after it
        ("107", False),  # joins two groups
    ],
)
def test_join(added: str, *, expected: bool) -> None:
    """One more value is joined to the others, or it is said that only the whole can tell."""
    before = [key(text) for text in ("100", "103", "110")]
    joined = join(group(before, 0.04), key(added))
    assert expected == (joined is not None)
    assert joined is None or group([*before, key(added)], 0.04) == joined
