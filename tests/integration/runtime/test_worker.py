import asyncio
import json
import secrets
import signal
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stanchion_broker.broker import Broker
from stanchion_runtime.admin import create_topics
from stanchion_runtime.deadletter import letter
from stanchion_runtime.errors import EXIT_SUPERSEDED, EXIT_UNUSABLE
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.settings import KafkaSettings
from stanchion_runtime.tail import Start, Tail
from support.broker import free_ports
from support.processes import ended, start
from support.simulation import cause_of, check_decisions

PARTITIONS = 4
SEEN = 'stanchion_dead_letters_seen_total{reason="UNREADABLE",stage="extraction"} 1.0'


@pytest.fixture
async def settings(broker: Broker) -> KafkaSettings:
    """Topics of its own for each test."""
    settings = KafkaSettings(
        bootstrap=broker.bootstrap,
        topic_prefix=f"test-{secrets.token_hex(4)}",
        partitions=PARTITIONS,
        session_timeout_ms=3000,
    )
    await create_topics(settings)
    return settings


@pytest.fixture
async def log(settings: KafkaSettings) -> AsyncIterator[KafkaLog]:
    """A connection of the test."""
    async with KafkaLog(settings, "test") as log:
        yield log


async def publish(log: KafkaLog, first: int, count: int) -> None:
    """Write inputs to every partition."""
    for partition in range(PARTITIONS):
        await log.append(
            "inbox", partition, [Outgoing(value=f"event {n}".encode()) for n in range(first, first + count)]
        )


async def accepted(log: KafkaLog, topic: str, count: int) -> dict[int, list[Record]]:
    """Follow a topic from its start until so many outputs that carry something count."""
    found: dict[int, list[Record]] = {n: [] for n in range(PARTITIONS)}
    batches = Tail(log, topic, {n: Start() for n in range(PARTITIONS)}).batches()
    async with asyncio.timeout(120):
        while sum(map(len, found.values())) < count:
            batch = await anext(batches)
            found[batch.partition] += [record for record in batch.records if record.value]
    await batches.aclose()
    return found


def check(found: dict[int, list[Record]], count: int) -> None:
    """See that every input is answered once, in order, on the fold of what was answered before."""
    for records in found.values():
        assert list(range(count)) == [int(at) for _, _, at in map(cause_of, records)]
        check_decisions(0, records)


async def test_a_worker_answers_and_stops_cleanly(settings: KafkaSettings, log: KafkaLog, tmp_path: Path) -> None:
    """It answers, says how it is on its page, and ends with 0 on SIGTERM with nothing in flight."""
    port = free_ports(1)
    worker = start("front", settings, tmp_path / "log", port=port)
    with ended(worker):
        await publish(log, 0, 500)
        check(await accepted(log, "observations", 500 * PARTITIONS), 500)
        health = await asyncio.to_thread(page, port, "/healthz")
        assert {"ok": True, "ready": True, "partitions": [0, 1, 2, 3]}.items() <= json.loads(health).items()
        assert 'stanchion_inputs_total{partition="0",stage="front",topic="inbox"}' in await asyncio.to_thread(
            page, port, "/metrics"
        )
        worker.send_signal(signal.SIGTERM)
        assert 0 == await asyncio.to_thread(worker.wait, 10), (tmp_path / "log").read_text()


async def test_killed_and_paused_owners_change_nothing(settings: KafkaSettings, log: KafkaLog, tmp_path: Path) -> None:
    """One of two is killed and started again, then one sleeps through its session and wakes: each input counts once."""
    first = start("front", settings, tmp_path / "first", instance="1")
    second = start("front", settings, tmp_path / "second", instance="2")
    with ended(first, second):
        await publish(log, 0, 300)
        await accepted(log, "observations", 300 * PARTITIONS)
        first.send_signal(signal.SIGKILL)
        first.wait()
        again = start("front", settings, tmp_path / "first", instance="1")
        with ended(again):
            await publish(log, 300, 300)
            await accepted(log, "observations", 600 * PARTITIONS)
            second.send_signal(signal.SIGSTOP)
            await publish(log, 600, 300)
            await accepted(log, "observations", 900 * PARTITIONS)
            second.send_signal(signal.SIGCONT)
            await publish(log, 900, 300)
            check(await accepted(log, "observations", 1200 * PARTITIONS), 1200)
            assert again.poll() is None, (tmp_path / "first").read_text()
            assert second.poll() in {None, EXIT_SUPERSEDED}, (tmp_path / "second").read_text()


async def test_a_namesake_that_wakes_up_changes_nothing(settings: KafkaSettings, log: KafkaLog, tmp_path: Path) -> None:
    """A process is paused and replaced under its own instance name; when it wakes it ends, and nothing counts twice."""
    old = start("front", settings, tmp_path / "old", instance="1")
    with ended(old):
        await publish(log, 0, 200)
        await accepted(log, "observations", 200 * PARTITIONS)
        old.send_signal(signal.SIGSTOP)
        new = start("front", settings, tmp_path / "new", instance="1")
        with ended(new):
            await publish(log, 200, 200)
            await accepted(log, "observations", 400 * PARTITIONS)
            old.send_signal(signal.SIGCONT)
            assert EXIT_SUPERSEDED == await asyncio.to_thread(old.wait, 60), (tmp_path / "old").read_text()
            await publish(log, 400, 200)
            check(await accepted(log, "observations", 600 * PARTITIONS), 600)
            assert new.poll() is None, (tmp_path / "new").read_text()


async def test_topics_of_another_width_are_refused(settings: KafkaSettings, tmp_path: Path) -> None:
    """A workspace would be on another partition: the process ends and says why."""
    worker = start("front", settings.model_copy(update={"partitions": 7}), tmp_path / "log")
    with ended(worker):
        assert EXIT_UNUSABLE == await asyncio.to_thread(worker.wait, 30)
    assert "has 4 partitions, the line has 7" in (tmp_path / "log").read_text()


async def test_dead_letters_of_all_stages_are_watched(settings: KafkaSettings, log: KafkaLog, tmp_path: Path) -> None:
    """The Faust agent beside a line counts letters whoever wrote them, and shows them on the page."""
    port = free_ports(1)
    record = Record(topic="observations", partition=0, offset=1, timestamp_us=0, value=b"x", headers=())
    written = letter("extraction", record, "UNREADABLE", "why", 0)
    await log.append("deadletters", 2, [written])
    worker = start("front", settings, tmp_path / "log", port=port, STANCHION_WORKER_WATCH_DEAD_LETTERS="true")
    with ended(worker):
        await publish(log, 0, 1)
        await accepted(log, "observations", PARTITIONS)
        async with asyncio.timeout(120):
            while SEEN not in await asyncio.to_thread(page, port, "/metrics"):
                assert worker.poll() is None, (tmp_path / "log").read_text()


def page(port: int, path: str) -> str:
    """Read a page of a worker."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        text: str = answer.read().decode()
        return text
