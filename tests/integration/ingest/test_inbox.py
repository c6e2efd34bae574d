"""Ingest on a real broker: what upstream sends becomes observations, what it cannot read dead letters."""

import json
from collections.abc import AsyncIterator

import pytest

from stanchion_broker.broker import Broker
from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.observation import Body, Observation
from stanchion_core.ids import partition_of
from stanchion_ingest.app import build
from stanchion_ingest.core.content import DOCUMENT_REVISED
from stanchion_ingest.core.relation import RELATIONS_STATED
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing, Record, Span
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from support.arrivals import (
    ANNOUNCED,
    Headers,
    binary_headers,
    cloud_event,
    inbox_event,
    request,
)
from support.kafka_logs import PARTITIONS, kafka_settings

ACME = partition_of("acme", PARTITIONS)
WRONG = (ACME + 1) % PARTITIONS

RELATION = {"from": {"name": "maya"}, "name": "works_at", "to": {"name": "acme"}}
BAD: list[tuple[bytes, Headers, str]] = [
    (b"", (), "UNREADABLE"),
    (b"\x00\x01\x02\xff", (), "UNREADABLE"),
    (b"\xc3\x01" + b"\x07" * 30, (), "UNREADABLE"),
    (codec.encode(inbox_event())[:-3], (), "UNREADABLE"),
    (b'{"source":"\xff"}', (), "UNREADABLE"),
    (cloud_event(), (("content-type", b"application/cloudevents-batch+json"),), "UNREADABLE"),
    (cloud_event(workspace=None), ANNOUNCED, "WORKSPACE_MISSING"),
    (cloud_event(time="2026-11-30T10:00:00"), ANNOUNCED, "FIELD_VALUE"),
    (cloud_event(time="2999-01-01T00:00:00Z"), ANNOUNCED, "FIELD_VALUE"),
    (cloud_event(data=json.loads("[" * 40 + "]" * 40)), ANNOUNCED, "FIELD_VALUE"),
    (cloud_event(data="a\x00"), ANNOUNCED, "FIELD_VALUE"),
    (b'"' + b"a" * (2 * 1024 * 1024) + b'"', binary_headers(id="large"), "TOO_LARGE"),
    (cloud_event(type=DOCUMENT_REVISED, data={"uri": "u", "text": "t" * 262_145}), ANNOUNCED, "TOO_LARGE"),
    (cloud_event(type=RELATIONS_STATED, data={"relations": [RELATION] * 201}), ANNOUNCED, "TOO_MANY"),
    (cloud_event(subject="?").replace(b"?", b"\\ud800"), ANNOUNCED, "UNREADABLE"),
    (cloud_event(data={"plan": "free"}), ANNOUNCED, "EVENT_ID_REUSED"),
]


@pytest.fixture
async def log(broker: Broker, topic_prefix: str) -> AsyncIterator[KafkaLog]:
    """A log with topics of this module's own."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    async with KafkaLog(settings, "test-ingest") as log:
        yield log


async def read(log: KafkaLog, topic: str) -> list[Record]:
    """Give everything a topic holds."""
    bounds = await log.bounds(topic, range(PARTITIONS))
    spans = [
        Span(topic=topic, partition=partition, start=each.begin, stop=each.end) for partition, each in bounds.items()
    ]
    return [record async for records in log.read(spans) for record in records]


async def work(log: KafkaLog) -> None:
    """Have a new owner of everything answer what waits, as after a crash."""
    processor = Processor(build(PARTITIONS), log, Options(partitions=PARTITIONS, owner="test"), Metrics())
    places = await processor.adopt(range(PARTITIONS))
    for topic in ("inbox", "requests"):
        waiting = [record for record in await read(log, topic) if record.offset >= places[topic, record.partition]]
        await processor.process(waiting)


async def observations(log: KafkaLog) -> list[Observation]:
    """Give what was observed."""
    return [codec.decode(record.value, Observation) for record in await read(log, "observations") if record.value]


async def test_line_goes_on(log: KafkaLog) -> None:
    """Each malformed record becomes a dead letter with its reason and raw bytes; what stands around it is observed.

    A record on a wrong partition arrives under its first place, a repeat is absorbed, and every input has one output,
    also over a change of owner.
    """
    good = [
        Outgoing(value=cloud_event(), headers=ANNOUNCED),
        Outgoing(value=b'{"plan":"pro"}', headers=binary_headers(id="e-2")),
        Outgoing(value=codec.encode(inbox_event(id="e-3"))),
    ]
    bad = [Outgoing(value=value, headers=headers) for value, headers, _ in BAD]
    last = [Outgoing(value=cloud_event(id="e-4"), headers=ANNOUNCED), good[0]]
    await log.append("inbox", ACME, [*good, *bad, *last])
    (first,) = await log.append("inbox", WRONG, [Outgoing(value=cloud_event(id=None), headers=ANNOUNCED)])
    noise = Outgoing(value=b"\xc3\x01noise", headers=(("reply_to", b"gateway"),))
    await log.append("requests", ACME, [noise, Outgoing(value=codec.encode(request(Body(text="hi"))))])
    await work(log)
    await work(log)  # what was rerouted, and all the rest again by a new owner

    found = await observations(log)
    assert {"e-1", "e-2", "e-3", "e-4", f"inbox:{WRONG}:{first}", "key-1"} == {each.event_id for each in found}
    assert 6 == len(found)
    letters = [codec.decode(record.value, DeadLetter) for record in await read(log, "deadletters")]
    by_cause = {letter.cause: letter for letter in letters}
    assert len(BAD) + 1 == len(letters) == len(by_cause)
    for offset, (value, headers, code) in enumerate(BAD, start=len(good)):
        letter = by_cause[f"inbox:{ACME}:{offset}"]
        assert (code, value) == (letter.code, letter.raw)
        assert headers == tuple((each.name, each.value) for each in letter.headers)
        assert letter.detail
    assert "UNREADABLE" == by_cause[f"requests:{ACME}:0"].code
    inputs = len(await read(log, "inbox")) + len(await read(log, "requests"))
    causes = [dict(record.headers).get("cause") for record in await read(log, "observations")]
    assert inputs == len([cause for cause in causes if cause]) == len({cause for cause in causes if cause})
