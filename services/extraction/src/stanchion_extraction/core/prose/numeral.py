"""Numbers as people write them: British, German and Swiss grouping, suffixes, and words."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from decimal import Decimal
from typing import Final

DIGITS: Final = re.compile(r"\d{1,18}(?:[.,'’\u00a0\u202f\u2009]\d{1,18}){0,6}", re.ASCII)
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:(?P<by>[.,'’\u00a0\u202f\u2009])\d{3})(?:(?P=by)\d{3})*", re.ASCII)

_SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS: Final = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
    "dozen": 12,
}
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ONE: Final = "|".join(sorted([*_WORDS, *_SCALES], key=len, reverse=True))
SPELLED: Final = re.compile(rf"(?:{_ONE})(?:(?:[ -]| and )(?:{_ONE})){{0,7}}(?![\w])")

SUFFIXES: Final = {
    "k": 3,
    "thousand": 3,
    "tsd": 3,
    "m": 6,
    "mm": 6,
    "mn": 6,
    "mio": 6,
    "mil": 6,
    "million": 6,
    "millions": 6,
    "b": 9,
    "bn": 9,
    "bil": 9,
    "mrd": 9,
    "billion": 9,
    "billions": 9,
    "t": 12,
    "tn": 12,
    "trillion": 12,
    "lakh": 5,
    "crore": 7,
}
"""The power of ten of each suffix; `m`, `b` and `t` alone count only where a currency stands beside them."""


def plain(written: str, *, money: bool) -> Decimal | None:
    """Give the number that digits and marks state; None where they can be read in two ways or none.

    Args:
        written: digits with `.`, `,`, `'` or a thin space between them.
        money: a currency stands beside it: `5.000` is then five thousand, as nobody prices in thousandths.
    """
    text = written.replace("’", "'")
    marks = [mark for mark in text if not mark.isdigit()]
    if not marks:
        return Decimal(text)
    last = marks[-1]
    if len(set(marks)) == 1:
        return _one_mark(text, last, len(marks), money=money)
    whole, _, fraction = text.rpartition(last)
    if last not in ".," or len(set(marks[:-1])) != 1 or _GROUPED.fullmatch(whole) is None:
        return None
    return Decimal(f"{''.join(filter(str.isdigit, whole))}.{fraction}")


def is_grouped(written: str) -> bool:
    """Tell whether digits stand in groups of three with one mark between them."""
    return _GROUPED.fullmatch(written) is not None


def _one_mark(text: str, mark: str, times: int, *, money: bool) -> Decimal | None:
    """Give a number with one kind of mark in it: grouping, or a decimal point or comma."""
    grouped = is_grouped(text)
    if grouped and (times > 1 or mark != "." or money):
        return Decimal(text.replace(mark, ""))
    if times == 1 and mark in ".,":
        return Decimal(text.replace(",", "."))
    return None


def spelled(written: str) -> Decimal | None:
    """Give the number that words state, as `twenty-five` or `three hundred and two`; None for no number."""
    total = part = 0
    seen = ""
    for word in written.replace("-", " ").split():
        if word == "and":
            continue
        if word in _WORDS:
            if seen and not (seen in _TENS and 0 < _WORDS[word] < 10) and seen not in _SCALES:  # noqa: PLR2004 - a small bound
                return None
            part += _WORDS[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        else:
            total, part = total + max(part, 1) * _SCALES[word], 0
        seen = word
    return Decimal(total + part)
