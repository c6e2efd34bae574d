"""Quantities where they stand in a text: money, percents, durations, numbers with units, ranges, versions, dates."""

import re
from decimal import Decimal
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.value import Value, ValueType
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.prose.day import Day, day_at
from stanchion_extraction.core.prose.numeral import DIGITS, SPELLED, SUFFIXES, is_grouped, plain, spelled
from stanchion_extraction.core.typed import checked

MentionKind = Literal["money", "percent", "duration", "number", "date", "time", "version", "period"]


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


_SYMBOLS: Final = {"us$": "USD", "a$": "AUD", "c$": "CAD", "nz$": "NZD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_CODES: Final = (
    "usd eur gbp chf jpy cad aud nzd sek nok dkk pln czk huf inr cny brl mxn zar sgd hkd krw try ils aed"  # noqa: SIM905
).split()
_NAMED: Final = {"dollars": "USD", "dollar": "USD", "bucks": "USD", "euros": "EUR", "euro": "EUR", "quid": "GBP"} | {
    code: code.upper() for code in _CODES
}
_NAMES: Final = "|".join(sorted(_NAMED, key=len, reverse=True))
_BEFORE: Final = re.compile(rf"(?:(?<![\w$])(?:us\$|a\$|c\$|nz\$)|[$€£¥₹]|(?<!\w)(?:{'|'.join(_CODES)})) ?$")
_SUFFIX: Final = re.compile(rf" ?(?P<suffix>{'|'.join(sorted(SUFFIXES, key=len, reverse=True))})(?![\w])(?:(?<=mio)\.|(?<=mrd)\.|(?<=tsd)\.)?")
_CURRENCY: Final = re.compile(rf" ?(?P<code>us\$|[$€£¥₹]|(?:{_NAMES})(?!\w))")
_PERCENT: Final = re.compile(r"[ -]?(?:%|(?:percent|per cent|pct|prozent)(?!\w))(?!\w)")
_UNITS: Final = {
    "ms": "ms millisecond milliseconds millis msec",
    "us": "us μs µs microsecond microseconds",
    "s": "s sec secs second seconds sekunden",
    "min": "min mins minute minutes minuten",
    "h": "h hr hrs hour hours stunde stunden",
    "day": "d day days tag tage tagen",
    "week": "w wk wks week weeks woche wochen",
    "month": "mo mos month months monat monate monaten",
    "quarter": "quarters",
    "year": "y yr yrs year years jahr jahre jahren",
    "kB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes gigs",
    "TB": "tb terabyte terabytes",
    "PB": "pb petabyte petabytes",
    "KiB": "kib ki",
    "MiB": "mib mi",
    "GiB": "gib gi",
    "TiB": "tib ti",
    "byte": "byte bytes",
    "kg": "kg kilogram kilograms kilos",
    "g": "g gram grams",
    "mg": "mg",
    "t": "tonne tonnes tons",
    "mm": "millimetres millimeters",
    "cm": "cm",
    "m": "metre metres meter meters",
    "km": "km kilometres kilometers",
    "m²": "m² m2 sqm",
    "W": "watt watts",
    "kW": "kw",
    "MW": "megawatt megawatts",
    "kWh": "kwh",
    "MWh": "mwh",
    "°C": "°c celsius",
    "°F": "°f fahrenheit",
    "Hz": "hz hertz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "Mbps": "mbps mbit/s",
    "Gbps": "gbps gbit/s",
    "rps": "rps req/s",
    "qps": "qps",
    "x": "x ×",
    "pp": "pp percentage_points",
    "bps": "bps",
    "V": "volt volts",
    "A": "amps",
    "l": "l litre litres liter liters",
    "ml": "ml",
    "px": "px",
}
_UNIT_OF: Final = {word.replace("_", " "): unit for unit, words in _UNITS.items() for word in words.split()}
_TIME: Final = frozenset({"ms", "us", "s", "min", "h", "day", "week", "month", "quarter", "year"})
_UNIT: Final = re.compile(rf"[ \u00a0-]?(?P<unit>{'|'.join(map(re.escape, sorted(_UNIT_OF, key=len, reverse=True)))})(?![a-z²_/]|-[a-z]|(?<![hmd])\d)")
_SECONDS: Final = {"ms": Decimal("0.001"), "s": Decimal(1), "min": Decimal(60), "h": Decimal(3600), "day": Decimal(86400)}
_VERSION: Final = re.compile(r"v\d{1,5}(?:\.\d{1,6}){0,3}(?:[-+][a-z0-9.]{1,20})?(?![\w.]\w|\w)|\d{1,5}\.\d{1,5}\.\d{1,9}(?:[-+][a-z0-9.]{1,20})?(?![\w.]\w|\w)")
_TO: Final = re.compile(r" ?(?:-|–|—|\.\.| to | bis ) ?(?=[$€£¥]?\d)")
_BEGIN: Final = re.compile(
    r"(?<![\w.,:/'’@#_$€£-])(?:(?:us|a|c|nz)?[$€£¥₹] ?|(?:" + "|".join(_CODES) + r") )?[-−+]?[$€£¥₹]?(?=\d)"
    r"|(?<![\w'’-])(?=[a-zäv])"
    r"|(?<=[~<>=≥≤(\[\"'“/≈-])(?<![\w)]-)(?<![\w]/)(?=\d)"
)
_OPS: Final = (
    ("~", r"about|around|approx(?:\.|imately)?|roughly|circa|ca\.?|abt|nearly|almost|some|just (?:under|over|shy of)|~|≈"),
    (">=", r"at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of|minimum of|>=|≥"),
    ("<=", r"at most|up to|no more than|not more than|a maximum of|maximum of|at or below|at or under|<=|≤"),
    (">", r"more than|over|above|greater than|in excess of|exceeding|north of|upwards of|>"),
    ("<", r"less than|fewer than|under|below|south of|<"),
)
_OP: Final = re.compile("|".join(f"(?P<o{n}>(?<![\\w]){words})" for n, (_, words) in enumerate(_OPS)).join(("(?:", r")\s?(?:a |an )?$")))
_AFTER: Final = (("~", re.compile(r" or so(?!\w)| ?-?ish(?!\w)| give or take")), (">=", re.compile(r" or more(?!\w)| plus(?!\w)|\+(?!\w)")), ("<=", re.compile(r" or (?:less|fewer)(?!\w)")))
_WINDOW: Final = 24


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


def _past(low: str, at: int) -> int:
    """Give the place after the word or number that begins at a place."""
    end = at
    while end < len(low) and (low[end].isalnum() or (low[end] in "._" and end > at)):
        end += 1
    return max(end, at + 1)


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
        if low.startswith("may", start) and day.end - start == 3 and not _is_month(low, start):  # noqa: PLR2004 - `may`
            return None
        if low.startswith(("mar", "march", "dec"), start) and not low[day.end - 1].isdigit() and not _is_month(low, start):
            return None
        return Mention(start=start, end=day.end, kind="period", value=_text(day.text) if day.text else None)
    if day.kind == "time":
        return Mention(start=start, end=day.end, kind="time", value=_text(day.text))
    op_start, op = _op_before(low, start, floor)
    value = _text(day.text) if "Q" in day.text else Value(type="date", text=day.text, op=op)
    return Mention(start=op_start, end=day.end, kind="date", value=value)


_MONTH_BEFORE: Final = re.compile(r"(?:in|since|by|until|till|last|next|this|during|for|from|of|end of|early|late|mid|through|vs\.?|and|[|:,(])\s?$")


def _is_month(low: str, start: int) -> bool:
    """Tell whether a word that is a verb too stands as a month: after `in`, `since` and the like."""
    return _MONTH_BEFORE.search(low, max(0, start - 10), start) is not None


def _text(text: str) -> Value:
    """Give a string value."""
    return Value(type="string", text=text)


def _spelled(low: str, start: int, floor: int) -> Mention | None:
    """Give a number in words; a lone `one` counts only where a unit follows it, for it is a pronoun too."""
    words = SPELLED.match(low, start)
    number = spelled(words[0]) if words else None
    if words is None or number is None:
        return None
    made = _measured(low, words.end(), number, "")
    if words[0] in {"one", "hundred", "thousand", "million", "billion", "dozen"} and made[1] == "number":
        return None
    return _made(low, start, made, number, None, floor)


def _number(low: str, start: int, digits: int, floor: int) -> Mention | None:
    """Give a number with its currency, suffix and unit."""
    written = DIGITS.match(low, digits)
    if written is None:
        return None
    before = _BEFORE.search(low, max(0, start - 5), digits) if start < digits else None
    currency = _currency_of(before[0].strip()) if before else ""
    second = _TO.match(low, written.end())
    low_end = high = None
    if second is not None:
        other = DIGITS.match(low, second.end() + (low[second.end()] in "$€£¥"))
        if other is not None and day_at(low, other.start()) is None or other is not None and low[second.start():second.end()].strip() != "-":
            low_end, written = written[0], other
    measured = _suffixed(low, written, currency)
    if measured is None:
        return None
    number, made = measured
    if low_end is not None:
        first = _first_end(low_end, written[0], number, made)
        if first is None:
            return None
        high, number = number, first
    if "-" in low[start:digits] or "−" in low[start:digits]:
        number = -number
    return _made(low, start, made, number, high, floor)


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
    suffix = _SUFFIX.match(low, end)
    if suffix is not None:
        after = _CURRENCY.match(low, suffix.end())
        known = currency or (after is not None)
        long = suffix["suffix"] not in {"m", "mm", "b", "t"}
        upper = suffix["suffix"] in {"m", "b"} and _counts(low, suffix.end())
        if known or long or upper:
            return _scaled(low, written[0], suffix, currency)
    after = _CURRENCY.match(low, end)
    code = currency or (_currency_of(after["code"]) if after else "")
    number = plain(written[0], money=bool(code))
    if number is None:
        return None
    if code:
        return number, (after.end() if after else end, "money", code)
    made = _measured(low, end, number, "")
    if made[1] == "number" and not made[2] and _glued(low, end):
        return None
    return number, made


_NOUN: Final = re.compile(r" [a-z]{3,}")


def _counts(low: str, end: int) -> bool:
    """Tell whether something counted follows, so that `1.2m users` are millions."""
    return _NOUN.match(low, end) is not None


def _glued(low: str, end: int) -> bool:
    """Tell whether letters are glued to a number, so that it is a name and no number."""
    return low[end : end + 1].isalpha() or (low[end : end + 1] in "-_/:" and low[end + 1 : end + 2].isalnum() and not _PER.match(low, end) and not low[end:end+1] == "-")


def _scaled(low: str, written: str, suffix: re.Match[str], currency: str) -> tuple[Decimal, tuple[int, MentionKind, str]] | None:
    """Give a number with its suffix and its currency or unit."""
    after = _CURRENCY.match(low, suffix.end())
    code = currency or (_currency_of(after["code"]) if after else "")
    number = plain(written, money=False)
    if number is None:
        return None
    number *= Decimal(10) ** SUFFIXES[suffix["suffix"]]
    if code:
        return number, (after.end() if after else suffix.end(), "money", code)
    return number, _measured(low, suffix.end(), number, "")


def _measured(low: str, end: int, number: Decimal, _: str) -> tuple[int, MentionKind, str]:
    """Give where a number's unit ends, what it makes of it, and the unit."""
    del number
    if percent := _PERCENT.match(low, end):
        return percent.end(), "percent", ""
    if currency := _CURRENCY.match(low, end):
        return currency.end(), "money", _currency_of(currency["code"])
    unit = _UNIT.match(low, end)
    if unit is None or (unit["unit"] in {"g", "l", "t", "w", "y", "d", "x", "a", "v", "s", "h"} and low[end : end + 1] == " " and unit["unit"] not in "hsg"):
        return end, "number", ""
    name = _UNIT_OF[unit["unit"]]
    return unit.end(), "duration" if name in _TIME else "number", name


def _currency_of(written: str) -> str:
    """Give the ISO 4217 code of a symbol, a code or a name."""
    return _SYMBOLS.get(written) or _NAMED[written]


_NEXT: Final = re.compile(rf"(?: |, | and )?(?P<n>\d{{1,4}}) ?(?P<unit>{'|'.join(sorted((w for w, u in _UNIT_OF.items() if u in _SECONDS), key=len, reverse=True))})(?!\w)")
_PER: Final = re.compile(r" ?(?:/ ?|per |an? |each |every |pro |p)(?:(?:seat|user|month|year|day|hour|week|quarter|minute|second|min|sec|request|unit|person|head|mo|yr|h|s|annum|employee|customer|order|m|a)(?!\w))(?: ?/ ?(?:month|mo|year|yr)| (?:per|a) (?:month|year))?")


def per_after(low: str, end: int) -> int:
    """Give where the `per month` or `/seat` after a mention ends, or `end` where there is none."""
    found = _PER.match(low, end)
    return found.end() if found else end


def _compound(low: str, end: int, number: Decimal, unit: str) -> tuple[int, Decimal, str]:
    """Give a duration in parts, as `11h 20m`, as one of its smallest unit."""
    while unit in _SECONDS:
        part = _NEXT.match(low, end) or (_MINUTES.match(low, end) if unit == "h" else None)
        smaller = "" if part is None else ("min" if part["unit"] == "m" else _UNIT_OF[part["unit"]])
        if part is None or _SECONDS[smaller] >= _SECONDS[unit]:
            break
        number = number * (_SECONDS[unit] / _SECONDS[smaller]) + Decimal(part["n"])
        end, unit = part.end(), smaller
    return end, number, unit


_MINUTES: Final = re.compile(r" ?(?P<n>\d{1,2}) ?(?P<unit>m)(?!\w)")


def _made(
    low: str, start: int, made: tuple[int, MentionKind, str], number: Decimal, high: Decimal | None, floor: int
) -> Mention | None:
    """Give the mention of a number or range with what stands before and after it."""
    end, kind, unit = made
    if kind == "duration" and high is None:
        end, number, unit = _compound(low, end, number, unit)
    op_start, op = _op_before(low, start, floor)
    for sign, after in _AFTER:
        if not op and (tail := after.match(low, end)):
            op, end = sign, tail.end()
    text = f"{number:f}" if high is None else f"{number:f}..{high:f}"
    type_: ValueType = "range" if high is not None else _TYPE[kind]
    try:
        value = checked(Value(type=type_, text=text, unit="%" if type_ == "range" and kind == "percent" else unit, op=op))
    except InvalidMessage:
        return None
    return Mention(start=op_start, end=end, kind=kind, value=value)


_TYPE: Final[dict[MentionKind, ValueType]] = {"money": "money", "percent": "percent", "duration": "duration", "number": "number"}


def _op_before(low: str, start: int, floor: int) -> tuple[int, str]:
    """Give where the words that bound a value begin, and the op they say; `start` and empty where there are none."""
    found = _OP.search(low, max(floor, start - _WINDOW), start)
    if found is None:
        return start, ""
    op = next(op for n, (op, _) in enumerate(_OPS) if found[f"o{n}"] is not None)
    return found.start(), op
