"""How a line ends that nobody stopped; processes are tested on a real broker."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from structlog.testing import capture_logs

from stanchion_core.errors import Transient
from stanchion_runtime import worker
from stanchion_runtime.errors import Superseded
from stanchion_runtime.settings import KafkaSettings, WorkerSettings
from stanchion_runtime.worker import EXIT_SUPERSEDED, EXIT_TRANSIENT, EXIT_UNKNOWN, Line
from support.stages import front


class Left(BaseException):
    """The process has ended, with a code."""


async def ended(monkeypatch: pytest.MonkeyPatch, work: Callable[[], Awaitable[None]]) -> int:
    """Run a line that does this; give the code its process ends with."""

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(worker, "_leave", leave)
    line = Line(front(), WorkerSettings(http_port=0), KafkaSettings())
    monkeypatch.setattr(line, "_run", work)
    with capture_logs(), pytest.raises(Left) as left:
        await line.run()
    return int(left.value.args[0])


async def returning() -> None:
    """End as if there were nothing to do."""


async def cancelled() -> None:
    """End as if somebody had cancelled it.

    Raises:
        CancelledError: always.
    """
    raise asyncio.CancelledError


async def away() -> None:
    """End because Kafka is away.

    Raises:
        Transient: always.
    """
    raise Transient("away")


async def superseded() -> None:
    """End because somebody else owns it.

    Raises:
        Superseded: always.
    """
    raise Superseded("taken")


@pytest.mark.parametrize(
    ("work", "code"),
    [(returning, EXIT_UNKNOWN), (cancelled, EXIT_UNKNOWN), (away, EXIT_TRANSIENT), (superseded, EXIT_SUPERSEDED)],
)
async def test_a_line_that_ends_unasked_ends_its_process(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], Awaitable[None]], code: int
) -> None:
    """No process lives on without its line: a supervisor could not tell, and nobody would answer."""
    assert code == await ended(monkeypatch, work)
