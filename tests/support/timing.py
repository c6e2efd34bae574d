"""How long things take, for benchmarks only: no test asserts a time."""

from collections.abc import Callable

from stanchion_runtime.clock import monotonic_s

_FOR_S = 0.3


def per_call_us(call: Callable[[], object]) -> float:
    """Give the mean microseconds of a call, over about a third of a second after a warm-up."""
    for _ in range(20):
        call()
    calls, begun = 0, monotonic_s()
    while (took := monotonic_s() - begun) < _FOR_S:
        for _ in range(20):
            call()
        calls += 20
    return round(took / calls * 1e6, 1)
