"""Which records a message made need review."""

from time import process_time

from stanchion_contracts.change import Change, Move
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.record import Link
from stanchion_core.base_vocabulary import base_text, base_vocabulary
from stanchion_core.vocabulary_text import json_text, read
from stanchion_view import handler
from stanchion_view.core.event import Event
from stanchion_view.core.output import Output
from stanchion_view.core.state import Draft, Workspace
from support.ledgers import Scribe

BASE = base_vocabulary()
WITHDRAWN = Move(kind="field", name="status", to="withdrawn")


def told(*messages: Ledger) -> list[Event]:
    """What Watch tells of records that need review, and whether it is all in order."""
    draft, output = Draft(Workspace.empty(BASE)), Output()
    for message in messages:
        handler.apply(draft, output, BASE, message)
    assert [(each.seq, each.n) for each in output.events] == sorted((each.seq, each.n) for each in output.events)
    return [each for each in output.events if each.kind == "needs_review.opened"]


def resting(scribe: Scribe, record: str, *on: str) -> Change:
    """A new record that rests on others."""
    return scribe.write(record, links=[Link(name="depends_on", to=target) for target in on])


def withdrawn(scribe: Scribe, record: str) -> Change:
    """A record that is withdrawn."""
    return scribe.write(record, status="withdrawn", moves=[WITHDRAWN])


def test_each_record_is_told_once_with_what_moved_first() -> None:
    """Of one batch each record is named with the first move that counts against it, nearest first."""
    scribe = Scribe()
    first, second = told(
        scribe.message(*(scribe.write(name) for name in "ab")),
        scribe.message(resting(scribe, "z", "a"), resting(scribe, "on-b", "b")),
        scribe.message(resting(scribe, "far", "z", "b")),
        scribe.message(withdrawn(scribe, "a"), withdrawn(scribe, "b")),
    )
    assert (6, ("z", "far")) == (first.seq, first.record_ids)
    assert (7, ("on-b",)) == (second.seq, second.record_ids)


def test_what_moves_itself_is_told_of_the_rest() -> None:
    """In a circle that moves as a whole each is told of what moved in the others, not of itself."""
    scribe = Scribe()
    first, second = told(
        scribe.message(resting(scribe, "a", "b"), resting(scribe, "b", "a")),
        scribe.message(withdrawn(scribe, "a"), withdrawn(scribe, "b")),
    )
    assert [("b",), ("a",)] == [first.record_ids, second.record_ids]


def test_what_one_batch_moves_and_stands_behind_again_opens_nothing() -> None:
    """A person who withdraws a decision and rewrites the rule on it in one batch is not asked to look at the rule."""
    scribe = Scribe()
    found = told(
        scribe.message(scribe.write("d"), resting(scribe, "r", "d")),
        scribe.message(
            withdrawn(scribe, "d"), scribe.write("r", body="anew", moves=[Move(kind="body")], baseline=True)
        ),
    )
    assert [] == found


def test_another_vocabulary_may_open_reviews() -> None:
    """Where a link begins to rest, what had moved before counts at once: each record it opens is told."""
    scribe = Scribe()
    rests = base_text().replace(
        "amends: {from: [decision, rule], to: [decision, rule]}",
        "amends: {from: [decision, rule], to: [decision, rule], rests: true}",
    )
    assert rests != base_text()
    history = (
        scribe.message(scribe.write("d"), scribe.write("other"), resting(scribe, "open", "d")),
        scribe.message(scribe.write("r", links=[Link(name="amends", to="d"), Link(name="depends_on", to="other")])),
        scribe.message(resting(scribe, "far", "r"), resting(scribe, "calm", "other")),
        scribe.message(withdrawn(scribe, "d")),
    )
    (before,) = told(*history)
    assert ("open",) == before.record_ids
    _, event = told(*history, scribe.message(scribe.settle(json_text(read(rests)))), scribe.message(scribe.settle("")))
    assert (8, ("r", "far"), "workspace") == (event.seq, event.record_ids, event.subject_kind)


def test_a_batch_of_records_that_rest_on_each_other_costs_a_walk_each() -> None:
    """200 records, each on 59 others of them, all moved in one batch: judging each after each move took 46 seconds."""
    scribe = Scribe()
    names = [f"c{number:03}" for number in range(200)]
    around = [[names[(at + step) % len(names)] for step in range(1, 60)] for at in range(len(names))]
    written = scribe.message(*(scribe.write(name) for name in names))
    linked = scribe.message(
        *(
            scribe.write(name, links=[Link(name="depends_on", to=to) for to in on], baseline=True)
            for name, on in zip(names, around, strict=True)
        )
    )
    moved = scribe.message(*(withdrawn(scribe, name) for name in names))
    begun_s = process_time()
    found = told(written, linked, moved)
    assert process_time() - begun_s < 5.0
    assert names == sorted(name for each in found for name in each.record_ids)
