"""One Publish stream: events in, acknowledgements out in the same order, a bounded window of them in hand.

Two tasks and the response stream share the work: one takes events from the caller and screens them, one puts whatever
has gathered onto `requests`, a batch a partition, and the responses follow as the batches are durable.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from msgspec import Struct

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_ingest.line import Answer, Line, Waiting, unknown
from stanchion_runtime import rpc
from stanchion_runtime.log import Outgoing


class Prepared(Struct, frozen=True, kw_only=True):
    """One event, screened and encoded.

    Attributes:
        id: to acknowledge it by.
        workspace: whose it is.
        value: the encoded request.
        awaited: the caller wants the answer, not only that it is durable.
    """

    id: str
    workspace: str
    value: bytes
    awaited: bool


class _InHand(Struct, kw_only=True, eq=False):
    """One event between the caller's sending it and our acknowledging it."""

    prepared: Prepared
    outgoing: Outgoing
    durable: asyncio.Future[None]
    waiting: Waiting | None


class Publishing:
    """The work of one stream.

    Args:
        line: where events go.
        prepare: screens and encodes an event; raises `Refused` or `InvalidMessage`.
        window: most events in hand.
        window_bytes: most of their bytes; one event alone may be larger.
        answer_s: how long an awaited answer may take.
    """

    def __init__(
        self,
        line: Line,
        prepare: Callable[[pb.PublishRequest], Prepared],
        *,
        window: int,
        window_bytes: int,
        answer_s: float,
    ) -> None:
        self._line = line
        self._prepare = prepare
        self._window = window
        self._window_bytes = window_bytes
        self._answer_s = answer_s
        self._in_order: asyncio.Queue[_InHand | None] = asyncio.Queue()
        self._unsent: list[_InHand] = []
        self._gathered = asyncio.Event()
        self._count = 0
        self._bytes = 0
        self._freed = asyncio.Event()

    async def responses(self, requests: AsyncIterator[pb.PublishRequest]) -> AsyncIterator[tuple[str, Answer | None]]:
        """Give each event's id once it is durable, and its answer where that is awaited.

        An event that is refused ends the stream, after those before it are acknowledged.

        Args:
            requests: the caller's events.

        Raises:
            Refused: an event is wrong, or the line cannot take it.
            InvalidMessage: an event is wrong.
        """
        taker, sender = asyncio.create_task(self._take(requests)), asyncio.create_task(self._send())
        taker.add_done_callback(lambda _: self._in_order.put_nowait(None))
        try:
            while (item := await self._in_order.get()) is not None:
                try:
                    yield item.prepared.id, await self._outcome(item, sender)
                finally:
                    self._leave(item)
            taker.result()
        finally:
            taker.cancel()
            sender.cancel()
            await asyncio.gather(taker, sender, return_exceptions=True)
            self._leave_rest()

    async def _take(self, requests: AsyncIterator[pb.PublishRequest]) -> None:
        """Take events from the caller while the window has room.

        Raises:
            Refused: an event is wrong, or the line cannot take it.
            InvalidMessage: an event is wrong.
        """
        async for request in requests:
            self._enter(self._prepare(request))
            await self._room()

    def _enter(self, prepared: Prepared) -> None:
        """Take one event in hand.

        Raises:
            Refused: too much is in hand already.
        """
        size = len(prepared.value)
        self._line.hold(size)
        try:
            waiting = self._line.expect(prepared.workspace) if prepared.awaited else None
        except rpc.Refused:
            self._line.release(size)
            raise
        outgoing = Outgoing(value=prepared.value, headers=self._line.headers(waiting))
        durable = asyncio.get_running_loop().create_future()
        item = _InHand(prepared=prepared, outgoing=outgoing, durable=durable, waiting=waiting)
        self._count += 1
        self._bytes += size
        self._in_order.put_nowait(item)
        self._unsent.append(item)
        self._gathered.set()

    def _leave(self, item: _InHand) -> None:
        """Let one event go."""
        size = len(item.prepared.value)
        self._line.release(size)
        if item.waiting is not None:
            self._line.forget(item.waiting)
        self._count -= 1
        self._bytes -= size
        self._freed.set()

    def _leave_rest(self) -> None:
        """Let go what a stream that ended early still had in hand."""
        while not self._in_order.empty():
            item = self._in_order.get_nowait()
            if item is not None:
                item.durable.cancel()
                self._leave(item)

    async def _room(self) -> None:
        """Wait until the window has room for another event."""
        while self._count >= self._window or self._bytes >= self._window_bytes:
            self._freed.clear()
            await self._freed.wait()

    async def _send(self) -> None:
        """Send what has gathered, again and again; while a batch is on its way the next one gathers."""
        while True:
            await self._gathered.wait()
            self._gathered.clear()
            batch, self._unsent = self._unsent, []
            by_partition: dict[int, list[_InHand]] = {}
            for item in batch:
                by_partition.setdefault(self._line.partition(item.prepared.workspace), []).append(item)
            await asyncio.gather(*[self._send_to(partition, items) for partition, items in by_partition.items()])

    async def _send_to(self, partition: int, items: list[_InHand]) -> None:
        """Send the events of one partition, and say so."""
        try:
            await self._line.tell("requests", partition, [item.outgoing for item in items])
        except rpc.Refused as error:
            for item in items:
                item.durable.set_exception(error)
                item.durable.exception()  # seen, also when the stream ends before it gets there
            return
        for item in items:
            if not item.durable.done():
                item.durable.set_result(None)

    async def _outcome(self, item: _InHand, sender: asyncio.Task[None]) -> Answer | None:
        """Wait until an event is durable, and for its answer where that is awaited.

        Raises:
            Refused: neither could be known.
        """
        if not item.durable.done():
            await asyncio.wait({item.durable, sender}, return_when=asyncio.FIRST_COMPLETED)
        if not item.durable.done():
            sender.result()  # it never ends but by an error
        item.durable.result()
        if item.waiting is None:
            return None
        try:
            async with asyncio.timeout(min(self._answer_s, rpc.remaining_s())):
                return await item.waiting.answer
        except TimeoutError:
            unknown()
