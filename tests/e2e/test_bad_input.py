"""What cannot be read, on each topic that takes outside input: a dead letter, whole, and the line goes on."""

import asyncio
import json
from collections.abc import Callable

import pytest

from stanchion import Client
from stanchion.writes import Write
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Observation
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_local.settings import LocalSettings
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing, Span
from stanchion_runtime.settings import KafkaSettings

Connect = Callable[..., Client]

WORKSPACE = "hostile"
PARTITION = partition_of(WORKSPACE, PARTITIONS)
META = Meta(id="m", workspace=WORKSPACE, time_us=1, seed=b"0" * 16, origin="x", actor=Actor(kind="service", id="crm"))
ELSEWHERE = Observation(
    meta=META,
    publisher="crm",
    event_id="1",
    digest=b"",
    source="crm",
    agent="crm",
    path="system-event",
    observed_at_us=1,
    body=Body(text="of another topic"),
)
EVENT = {"specversion": "1.0", "id": "e", "source": "crm", "type": "t", "workspace": WORKSPACE, "data": {}}
STRUCTURED = (("content-type", b"application/cloudevents+json"),)


def event(**members: object) -> Outgoing:
    """Give a CloudEvent with members of its own."""
    return Outgoing(value=json.dumps(EVENT | members).encode(), headers=STRUCTURED)


BAD = {
    "inbox": [
        (Outgoing(value=b"\xc3\x01 no such schema"), "UNREADABLE"),
        (Outgoing(value=b"{ not json"), "UNREADABLE"),
        (Outgoing(value=b"\xff\xfe", headers=STRUCTURED), "UNREADABLE"),
        (Outgoing(value=encode(ELSEWHERE)), "UNREADABLE"),
        (event(workspace=None), "WORKSPACE_MISSING"),
        (event(time="2999-01-01T00:00:00Z", id="late"), "FIELD_VALUE"),
        (event(time="2026-01-01T00:00:00", id="nowhere"), "FIELD_VALUE"),
        (event(data={"text": "x" * (2 * 1024 * 1024)}, id="big"), "TOO_LARGE"),
    ],
    "requests": [
        (Outgoing(value=b"\x00"), "UNREADABLE"),
        (Outgoing(value=b"\xc3\x01 no such schema"), "UNREADABLE"),
        (Outgoing(value=encode(ELSEWHERE)), "UNREADABLE"),
    ],
    "commands": [
        (Outgoing(value=b""), "UNREADABLE"),
        (Outgoing(value=b"\xc3\x01 no such schema"), "UNREADABLE"),
        (Outgoing(value=encode(ELSEWHERE)), "UNREADABLE"),
    ],
}


async def letters(log: KafkaLog, causes: set[str]) -> dict[str, DeadLetter]:
    """Wait for the dead letters with these causes."""
    async with asyncio.timeout(60):
        while True:
            (bounds,) = (await log.bounds("deadletters", [PARTITION])).values()
            found: dict[str, DeadLetter] = {}
            span = Span(topic="deadletters", partition=PARTITION, start=bounds.begin, stop=bounds.end)
            async for records in log.read([span]):
                found |= {letter.cause: letter for letter in (decode(record.value, DeadLetter) for record in records)}
            if causes <= found.keys():
                return found
            await asyncio.sleep(0.2)


@pytest.mark.timeout(120)
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("topic", sorted(BAD))
async def test_bad_input_becomes_a_dead_letter_and_the_line_goes_on(
    topic: str, local: LocalSettings, connect: Connect
) -> None:
    """Each record is kept whole with its reason, and a write after them lands."""
    batch = [record for record, _ in BAD[topic]]
    async with KafkaLog(KafkaSettings(bootstrap=local.bootstrap), "hostile") as log:
        offsets = await log.append(topic, PARTITION, batch)
        causes = [f"{topic}:{PARTITION}:{offset}" for offset in offsets]
        async with connect(workspace=WORKSPACE) as client:
            await client.write_batch([Write(id=f"after-{topic}", kind="decision", label="Go on")])
        found = await letters(log, set(causes))
    expected = [(code, record.value) for record, code in BAD[topic]]
    assert expected == [(found[cause].code, found[cause].raw) for cause in causes]
    assert all(found[cause].detail for cause in causes)
