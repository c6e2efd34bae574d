"""Lag of what tails a topic in no group."""

import pytest

from stanchion_runtime import lag
from stanchion_runtime.log import Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics


@pytest.mark.parametrize(("position", "behind"), [(0, 3), (2, 1), (3, 0), (4, 0)])
async def test_what_lies_before_a_position_is_no_lag(position: int, behind: int) -> None:
    """Each partition's is told; a reader that is further than was just looked at is behind nothing."""
    log, metrics = MemoryLog(partitions=2), Metrics()
    log.write("beliefs", 1, [Outgoing(value=b"") for _ in range(3)])
    found = await lag.measure(log, metrics, stage="look", topic="beliefs", positions={0: 0, 1: position})
    told = f'stanchion_lag{{partition="1",stage="look",topic="beliefs"}} {float(behind)}'
    assert (behind, True) == (found, told in metrics.text().decode())
