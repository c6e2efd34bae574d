"""Topics of a benchmark's own, on the cluster that is named or on a broker of its own."""

import asyncio
import contextlib
import os
import secrets
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.settings import KafkaSettings
from support.broker import new_broker


@contextlib.asynccontextmanager
async def own_topics(partitions: int) -> AsyncIterator[tuple[KafkaSettings, KafkaLog]]:
    """Give topics that nobody else uses, on the cluster of STANCHION_KAFKA_BOOTSTRAP or else on a broker of our own.

    Args:
        partitions: of each topic.
    """
    with contextlib.ExitStack() as stack:
        bootstrap = os.environ.get("STANCHION_KAFKA_BOOTSTRAP", "")
        if not bootstrap:
            broker = new_broker(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            await asyncio.to_thread(broker.start)
            stack.callback(broker.stop)
            bootstrap = broker.bootstrap
        settings = KafkaSettings(
            bootstrap=bootstrap, topic_prefix=f"bench-{secrets.token_hex(4)}", partitions=partitions
        )
        await create_topics(settings)
        async with KafkaLog(settings, "bench") as log:
            yield settings, log
