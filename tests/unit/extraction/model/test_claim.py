"""What of an answer is submitted, and what is dropped and why."""

import json
import time
from typing import Any

import msgspec
import pytest

from stanchion_core.limits import QUOTED_CHARS
from stanchion_extraction.model.answer import Answer, NamedClaim
from stanchion_extraction.model.claim import Stated, stated
from support.models import claim

TEXT = """\
We met on Monday. Gartner reports that the TAM is
$5B. Churn was 4% in May, so we want to halve it.

Is the budget 1 million EUR? If the TAM were $9B, we would hire.

## Goals

- Churn is 2%.

```
replicas: 3
```
"""
GARTNER = "Gartner reports that the TAM is\n$5B."


def named(*claims: dict[str, Any]) -> tuple[NamedClaim, ...]:
    """Give claims as they are read from an answer."""
    return msgspec.json.decode(json.dumps({"claims": claims}), type=Answer).claims


def quoted(quote: str) -> Stated:
    """Give what is submitted of one claim with this quote."""
    return stated(named(claim(quote=quote)), TEXT)


def test_a_quote_is_widened_to_its_sentence() -> None:
    """What is judged is the sentence as it stands in the text, not the part of it that suits the claim."""
    for quote in ("the TAM is $5B", "the TAM is\n$5B.", " Gartner  reports that the TAM is $5B. "):
        ((only,),) = quoted(quote).by_source.values()
        assert GARTNER == only.quote
    ((only,),) = quoted("Churn was 4% in May").by_source.values()
    assert "Churn was 4% in May, so we want to halve it." == only.quote
    ((only,),) = quoted("the TAM were $9B").by_source.values()
    assert "If the TAM were $9B, we would hire." == only.quote
    ((only,),) = quoted("$5B. Churn was 4%").by_source.values()
    assert f"{GARTNER} Churn was 4% in May, so we want to halve it." == only.quote


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("The TAM is $5B.", "quote"),
        ("the tam is $5B", "quote"),
        ("", "quote"),
        ("   ", "quote"),
        ("Churn was 4% in June", "quote"),
        ("x" * 3_000, "quote"),
        ("Churn is 2%.", "aside"),
        ("replicas: 3", "aside"),
    ],
)
def test_a_quote_that_does_not_stand_as_a_statement(quote: str, why: str) -> None:
    """A claim whose words stand nowhere, or below a heading of goals, or in code, is dropped and counted."""
    assert Stated(by_source={}, dropped={why: 1}) == quoted(quote)


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ({"text": "5e9"}, ("5000000000", "USD")),
        ({"text": "5000000000.00", "unit": "usd"}, ("5000000000", "USD")),
        ({"type_": "percent", "text": "4.50", "unit": "%"}, ("4.5", "")),
        ({"type_": "date", "text": " 2026-05 ", "unit": ""}, ("2026-05", "")),
        ({"type_": "range", "text": "3.0..5", "unit": "kg"}, ("3..5", "kg")),
        ({"type_": "boolean", "text": "True", "unit": "kg"}, ("true", "")),
    ],
)
def test_values_are_canonical(value: dict[str, str], canonical: tuple[str, str]) -> None:
    """A value is submitted as the line would make it."""
    ((only,),) = stated(named(claim(quote=GARTNER, **value)), TEXT).by_source.values()  # type: ignore[arg-type] # words
    assert canonical == (only.value.text, only.value.unit)


@pytest.mark.parametrize(
    "value",
    [
        {"text": "$5B"},
        {"text": "5,000,000"},
        {"text": "five billion"},
        {"text": ""},
        {"text": "nan"},
        {"text": "9" * 5_000},
        {"unit": ""},
        {"unit": "dollars"},
        {"unit": "\x00"},
        {"type_": "percent", "unit": "kg"},
        {"type_": "date", "text": "May 2026"},
        {"type_": "range", "text": "5..3"},
        {"type_": "duration", "text": "3", "unit": "kg"},
        {"type_": "boolean", "text": "yes"},
        {"type_": "string", "text": "\ud800"},
    ],
)
def test_a_value_that_is_none_of_its_type(value: dict[str, str]) -> None:
    """One wrong value would have the line refuse all of an observation's claims, so it is dropped here."""
    wrong, good = claim(quote=GARTNER, **value), claim("Churn", quote=GARTNER)  # type: ignore[arg-type] # words
    found = stated((*named(good), *(msgspec.convert(wrong, NamedClaim),)), TEXT)
    assert (1, {"value": 1}) == (found.count, dict(found.dropped))


@pytest.mark.parametrize("name", ["", " ", "\u200b", "x" * 300, "a\x00b"])
def test_a_name_that_gives_no_key(name: str) -> None:
    """A claim whose subject or predicate cannot be kept is dropped and counted."""
    found = stated(named(claim(name, quote=GARTNER), claim("TAM", name, quote=GARTNER)), TEXT)
    assert Stated(by_source={}, dropped={"name": 2}) == found


def test_a_source_must_be_named_by_the_text() -> None:
    """A model lends a claim the trust of a source only where a reader finds its name."""
    told = [
        claim("a", quote=GARTNER, source="Gartner"),
        claim("b", quote=GARTNER, source="McKinsey"),
        claim("c", quote=GARTNER),
        claim("d", quote=GARTNER, source="x" * 300),
    ]
    found = stated(named(*told), TEXT + "model:other and stanchion agree.")
    assert {"": ["b", "c", "d"], "Gartner": ["a"]} == {
        source: [each.subject for each in claims] for source, claims in found.by_source.items()
    }
    own = [claim("a", quote=GARTNER, source="model:other"), claim("b", quote=GARTNER, source="stanchion")]
    assert [""] == list(stated(named(*own), TEXT + "model:other and stanchion agree.").by_source)


def test_repeats_and_ten_thousand_claims() -> None:
    """A claim is submitted once, by its key; of more than 200 the first are, and the rest are counted."""
    twice = named(claim(quote=GARTNER), claim("  tam ", "IS", "5e9", quote="the TAM is $5B"))
    assert (1, {"repeat": 1}) == ((found := stated(twice, TEXT)).count, dict(found.dropped))
    many = named(*(claim(f"s{number}", quote=GARTNER) for number in range(10_000)))
    found = stated(many, TEXT)
    assert (200, {"many": 9_800}) == (found.count, dict(found.dropped))
    long = named(*(claim(f"s{n}", text="x" * 4_096, type_="string", unit="", quote=GARTNER) for n in range(200)))
    found = stated(long, TEXT)
    assert found.count + found.dropped["many"] == 200
    assert len(msgspec.json.encode(found.by_source[""])) < 800 * 1024


def test_quotes_are_no_longer_together_than_ingest_takes() -> None:
    """One claim too many would have ingest refuse them all: what is beyond the bound is counted instead."""
    sentences = [f"In year {number} the TAM is $5B{' and more' * 200}." for number in range(50)]
    text = "\n\n".join(sentences)
    found = stated(named(*(claim(f"s{n}", quote=each) for n, each in enumerate(sentences))), text)
    assert QUOTED_CHARS >= sum(len(each.quote) for each in found.by_source[""]) > QUOTED_CHARS - 2_000
    assert {"many": 50 - found.count} == dict(found.dropped)


def test_the_same_answer_gives_the_same() -> None:
    """Nothing but text and answer decides."""
    told = named(claim(quote=GARTNER, source="Gartner"), claim("b", quote=GARTNER), claim("c", quote="no"))
    assert stated(told, TEXT) == stated(told, TEXT)


@pytest.mark.parametrize("text", ["a " * 30_000, "a. " * 20_000, "a\n" * 30_000, "a" + " " * 60_000])
def test_a_text_and_quotes_that_are_made_to_be_slow(text: str) -> None:
    """A thousand quotes that almost stand in a long text are looked for in no time."""
    quote = "a " * 900 + "b"
    claims = named(*(claim(f"s{number}", quote=quote[number % 2 :]) for number in range(1_000)))
    begun_s = time.process_time()
    assert {"quote": 1_000} == stated(claims, text).dropped
    standing = named(*(claim(f"s{number}", quote="a") for number in range(1_000)))
    assert 1_000 == sum((found := stated(standing, text)).dropped.values()) + found.count
    assert time.process_time() - begun_s < 10
