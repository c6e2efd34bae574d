"""What a processor does a second beside a bare aiokafka loop with the same codec work, and how fast it folds.

A message is a structured event that states three claims; the answer carries three contributions. Both run in this
process, on one broker, one after the other; outputs are acknowledged by all replicas.
"""

import asyncio
import os
import time
from collections.abc import Iterable
from typing import Any, Final

import uvloop
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Event, Observation, StatedClaim
from stanchion_contracts.value import Value
from stanchion_runtime.group import Member
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.settings import KafkaSettings
from stanchion_runtime.stage import Stage, decoder
from support.cluster import own_topics

EVENTS: Final = int(os.environ.get("EVENTS", "24000"))
PARTITIONS: Final = 12
BATCH: Final = 1000


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


class Clocks:
    """The wall clock and this process's CPU time, from now on."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def rates(self) -> tuple[float, float]:
        """Give events a second of each; the second does not depend on what else the machine does."""
        return EVENTS / (time.perf_counter() - self._begun[0]), EVENTS / (time.process_time() - self._begun[1])


class Counted(Processor):
    """Says when so many inputs are answered."""

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401 - those of a processor
        super().__init__(*parts)
        self.left = EVENTS + PARTITIONS
        self.begun: Clocks | None = None
        self.done = asyncio.Event()

    async def process(self, records: Iterable[Record]) -> None:
        """Answer and count."""
        given = list(records)
        self.begun = self.begun or Clocks()
        await super().process(given)
        self.left -= len(given)
        if self.left <= 0:
            self.done.set()


def measure() -> dict[str, Any]:
    """Give events a second of the processor and of the bare loop, their ratio, and records a second of a fold."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, capture_logs():
        return runner.run(_measure())


async def _measure() -> dict[str, Any]:
    """Measure everything on one broker."""
    async with own_topics(PARTITIONS) as (settings, log):
        await _publish(log)
        bare = max([await _bare(settings) for _ in range(2)])
        line = await _line(settings, log)
        folded = await _fold(log)
    return {
        "events": EVENTS,
        "processor_events_per_s": round(line[0]),
        "bare_loop_events_per_s": round(bare[0]),
        "ratio_to_bare_loop": round(line[0] / bare[0], 2),
        "fold_records_per_s": round(folded[0]),
        "processor_events_per_cpu_s": round(line[1]),
        "bare_loop_events_per_cpu_s": round(bare[1]),
        "ratio_to_bare_loop_by_cpu": round(line[1] / bare[1], 2),
        "fold_records_per_cpu_s": round(folded[1]),
    }


async def _publish(log: KafkaLog) -> None:
    """Write the events as ingest would: a claim in each partition, then outputs with their headers."""
    for partition in range(PARTITIONS):
        batch = [Outgoing(value=b"", headers=(("claim", b"bench"),))]
        for n in range(EVENTS // PARTITIONS):
            headers = (("cause", b"inbox:%d:%d" % (partition, n)), ("epoch", b"0"))
            batch.append(Outgoing(value=codec.encode(event(n)), headers=headers))
        await log.append("observations", partition, batch)


async def _bare(settings: KafkaSettings) -> tuple[float, float]:
    """Read, decode, extract, encode and write with acknowledgements, and nothing else; give events a second."""
    consumer = AIOKafkaConsumer(bootstrap_servers=settings.bootstrap, auto_offset_reset="earliest")
    producer = AIOKafkaProducer(bootstrap_servers=settings.bootstrap, acks="all", enable_idempotence=True)
    await consumer.start()
    await producer.start()
    places = [TopicPartition(f"{settings.topic_prefix}.observations.v1", n) for n in range(PARTITIONS)]
    consumer.assign(places)
    await consumer.seek_to_beginning(*places)
    state, left, begun = Tally(), EVENTS + PARTITIONS, None
    while left > 0:
        found = await consumer.getmany(timeout_ms=1000, max_records=BATCH)
        begun = begun or Clocks()
        sent = []
        for place, raws in found.items():
            left -= len(raws)
            for raw in raws:
                if raw.value:
                    value = codec.encode(extract(state, codec.decode(raw.value, Observation)))
                    headers = [("cause", b"observations:%d:%d" % (place.partition, raw.offset)), ("epoch", b"0")]
                    topic = f"{settings.topic_prefix}.receipts.v1"
                    sent.append(await producer.send(topic, value, partition=place.partition, headers=headers))
        await asyncio.gather(*sent)
    rates = (begun or Clocks()).rates()
    await consumer.stop()
    await producer.stop()
    return rates


async def _line(settings: KafkaSettings, log: KafkaLog) -> tuple[float, float]:
    """Run a stage in its group as a worker does; give events a second."""
    processor = Counted(STAGE, log, Options(partitions=PARTITIONS, owner="bench"), Metrics())
    member = Member(processor, settings, instance="", client_id="bench")
    running = asyncio.ensure_future(member.run())
    await processor.done.wait()
    rates = (processor.begun or Clocks()).rates()
    member.stop()
    await running
    return rates


async def _fold(log: KafkaLog) -> tuple[float, float]:
    """Adopt what the line wrote, as after a restart; give records a second."""
    begun = Clocks()
    await Processor(STAGE, log, Options(partitions=PARTITIONS, owner="bench"), Metrics()).adopt(range(PARTITIONS))
    return begun.rates()
