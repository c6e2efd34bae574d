"""Follows `beliefs` and looks over a workspace whenever its tick comes by."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stanchion_contracts import codec
from stanchion_contracts.belief import Beliefs
from stanchion_contracts.observation import own_request
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_fusion.reassessment.handler import State, evolve, look
from stanchion_runtime import clock, metrics
from stanchion_runtime.log import Log, Outgoing, Record
from stanchion_runtime.logs import logger
from stanchion_runtime.tail import Batch, Start, Tail

NAME: Final = "reassessment"
TOPIC: Final = "beliefs"
OUTPUT: Final = "requests"


class Follower:
    """The fold of `beliefs` in this process.

    Attributes:
        state: what was folded so far.
        ready: set once everything that was there at the start is folded.

    Args:
        log: has beliefs and takes requests.
        held: partitions to follow.
        partitions: how many each topic has.
        now_us: the wall clock, which stamps requests; nothing is decided by it.
    """

    def __init__(
        self, log: Log, held: Sequence[int], *, partitions: int, now_us: Callable[[], int] = clock.now_us
    ) -> None:
        self.state = State()
        self.ready = asyncio.Event()
        self._log = log
        self._partitions = partitions
        self._now_us = now_us
        self._positions = dict.fromkeys(held, 0)
        self._looks = 0

    async def run(self) -> None:
        """Fold what there is, do the looks that nobody did, go on for ever.

        A look is a function of the log up to its tick, so two of these processes publish the same. After a start only
        the last tick of a workspace counts, and only when nothing was heard of its look.

        Raises:
            InvalidMessage: an output of fusion cannot be read: an older version, or our bug.
            Transient: the log could not be reached.
        """
        tail = Tail(self._log, TOPIC, dict.fromkeys(self._positions, Start()))
        bounds = await self._log.bounds(TOPIC, self._positions)
        async for batch in tail.through({number: bound.end for number, bound in bounds.items()}):
            for record in batch.records:
                self._fold(record)
            self._note(batch)
        self.ready.set()
        logger().info("caught up", workspaces=len(self.state.seen), positions=self._shown())
        for name in sorted(self.state.seen):
            await self._look(name)
        async for batch in tail.batches():
            for record in batch.records:
                if (due := self._fold(record)) is not None:
                    await self._look(due)
            self._note(batch)

    def positions(self) -> Mapping[int, int]:
        """Give the next offset of each partition."""
        return self._positions

    def health(self) -> dict[str, object]:
        """Give what `/healthz` shows."""
        up = self.ready.is_set()
        return {"ok": up, "ready": up, "stage": NAME, "looks": self._looks, "positions": self._shown()}

    def _shown(self) -> dict[str, int]:
        """Give the next offset of each partition, as pages and logs show it."""
        return {str(number): position for number, position in self._positions.items()}

    def _fold(self, record: Record) -> str | None:
        """Fold one output; give its workspace where that is to be looked over now.

        Raises:
            InvalidMessage: it is none that this version reads.
        """
        if not record.value:
            return None
        try:
            output = codec.decode(record.value, Beliefs)
        except InvalidMessage as error:
            error.add_note(f"while reading {record.topic}:{record.partition}:{record.offset}")
            raise
        evolve(self.state, output)
        name = output.meta.workspace
        return name if output.tick is not None and not self.state.seen[name].looked else None

    async def _look(self, name: str) -> None:
        """Look over a workspace unless that is done, and publish what came of it.

        Raises:
            Transient: the log could not be reached.
        """
        if self.state.seen[name].looked:
            return
        began_s = clock.monotonic_s()
        asked = await asyncio.to_thread(look, self.state, name)  # nothing is folded meanwhile: only the pages answer
        took_s = clock.monotonic_s() - began_s
        metrics.current().look_seconds.observe(took_s)
        self._looks += 1
        if asked:
            requests = [own_request(name, one.event_id, one.body, self._now_us()) for one in asked]
            batch = [Outgoing(value=codec.encode(request)) for request in requests]
            await self._log.append(OUTPUT, partition_of(name, self._partitions), batch)
            logger().info("looked", workspace=name, hour=self.state.seen[name].hour, messages=len(asked), s=took_s)

    def _note(self, batch: Batch) -> None:
        """Note how far a partition is read."""
        self._positions[batch.partition] = batch.position
        labels = NAME, TOPIC, str(batch.partition)
        metrics.current().position.labels(*labels).set(batch.position)
        metrics.current().inputs.labels(*labels).inc(len(batch.records))
