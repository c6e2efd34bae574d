"""Patterns of paths and addresses, as mappings write them."""

import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from functools import cache
from typing import Final

_ANY: Final = "**"


def path_matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Give a test of paths: does any pattern match?

    Args:
        patterns: `**` stands for any folders, none too; `*`, `?` and `[…]` for what is in one name. Capitals are as
            good as small letters.

    Raises:
        ValueError: a pattern is empty.
    """
    compiled = tuple(_parts(pattern) for pattern in patterns)
    return lambda path: any(_matches(path.casefold().strip("/").split("/"), parts) for parts in compiled)


_Part = re.Pattern[str] | None


@cache
def _parts(pattern: str) -> tuple[_Part, ...]:
    """Give a pattern's names, None for `**`.

    Raises:
        ValueError: it is empty.
    """
    names = pattern.strip("/").casefold().split("/")
    if not all(names):
        raise ValueError(f"{pattern!r} is no pattern of paths: there is a name between any two slashes")
    return tuple(None if name == _ANY else re.compile(translate(name)) for name in names)


def _matches(names: list[str], parts: tuple[_Part, ...]) -> bool:
    """Tell whether the names of a path fit the parts of a pattern, one for one, `None` for any number."""
    ends = {0}  # how many names the parts so far may have taken
    for part in parts:
        if not ends:
            return False
        if part is None:
            ends = set(range(min(ends), len(names) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(names) and part.match(names[end])}
    return len(names) in ends


def address_pattern(pattern: str) -> re.Pattern[str]:
    """Give an address as a pattern of how texts begin: `*` stands for one name in it, `#` for a number, as a group."""
    made = (
        r"[^/\s]+" if mark == "*" else r"0{0,32}(\d{1,9})(?!\d)" if mark == "#" else re.escape(mark)
        for mark in re.split(r"([*#])", pattern)
    )
    return re.compile("".join(made), re.ASCII)
