import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from stanchion_contracts.change import Change, RecordChange, RecordPart, Upstream
from stanchion_contracts.command import Write
from stanchion_contracts.record import Link
from stanchion_contracts.value import Value
from stanchion_core.ids import partition_of
from stanchion_core.trust import Outcome
from stanchion_runtime.tail import Start
from stanchion_view.core.event import Event
from stanchion_view.core.query import holds
from stanchion_view.core.recent import LAST_OF_SEQ
from stanchion_view.handler import SeqGap
from stanchion_view.replica import Replica
from stanchion_view.tables import TABLES
from support.ledgers import (
    BOT,
    Scribe,
    closed,
    estimated,
    field_moved,
    found,
    judged,
    observed,
    opened,
    proposal,
    related,
    resolved,
    ruled,
    said,
    trusted,
)
from support.views import PARTITIONS, batch_of, replica_at, stream

FIVE = Value(type="number", text="5")


def rows(replica: Replica) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, but for the positions."""
    cursor = replica.store._cursor()
    return {name: cursor.execute(f"FROM {name}").fetchall() for name in TABLES if name != "positions"}


async def test_what_is_applied_is_in_file_and_memory_at_one_position(tmp_path: Path) -> None:
    """After a batch, memory, rows and position agree."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([batch_of([scribe.message(scribe.write("d1", label="One", body="why", status="active"))])])
    assert 1 == replica.last_seq("acme")
    assert {**{p: Start() for p in range(4)}, 0: Start(position=2, up="0|changes=1")} == replica.positions
    assert {0: Start(position=2, up="0|changes=1")} == replica.store.positions()
    assert {1: "why"} == replica.store.bodies("acme", {1: scribe.now_us})
    replica.close()


async def test_restart_finds_the_same_state(tmp_path: Path) -> None:
    """Hot state rebuilt from the file equals hot state that was folded live."""
    scribe = Scribe()
    messages = [
        scribe.message(scribe.write("h1", "hypothesis", label="H", status="open")),
        scribe.message(
            scribe.write("d1", label="One", body="why", status="active", links=[Link(name="assumes", to="h1")]),
            scribe.believe(said("5"), said("7", source="erp")),
            trusted("crm", 0.9),
        ),
        scribe.message(scribe.affirm("d1")),
        scribe.message(trusted("crm", None, 0.9)),
        scribe.message(
            observed("u", "z", "absent", "1"), observed("u", "a", "absent", "2"), observed("v", "q", "absent")
        ),
        scribe.message(observed("v", "q")),
    ]
    live = replica_at(tmp_path / "view.duckdb")
    await live.follow(stream([batch_of(messages)]))
    before = live.workspaces["acme"]
    assert ["u"] == list(before.heads.absent)
    live.close()
    again = replica_at(tmp_path / "view.duckdb")
    assert {"acme": before} == again.workspaces
    assert Start(position=7, up="0|changes=6") == again.positions[0]
    again.close()


async def test_a_record_that_moved_upstream_is_found_again_where_it_is(tmp_path: Path) -> None:
    """A rename makes no version: of two rows of one version the later one stands after a restart, with its body."""
    scribe = Scribe()
    renamed = Change(
        seq=0,
        action="record.renamed",
        subject_kind="decision",
        subject_id="d",
        reason="moved",
        record=RecordChange(
            id="d",
            kind="decision",
            version=1,
            before=RecordPart(upstream=Upstream(uri="old.md")),
            after=RecordPart(upstream=Upstream(uri="new.md")),
        ),
    )
    live = replica_at(tmp_path / "view.duckdb")
    await live.apply([batch_of([scribe.message(scribe.write("d", body="why"))])])
    await live.apply([batch_of([scribe.message(renamed)], first=2)])
    before = live.workspaces["acme"]
    live.close()
    again = replica_at(tmp_path / "view.duckdb")
    assert {"acme": before} == again.workspaces
    card = again.workspaces["acme"].cards["d"]
    assert card.upstream == Upstream(uri="new.md")
    assert {1: "why"} == again.store.bodies("acme", {card.body_seq: card.body_at_us})
    again.close()


async def test_proposals_come_back_oldest_first(tmp_path: Path) -> None:
    """Open ones are listed after a restart as before it, an edited one at its old place; a closed one stays closed."""
    scribe = Scribe()
    waiting = [proposal(name, Write(id="d", label=name)) for name in ("z", "b", "m")]
    live = replica_at(tmp_path / "view.duckdb")
    await live.apply([batch_of([scribe.message(*map(opened, waiting))])])
    messages = [scribe.message(opened(waiting[0], "proposal.edited")), scribe.message(closed(waiting[1]))]
    await live.apply([batch_of(messages, first=2)])
    live.close()
    again = replica_at(tmp_path / "view.duckdb")
    assert ["z", "m"] == list(again.workspaces["acme"].heads.proposals)
    assert {"d": {"z": 1, "m": 3}} == again.workspaces["acme"].waiting
    again.close()


async def test_a_batch_delivered_twice_changes_nothing(tmp_path: Path) -> None:
    """Entries that are in already are passed over."""
    scribe = Scribe()
    waits = opened(proposal("p", Write(id="d1", label="Two")))
    first = batch_of([
        scribe.message(scribe.write("d1", label="One"), waits, related("d1", "is", "one")),
        scribe.message(scribe.believe(said("5")), scribe.settle(approval_only=True)),
        scribe.message(resolved(FIVE, judged(hit=True)), found("stale"), ruled(half_life="fast"), estimated(crm=0.5)),
    ])
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([first])
    before = rows(replica)
    await replica.apply([first])
    assert before == rows(replica)
    assert 9 == replica.last_seq("acme")
    assert {"crm": Outcome(hits=1, judged=1)} == replica.workspaces["acme"].outcomes
    replica.close()


async def test_people_read_judgements_and_trust_from_the_file(tmp_path: Path) -> None:
    """In plain columns: who was judged on the claims that are resolved now, and the settings that hold."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    messages = [
        scribe.message(resolved(FIVE, judged("erp", hit=False)), resolved(FIVE, judged("web", hit=True), subject="b")),
        scribe.message(resolved(FIVE, judged("crm", hit=True)), resolved(None, subject="b"), trusted("crm", 0.5)),
    ]
    await replica.apply([batch_of(messages)])
    cursor = replica.store._cursor()
    assert [("acme", "tam", 3, "crm", "true")] == cursor.execute(
        "SELECT subject, predicate, seq, judgement->>'source', judgement->>'hit' FROM judgements"
    ).fetchall()
    assert [("acme", "crm", 0.5)] == cursor.execute("FROM trust").fetchall()
    replica.close()


async def test_a_missing_entry_stops_the_view_and_nothing_is_written(tmp_path: Path) -> None:
    """A gap in seq is an error that says what to do, and leaves file and memory as they were."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([batch_of([scribe.message(scribe.write("d1"))])])
    scribe.message(scribe.write("lost"))
    late = scribe.message(scribe.write("d3"))
    with pytest.raises(SeqGap, match="stands at seq 1 and the ledger goes on with 3") as caught:
        await replica.apply([batch_of([late], first=2)])
    assert ["at ledger:0:2"] == caught.value.__notes__
    assert 1 == replica.last_seq("acme")
    assert [("d1",)] == list(replica.store.latest("versions", "id"))
    assert 2 == replica.store.positions()[0].position
    replica.close()


async def test_a_waiting_reader_wakes_when_the_seq_is_there(tmp_path: Path) -> None:
    """`reached` waits for the commit, and tells when time was up."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    waiting = asyncio.create_task(replica.reached("acme", 1, 30))
    await replica.apply([batch_of([scribe.message(scribe.write("d1"))])])
    assert await waiting
    assert not await replica.reached("acme", 2, 0.01)
    replica.close()


async def test_rule_two_links_away_needs_review(tmp_path: Path) -> None:
    """A hypothesis refuted by evidence reopens the decision and the rule above it, and one event names both."""
    scribe = Scribe()
    messages = [
        scribe.message(scribe.write("h", "hypothesis", status="open")),
        scribe.message(scribe.write("d", status="active", links=[Link(name="assumes", to="h")])),
        scribe.message(scribe.write("r", "rule", status="active", links=[Link(name="based_on", to="d")])),
        scribe.message(
            scribe.write("h", status="refuted", moves=[field_moved("status", "refuted")], confirmation="dropped"),
            actor=BOT,
        ),
    ]
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([batch_of(messages)])
    acme = replica.workspaces["acme"]
    rule = holds(acme, "r", scribe.now_us)
    assert "needs_review" == rule.state
    assert [("based_on", "d"), ("assumes", "h")] == [(step.link, step.record_id) for step in rule.reasons[0].path]
    ((seq, n, event),) = replica.store.changes("acme", (4, 0), 4, 10)
    assert (4, 1) == (seq, n)
    assert ("d", "r") == msgspec.json.decode(event, type=Event).record_ids
    replica.close()


async def test_memory_of_events_begins_when_somebody_asks(tmp_path: Path) -> None:
    """Nobody asks, nothing is kept; from the first question on memory has what happens, of the last 64 workspaces."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([batch_of([scribe.message(scribe.write("d1"))])])
    assert replica.recent("acme", (0, 0)) is None
    await replica.apply([batch_of([scribe.message(scribe.write("d2"))], first=2)])
    events = replica.recent("acme", (1, LAST_OF_SEQ)) or ()
    assert ["d2"] == [event.subject_id for event in events]
    for at in range(100):
        replica.recent(f"w{at}", (0, 0))
    assert 64 == len(replica._recent)
    replica.close()


async def test_a_view_that_holds_less_than_its_file_shows_less(tmp_path: Path) -> None:
    """Workspaces of partitions that are no longer held are neither followed nor shown, and stay in the file."""
    replica = replica_at(tmp_path / "view.duckdb")
    for partition in range(PARTITIONS):
        name = next(f"w{at}" for at in range(100) if partition_of(f"w{at}", PARTITIONS) == partition)
        scribe = Scribe(name)
        await replica.apply([batch_of([scribe.message(scribe.write("d"))], partition=partition)])
    replica.close()
    fewer = replica_at(tmp_path / "view.duckdb", partitions=(1, 3))
    assert {1, 3} == set(fewer.positions)
    assert {1, 3} == {partition_of(name, PARTITIONS) for name in fewer.workspaces}
    fewer.close()
    again = replica_at(tmp_path / "view.duckdb")
    assert PARTITIONS == len(again.workspaces)
    again.close()
