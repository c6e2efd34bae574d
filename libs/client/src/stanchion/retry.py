"""Trying again: what is worth it, and after how long."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import Struct

from stanchion.errors import NotYetVisible, StanchionError, Unreachable

Sleep = Callable[[float], Awaitable[None]]

_SILENT: Final = "UNAVAILABLE"  # gRPC's own word; a server that answers gives one of ours
_STEPS: Final = 1_000_000


class Retry(Struct, frozen=True, kw_only=True):
    """How often and how patiently.

    Every retry of a write carries the same idempotency key, so that it lands once.

    Attributes:
        attempts: tries of a call in all, the first included, at least 1.
        local_attempts: likewise where nobody answers at an address of this machine: about three seconds, enough for a
            reader's restart.
        stream_attempts: tries to take up a watch or a publishing that had begun: enough for a server's restart.
        first_s: the wait before the second call.
        most_s: no wait is longer, unless the server asks for it.
    """

    attempts: int = 5
    local_attempts: int = 7
    stream_attempts: int = 30
    first_s: float = 0.1
    most_s: float = 2.0

    def wait_s(self, attempt: int, error: StanchionError, *, stream: bool = False, local: bool = False) -> float | None:
        """Give how long to wait before the next call; None to give up.

        Args:
            attempt: how many calls there were.
            error: how the last one failed.
            stream: it is a stream that broke.
            local: the servers are on this machine.
        """
        silent = local and error.reason == _SILENT
        most = self.stream_attempts if stream else max(self.attempts, self.local_attempts * silent)
        if attempt >= most or not worth_it(error):
            return None
        full = min(self.most_s, self.first_s * 2.0 ** (attempt - 1))
        spread = full * (0.5 + secrets.randbelow(_STEPS) / _STEPS / 2)  # callers that failed together come back apart
        return max(spread, error.retry_after_s or 0.0)


def worth_it(error: StanchionError) -> bool:
    """Tell whether the same call may succeed later; one that waited for a position has waited already."""
    return isinstance(error, Unreachable) and not isinstance(error, NotYetVisible)


async def pause(seconds: float) -> None:
    """Wait."""
    await asyncio.sleep(seconds)
