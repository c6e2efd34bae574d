"""The processor: one output for each input, in order, decided on the fold of its own output, by one owner at a time.

It knows the log only through its port, and neither Kafka's groups nor Faust: `adopt` the partitions that were
assigned, `process` what is read from the offsets it gives back, `release` before they are assigned to somebody else.
After any error its memory is worth nothing: the process ends and the next owner folds again.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Final

from msgspec import Struct

from stanchion_contracts.topics import is_owned
from stanchion_runtime import clock, deadletter
from stanchion_runtime.errors import Inconsistent, Superseded
from stanchion_runtime.log import CLAIM, Log, Outgoing, Record, Span, header
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.observer import Observer
from stanchion_runtime.partition import AnyStage, Aside, Partition

CLAIM_EVERY: Final = 10_000
"""Outputs after which an owner claims anew, so that the way back to a claim stays short."""

_SLICE_S: Final = 0.1  # what is decided is sent after this long, so that heartbeats go out between
_SLICE_BYTES: Final = 8 * 1024 * 1024  # and after this much

Places = dict[tuple[str, int], int]
"""The next offset to read, by topic and partition."""


class Options(Struct, frozen=True, kw_only=True):
    """What a processor is given besides its stage.

    Attributes:
        partitions: of every topic.
        owner: names this process, and no other, in its claims.
        name: what its owner's text begins with, before and after a restart; empty when nothing is the same.
        now_us: the wall clock, for dead letters only.
        monotonic_s: how time passes.
        claim_every: outputs between two claims.
    """

    partitions: int
    owner: str
    name: str = ""
    now_us: Callable[[], int] = clock.now_us
    monotonic_s: Callable[[], float] = clock.monotonic_s
    claim_every: int = CLAIM_EVERY


class Processor:
    """Runs one stage over the partitions it owns."""

    def __init__(self, stage: AnyStage, log: Log, options: Options, metrics: Metrics) -> None:
        """Own nothing yet."""
        self.stage = stage
        self._log = log
        self._options = options
        self._observer = Observer(stage, metrics)
        self._owned: dict[int, Partition] = {}
        self._outputs: dict[int, list[Outgoing]] = {}
        self._aside = Aside()
        self._counts: dict[tuple[str, int], int] = {}
        self._claims: dict[int, int] = {}  # the last one of this process in each partition that it ever owned
        self._halted = False

    @property
    def owned(self) -> Mapping[int, Partition]:
        """The partitions that are owned, by number."""
        return self._owned

    def places(self) -> Places:
        """Give the next offset of each input of each owned partition."""
        return {
            (topic, number): partition.rule.next_of(topic)
            for number, partition in self._owned.items()
            for topic in self.stage.inputs
        }

    def halt(self) -> None:
        """Let `process` return once what is decided is acknowledged; the rest of its records stay unanswered."""
        self._halted = True

    def release(self) -> None:
        """Own nothing any more, and forget all state."""
        self._owned = {}
        self._observer.released()

    async def adopt(self, numbers: Iterable[int]) -> Places:
        """Claim partitions, fold the own output up to the claims, and own just these. No batch is in flight meanwhile.

        Returns:
            Where each input goes on.

        Raises:
            Inconsistent: the output has lost records, or an input lost some or was created anew.
            Superseded: a later process of our name has claimed a partition that we owned.
            Transient: the log could not be reached.
        """
        self.release()
        self._halted = False
        begun = self._options.monotonic_s()
        numbers = sorted(numbers)
        await self._check_output(numbers)
        await self._check_name()
        claims = dict(zip(numbers, await asyncio.gather(*map(self._claim, numbers)), strict=True))
        adopted = {number: Partition(self.stage, number, self._options.partitions) for number in numbers}
        spans = [
            Span(topic=self.stage.output, partition=number, start=0, stop=claim + 1) for number, claim in claims.items()
        ]
        async with aclosing(self._log.read(spans)) as reading:
            async for records in reading:
                fold = adopted[records[0].partition].fold
                for record in records:
                    fold(record)
        for number, claim in claims.items():
            adopted[number].adopt(claim)
        self._owned = adopted
        self._observer.adopted(claims, self._options.monotonic_s() - begun)
        return await self._checked_places()

    async def process(self, records: Iterable[Record]) -> None:
        """Answer inputs of owned partitions, in the order given; returns when every answer is acknowledged.

        Raises:
            Superseded: somebody else has claimed one of the partitions.
            Unanswerable: an input past the edge cannot be decoded, or its answer is too large.
            Inconsistent: inputs are missing.
            Transient: the log could not be reached.
        """
        now = self._options.monotonic_s
        begun = sliced = now()
        size = 0
        for record in records:
            outgoing = self._answer(record)
            if outgoing is not None:
                self._outputs.setdefault(record.partition, []).append(outgoing)
                place = (record.topic, record.partition)
                self._counts[place] = self._counts.get(place, 0) + 1
                size += len(outgoing.value)
            if size > _SLICE_BYTES or now() - sliced > _SLICE_S:
                await self._send(begun, sliced)
                if self._halted:
                    return
                begun = sliced = now()
                size = 0
        await self._send(begun, sliced)

    def _answer(self, record: Record) -> Outgoing | None:
        """Answer one input, and name it when that fails."""
        try:
            return self._owned[record.partition].answer(record, self._aside)
        except Exception as error:
            error.add_note(f"while {self.stage.name} answered {record.topic}:{record.partition}:{record.offset}")
            raise

    async def _send(self, begun: float, sliced: float) -> None:
        """Write what the batch sets aside, then its answers; wait for every acknowledgement."""
        decided = self._options.monotonic_s()
        outputs, self._outputs = self._outputs, {}
        aside, self._aside = self._aside, Aside()
        counts, self._counts = self._counts, {}
        if not outputs:
            return
        if aside.letters or aside.moves:
            await self._set_aside(aside)
        if len(outputs) == 1:
            for number, batch in outputs.items():
                await self._append(number, batch)
        else:
            await asyncio.gather(*[self._append(number, batch) for number, batch in outputs.items()])
        self._observer.answered(self._owned, counts, aside, decided - sliced, self._options.monotonic_s() - begun)
        for number in outputs:
            partition = self._owned.get(number)
            if partition is not None and partition.since_claim >= self._options.claim_every:
                await self._claim_anew(partition)

    async def _append(self, number: int, batch: Sequence[Outgoing]) -> None:
        """Append to the own output and see whether anybody else wrote between.

        Raises:
            Superseded: it was a claim.
        """
        offsets = await self._log.append(self.stage.output, number, batch)
        partition = self._owned[number]
        expected = partition.position
        partition.position = offsets[-1] + 1
        if offsets[0] == expected and offsets[-1] == expected + len(offsets) - 1:
            return
        foreign = offsets[-1] + 1 - expected - len(offsets)
        await self._look_into(
            Span(topic=self.stage.output, partition=number, start=expected, stop=offsets[-1] + 1), foreign
        )

    async def _look_into(self, span: Span, foreign: int) -> None:
        """Read what others wrote between our outputs: harmless, unless it is a claim.

        Args:
            span: where our outputs and theirs are; no claim of ours is among them.
            foreign: how many are theirs.

        Raises:
            Superseded: one is a claim.
            Inconsistent: an offset came back that was taken before.
        """
        if foreign < 0:
            raise Inconsistent(
                f"{span.topic}:{span.partition}: an offset between {span.start} and {span.stop} came twice"
            )
        async with aclosing(self._log.read([span])) as reading:
            async for records in reading:
                for record in records:
                    claim = header(record, CLAIM)
                    if claim is not None:
                        raise Superseded(
                            f"{record.topic}:{record.partition}: {claim.decode(errors='replace')} claimed it at "
                            f"{record.offset}, after us"
                        )
        logger().warning("foreign records in our output", topic=span.topic, partition=span.partition, n=foreign)

    async def _set_aside(self, aside: Aside) -> None:
        """Write dead letters and republish what stands on a wrong partition, durably, before the answers."""
        stage = self.stage.name
        now_us = self._options.now_us()
        batches: dict[tuple[str, int], list[Outgoing]] = {}
        for letter in aside.letters:
            record, error = letter.record, letter.error
            written = deadletter.letter(stage, record, error.code, error.detail, now_us)
            batches.setdefault((deadletter.TOPIC, record.partition), []).append(written)
        for move in aside.moves:
            republished = Outgoing(value=move.to.value, headers=move.to.headers)
            batches.setdefault((move.record.topic, move.partition), []).append(republished)
        await asyncio.gather(*[
            self._log.append(topic, partition, batch) for (topic, partition), batch in batches.items()
        ])
        self._observer.set_aside(aside)

    async def _claim(self, number: int) -> int:
        """Write a claim and give its offset."""
        claim = Outgoing(value=b"", headers=((CLAIM, self._options.owner.encode()),))
        offset = (await self._log.append(self.stage.output, number, [claim]))[0]
        self._claims[number] = offset
        return offset

    async def _claim_anew(self, partition: Partition) -> None:
        """Claim an owned partition again; nothing is in flight in it.

        Raises:
            Superseded: somebody else did before.
        """
        claim = await self._claim(partition.number)
        if claim != partition.position:
            hole = Span(topic=self.stage.output, partition=partition.number, start=partition.position, stop=claim)
            await self._look_into(hole, claim - partition.position)
        partition.position = claim + 1
        partition.claimed(claim)
        self._observer.claimed(partition.number, claim)

    async def _check_name(self) -> None:
        """See that no later process has our name: we slept, were replaced, and took the name back as we woke.

        The group cannot tell: aiokafka's heartbeats do not name the instance, so the broker takes whoever came last.
        Without this, both would take the name from each other for ever, and neither would notice.

        Raises:
            Superseded: one has claimed what we had claimed.
        """
        if not (self._options.name and self._claims):
            return
        bounds = await self._log.bounds(self.stage.output, list(self._claims))
        spans = [
            Span(topic=self.stage.output, partition=number, start=claim + 1, stop=bounds[number].end)
            for number, claim in self._claims.items()
        ]
        ours, namesake = self._options.owner, f"{self._options.name} "
        async with aclosing(self._log.read(spans)) as reading:
            async for records in reading:
                for record in records:
                    owner = (header(record, CLAIM) or b"").decode(errors="replace")
                    if owner.startswith(namesake) and owner != ours:
                        raise Superseded(
                            f"{record.topic}:{record.partition}: {owner} claimed it at {record.offset}, after us: "
                            "another process runs under our instance name"
                        )

    async def _check_output(self, numbers: Sequence[int]) -> None:
        """See that the own output is whole.

        Raises:
            Inconsistent: its first records are gone.
        """
        for number, bounds in (await self._log.bounds(self.stage.output, numbers)).items():
            if bounds.begin != 0:
                raise Inconsistent(
                    f"{self.stage.output}:{number} begins at {bounds.begin}; our state is its fold from 0. "
                    "Set retention.ms=-1 and restore the topic"
                )

    async def _checked_places(self) -> Places:
        """Give where the inputs go on.

        Raises:
            Inconsistent: an input ends before that, or has lost records that no output answers.
        """
        places = self.places()
        for topic in self.stage.inputs:
            for number, bounds in (await self._log.bounds(topic, list(self._owned))).items():
                place = places[topic, number]
                if place > bounds.end:
                    raise Inconsistent(
                        f"{topic}:{number} ends at {bounds.end}, but {self.stage.output} answers it up to {place}: "
                        "was the topic created anew? Then its whole line must be"
                    )
                if place < bounds.begin:
                    if is_owned(topic):
                        raise Inconsistent(f"{topic}:{number} begins at {bounds.begin}; {place} was not answered yet")
                    logger().error(
                        "inputs expired unread", topic=topic, partition=number, first=place, n=bounds.begin - place
                    )
                    places[topic, number] = bounds.begin
        return places
