"""Short names: `0007` for `0007-tail-the-ledger-from-the-view`, where no other record begins like that."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_NUMBER: Final = re.compile(r"^(?:[a-z]{2,8}[-_])?\d{1,6}(?=[-_.]|$)")


class Names:
    """The short names of a set of records.

    Args:
        ids: all of them; a name is short only where it is the only one of its kind.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._times = Counter(number for each in ids if (number := number_of(each)))

    def of(self, record_id: str) -> str:
        """Give the shortest name that says which record; its id where there is none shorter."""
        number = number_of(record_id)
        return number if number and self._times[number] <= 1 else record_id


def number_of(record_id: str) -> str:
    """Give the number an id begins with (`0007`, `adr-0007`), empty when it has none."""
    found = _NUMBER.match(record_id)
    return found[0] if found else ""


def matching(typed: str, ids: Iterable[str]) -> list[str]:
    """Give the ids that a typed name may mean: the one it equals, else those it is the number or the beginning of.

    Args:
        typed: `0007`, `7`, `0007-tail` or a whole id.
        ids: all there are.
    """
    everything = sorted(set(ids))
    folded = typed.casefold()
    if folded in everything:
        return [folded]
    by_number = [each for each in everything if _same_number(folded, number_of(each))]
    return by_number or [each for each in everything if each.startswith(folded)]


def _same_number(typed: str, number: str) -> bool:
    """Tell whether two names are the same number, whatever zeros they begin with."""
    if not number:
        return False
    return typed == number or (typed.isdigit() and number.isdigit() and int(typed) == int(number))
