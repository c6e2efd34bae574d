"""The process over a log in memory: what it publishes, and what a restart or a second one adds."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager

import pytest

from stanchion_contracts import codec
from stanchion_contracts.belief import Beliefs
from stanchion_contracts.observation import Request
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import observation_id, partition_of
from stanchion_fusion.reassessment.follower import OUTPUT, TOPIC, Follower
from stanchion_fusion.reassessment.settings import ReassessmentSettings
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Outgoing
from stanchion_runtime.memory import MemoryLog
from support.beliefs import said
from support.reassessing import Beside

PARTITIONS = 2
HOME = partition_of("docs", PARTITIONS)


class Topic:
    """A log with fusion's outputs on it."""

    def __init__(self) -> None:
        self.log = MemoryLog(partitions=PARTITIONS)
        self._count = 0
        self.log.write(TOPIC, HOME, [Outgoing(value=b"x", headers=((CLAIM, b"1"),))])

    def put(self, outputs: Sequence[Beliefs]) -> None:
        """Write what fusion put out since."""
        batch = []
        for output in outputs:
            headers = ((CAUSE, f"claims:{HOME}:{self._count}".encode()), (EPOCH, b"0"))
            batch.append(Outgoing(value=codec.encode(output), headers=headers))
            self._count += 1
        self.log.write(TOPIC, HOME, batch)


@asynccontextmanager
async def running(topic: Topic) -> AsyncIterator[Follower]:
    """Run one process."""
    follower = Follower(topic.log, range(PARTITIONS), partitions=PARTITIONS, now_us=lambda: 7)
    task = asyncio.create_task(follower.run())
    try:
        yield follower
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(topic: Topic, count: int) -> list[Request]:
    """Give what was published once it is so much."""
    found: list[Request] = []
    async with asyncio.timeout(20), aclosing(topic.log.follow(OUTPUT, {HOME: 0})) as following:
        async for records in following:
            found += [codec.decode(record.value, Request) for record in records]
            if len(found) >= count:
                break
    return found


def contradicted() -> Beside:
    """Give a workspace with one contradiction."""
    beside = Beside()
    beside.say(said("5", source="a", evidence="citation"), said("7", source="b", evidence="citation"))
    return beside


async def test_a_tick_brings_a_look() -> None:
    """What is found is asked of ingest as Stanchion itself, on the workspace's partition, by an id of the hour."""
    topic, beside = Topic(), contradicted()
    async with running(topic) as follower:
        await follower.ready.wait()
        beside.tick(1)
        topic.put(beside.outputs)
        (request,) = await until(topic, 1)
    assert ("findings:1:1", "stanchion", "stanchion", "system-event", 7) == (
        request.event_id,
        request.publisher,
        request.source,
        request.path,
        request.meta.time_us,
    )
    assert observation_id("docs", "stanchion", "findings:1:1") == request.meta.id
    assert request.body is not None
    assert ["contradiction"] == [one.kind for one in request.body.findings]


async def test_two_processes_ask_the_same() -> None:
    """Both publish, and but for the stamp one cannot tell which: ingest takes the first and drops the other."""
    topic, beside = Topic(), contradicted()
    beside.tick(1)
    async with running(topic) as one, running(topic) as other:
        await one.ready.wait()
        await other.ready.wait()
        topic.put(beside.outputs)
        first, second = await until(topic, 2)
    assert first == second


async def test_a_start_looks_for_the_last_tick_alone() -> None:
    """Of many hours that have been, only the last is looked at, and not where its look came back already."""
    topic, beside = Topic(), contradicted()
    for hour in range(1, 5):
        asked = beside.tick(hour)
    topic.put(beside.outputs)
    async with running(topic):
        (request,) = await until(topic, 1)
    assert "findings:4:1" == request.event_id
    told = len(beside.outputs)
    beside.back(asked, 4)
    topic.put(beside.outputs[told:])
    async with running(topic) as follower:
        await follower.ready.wait()
        told = len(beside.outputs)
        beside.say(*(said(text, subject="fan", source=text, evidence="citation") for text in "57"))
        beside.tick(5)
        topic.put(beside.outputs[told:])
        first, second = await until(topic, 2)
    assert ["findings:4:1", "findings:5:1"] == [first.event_id, second.event_id]


async def test_health_says_when_all_is_folded() -> None:
    """Until what was there is folded, the process is not ready."""
    topic = Topic()
    follower = Follower(topic.log, [HOME], partitions=PARTITIONS)
    assert (False, False) == (follower.health()["ok"], follower.health()["ready"])
    async with running(topic) as follower:
        await follower.ready.wait()
        assert (True, {"0": 1 - HOME, "1": HOME}) == (follower.health()["ready"], follower.health()["positions"])


async def test_an_output_that_cannot_be_read_ends_it() -> None:
    """It says where that stands, and goes no further."""
    topic = Topic()
    headers = ((CAUSE, f"claims:{HOME}:0".encode()), (EPOCH, b"0"))
    topic.log.write(TOPIC, HOME, [Outgoing(value=b"not avro", headers=headers)])
    with pytest.raises(InvalidMessage) as caught:
        await Follower(topic.log, [HOME], partitions=PARTITIONS).run()
    assert [f"while reading beliefs:{HOME}:1"] == caught.value.__notes__


def test_partitions_are_named_or_all() -> None:
    """An empty list means all; one that is not there, or is no number, is refused."""
    assert (0, 1, 2) == ReassessmentSettings().held(3)
    assert (0, 2) == ReassessmentSettings(partitions="2, 0").held(3)
    with pytest.raises(ValueError, match="names 3"):
        ReassessmentSettings(partitions="3").held(3)
    with pytest.raises(ValueError, match="no partition"):
        ReassessmentSettings(partitions="x").held(3)
