"""Wiring of the reader: the ledger into the store, AuditService out of it.

Calls are answered from what is stored, and say how far that is; health turns to serving once what the log held at start
has been stored.
"""

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Final

import uvloop

from stanchion_audit.follower import TOPIC, Follower
from stanchion_audit.keys import UnusableKey, load_key
from stanchion_audit.rpc import SERVICE, AuditServicer
from stanchion_audit.settings import ReaderServerSettings, ReaderSettings
from stanchion_audit.store import Store, StoreUnusable
from stanchion_contracts.generated.stanchion.audit.v1.audit_pb2_grpc import add_AuditServiceServicer_to_server
from stanchion_core.errors import InvalidMessage, Transient
from stanchion_runtime import lag, logs, metrics, rpc
from stanchion_runtime.admin import check_widths
from stanchion_runtime.errors import EXIT_TRANSIENT, EXIT_UNUSABLE, Denied, Inconsistent
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import AuthSettings, KafkaSettings, read
from stanchion_runtime.tail import Tail

NAME: Final = "audit-reader"


class Reader:
    """The parts of the process, joined.

    Attributes:
        follower: ledger into store.
        server: store out to callers.
        ready: set once what the log held at start has been stored.
    """

    def __init__(
        self,
        settings: ReaderSettings,
        server: ReaderServerSettings,
        authenticator: rpc.Authenticator,
        log: Log,
        partitions: int,
    ) -> None:
        """Open the store; follow and serve nothing yet.

        Args:
            settings: of the reader.
            server: where to listen.
            authenticator: whose tokens are believed.
            log: has the ledger; connected.
            partitions: how many the ledger has.

        Raises:
            StoreUnusable: the store cannot be opened.
            UnusableKey: the checkpoint key cannot be used.
            UnsafeBind: the server would listen where others reach it, without TLS.
        """
        key = load_key(settings.key_file)
        held = settings.held(partitions)
        self._pools = [ThreadPoolExecutor(1, "store-writer"), ThreadPoolExecutor(settings.readers, "store-reader")]
        self.ready = asyncio.Event()
        self._log = log
        self.server = rpc.Server(NAME, server, authenticator, self._health)
        self._store = Store(settings.file, memory_mb=settings.memory_mb)
        self.follower = Follower(log, self._store, held, partitions=partitions, writer=self._pools[0])
        servicer = AuditServicer(self.follower, key, self._pools[1])
        self.server.add(SERVICE, add_AuditServiceServicer_to_server, servicer)

    async def run(self, stop: asyncio.Event) -> None:
        """Follow and serve until told to stop, or until following fails.

        Raises:
            StoreUnusable: the store does not fit the ledger.
            Transient: the log could not be reached.
        """
        async with AsyncExitStack() as parts:
            parts.callback(self._close)
            tail = await self.follower.open()
            await parts.enter_async_context(self.server)
            await self.server.set_serving(serving=False)
            following = asyncio.create_task(self._follow(tail))
            stopping = asyncio.create_task(stop.wait())
            measuring = asyncio.create_task(
                lag.keep_measured(
                    self._log, metrics.current(), stage=NAME, topic=TOPIC, positions=self.follower.positions
                )
            )
            working = {following, stopping, measuring}
            done, waiting = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            for task in done:
                task.result()

    async def _follow(self, tail: Tail) -> None:
        """Catch up, say so, go on."""
        await self.follower.catch_up(tail)
        await self.server.set_serving(serving=True)
        self.ready.set()
        logger().info("caught up", positions=self.follower.positions())
        await self.follower.follow(tail)

    def _health(self) -> dict[str, object]:
        """Give what `/healthz` shows."""
        positions = {str(partition): position for partition, position in self.follower.positions().items()}
        return {"ok": self.ready.is_set(), "positions": positions}

    def _close(self) -> None:
        """Let what is being stored finish, then close the file."""
        for pool in self._pools:
            pool.shutdown(wait=True, cancel_futures=True)
        self._store.close()


async def serve() -> None:
    """Read the settings, connect, and run until SIGTERM or SIGINT.

    Raises:
        StoreUnusable: the store cannot be used.
        UnusableKey: the checkpoint key cannot be used.
        Inconsistent: the ledger topic is not as wide as it must be.
        InvalidMessage: an output of audit cannot be read: an older version, or our bug.
        ValueError: a setting is wrong.
        OSError: a port is taken.
        Transient: the log could not be reached.
    """
    kafka, settings, server = read(KafkaSettings), read(ReaderSettings), read(ReaderServerSettings)
    authenticator = rpc.Authenticator.of(read(AuthSettings))
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with KafkaLog(kafka, f"stanchion-{NAME}") as log:
        await check_widths(log, [TOPIC], kafka.partitions)
        reader = Reader(settings, server, authenticator, log, kafka.partitions)
        await reader.run(stop)


def main() -> None:
    """Run until told to stop.

    Raises:
        SystemExit: with one of the exit codes above when something is wrong.
    """
    logs.configure(NAME)
    try:
        uvloop.run(serve())
    except (StoreUnusable, UnusableKey, Denied, Inconsistent, InvalidMessage, ValueError, OSError) as error:
        logger().critical("cannot run", detail=str(error), notes=getattr(error, "__notes__", []))
        raise SystemExit(EXIT_UNUSABLE) from error
    except Transient as error:
        logger().error("kafka away", detail=str(error))
        raise SystemExit(EXIT_TRANSIENT) from error
