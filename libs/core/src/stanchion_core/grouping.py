"""Numbers that are one value within a tolerance: single linkage over the sorted values, whatever order they came in.

Two neighbours are linked when they differ by no more than so large a share of the larger of them. Sums are exact, and a
tolerance is the decimal number that a person wrote: 0.97 and 1 are one at 0.03.
"""

import bisect
import functools
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from msgspec import Struct, field

from stanchion_core.quantity import ValueKey, measure

_Place = tuple[str, float, Fraction]
"""Dimension and size; floats compare sooner than the fractions they stand for, and never otherwise but when equal."""


class Groups(Struct, frozen=True, kw_only=True):
    """Which of the values that a claim's contributions name, asserted or denied, are one.

    Attributes:
        tolerance: 0 to 0.5.
        ordered: every number among them, sorted by dimension and size.
        named: of each number, its group: the key of the least one in it. What is no number is on its own.
    """

    tolerance: float
    ordered: tuple[ValueKey, ...] = ()
    named: Mapping[ValueKey, ValueKey] = field(default_factory=dict)

    def of(self, key: ValueKey) -> ValueKey:
        """Give the group of a value, the value itself where it is on its own."""
        return self.named.get(key, key)


NO_GROUPS: Final = Groups(tolerance=0.0)


def group(keys: Iterable[ValueKey], tolerance: float) -> Groups:
    """Group all values of a claim.

    Args:
        keys: in any order, repeats allowed.
        tolerance: 0 to 0.5; at 0 nothing is grouped.
    """
    if tolerance <= 0.0:
        return NO_GROUPS
    ordered = tuple(sorted({key for key in keys if measure(key) is not None}, key=_place))
    named: dict[ValueKey, ValueKey] = {}
    before = ""
    for key in ordered:
        named[key] = named[before] if before and are_near(before, key, tolerance) else key
        before = key
    return Groups(tolerance=tolerance, ordered=ordered, named=named)


def join(groups: Groups, key: ValueKey) -> Groups | None:
    """Add one value; the same as `group` over all, None where a value that was there before is named otherwise by it.

    Args:
        groups: what `group` or `join` gave.
        key: may be among them already.
    """
    if groups.tolerance <= 0.0 or key in groups.named or measure(key) is None:
        return groups
    at = bisect.bisect(groups.ordered, _place(key), key=_place)
    below, above = groups.ordered[at - 1 : at], groups.ordered[at : at + 1]
    lower = [groups.named[one] for one in below if are_near(one, key, groups.tolerance)]
    upper = [groups.named[one] for one in above if are_near(one, key, groups.tolerance)]
    if upper and lower != upper:
        return None
    ordered = (*groups.ordered[:at], key, *groups.ordered[at:])
    return Groups(tolerance=groups.tolerance, ordered=ordered, named={**groups.named, key: lower[0] if lower else key})


def are_near(one: ValueKey, other: ValueKey, tolerance: float) -> bool:
    """Tell whether two values are one within a tolerance: the same value, or numbers of one dimension near enough."""
    if one == other:
        return True
    mine, theirs = measure(one), measure(other)
    if tolerance <= 0.0 or mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    largest = max(abs(mine[1]), abs(theirs[1]))
    return abs(mine[1] - theirs[1]) <= _exact(tolerance) * largest


@functools.lru_cache(maxsize=256)
def _exact(tolerance: float) -> Fraction:
    """Give the decimal number that a person wrote."""
    return Fraction(repr(tolerance))


@functools.lru_cache(maxsize=65_536)
def _place(key: ValueKey) -> _Place:
    """Give where a number stands among the others."""
    dimension, size = measure(key) or ("", Fraction(0))
    return dimension, float(size), size
