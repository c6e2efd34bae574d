from datetime import UTC, datetime
from typing import Any

from stanchion.results import Actor, LedgerEntry, Record
from stanchion.show import record as show_record
from stanchion.show import tables
from stanchion.story import Story, story_of

AT = datetime(2026, 11, 30, tzinfo=UTC)
MAYA = Actor(kind="person", id="maya")
JO = Actor(kind="person", id="jo")
FEED = Actor(kind="service", id="feed")
SCOUT = Actor(kind="agent", id="scout")


def entry(seq: int, actor: Actor, action: str = "record.written", **after: Any) -> LedgerEntry:  # noqa: ANN401 - JSON
    """Give an entry of the ledger."""
    return LedgerEntry(seq=seq, recorded_at=AT, actor=actor, action=action, after=after)


def told(*entries: LedgerEntry, confirmed: bool = True) -> tuple[str, str, str, str]:
    """Give who sent the record, who stands behind it, how, and in which proposal."""
    story = story_of(Record(id="r", kind="rule", seq=entries[-1].seq, confirmed=confirmed), entries)
    by = story.stands.by.id if story.stands and story.stands.by else ""
    return story.sent_by.id if story.sent_by else "", by, story.stands.how if story.stands else "", story.proposal_id


def test_who_stands_behind_a_record() -> None:
    """Whoever created, approved or affirmed it last, until a change dropped that; an import's author for the import."""
    created = entry(1, MAYA, "record.created", confirmation="given")
    assert ("", "maya", "created", "") == told(created)
    imported = entry(2, FEED, by={"kind": "person", "id": "jo"}, confirmation="given")
    assert ("feed", "jo", "created", "") == told(created, imported)
    approved = entry(3, MAYA, confirmation="given", proposal_id="prop_1")
    assert ("", "maya", "approved", "prop_1") == told(imported, approved)
    assert ("", "jo", "affirmed", "") == told(approved, entry(4, JO, "record.affirmed"))
    assert ("", "maya", "approved", "prop_1") == told(approved, entry(4, SCOUT, label="x"))
    assert ("", "", "", "") == told(approved, entry(4, SCOUT, confirmation="dropped"), confirmed=False)


def test_both_are_named() -> None:
    """The ledger and the record name the author of a text and whoever sent it, plainly."""
    imported = entry(2, FEED, by={"kind": "person", "id": "jo"}, confirmation="given")
    assert "person jo, sent by service feed" in tables.entries([imported], 200).plain
    record = Record(id="r", kind="rule", seq=2, confirmed=True, written_by=JO)
    around = show_record.Around(story=story_of(record, [imported]))
    shown = show_record.render(record, around, 110).plain
    assert "written by     person jo · sent by service feed · seq 2" in shown
    assert "confirmed      by person jo, who wrote it on 2026-11-30, seq 2" in shown
    assert (
        "a person stands behind this version"
        in show_record.render(record, show_record.Around(story=Story()), 110).plain
    )
