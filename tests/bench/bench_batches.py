"""How long a batch of 200 writes takes until it is answered, through the gateway of a whole line that is idle before.

Decisions with a body, two fields and a citation, each resting on the one before; then the same records written anew.
What else runs on the machine adds to the milliseconds, least to the fastest ones, and hardly to the CPU time of each
process.
"""

import os
import statistics
from collections.abc import Iterable
from typing import Any

import psutil
from pydantic import SecretStr

from stanchion import Client, ClientSettings
from stanchion.results import Citation
from stanchion.writes import Write
from stanchion_core.limits import WRITES
from stanchion_runtime.clock import monotonic_s
from support.cluster import own_line

WARM_UP = 10
COUNT = 50
BODY = "Checkout keeps its promise of half a second, and says so where the customer can see it. " * 6


async def measure() -> dict[str, Any]:
    """Give milliseconds until a batch is answered, by percentile, and CPU milliseconds of each process a batch."""
    async with own_line() as (home, supervisor):
        pids = {process.name: process.pid for process in supervisor.processes} | {"caller": os.getpid()}
        async with Client(ClientSettings(home=home, token=SecretStr(""), workspace="batches")) as client:
            await _answered(client, range(WARM_UP), "")
            created = await _measured(client, pids, "")
            rewritten = await _measured(client, pids, " Again.")
    return {"writes": WRITES, "created": created, "rewritten": rewritten}


async def _measured(client: Client, pids: dict[str, int], more: str) -> dict[str, Any]:
    """Write the batches and give what they took."""
    before = {name: _cpu_s(pid) for name, pid in pids.items()}
    took_s = await _answered(client, range(WARM_UP, WARM_UP + COUNT), more)
    cpu_ms = {name: round((_cpu_s(pid) - before[name]) / COUNT * 1e3, 1) for name, pid in pids.items()}
    cuts = statistics.quantiles(took_s, n=100)
    shown = {name: round(cuts[at] * 1e3, 1) for name, at in (("p1", 0), ("p50", 49), ("p90", 89), ("p99", 98))}
    return {"answered_ms": shown, "cpu_ms_per_batch": cpu_ms, "load_average": round(psutil.getloadavg()[0], 1)}


async def _answered(client: Client, numbers: Iterable[int], more: str) -> list[float]:
    """Write batches, each when the one before can be read; give the seconds until each was answered."""
    took = []
    for number in numbers:
        writes = [_write(number * WRITES + place, more) for place in range(WRITES)]
        begun = monotonic_s()
        answer = await client.write_batch(writes)
        took.append(monotonic_s() - begun)
        await client.get_record(writes[-1].id, min_seq=answer.min_seq)
    return took


def _write(number: int, more: str) -> Write:
    """Give one write of a batch."""
    return Write(
        id=f"d-{number}",
        kind="decision",
        label=f"Decision {number}",
        body=BODY + more,
        fields={"status": "active", "owner": "person:maya"},
        links={"depends_on": [f"d-{number - 1}"]} if number else {},
        evidence=[Citation(uri=f"https://example.org/{number}", quote="half a second", version_token="v1")],  # noqa: S106 - of a source
    )


def _cpu_s(pid: int) -> float:
    """Give the CPU seconds that a process has had."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
