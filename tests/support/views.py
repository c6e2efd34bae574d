"""A view's replica over a DuckDB file, and the batches it is fed."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_contracts.ledger import Ledger
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_runtime import clock, rpc
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from stanchion_runtime.tail import Batch
from stanchion_view.reader import Reader
from stanchion_view.receipts import Receipts
from stanchion_view.replica import Replica
from stanchion_view.rpc import ViewServicer
from stanchion_view.store import Store
from stanchion_view.view import View
from support.ledgers import claim, outgoing, records
from support.tokens import Issuer

PARTITIONS = 4


def store_at(path: Path) -> Store:
    """A store with small memory."""
    return Store(path, memory_mb=128, threads=1, checkpoint_mb=16)


def replica_at(
    path: Path, *, recent: int = 1_000, batch: int = 500, partitions: Sequence[int] = range(PARTITIONS)
) -> Replica:
    """A replica, of every partition unless told."""
    return Replica(
        store_at(path),
        base_vocabulary(),
        partitions=partitions,
        partition_count=PARTITIONS,
        batch=batch,
        recent=recent,
        metrics=Metrics(),
    )


def batch_of(messages: Sequence[Ledger], *, partition: int = 0, first: int = 1) -> Batch:
    """Messages as they come from a partition, from an offset on."""
    read = tuple(records(messages, partition=partition, first=first))
    after = first + len(messages)
    return Batch(partition=partition, records=read, position=after, up=f"0|changes={after - 1}")


async def stream(batches: Iterable[Batch]) -> AsyncIterator[Batch]:
    """Batches as a tail gives them, then the end."""
    for batch in batches:
        yield batch


def reason_of(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    """The ErrorInfo that a refusal carries."""
    status = rpc_status.from_call(error)
    info = error_details_pb2.ErrorInfo()
    assert status is not None
    assert status.details[0].Unpack(info)
    return info


class Serving:
    """A view that serves from a memory log over real gRPC, and a person's stub to it.

    Attributes:
        log: append the ledger here.
        view: the running view.
        stub: calls it with a token for every workspace.
        me: the metadata of a person with every capability.
        issuer: signs tokens.
    """

    def __init__(self, folder: Path, log: MemoryLog, *, recent: int = 1_000) -> None:
        self.log = log
        self.issuer = Issuer(folder)
        self._replica = replica_at(folder / "view.duckdb", recent=recent)
        receipts = Receipts(log, PARTITIONS)
        self._reader = Reader(self._replica, readers=2)
        self.view = View(
            self._replica,
            log,
            servicer=ViewServicer(self._reader, receipts),
            receipts=receipts,
            settings=ServerSettings(port=0, http_port=0, default_deadline_s=5, drain_s=1),
            authenticator=rpc.Authenticator.of(self.issuer.settings()),
            metrics=Metrics(),
        )
        self._stop = asyncio.Event()
        self.me = self.token()
        self._running: asyncio.Task[None] | None = None

    @property
    def replica(self) -> Replica:
        """What it answers from."""
        return self._replica

    def token(self, sub: str = "maya", **claims: Any) -> tuple[tuple[str, str], ...]:  # noqa: ANN401 - as `Issuer.token`
        """A caller's metadata."""
        return (("authorization", f"Bearer {self.issuer.token(sub, **claims)}"),)

    async def __aenter__(self) -> Self:
        """Start, and wait until it serves."""
        self._running = asyncio.create_task(self.view.run(self._stop))
        ready = asyncio.create_task(self.view.ready.wait())
        await asyncio.wait([self._running, ready], return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            ready.cancel()
            self._running.result()
        self._channel = grpc.aio.insecure_channel(
            f"127.0.0.1:{self.view.server.port}", options=[("grpc.max_receive_message_length", 16 * 1024 * 1024)]
        )
        self.stub = view_pb2_grpc.ViewServiceStub(self._channel)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop and let go of the file."""
        await self._channel.close()
        self._stop.set()
        if self._running is not None:
            await self._running
        self._reader.close()
        self._replica.close()

    def now_us(self) -> int:
        """The wall clock that reads go by."""
        return clock.now_us()

    def append(self, *messages: Ledger, partition: int = 0) -> None:
        """Append to a partition of the ledger, after a claim where it is empty."""
        if not self.log.records("ledger", partition):
            self.log.write("ledger", partition, [claim()])
        cause = len(self.log.records("ledger", partition)) - 1
        self.log.write("ledger", partition, outgoing(messages, partition=partition, first_cause=cause))
