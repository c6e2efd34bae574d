"""Topics or a whole line of a benchmark's own."""

import asyncio
import contextlib
import os
import secrets
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from stanchion_local import stack
from stanchion_local.settings import LocalSettings
from stanchion_local.supervisor import Supervisor
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.settings import KafkaSettings
from support.broker import LIB, free_ports, new_broker


@contextlib.asynccontextmanager
async def own_topics(partitions: int) -> AsyncIterator[tuple[KafkaSettings, KafkaLog]]:
    """Give topics that nobody else uses, on the cluster of STANCHION_KAFKA_BOOTSTRAP or else on a broker of our own.

    Args:
        partitions: of each topic.
    """
    with contextlib.ExitStack() as left:
        bootstrap = os.environ.get("STANCHION_KAFKA_BOOTSTRAP", "")
        if not bootstrap:
            broker = new_broker(Path(left.enter_context(tempfile.TemporaryDirectory())))
            await asyncio.to_thread(broker.start)
            left.callback(broker.stop)
            bootstrap = broker.bootstrap
        settings = KafkaSettings(
            bootstrap=bootstrap, topic_prefix=f"bench-{secrets.token_hex(4)}", partitions=partitions
        )
        await create_topics(settings)
        async with KafkaLog(settings, "bench") as log:
            yield settings, log


@contextlib.asynccontextmanager
async def own_line() -> AsyncIterator[tuple[Path, Supervisor]]:
    """Give the home of a whole line of our own, as `make run` starts it, and its processes."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        settings = LocalSettings(
            home=home, broker_port=free_ports(2), port_base=free_ports(24), broker_lib=LIB, kafka_bootstrap=""
        )
        async with stack.running(settings) as supervisor:
            yield home, supervisor
