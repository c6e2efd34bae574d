"""What extraction, fusion and validity do a second on a real broker, beside a bare loop with the same codec work.

An event states up to three claims: one, two, three, one … (CLAIMS=3 makes it always three). Extraction reads what
ingest would have written, each next one what the one before it wrote; they are run as a worker runs them, in this
process, one after the other, outputs acknowledged by all replicas. Documents are decision records of this repository.
"""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import uvloop
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from msgspec import Struct
from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.claim import Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Document, Event, Observation
from stanchion_contracts.value import Value
from stanchion_core.fusion import by_voice, opinion
from stanchion_core.ids import derived_id, partition_of
from stanchion_extraction import app as extraction
from stanchion_extraction.core.document import read_document
from stanchion_extraction.settings import ExtractionSettings
from stanchion_fusion import app as fusion
from stanchion_fusion.settings import FusionSettings
from stanchion_runtime import collector
from stanchion_runtime.group import Member
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing, Record, Span
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.settings import KafkaSettings
from stanchion_validity import app as validity
from support.cluster import own_topics
from support.timing import per_call_us

EVENTS: Final = int(os.environ.get("EVENTS", "24000"))
PARTITIONS: Final = 12
BATCH: Final = 1000
WORKSPACES: Final = [f"plant-{number}" for number in range(40)]
MACHINES: Final = 100
BORN_US: Final = 1_796_042_000_000_000
DECISIONS: Final = Path(__file__).resolve().parents[2] / "docs/decisions"


class Counted(Processor):
    """Says when so many inputs are answered."""

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401 - those of a processor
        super().__init__(*parts)
        self.left = EVENTS + PARTITIONS
        self.first = (0.0, 0.0)
        self.done = asyncio.Event()

    async def process(self, records: Iterable[Record]) -> None:
        """Answer and count."""
        given = list(records)
        self.first = self.first if self.first[0] else _now()
        await super().process(given)
        self.left -= len(given)
        if self.left <= 0:
            self.done.set()


def claims_of(n: int) -> int:
    """Give how many claims an event states: one to three in turn, or as many as CLAIMS says."""
    return int(os.environ.get("CLAIMS", "0")) or 1 + n % 3


def event(n: int) -> Observation:
    """Give an event as a plant publishes it, with up to three readings of one machine."""
    readings = [
        {"subject": f"Machine {n % MACHINES}", "predicate": name, "value": (n * 7 + place) % 50 + 0.5, "unit": unit}
        for place, (name, unit) in enumerate((("temperature", "C"), ("speed", "rpm"), ("load", "%")))
    ]
    identity = derived_id("obs", str(n))
    source = f"urn:plant:{n % 3}"
    return Observation(
        meta=Meta(
            id=identity,
            workspace=WORKSPACES[n % len(WORKSPACES)],
            time_us=BORN_US + n * 1000,
            seed=n.to_bytes(16, "big"),
            origin=f"observation:{identity}",
            actor=Actor(kind="service", id=source),
        ),
        publisher=source,
        event_id=str(n),
        digest=n.to_bytes(32, "big"),
        source=source,
        agent=source,
        path="system-event",
        observed_at_us=BORN_US + n * 1000,
        body=Body(
            event=Event(type="stanchion.claims.v1", data=json.dumps({"claims": readings[: claims_of(n)]}).encode())
        ),
    )


def measure() -> dict[str, Any]:
    """Give events a second of each processor and of bare loops, and what single steps take."""
    collector.relax()  # as a worker does
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, capture_logs():
        return {"events": EVENTS, **_steps(), **runner.run(_measure())}


def _steps() -> dict[str, Any]:
    """Measure without Kafka: a document, and one more word on a belief that 10,000 sources speak on."""
    texts = [(path.name, path.read_text()) for path in sorted(DECISIONS.glob("*.md"))]
    documents = [Document(uri=f"docs/decisions/{name}", text=text) for name, text in texts]
    crowd = [
        Contribution(
            id=f"con_{n}",
            subject="s",
            predicate="p",
            value=Value(type="number", text=str(n % 7)),
            evidence="measurement",
            source=f"s{n}",
            agent="a",
            observed_at_us=BORN_US + n,
        )
        for n in range(10_000)
    ]
    voices = by_voice(crowd, {})
    document_us = per_call_us(_each(documents)) / len(documents)
    return {
        "documents_per_s": round(1e6 / document_us),
        "document_chars": round(sum(len(text) for _, text in texts) / len(texts)),
        "belief_of_10000_voices_ms": round(
            per_call_us(lambda: opinion(voices.values(), now_us=BORN_US * 2, half_life_s=7_776_000)) / 1000, 2
        ),
    }


def _each(documents: list[Document]) -> Callable[[], object]:
    """Give a call that reads each document once."""
    forms = extraction.mappings_of(None).forms
    return lambda: [read_document(forms, document) for document in documents]


async def _measure() -> dict[str, Any]:
    """Measure the processors on one broker."""
    figures: dict[str, Any] = {}
    async with own_topics(PARTITIONS) as (settings, log):
        await _publish(log)
        stages = (extraction.build(ExtractionSettings()), fusion.build(FusionSettings()), validity.build())
        for stage in stages:
            wall_s, cpu_s = await _line(stage, settings, log)
            bare_s = await _bare(stage, settings, await _sample(stage.output, log))
            figures[stage.name] = {
                "events_per_s": round(EVENTS / wall_s),
                "cpu_us_per_event": round(cpu_s / EVENTS * 1e6, 1),
                "bare_loop_events_per_s": round(EVENTS / bare_s),
                "ratio_to_bare_loop": round(bare_s / wall_s, 2),
            }
    return figures


async def _publish(log: KafkaLog) -> None:
    """Write the events as ingest would: a claim in each partition, then outputs with their headers."""
    batches = [[Outgoing(value=b"", headers=(("claim", b"bench"),))] for _ in range(PARTITIONS)]
    for n in range(EVENTS):
        observed = event(n)
        partition = partition_of(observed.meta.workspace, PARTITIONS)
        cause = b"inbox:%d:%d" % (partition, len(batches[partition]) - 1)
        headers = (("cause", cause), ("epoch", b"0"))
        batches[partition].append(Outgoing(value=codec.encode(observed), headers=headers))
    for partition, batch in enumerate(batches):
        await log.append("observations", partition, batch)


async def _line(stage: Any, settings: KafkaSettings, log: KafkaLog) -> tuple[float, float]:  # noqa: ANN401 - several stages
    """Run a stage in its group as a worker does; give wall and CPU seconds."""
    processor = Counted(stage, log, Options(partitions=PARTITIONS, owner="bench"), Metrics())
    member = Member(processor, settings, instance="", client_id="bench")
    running = asyncio.ensure_future(member.run())
    await processor.done.wait()
    wall_s, cpu_s = _now()
    member.stop()
    await running
    return wall_s - processor.first[0], cpu_s - processor.first[1]


async def _sample(topic: str, log: KafkaLog) -> Struct:
    """Give an output of the ordinary size: the last of the fullest partition."""
    bounds = await log.bounds(topic, range(PARTITIONS))
    partition = max(bounds, key=lambda number: bounds[number].end)
    end = bounds[partition].end
    span = Span(topic=topic, partition=partition, start=end - 1, stop=end)
    records = [record async for batch in log.read([span]) for record in batch]
    return codec.decode(records[-1].value, codec.MESSAGE_OF[topic])


async def _bare(stage: Any, settings: KafkaSettings, output: Struct) -> float:  # noqa: ANN401 - several stages
    """Read, decode, encode an output and write it with acknowledgement, and nothing else; give seconds."""
    consumer = AIOKafkaConsumer(bootstrap_servers=settings.bootstrap, auto_offset_reset="earliest")
    producer = AIOKafkaProducer(bootstrap_servers=settings.bootstrap, acks="all", enable_idempotence=True)
    await consumer.start()
    await producer.start()
    topic = stage.owned_input
    message = codec.MESSAGE_OF[topic]
    places = [TopicPartition(f"{settings.topic_prefix}.{topic}.v1", n) for n in range(PARTITIONS)]
    consumer.assign(places)
    await consumer.seek_to_beginning(*places)
    left, begun = EVENTS + PARTITIONS, 0.0
    while left > 0:
        found = await consumer.getmany(timeout_ms=1000, max_records=BATCH)
        begun = begun or time.perf_counter()
        sent = []
        for place, raws in found.items():
            left -= len(raws)
            for raw in raws:
                if raw.value:
                    codec.decode(raw.value, message)
                    headers = [("cause", b"claims:%d:%d" % (place.partition, raw.offset)), ("epoch", b"0")]
                    sending = producer.send(
                        f"{settings.topic_prefix}.receipts.v1",
                        codec.encode(output),
                        partition=place.partition,
                        headers=headers,
                    )
                    sent.append(await sending)
        await asyncio.gather(*sent)
    took_s = time.perf_counter() - begun
    await consumer.stop()
    await producer.stop()
    return took_s


def _now() -> tuple[float, float]:
    """Give wall and CPU seconds."""
    return time.perf_counter(), time.process_time()
