"""What extraction, fusion, validity and audit do a second on a real broker, and what they fold a second.

An event states up to three claims: one, two, three, one …; then the same with always three. Extraction reads what
ingest would have written, each next one what the one before it wrote; they are run as a worker runs them, in this
process, one after the other, outputs acknowledged by all replicas, each beside a bare loop with the same codec work.
Figures are medians of several rounds. Documents are decision records of this repository.
"""

import asyncio
import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import uvloop
from structlog.testing import capture_logs

from stanchion_audit import app as audit
from stanchion_contracts import codec
from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Document, Event, Observation
from stanchion_contracts.outline import read_outline
from stanchion_contracts.value import Value
from stanchion_core.decided import Decided
from stanchion_core.ids import derived_id, partition_of
from stanchion_extraction import app as extraction
from stanchion_extraction.core.document import read_document
from stanchion_extraction.settings import ExtractionSettings
from stanchion_fusion import app as fusion
from stanchion_fusion.settings import FusionSettings
from stanchion_runtime import collector
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.partition import AnyStage
from stanchion_validity import app as validity
from support import stage_bench
from support.cluster import own_topics
from support.timing import per_call_us

EVENTS: Final = int(os.environ.get("EVENTS", "24000"))
PARTITIONS: Final = 12
WORKSPACES: Final = [f"plant-{number}" for number in range(40)]
MACHINES: Final = 100
BORN_US: Final = 1_796_042_000_000_000
ROUNDS: Final = int(os.environ.get("ROUNDS", "3"))
NAMES: Final = {0: "claims_1_to_3", 3: "claims_3"}
DECISIONS: Final = Path(__file__).resolve().parents[2] / "docs/decisions"


def event(n: int, claims: int) -> Observation:
    """Give an event as a plant publishes it, with up to three readings of one machine.

    Each machine is read by three sources in turn, and reads otherwise each time: the sources differ.
    """
    readings = [
        {
            "subject": f"Machine {n % MACHINES}",
            "predicate": name,
            "value": (n * 7 + place + n // MACHINES) % 50 + 0.5,
            "unit": unit,
        }
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
        body=Body(event=Event(type="stanchion.claims.v1", data=json.dumps({"claims": readings[:claims]}).encode())),
    )


def measure() -> dict[str, Any]:
    """Give events a second of each processor and of bare loops, and what single steps take."""
    collector.relax()  # as a worker does
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, capture_logs():
        return {"events": EVENTS, **_steps(), **runner.run(_measure())}


def _steps() -> dict[str, Any]:
    """Measure without Kafka: a document, and one more source on a belief that 10,000 speak on."""
    texts = [(path.name, path.read_text()) for path in sorted(DECISIONS.glob("*.md"))]
    documents = [Document(uri=f"docs/decisions/{name}", text=text) for name, text in texts]
    document_us = per_call_us(_each(documents)) / len(documents)
    return {
        "documents_per_s": round(1e6 / document_us),
        "document_chars": round(sum(len(text) for _, text in texts) / len(texts)),
        "belief_of_10000_voices_ms": round(per_call_us(_one_more(7)) / 1000, 2),
        "belief_of_10000_voices_and_values_ms": round(per_call_us(_one_more(1_000_000)) / 1000, 2),
    }


def _one_more(values: int) -> Callable[[], object]:
    """Give a call that brings a claim on which 10,000 sources speak one source more: decided, folded, encoded.

    Args:
        values: how many different ones they name.
    """
    stage = fusion.build(FusionSettings())
    state, numbers = stage.initial(), itertools.count()

    def bring(count: int) -> None:
        words = tuple(_word(n, values) for n in itertools.islice(numbers, count))
        meta = event(0, 1).meta
        decided = stage.decide(state, Claims(meta=meta, contributions=words))
        assert isinstance(decided, Decided)
        decided.fold(state)
        codec.encode(decided.output)

    for _ in range(50):
        bring(200)
    return lambda: bring(1)


def _word(n: int, values: int) -> Contribution:
    """Give one source's word on the one claim."""
    value = Value(type="number", text=str(n % values))
    told: dict[str, Any] = {"source": f"s{n}", "agent": "a", "observed_at_us": BORN_US + n}
    return Contribution(id=f"con_{n}", subject="s", predicate="p", value=value, evidence="measurement", **told)


def _each(documents: list[Document]) -> Callable[[], object]:
    """Give a call that reads each document once."""
    forms = extraction.mappings_of(None).forms
    return lambda: [read_document(forms, document) for document in documents]


async def _measure() -> dict[str, Any]:
    """Measure the processors on one broker, round after round, each on topics of its own."""
    decodes: dict[str, Callable[[bytes], object]] = {
        "extraction": lambda data: codec.decode(data, Observation),
        "fusion": lambda data: codec.decode(data, Claims),
        "validity": lambda data: codec.decode(data, Beliefs),
        "audit": read_outline,
    }
    stages: tuple[AnyStage, ...] = (
        extraction.build(ExtractionSettings()),
        fusion.build(FusionSettings()),
        validity.build(),
        audit.build(),
    )
    inputs = EVENTS + PARTITIONS
    found: dict[str, list[dict[str, float]]] = {}
    for claims in (0, 3):
        for _ in range(ROUNDS):
            async with own_topics(PARTITIONS) as (settings, log):
                await _publish(log, claims)
                lines = [await stage_bench.line_figures(each, settings, log, decodes[each.name]) for each in stages]
                folds = [await stage_bench.fold_figures(each, settings, log, inputs) for each in stages]
            for stage, line, fold in zip(stages, lines, folds, strict=True):
                found.setdefault(f"{stage.name}_{NAMES[claims]}", []).append(line | fold)
    return {name: stage_bench.medians(rounds) for name, rounds in found.items()}


async def _publish(log: KafkaLog, claims: int) -> None:
    """Write the events as ingest would: a claim in each partition, then outputs with their headers."""
    batches = [[Outgoing(value=b"", headers=(("claim", b"bench"),))] for _ in range(PARTITIONS)]
    for n in range(EVENTS):
        observed = event(n, claims or 1 + n % 3)
        partition = partition_of(observed.meta.workspace, PARTITIONS)
        cause = b"inbox:%d:%d" % (partition, len(batches[partition]) - 1)
        headers = (("cause", cause), ("epoch", b"0"))
        batches[partition].append(Outgoing(value=codec.encode(observed), headers=headers))
    for partition, batch in enumerate(batches):
        await log.append("observations", partition, batch)
