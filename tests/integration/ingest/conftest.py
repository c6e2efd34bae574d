"""A gateway as its callers have it: real gRPC, real tokens, a real broker, and somebody behind it who answers."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from stanchion_broker.broker import Broker
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_ingest.gateway import Gateway
from stanchion_ingest.settings import GatewayServerSettings, GatewaySettings
from stanchion_runtime import rpc
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from support.arrivals import request
from support.calls import AsyncStub
from support.decider import Decider
from support.kafka_logs import PARTITIONS, kafka_settings
from support.tokens import Issuer


@pytest.fixture
async def log(broker: Broker, topic_prefix: str) -> AsyncIterator[KafkaLog]:
    """A log with topics of this module's own."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    async with KafkaLog(settings, "test-gateway") as log:
        yield log


@pytest.fixture
def issuer(tmp_path: Path) -> Issuer:
    """Whose tokens the gateway believes."""
    return Issuer(tmp_path)


@pytest.fixture
async def decider(log: KafkaLog) -> AsyncIterator[Decider]:
    """What stands behind the gateway; a test may give it another mind."""
    decider = Decider(log, PARTITIONS)
    await decider.claim()
    task = asyncio.create_task(decider.run())
    yield decider
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def gateway(log: KafkaLog, issuer: Issuer, decider: Decider) -> AsyncIterator[Gateway]:
    """A gateway that serves and has heard its first answer: its consumer is connected, and can be stopped cleanly."""
    settings = GatewaySettings(view="", max_waiting=4)
    server = GatewayServerSettings(port=0, http_port=-1, drain_s=1)
    gateway = Gateway(log, PARTITIONS, settings, server, rpc.Authenticator.of(issuer.settings()))
    stop = asyncio.Event()
    running = asyncio.create_task(gateway.run(stop))
    await asyncio.wait({running, asyncio.create_task(gateway.up.wait())}, return_when=asyncio.FIRST_COMPLETED)
    await gateway.line.ask("requests", "warm-up", request(), 60)
    decider.seen.clear()
    decider.headers.clear()
    yield gateway
    stop.set()
    await running


@pytest.fixture
async def gateway_channel(gateway: Gateway) -> AsyncIterator[grpc.aio.Channel]:
    """A caller's connection."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{gateway.server.port}") as channel:
        yield channel


@pytest.fixture
def stub(gateway_channel: grpc.aio.Channel) -> AsyncStub:
    """What calls over it."""
    return ingest_pb2_grpc.IngestServiceStub(gateway_channel)
