"""Wakes whoever waits for something to move, by name."""

import asyncio


class Bell:
    """One bell for many names; it belongs to one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}

    async def heard(self, name: str) -> None:
        """Wait for the next ring of a name."""
        ring = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(name, set())
        waiting.add(ring)
        try:
            await ring
        finally:
            waiting.discard(ring)
            if not waiting and self._waiting.get(name) is waiting:
                del self._waiting[name]

    def ring(self, name: str) -> None:
        """Wake everybody who waits for a name now."""
        for ring in self._waiting.pop(name, ()):
            if not ring.done():
                ring.set_result(None)
