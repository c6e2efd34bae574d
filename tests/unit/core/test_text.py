import json
from time import process_time

import pytest

from stanchion_core.errors import InvalidMessage
from stanchion_core.text import canonical_json, clean, decode, json_depth, parse_json, required


def refusal(call: "object", *arguments: object, **options: object) -> tuple[str, str]:
    """Give code and sentence of what a check refuses."""
    with pytest.raises(InvalidMessage) as caught:
        call(*arguments, **options)  # type: ignore[operator]
    return caught.value.code, caught.value.detail


def test_text_is_stored_nfc() -> None:
    """Two ways to write one letter are one text, counted after that."""
    assert "é" == clean("e\u0301", "label", chars=1)


def test_limits_are_named() -> None:
    """Over a limit the refusal names the field, the size and the limit."""
    assert ("TOO_LARGE", "label has 4 characters; the limit is 3") == refusal(clean, "abcd", "label", chars=3)
    assert ("TOO_LARGE", "body has 4 bytes; the limit is 3") == refusal(clean, "éé", "body", utf8_bytes=3)


@pytest.mark.parametrize(
    ("text", "what"), [("a\x00", "a NUL at character 1"), ("\ud800", "a lone surrogate at character 0")]
)
def test_unwanted_characters(text: str, what: str) -> None:
    """NUL and lone surrogates are refused with their place."""
    assert ("FIELD_VALUE", f"note has {what}; remove it") == refusal(clean, text, "note")


def test_bytes_that_are_no_text() -> None:
    """Invalid UTF-8 is refused with its place."""
    assert ("FIELD_VALUE", "text is not UTF-8 at byte 1") == refusal(decode, b"a\xff", "text")


def test_what_must_be_there() -> None:
    """Blank counts as missing."""
    assert ("FIELD_VALUE", "subject is missing") == refusal(required, " \n", "subject", chars=9)
    assert ("FIELD_VALUE", "subject is missing") == refusal(required, "\u200b \u2060", "subject", chars=9)


def test_canonical_json() -> None:
    """Names sorted, no spaces, NFC, nothing escaped that need not be."""
    assert '{"a":"é","b":[1,2.5,null]}' == canonical_json({"b": [1, 2.5, None], "a": "e\u0301"})
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json(float("nan"))


def test_canonical_json_composes_text_by_text() -> None:
    """A combining mark after a line break does not join the letter of its escape."""
    assert ["\n\u0303", "é"] == json.loads(canonical_json(["\n\u0303", "e\u0301"]))


def test_json_from_outside() -> None:
    """What is JSON comes back as it is."""
    assert {"a": ["A", 1, None]} == parse_json('{"a": ["\\u0041", 1, null]}', "data", utf8_bytes=100)


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ('{"a": 1, "a": 2}', "FIELD_VALUE", "'a' stands twice"),
        ("[NaN]", "FIELD_VALUE", "NaN"),
        ("[1e999]", "FIELD_VALUE", "out of range"),
        ("[1", "FIELD_VALUE", "not JSON"),
        ('["\\ud800"]', "FIELD_VALUE", "lone surrogate"),
        ('["\\u0000"]', "FIELD_VALUE", "NUL"),
        ('{"a\\u0000": 1}', "FIELD_VALUE", "NUL"),
        ("[" * 33 + "]" * 33, "FIELD_VALUE", "deeper than 32"),
        ("[" * 200_000, "TOO_LARGE", "the limit is 1000"),
        ("9" * 900, "", ""),
    ],
)
def test_json_that_is_refused(text: str, code: str, word: str) -> None:
    """Repeats, NaN, half a text, bad characters and deep nesting are refused in words; a long number is a number."""
    if not code:
        assert int(text) == parse_json(text, "data", utf8_bytes=1000)
        return
    found, detail = refusal(parse_json, text, "data", utf8_bytes=1000)
    assert code == found
    assert word in detail


def test_brackets_in_texts_do_not_nest() -> None:
    """Depth counts structure only, whatever texts hold."""
    assert 2 == json_depth(b'{"a": "[[[\\"[[", "b": [1]}')


def test_depth_of_strings_without_an_end_takes_no_time() -> None:
    """What is no JSON is looked through once, not once from each quote: a megabyte of them took hours."""
    begun_s = process_time()
    assert 0 == json_depth(b'"\\' * 500_000)
    assert process_time() - begun_s < 5.0


def test_a_heap_of_marks_is_refused() -> None:
    """Python orders the marks on a character in quadratic time; thirty are more than anybody writes."""
    few, many = "a" + "\u0323\u0301" * 15, "a" + "\u0301\u0323" * 250_000
    begun_s = process_time()
    assert clean(few, "label").startswith("\u1ea1\u0323")
    assert "─" * 500 == clean("─" * 500, "body")
    code, detail = refusal(clean, many, "label")
    assert ("FIELD_VALUE", True) == (code, "more than 30 marks" in detail)
    assert process_time() - begun_s < 5.0
