"""How far a process that tails a topic in no group is behind it, where operators see it."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NoReturn

from stanchion_core.errors import Transient
from stanchion_runtime.log import Log
from stanchion_runtime.metrics import Metrics

EVERY_S: Final = 1.0
"""How often lag is measured."""


async def measure(log: Log, metrics: Metrics, *, stage: str, topic: str, positions: Mapping[int, int]) -> int:
    """Put the lag of each partition into the metrics, and give their sum.

    Args:
        log: has the topic.
        metrics: where it shows.
        stage: of the process.
        topic: register key.
        positions: by partition, the next offset.

    Raises:
        Transient: the log could not be reached.
    """
    bounds = await log.bounds(topic, list(positions))
    behind = {number: max(0, bound.end - positions[number]) for number, bound in bounds.items()}
    for number, lag in behind.items():
        metrics.lag.labels(stage, topic, str(number)).set(lag)
    return sum(behind.values())


async def keep_measured(
    log: Log, metrics: Metrics, *, stage: str, topic: str, positions: Callable[[], Mapping[int, int]]
) -> NoReturn:
    """Measure once a second, for ever; the arguments are those of `measure`."""
    while True:
        await asyncio.sleep(EVERY_S)
        with suppress(Transient):  # whoever tails it says when Kafka is away for good
            await measure(log, metrics, stage=stage, topic=topic, positions=positions())
