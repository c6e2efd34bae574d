"""Values compare after exact unit conversion."""

import pytest
from msgspec import Struct

from stanchion_core.quantity import in_words, number, value_key


class Said(Struct, frozen=True):
    """A value, its parts in order."""

    type: str
    text: str
    unit: str = ""
    op: str = ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Said("number", "1.50"), Said("number", "1.5")),
        (Said("number", "5e9"), Said("number", "5000000000")),
        (Said("duration", "90", "min"), Said("duration", "1.5", "hours")),
        (Said("number", "90", "min"), Said("duration", "1.5", "h")),
        (Said("number", "1", "GiB"), Said("number", "1024", "MiB")),
        (Said("number", "1", "MB"), Said("number", "8", "Mbit")),
        (Said("number", "1", "in"), Said("number", "2.54", "cm")),
        (Said("number", "5", "µs"), Said("number", "5", "μs")),  # noqa: RUF001 - micro sign and Greek mu are the point
        (Said("percent", "5"), Said("percent", "5", "%")),
        (Said("percent", "5"), Said("number", "0.05")),
        (Said("number", "50", "bp"), Said("percent", "0.5")),
        (Said("duration", "2", "years"), Said("duration", "24", "months")),
        (Said("range", "1..2", "h"), Said("range", "60 .. 120", "min")),
        (Said("money", "5.00", "usd"), Said("money", "5", "USD")),
        (Said("boolean", "True"), Said("boolean", "true")),
    ],
)
def test_same(one: Said, other: Said) -> None:
    """Two ways of writing one value have one key."""
    assert value_key(one) == value_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Said("number", "1", "MB"), Said("number", "1", "Mbit")),
        (Said("number", "1", "MB"), Said("number", "1", "MiB")),
        (Said("number", "5"), Said("number", "5", op=">=")),
        (Said("number", "5"), Said("string", "5")),
        (Said("duration", "30", "days"), Said("duration", "1", "month")),
        (Said("money", "5", "USD"), Said("money", "5", "EUR")),
        (Said("money", "5", "USD"), Said("number", "5")),
        (Said("number", "five"), Said("number", "5")),
        (Said("number", "5", "widgets"), Said("number", "5", "gadgets")),
    ],
)
def test_different(one: Said, other: Said) -> None:
    """What is not the same quantity has another key."""
    assert value_key(one) != value_key(other)


@pytest.mark.parametrize("text", ["", "1e999999999", "1" * 61, "nan", "inf", "0x10", "1_000", "1/3", "٣", "--1"])
def test_not_a_number(text: str) -> None:
    """What is no plain decimal, or out of all proportion, is compared by its text."""
    assert number(text) is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Said("percent", "34"), "34%"),
        (Said("money", "5", "USD", "~"), "~5 USD"),
        (Said("string", "x" * 81), "x" * 79 + "…"),
    ],
)
def test_a_value_in_words(value: Said, words: str) -> None:
    """A sentence says a value with its sign and unit, and no more of a long text than fits one."""
    assert words == in_words(value)
