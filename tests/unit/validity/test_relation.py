"""What holds between entities: stated by callers and texts, superseded, ended."""

from typing import Any

import pytest

from stanchion_contracts.change import Changes
from stanchion_contracts.command import Write
from stanchion_contracts.relation import Entity, Relation, Triple, Window
from support.validity import AGENT, DAY_US, START_US, Line, actions, refused

MAYA = Entity(name="maya", type="person")
ACME = Entity(name="acme", type="company")
DOC = "docs/1-tail.md"


def works(**times: int) -> Relation:
    """Give a relation that a caller states."""
    return Relation(from_entity=MAYA, name="works_at", to_entity=ACME, **times)


def owns(name: str, **parts: Any) -> Relation:  # noqa: ANN401 - parts of a relation
    """Give a relation that a text states of its record."""
    return Relation(name="owns", to_entity=Entity(name=name), **parts)


def current(line: Line) -> dict[str, Window]:
    """Give what is current, by its words."""
    return {triple.words: window for triple, window in line.workspace.related.windows.items()}


def reasons(output: Changes) -> list[str]:
    """Give the sentences of changes of relations."""
    return [change.reason for change in output.changes if change.relation is not None]


def test_a_caller_states_a_relation() -> None:
    """It is a change of its own, with its room; the same again is none."""
    line = Line()
    output = line.relate(works(valid_at_us=START_US), room="team")
    (change,) = output.changes
    assert ("relation.stated", "relation", "maya works_at acme", "team") == (
        change.action,
        change.subject_kind,
        change.subject_id,
        change.room,
    )
    assert "maya works_at acme: since 2026-11-30T12:33:20Z" == change.reason
    assert change.relation is not None
    assert (None, Window(valid_at_us=START_US)) == (change.relation.before, change.relation.after)
    assert () == line.relate(works(valid_at_us=START_US), room="team").changes


def test_a_new_window_supersedes_the_old() -> None:
    """One window is current per triple; the change tells both."""
    line = Line()
    line.relate(works())
    output = line.relate(works(valid_at_us=DAY_US, invalid_at_us=3 * DAY_US))
    assert ["maya works_at acme: since 1970-01-02, until 1970-01-04; was stated"] == reasons(output)
    assert {"maya works_at acme": Window(valid_at_us=DAY_US, invalid_at_us=3 * DAY_US)} == current(line)


def test_rooms_and_types_tell_entities_apart() -> None:
    """The same names in another room, or of another type, are other entities."""
    line = Line()
    line.relate(works())
    line.relate(works(), room="team")
    line.relate(Relation(from_entity=MAYA, name="works_at", to_entity=Entity(name="acme", type="product")))
    assert 3 == len(line.workspace.related.windows)


def test_a_text_states_relations_while_it_says_so() -> None:
    """They begin at its record, in its room; what its next revision states no more has ended."""
    line = Line()
    first = line.revise(DOC, relations=(owns("checkout"), owns("billing")))
    assert ["record.created", "relation.stated", "relation.stated"] == actions(first)
    start = Entity(name="1-tail", type="record")
    triple = Triple(room="platform", from_entity=start, name="owns", to_entity=Entity(name="checkout"))
    assert Window(stated_by="1-tail") == line.workspace.related.windows[triple]
    assert "1-tail owns checkout: stated by 1-tail" == reasons(first)[0]
    second = line.revise(DOC, "new text", relations=(owns("checkout"), owns("search")))
    assert [
        "1-tail owns billing: the text of 1-tail says so no more",
        "1-tail owns search: stated by 1-tail",
    ] == reasons(second)
    assert ["1-tail owns checkout", "1-tail owns search"] == sorted(current(line))
    assert (owns("checkout"), owns("search")) == line.workspace.imported["1-tail"].relations


def test_the_same_revision_twice_changes_nothing() -> None:
    """A text that comes again states what it stated."""
    line = Line()
    line.revise(DOC, relations=(owns("checkout"),))
    before = line.workspace.seq
    assert () == line.revise(DOC, relations=(owns("checkout"),)).changes
    assert before == line.workspace.seq


def test_a_renamed_document_keeps_its_relations_and_a_deleted_one_ends_them() -> None:
    """The record is the same wherever its text lives; a text that is gone states nothing, until it is back."""
    line = Line()
    line.revise(DOC, relations=(owns("checkout"),))
    assert ["record.renamed"] == actions(line.revise("adr/1-tail.md", former_uri=DOC, relations=(owns("checkout"),)))
    assert ["1-tail owns checkout"] == list(current(line))
    assert ["record.deleted", "relation.ended"] == actions(line.revise("adr/1-tail.md", deleted=True))
    assert ({}, {}) == (line.workspace.related.windows, line.workspace.related.stated_by)
    assert ["record.created", "relation.stated"] == actions(line.revise("adr/1-tail.md", relations=(owns("checkout"),)))


def test_a_document_whose_place_is_taken_states_nothing() -> None:
    """A renamed document takes the place of another one: what that one's text stated has ended."""
    line = Line()
    line.revise(DOC, relations=(owns("checkout"),))
    line.revise("docs/2-other.md", relations=(owns("search"),))
    line.revise(DOC, former_uri="docs/2-other.md", relations=(owns("search"),))
    assert ["2-other owns search"] == list(current(line))


def test_what_a_caller_says_outlives_a_text() -> None:
    """A relation stands while either states it, whoever said it first."""
    explicit = owns("checkout", from_entity=Entity(name="1-tail", type="record"))
    first, second = Line(), Line()
    first.revise(DOC, relations=(owns("checkout"),))
    assert ["1-tail owns checkout: stated; was stated by 1-tail"] == reasons(first.relate(explicit, room="platform"))
    second.relate(explicit, room="platform")
    assert ["record.created"] == actions(second.revise(DOC, relations=(owns("checkout"),)))
    for line in (first, second):
        line.revise(DOC, "silent")
        assert {"1-tail owns checkout": Window()} == current(line)


def test_a_text_says_only_what_it_changed() -> None:
    """A window that a caller set stays though the text states the relation as before, until the text says otherwise."""
    line = Line()
    line.revise(DOC, relations=(owns("checkout"),))
    line.relate(owns("checkout", from_entity=Entity(name="1-tail", type="record"), valid_at_us=DAY_US), room="platform")
    assert ["record.written"] == actions(line.revise(DOC, "new text", relations=(owns("checkout"),)))
    assert {"1-tail owns checkout": Window(valid_at_us=DAY_US)} == current(line)
    line.revise(DOC, "new text", relations=(owns("checkout", valid_at_us=2 * DAY_US),))
    assert {"1-tail owns checkout": Window(valid_at_us=2 * DAY_US, stated_by="1-tail")} == current(line)


def test_a_record_in_another_room_states_its_relations_there() -> None:
    """A record that was deleted here and written anew in another room takes its text's relations along."""
    line = Line()
    line.revise(DOC, relations=(owns("checkout"),))
    line.write(Write(id="1-tail", delete=True))
    line.write(Write(id="1-tail", kind="decision", room="other"))
    line.revise(DOC, "new text", relations=(owns("checkout"),))
    assert ["other"] == [triple.room for triple in line.workspace.related.windows]


def test_a_revision_that_does_not_land_states_nothing() -> None:
    """What is refused leaves no relations behind."""
    line = Line()
    output = line.revise(DOC, kind="nonsense", relations=(owns("checkout"), works()))
    assert ("UNKNOWN_KIND", ["relation.stated"]) == (refused(output), actions(output))
    assert ["maya works_at acme"] == list(current(line))
    assert () == line.relate(owns("checkout")).changes


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (works(valid_at_us=DAY_US, invalid_at_us=DAY_US), "it ends before it begins"),
        (works(valid_at_us=2**62), "a time that no calendar has"),
        (works(invalid_at_us=-(2**60)), "a time that no calendar has"),
        (Relation(from_entity=MAYA, name=" ", to_entity=ACME), "name is missing"),
        (Relation(from_entity=Entity(name=""), name="n", to_entity=ACME), "from is missing"),
        (Relation(from_entity=MAYA, name="n", to_entity=Entity(name="x" * 257)), "to has 257 characters"),
        (Relation(from_entity=MAYA, name="n", to_entity=Entity(name="x", type="y" * 257)), "type of to has 257"),
    ],
)
def test_what_cannot_be_kept_is_told(relation: Relation, said: str) -> None:
    """The rest of the message is taken; what is left out is in the answer."""
    line = Line()
    output = line.relate(relation, works())
    assert (["relation.stated"], 1) == (actions(output), len(output.left_out))
    assert said in output.left_out[0]


def test_a_message_states_no_more_than_its_limit() -> None:
    """The first 200 relations are kept, and of one said twice the last; a document's record says so, too."""
    line = Line()
    many = tuple(owns(f"s{number}") for number in range(201))
    told = line.relate(*(works(valid_at_us=1), works(valid_at_us=2)))
    assert (1, {"maya works_at acme": Window(valid_at_us=2)}) == (len(told.changes), current(line))
    output = line.revise(DOC, relations=many)
    assert 200 == len(reasons(output))
    upstream = line.held("1-tail").upstream
    assert upstream is not None
    assert ("relations: there are more than 200; the first 200 are kept",) == upstream.left_out
    assert upstream.left_out == output.left_out


def test_relations_and_their_ends_fold_to_the_same() -> None:
    """The fold of all outputs is the live state, also when a message comes twice."""
    line = Line()
    for relations in ((owns("a"),), (owns("b"), owns("a")), ()):
        line.revise(DOC, str(relations), relations=relations)
        line.relate(*relations, works(valid_at_us=len(relations)), actor=AGENT)
    line.feed(line.inputs[-1])
    again = Line()
    for output in line.outputs:
        again.evolve(again.state, output)
    assert line.state == again.state
    assert line.workspace.related.windows
