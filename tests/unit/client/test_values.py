from typing import Any

import pytest

from stanchion.relevance import nearest, words_of
from stanchion.results import Value
from stanchion.show.value import named
from stanchion.values import typed, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", Value(type="boolean", text="true")),
        (" No ", Value(type="boolean", text="false")),
        ("12", Value(type="number", text="12")),
        ("-0.5", Value(type="number", text="-0.5")),
        ("12%", Value(type="percent", text="12", unit="%")),
        ("5,000,000 EUR", Value(type="money", text="5000000", unit="EUR")),
        ("5e9USD", Value(type="money", text="5e9", unit="USD")),
        (">= 3 GiB", Value(type="number", text="3", unit="GiB", op=">=")),
        ("~200ms", Value(type="number", text="200", unit="ms", op="~")),
        ("3..5 GiB", Value(type="range", text="3..5", unit="GiB")),
        ("2026-03-31", Value(type="date", text="2026-03-31")),
        ("2026-03", Value(type="date", text="2026-03")),
        ("2026", Value(type="number", text="2026")),
        ("postgres", Value(type="string", text="postgres")),
        ("17.2.1", Value(type="string", text="17.2.1")),
        ("1,2", Value(type="string", text="1,2")),
        ("5 big apples", Value(type="string", text="5 big apples")),
        ("", Value(type="string", text="")),
    ],
)
def test_what_a_person_types_is_typed(text: str, value: Value) -> None:
    """A value has the type, unit and comparison that it was written with; what is none of these is a text."""
    assert value == typed(text)


@pytest.mark.parametrize("given", [[1, 2], {"a": 1}, None])
def test_what_is_no_value_is_refused(given: Any) -> None:  # noqa: ANN401 - what no checker would let through
    """A list, an object or nothing is not taken as the text that Python prints of it."""
    with pytest.raises(TypeError, match="is no value"):
        value_of(given)


def test_a_task_is_about_its_words() -> None:
    """Words that say nothing are left out, each is there once, and there is an end to them."""
    told = "Please size the ENTERPRISE market: was the market 5B in Q3-2026?"
    assert ["size", "enterprise", "market", "5b", "q3-2026"] == words_of(told)
    assert [] == words_of("What should we do about it?")
    assert 64 == len(words_of(" ".join(f"word{n}" for n in range(1_000))))


def test_what_shares_more_words_is_nearer() -> None:
    """Things come in the order of the words they share; alike ones stay in theirs."""
    things = [("a", "other"), ("b", "market size"), ("c", "the market"), ("d", "nothing")]
    assert ["b", "c", "a", "d"] == nearest(things, words_of("size of the market"))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Value(type="money", text="5000000000", unit="USD"), "5,000,000,000 USD"),
        (Value(type="percent", text="34"), "34 %"),
        (Value(type="number", text="-12345.60", unit="km", op=">="), ">= -12,345.60 km"),
        (Value(type="number", text="2026"), "2026"),
        (Value(type="number", text="1e12"), "1e12"),
        (Value(type="string", text="10000\n"), "10000"),
        (None, "nothing"),
    ],
)
def test_a_value_is_shown_as_people_read_it(value: Value | None, shown: str) -> None:
    """Long numbers are grouped, a percent says so, and what is no number stays as it is."""
    assert shown == named(value, "nothing").strip()
