"""Run the benchmarks and write what they measured as JSON, with the machine and the versions.

Times depend on the machine; the ratios, measured in the same run, say more. Each `tests/bench/bench_*.py` has a
`measure()` that gives a JSON-able dictionary.
"""

import argparse
import importlib.metadata
import importlib.util
import inspect
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from stanchion_runtime import clock

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("aiokafka", "duckdb", "fastavro", "faust-streaming", "grpcio", "msgspec", "uvloop")


def machine() -> dict[str, Any]:
    """Say what ran it."""
    model = ""
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}


def commit() -> str:
    """Name the commit that was measured."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    found = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    return found.stdout.strip()


def run_one(path: Path) -> Any:  # noqa: ANN401 - whatever the benchmark gives
    """Run one benchmark, in this process.

    Raises:
        ImportError: the file is no module.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.measure()
    if inspect.iscoroutine(result):
        import asyncio  # noqa: PLC0415 - only some need it

        return asyncio.run(result)
    return result


def main() -> int:
    """Run all, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks to run, such as `codec`; all unless told")
    parser.add_argument("--out", type=Path, default=ROOT / ".stanchion/bench.json", help="where the JSON goes")
    told = parser.parse_args()
    paths = sorted((ROOT / "tests/bench").glob("bench_*.py"))
    chosen = [path for path in paths if not told.names or path.stem.removeprefix("bench_") in told.names]
    results: dict[str, Any] = {}
    for path in chosen:
        name = path.stem.removeprefix("bench_")
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        results[name] = run_one(path)
        print(json.dumps({name: results[name]}, indent=2), flush=True)
    report = {
        "commit": commit(),
        "at_us": clock.now_us(),
        "machine": machine(),
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
        "results": results,
    }
    told.out.parent.mkdir(parents=True, exist_ok=True)
    told.out.write_text(json.dumps(report, indent=2) + "\n")
    print(f"written: {told.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
