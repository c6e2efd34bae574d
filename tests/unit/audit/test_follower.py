"""From the ledger into the store."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stanchion_audit import follower
from stanchion_audit.follower import TOPIC, Follower, gathered
from stanchion_audit.store import Store, StoreUnusable
from stanchion_contracts.ledger import Ledger
from stanchion_core.ids import partition_of
from stanchion_runtime.log import Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.tail import Batch
from support.changes import CLAIM_RECORD, changes, notarised, on_the_ledger, record_written

PARTITIONS = 2
HOME = partition_of("docs", PARTITIONS)


@pytest.fixture
def writer() -> Iterator[ThreadPoolExecutor]:
    """Give the writer's thread."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@asynccontextmanager
async def opened(path: Path, log: MemoryLog, writer: ThreadPoolExecutor) -> AsyncIterator[Follower]:
    """Give a follower of both partitions with its store open."""
    store = Store(path / "audit.duckdb", memory_mb=64)
    try:
        yield Follower(log, store, range(PARTITIONS), partitions=PARTITIONS, writer=writer)
    finally:
        store.close()


def outputs(count: int) -> list[Ledger]:
    """Give outputs of one entry each."""
    return notarised(*(changes(seq, record_written(seq)) for seq in range(1, count + 1)))


def size(follower: Follower) -> int:
    """Give how many changes are stored."""
    head = follower.store.head("docs", "changes")
    return 0 if head is None else head.tree.size


async def test_a_restart_goes_on_where_the_store_stands(tmp_path: Path, writer: ThreadPoolExecutor) -> None:
    """A second process stores what came since, once, and the first's entries stay."""
    log = MemoryLog(partitions=PARTITIONS)
    records = on_the_ledger(outputs(5), partition=HOME)
    log.write(TOPIC, HOME, [CLAIM_RECORD, *records[:3]])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
        assert (3, {HOME: 4, 1 - HOME: 0}) == (size(follower), follower.positions())
    log.write(TOPIC, HOME, records[3:])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
        assert 5 == size(follower)


async def test_what_the_reader_rule_drops_is_not_stored(tmp_path: Path, writer: ThreadPoolExecutor) -> None:
    """A paused owner that wakes up after another claimed leaves no entry, also across a restart."""
    log = MemoryLog(partitions=PARTITIONS)
    first, second, third = outputs(3)
    log.write(TOPIC, HOME, [CLAIM_RECORD, *on_the_ledger([first], partition=HOME), CLAIM_RECORD])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
    stale = on_the_ledger([second], partition=HOME, epoch=0, cause=1)
    empty = Outgoing(value=b"", headers=on_the_ledger([second], partition=HOME, epoch=2, cause=1)[0].headers)
    log.write(TOPIC, HOME, [*stale, *on_the_ledger([second], partition=HOME, epoch=2, cause=1)])
    log.write(TOPIC, HOME, [empty, *on_the_ledger([third], partition=HOME, epoch=2, cause=2)])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
        assert 3 == size(follower)


async def test_following_tells_whoever_waits(tmp_path: Path, writer: ThreadPoolExecutor) -> None:
    """What comes after the start is stored, and then the waiting are told."""
    log = MemoryLog(partitions=PARTITIONS)
    async with opened(tmp_path, log, writer) as follower:
        tail = await follower.open()
        await follower.catch_up(tail)
        moved = follower.next_move()
        following = asyncio.create_task(follower.follow(tail))
        log.write(TOPIC, HOME, [CLAIM_RECORD, *on_the_ledger(outputs(1), partition=HOME)])
        async with asyncio.timeout(10):
            await moved.wait()
        assert 1 == size(follower)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


@pytest.mark.parametrize("count", [0, 2, 9])
async def test_a_store_of_another_topic_is_refused(tmp_path: Path, writer: ThreadPoolExecutor, count: int) -> None:
    """Where the topic was made anew, shorter, as long or longer, the store says so instead of mixing two ledgers."""
    log = MemoryLog(partitions=PARTITIONS)
    log.write(TOPIC, HOME, [CLAIM_RECORD, *on_the_ledger(outputs(2), partition=HOME)])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
    other = MemoryLog(partitions=PARTITIONS)
    anew = notarised(*(changes(seq + 50, record_written(seq)) for seq in range(1, count + 1)))
    other.write(TOPIC, HOME, [CLAIM_RECORD, *on_the_ledger(anew, partition=HOME)])
    async with opened(tmp_path, other, writer) as follower:
        with pytest.raises(StoreUnusable, match="another ledger topic"):
            await follower.open()


async def test_a_ledger_that_was_cut_off_at_its_begin_is_refused(tmp_path: Path, writer: ThreadPoolExecutor) -> None:
    """A topic that no longer has what was stored last cannot be recognised, and is not trusted."""
    log = MemoryLog(partitions=PARTITIONS)
    log.write(TOPIC, HOME, [CLAIM_RECORD, *on_the_ledger(outputs(2), partition=HOME)])
    async with opened(tmp_path, log, writer) as follower:
        await follower.catch_up(await follower.open())
    log.expire(TOPIC, HOME, 3)
    async with opened(tmp_path, log, writer) as follower:
        with pytest.raises(StoreUnusable, match="it has offsets 3 to 3"):
            await follower.open()


async def test_batches_that_come_together_are_stored_together() -> None:
    """What is there at once is one group; a source that ends ends the groups; nothing is lost or reordered."""

    async def three() -> AsyncIterator[Batch]:
        for position in (1, 2, 3):
            yield Batch(partition=0, records=(), position=position, up="")

    groups = [group async for group in gathered(three())]
    assert [[1, 2, 3]] == [[batch.position for batch in group] for group in groups]


async def test_late_batch_is_a_group_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that comes after the time is over waits for nobody."""
    monkeypatch.setattr(follower, "GATHER_S", 0.0)
    taken = asyncio.Event()

    async def two() -> AsyncIterator[Batch]:
        yield Batch(partition=0, records=(), position=1, up="")
        await taken.wait()
        yield Batch(partition=0, records=(), position=2, up="")

    groups = []
    async for group in gathered(two()):
        groups.append([batch.position for batch in group])
        taken.set()
    assert [[1], [2]] == groups
