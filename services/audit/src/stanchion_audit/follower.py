"""Follows the ledger into the store: the one writer of the file, in a thread of its own."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from stanchion_audit.store import Applied, Place, Store, StoreUnusable, digest_of
from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_runtime.log import Log, Record, Span
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import current
from stanchion_runtime.tail import Batch, Start, Tail

TOPIC: Final = "ledger"
GATHER_S: Final = 0.2
"""How long batches are gathered before they are stored: a transaction costs the same for one message as for fifty."""

_GATHER_RECORDS: Final = 2_000

Item = TypeVar("Item")


class Follower:
    """Follows the ledger into a store.

    Attributes:
        store: where it goes.
        held: the partitions that are followed.
    """

    def __init__(
        self, log: Log, store: Store, held: Sequence[int], *, partitions: int, writer: ThreadPoolExecutor
    ) -> None:
        """Follow nothing yet.

        Args:
            log: has the ledger.
            store: open.
            held: partitions to follow.
            partitions: how many the ledger has.
            writer: one thread, the only one that writes the store.
        """
        self.store = store
        self.held = frozenset(held)
        self._log = log
        self._partitions = partitions
        self._writer = writer
        self._moved = asyncio.Event()
        self._places: dict[int, Place] = {}
        self._gaps = 0

    def holds(self, workspace: str) -> bool:
        """Tell whether a workspace's ledger is followed here."""
        return partition_of(workspace, self._partitions) in self.held

    def next_move(self) -> asyncio.Event:
        """Give what is set once more has been stored; take it before looking at the store, and nothing is missed."""
        return self._moved

    async def open(self) -> Tail:
        """Give the tail that goes on where the store stands.

        Raises:
            StoreUnusable: the store comes from another ledger topic.
            Transient: the log could not be reached.
        """
        places = await self._run(self.store.places)
        self._places = {partition: places.get(partition, Place()) for partition in sorted(self.held)}
        await self._recognise()
        return Tail(self._log, TOPIC, {partition: place.start for partition, place in self._places.items()})

    async def catch_up(self, tail: Tail) -> None:
        """Store what the log holds now.

        Raises:
            StoreUnusable: it does not continue what is stored.
            Transient: the log could not be reached.
        """
        bounds = await self._log.bounds(TOPIC, self.held)
        await self._store(tail, tail.through({partition: bound.end for partition, bound in bounds.items()}))

    async def follow(self, tail: Tail) -> None:
        """Store what comes, for ever.

        Raises:
            StoreUnusable: it does not continue what is stored.
            Transient: the log could not be reached.
        """
        await self._store(tail, tail.batches())

    def positions(self) -> Mapping[int, int]:
        """Give the next offset of each partition."""
        return {partition: place.start.position for partition, place in self._places.items()}

    async def _store(self, tail: Tail, batches: AsyncIterator[Batch]) -> None:
        """Store batches, those that come together in one transaction, and tell whoever waits."""
        async for group in gathered(batches):
            for applied in await self._run(functools.partial(self._apply, group)):
                self._places[applied.partition] = applied.place
                position = applied.place.start.position
                current().position.labels("audit-reader", TOPIC, str(applied.partition)).set(position)
            for gap in tail.gaps[self._gaps :]:
                logger().error("gap in the ledger", partition=gap.partition, offset=gap.offset)
            self._gaps = len(tail.gaps)
            moved, self._moved = self._moved, asyncio.Event()
            moved.set()

    def _apply(self, batches: Sequence[Batch]) -> list[Applied]:
        """Decode and store batches, in the writer's thread."""
        applied = [self._read(batch) for batch in batches]
        self.store.apply(applied)
        return applied

    @staticmethod
    def _read(batch: Batch) -> Applied:
        """Decode one batch."""
        place = Place(start=Start(position=batch.position, up=batch.up))
        if batch.records:
            last = batch.records[-1]
            place = Place(start=place.start, seen_offset=last.offset, seen_digest=digest_of(last.value, last.headers))
        ledgers = tuple(_ledger(record) for record in batch.records if record.value)
        return Applied(partition=batch.partition, place=place, ledgers=ledgers)

    async def _recognise(self) -> None:
        """Check that the topic is the one the store was made from: what was seen last still stands where it stood.

        Raises:
            StoreUnusable: it is another.
            Transient: the log could not be reached.
        """
        bounds = await self._log.bounds(TOPIC, self.held)
        for partition, place in self._places.items():
            here = bounds[partition]
            if place.start.position > here.end or (place.seen_offset >= 0 and place.seen_offset < here.begin):
                raise self._foreign(partition, f"it has offsets {here.begin} to {here.end}")
        spans = [
            Span(topic=TOPIC, partition=partition, start=place.seen_offset, stop=place.seen_offset + 1)
            for partition, place in self._places.items()
            if place.seen_offset >= 0
        ]
        async for records in self._log.read(spans):
            for record in records:
                if digest_of(record.value, record.headers) != self._places[record.partition].seen_digest:
                    raise self._foreign(record.partition, f"offset {record.offset} is another record")

    def _foreign(self, partition: int, why: str) -> StoreUnusable:
        """Give the error of a store that belongs to another topic."""
        position = self._places[partition].start.position
        return StoreUnusable(
            f"audit store {self.store.path} was made from another ledger topic: it stands at {partition}:{position}, "
            f"but {why}. Point STANCHION_KAFKA_BOOTSTRAP and _TOPIC_PREFIX at the cluster it belongs to, or move the "
            "file away: the reader makes it anew from this topic"
        )

    async def _run(self, work: Callable[[], Item]) -> Item:
        """Run in the writer's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)


def _ledger(record: Record) -> Ledger:
    """Read an output of audit, and name the record when that fails.

    Raises:
        InvalidMessage: it is none that this version reads.
    """
    try:
        return codec.decode(record.value, Ledger)
    except InvalidMessage as error:
        error.add_note(f"while reading {record.topic}:{record.partition}:{record.offset}")
        raise


async def gathered(batches: AsyncIterator[Batch]) -> AsyncIterator[list[Batch]]:
    """Give batches in groups: what comes within `GATHER_S` of a group's first, up to some thousand records."""
    begun = asyncio.get_running_loop().time
    coming = asyncio.ensure_future(anext(batches, None))
    try:
        while (first := await coming) is not None:
            group, until = [first], begun() + GATHER_S
            coming = asyncio.ensure_future(anext(batches, None))
            while sum(len(batch.records) for batch in group) < _GATHER_RECORDS:
                await asyncio.wait([coming], timeout=max(0.0, until - begun()))
                if not coming.done() or (following := coming.result()) is None:
                    break
                group.append(following)
                coming = asyncio.ensure_future(anext(batches, None))
            yield group
    finally:
        coming.cancel()
