"""Publishing that is interrupted ends, whatever it was at; what arrives is tested over gRPC."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from stanchion.publishing import Publisher
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2


class Silent:
    """A stream to a gateway that takes nothing and says nothing."""

    def cancel(self) -> None:
        """End it."""

    async def write(self, _request: object) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    async def read(self) -> object:
        """Wait for ever."""
        await asyncio.Event().wait()
        return None


class Ended(Silent):
    """A stream that the gateway has ended in good order, whose writer takes its time to let go."""

    def __init__(self) -> None:
        self.letting_go = asyncio.Event()

    async def write(self, _request: object) -> None:
        """Wait for ever, and a little longer."""
        try:
            await asyncio.Event().wait()
        finally:
            self.letting_go.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    async def read(self) -> object:
        """Give an acknowledgement of nothing that was sent."""
        await asyncio.sleep(0)
        return ingest_pb2.PublishResponse(id="another")


class Connection:
    """What a publisher asks of a connection."""

    metadata: tuple[tuple[str, str], ...] = ()
    timeout_s = 30.0

    async def wait(self, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as the real one is called
        """Try again at once."""


def publisher(stream: Silent) -> AsyncIterator[Any]:
    """Publish ten events over a stream."""
    connection: Any = Connection()
    requests = [ingest_pb2.PublishRequest(id=f"e-{n}") for n in range(10)]
    return Publisher(connection, lambda **_: stream, 5).run(requests)


def test_a_process_that_is_interrupted_ends() -> None:
    """Nothing that waits to be sent keeps an event loop from closing."""

    async def main() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        loop.call_soon(lambda: loop.call_soon(task.cancel))
        async for _ in publisher(Silent()):
            pass

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())


async def test_a_cancellation_while_a_stream_is_let_go_is_one() -> None:
    """Whoever cancels in just that moment is heard."""
    stream = Ended()

    async def work() -> None:
        async for _ in publisher(stream):
            pass

    task = asyncio.ensure_future(work())
    await stream.letting_go.wait()
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=5)
    assert {task} == done
    assert task.cancelled()
