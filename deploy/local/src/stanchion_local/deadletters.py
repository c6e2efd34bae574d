"""Dead letters, read from their topic: the newest ones, one of them whole, and how many there are."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter
from stanchion_core.errors import InvalidMessage, Transient
from stanchion_local import state
from stanchion_local.errors import Unusable
from stanchion_runtime.deadletter import TOPIC
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Bounds, Log, Record, Span
from stanchion_runtime.settings import KafkaSettings

T = TypeVar("T")

COUNT_S: Final = 3.0
"""How long a count may take; a status waits no longer."""
CONNECT_S: Final = 10.0


class Letters(Struct, frozen=True, kw_only=True):
    """Some dead letters.

    Attributes:
        letters: newest first, each once; without headers and the raw message.
        total: how many the topic holds; one that was written again counts again.
    """

    letters: tuple[DeadLetter, ...]
    total: int


def newest(home: Path, count: int) -> Letters:
    """The newest dead letters.

    Raises:
        Unusable: the cluster does not answer.
    """
    return asyncio.run(_with_log(home, lambda log: read_newest(log, count)))


def one(home: Path, cause: str) -> DeadLetter | None:
    """A dead letter, whole, by its cause `topic:partition:offset`; None when the topic has none of it.

    Raises:
        Unusable: the cluster does not answer.
    """
    return asyncio.run(_with_log(home, lambda log: read_one(log, cause)))


async def count(home: Path) -> int | None:
    """How many the topic holds; None when the cluster does not say in time."""
    try:
        async with asyncio.timeout(COUNT_S), _connected(home) as log:
            return sum(bound.end - bound.begin for bound in (await _bounds(log)).values())
    except (TimeoutError, Transient, ValueError):
        return None


async def read_newest(log: Log, count: int) -> Letters:
    """The newest dead letters of a log.

    Raises:
        Transient: the log could not be reached.
    """
    bounds = await _bounds(log)
    found: dict[str, DeadLetter] = {}
    async for letter in _letters(log, {number: max(at.begin, at.end - count) for number, at in bounds.items()}, bounds):
        found[letter.cause] = msgspec.structs.replace(letter, raw=b"", headers=())
    ordered = sorted(found.values(), key=lambda letter: (-letter.time_us, letter.cause))
    return Letters(letters=tuple(ordered[:count]), total=sum(at.end - at.begin for at in bounds.values()))


async def read_one(log: Log, cause: str) -> DeadLetter | None:
    """The dead letter of a cause, whole.

    Raises:
        Transient: the log could not be reached.
    """
    bounds = await _bounds(log)
    async for letter in _letters(log, {number: at.begin for number, at in bounds.items()}, bounds):
        if letter.cause == cause:
            return letter
    return None


async def _letters(log: Log, starts: dict[int, int], bounds: dict[int, Bounds]) -> AsyncIterator[DeadLetter]:
    spans = [
        Span(topic=TOPIC, partition=number, start=start, stop=bounds[number].end)
        for number, start in starts.items()
        if start < bounds[number].end
    ]
    async for records in log.read(spans):
        for record in records:
            yield _letter(record)


def _letter(record: Record) -> DeadLetter:
    """What a record of the topic says; anybody may write there, so it may be no dead letter."""
    try:
        return codec.decode(record.value, DeadLetter)
    except InvalidMessage as error:
        return DeadLetter(
            stage="",
            cause=f"{TOPIC}:{record.partition}:{record.offset}",
            code=error.code,
            detail="this is no dead letter of ours",
            time_us=record.timestamp_us,
            raw=record.value,
        )


async def _bounds(log: Log) -> dict[int, Bounds]:
    return dict(await log.bounds(TOPIC, range(await log.partitions(TOPIC))))


async def _with_log(home: Path, work: Callable[[Log], Awaitable[T]]) -> T:
    """Does work on the cluster's log.

    Raises:
        Unusable: the cluster does not answer.
    """
    where = settings_of(home).bootstrap
    try:
        async with asyncio.timeout(CONNECT_S) as limit, _connected(home) as log:
            limit.reschedule(None)
            return await work(log)
    except (TimeoutError, Transient) as error:
        raise Unusable(
            f"no Kafka answers at {where}: start a local run with `stanchion up`, or say where the cluster is with "
            "STANCHION_KAFKA_BOOTSTRAP"
        ) from error


@asynccontextmanager
async def _connected(home: Path) -> AsyncIterator[Log]:
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # what it could not do, we say ourselves
    async with KafkaLog(settings_of(home), "stanchion-dead-letters") as log:
        yield log


def settings_of(home: Path) -> KafkaSettings:
    """Where the cluster is: as the environment says, else where the home's run has it.

    Raises:
        ValueError: the environment says half a sign-in.
    """
    known = state.read(home)
    if known is None or os.environ.get("STANCHION_KAFKA_BOOTSTRAP"):
        return KafkaSettings()
    return KafkaSettings(bootstrap=known.bootstrap)
