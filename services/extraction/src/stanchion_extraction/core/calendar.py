"""Dates as decision texts write them."""

import datetime as dt
import re
from typing import Final

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[\s-]+([A-Za-z]{3,9})\.?,?[\s-]+(\d{4})(?!\d)")
_MONTH_FIRST: Final = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")


def date_in(text: str) -> str:
    """Give the date a text begins with as `YYYY-MM-DD`, empty when there is none that can be read in one way only."""
    plain = text.strip().strip("*_`\"'")
    if found := _ISO.match(plain):
        return _valid(int(found[1]), int(found[2]), int(found[3]))
    if found := _DAY_FIRST.match(plain):
        return _valid(int(found[3]), _month(found[2]), int(found[1]))
    if found := _MONTH_FIRST.match(plain):
        return _valid(int(found[3]), _month(found[1]), int(found[2]))
    return ""


def _month(name: str) -> int:
    """Give a month's number by its English name or the first three letters of it, 0 for no month."""
    short = name[:3].casefold()
    return _MONTHS.index(short) + 1 if short in _MONTHS else 0


def _valid(year: int, month: int, day: int) -> str:
    """Give the date, empty when the calendar has no such day."""
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return ""
