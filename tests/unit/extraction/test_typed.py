"""Typed values are canonical, or refused with the reason."""

import pytest

from stanchion_contracts.value import Value, ValueType
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.typed import checked, value_of


@pytest.mark.parametrize(
    ("kind", "text", "unit", "expected"),
    [
        ("boolean", "True", "", ("true", "")),
        ("number", "5.60", "", ("5.6", "")),
        ("number", "-0.0", "", ("0", "")),
        ("number", "5e9", "", ("5000000000", "")),
        ("number", "1e-3", "ms", ("0.001", "ms")),
        ("number", "007", "", ("7", "")),
        ("number", "+5.", "", ("5", "")),
        ("number", ".5", "", ("0.5", "")),
        ("number", "0.1000000000000000055511151231257827", "", ("0.1000000000000000055511151231257827", "")),
        ("percent", "5", "%", ("5", "")),
        ("money", "5e9", "usd", ("5000000000", "USD")),
        ("duration", "90", "min", ("90", "min")),
        ("date", "2026-03", "", ("2026-03", "")),
        ("range", "3 .. 5.0", "h", ("3..5", "h")),
        ("string", "  cafe\u0301 ", "", ("café", "")),
    ],
)
def test_canonical(kind: ValueType, text: str, unit: str, expected: tuple[str, str]) -> None:
    """One value has one text."""
    value = checked(Value(type=kind, text=text, unit=unit))
    assert expected == (value.text, value.unit)


@pytest.mark.parametrize(
    ("kind", "text", "unit"),
    [
        ("boolean", "yes", ""),
        ("number", "five", ""),
        ("number", "1e999", ""),
        ("number", "nan", ""),
        ("number", "1,000", ""),
        ("money", "5", ""),
        ("money", "5", "dollars"),
        ("percent", "5", "kg"),
        ("duration", "5", "kg"),
        ("duration", "5", ""),
        ("date", "2026-02-30", ""),
        ("date", "tomorrow", ""),
        ("range", "5..3", ""),
        ("range", "5", ""),
        ("string", "   ", ""),
        ("string", "x" * 4097, ""),
    ],
)
def test_refused(kind: ValueType, text: str, unit: str) -> None:
    """What is not one of its type is refused."""
    with pytest.raises(InvalidMessage, match="FIELD_VALUE"):
        checked(Value(type=kind, text=text, unit=unit))


@pytest.mark.parametrize(
    ("raw", "kind", "unit", "expected"),
    [
        (True, "", "", Value(type="boolean", text="true")),
        (5, "", "", Value(type="number", text="5")),
        (5.5, "", "C", Value(type="number", text="5.5", unit="C")),
        (5, "", "%", Value(type="percent", text="5")),
        ("5", "number", "", Value(type="number", text="5")),
        ("5", "", "", Value(type="string", text="5")),
        ([3, 5.5], "", "", Value(type="range", text="3..5.5")),
        (1e300, "string", "", Value(type="string", text="1e+300")),
    ],
)
def test_values_of_json(raw: object, kind: str, unit: str, expected: Value) -> None:
    """JSON's own type decides unless one is declared."""
    assert expected == value_of(raw, type_=kind, unit=unit, op="")


@pytest.mark.parametrize(
    ("raw", "kind", "op"),
    [(None, "", ""), ({}, "", ""), ([1], "", ""), ([1, True], "", ""), (5, "wish", ""), (5, "", "!")],
)
def test_no_values_of_json(raw: object, kind: str, op: str) -> None:
    """Objects, nulls, unknown types and operators are no values."""
    with pytest.raises(InvalidMessage, match="FIELD_VALUE"):
        value_of(raw, type_=kind, unit="", op=op)
