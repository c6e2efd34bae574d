"""What a vocabulary says of kinds, statuses and links."""

import pytest

from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary_text import read

BASE = base_vocabulary()


def test_base_declares_the_designs_kinds_and_links() -> None:
    """The base vocabulary has the kinds and links of the records page, in its order."""
    assert ["decision", "rule", "hypothesis", "intent", "document", "statement"] == list(BASE.kinds)
    assert ["based_on", "exception_to", "assumes", "replaces", "depends_on", "refines"] == list(BASE.links)[:6]
    rests = {link.name for link in BASE.links.values() if link.rests}
    assert {"based_on", "exception_to", "assumes", "depends_on", "refines"} == rests
    assert list(range(len(BASE.links))) == [link.order for link in BASE.links.values()]


@pytest.mark.parametrize(
    ("kind", "before", "after", "moved"),
    [
        ("decision", "active", "superseded", True),
        ("decision", "active", "withdrawn", True),
        ("decision", "draft", "rejected", True),
        ("decision", "rejected", "archived", True),
        ("decision", "active", "draft", True),
        ("decision", "rejected", "draft", False),
        ("decision", "draft", "active", False),
        ("decision", "superseded", "active", False),
        ("hypothesis", "open", "refuted", True),
        ("hypothesis", "supported", "abandoned", True),
        ("hypothesis", "refuted", "open", False),
        ("hypothesis", "open", "supported", False),
        ("intent", "standing", "dropped", False),
    ],
)
def test_monitored_status(kind: str, before: str, after: str, moved: bool) -> None:  # noqa: FBT001 - a table
    """Only the changes of status that the kind monitors are moves."""
    assert moved is BASE.kinds[kind].fields["status"].moved(before, after)


def test_only_applies_to_moves_on_a_rule() -> None:
    """Of a rule's other fields only applies_to is monitored."""
    assert {"status", "applies_to"} == {field.name for field in BASE.kinds["rule"].fields.values() if field.monitored}


def test_in_force() -> None:
    """A decision is in force while active; a document has no status and always is; an unknown kind never is."""
    assert BASE.in_force("decision", "active")
    assert not BASE.in_force("decision", "draft")
    assert BASE.in_force("document", "")
    assert not BASE.in_force("nonsense", "active")


def test_a_record_older_than_its_kinds_statuses_is_in_the_first_one() -> None:
    """A kind that gets statuses takes no record out of force that nobody has touched, unless it begins so."""
    begins = "name: own\nkinds: {note: {statuses: [%s], in_force: [live]}}"
    assert [True, False] == [read(begins % words).in_force("note", "") for words in ("live, old", "old, live")]


def test_what_is_not_declared_does_nothing() -> None:
    """A link of another time rests on nothing, supersedes nothing, and comes after all others, by name."""
    links = ["tracks", "replaces", "cites_law", "based_on"]
    assert ["based_on", "replaces", "cites_law", "tracks"] == sorted(links, key=BASE.place)
    assert (False, "") == (BASE.rests("tracks"), BASE.supersedes("tracks"))
    assert (True, "superseded") == (BASE.rests("based_on"), BASE.supersedes("replaces"))
