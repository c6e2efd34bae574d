"""Reassessment on the running line: what an hour's look brings, and that the line does without it."""

import asyncio
import json
import os
import signal
from collections.abc import Callable

import pytest

from stanchion import Client
from stanchion.believed import Finding
from stanchion.writes import Event
from stanchion_contracts import codec
from stanchion_contracts.observation import HOUR_US, Body, Tick, own_request
from stanchion_core.ids import partition_of
from stanchion_core.trust import DEFAULT_TRUST
from stanchion_local.settings import LocalSettings
from stanchion_local.supervisor import Supervisor
from stanchion_runtime import clock
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.settings import KafkaSettings

Connect = Callable[..., Client]
SPACE = "measured"
PUMPS = 12


async def tick(local: LocalSettings, hours: int) -> None:
    """Have an hour come, as a gateway does: so many hours from now."""
    kafka = KafkaSettings(bootstrap=local.bootstrap)
    hour = clock.now_us() // HOUR_US + hours
    message = own_request(SPACE, f"tick:{hour}", Body(tick=Tick(hour=hour)), clock.now_us())
    async with KafkaLog(kafka, "test-ticks") as log:
        await log.append("requests", partition_of(SPACE, kafka.partitions), [Outgoing(value=codec.encode(message))])


def reading(pump: int, source: str, value: int) -> Event:
    """Give one source's word on one pump."""
    data = {"subject": f"pump {pump}", "predicate": "temperature", "value": value, "unit": "C"}
    return Event(id=f"{source}-{pump}", source=source, type="stanchion.measurement.v1", data=json.dumps(data).encode())


async def found(client: Client, kind: str, count: int) -> list[Finding]:
    """Wait until so many findings of a kind are open."""
    async with asyncio.timeout(60):
        while True:
            findings = [one async for one in client.findings() if one.kind == kind]
            if len(findings) == count:
                return findings
            await asyncio.sleep(0.2)


@pytest.mark.timeout(180)
@pytest.mark.asyncio(loop_scope="session")
async def test_an_hour_s_look(line: Supervisor, local: LocalSettings, connect: Connect) -> None:
    """Whoever agrees with nobody is trusted less by the next hour; by the one after, what it contradicts is decided.

    Killed in between, the process comes back and nothing is told twice; while it is down, the line goes on.
    """
    process = next(each for each in line.processes if each.name == "reassessment")
    async with connect(workspace=SPACE) as client:
        await client.policy.set(consensus=True)
        sources = {"ann": 20, "ben": 20, "odd": 70}
        events = [reading(pump, source, value + pump) for pump in range(PUMPS) for source, value in sources.items()]
        async for _ in client.publish(events):
            pass
        await tick(local, 1)
        contradictions = await found(client, "contradiction", PUMPS)
        trust = {one.name: one for one in await client.trust.list()}
        assert ("consensus", "consensus") == (trust["ann"].basis, trust["odd"].basis)
        assert trust["odd"].value < DEFAULT_TRUST / 2
        assert trust["ann"].value > DEFAULT_TRUST
        assert {f"pump {pump}" for pump in range(PUMPS)} == {one.subject for one in contradictions}

        os.kill(process.pid, signal.SIGKILL)
        learned = await client.add("The budget is $5M.")
        assert ["budget"] == [each.subject for each in learned.moved]
        await tick(local, 2)
        assert [] == await found(client, "contradiction", 0)
        moved = await found(client, "trust_moved", 3)
        assert {"ann", "ben", "odd"} == {one.subject for one in moved}
        first = (await client.get_belief("pump 3", "temperature")).values[0].value.text
    assert "23" == first
