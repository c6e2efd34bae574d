"""Values as events have them: each type from JSON's own values and from what people and databases write."""

import pytest

from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.written import written


@pytest.mark.parametrize(
    ("raw", "type_", "unit", "expected"),
    [
        (5_000_000_000, "money", "usd", Value(type="money", text="5000000000", unit="USD")),
        ("$5.2bn", "money", "", Value(type="money", text="5200000000", unit="USD")),
        ("1.234,56 €", "money", "", Value(type="money", text="1234.56", unit="EUR")),
        ("1,234.56", "money", "GBP", Value(type="money", text="1234.56", unit="GBP")),
        ("12.50", "money", "EUR", Value(type="money", text="12.5", unit="EUR")),
        (34, "percent", "", Value(type="percent", text="34")),
        (34, "", "%", Value(type="percent", text="34")),
        ("34 %", "percent", "", Value(type="percent", text="34")),
        (41.7, "number", "TB", Value(type="number", text="41.7", unit="TB")),
        ("41.7 TB", "number", "", Value(type="number", text="41.7", unit="TB")),
        ("1,250", "number", "", Value(type="number", text="1250")),
        ("at least 3", "number", "", Value(type="number", text="3", op=">=")),
        (120, "duration", "ms", Value(type="duration", text="120", unit="ms")),
        ("1h 30m", "duration", "", Value(type="duration", text="90", unit="min")),
        ("4m12s", "duration", "", Value(type="duration", text="252", unit="s")),
        ("PT1H30M", "duration", "", Value(type="duration", text="5400", unit="s")),
        ("P1Y6M", "duration", "", Value(type="duration", text="18", unit="month")),
        ("2026-03-01", "date", "", Value(type="date", text="2026-03-01")),
        ("2026-03", "date", "", Value(type="date", text="2026-03")),
        ("2026-03-01T23:30:00+02:00", "date", "", Value(type="date", text="2026-03-01")),
        (20_513, "date", "days", Value(type="date", text="2026-03-01")),
        (1_772_323_200_000, "date", "ms", Value(type="date", text="2026-03-01")),
        (-1, "date", "us", Value(type="date", text="1969-12-31")),
        (True, "", "", Value(type="boolean", text="true")),
        (0, "boolean", "", Value(type="boolean", text="false")),
        ("Yes", "boolean", "", Value(type="boolean", text="true")),
        ("34 %", "", "", Value(type="string", text="34 %")),
        ("eu-west-1", "string", "", Value(type="string", text="eu-west-1")),
        ([3, 5], "", "day", Value(type="range", text="3..5", unit="day")),
        ("3..5", "range", "day", Value(type="range", text="3..5", unit="day")),
    ],
)
def test_typed(raw: object, type_: str, unit: str, expected: Value) -> None:
    """Money, percent, numbers with units, durations, dates, booleans, ranges and strings come out canonical."""
    assert expected == written(raw, type_=type_, unit=unit, op="")


@pytest.mark.parametrize(
    ("raw", "type_", "unit"),
    [
        ("a few", "money", "EUR"),
        ("34 %", "money", "EUR"),
        ("5 kg", "percent", ""),
        ("5", "duration", ""),
        ("P1Y2D", "duration", ""),
        ("5 seats", "number", ""),
        ("$5B or more, maybe", "money", ""),
        ("soon", "date", ""),
        (5, "date", "kg"),
        (10**12, "date", "days"),
        (2, "boolean", ""),
        ("maybe", "boolean", ""),
    ],
)
def test_refused(raw: object, type_: str, unit: str) -> None:
    """What is not one of its type is refused and never guessed at."""
    with pytest.raises(InvalidMessage, match="FIELD_VALUE"):
        written(raw, type_=type_, unit=unit, op="")
