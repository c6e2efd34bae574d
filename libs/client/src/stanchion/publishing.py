"""Publishing: events go out and acknowledgements come back in order; a broken stream is taken up where it broke.

grpcio loses the status of a stream that ends while a write is on its way, and says INTERNAL instead (grpc/grpc#36066).
So after such an end the oldest event goes out alone: with no other write on its way its status, if it has one, arrives.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from contextlib import suppress
from typing import Any, Final

import grpc

from stanchion.connection import Connection
from stanchion.errors import OutcomeUnknown, StanchionError, Unreachable, from_rpc
from stanchion.results import Published
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2

Request = ingest_pb2.PublishRequest
Requests = AsyncIterable[Request] | Iterable[Request]
_END: Final = None
_LOST: Final = "Internal error from Core"


class Publisher:
    """One run of `Client.publish`.

    Args:
        connection: with its retries.
        open_stream: opens a `Publish` call.
        window: events on their way at a time.
    """

    def __init__(self, connection: Connection, open_stream: Callable[..., Any], window: int) -> None:
        self._connection = connection
        self._open = open_stream
        self._queue: asyncio.Queue[Request | None] = asyncio.Queue(1)
        self._pending: deque[Request] = deque()
        self._room = asyncio.Semaphore(window)
        self._all_taken = False
        self._alone = False
        self._acknowledged = asyncio.Event()

    async def run(self, requests: Requests) -> AsyncIterator[Published]:
        """Publish, and give each acknowledgement in the order of the events.

        Raises:
            StanchionError: the event named in `metadata["event_id"]` was refused, or nobody answers.
        """
        feeding = asyncio.ensure_future(self._feed(requests))
        attempt, begun = 0, False
        try:
            while True:
                try:
                    async for published in self._stream():
                        attempt, begun = 0, True
                        yield published
                    break
                except (grpc.aio.AioRpcError, StanchionError) as failed:
                    attempt += 1
                    await self._connection.wait(attempt, self._about(self._error(failed)), stream=begun)
            await feeding  # what the caller's own iterator raised, after everything before it is durable
        finally:
            feeding.cancel()

    async def _feed(self, requests: Requests) -> None:
        """Draw from the caller's iterator, apart from any stream: a broken stream does not break the iterator."""
        try:
            if isinstance(requests, AsyncIterable):
                async for request in requests:
                    await self._queue.put(request)
            else:
                for request in requests:
                    await self._queue.put(request)
        except Exception:  # not where it is cancelled: then nobody takes anything any more
            await self._queue.put(_END)
            raise
        await self._queue.put(_END)

    async def _stream(self) -> AsyncIterator[Published]:
        """Send what is pending and what comes, over one stream, until everything is acknowledged.

        Raises:
            OutcomeUnknown: no acknowledgement came in time.
        """
        call = self._open(metadata=self._connection.metadata)
        writing = asyncio.ensure_future(self._write(call))
        try:
            while (response := await self._read(call)) is not grpc.aio.EOF:
                if not self._pending or self._pending[0].id != response.id:
                    raise OutcomeUnknown("OUT_OF_STEP", f"the gateway acknowledged {response.id!r} out of turn")
                self._pending.popleft()
                self._room.release()
                self._acknowledged.set()
                yield result(response, Published)
            if self._pending or not self._all_taken:
                raise OutcomeUnknown("STREAM_ENDED", "the gateway ended the stream before the last acknowledgement")
        finally:
            writing.cancel()
            call.cancel()
            await asyncio.wait({writing})  # awaited itself, its cancellation could not be told from one of ours
            if not writing.cancelled():
                writing.result()

    async def _read(self, call: Any) -> Any:  # noqa: ANN401 - grpc's call and message
        """Read one acknowledgement; give up when an event has waited for its own too long.

        Raises:
            OutcomeUnknown: nothing came in time.
        """
        reading = asyncio.ensure_future(call.read())
        try:
            while True:
                oldest = self._pending[0] if self._pending else None
                done, _ = await asyncio.wait({reading}, timeout=self._connection.timeout_s)
                if done:
                    return reading.result()
                if oldest is not None:
                    raise OutcomeUnknown(
                        "OUTCOME_UNKNOWN", f"no acknowledgement within {self._connection.timeout_s:g} s"
                    )
        finally:
            reading.cancel()

    async def _write(self, call: Any) -> None:  # noqa: ANN401 - grpc's call
        """Send what is pending from a broken stream, then what comes; when the stream breaks, reading says why."""
        with suppress(grpc.RpcError, asyncio.InvalidStateError):
            for request in tuple(self._pending):
                self._acknowledged.clear()
                await call.write(request)
                if self._alone:
                    await self._acknowledged.wait()
                    self._alone = False
            while not self._all_taken:
                await self._room.acquire()
                taken = False
                try:
                    request_or_end = await self._queue.get()
                    taken = request_or_end is not None
                finally:
                    if not taken:
                        self._room.release()
                if request_or_end is None:
                    self._all_taken = True
                else:
                    self._pending.append(request_or_end)
                    await call.write(request_or_end)
            await call.done_writing()

    def _error(self, failed: grpc.aio.AioRpcError | StanchionError) -> StanchionError:
        """Give the error that the end of a stream stands for."""
        if isinstance(failed, StanchionError):
            return failed
        if failed.code() is grpc.StatusCode.INTERNAL and (failed.details() or "").startswith(_LOST):
            self._alone = True
            return Unreachable("STATUS_LOST", "the stream ended, and why was lost on the way")
        return from_rpc(failed)

    def _about(self, error: StanchionError) -> StanchionError:
        """Name the event that a refusal is about: the oldest one without an acknowledgement."""
        if self._pending:
            error.metadata.setdefault("event_id", self._pending[0].id)
        return error
