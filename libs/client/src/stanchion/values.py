"""Values as Python and people have them, made typed ones."""

import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from stanchion.results import Value

Given = Value | bool | int | float | Decimal | str | date | timedelta | tuple[float, float]
"""What a value can be given as; a pair is a range."""

_PERCENT: Final = frozenset({"%", "percent", "pct"})
_CURRENCY: Final = re.compile(r"[A-Z]{3}", re.ASCII)
_NUMBER: Final = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,2})?"
_TYPED: Final = re.compile(rf"(?P<op>~|<=|>=|<|>)?\s*(?P<text>{_NUMBER}(?:\.\.{_NUMBER})?)\s*(?P<unit>%|[^\W\d]\S*)?")
_DAY: Final = re.compile(r"\d{4}-\d\d(?:-\d\d)?", re.ASCII)
_WORDS: Final = {"true": "true", "yes": "true", "false": "false", "no": "false"}


def value_of(given: Given, unit: str = "") -> Value:
    """Give a typed value.

    Args:
        given: a `Value` as it is; a boolean, number, day, span of time, pair of numbers (a range) or text.
        unit: of a number: `%` makes it a percent, three capitals (`EUR`) make it money, else it is a unit.

    Raises:
        TypeError: it is nothing that a value can be given as.
        ValueError: something has a unit that can have none.
    """
    if isinstance(given, int | float | Decimal) and not isinstance(given, bool):
        return Value(type=type_of(unit), text=str(given), unit=unit)
    if isinstance(given, tuple):
        return Value(type="range", text=f"{given[0]}..{given[1]}", unit=unit)
    if unit:
        raise ValueError(f"only a number or a range has a unit, and {given!r} is none")
    return _unitless(given)


def type_of(unit: str) -> str:
    """Give the type of a number by its unit."""
    if unit in _PERCENT:
        return "percent"
    return "money" if _CURRENCY.fullmatch(unit) else "number"


def typed(text: str) -> Value:
    """Give the value that a person types.

    Args:
        text: as `true`, `12`, `12%`, `5,000,000 EUR`, `>= 3 GiB`, `3..5` or `2026-03-31`; what is none of these is a
            string.
    """
    plain = text.strip()
    if word := _WORDS.get(plain.casefold()):
        return Value(type="boolean", text=word)
    if _DAY.fullmatch(plain):
        return Value(type="date", text=plain)
    if not (found := _TYPED.fullmatch(plain)):
        return Value(type="string", text=plain)
    number, unit = found["text"].replace(",", ""), found["unit"] or ""
    kind = "range" if ".." in number else type_of(unit)
    return Value(type=kind, text=number, unit=unit, op=found["op"] or "")


def _unitless(given: Value | bool | str | date | timedelta) -> Value:  # noqa: FBT001 - a value, no switch
    """Give a value of a type that has no unit.

    Raises:
        TypeError: it is nothing that a value can be given as.
    """
    match given:
        case Value():
            return given
        case bool():
            return Value(type="boolean", text="true" if given else "false")
        case datetime():
            return Value(type="date", text=given.date().isoformat())
        case date():
            return Value(type="date", text=given.isoformat())
        case timedelta():
            return Value(type="duration", text=f"{given.total_seconds():.6f}".rstrip("0").rstrip("."), unit="s")
        case str():
            return Value(type="string", text=given)
        case _:
            raise TypeError(
                f"{type(given).__name__} is no value: give a number, text, boolean, day, span, pair or Value"
            )
