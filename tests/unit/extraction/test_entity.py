"""Relations that a text states outright."""

import sys

import pytest

from stanchion_contracts.claim import LeftOut
from stanchion_contracts.relation import Entity, Relation
from stanchion_extraction.core.entity import relations_in


def stated(text: str) -> list[tuple[str, str, str]]:
    """Give the relations of a text as relation, entity and its type."""
    return [(each.name, each.to_entity.name, each.to_entity.type) for each in relations_in(text)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[works_at::Payments team]]", [("works_at", "Payments team", "")]),
        ("# See [[ owned by :: ACME,  Inc. ]]", [("owned by", "ACME, Inc.", "")]),
        ("* a [[r::x]] b [[r::y]]\n* [[r::x]]\n", [("r", "x", ""), ("r", "y", "")]),
        ("[[rests_on::id:0004-x]]", [("rests_on", "0004-x", "record")]),
        ("[[rests_on::id:Not An Id]]", [("rests_on", "id:Not An Id", "")]),
        ("| a |\n|---|\n| [[in::table]] |\n", [("in", "table", "")]),
        ("one [[r::broken\nline]]", [("r", "broken line", "")]),
        ("[[see::https://example.org/x]]", [("see", "https://example.org/x", "")]),
        ("`[[in::code]]` ``[[in::code]]``", []),
        ("```\n[[in::fence]]\n```\n\n    [[in::indent]]\n", []),
        ("<!-- [[in::comment]] -->", []),
        ("[[page]] [[a:b]] [[::x]] [[r::]] [[r:: ]] [r::x]", []),
        ("[[a:b::c]]", []),
    ],
)
def test_what_a_text_states(text: str, expected: list[tuple[str, str, str]]) -> None:
    """Two names between double brackets, anywhere in the text but not in its code; each relation once."""
    assert expected == stated(text)


def test_bounds() -> None:
    """At most 200 relations of names of at most 256 characters; what goes beyond is told."""
    many = relations_in(" ".join(f"[[r::{number}]]" for number in range(201)))
    assert (200, (LeftOut(what="relations", why="201; a document states at most 200"),)) == (len(many[0]), many[1])
    long = relations_in(f"[[r::{'x' * 257}]] [[r::{'y' * 256}]]")
    assert (Relation(name="r", to_entity=Entity(name="y" * 256)),) == long[0]
    assert ["a name has 1 to 256 characters"] == [left.why for left in long[1]]


def test_a_text_of_brackets_is_read_in_a_pass() -> None:
    """Each bracket is looked at once, and not as the begin of a link over all that follow it."""
    looks = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal looks
        looks += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = relations_in("[" * 2_000 + " [[r::x]] " + "](x)" * 100)
    finally:
        sys.setprofile(before)
    assert ["r"] == [each.name for each in found[0]]
    assert looks <= 15 * 2_000
