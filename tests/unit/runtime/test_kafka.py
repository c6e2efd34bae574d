"""What is made of the client's failures; the log itself is tested on a real broker."""

import asyncio

import pytest
from aiokafka.errors import KafkaConnectionError, TopicAuthorizationFailedError
from structlog.testing import capture_logs

from stanchion_core.errors import Transient
from stanchion_runtime import kafka
from stanchion_runtime.errors import Denied
from stanchion_runtime.kafka import let_go, transient


class Client:
    """A client whose stopping waits for a broker that is away."""

    def __init__(self) -> None:
        self.left = False

    async def stop(self) -> None:
        """Wait for ever."""
        try:
            await asyncio.Event().wait()
        finally:
            self.left = True


class Denying:
    """A client without rights."""

    async def read(self) -> None:
        """Fail.

        Raises:
            TopicAuthorizationFailedError: always.
        """
        raise TopicAuthorizationFailedError


class Broken:
    """A client that stops badly."""

    async def stop(self) -> None:
        """Fail.

        Raises:
            KafkaConnectionError: always.
        """
        raise KafkaConnectionError


async def test_a_cluster_that_is_away_is_transient() -> None:
    """What passes by itself may be tried again."""
    with pytest.raises(Transient, match="reading"), transient("reading"):
        await Broken().stop()


async def test_a_missing_right_is_denied_and_not_taken_for_an_outage() -> None:
    """What only an operator can mend says so."""
    with pytest.raises(Denied, match="ACL"), transient("reading"):
        await Denying().read()


async def test_a_cancellation_of_the_clients_own_does_not_pass_for_a_stop() -> None:
    """A future that the client cancelled ends the process, instead of leaving it alive and idle."""
    dropped = asyncio.get_running_loop().create_future()
    dropped.cancel()
    with pytest.raises(Transient, match="gave up"), transient("appending"):
        await dropped


async def test_a_cancellation_of_ours_stays_one() -> None:
    """Whoever stops a task is obeyed."""

    async def work() -> None:
        with transient("reading"):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_client_that_does_not_stop_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that must end is not held up by a client that waits for a broker."""
    monkeypatch.setattr(kafka, "_LET_GO_S", 0.01)
    client = Client()
    with capture_logs() as logged:
        await let_go(client)
    await asyncio.sleep(0)
    assert client.left
    assert ["Client"] == [line["client"] for line in logged]


async def test_a_client_that_stops_badly_is_only_told() -> None:
    """The error that ends a process is not covered up by one of letting go."""
    with capture_logs() as logged:
        await let_go(Broken())
    assert ["a Kafka client stopped badly"] == [line["event"] for line in logged]
