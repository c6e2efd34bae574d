"""How long until a reader sees it: a write through the gateway, and a published event, at 50 a second each.

Broker, eight processes and this one share the machine. Seen means: a read that was asked for at once has it
(writes), and Watch has told it (events); both come after the view's commit.
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


async def measure() -> dict[str, Any]:
    """Give milliseconds until seen, p50, p90 and p99, and the memory of each process at rest before."""
    async with own_line() as (home, supervisor):
        memory = {process.name: _memory_mb(process.pid) for process in supervisor.processes}
        async with Client(ClientSettings(home=home, token=SecretStr(""), workspace="bench")) as client:
            writes = await _writes(client)
            events = await _events(client)
    return {"write_to_visible_ms": writes, "event_to_visible_ms": events, "at_rest_mb": memory, "rate_per_s": RATE}


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
    begun: dict[str, float] = {}
    took: list[float] = []

    async def watch() -> None:
        async for watched in client.watch():
            if watched.event is not None and watched.event.kind == "belief.moved":
                took.append(monotonic_s() - begun[watched.event.subject_id.partition("/")[0]])
                if len(took) == COUNT + WARM_UP:
                    return

    async def one(number: int) -> None:
        data = json.dumps({"subject": f"s-{number}", "predicate": "p", "value": number}).encode()
        event = Event(id=f"e-{number}", source="bench", type="stanchion.measurement.v1", data=data)
        begun[f"s-{number}"] = monotonic_s()
        async for _ in client.publish([event]):
            pass

    watching = asyncio.create_task(watch())
    await _at_rate(one)
    await watching
    return _shown(took[WARM_UP:])


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
