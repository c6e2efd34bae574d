"""Ids that look like one that is not there: what a caller who misspelt it may have meant."""

import difflib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

MOST_NEAR: Final = 3
_AROUND: Final = 12
"""Ids looked at with care on either side, in the order of their beginnings and in that of their ends.

Comparing two ids letter by letter takes up to a millisecond, so not all are: 20,000 of 128 letters held the view for
19 seconds. One misspelt letter leaves the beginning or the end of an id as it is.
"""


def near(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Give at most three names that look like one, the likest first.

    Args:
        name: as it was written.
        names: what there is.
    """
    known = list(names)
    alike = dict.fromkeys(_beside(name, known))
    alike |= dict.fromkeys(each[::-1] for each in _beside(name[::-1], [each[::-1] for each in known]))
    return tuple(difflib.get_close_matches(name, alike, n=MOST_NEAR))


def _beside(name: str, names: list[str]) -> Iterator[str]:
    """Give the names that would stand next to one if they were sorted."""
    names.sort()
    place = bisect_left(names, name)
    yield from names[max(0, place - _AROUND) : place + _AROUND]
