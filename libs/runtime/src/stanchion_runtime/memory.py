"""A log in memory. It passes the same suite as Kafka and carries properties and the simulation; it is for tests."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

from stanchion_contracts.topics import PARTITIONS, REGISTER
from stanchion_runtime.log import Bounds, Outgoing, Record, Span

_READ = 500  # records in one batch, as a Kafka reader gives them


class MemoryLog:
    """Every topic of the register, in lists."""

    def __init__(self, *, partitions: int = PARTITIONS, now_us: Callable[[], int] = lambda: 0) -> None:
        """Begin empty.

        Args:
            partitions: of every topic.
            now_us: what stamps the records.
        """
        self._partitions = partitions
        self._now_us = now_us
        self._records: dict[tuple[str, int], list[Record]] = {
            (topic, partition): [] for topic in REGISTER for partition in range(partitions)
        }
        self._begins = dict.fromkeys(self._records, 0)
        self._grown = asyncio.Event()

    async def partitions(self, topic: str) -> int:
        """Give how many partitions a topic has, 0 when it does not exist."""
        return self._partitions if topic in REGISTER else 0

    async def bounds(self, topic: str, partitions: Iterable[int]) -> dict[int, Bounds]:
        """Give what each of these partitions of a topic holds now."""
        return {partition: self._bounds(topic, partition) for partition in partitions}

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Append in order and give the offset of each."""
        return self.write(topic, partition, batch)

    def write(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> range:
        """Append at once, for a test that decides itself when something lands."""
        base = self._bounds(topic, partition).end
        self._records[topic, partition].extend(
            Record(
                topic=topic,
                partition=partition,
                offset=offset,
                timestamp_us=self._now_us(),
                value=outgoing.value,
                headers=outgoing.headers,
            )
            for offset, outgoing in enumerate(batch, start=base)
        )
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
        return range(base, base + len(batch))

    def expire(self, topic: str, partition: int, begin: int) -> None:
        """Forget what is older than an offset, as retention does on open topics."""
        old = self._begins[topic, partition]
        self._records[topic, partition] = self._records[topic, partition][begin - old :]
        self._begins[topic, partition] = begin

    def records(self, topic: str, partition: int, start: int = 0) -> Sequence[Record]:
        """Give what a partition holds from an offset on."""
        return self._records[topic, partition][max(0, start - self._begins[topic, partition]) :]

    async def read(self, spans: Sequence[Span]) -> AsyncGenerator[Sequence[Record], None]:
        """Give every record of the spans, in batches of one partition.

        Raises:
            LookupError: a span starts before the partition's begin or stops after its end.
        """
        for span in spans:
            bounds = self._bounds(span.topic, span.partition)
            if span.start < bounds.begin or span.stop > bounds.end:
                raise LookupError(f"{span} is not within {bounds}")
        for span in spans:
            for start in range(span.start, span.stop, _READ):
                yield self.records(span.topic, span.partition, start)[: min(_READ, span.stop - start)]

    async def follow(self, topic: str, starts: Mapping[int, int]) -> AsyncGenerator[Sequence[Record], None]:
        """Give the records of a topic's partitions from these offsets on, as they come.

        Raises:
            LookupError: an offset is before the partition's begin or after its end.
        """
        positions = dict(starts)
        for partition, start in positions.items():
            bounds = self._bounds(topic, partition)
            if not bounds.begin <= start <= bounds.end:
                raise LookupError(f"{topic}:{partition}: {start} is not within {bounds}")
        while True:
            grown = self._grown
            for partition in positions:
                records = self.records(topic, partition, positions[partition])[:_READ]
                if records:
                    positions[partition] = records[-1].offset + 1
                    yield records
            if all(self._bounds(topic, partition).end == position for partition, position in positions.items()):
                await grown.wait()

    def _bounds(self, topic: str, partition: int) -> Bounds:
        """Give what a partition holds."""
        begin = self._begins[topic, partition]
        return Bounds(begin=begin, end=begin + len(self._records[topic, partition]))
