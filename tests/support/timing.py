"""How long things take, for benchmarks only: no test asserts a time."""

import time
from collections.abc import Callable

_FOR_S = 0.3


def per_call_us(call: Callable[[], object]) -> float:
    """Give the mean CPU microseconds of a call, over about a third of a second after a warm-up.

    CPU time, for what else the machine does is no part of it.
    """
    for _ in range(20):
        call()
    calls, begun = 0, time.process_time()
    while (took := time.process_time() - begun) < _FOR_S:
        for _ in range(20):
            call()
        calls += 20
    return round(took / calls * 1e6, 1)
