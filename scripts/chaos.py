"""Repeat the chaos of `tests/support/chaos.py` on a real broker for as long as told; stop at the first fault."""

import argparse
import asyncio
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

from stanchion_runtime import clock
from support.broker import new_broker
from support.chaos import EVERYTHING, Outcome, Plan, run


async def once(events: int, seed: int, home: Path) -> Outcome:
    """Run once, on a broker of its own."""
    broker = new_broker(home)
    await asyncio.to_thread(broker.start)
    try:
        return await run(broker, Plan(count=events, seed=seed, disturb=EVERYTHING, seconds=events / 500), home)
    finally:
        await asyncio.to_thread(broker.stop)


async def main() -> int:
    """Run until the time is over; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0, help="repeat until so many seconds have passed")
    parser.add_argument("--events", type=int, default=20_000, help="events in one run")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the first run")
    told = parser.parse_args()
    begun, seed = clock.monotonic_s(), told.seed
    while True:
        home = Path(tempfile.mkdtemp(prefix="stanchion-chaos-"))
        outcome = await once(told.events, seed, home)
        print(outcome, flush=True)
        if outcome.faults:
            print(f"logs and topics: {home}", flush=True)
            return 1
        shutil.rmtree(home)
        seed += 1
        if clock.monotonic_s() - begun > told.seconds:
            return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
