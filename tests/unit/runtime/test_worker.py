"""How a line ends that nobody stopped; processes are tested on a real broker."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from structlog.testing import capture_logs

from stanchion_core.errors import Transient
from stanchion_runtime import logs, worker
from stanchion_runtime.errors import (
    EXIT_SUPERSEDED,
    EXIT_TRANSIENT,
    EXIT_UNKNOWN,
    EXIT_UNUSABLE,
    Denied,
    Inconsistent,
    Superseded,
)
from stanchion_runtime.settings import KafkaSettings, WorkerSettings, read
from stanchion_runtime.worker import Line
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


async def denied() -> None:
    """End because Kafka does not let us.

    Raises:
        Denied: always.
    """
    raise Denied("no such user")


async def inconsistent() -> None:
    """End because the topics are not what they must be.

    Raises:
        Inconsistent: always.
    """
    raise Inconsistent("7 partitions")


@pytest.mark.parametrize(
    ("work", "code"),
    [
        (returning, EXIT_UNKNOWN),
        (cancelled, EXIT_UNKNOWN),
        (away, EXIT_TRANSIENT),
        (superseded, EXIT_SUPERSEDED),
        (denied, EXIT_UNUSABLE),
        (inconsistent, EXIT_UNUSABLE),
    ],
)
async def test_a_line_that_ends_unasked_ends_its_process(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], Awaitable[None]], code: int
) -> None:
    """No process lives on without its line: a supervisor could not tell, and nobody would answer."""
    assert code == await ended(monkeypatch, work)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("HTTP_PORT", "70000", "STANCHION_WORKER_HTTP_PORT: Input should be less than or equal to 65535"),
        (
            "STOP_S",
            "long",
            "STANCHION_WORKER_STOP_S: Input should be a valid number, unable to parse string as a number",
        ),
    ],
)
def test_a_wrong_setting_is_no_use(monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str) -> None:
    """It is said in one sentence that names the variable, and the exit code says that another start does not help."""

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(worker, "_leave", leave)
    monkeypatch.setattr(logs, "configure", lambda _name: None)
    monkeypatch.setenv(f"STANCHION_WORKER_{name}", value)
    with capture_logs() as said, pytest.raises(Left) as left, worker.prepared("fusion"):
        read(WorkerSettings)
    assert (EXIT_UNUSABLE, [told]) == (left.value.args[0], [line["detail"] for line in said])


def test_settings_that_do_not_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """What several of them make wrong is said in their own words."""
    monkeypatch.setenv("STANCHION_KAFKA_SECURITY_PROTOCOL", "SASL_SSL")
    with pytest.raises(ValueError, match=r"^STANCHION_KAFKA_SECURITY_PROTOCOL is SASL_SSL: set .* too$"):
        read(KafkaSettings)
