"""How large validity's state is, measured in a process of its own."""

import gc
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any, Final

import psutil

from stanchion_contracts.change import Changes
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.command import Command, Write, WriteBatch
from support.validity import MAYA, Line, cite, write

RECORD: Final = (
    "a decision: id of 15 characters, label of 35, digest of its body, status, owner, area and decided_on, links "
    "depends_on and refines to earlier ones, a citation with a uri of 34 and a quote of 71; a person wrote it all"
)
_BATCH: Final = 200
_WARM_UP: Final = 10_000
_QUOTE: Final = "Service {} answers within half a second at the ninety-ninth percentile"


def measured(records: int, *, traced: bool = False) -> dict[str, Any]:
    """Give what a record takes of the memory of a fresh process, in bytes; traced counts Python's own blocks alone."""
    program = f"from support.state_size import show; show({records}, traced={traced})"
    tests = Path(__file__).resolve().parents[1]
    found = subprocess.run([sys.executable, "-c", program], cwd=tests, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    told: dict[str, Any] = json.loads(found.stdout)
    return told


def show(records: int, *, traced: bool = False) -> None:
    """Fold so many records as a process does that starts, and print what they take."""
    line = Line()
    _fold(line, range(_WARM_UP))
    gc.collect()
    process = psutil.Process()
    before, begun = process.memory_info().rss, sum(process.cpu_times()[:2])
    if traced:
        tracemalloc.start()
    _fold(line, range(_WARM_UP, _WARM_UP + records))
    gc.collect()
    bytes_each = tracemalloc.get_traced_memory()[0] if traced else process.memory_info().rss - before
    cpu_s = sum(process.cpu_times()[:2]) - begun
    told = {"records": records, "bytes_per_record": round(bytes_each / records), "cpu_s": round(cpu_s, 1)}
    sys.stdout.write(json.dumps(told) + "\n")


def _fold(line: Line, numbers: range) -> None:
    """Decide batches that come over the wire, and fold what was decided as it is read back."""
    for start in range(numbers.start, numbers.stop, _BATCH):
        writes = tuple(_decision(number) for number in range(start, min(start + _BATCH, numbers.stop)))
        command = Command(meta=line.meta(MAYA), digest=b"", write_batch=WriteBatch(writes=writes))
        output = line.decide(line.state, decode(encode(command), Command))
        assert output is not None
        assert output.refusal is None, output.refusal
        line.evolve(line.state, decode(encode(output), Changes))
        line.inputs.append(command)
        line.inputs[:-1] = []


def _decision(number: int) -> Write:
    """Give one decision."""
    earlier = {"depends_on": [f"decision-{number - 1:06d}"], "refines": [f"decision-{number // 2:06d}"]}
    return write(
        f"decision-{number:06d}",
        "decision",
        label=f"Keep the latency of service {number:06d} low"[:35],
        body=f"Because of incident {number}.\n" * 20,
        status="active",
        owner="person:maya",
        area="api",
        decided_on="2026-11-02",
        links=earlier if number > 1 else {},
        evidence=(cite(f"https://example.org/book/{number:06d}", _QUOTE.format(number), "v1"),),
    )
