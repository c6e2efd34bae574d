"""Which words a task is about, and how near something is to it."""

import re
from collections.abc import Collection, Iterable
from typing import Final, TypeVar

Thing = TypeVar("Thing")

_WORD: Final = re.compile(r"[^\W_][\w%$€£.-]*[^\W_]|[^\W_]")
_MOST: Final = 64  # words of a task that are looked for
_SAYING_NOTHING: Final = """
a about an and any are as at be been before but by can could did do does for from get give had has have how i if in into
is it its let make me may must my need not of on or our out please should so some than that the their them then there
these they this to up us was we were what when where which who why will with would you your
"""
_EMPTY: Final = frozenset(_SAYING_NOTHING.split())


def words_of(text: str) -> list[str]:
    """Give the words that a text is about, in order, each once, at most 64; words that say nothing are left out."""
    found = dict.fromkeys(word for word in map(str.casefold, _WORD.findall(text)) if word not in _EMPTY)
    return list(found)[:_MOST]


def nearest(things: Iterable[tuple[Thing, str]], words: Collection[str]) -> list[Thing]:
    """Give things in the order of how many of some words their texts have; alike ones stay in their order."""
    wanted = set(words)
    return [thing for thing, _ in sorted(things, key=lambda each: -len(wanted.intersection(words_of(each[1]))))]
