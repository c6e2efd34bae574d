"""Wiring: `ledger` in, ViewService and `receipts` out."""

import asyncio
import signal
import sys

import uvloop

from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage, Transient
from stanchion_runtime import logs, metrics, rpc
from stanchion_runtime.admin import check_widths
from stanchion_runtime.errors import EXIT_TRANSIENT, EXIT_UNKNOWN, EXIT_UNUSABLE, Denied, Inconsistent
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import AuthSettings, KafkaSettings, read
from stanchion_view import receipts
from stanchion_view.handler import SeqGap
from stanchion_view.reader import Reader
from stanchion_view.replica import STAGE, TOPIC, Replica
from stanchion_view.rpc import ViewServicer
from stanchion_view.settings import ViewServerSettings, ViewSettings
from stanchion_view.store import Store, StoreError
from stanchion_view.view import View


def replica(settings: ViewSettings, partitions: int) -> Replica:
    """Open the file and rebuild hot state from it.

    Args:
        settings: of this process.
        partitions: how many the ledger has.

    Raises:
        StoreError: the file cannot be used.
        ValueError: the settings name a partition that is not there.
    """
    held = settings.held(partitions)
    store = Store(
        settings.file,
        memory_mb=settings.memory_mb,
        threads=settings.threads,
        checkpoint_mb=settings.checkpoint_mb,
    )
    if store.made_anew:
        logger().warning("view file of another format", detail="it is made anew from the ledger", file=str(store.path))
    return Replica(
        store,
        base_vocabulary(),
        partitions=held,
        partition_count=partitions,
        batch=settings.batch,
        recent=settings.watch_buffer,
        metrics=metrics.current(),
    )


async def serve(
    settings: ViewSettings, server: ViewServerSettings, auth: AuthSettings, log: Log, partitions: int
) -> None:
    """Keep a view and answer from it until SIGTERM or SIGINT.

    Raises:
        StoreError: the file cannot be used, or belongs to another ledger.
        Transient: the log could not be reached.
        ValueError: a setting is wrong.
        OSError: the port is taken.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    authenticator = rpc.Authenticator.of(auth)
    kept = await asyncio.to_thread(replica, settings, partitions)
    gathered = receipts.Receipts(log, partitions)
    reader = Reader(kept, settings.readers)
    try:
        view = View(
            kept,
            log,
            servicer=ViewServicer(reader, gathered),
            receipts=gathered,
            settings=server,
            authenticator=authenticator,
            metrics=metrics.current(),
        )
        await view.run(stop)
    finally:
        reader.close()
        kept.close()


async def run() -> None:
    """Read the environment, connect, serve.

    Raises:
        StoreError: the file cannot be used, or belongs to another ledger.
        Inconsistent: a topic is not as wide as it must be.
        Denied: Kafka does not let us read.
        Transient: the log could not be reached.
        ValueError: a setting is wrong.
        OSError: the port is taken.
    """
    kafka, auth = read(KafkaSettings), read(AuthSettings)
    settings, server = read(ViewSettings), read(ViewServerSettings)
    async with KafkaLog(kafka, "stanchion-view") as log:
        await check_widths(log, [TOPIC, receipts.TOPIC], kafka.partitions)
        await serve(settings, server, auth, log, kafka.partitions)


def main() -> None:
    """Run until told to stop.

    Raises:
        SystemExit: 75 when Kafka was away for too long, 78 for what starting again does not mend, 1 for a ledger that
            cannot be read or does not go on where the view stands.
    """
    logs.configure(STAGE)
    try:
        uvloop.run(run())
    except Transient as error:
        logger().error("kafka away", detail=str(error))
        sys.exit(EXIT_TRANSIENT)
    except (InvalidMessage, SeqGap) as error:
        logger().critical("ledger unreadable", detail=str(error), notes=getattr(error, "__notes__", []))
        sys.exit(EXIT_UNKNOWN)
    except (StoreError, Denied, Inconsistent, ValueError, OSError) as error:
        logger().critical("cannot run", detail=str(error))
        sys.exit(EXIT_UNUSABLE)
