import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_contracts.command import Write
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.record import Link
from stanchion_runtime.memory import MemoryLog
from support.ledgers import Scribe, closed, due, field_moved, opened, proposal, related, said
from support.views import PARTITIONS, Serving

WORKSPACE = "acme"


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger and keeps few events in memory."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS), recent=3) as running:
        yield running


def watch(serving: Serving, from_seq: int) -> Any:  # noqa: ANN401 - a gRPC call
    """Begin to watch."""
    return serving.stub.Watch(pb.WatchRequest(workspace=WORKSPACE, from_seq=from_seq), metadata=serving.me)


async def through(call: Any, seq: int) -> list[pb.WatchResponse]:  # noqa: ANN401 - a gRPC call
    """Read until everything up to a seq was told."""
    found: list[pb.WatchResponse] = []
    async with asyncio.timeout(10):
        while not found or found[-1].through_seq < seq:
            found.append(await call.read())
    return found


def told(messages: list[pb.WatchResponse]) -> list[tuple[int, str]]:
    """Seq and kind of each event."""
    return [(message.event.seq, message.event.kind) for message in messages if message.HasField("event")]


async def test_history_then_live_without_a_gap(serving: Serving) -> None:
    """A watch from 1 reads the file, then what happens, and an affirmation shows only in through_seq."""
    scribe = Scribe()
    serving.append(*(scribe.message(scribe.write(f"d{at}")) for at in range(5)))
    call = watch(serving, 1)
    assert [(seq, "record.created") for seq in range(1, 6)] == told(await through(call, 5))
    serving.append(scribe.message(scribe.affirm("d0")))
    assert [] == told(await through(call, 6))
    serving.append(scribe.message(scribe.believe(said("5"))), scribe.message(due("d1")))
    assert [(7, "belief.moved"), (8, "date.reached")] == told(await through(call, 8))
    call.cancel()


async def test_what_waits_what_is_related_and_settings_are_told(serving: Serving) -> None:
    """Each change of a proposal, a relation and the settings is an event of its own kind, at its seq."""
    scribe = Scribe()
    waits = proposal("p", Write(id="d", kind="decision", label="D"))
    serving.append(
        scribe.message(opened(waits), opened(waits, "proposal.edited"), closed(waits, "rejected", "no")),
        scribe.message(related("a", "is", "b"), related("a", "is", "b", ended=True), scribe.settle("")),
    )
    messages = await through(watch(serving, 1), 6)
    kinds = ["proposal.opened", "proposal.edited", "proposal.closed", "relation.stated", "relation.ended"]
    assert list(enumerate([*kinds, "workspace.set"], start=1)) == told(messages)
    assert ["p"] * 3 + ["a is b"] * 2 + [WORKSPACE] == [
        message.event.subject_id for message in messages if message.HasField("event")
    ]


async def test_zero_means_from_now_on(serving: Serving) -> None:
    """The first message says where the view stands; what came before is not told."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d0")))
    await through(watch(serving, 1), 1)
    call = watch(serving, 0)
    first = await call.read()
    assert (first.HasField("event"), first.through_seq) == (False, 1)
    serving.append(scribe.message(scribe.write("d1")))
    assert [(2, "record.created")] == told(await through(call, 2))
    call.cancel()


async def test_what_opened_is_told_at_the_seq_that_opened_it(serving: Serving) -> None:
    """A move is told, then the records that need review since, both before through_seq reaches their seq."""
    scribe = Scribe()
    serving.append(
        scribe.message(scribe.write("h", "hypothesis", status="open")),
        scribe.message(scribe.write("d", status="active", links=[Link(name="assumes", to="h")])),
        scribe.message(scribe.write("h", status="refuted", moves=[field_moved("status", "refuted")])),
    )
    messages = await through(watch(serving, 3), 3)
    assert [(3, "record.written"), (3, "needs_review.opened")] == told(messages)
    assert [2, 3] == [message.through_seq for message in messages if message.HasField("event")]
    assert ["d"] == messages[-1].event.record_ids
    assert "d needs review: h was written" == messages[-1].event.reason


async def test_a_watch_goes_on_after_the_view_was_restarted(tmp_path: Path) -> None:
    """A reader that resumes from its through_seq + 1 on a restarted view misses nothing and sees nothing twice."""
    scribe, log = Scribe(), MemoryLog(partitions=PARTITIONS)
    async with Serving(tmp_path, log) as first:
        first.append(*(scribe.message(scribe.write(f"d{at}")) for at in range(3)))
        before = await through(watch(first, 1), 2)
    async with Serving(tmp_path, log) as second:
        second.append(scribe.message(scribe.write("d3")))
        after = await through(watch(second, before[-1].through_seq + 1), 4)
    assert [1, 2, 3, 4] == [seq for seq, _ in told(before) + told(after)]


async def test_a_watcher_that_does_not_read_holds_nobody_up(serving: Serving) -> None:
    """Far more events than memory keeps go by; the slow watcher then reads them all from the file."""
    scribe = Scribe()
    slow = watch(serving, 1)
    await slow.read()
    serving.append(*(scribe.message(scribe.write("d", label=f"v{at}")) for at in range(1200)))
    await through(watch(serving, 1200), 1200)
    assert list(range(1, 1201)) == [seq for seq, _ in told(await through(slow, 1200))]


async def test_a_watch_needs_the_workspace(serving: Serving) -> None:
    """A token for another workspace is refused before anything is told."""
    call = serving.stub.Watch(
        pb.WatchRequest(workspace=WORKSPACE, from_seq=1), metadata=serving.token(workspaces=["other"])
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    assert grpc.StatusCode.PERMISSION_DENIED == caught.value.code()
