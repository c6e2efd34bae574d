"""What a processor does a second beside a bare aiokafka loop with the same codec work, and how fast it folds.

A message is a structured event that states three claims; the answer carries three contributions. Both run in this
process, on one broker, one after the other; outputs are acknowledged by all replicas.
"""

import asyncio
import os
from typing import Any, Final

import uvloop
from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Event, Observation, StatedClaim
from stanchion_contracts.value import Value
from stanchion_runtime import collector
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.stage import Stage, decoder
from support import stage_bench
from support.cluster import own_topics

EVENTS: Final = int(os.environ.get("EVENTS", "24000"))
PARTITIONS: Final = 12
ROUNDS: Final = int(os.environ.get("ROUNDS", "3"))


class Tally:
    """A state that keeps next to nothing, so that the runtime is measured and not a handler."""

    def __init__(self) -> None:
        self.count = 0


def event(n: int) -> Observation:
    """Give an event as a monitor publishes it, with three readings."""
    meta = Meta(
        id=f"obs_{n:032x}",
        workspace="checkout",
        room="platform",
        time_us=1_796_042_000_000_000 + n,
        seed=n.to_bytes(16, "big"),
        origin=f"observation:obs_{n:032x}",
        actor=Actor(kind="service", id="prometheus"),
    )
    claims = tuple(
        StatedClaim(subject="checkout-api", predicate=name, value=Value(type="number", text=str(n % 997), unit="ms"))
        for name in ("p50-latency", "p99-latency", "error-budget")
    )
    return Observation(
        meta=meta,
        publisher="prometheus",
        event_id=str(n),
        digest=n.to_bytes(32, "big"),
        source="prometheus",
        agent="prometheus",
        path="system-event",
        observed_at_us=1_796_042_000_000_000 + n,
        body=Body(event=Event(type="com.example.slo.v1", subject="checkout", data=b'{"window":"5m"}'), claims=claims),
    )


def extract(_state: Tally, message: Observation) -> Claims:
    """Make a contribution of each stated claim."""
    return Claims(
        meta=message.meta,
        contributions=tuple(
            Contribution(
                id=f"con_{message.meta.id[4:]}",
                subject=stated.subject,
                predicate=stated.predicate,
                value=stated.value,
                evidence="measurement",
                source=message.source,
                agent=message.agent,
                observed_at_us=message.observed_at_us,
            )
            for stated in message.body.claims
        ),
    )


def evolve(state: Tally, _output: Claims) -> None:
    """Count."""
    state.count += 1


STAGE: Final = Stage(
    name="extraction",
    inputs=("observations",),
    output="claims",
    initial=Tally,
    decode={"observations": decoder(Observation)},
    decide=extract,
    evolve=evolve,
    dead_letters=True,
)


def measure() -> dict[str, Any]:
    """Give events a second of the processor and of the bare loop, their ratio, and records a second of a fold."""
    collector.relax()  # as a worker does
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, capture_logs():
        return {"events": EVENTS, **runner.run(_measure())}


async def _measure() -> dict[str, Any]:
    """Measure on one broker, round after round, each on topics of its own."""
    found = []
    inputs = EVENTS + PARTITIONS
    for _ in range(ROUNDS):
        async with own_topics(PARTITIONS) as (settings, log):
            await _publish(log)
            line = await stage_bench.line_figures(STAGE, settings, log, _decode)
            found.append(line | await stage_bench.fold_figures(STAGE, settings, log, inputs))
    return stage_bench.medians(found)


def _decode(data: bytes) -> Observation:
    """Read an input as the stage does."""
    return codec.decode(data, Observation)


async def _publish(log: KafkaLog) -> None:
    """Write the events as ingest would: a claim in each partition, then outputs with their headers."""
    for partition in range(PARTITIONS):
        batch = [Outgoing(value=b"", headers=(("claim", b"bench"),))]
        for n in range(EVENTS // PARTITIONS):
            headers = (("cause", b"inbox:%d:%d" % (partition, n)), ("epoch", b"0"))
            batch.append(Outgoing(value=codec.encode(event(n)), headers=headers))
        await log.append("observations", partition, batch)
