"""The log as the line needs it: partitions that grow at the end, read by offset.

`kafka.KafkaLog` is the real one; `memory.MemoryLog` passes the same suite and carries properties and the simulation.
Topics are named by their key in the register everywhere (`claims`); only `kafka.py` knows their names on a cluster.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

Headers = tuple[tuple[str, bytes], ...]

CAUSE: Final = "cause"
"""Which input an output answers, `topic:partition:offset`."""
EPOCH: Final = "epoch"
"""The offset of the claim its owner wrote."""
UP: Final = "up"
"""The reader rule of the stage's owned input after this output, as `ReaderRule.encode` gives it."""
CLAIM: Final = "claim"
"""Marks a claim record; its value says who claims, for people."""
REROUTED: Final = "rerouted"
"""On an empty output: the partition its input was republished to."""
DEAD_LETTER: Final = "dead_letter"
"""On an empty output: the code and sentence by which its input was set aside, for whoever waits for the answer."""
CORRELATION_ID: Final = "correlation_id"
REPLY_TO: Final = "reply_to"
TRACEPARENT: Final = "traceparent"


class Record(Struct, frozen=True, kw_only=True, gc=False):
    """One record of a partition.

    Attributes:
        topic: by register key.
        partition: from 0.
        offset: from 0.
        timestamp_us: the log's own time, microseconds since the epoch; the line never decides by it.
        value: its bytes; empty for an empty output, a claim, and a Kafka record without value.
        headers: in order, names may repeat.
    """

    topic: str
    partition: int
    offset: int
    timestamp_us: int
    value: bytes
    headers: Headers


class Outgoing(Struct, frozen=True, kw_only=True, gc=False):
    """What is appended as one record."""

    value: bytes
    headers: Headers = ()


class Span(Struct, frozen=True, kw_only=True):
    """A stretch of one partition: from `start` up to, not including, `stop`."""

    topic: str
    partition: int
    start: int
    stop: int


class Bounds(Struct, frozen=True, kw_only=True):
    """What a partition holds: `begin` is the first offset kept, `end` the offset its next record will take."""

    begin: int
    end: int


class Log(Protocol):
    """Partitions that grow at the end.

    Every method raises `Transient` when the log could not be reached within its own bounded retries.
    """

    async def partitions(self, topic: str) -> int:
        """Give how many partitions a topic has, 0 when it does not exist."""
        ...

    async def bounds(self, topic: str, partitions: Iterable[int]) -> dict[int, Bounds]:
        """Give what each of these partitions of a topic holds now."""
        ...

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Append in order and give the offset of each, once they are durable.

        Others may write to the partition too: offsets grow, but need not be adjacent.
        """
        ...

    def read(self, spans: Sequence[Span]) -> AsyncGenerator[Sequence[Record], None]:
        """Give every record of the spans, in order within a partition, in batches of one partition; then end.

        Args:
            spans: at most one of each partition.

        Raises:
            LookupError: a span starts before the partition's begin or stops after its end.
        """
        ...

    def follow(self, topic: str, starts: Mapping[int, int]) -> AsyncGenerator[Sequence[Record], None]:
        """Give the records of a topic's partitions from these offsets on, as they come, in batches of one partition.

        It never ends by itself: close the generator or cancel the task.

        Raises:
            LookupError: an offset is before the partition's begin or after its end.
        """
        ...


def header(record: Record, name: str) -> bytes | None:
    """Give the first header of a name, None when there is none."""
    for key, value in record.headers:
        if key == name:
            return value
    return None
