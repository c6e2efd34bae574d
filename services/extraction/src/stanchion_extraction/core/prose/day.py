"""Dates, times and periods in a text's own words; what needs today's date to be understood is left out."""

import datetime as dt
import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

_NAMES: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "januar|februar|märz|mai|juni|juli|oktober|dezember|sept|jan|feb|mar|apr|jun|jul|aug|sep|oct|okt|nov|dec|dez"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN: Final = {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
_YEAR: Final = r"(?:19|20)\d\d"

_FORMS: Final = re.compile(
    rf"(?P<iso>(?P<iy>{_YEAR})-(?P<im>\d\d)(?:-(?P<id>\d\d)(?:[t "
    rf"]\d\d:\d\d(?::\d\d)?(?:[.,]\d{{1,9}})?(?:z|[+-]\d\d:?\d\d)?)?)?(?![\w-]))"
    rf"|(?P<quarter>(?:q(?P<qn>[1-4])[ /'-]{{0,2}}(?P<qy>{_YEAR})|(?P<ry>{_YEAR})[ /-]?q(?P<rn>[1-4]))(?!\w))"
    rf"|(?P<dayfirst>(?P<dd>\d\d?)(?:st|nd|rd|th|\.)?(?: of)? (?P<dm>{_NAMES})\.?,? (?P<dy>{_YEAR})(?!\w))"
    rf"|(?P<monthfirst>(?P<mm>{_NAMES})\.? (?P<md>\d\d?)(?:st|nd|rd|th)?,? (?P<my>{_YEAR})(?!\w))"
    rf"|(?P<month>(?P<om>{_NAMES})\.? (?P<oy>{_YEAR})(?!\w))"
    rf"|(?P<dotted>(?P<gd>\d\d?)\.(?P<gm>\d\d?)\.(?P<gy>{_YEAR})(?!\w))"
    rf"|(?P<slashed>(?P<a>\d\d?)/(?P<b>\d\d?)/(?P<sy>{_YEAR})(?!\w))"
    r"|(?P<clock>(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?(?:am|pm|utc|cet|cest|gmt|z|uhr))?(?![\w:]))"
    r"|(?P<hour>(?:1[0-2]|[1-9]) ?(?:am|pm)(?!\w))"
    rf"|(?P<partial>\d\d?(?:st|nd|rd|th|\.)? (?:{_NAMES})(?!\w)|(?:{_NAMES})\.? \d\d?(?:st|nd|rd|"
    rf"th)?(?![\w%.,:]\d|\w| ?%))"
    r"|(?P<fiscal>(?:fy|h[12]|q[1-4])[ /'-]?(?:fy)?[ '-]?\d{0,4}(?!\w))"
    rf"|(?P<year>(?:(?<=in )|(?<=since )|(?<=of )|(?<=from ))1[4-8]\d\d(?![\w%.,:/-]\d|[\w%])|"
    rf"(?:(?<=in )|(?<=since )|(?<=by )|(?<=until )|(?<=during )){_YEAR}(?![\w%.,:/-]\d|[\w%])|"
    rf"{_YEAR}(?![\w%.,:/-]\d|[\w%]| (?!(?:in|the|to|and|with|was|is|were|on|at|for|by|after|before|from|"
    rf"as|of|or|it|we|a|report|revenue|budget|plan|figures|numbers|results|has|had|have|does|isn|"
    rf"reached|fell|stands|costs|holds|grew|rose|expires|average|sales|totals|growth|churn|but|so|"
    rf"because|which|than|vs)(?!\w))[a-z°%]))"
    rf"|(?P<bare>(?:{_NAMES})(?![\w'.-]\w|\w))"
)

_DAY_FIRST: Final = (" (dd/mm", " dd/mm")

DayKind = Literal["date", "time", "period"]


class Day(NamedTuple):
    """A date, a time of day, or a period that only places what else is said.

    Attributes:
        end: where it ends.
        kind: a date of its own, a time of day, or a period.
        text: the canonical text of a date or time; empty for a period that is no date.
    """

    end: int
    kind: DayKind
    text: str


def day_at(low: str, at: int) -> Day | None:
    """Give the date, time or period that begins at a place in a lower-cased text."""
    found = _FORMS.match(low, at)
    if found is None:
        return None
    name = next(name for name in _READ if found[name] is not None)
    read = _READ[name](found)
    if name == "slashed" and low.startswith(_DAY_FIRST, found.end()):
        read = _date(found["sy"], int(found["b"]), found["a"])
    if read is None:
        return Day(found.end(), "period", "")
    return Day(found.end(), read[0], read[1])


def _month(name: str) -> int:
    """Give a month's number by its name or the first three letters of it."""
    short = name[:3]
    return _GERMAN.get(short) or _MONTHS.index(short) + 1


def _date(year: str, month: int, day: str | None) -> tuple[DayKind, str] | None:
    """Give a date at the precision stated, None when the calendar has no such day."""
    try:
        whole = dt.date(int(year), month, int(day or 1)).isoformat()
    except ValueError:
        return None
    return "date", whole if day else whole[:7]


def _slashed(a: int, b: int, year: str) -> tuple[DayKind, str] | None:
    """Give a slashed date where only one order of day and month is possible."""
    if a > 12 >= b:  # noqa: PLR2004 - a small bound
        return _date(year, b, str(a))
    if b > 12 >= a or a == b:  # noqa: PLR2004 - a small bound
        return _date(year, a, str(b))
    return None


_READ: Final[dict[str, Callable[[re.Match[str]], tuple[DayKind, str] | None]]] = {
    "iso": lambda m: _date(m["iy"], int(m["im"]), m["id"]),
    "quarter": lambda m: ("date", f"{m['qy'] or m['ry']}-Q{m['qn'] or m['rn']}"),
    "dayfirst": lambda m: _date(m["dy"], _month(m["dm"]), m["dd"]),
    "monthfirst": lambda m: _date(m["my"], _month(m["mm"]), m["md"]),
    "month": lambda m: _date(m["oy"], _month(m["om"]), None),
    "dotted": lambda m: _date(m["gy"], int(m["gm"]), m["gd"]),
    "slashed": lambda m: _slashed(int(m["a"]), int(m["b"]), m["sy"]),
    "clock": lambda m: ("time", m["clock"]),
    "hour": lambda m: ("time", m["hour"]),
    "year": lambda m: ("period", m["year"]),
    "partial": lambda _: None,
    "fiscal": lambda _: None,
    "bare": lambda _: None,
}
