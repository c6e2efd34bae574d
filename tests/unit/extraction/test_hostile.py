"""Texts written to harm: none of them stops extraction, keeps it busy for hours, or grows on the way down the line."""

import pytest

from stanchion_contracts.observation import Document
from stanchion_core.limits import URI_CHARS
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.expression import ExpressionFailed, compiled
from stanchion_extraction.core.record import Read
from stanchion_extraction.core.relation import QUOTED_CHARS
from stanchion_extraction.handler import decider
from support.observations import event

MAPPINGS = mappings_of(None)
DECIDE, FORMS = decider(MAPPINGS), MAPPINGS.forms
LONG = 250_000
STATUS = "# 1. T\n\n## Status\n\n"


def read(text: str) -> Read:
    """Read one revision."""
    return read_document(FORMS, Document(uri="docs/adr/0001-x.md", text=text, format="adr-madr"))


@pytest.mark.parametrize(
    "head", ["depends-on: \ufffc0\ufffc", "status: \ufffc7\ufffc", "status: Superseded by \ufffc7\ufffc"]
)
def test_no_place_of_a_link_in_front_matter(head: str) -> None:
    """The character that stands for a link inside is a character like any other in front matter, and points nowhere."""
    found = read(f"---\n{head}\n---\n# T\n")
    assert found.record is not None
    assert all("\ufffc" not in reference.target for reference in found.record.references)


@pytest.mark.parametrize(
    "text",
    [
        STATUS + "Superseded by " + "a" * LONG,
        STATUS + "Superseded by " + "0" * LONG + "x",
        STATUS + "Superseded by ADR-" + "0" * LONG + "x",
        STATUS + "Superseded by [1](1-a.md)" + "," * LONG + "x [2](b.md)",
        "---\nstatus: accepted\ndepends-on: " + "a" * LONG + "\n---\n# T\n",
        STATUS + "Accepted\n\n## Context\n\n" + "This supersedes " * (LONG // 16),
        STATUS + "Accepted\n\n## Context\n\n" + "this adr supersedes [a](b.md) " * (LONG // 30),
    ],
    ids=["letters", "zeros", "adr", "commas", "front", "prose", "links"],
)
def test_no_pattern_runs_away(text: str) -> None:
    """A text as large as it may be is read in seconds; these took hours, the square of their length."""
    assert read(text).record is not None


def test_what_is_quoted_is_bounded() -> None:
    """Neither a long address behind many links nor a long gap between two words is repeated down the line."""
    lines = "".join(f"Superseded by [a{n}][r], amends [b][r]\n\n" for n in range(40))
    gaps = "\n".join(f"* in part{' ' * 4_000}superseded by" for _ in range(50))
    for text in (STATUS + lines + "[r]: " + "x/" * 90_000 + "y.md\n", STATUS + gaps):
        found = read(text)
        assert found.record is not None
        assert all(len(reference.target) <= URI_CHARS for reference in found.record.references)
        assert all(max(len(left.what), len(left.why)) <= QUOTED_CHARS for left in found.left_out)
        assert all(len(field.value) <= QUOTED_CHARS for field in found.record.fields)


def test_addresses_are_text_like_any_other() -> None:
    """Percent-encoding hides neither a NUL nor another way of writing a letter."""
    found = read(STATUS + "Superseded by [a](a%00b.md)\n\nAmends [b](e%CC%81.md)\n")
    assert found.record is not None
    assert ["docs/adr/é.md"] == [reference.target for reference in found.record.references]


def test_a_long_number_is_no_name() -> None:
    """A number that stands for a name has the limit of a name; the claim is left out, and told."""
    for part in ("subject", "predicate", "sample", "unit"):
        data = {"claims": [{"subject": "s", "predicate": "p", "value": 1, part: 10**300}]}
        found = DECIDE(None, event("stanchion.claims.v1", data))
        assert ((), 1) == (found.contributions, len(found.left_out)), part


@pytest.mark.parametrize("text", ["ceil(to_number(data.a))", "data.b[::0]"])
def test_an_expression_that_python_cannot_work_out_does_not_apply(text: str) -> None:
    """Whatever the interpreter raises leaves the item out; it does not stop the process."""
    expression = compiled(text)
    with pytest.raises(ExpressionFailed):
        expression({"data": {"a": "inf", "b": [1]}, "event": {}, "item": None})
