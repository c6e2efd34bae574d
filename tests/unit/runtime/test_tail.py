import asyncio

from stanchion_runtime.log import Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.tail import Batch, Gap, Start, Tail, from_the_end

CLAIM = Outgoing(value=b"", headers=(("claim", b"x"),))


def output(epoch: int, cause: int, value: bytes = b"v") -> Outgoing:
    """Give an output."""
    return Outgoing(value=value, headers=(("cause", b"beliefs:0:%d" % cause), ("epoch", b"%d" % epoch)))


def a_log() -> MemoryLog:
    """Give a log of two owners, with one late output of the first."""
    log = MemoryLog(partitions=1)
    log.write("changes", 0, [CLAIM, output(0, 0), output(0, 1), CLAIM, output(0, 2), output(3, 2), output(3, 3, b"")])
    return log


async def through(tail: Tail, end: int) -> Batch:
    """Read one partition up to an offset, in one batch."""
    return [batch async for batch in tail.through({0: end})][-1]


async def test_a_reader_gets_what_counts() -> None:
    """Accepted records come in order, empty ones too; claims and late outputs do not."""
    batch = await through(Tail(a_log(), "changes", {0: Start()}), 7)
    assert [1, 2, 5, 6] == [record.offset for record in batch.records]
    assert (7, "3|beliefs=4") == (batch.position, batch.up)


async def test_a_reader_resumes_from_what_it_stored() -> None:
    """Position and rule go on in another process exactly where they ended."""
    log = a_log()
    for cut in range(1, 7):
        first = await through(Tail(log, "changes", {0: Start()}), cut)
        resumed = Tail(log, "changes", {0: Start(position=first.position, up=first.up)})
        second = await through(resumed, 7)
        assert [1, 2, 5, 6] == [record.offset for record in first.records + second.records]


async def test_batches_follow_after_catching_up() -> None:
    """What comes after the caught-up end is given as it is appended."""
    log = a_log()
    tail = Tail(log, "changes", {0: Start()})
    await through(tail, 7)
    batches = tail.batches()
    coming = asyncio.ensure_future(anext(batches))
    await log.append("changes", 0, [output(3, 4)])
    assert [7] == [record.offset for record in (await coming).records]
    await batches.aclose()


async def test_a_batch_may_hold_nothing_that_counts() -> None:
    """The position still moves, so that a reader stores how far it has read."""
    batch = await through(Tail(a_log(), "changes", {0: Start()}), 1)
    assert ((), 1, "0|") == (batch.records, batch.position, batch.up)


async def test_a_gap_is_reported() -> None:
    """A lost output is named once; everything up to the next claim is dropped."""
    log = MemoryLog(partitions=1)
    log.write("changes", 0, [CLAIM, output(0, 0), output(0, 2), output(0, 3), CLAIM, output(4, 1)])
    tail = Tail(log, "changes", {0: Start()})
    batch = await through(tail, 6)
    assert [1, 5] == [record.offset for record in batch.records]
    assert [Gap(topic="changes", partition=0, offset=2)] == tail.gaps


async def test_a_reader_without_a_position_starts_at_the_last_owner() -> None:
    """The last record's epoch names the claim to begin at; a claim is one itself."""
    log = a_log()
    assert {0: 3} == {n: start.position for n, start in (await from_the_end(log, "changes", [0])).items()}
    log.write("changes", 0, [CLAIM])
    assert {0: 7} == {n: start.position for n, start in (await from_the_end(log, "changes", [0])).items()}


async def test_a_late_output_at_the_end_does_not_mislead() -> None:
    """When the last record is of a superseded owner, the way back is longer and what counts is the same."""
    log = a_log()
    log.write("changes", 0, [output(0, 2)])
    starts = await from_the_end(log, "changes", [0])
    assert starts[0].position == 0
    batch = await through(Tail(log, "changes", starts), 8)
    assert [1, 2, 5, 6] == [record.offset for record in batch.records]


async def test_foreign_records_at_the_end_are_passed_over() -> None:
    """Records that name no claim are not the line's; the search goes on before them, however many they are."""
    log = a_log()
    log.write("changes", 0, [Outgoing(value=b"x", headers=(("epoch", b"99999"),)), *[Outgoing(value=b"y")] * 300])
    assert (await from_the_end(log, "changes", [0]))[0].position == 3


async def test_an_empty_partition_starts_at_its_beginning() -> None:
    """Nothing to go back to: the first claim is still to come."""
    log = MemoryLog(partitions=1)
    starts = await from_the_end(log, "changes", [0])
    assert {0: Start()} == starts
