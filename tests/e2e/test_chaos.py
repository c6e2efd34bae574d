"""The line under chaos, in its short form; `make chaos` is the long one."""

import secrets
from pathlib import Path

import pytest

from support import chaos
from support.broker import new_broker


@pytest.mark.timeout(400)
async def test_nothing_is_lost_doubled_or_reordered_whatever_crashes(tmp_path: Path) -> None:
    """Kills, a zombie, a rebalance and a broker restart leave the topics as an undisturbed run would."""
    seed = secrets.randbelow(10**6)
    broker = new_broker(tmp_path)
    broker.start()
    try:
        plan = chaos.Plan(count=20_000, seed=seed, disturb=chaos.EVERYTHING, seconds=40)
        outcome = await chaos.run(broker, plan, tmp_path)
    finally:
        broker.stop()
    assert outcome.faults == (), outcome
