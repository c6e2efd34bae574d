"""However the ledger comes in, the view holds the same."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stanchion_contracts.ledger import Ledger
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.walk import validity
from stanchion_view import handler
from stanchion_view.core.output import Output
from stanchion_view.core.query import holds
from stanchion_view.core.standing import Standings
from stanchion_view.core.state import Draft, Workspace
from stanchion_view.replica import Replica
from support.ledgers import Scribe, due
from support.view_steps import Step, ledger, steps
from support.views import batch_of, replica_at, stream

BASE = base_vocabulary()


def one_by_one(messages: Sequence[Ledger]) -> tuple[Workspace, list[Any]]:
    """The plain fold: each message in a draft of its own, no file."""
    workspace, events = Workspace.empty(BASE), []
    for message in messages:
        draft, output = Draft(workspace), Output()
        handler.apply(draft, output, BASE, message)
        draft.settle()
        events += output.events
    return workspace, events


def _events(replica: Replica) -> list[Any]:
    """Every event that the file tells."""
    rows = replica.store.changes("acme", (0, -1), 1 << 40, 100_000)
    return [(seq, n) for seq, n, _ in rows]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps(), st.lists(st.integers(1, 4), max_size=10), st.lists(st.integers(1, 9), max_size=10))
def test_batches_of_any_size_and_a_restart_give_the_plain_fold(
    taken: list[Step], sizes: list[int], batches: list[int]
) -> None:
    """Batch sizes, repeats, drafts, the file and a restart in the middle leave no trace in what is held or told."""
    messages = ledger(taken, sizes)
    plain, events = one_by_one(messages)
    parts, at = [], 0
    for size in [*batches, len(messages)]:
        if messages[at : at + size]:
            parts += [batch_of(messages[at : at + size], first=1 + at)] * (1 + size % 2)
        at += size
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "view.duckdb"
        replica = replica_at(path)
        half = len(parts) // 2
        asyncio.run(replica.follow(stream(parts[:half])))
        if len(taken) % 2:
            replica.close()
            replica = replica_at(path)
        asyncio.run(replica.follow(stream(parts[half:])))
        held, told = replica.workspaces.get("acme", Workspace.empty(BASE)), _events(replica)
        replica.close()
        again = replica_at(path)
        assert plain == held
        assert plain == again.workspaces.get("acme", Workspace.empty(BASE))
        again.close()
    assert [(event.seq, event.n) for event in events] == told


@settings(max_examples=100, deadline=None)
@given(steps())
def test_what_opened_is_what_the_walk_says(taken: list[Step]) -> None:
    """`needs_review.opened` names exactly the records whose state became needs_review by the change itself."""
    workspace = Workspace.empty(BASE)
    for message in ledger(taken):
        before = _open(workspace)
        draft, output = Draft(workspace), Output()
        handler.apply(draft, output, BASE, message)
        draft.settle()
        named = {name for event in output.events if event.n for name in event.record_ids}
        seq = workspace.last_seq
        became = {
            name
            for name in _open(workspace) - before
            if all(reason.seq == seq for reason in _validity(workspace, name).reasons)
        }
        assert became == named


@settings(max_examples=100, deadline=None)
@given(steps(), st.integers(0, 60))
def test_what_is_kept_of_standings_is_what_the_walk_says(taken: list[Step], days: int) -> None:
    """A state from what was kept over any changes equals a fresh walk's, whatever the time."""
    workspace, kept = Workspace.empty(BASE), Standings()
    for message in ledger(taken):
        draft = Draft(workspace)
        handler.apply(draft, Output(), BASE, message)
        draft.settle()
        kept.forget(workspace.heads, draft.records.put)
        now_us = workspace.last_us + days * 86_400_000_000
        for name in workspace.heads.records:
            assert holds(workspace, name, now_us).state == kept.state(workspace, name, now_us)


def _validity(workspace: Workspace, name: str) -> Any:  # noqa: ANN401 - a walk's result
    return validity(workspace.heads.records.get, name, 0, workspace.last_seq)


def _open(workspace: Workspace) -> set[str]:
    """The records that need review now."""
    heads = workspace.heads.records
    return {name for name, head in heads.items() if not head.deleted and _validity(workspace, name).reasons}


def test_dates_open_nothing() -> None:
    """A date that comes up is told, and opens no review."""
    scribe = Scribe()
    _, events = one_by_one([scribe.message(scribe.write("r", "rule")), scribe.message(due("r"))])
    assert ["record.created", "date.reached"] == [event.kind for event in events]
