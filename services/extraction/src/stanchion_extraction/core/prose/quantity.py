"""Quantities where they stand in a text: money, percents, durations, numbers with units, ranges, versions, dates."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from stanchion_contracts.value import Value, ValueType
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.prose.bound import AFTER, op_before
from stanchion_extraction.core.prose.day import Day, day_at
from stanchion_extraction.core.prose.numeral import DIGITS, SPELLED, SUFFIXES, is_grouped, plain, spelled
from stanchion_extraction.core.prose.unit import (
    CODES,
    CURRENCY,
    PER,
    SECONDS,
    UNIT_OF,
    MentionKind,
    currency_of,
    measured,
)
from stanchion_extraction.core.typed import checked


class Mention(Struct, frozen=True, kw_only=True):
    """One quantity or date as it stands.

    Attributes:
        start: where it begins, its `about` or `at least` included.
        end: where it ends, its `a month` not included.
        kind: what it is; a period only places what else is said.
        value: typed; None for a period.
    """

    start: int
    end: int
    kind: MentionKind
    value: Value | None


_BEFORE: Final = re.compile(rf"(?:(?<![\w$])(?:us\$|a\$|c\$|nz\$)|[$€£¥₹]|(?<!\w)(?:{'|'.join(CODES)})) ?$")
_SUFFIX: Final = re.compile(
    rf" ?(?P<suffix>{'|'.join(sorted(SUFFIXES, key=len, reverse=True))})(?![\w])(?:(?<=mio)\.|(?<=mrd)\.|(?<=tsd)\.)?"
)
_VERSION: Final = re.compile(
    r"v\d{1,5}(?:\.\d{1,6}){0,3}(?:[-+][a-z0-9.]{1,20})?(?![\w.]\w|\w)|"
    r"\d{1,5}\.\d{1,5}\.\d{1,9}(?:[-+][a-z0-9.]{1,20})?(?![\w.]\w|\w)"
)
_TO: Final = re.compile(r" ?(?:-|–|—|\.\.| to | bis ) ?(?=[$€£¥]?\d)")
_BEGIN: Final = re.compile(
    r"(?<![\w.,:/'’@#_$€£-])(?:(?:us|a|c|nz)?[$€£¥₹] ?|(?:" + "|".join(CODES) + r") )?[-−+]?[$€£¥₹]?(?=\d)"
    r"|(?<![\w'’-])(?=(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozen|hundred|"
    r"thousand|million|billion|"
    r"jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|fy|q[1-4]|h[12]|v\d|second|minute|"
    r"hour|day|week|month|year))"
    r"|(?<=[~<>=≥≤(\[\"'“/≈-])(?<![\w)]-)(?<![\w]/)(?=\d)"
)


def mentions_in(low: str) -> tuple[Mention, ...]:
    """Give all quantities and dates of a lower-cased text, in order and apart from each other."""
    found: list[Mention] = []
    at = 0
    while (begin := _BEGIN.search(low, at)) is not None:
        mention = _mention(low, begin.start(), begin.end(), found[-1].end if found else 0)
        if mention is None:
            at = _past(low, begin.end())
        else:
            found.append(mention)
            at = mention.end
    return tuple(found)


_RUN: Final = re.compile(r"\w(?:[\w.]*\w)?")


def _past(low: str, at: int) -> int:
    """Give the place after the word or number that begins at a place."""
    found = _RUN.match(low, at)
    return at + 1 if found is None else max(found.end(), at + 1)


def _mention(low: str, start: int, digits: int, floor: int) -> Mention | None:
    """Give what begins at a place: a date or version before a number, for they are made of numbers."""
    if (version := _VERSION.match(low, digits)) and not _is_dotted_day(low, digits) and not is_grouped(version[0]):
        return Mention(start=digits, end=version.end(), kind="version", value=_text(version[0]))
    if (day := day_at(low, digits)) and (start == digits or low[digits - 1] in "~(<>="):
        return _day(low, digits, day, floor)
    if low[digits : digits + 1].isdigit():
        return _number(low, start, digits, floor)
    return _spelled(low, digits, floor)


def _is_dotted_day(low: str, at: int) -> bool:
    """Tell whether a date and no version begins here."""
    day = day_at(low, at)
    return day is not None and day.kind == "date"


def _day(low: str, start: int, day: Day, floor: int) -> Mention | None:
    """Give a date, a time or a period as a mention."""
    if day.kind == "period" or not day.text:
        if low.startswith("may", start) and day.end - start == 3 and not _is_month(low, start):  # noqa: PLR2004 - a small bound
            return None
        if (
            low.startswith(("mar", "march", "dec"), start)
            and not low[day.end - 1].isdigit()
            and not _is_month(low, start)
        ):
            return None
        return Mention(start=start, end=day.end, kind="period", value=_text(day.text) if day.text else None)
    if day.kind == "time":
        return Mention(start=start, end=day.end, kind="time", value=_text(day.text))
    op_start, op = op_before(low, start, floor)
    value = _text(day.text) if "Q" in day.text else Value(type="date", text=day.text, op=op)
    return Mention(start=op_start, end=day.end, kind="date", value=value)


_MONTH_BEFORE: Final = re.compile(
    r"(?:in|since|by|until|till|last|next|this|during|for|from|of|early|late|mid|through|vs\.?|[|:(])\s?$|^\s*$"
)


def _is_month(low: str, start: int) -> bool:
    """Tell whether a word that is a verb too stands as a month: after `in`, `since` and the like."""
    return _MONTH_BEFORE.search(low[max(0, start - 10) : start]) is not None


def _text(text: str) -> Value:
    """Give a string value."""
    return Value(type="string", text=text)


_LONE: Final = re.compile(r"(?P<unit>second|minute|hour|day|week|month|year)(?![\w'-])")


def _lone(low: str, start: int, lone: re.Match[str], floor: int) -> Mention | None:
    """Give `about an hour` as one hour; without the `about` it may be a `per hour`."""
    if not low.endswith((" an ", " a "), 0, start) or not op_before(low, start, floor)[1]:
        return None
    return _made(low, start, (lone.end(), "duration", UNIT_OF[lone["unit"]]), Decimal(1), None, floor)


_HALF: Final = re.compile(r" and a half(?!\w)")


def _spelled(low: str, start: int, floor: int) -> Mention | None:
    """Give a number in words; a lone `one` counts only where a unit follows it, for it is a pronoun too."""
    if lone := _LONE.match(low, start):
        return _lone(low, start, lone, floor)
    words = SPELLED.match(low, start)
    number = spelled(words[0]) if words else None
    if words is None or number is None:
        return None
    half = _HALF.match(low, words.end())
    number += Decimal("0.5") if half else 0
    made = measured(low, half.end() if half else words.end(), number, "")
    a_dozen = words[0] == "dozen" and low[max(0, start - 2) : start] == "a "
    if (
        not a_dozen
        and words[0] in {"one", "hundred", "thousand", "million", "billion", "dozen"}
        and made[1] == "number"
    ):
        return None
    return _made(low, start, made, number, None, floor)


def _number(low: str, start: int, digits: int, floor: int) -> Mention | None:
    """Give a number with its currency, suffix and unit."""
    written = DIGITS.match(low, digits)
    if written is None:
        return None
    before = _BEFORE.search(low, max(0, start - 5), digits) if start < digits else None
    currency = currency_of(before[0].strip()) if before else ""
    second = _TO.match(low, written.end())
    low_end = high = None
    if second is not None:
        other = DIGITS.match(low, second.end() + (low[second.end()] in "$€£¥"))
        if (other is not None and day_at(low, other.start()) is None) or (
            other is not None and low[second.start() : second.end()].strip() != "-"
        ):
            low_end, written = written[0], other
    measured = _suffixed(low, written, currency)
    if measured is None:
        return None
    number, made = measured
    if low_end is not None:
        first = _first_end(low_end, written[0], number, made)
        if first is None:
            return _apart(low, start, digits, low_end, made, floor)
        high, number = number, first
    if "-" in low[start:digits] or "−" in low[start:digits]:
        number = -number
    return _made(low, start, made, number, high, floor)


def _apart(  # noqa: PLR0913, PLR0917 - all of them its parts
    low: str, start: int, digits: int, written: str, made: tuple[int, MentionKind, str], floor: int
) -> Mention | None:
    """Give the first of two numbers that are no range, as in `from 4,100 to 3,870`."""
    number = plain(written, money=made[1] == "money")
    return None if number is None else _made(low, start, (digits + len(written), made[1], made[2]), number, None, floor)


def _first_end(written: str, other: str, high: Decimal, made: tuple[int, MentionKind, str]) -> Decimal | None:
    """Give the low end of a range, scaled as its high end is; None where the two are in no order."""
    money = made[1] == "money"
    low, unscaled = plain(written, money=money), plain(other, money=money)
    if low is None or not unscaled:
        return None
    first = low * (high / unscaled)
    return first if first < high else None


def _suffixed(low: str, written: re.Match[str], currency: str) -> tuple[Decimal, tuple[int, MentionKind, str]] | None:
    """Give the number and where, as what and in which unit it ends."""
    end = written.end()
    clock, parts = _CLOCKED.match(low, end), plain(written[0], money=False)
    if clock is not None and parts is not None:
        return parts, (end + 1, "duration", UNIT_OF[clock["unit"]] if clock["unit"] != "m" else "min")
    suffix = _SUFFIX.match(low, end)
    if suffix is not None:
        after = CURRENCY.match(low, suffix.end())
        known = currency or (after is not None)
        long = suffix["suffix"] not in {"m", "mm", "b", "t"}
        upper = suffix["suffix"] in {"m", "b"} and low[end] != " " and _counts(low, suffix.end())
        if known or long or upper:
            return _scaled(low, written[0], suffix, currency)
    after = CURRENCY.match(low, end)
    code = currency or (currency_of(after["code"]) if after else "")
    number = plain(written[0], money=bool(code))
    if number is None:
        return None
    if code:
        return number, (after.end() if after else end, "money", code)
    made = measured(low, end, number, "")
    if made[1] == "number" and not made[2] and (_glued(low, end) or _LETTER.match(low, end)):
        return None
    return number, made


_CLOCKED: Final = re.compile(r"(?P<unit>[dhm])(?= ?\d{1,2} ?[hms](?:\W|$|\d))")
"""A duration in parts as tools print it: `4m12s`, `1h30m`, `3d 4h`."""
_NOUN: Final = re.compile(r" [a-z]{3,}")


def _counts(low: str, end: int) -> bool:
    """Tell whether something counted follows, so that `1.2m users` are millions."""
    return _NOUN.match(low, end) is not None


def _glued(low: str, end: int) -> bool:
    """Tell whether letters are glued to a number, so that it is a name and no number."""
    return low[end : end + 1].isalpha() or (
        low[end : end + 1] in "-_/:"
        and low[end + 1 : end + 2].isalnum()
        and not PER.match(low, end)
        and low[end : end + 1] != "-"
    )


def _scaled(
    low: str, written: str, suffix: re.Match[str], currency: str
) -> tuple[Decimal, tuple[int, MentionKind, str]] | None:
    """Give a number with its suffix and its currency or unit."""
    after = CURRENCY.match(low, suffix.end())
    code = currency or (currency_of(after["code"]) if after else "")
    number = plain(written, money=False)
    if number is None:
        return None
    number *= Decimal(10) ** SUFFIXES[suffix["suffix"]]
    if code:
        return number, (after.end() if after else suffix.end(), "money", code)
    return number, measured(low, suffix.end(), number, "")


_LETTER: Final = re.compile(r" [b-hj-ln-uwyz](?![\w'’./-])")
_NEXT: Final = re.compile(
    rf"(?: |, | and )?(?P<n>\d{{1,4}}) "
    rf"?(?P<unit>{'|'.join(sorted((w for w, u in UNIT_OF.items() if u in SECONDS), key=len, reverse=True))})"
    rf"(?!\w)"
)


def _compound(low: str, end: int, number: Decimal, unit: str) -> tuple[int, Decimal, str]:
    """Give a duration in parts, as `11h 20m`, as one of its smallest unit."""
    while unit in SECONDS:
        part = _NEXT.match(low, end) or (_MINUTES.match(low, end) if unit == "h" else None)
        smaller = "" if part is None else ("min" if part["unit"] == "m" else UNIT_OF[part["unit"]])
        if part is None or SECONDS[smaller] >= SECONDS[unit]:
            break
        number = number * (SECONDS[unit] / SECONDS[smaller]) + Decimal(part["n"])
        end, unit = part.end(), smaller
    return end, number, unit


_MINUTES: Final = re.compile(r" ?(?P<n>\d{1,2}) ?(?P<unit>m)(?!\w)")


def _made(  # noqa: PLR0913, PLR0917 - all of them its parts
    low: str, start: int, made: tuple[int, MentionKind, str], number: Decimal, high: Decimal | None, floor: int
) -> Mention | None:
    """Give the mention of a number or range with what stands before and after it."""
    end, kind, unit = made
    if kind == "duration" and high is None:
        end, number, unit = _compound(low, end, number, unit)
    op_start, op = op_before(low, start, floor)
    for sign, after in AFTER:
        if not op and (tail := after.match(low, end)):
            op, end = sign, tail.end()
    text = f"{number:f}" if high is None else f"{number:f}..{high:f}"
    type_: ValueType = "range" if high is not None else _TYPE[kind]
    try:
        value = checked(
            Value(type=type_, text=text, unit="%" if type_ == "range" and kind == "percent" else unit, op=op)
        )
    except InvalidMessage:
        return None
    return Mention(start=op_start, end=end, kind=kind, value=value)


_TYPE: Final[dict[MentionKind, ValueType]] = {
    "money": "money",
    "percent": "percent",
    "duration": "duration",
    "number": "number",
}
