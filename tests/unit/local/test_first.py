"""The first answer, and what it is held against."""

import json

import pytest

from stanchion import Event
from stanchion.importer import standing
from stanchion.stale import Count, Past, Stale
from stanchion_local.errors import WrongAnswer
from stanchion_local.first import First, check


def change(uri: str, **more: object) -> Event:
    """A change of a document."""
    return Event(id=uri, source="s", type="t", data=json.dumps({"uri": uri, **more}).encode())


def first(missing: tuple[str, ...] = (), in_force: int = 2, through: int = 9, past: tuple[Past, ...] = ()) -> First:
    """An answer over two documents."""
    counts = (Count(kind="decision", in_force=in_force, fallen=0),)
    stale = Stale(workspace="docs", checked_through=through, counts=counts, past=past)
    return First(events=3, files=2, missing=missing, stale=stale)


def test_standing_follows_moves_and_deletions() -> None:
    """A moved document stands under its new name, a deleted one no longer."""
    events = [change("a"), change("b"), change("c", former_uri="a"), change("b", deleted=True)]
    assert {"c"} == standing(events)


def test_a_right_answer_passes() -> None:
    """Decisions in force, or only past ones, are an answer."""
    check(first())
    check(first(in_force=0, past=(Past(id="1", name="1", kind="decision", label="l", status="superseded"),)))


def test_a_document_without_a_record_is_named() -> None:
    """Every document of the folder must have its record."""
    with pytest.raises(WrongAnswer, match=r"1 of 2 documents have no record: docs/0002\.md"):
        check(first(missing=("docs/0002.md",)))


@pytest.mark.parametrize(("in_force", "through"), [(0, 9), (2, 0)])
def test_an_empty_answer_fails(in_force: int, through: int) -> None:
    """No decision at all, or nothing checked, is no answer."""
    with pytest.raises(WrongAnswer, match="empty"):
        check(first(in_force=in_force, through=through))
