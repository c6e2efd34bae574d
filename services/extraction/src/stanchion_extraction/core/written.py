"""Values as events have them: numbers of a type and unit, or what a person writes, as `$5.2bn`, `34 %`, `PT1H30M`."""

import datetime as dt
import re
from decimal import Decimal
from typing import Final

from stanchion_contracts.value import Value, ValueType
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.quantity import is_number
from stanchion_extraction.core.prose.cell import quantity_of
from stanchion_extraction.core.typed import checked, value_of

_QUANTITIES: Final = frozenset({"money", "percent", "duration", "number", "range"})
_TRUE: Final = frozenset({"true", "yes", "on", "t", "y", "1"})
_FALSE: Final = frozenset({"false", "no", "off", "f", "n", "0"})
_MOMENT: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII
)
_ISO: Final = re.compile(
    r"P(?:(?P<years>\d{1,4})Y)?(?:(?P<months>\d{1,4})M)?(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,9}(?:\.\d{1,9})?)S)?)?",
    re.ASCII,
)
_SECONDS: Final = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_TICKS: Final = {"day": 1, "days": 1, "s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
"""How many of a unit make a day: dates as databases' logs have them, counted from 1970-01-01."""


def written(raw: object, *, type_: str, unit: str, op: str) -> Value:
    """Give the value that an event states.

    A type that is told takes what a person or a database would write for it: `$5.2bn`, `34 %`, `1h 30m` or `PT1H30M`, a
    moment for its day, days or ticks since 1970 for a date, `yes` or 1 for a boolean. Without one, JSON's own decides.

    Args:
        raw: as decoded.
        type_: one of the value types, or empty.
        unit: of a plain number; of a date the unit of its ticks.
        op: `~`, `<`, `<=`, `>`, `>=`, or empty.

    Raises:
        InvalidMessage: `FIELD_VALUE`: it is not one of its type.
    """
    if type_ == "boolean" and not isinstance(raw, bool):
        return value_of(_boolean(raw), type_="boolean", unit="", op=op)
    if type_ == "date" and type(raw) is int and unit:
        return value_of(_day(raw, unit), type_="date", unit="", op=op)
    if not isinstance(raw, str) or type_ not in _QUANTITIES | {"date"}:
        return value_of(raw, type_=type_, unit=unit, op=op)
    text = raw.strip()
    if type_ == "date":
        moment = _MOMENT.fullmatch(text)
        return value_of(moment["day"] if moment else text, type_="date", unit="", op=op)
    if is_number(text) or (type_ == "range" and ".." in text and all(map(is_number, text.split("..", 1)))):
        return value_of(text, type_=type_, unit=unit, op=op)
    return _quantity(text, type_, op, unit)


def _boolean(raw: object) -> str:
    """Give `true` or `false`, or the text as it is for the check to refuse."""
    text = str(raw).strip().casefold()
    return "true" if text in _TRUE else "false" if text in _FALSE else text


def _day(ticks: int, unit: str) -> str:
    """Give the day that lies so many ticks after 1970-01-01.

    Raises:
        InvalidMessage: the unit is none of time, or the calendar has no such day.
    """
    if unit not in _TICKS:
        raise InvalidMessage(FIELD_VALUE, f"a date counts from 1970 in {', '.join(_TICKS)}, not in {unit[:20]!r}")
    try:
        return (dt.date(1970, 1, 1) + dt.timedelta(days=ticks // _TICKS[unit])).isoformat()
    except OverflowError as error:
        raise InvalidMessage(FIELD_VALUE, f"no calendar has the day {ticks} {unit} after 1970-01-01") from error


def _quantity(text: str, type_: str, op: str, unit: str) -> Value:
    """Give what a person would write for a quantity.

    Raises:
        InvalidMessage: it is none of its type.
    """
    if type_ == "duration" and (made := _duration(text)) is not None:
        return checked(Value(type="duration", text=made[0], unit=made[1], op=op))
    found = quantity_of(text)
    value = None if found is None or found[1] else found[0].value
    if value is None:
        raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is no {type_}")
    if value.type == "number" and not value.unit:
        kind: ValueType = "money" if type_ == "money" else "percent" if type_ == "percent" else "number"
        kind = "duration" if type_ == "duration" else kind
        return checked(Value(type=kind, text=value.text, unit=unit, op=op or value.op))
    if value.type != type_ and not (type_ == "number" and value.type in {"number", "range"}):
        raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is a {value.type} and no {type_}")
    return checked(Value(type=value.type, text=value.text, unit=value.unit, op=op or value.op))


def _duration(text: str) -> tuple[str, str] | None:
    """Give a duration of ISO 8601 in seconds or in months, None for any other text or a mix of both."""
    found = _ISO.fullmatch(text)
    parts = {name: part for name, part in (found.groupdict() if found else {}).items() if part is not None}
    months = {"years", "months"} & parts.keys()
    if not parts or (months and len(months) < len(parts)):
        return None
    if months:
        return str(int(parts.get("years", 0)) * 12 + int(parts.get("months", 0))), "month"
    return f"{sum(Decimal(part) * _SECONDS[name] for name, part in parts.items()):f}", "s"
