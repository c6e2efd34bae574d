"""YAML from outside, and what is refused of it."""

import pytest

from stanchion_core.errors import InvalidMessage
from stanchion_core.yaml_text import Plain, parse_yaml

KIB = 1024


def parsed(text: str) -> Plain:
    """Read a text as long as a vocabulary may be."""
    return parse_yaml(text, "text", utf8_bytes=64 * KIB)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a: yes\nb: 0010\nc: 1.0\nd: 2026-01-02\ne: ~",
            {"a": "yes", "b": "0010", "c": "1.0", "d": "2026-01-02", "e": "~"},
        ),
        ("a:\nb: ''\nc: []\nd: {}", {"a": None, "b": "", "c": [], "d": {}}),
        ("# only a comment\n- x\n- {y: [z]}\n", ["x", {"y": ["z"]}]),
        ("a: |\n  two\n  lines\n", {"a": "two\nlines\n"}),
        ("<<: {a: b}", {"<<": {"a": "b"}}),
        ('{"a": "\\u00e9"}', {"a": "é"}),
        ("e\u0301: x", {"é": "x"}),
        ("", None),
    ],
)
def test_scalars_are_what_stands_there(text: str, expected: Plain) -> None:
    """Nothing is taken for a number, a date, a boolean or a merge; an empty place is None."""
    assert expected == parsed(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: b\nc: d\na: e", "line 3 says 'a' a second time"),
        ("a: &x b\nc: *x", "line 1 has an anchor"),
        ("a: b\nc: *x", "line 2 has an anchor, an alias"),
        ("a: !!python/object/apply:os.system [ls]", "line 1 has an anchor, an alias or a tag"),
        ("[a]: b", "line 1 has no text before"),
        ("a: [b\nc: d", "line 2"),
        ("a: b\n---\nc: d", "second document"),
        ("a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 40)), "line 33 nests deeper than 32"),
        ('a: "\\ud800"', "line 1, has a lone surrogate"),
        ('a: "\\0"', "line 1, has a NUL"),
        ('a: "\\UFFFFFFFF"', "cannot be read as YAML"),
        ("a: \x00", "has a NUL"),
        ("a: \x07", "cannot be read as YAML"),
    ],
)
def test_what_is_refused_names_its_line(text: str, said: str) -> None:
    """Whatever is wrong is said in one line, and nothing but a refusal comes of it."""
    with pytest.raises(InvalidMessage, match=said) as refused:
        parsed(text)
    assert ("FIELD_VALUE", "text", 1) == (
        refused.value.code,
        refused.value.field,
        len(refused.value.detail.splitlines()),
    )


@pytest.mark.parametrize("text", ["[" * 64 * KIB, "{a: [" * 12 * KIB, "- " * 32 * KIB, "? " * 32 * KIB])
@pytest.mark.timeout(30)
def test_nesting_is_refused_where_it_begins(text: str) -> None:
    """The parser's time grows with the square of the depth: 64 KiB of brackets would take it minutes."""
    with pytest.raises(InvalidMessage, match="nests deeper than 32"):
        parsed(text)


def test_size_is_bounded() -> None:
    """A text over the limit is not looked at."""
    with pytest.raises(InvalidMessage, match="the limit is 65536") as refused:
        parsed("# " + "x" * 64 * KIB)
    assert "TOO_LARGE" == refused.value.code
