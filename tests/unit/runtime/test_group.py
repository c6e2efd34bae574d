import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import pytest
from aiokafka import ConsumerRecord, TopicPartition
from aiokafka.consumer import fetcher
from structlog.testing import capture_logs

from stanchion_contracts.topics import topic_name
from stanchion_core.errors import Transient
from stanchion_runtime import clock, group
from stanchion_runtime.group import Member
from stanchion_runtime.header_names import AnyNames
from stanchion_runtime.log import Bounds, Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.settings import KafkaSettings
from support.stages import front

PLACES = {TopicPartition(topic_name(key, "stanchion"), 0) for key in ("inbox", "requests")}


async def at_once() -> None:
    """What a cluster does that is there."""


async def never() -> None:
    """What a cluster does that is away."""
    await asyncio.Event().wait()


class Consumer:
    """A consumer of partition 0 of both inputs; each poll gives the next of `polls`, then waits."""

    def __init__(self, *, start: Callable[[], Awaitable[None]] = at_once) -> None:
        self.polls: list[dict[Any, list[Any]] | BaseException] = []
        self.places: dict[Any, int] = {}
        self.waiting = asyncio.Event()
        self.starting = asyncio.Event()
        self.committing = asyncio.Event()
        self.stopped = False
        self._start = start

    async def start(self) -> None:
        """Connect."""
        self.starting.set()
        await self._start()

    async def stop(self) -> None:
        """Leave."""
        self.stopped = True

    def subscribe(self, topics: Iterable[str], listener: object) -> None:
        """Wait for an assignment; the tests say when there is one."""

    def assignment(self) -> set[Any]:
        """Give what is assigned, during a rebalance what was."""
        return PLACES

    def seek(self, place: object, offset: int) -> None:
        """Stand somewhere."""
        self.places[place] = offset

    async def getmany(self, **_: int) -> dict[Any, list[Any]]:
        """Give what is there, or wait."""
        if self.polls:
            found = self.polls.pop(0)
            if isinstance(found, BaseException):
                self.places.clear()
                raise found
            return found
        self.waiting.set()
        await asyncio.Event().wait()
        return {}

    async def commit(self, _offsets: object) -> None:
        """Wait for a coordinator that does not come back."""
        self.committing.set()
        await asyncio.Event().wait()


class Log(MemoryLog):
    """A log that tells when somebody asks for the ends of the last input, the end of every adoption."""

    def __init__(self) -> None:
        super().__init__(partitions=1)
        self.at_the_end: Callable[[], None] = lambda: None

    async def bounds(self, topic: str, partitions: Iterable[int]) -> dict[int, Bounds]:
        """Give what each partition holds."""
        if topic == "requests":
            self.at_the_end()
        return await super().bounds(topic, partitions)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Keep log lines out of the report."""
    with capture_logs():
        yield


def joined(monkeypatch: pytest.MonkeyPatch, consumer: Consumer, log: MemoryLog) -> Member:
    """Give a member that has this consumer."""
    monkeypatch.setattr(group, "AIOKafkaConsumer", lambda **_: consumer)
    processor = Processor(front(), log, Options(partitions=1, owner="one"), Metrics())
    return Member(processor, KafkaSettings(), instance="", client_id="test")


def an_input() -> dict[Any, list[Any]]:
    """Give a poll with one record of the inbox."""
    place = TopicPartition(topic_name("inbox", "stanchion"), 0)
    raw = ConsumerRecord(
        topic=place.topic,
        partition=0,
        offset=0,
        timestamp=0,
        timestamp_type=0,
        key=None,
        value=b"a",
        checksum=None,
        serialized_key_size=-1,
        serialized_value_size=1,
        headers=(),
    )
    return {place: [raw]}


async def test_what_is_assigned_is_adopted_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member claims what it was given, answers what it reads and leaves with nothing in flight."""
    consumer, log = Consumer(), Log()
    log.write("inbox", 0, [Outgoing(value=b"a")])
    consumer.polls = [an_input()]
    member = joined(monkeypatch, consumer, log)
    member.take_up()
    running = asyncio.ensure_future(member.run())
    await consumer.waiting.wait()
    assert (True, 2) == (member.ready, len(log.records("observations", 0)))
    member.stop()
    await running
    assert (False, True) == (member.ready, consumer.stopped)


async def test_partitions_lost_as_their_adoption_ends_are_not_fed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rebalance that begins in the very moment an adoption is done takes the partitions all the same."""
    consumer, log = Consumer(), Log()
    log.write("inbox", 0, [Outgoing(value=b"a")])
    consumer.polls = [an_input()]
    member = joined(monkeypatch, consumer, log)
    lost: list[asyncio.Future[None]] = []

    def rebalance() -> None:
        lost.append(asyncio.ensure_future(member.give_up()))

    def soon() -> None:
        asyncio.get_running_loop().call_soon(rebalance)

    log.at_the_end = soon
    member.take_up()
    running = asyncio.ensure_future(member.run())
    await consumer.waiting.wait()
    assert (False, 1) == (member.ready, len(log.records("observations", 0)))
    member.stop()
    await asyncio.gather(running, *lost)


async def test_partitions_lost_before_their_adoption_are_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim written after the next owner's would supersede that one for nothing."""
    consumer, log = Consumer(), Log()
    member = joined(monkeypatch, consumer, log)
    member.take_up()
    await member.give_up()
    running = asyncio.ensure_future(member.run())
    await consumer.waiting.wait()
    assert [] == log.records("observations", 0)
    member.take_up()
    consumer.waiting.clear()
    await consumer.waiting.wait()
    assert (True, 1) == (member.ready, len(log.records("observations", 0)))
    member.stop()
    await running


async def test_a_commit_that_nobody_answers_keeps_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Committed offsets are for monitoring: with the coordinator away the process ends nevertheless."""
    consumer, log = Consumer(), Log()
    log.write("inbox", 0, [Outgoing(value=b"a")])
    consumer.polls = [an_input()]
    member = joined(monkeypatch, consumer, log)
    member.take_up()
    running = asyncio.ensure_future(member.run())
    await consumer.committing.wait()
    await consumer.waiting.wait()
    member.stop()
    async with asyncio.timeout(5):
        await running
    assert consumer.stopped


async def test_a_member_that_cannot_join_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop while the cluster is away does not wait for it."""
    consumer = Consumer(start=never)
    member = joined(monkeypatch, consumer, Log())
    running = asyncio.ensure_future(member.run())
    await consumer.starting.wait()
    member.stop()
    async with asyncio.timeout(5):
        await running
    assert consumer.stopped


async def test_a_client_that_cancels_itself_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What aiokafka cancels of its own is no stop of ours: taken for one, the process would live on and do nothing."""
    consumer = Consumer()
    consumer.polls = [asyncio.CancelledError()]
    member = joined(monkeypatch, consumer, Log())
    member.take_up()
    with pytest.raises(Transient, match="the client gave up"):
        await member.run()


async def test_an_adoption_that_a_client_cancels_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same while partitions are adopted: else everything read later would be dropped as not yet ours."""
    log = Log()

    def cancel() -> None:
        raise asyncio.CancelledError

    log.at_the_end = cancel
    member = joined(monkeypatch, Consumer(), log)
    member.take_up()
    with pytest.raises(Transient, match="the client gave up"):
        await member.run()


async def test_a_member_that_its_group_forgets_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an assignment for longer than a rebalance can take, starting again is the only way on."""
    monkeypatch.setattr(group, "_UNREADY_S", 100.0)
    monkeypatch.setattr(clock, "monotonic_s", iter([0.0, 50.0, 150.0]).__next__)
    consumer = Consumer()
    consumer.polls = [{}, {}, {}]
    with pytest.raises(Transient, match="assigned nothing to this member for 150 s"):
        await joined(monkeypatch, consumer, Log()).run()


async def test_a_header_that_is_no_text_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to the inbox may call a header anything: the member reads on, from where it stood."""
    monkeypatch.setattr(fetcher, "MemoryRecords", fetcher.MemoryRecords)
    consumer, log = Consumer(), Log()
    log.write("inbox", 0, [Outgoing(value=b"a"), Outgoing(value=b"b")])
    unreadable = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    consumer.polls = [an_input(), unreadable, {}]
    member = joined(monkeypatch, consumer, log)
    member.take_up()
    running = asyncio.ensure_future(member.run())
    async with asyncio.timeout(5):
        await asyncio.wait([running, asyncio.ensure_future(consumer.waiting.wait())], return_when="FIRST_COMPLETED")
    assert {1, 0} == set(consumer.places.values())
    assert (PLACES, AnyNames) == (set(consumer.places), fetcher.MemoryRecords)
    member.stop()
    await running


async def test_what_stays_unreadable_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """When reading any names does not help, the process ends rather than read the same record for ever."""
    monkeypatch.setattr(fetcher, "MemoryRecords", fetcher.MemoryRecords)
    consumer = Consumer()
    consumer.polls = [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte") for _ in range(2)]
    member = joined(monkeypatch, consumer, Log())
    member.take_up()
    with pytest.raises(UnicodeDecodeError):
        await member.run()
