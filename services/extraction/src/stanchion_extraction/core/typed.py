"""Typed values: each text checked to be one of its type, and made canonical."""

import datetime as dt
import re
import unicodedata
from decimal import Decimal
from typing import Final

from stanchion_contracts.value import Value, ValueType
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.quantity import is_number, unit_of

_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)
_CURRENCY: Final = re.compile(r"[A-Za-z]{3}", re.ASCII)
_DURATION_BASES: Final = frozenset({"s", "month"})
_PERCENT_UNITS: Final = frozenset({"", "%", "percent", "pct"})
_MOST_BYTES: Final = 4_096
"""Of a text value in UTF-8: a message further down has each of 200 claims' values three times and must fit 8 MiB."""


def checked(value: Value) -> Value:
    """Give a value in canonical form.

    Raises:
        InvalidMessage: `FIELD_VALUE`: its text or unit is not one of its type.
    """
    if value.type == "boolean":
        return Value(type="boolean", text=_boolean(value.text))
    if value.type == "string":
        return Value(type="string", text=_string(value.text), unit=value.unit, op=value.op)
    if value.type == "date":
        return Value(type="date", text=_date(value.text), op=value.op)
    text = _range(value.text) if value.type == "range" else _number(value.text)
    return Value(type=value.type, text=text, unit=_unit(value.type, value.unit), op=value.op)


def value_of(raw: object, *, type_: str, unit: str, op: str) -> Value:
    """Give the value that JSON states: a boolean, a number, a text, or a range as a list of two numbers.

    Args:
        raw: as decoded.
        type_: one of the value types; empty lets JSON's own decide.
        unit: empty where there is none.
        op: `~`, `<`, `<=`, `>`, `>=`, or empty.

    Raises:
        InvalidMessage: `FIELD_VALUE`: it is none of these, or not one of its type.
    """
    if op not in {"", "~", "<", "<=", ">", ">="}:
        raise InvalidMessage(FIELD_VALUE, f"op {op[:20]!r} is none of ~ < <= > >=")
    own, text = _own(raw)
    kind: str = type_ or ("percent" if own == "number" and unit in {"%", "percent", "pct"} else own)
    if kind not in _TYPES:
        raise InvalidMessage(FIELD_VALUE, f"type {kind[:20]!r} is none of {', '.join(sorted(_TYPES))}")
    return checked(Value(type=_TYPES[kind], text=text, unit=unit, op=op))


_TYPES: Final[dict[str, ValueType]] = {
    "boolean": "boolean",
    "number": "number",
    "money": "money",
    "percent": "percent",
    "duration": "duration",
    "date": "date",
    "range": "range",
    "string": "string",
}


def _own(raw: object) -> tuple[str, str]:
    """Give the type and text of what JSON states.

    Raises:
        InvalidMessage: it is neither boolean, number, text nor a list of two numbers.
    """
    if isinstance(raw, bool):
        return "boolean", "true" if raw else "false"
    if isinstance(raw, int | float):
        return "number", repr(raw)
    if isinstance(raw, str):
        return "string", raw
    if isinstance(raw, list) and len(raw) == 2 and all(type(end) in {int, float} for end in raw):  # noqa: PLR2004 - ends
        return "range", f"{raw[0]!r}..{raw[1]!r}"
    raise InvalidMessage(FIELD_VALUE, "the value is no boolean, number, text or list of two numbers")


def _boolean(text: str) -> str:
    """Give `true` or `false`.

    Raises:
        InvalidMessage: it is neither.
    """
    plain = text.strip().casefold()
    if plain not in {"true", "false"}:
        raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is neither true nor false")
    return plain


def _string(text: str) -> str:
    """Give a text, NFC and trimmed.

    Raises:
        InvalidMessage: it is empty or too long.
    """
    plain = (text if text.isascii() else unicodedata.normalize("NFC", text)).strip()
    size = len(plain.encode())
    if not 0 < size <= _MOST_BYTES:
        raise InvalidMessage(FIELD_VALUE, f"a text value has 1 to {_MOST_BYTES} bytes; this has {size}")
    return plain


def _date(text: str) -> str:
    """Give a year, a month or a day.

    Raises:
        InvalidMessage: it is none.
    """
    plain = text.strip()
    try:
        if _DATE.fullmatch(plain):
            dt.date.fromisoformat((plain + "-01-01")[:10])
            return plain
    except ValueError:
        pass
    raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is no date: write YYYY, YYYY-MM or YYYY-MM-DD")


def _number(text: str) -> str:
    """Give a number without exponent, leading or trailing zeros.

    Raises:
        InvalidMessage: it is none, or out of all proportion.
    """
    plain = text.strip()
    if plain.isdecimal() and plain.isascii() and len(plain) <= 18 and (plain[0] != "0" or plain == "0"):  # noqa: PLR2004
        return plain
    if not is_number(plain):
        raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is no decimal number of at most 60 digits")
    whole = format(Decimal(plain), "f")
    short = whole.rstrip("0").rstrip(".") if "." in whole else whole
    return "0" if short in {"-0", ""} else short


def _range(text: str) -> str:
    """Give `low..high`.

    Raises:
        InvalidMessage: it is no two numbers in order.
    """
    ends = text.split("..")
    if len(ends) != 2:  # noqa: PLR2004 - a range has two ends
        raise InvalidMessage(FIELD_VALUE, f"{text[:40]!r} is no range: write low..high")
    low, high = _number(ends[0]), _number(ends[1])
    if Decimal(low) > Decimal(high):
        raise InvalidMessage(FIELD_VALUE, f"range {text[:40]!r} ends before it begins")
    return f"{low}..{high}"


def _unit(type_: str, unit: str) -> str:
    """Give a unit as it is kept.

    Raises:
        InvalidMessage: money without its currency, a percent in another unit, a duration without a unit of time.
    """
    plain = unit.strip()
    if type_ == "money":
        if _CURRENCY.fullmatch(plain) is None:
            raise InvalidMessage(FIELD_VALUE, f"money needs an ISO 4217 code as its unit, not {unit[:20]!r}")
        return plain.upper()
    if type_ == "percent":
        if plain.casefold() not in _PERCENT_UNITS:
            raise InvalidMessage(FIELD_VALUE, f"a percent has no unit {unit[:20]!r}")
        return ""
    if type_ == "duration" and unit_of(type_, plain)[0] not in _DURATION_BASES:
        raise InvalidMessage(FIELD_VALUE, f"a duration needs a unit of time, not {unit[:20]!r}")
    return plain
