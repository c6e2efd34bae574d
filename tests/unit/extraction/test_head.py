"""The head of a text: front matter, YAML, headers."""

from itertools import pairwise

import pytest

from stanchion_extraction.core.head import Head, front_matter, headers, whole_yaml


def test_keys_are_one_however_they_are_written() -> None:
    """Small letters, one `_` for what stands between words, at every depth; scalars stay as written."""
    found = whole_yaml("Superseded-By: 0010\nfeature gates:\n  - {Feature-Name: yes, n: 1.0}\nGröße: x\n")
    assert {
        "superseded_by": "0010",
        "feature_gates": [{"feature_name": "yes", "n": "1.0"}],
        "größe": "x",
    } == found.values
    assert {"superseded_by": "Superseded-By", "feature_gates": "feature gates", "größe": "Größe"} == found.written


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        (["a"], "# about b\nb:\n  - 1 # one\n\nc: |\n  x # no comment\n  y\nd: {e: f,\n  g: h}"),
        (["b"], "a: 1\n# about b\n\nc: |\n  x # no comment\n  y\nd: {e: f,\n  g: h}"),
        (["c", "d"], "a: 1\n# about b\nb:\n  - 1 # one"),
        (["none"], "a: 1\n# about b\nb:\n  - 1 # one\n\nc: |\n  x # no comment\n  y\nd: {e: f,\n  g: h}"),
    ],
)
def test_a_head_without_some_keys(gone: list[str], left: str) -> None:
    """A key goes with all lines of its value and no other; comments that lead to the next key stay."""
    text = "a: 1\n# about b\nb:\n  - 1 # one\n\nc: |\n  x # no comment\n  y\nd: {e: f,\n  g: h}\n"
    assert left == whole_yaml(text).without(gone)


def test_comments_and_repeats_are_told() -> None:
    """Comments beside values and keys that stand twice are noted; a `#` inside a value is no comment."""
    found = whole_yaml("a: 1 # one\nb: 'x # y'\nc: [p, q] # many\nA: 2\n")
    assert ((("a", "one"),), ("A",), "1") == (found.remarks, found.repeated, found.values["a"])


def test_aliases_are_bounded() -> None:
    """An alias is read as what it stands for; what would nest for ever or grow without end is refused."""
    names = "abcdefghijklmnop"
    laughs = "a: &a [x, x]\n" + "".join(f"{new}: &{new} [*{old}, *{old}]\n" for old, new in pairwise(names))
    assert {"a": ["x"], "b": ["x"]} == whole_yaml("a: &a [x]\nb: *a\n").values
    for text in (laughs, "a: &a [*a]", "a: &a {b: *a}"):
        assert "the text is not YAML: it nests deeper than 32, or has more than 20000 values" == whole_yaml(text).wrong


def test_headers() -> None:
    """Values that go on in the next line are one; what follows the empty line is the text."""
    found = headers("PEP: 8\nTitle: Style\n  Guide\nX-Empty:\n\nText\n\nMore\n")
    assert {"pep": "8", "title": "Style Guide", "x_empty": ""} == found.values
    assert ("Text\n\nMore\n", "PEP: 8\nX-Empty:") == (found.text, found.without(["title"]))
    assert ({"a": "b"}, "") == (headers("\na: b").values, headers("\na: b").text)


def test_a_text_without_front_matter() -> None:
    """Without a head, or with one that never ends, the whole is text."""
    assert [Head(text="# T\n"), Head(text="---\na: b\n")] == [front_matter("# T\n"), front_matter("---\na: b\n")]
