"""A gateway's insides over a log in memory."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from stanchion_ingest.line import Line
from stanchion_runtime.memory import MemoryLog
from support.decider import Decider

PARTITIONS = 4


@pytest.fixture
def log() -> MemoryLog:
    """An empty log."""
    return MemoryLog(partitions=PARTITIONS)


@pytest.fixture
def decider(log: MemoryLog) -> Decider:
    """What answers once `line` is there; a test may give it another mind."""
    return Decider(log, PARTITIONS)


@pytest.fixture
async def line(log: MemoryLog, decider: Decider) -> AsyncIterator[Line]:
    """A line that follows, with somebody behind it who answers."""
    line = Line(log, PARTITIONS, most_waiting=8, most_bytes=1_000_000)
    await decider.claim()
    await line.catch_up()
    tasks = [asyncio.create_task(line.follow()), asyncio.create_task(decider.run())]
    yield line
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
