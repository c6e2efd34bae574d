"""What ingest takes a second: by format without Kafka, from the inbox on a real broker, and through the gateway.

An event is a CloudEvent of 0.3 KiB with three figures. The broker, the processor, the gateway and its caller share this
machine; the caller and the gateway even share this process.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import grpc
import uvloop
from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_core.ids import partition_of
from stanchion_ingest.app import build
from stanchion_ingest.gateway import Gateway
from stanchion_ingest.handler import Arrival, State, decide
from stanchion_ingest.settings import GatewayServerSettings, GatewaySettings
from stanchion_runtime import rpc
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from support import stage_bench
from support.arrivals import ANNOUNCED, Headers, arrival, binary_headers, cloud_event, inbox_event
from support.cluster import own_topics
from support.timing import per_call_us
from support.tokens import Issuer

EVENTS: Final = 30_000
PARTITIONS: Final = 12
WORKSPACES: Final = [f"w-{number}" for number in range(40)]
FIGURES: Final = {"window": "5m", "p50_ms": 12.5, "p99_ms": 480, "error_budget": 0.97, "region": "eu-west-1"}


def measure() -> dict[str, Any]:
    """Give microseconds an event by format, and events a second of the processor and through the gateway."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, capture_logs():
        return {"decide_us": _decide(), **runner.run(_measure())}


def _decide() -> dict[str, float]:
    """Measure reading, screening and deciding, by format."""
    whole = {"subject": "checkout-api", "time": "2026-11-30T10:00:00Z", "room": "platform"}
    data = cloud_event(**FIGURES)
    formats: dict[str, tuple[bytes, Headers]] = {
        "structured": (cloud_event(data=FIGURES, **whole), ANNOUNCED),
        "binary": (data, binary_headers(**whole)),
        "own_avro": (codec.encode(inbox_event(data=data, **whole)), ()),
        "plain": (cloud_event(specversion=None, data=FIGURES, **whole), ()),
    }
    return {name: per_call_us(_deciding(arrival(value, headers))) for name, (value, headers) in formats.items()}


def _deciding(each: Arrival) -> Callable[[], object]:
    """Give a call that decides one record."""
    state = State()
    return lambda: decide(state, each, partitions=PARTITIONS)


async def _measure() -> dict[str, Any]:
    """Measure what needs a broker."""
    async with own_topics(PARTITIONS) as (settings, log):
        await _fill(log)
        line = await stage_bench.run(build(PARTITIONS), settings, log, EVENTS)
        folded = await stage_bench.fold_figures(build(PARTITIONS), settings, log, EVENTS)
        gateway = await _gateway(log)
    return {
        "events": EVENTS,
        "processor_events_per_s": round(EVENTS / line.wall),
        "processor_cpu_us_per_event": round(line.cpu / EVENTS * 1e6, 1),
        **stage_bench.medians([folded]),
        "gateway_publish_events_per_s": round(EVENTS / gateway.wall),
        "gateway_and_caller_cpu_us_per_event": round(gateway.cpu / EVENTS * 1e6, 1),
    }


async def _fill(log: KafkaLog) -> None:
    """Put the events on the inbox."""
    batches: dict[int, list[Outgoing]] = {}
    for number in range(EVENTS):
        workspace = WORKSPACES[number % len(WORKSPACES)]
        value = cloud_event(id=f"e-{number}", workspace=workspace, data=FIGURES | {"n": number})
        batches.setdefault(partition_of(workspace, PARTITIONS), []).append(Outgoing(value=value, headers=ANNOUNCED))
    for partition, batch in batches.items():
        await log.append("inbox", partition, batch)


async def _gateway(log: KafkaLog) -> stage_bench.Seconds:
    """Publish on one stream, each event acknowledged once it is durable; give wall and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        issuer = Issuer(Path(folder))
        authenticator = rpc.Authenticator.of(issuer.settings())
        server = GatewayServerSettings(port=0, http_port=-1, drain_s=0)
        gateway = Gateway(log, PARTITIONS, GatewaySettings(view=""), server, authenticator)
        stop = asyncio.Event()
        running = asyncio.ensure_future(gateway.run(stop))
        await gateway.up.wait()
        data = cloud_event(**FIGURES)
        events = (
            pb.PublishRequest(
                id=f"p-{number}", workspace=WORKSPACES[number % len(WORKSPACES)], source="/slo", type="t", data=data
            )
            for number in range(EVENTS)
        )
        async with grpc.aio.insecure_channel(f"127.0.0.1:{gateway.server.port}") as channel:
            call = ingest_pb2_grpc.IngestServiceStub(channel).Publish(
                events, metadata=(("authorization", f"Bearer {issuer.token()}"),)
            )
            clocks = stage_bench.Clocks()
            async for _ in call:
                pass
            took = clocks.seconds()
        stop.set()
        await running
    return took
