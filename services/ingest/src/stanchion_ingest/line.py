"""The way from the gateway onto the line, and the answers that come back down on `changes`."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import Final, NoReturn

from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import Transient
from stanchion_core.ids import partition_of
from stanchion_runtime import clock, rpc
from stanchion_runtime.log import (
    CORRELATION_ID,
    DEAD_LETTER,
    REPLY_TO,
    TRACEPARENT,
    Headers,
    Log,
    Outgoing,
    Record,
    header,
)
from stanchion_runtime.tail import Batch, Tail, from_the_end

RETRY_S: Final = 0.5
"""When a caller that was too much may come again."""


class Answer(Struct, frozen=True, kw_only=True):
    """What came back for one message.

    Attributes:
        changes: what was decided; None when the message got no further than an empty output.
        min_seq: what a read must wait for to see it, as far as this gateway knows.
        refusal: why a stage on the way set the message aside; None when none did.
    """

    changes: Changes | None
    min_seq: int
    refusal: Refusal | None = None


class Waiting(Struct, kw_only=True, eq=False):
    """A caller that waits for its answer."""

    correlation_id: str
    workspace: str
    answer: asyncio.Future[Answer]


class Line:
    """Puts messages on the line and hands answers to those who wait for them.

    Attributes:
        name: of this gateway, in `reply_to`; another one after each start.
        last_seqs: the last seq seen of each workspace.
    """

    def __init__(self, log: Log, partitions: int, *, most_waiting: int, most_bytes: int) -> None:
        """Wait for nothing yet.

        Args:
            log: where the topics are.
            partitions: how many every topic has.
            most_waiting: callers that may wait at a time.
            most_bytes: bytes that may be on their way to Kafka at a time.
        """
        self.name = clock.new_id()
        self.last_seqs: dict[str, int] = {}
        self._log = log
        self._partitions = partitions
        self._most_waiting = most_waiting
        self._most_bytes = most_bytes
        self._bytes = 0
        self._waiting: dict[str, Waiting] = {}
        self._listeners: list[Callable[[Changes], None]] = []
        self._tail: Tail | None = None

    def partition(self, workspace: str) -> int:
        """Give the partition that handles a workspace."""
        return partition_of(workspace, self._partitions)

    def listen(self, listener: Callable[[Changes], None]) -> None:
        """Have a function called with everything that is decided."""
        self._listeners.append(listener)

    async def catch_up(self) -> None:
        """Read `changes` from each last owner's claim to the end, so that answers from now on are told from stale ones.

        Raises:
            Transient: the log could not be reached.
        """
        every = range(self._partitions)
        self._tail = Tail(self._log, "changes", await from_the_end(self._log, "changes", every))
        ends = {partition: bounds.end for partition, bounds in (await self._log.bounds("changes", every)).items()}
        async with aclosing(self._tail.through(ends)) as batches:
            async for batch in batches:
                self._take(batch)

    async def follow(self) -> None:
        """Hand out answers, for ever; call `catch_up` first.

        Raises:
            Transient: the log could not be reached.
            RuntimeError: there was no `catch_up`.
        """
        if self._tail is None:
            raise RuntimeError("follow was called before catch_up")
        async with aclosing(self._tail.batches()) as batches:
            async for batch in batches:
                self._take(batch)

    async def tell(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> None:
        """Put messages on a topic, in order; returns once they are durable.

        Raises:
            Refused: `TRANSIENT`: whether they are there could not be known.
        """
        try:
            await self._log.append(topic, partition, batch)
        except Transient:
            rpc.refuse(
                "TRANSIENT",
                "Kafka is briefly away and this may have landed: send it again with the same id or idempotency key",
                retry_after_s=RETRY_S,
            )

    async def ask(self, topic: str, workspace: str, message: Struct, timeout_s: float) -> Answer:
        """Put a message on a topic and wait for what is decided.

        Args:
            topic: `requests` or `commands`.
            workspace: whose it is.
            message: of the topic's class.
            timeout_s: how long to wait.

        Raises:
            Refused: `OVERLOADED`, `TRANSIENT`, or `OUTCOME_UNKNOWN` when time is up.
        """
        value = codec.encode(message)
        with self.held(len(value)):
            waiting = self.expect(workspace)
            try:
                async with asyncio.timeout(timeout_s):
                    outgoing = Outgoing(value=value, headers=self.headers(waiting))
                    await self.tell(topic, self.partition(workspace), [outgoing])
                    return await waiting.answer
            except TimeoutError:
                unknown()
            finally:
                self.forget(waiting)

    def expect(self, workspace: str) -> Waiting:
        """Begin to wait for an answer; end with `forget`.

        Raises:
            Refused: `OVERLOADED`: too many wait already.
        """
        if len(self._waiting) >= self._most_waiting:
            rpc.refuse(
                "OVERLOADED", f"{len(self._waiting)} callers wait for answers: come again", retry_after_s=RETRY_S
            )
        future = asyncio.get_running_loop().create_future()
        waiting = Waiting(correlation_id=clock.new_id(), workspace=workspace, answer=future)
        self._waiting[waiting.correlation_id] = waiting
        return waiting

    def forget(self, waiting: Waiting) -> None:
        """End waiting, answered or not."""
        self._waiting.pop(waiting.correlation_id, None)
        waiting.answer.cancel()

    def headers(self, waiting: Waiting | None = None) -> Headers:
        """Give the headers of a message, of one that is waited for or of one that is not."""
        trace = rpc.traceparent()
        traced = ((TRACEPARENT, trace.encode()),) if trace else ()
        if waiting is None:
            return traced
        return ((CORRELATION_ID, waiting.correlation_id.encode()), (REPLY_TO, self.name.encode()), *traced)

    @contextmanager
    def held(self, size: int) -> Iterator[None]:
        """Count bytes that are in hand.

        Raises:
            Refused: `OVERLOADED`: too many are.
        """
        self.hold(size)
        try:
            yield
        finally:
            self.release(size)

    def hold(self, size: int) -> None:
        """Take bytes in hand; `release` lets them go.

        Raises:
            Refused: `OVERLOADED`: too many are in hand.
        """
        if self._bytes + size > self._most_bytes:
            rpc.refuse("OVERLOADED", f"{self._bytes} bytes are in hand: come again", retry_after_s=RETRY_S)
        self._bytes += size

    def release(self, size: int) -> None:
        """Let bytes go."""
        self._bytes -= size

    def load(self) -> dict[str, int]:
        """Give what is in hand, for the health page."""
        return {"waiting": len(self._waiting), "bytes": self._bytes}

    def _take(self, batch: Batch) -> None:
        """Take in what was decided."""
        for record in batch.records:
            self._take_record(record)

    def _take_record(self, record: Record) -> None:
        """Remember the workspace's seq, hand the answer over, tell the listeners."""
        changes = codec.decode(record.value, Changes) if record.value else None
        if changes is not None:
            self.last_seqs[changes.meta.workspace] = changes.last_seq
        if header(record, REPLY_TO) == self.name.encode():
            waiting = self._waiting.get((header(record, CORRELATION_ID) or b"").decode())
            if waiting is not None and not waiting.answer.done():
                seq = self.last_seqs.get(waiting.workspace, 0)
                waiting.answer.set_result(Answer(changes=changes, min_seq=seq, refusal=_set_aside(record)))
        if changes is not None:
            for listener in self._listeners:
                listener(changes)


def _set_aside(record: Record) -> Refusal | None:
    """Give why an input on the way became a dead letter, None when it did not."""
    why = header(record, DEAD_LETTER)
    if why is None:
        return None
    code, _, detail = why.decode(errors="replace").partition(" ")
    return Refusal(reason=code, detail=detail)


def unknown() -> NoReturn:
    """Say that time is up.

    Raises:
        Refused: `OUTCOME_UNKNOWN`.
    """
    rpc.refuse(
        "OUTCOME_UNKNOWN",
        "no answer within the deadline; it may still land: send it again with the same id or idempotency key",
    )
