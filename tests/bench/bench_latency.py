"""How long until a reader sees it: a write through the gateway, a published event, an event that refutes a hypothesis.

Each comes 50 times a second; broker, nine processes and this one share the machine. Seen means: a read that was asked
for at once has it (writes), Watch has told of the belief (events), Watch has told that the rule two links away needs
review (refutations; afterwards each is read, with the path). All of it comes after the view's commit.
"""

import asyncio
import json
import statistics
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from stanchion import Client, ClientSettings
from stanchion.writes import Event, Write
from stanchion_runtime.clock import monotonic_s
from support.cluster import own_line

RATE = 50
WARM_UP = 150
COUNT = 600
BATCH = 50


async def measure() -> dict[str, Any]:
    """Give milliseconds until seen, p50, p90 and p99, and the memory of each process at rest before."""
    async with own_line() as (home, supervisor):
        memory = {process.name: _memory_mb(process.pid) for process in supervisor.processes}
        async with Client(ClientSettings(home=home, token=SecretStr(""), workspace="bench")) as client:
            writes = await _writes(client)
            events = await _events(client)
            refutations = await _refutations(client)
    return {
        "write_to_visible_ms": writes,
        "event_to_visible_ms": events,
        "refutation_to_needs_review_ms": refutations,
        "at_rest_mb": memory,
        "rate_per_s": RATE,
    }


async def _writes(client: Client) -> dict[str, float]:
    """Write a record and read it, at the rate."""
    took: list[float] = []

    async def one(number: int) -> None:
        begun = monotonic_s()
        write = Write(id=f"d-{number}", kind="decision", label=f"Decision {number}", fields={"status": "active"})
        answer = await client.write_batch([write])
        await client.get_record(write.id, min_seq=answer.min_seq)
        took.append(monotonic_s() - begun)

    await _at_rate(one)
    return _shown(took[WARM_UP:])


async def _events(client: Client) -> dict[str, float]:
    """Publish an event and wait until Watch tells of its belief, at the rate."""
    return await _told(client, "belief.moved", "s")


async def _refutations(client: Client) -> dict[str, float]:
    """Publish an event that refutes a hypothesis and wait until Watch tells of the rule two links away, at the rate.

    Raises:
        AssertionError: a rule does not read `needs_review`, or not by its path.
    """
    await client.trust.set("bench", 1.0)
    numbers = range(COUNT + WARM_UP)
    for begin in range(0, len(numbers), BATCH):
        await client.write_batch([write for number in numbers[begin : begin + BATCH] for write in _chain(number)])
    shown = await _told(client, "needs_review.opened", "plan")
    for number in numbers:
        validity = (await client.get_record(f"rule-plan-{number}")).validity
        assert validity is not None
        paths = [tuple(step.record_id for step in reason.path) for reason in validity.reasons]
        assert ("needs_review", [(f"decision-{number}", f"hypothesis-{number}")]) == (validity.state, paths)
    return shown


async def _told(client: Client, kind: str, name: str) -> dict[str, float]:
    """Publish readings of things of a name, and wait until Watch tells of a kind about each, at the rate."""
    begun: dict[str, float] = {}
    took: list[float] = []

    async def watch() -> None:
        async for watched in client.watch():
            if watched.event is not None and watched.event.kind == kind:
                about = watched.event.subject_id.partition("/")[0] if kind == "belief.moved" else ""
                about = about or next(each for each in watched.event.record_ids if each.startswith("rule-"))
                took.append(monotonic_s() - begun[about.removeprefix("rule-")])
                if len(took) == COUNT + WARM_UP:
                    return

    async def one(number: int) -> None:
        data = json.dumps({"subject": f"{name}-{number}", "predicate": "p", "value": 12, "unit": "%"}).encode()
        event = Event(id=f"{name}-{number}", source="bench", type="stanchion.measurement.v1", data=data)
        begun[f"{name}-{number}"] = monotonic_s()
        async for _ in client.publish([event]):
            pass

    watching = asyncio.create_task(watch())
    await _at_rate(one)
    await watching
    return _shown(took[WARM_UP:])


def _chain(number: int) -> list[Write]:
    """Give a rule that rests on a decision that assumes that a share is at least a half."""
    claim = {"subject": f"plan-{number}", "predicate": "p"}
    condition = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%"}}
    names = [f"hypothesis-{number}", f"decision-{number}", f"rule-plan-{number}"]
    return [
        Write(id=names[0], kind="hypothesis", label="It sells", fields={"claim": claim, "condition": condition}),
        Write(id=names[1], kind="decision", label="Sell it", fields={"status": "active"}, links={"assumes": names[:1]}),
        Write(
            id=names[2], kind="rule", label="Sell it first", fields={"status": "active"}, links={"based_on": names[1:2]}
        ),
    ]


async def _at_rate(one: Callable[[int], Awaitable[None]]) -> None:
    """Start one after the other at the rate, however long each takes."""
    begun = monotonic_s()
    tasks = []
    for number in range(COUNT + WARM_UP):
        await asyncio.sleep(max(0.0, begun + number / RATE - monotonic_s()))
        tasks.append(asyncio.ensure_future(one(number)))
    await asyncio.gather(*tasks)


def _shown(took_s: list[float]) -> dict[str, float]:
    """Give percentiles in milliseconds."""
    cuts = statistics.quantiles(took_s, n=100)
    return {"p50": round(cuts[49] * 1e3, 1), "p90": round(cuts[89] * 1e3, 1), "p99": round(cuts[98] * 1e3, 1)}


def _memory_mb(pid: int) -> float:
    """Give a process's resident memory in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * 4096 / 1e6, 1)
