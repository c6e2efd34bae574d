import json

import msgspec
import pytest

from stanchion_contracts.change import Move
from stanchion_contracts.record import Citation, Link
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_view import handler
from stanchion_view.core.state import Draft, Workspace, key_of
from support.ledgers import BOT, START_US, STEP_US, Scribe, field_moved, said, trusted

BASE = base_vocabulary()


def folded(base: Workspace, *messages: object) -> tuple[Draft, handler.Output]:
    """Messages folded into a draft."""
    draft, output = Draft(base), handler.Output()
    for message in messages:
        handler.apply(draft, output, BASE, message)  # type: ignore[arg-type]  # the scribe's messages
    return draft, output


def test_a_record_becomes_a_version_a_head_and_a_change() -> None:
    """The rows of one written record, column by column."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d1", label="One", body="why", status="active", room="pay", fields={"area": "x"})),
    )
    rows = handler.rows({"acme": draft}, [output])
    at_us = START_US + STEP_US
    (version,) = rows["versions"]
    assert version[:12] == (
        *("acme", key_of("acme", "d1"), "d1", 1, 1, at_us, "decision", "pay", "One", "active", False),
        '{"area":"x","status":"active"}',
    )
    assert "why" == version[13]
    (head,) = rows["heads"]
    assert ("acme", key_of("acme", "d1"), "d1", 1) == head[:4]
    (change,) = rows["changes"]
    assert ("acme", 1, 0, at_us) == change[:4]
    assert "record.created" == json.loads(str(change[4]))["kind"]
    assert rows["beliefs"] == rows["notes"] == []


def test_a_belief_brings_its_contributions() -> None:
    """A moved belief is one row with what was added."""
    scribe = Scribe()
    draft, output = folded(Workspace.empty(BASE), scribe.message(scribe.believe(said("5"), said("7", source="erp"))))
    (row,) = handler.rows({"acme": draft}, [output])["beliefs"]
    assert ("acme", key_of("acme", "acme", "tam"), "acme", "tam", 1) == row[:5]
    assert ["crm", "erp"] == [each["source"] for each in json.loads(str(row[6]))]


def test_an_affirmation_leaves_its_seq_and_puts_nothing_on_watch() -> None:
    """The change's row has a time and no event, and the head is stood behind."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE), scribe.message(scribe.write("d1"), actor=BOT), scribe.message(scribe.affirm("d1"))
    )
    assert output.changes[1] == ("acme", 2, 0, START_US + 2 * STEP_US, "")
    assert ["record.created"] == [event.kind for event in output.events]
    assert 2 == draft.records["d1"].baseline


def test_a_draft_leaves_its_base_alone_until_it_settles() -> None:
    """Readers see nothing of a batch before it is committed, whatever it changes."""
    scribe = Scribe()
    base = Workspace.empty(BASE)
    cited = [Citation(uri="https://example.org/a", quote="q")]
    first, _ = folded(
        base,
        scribe.message(
            scribe.write("h", "hypothesis", status="open"),
            scribe.write("d", status="active", links=[Link(name="assumes", to="h")], evidence=cited),
            trusted("crm", 0.9),
        ),
    )
    first.settle()
    before = msgspec.json.encode((
        base.heads.records,
        base.heads.linked_from,
        base.heads.citing,
        base.cards,
        base.trust,
    ))
    second, _ = folded(
        base,
        scribe.message(
            scribe.write("h", status="refuted", moves=[field_moved("status", "refuted")]),
            scribe.write("d", links=[], evidence=[]),
            scribe.write("d", delete=True, moves=[Move(kind="deleted")]),
            trusted("crm", None, 0.9),
        ),
    )
    after = msgspec.json.encode((base.heads.records, base.heads.linked_from, base.heads.citing, base.cards, base.trust))
    assert before == after
    second.settle()
    assert (base.last_seq, base.trust, base.cards["d"].deleted) == (7, {}, True)


def test_what_a_write_leaves_out_stays() -> None:
    """Merge semantics of a card: absent stays, empty clears, a body comes from the version that brought it."""
    scribe = Scribe()
    draft, _ = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d", label="One", body="b", fields={"area": "x", "owner": "me"})),
        scribe.message(scribe.write("d", fields={"area": None})),
    )
    card = draft.cards["d"]
    assert (card.label, card.version, card.body_seq, card.body_at_us) == ("One", 2, 1, START_US + STEP_US)
    assert ["owner"] == [field.name for field in card.fields]


def test_a_payload_that_cannot_be_read_stops_the_view() -> None:
    """Past the edge, bytes that cannot be read are a bug: an error, not a row."""
    scribe = Scribe()
    message = scribe.message(scribe.write("d"))
    broken = msgspec.structs.replace(message, payloads=(message.payloads[0][:-3],))
    with pytest.raises(InvalidMessage):
        folded(Workspace.empty(BASE), broken)
