"""One Publish stream, from events to acknowledgements."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

import pytest

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.observation import Request
from stanchion_core.errors import InvalidMessage, Transient
from stanchion_ingest.line import Answer, Line
from stanchion_ingest.publishing import Prepared, Publishing
from stanchion_runtime import rpc
from stanchion_runtime.log import Outgoing
from stanchion_runtime.memory import MemoryLog
from support.arrivals import request
from support.callers import calling
from support.decider import Decider, Message


def prepare(event: pb.PublishRequest) -> Prepared:
    """Make an event a request.

    Raises:
        InvalidMessage: the type is `bad`.
    """
    if event.type == "bad":
        raise InvalidMessage("FIELD_VALUE", "type is bad")
    message = request(event_id=event.id)
    return Prepared(id=event.id, workspace=event.workspace, value=codec.encode(message), awaited=event.await_answer)


def stream(line: Line, *, window: int = 100, window_bytes: int = 100_000) -> Publishing:
    """One stream's work."""
    return Publishing(line, prepare, window=window, window_bytes=window_bytes, answer_s=5.0)


def event(number: int, *, workspace: str = "acme", awaited: bool = False, kind: str = "good") -> pb.PublishRequest:
    """One of a caller's events."""
    return pb.PublishRequest(id=f"e-{number}", workspace=workspace, type=kind, await_answer=awaited)


class Caller:
    """Sends events, and knows how many were taken from it.

    Attributes:
        taken: how many.
    """

    def __init__(self, events: Iterable[pb.PublishRequest]) -> None:
        """Send nothing yet."""
        self._events = events
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[pb.PublishRequest]:
        """Send one after the other."""
        for each in self._events:
            self.taken += 1
            yield each


async def acknowledged(work: Publishing, caller: Caller) -> list[tuple[str, Answer | None]]:
    """Read a stream to its end."""
    return [response async for response in work.responses(aiter(caller))]


def ids(log: MemoryLog, partition: int) -> list[str]:
    """Give the ids of what lies in a partition of `requests`."""
    return [codec.decode(record.value, Request).event_id for record in log.records("requests", partition)]


async def test_acknowledged_in_order(line: Line, log: MemoryLog) -> None:
    """Every event is acknowledged in the caller's order, and lies in that order in its workspace's partition."""
    calling()
    spaces = ["acme", "beta", "gamma"]
    events = [event(number, workspace=spaces[number % 3]) for number in range(500)]
    responses = await acknowledged(stream(line), Caller(events))
    assert [each.id for each in events] == [event_id for event_id, _ in responses]
    for partition in range(4):
        expected = [each.id for each in events if line.partition(each.workspace) == partition]
        assert expected == ids(log, partition)
    assert {"waiting": 0, "bytes": 0} == line.load()


async def test_awaited_answers_keep_the_order(line: Line, decider: Decider) -> None:
    """An event whose answer is awaited holds back the acknowledgements behind it, and carries the answer."""
    calling()

    def landed(message: Message, seq: int) -> Changes:
        return Changes(meta=message.meta, recorded_at_us=message.meta.time_us, last_seq=seq + 1)

    decider.decide = landed
    events = [event(number, awaited=number % 2 == 0) for number in range(6)]
    responses = await acknowledged(stream(line), Caller(events))
    assert [each.id for each in events] == [event_id for event_id, _ in responses]
    assert [True, False] * 3 == [answer is not None for _, answer in responses]
    assert [1, 3, 5] == [answer.min_seq for _, answer in responses if answer is not None]


async def test_refused_event_ends_the_stream(line: Line, log: MemoryLog) -> None:
    """What came before a wrong event is acknowledged; what comes after it is not taken."""
    calling()
    caller = Caller([event(0), event(1), event(2, kind="bad"), event(3)])
    responses = stream(line).responses(aiter(caller))
    assert ["e-0", "e-1"] == [(await anext(responses))[0], (await anext(responses))[0]]
    with pytest.raises(InvalidMessage, match="type is bad"):
        await anext(responses)
    assert ["e-0", "e-1"] == ids(log, line.partition("acme"))
    assert 3 == caller.taken
    assert {"waiting": 0, "bytes": 0} == line.load()


async def test_window_holds_the_caller_back(line: Line) -> None:
    """No more events are taken than the window has room for, by number and by bytes."""
    calling()
    size = len(prepare(event(0)).value)
    for work in (stream(line, window=5), stream(line, window_bytes=5 * size)):
        caller = Caller(event(number) for number in range(100))
        responses = work.responses(aiter(caller))
        most = 0
        async for _ in responses:
            most = max(most, line.load()["bytes"] // size)
        assert 100 == caller.taken
        assert 5 >= most


async def test_overload_is_refused(line: Line) -> None:
    """More answers awaited than the gateway keeps ends the stream with when to come again."""
    calling()
    waiting = [line.expect("acme") for _ in range(8)]
    with pytest.raises(rpc.Refused) as caught:
        await acknowledged(stream(line), Caller([event(0), event(1, awaited=True)]))
    assert ("OVERLOADED", 0.5) == (caught.value.reason, caught.value.retry_after_s)
    for each in waiting:
        line.forget(each)
    assert {"waiting": 0, "bytes": 0} == line.load()


class AwayLog(MemoryLog):
    """A log that takes nothing."""

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Take nothing.

        Raises:
            Transient: always.
        """
        raise Transient(f"{topic}:{partition}: {len(batch)} not taken")


async def test_log_that_is_away(log: MemoryLog) -> None:
    """When Kafka is away the stream ends, says so, and that the same may be sent again."""
    calling()
    line = Line(AwayLog(partitions=4), 4, most_waiting=8, most_bytes=1_000_000)
    with pytest.raises(rpc.Refused) as caught:
        await acknowledged(stream(line), Caller([event(0), event(1)]))
    assert ("TRANSIENT", 0.5) == (caught.value.reason, caught.value.retry_after_s)
    assert {"waiting": 0, "bytes": 0} == line.load()
    assert not log.records("requests", 0)


async def test_unanswered_event_ends_the_stream(log: MemoryLog) -> None:
    """An awaited answer that does not come within the deadline leaves the outcome unknown."""
    calling(deadline_s=0.05)
    line = Line(log, 4, most_waiting=8, most_bytes=1_000_000)
    with pytest.raises(rpc.Refused, match="OUTCOME_UNKNOWN"):
        await acknowledged(stream(line), Caller([event(0, awaited=True), event(1)]))
    assert {"waiting": 0, "bytes": 0} == line.load()


async def test_caller_that_leaves(line: Line) -> None:
    """A stream that its caller leaves lets go of all it had in hand, and of its tasks."""
    calling()
    before = asyncio.all_tasks()
    responses = stream(line).responses(aiter(Caller(event(number) for number in range(50))))
    await anext(responses)
    await responses.aclose()  # type: ignore[attr-defined] # it is an asynchronous generator
    assert {"waiting": 0, "bytes": 0} == line.load()
    assert before == asyncio.all_tasks()
