"""The process itself, on a real broker: started, killed at any moment, stopped."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_broker.broker import Broker
from stanchion_contracts.change import Change
from stanchion_contracts.command import Write
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_contracts.ledger import Ledger
from stanchion_core.ids import partition_of
from stanchion_runtime.admin import create_topics
from stanchion_runtime.errors import EXIT_UNUSABLE
from stanchion_runtime.kafka import KafkaLog
from support.broker import free_ports
from support.kafka_logs import kafka_settings
from support.ledgers import Scribe, claim, closed, opened, outgoing, proposal, related, said
from support.tokens import AUDIENCE, ISSUER, Issuer
from support.views import batch_of, replica_at, store_at

WORKSPACE = "acme"
SCRIPT = Path(sys.executable).with_name("stanchion-view")
READY_S = 30


class Process:
    """One view process and how it is told things.

    Attributes:
        database: its file.
        environment: what it is started with.
    """

    def __init__(self, folder: Path, broker: Broker, prefix: str) -> None:
        self.database = folder / "view.duckdb"
        self.issuer = Issuer(folder)
        self.port = free_ports(1)
        self.environment: Mapping[str, str] = {
            **os.environ,
            "STANCHION_KAFKA_BOOTSTRAP": broker.bootstrap,
            "STANCHION_KAFKA_TOPIC_PREFIX": prefix,
            "STANCHION_KAFKA_PARTITIONS": str(kafka_settings(broker, prefix).partitions),
            "STANCHION_VIEW_DATABASE": str(self.database),
            "STANCHION_AUTH_JWKS": str(self.issuer.jwks),
            "STANCHION_AUTH_ISSUER": ISSUER,
            "STANCHION_AUTH_AUDIENCE": AUDIENCE,
            "STANCHION_SERVER_PORT": str(self.port),
            "STANCHION_SERVER_HTTP_PORT": "-1",
        }

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """Run it; a process that still runs at the end is killed."""
        process = await asyncio.create_subprocess_exec(SCRIPT, env=dict(self.environment))
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def reached(self, seq: int) -> view_pb2.QueryResponse:
        """Wait until it serves a seq."""
        metadata = (("authorization", f"Bearer {self.issuer.token()}"),)
        request = view_pb2.QueryRequest(workspace=WORKSPACE, min_seq=seq)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.port}") as channel:
            stub: Any = view_pb2_grpc.ViewServiceStub(channel)
            response: view_pb2.QueryResponse = await stub.Query(
                request, metadata=metadata, timeout=READY_S, wait_for_ready=True
            )
            return response


def mixed(scribe: Scribe, count: int) -> list[Ledger]:
    """Messages of one change each: beliefs, and in between records, relations and proposals."""
    return [scribe.message(_mixed(scribe, at)) for at in range(count)]


def _mixed(scribe: Scribe, at: int) -> Change:
    if at % 5 == 0:
        return scribe.write(f"d{at % 7}", label=f"v{at}", body="b" * 300, status="active")
    if at % 5 == 1:
        return related(f"e{at % 11}", "is", f"f{at % 3}", since_us=at, ended=at % 4 == 0)
    waits = proposal(f"p{at // 20}", Write(id=f"d{at % 7}", label=f"v{at}"))
    if at % 20 in {2, 12}:
        return opened(waits, "proposal.opened" if at % 20 == 2 else "proposal.edited")
    if at % 20 == 17 and at % 3:
        return closed(waits)
    return scribe.believe(said(str(at), subject=f"s{at % 11}"))


@pytest.fixture
async def log(broker: Broker, topic_prefix: str) -> AsyncIterator[KafkaLog]:
    """A connection to topics of this module."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    async with KafkaLog(settings, "test") as running:
        yield running


async def test_killed_at_any_moment_it_comes_back_whole(
    tmp_path: Path, broker: Broker, topic_prefix: str, log: KafkaLog
) -> None:
    """After each kill -9 rows and position agree; in the end all is there once, as an undisturbed fold has it."""
    view, scribe, total, step = Process(tmp_path, broker, topic_prefix), Scribe(), 400, 100
    partition = partition_of(WORKSPACE, log.settings.partitions)
    messages = mixed(scribe, total)
    await log.append("ledger", partition, [claim()])

    async def write(start: int) -> None:
        for at in range(start, start + step):
            await log.append("ledger", partition, outgoing(messages[at : at + 1], partition=partition, first_cause=at))

    for start in range(0, total, step):
        async with view.running() as process:
            writing = asyncio.create_task(write(start))
            await view.reached(start + step // 2)
            process.kill()
            await process.wait()
            await writing
        store = store_at(view.database)
        seqs = [seq for (seq,) in store._cursor().execute("SELECT seq FROM changes ORDER BY seq").fetchall()]
        assert list(range(1, store.positions()[partition].position)) == seqs
        store.close()
    async with view.running() as process:
        await view.reached(total)
        process.send_signal(signal.SIGTERM)
        assert 0 == await process.wait()
    undisturbed = replica_at(tmp_path / "undisturbed.duckdb")
    await undisturbed.apply([batch_of(messages)])
    survivor = replica_at(view.database)
    assert undisturbed.workspaces == survivor.workspaces
    undisturbed.close()
    survivor.close()


async def test_a_file_that_is_ahead_of_the_ledger_is_refused(
    tmp_path: Path, broker: Broker, topic_prefix: str, log: KafkaLog
) -> None:
    """A position past the topic's end, as after topics were made anew, ends the process and leaves the file alone."""
    view = Process(tmp_path, broker, topic_prefix)
    bounds = await log.bounds("ledger", [0])
    ahead = replica_at(view.database)
    await ahead.apply([batch_of(mixed(Scribe(), 3), first=bounds[0].end + 1)])
    ahead.close()
    async with view.running() as process:
        assert EXIT_UNUSABLE == await process.wait()
    store = store_at(view.database)
    assert store.positions()[0].position == bounds[0].end + 4
    store.close()
