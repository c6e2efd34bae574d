"""The one place that reads a clock or draws randomness. What it gives is an argument to everything else."""

import os
import time

SEED_BYTES = 16
"""The length of a message's seed."""


def now_us() -> int:
    """Give the wall clock in microseconds since the epoch."""
    return time.time_ns() // 1000


def monotonic_s() -> float:
    """Give a clock that never goes back, in seconds, for measuring how long something took."""
    return time.monotonic()


def new_seed() -> bytes:
    """Give 16 random bytes, the seed that a message's salts derive from."""
    return os.urandom(SEED_BYTES)


def chance() -> float:
    """Give a number from 0 up to 1, for waits that should not fall together."""
    return int.from_bytes(os.urandom(6), "big") / 2**48


def new_id() -> str:
    """Give a random id of 32 hexadecimal digits."""
    return os.urandom(16).hex()
