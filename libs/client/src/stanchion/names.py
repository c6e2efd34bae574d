"""Short names: `0007` for `0007-tail-the-ledger-from-the-view`, where no other record is called like that.

An imported record is called after its file as it is named now: a renumbered document keeps its record's id.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from stanchion.results import Record

_NUMBER: Final = re.compile(r"^(?:[a-z]{2,8}[-_])?\d{1,6}(?=[-_.]|$)")


class Names:
    """The short names of records.

    Args:
        called: what each record is called, by id; a name is short only where it is the only one of its kind.
    """

    def __init__(self, called: Mapping[str, str]) -> None:
        self._called = called
        self._times = Counter(number for each in called.values() if (number := number_of(each)))

    def of(self, record_id: str) -> str:
        """Give the shortest name that says which record; its id where there is none shorter."""
        number = number_of(self._called.get(record_id, record_id))
        return number if number and self._times[number] <= 1 else record_id


def called(records: Iterable[Record]) -> dict[str, str]:
    """Give what records are called, by id: the stem of an imported document's file, else the id."""
    return {record.id: stem_of(record.upstream.uri) if record.upstream else record.id for record in records}


def stem_of(uri: str) -> str:
    """Give the name of a file without its ending, in lower case."""
    return uri.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0].casefold()


def number_of(name: str) -> str:
    """Give the number a name begins with (`0007`, `adr-0007`), empty when it has none."""
    found = _NUMBER.match(name)
    return found[0] if found else ""


def matching(typed: str, records: Mapping[str, str]) -> list[str]:
    """Give the ids that a typed name may mean: those it names; else those it is the beginning of.

    Args:
        typed: `0007`, `7`, `0007-tail` or a whole id.
        records: what each record is called, by id.
    """
    folded = typed.casefold()
    begun = (each for each, name in records.items() if name.startswith(folded) or each.startswith(folded))
    return named(typed, records) or sorted(begun)


def named(typed: str, records: Mapping[str, str]) -> list[str]:
    """Give the ids that a typed name names: the id it equals; else those whose whole name or number it is.

    A beginning names nothing: what is written must be the record that was named, whatever else is there.

    Args:
        typed: `0007`, `7` or a whole id.
        records: what each record is called, by id.
    """
    folded = typed.casefold()
    if folded in records:
        return [folded]
    called_so = (each for each, name in records.items() if folded == name or _same_number(folded, number_of(name)))
    return sorted(called_so)


def _same_number(typed: str, number: str) -> bool:
    """Tell whether two names are the same number, whatever zeros they begin with."""
    if not number:
        return False
    return typed == number or (typed.isdigit() and number.isdigit() and int(typed) == int(number))
