"""Readers without a group: gateway, view and audit reader follow an owned topic and apply the reader rule to it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from msgspec import Struct

from stanchion_runtime.log import CLAIM, EPOCH, Log, Record, Span, header
from stanchion_runtime.logs import logger
from stanchion_runtime.reader_rule import ReaderRule, Verdict

_BLOCK = 100  # how many records are looked at together when searching the last owner's claim backwards


class Start(Struct, frozen=True, kw_only=True):
    """Where a reader goes on in one partition.

    Attributes:
        position: the offset of the first record to read.
        up: the reader rule before that record, as `ReaderRule.encode` gives it; empty at the start of the partition.
    """

    position: int = 0
    up: str = ""


class Batch(Struct, frozen=True, kw_only=True):
    """What was read of one partition.

    Store `position` and `up` in the transaction that stores the records' effects, and resume from them.

    Attributes:
        partition: from 0.
        records: those that count, in order, empty outputs among them (they carry headers). May be none at all.
        position: the offset after the last record read.
        up: the reader rule after it.
    """

    partition: int
    records: tuple[Record, ...]
    position: int
    up: str


class Gap(Struct, frozen=True, kw_only=True):
    """A hole in the causes of an owned partition: everything up to the next claim is dropped. Worth an alert."""

    topic: str
    partition: int
    offset: int


class Tail:
    """Follows partitions of one owned topic.

    Attributes:
        topic: the register key.
        gaps: the holes met so far.
    """

    def __init__(self, log: Log, topic: str, starts: Mapping[int, Start]) -> None:
        """Follow these partitions, each from its start."""
        self.topic = topic
        self.gaps: list[Gap] = []
        self._log = log
        self._positions = {partition: start.position for partition, start in starts.items()}
        self._rules = {partition: ReaderRule.decode(start.up) for partition, start in starts.items()}

    async def batches(self) -> AsyncGenerator[Batch, None]:
        """Give what comes, for ever; each batch is of one partition and carries where to resume after it.

        Raises:
            LookupError: a start lies outside its partition.
            Transient: the log could not be reached.
        """
        async with aclosing(self._log.follow(self.topic, self._positions)) as following:
            async for records in following:
                yield self._batch(records)

    async def through(self, ends: Mapping[int, int]) -> AsyncGenerator[Batch, None]:
        """Give what lies before these offsets, then end; `batches` goes on from there. For catching up before serving.

        Raises:
            LookupError: a start or end lies outside its partition.
            Transient: the log could not be reached.
        """
        spans = [
            Span(topic=self.topic, partition=partition, start=self._positions[partition], stop=end)
            for partition, end in ends.items()
            if self._positions[partition] < end
        ]
        async with aclosing(self._log.read(spans)) as reading:
            async for records in reading:
                yield self._batch(records)

    def _batch(self, records: Sequence[Record]) -> Batch:
        """Apply the rule to adjacent records of one partition."""
        partition, last = records[0].partition, records[-1].offset
        rule = self._rules[partition]
        accepted = []
        for record in records:
            verdict = rule.judge(record)
            if verdict is Verdict.ACCEPTED:
                accepted.append(record)
            elif verdict is Verdict.GAP:
                self.gaps.append(Gap(topic=self.topic, partition=partition, offset=record.offset))
                logger().error(
                    "gap in the causes; everything up to the next claim is dropped",
                    topic=self.topic,
                    partition=partition,
                    offset=record.offset,
                )
        self._positions[partition] = last + 1
        return Batch(partition=partition, records=tuple(accepted), position=last + 1, up=rule.encode())


async def from_the_end(log: Log, topic: str, partitions: Sequence[int]) -> dict[int, Start]:
    """Give starts at the claim of each partition's last owner, for a reader that keeps no position (a gateway).

    Read `Tail.through` the ends first: only then is it known which of the last records count.

    Raises:
        Transient: the log could not be reached.
    """
    return await before(log, topic, {number: at.end for number, at in (await log.bounds(topic, partitions)).items()})


async def before(log: Log, topic: str, ends: dict[int, int]) -> dict[int, Start]:
    """Give starts at the claim of whoever owned each partition before these offsets.

    Read `Tail.through` the offsets first: only then is it known which of the records before them count.

    Raises:
        Transient: the log could not be reached.
    """
    starts = dict.fromkeys(ends, Start())
    while ends := {number: end for number, end in ends.items() if end > 0}:
        begins = {number: max(0, end - _BLOCK) for number, end in ends.items()}
        blocks: dict[int, list[Record]] = {number: [] for number in ends}
        spans = [Span(topic=topic, partition=number, start=begins[number], stop=end) for number, end in ends.items()]
        async with aclosing(log.read(spans)) as reading:
            async for records in reading:
                blocks[records[0].partition].extend(records)
        for number, block in blocks.items():
            claim = _claim_named_last(block)
            if claim is None:
                ends[number] = begins[number]  # records that name no claim are not the line's: look before them
            else:
                ends[number] = 0
                starts[number] = Start(position=claim, up=ReaderRule(joined=True).encode())
    return starts


def _claim_named_last(block: Sequence[Record]) -> int | None:
    """Give the offset of the claim that the last record to name one names; None when none does."""
    for record in reversed(block):
        if header(record, CLAIM) is not None:
            return record.offset
        epoch = header(record, EPOCH)
        if epoch is not None and epoch.isdigit() and int(epoch) < record.offset:
            return int(epoch)
    return None
