"""What reads ask of the file again and again, in memory: bodies and times by seq. Neither ever changes."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final

MOST_BYTES: Final = 16 * 1024 * 1024
"""Of bodies, in characters counted as one byte each."""
MOST_TIMES: Final = 50_000

Moment = tuple[str, int]
"""Workspace and seq; of a body, of the change that brought it."""


class Texts:
    """The texts asked for or written last."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_times: int = MOST_TIMES) -> None:
        """Hold nothing yet."""
        self._bodies: OrderedDict[Moment, str] = OrderedDict()
        self._times: OrderedDict[Moment, int] = OrderedDict()
        self._bytes = 0
        self._most_bytes = most_bytes
        self._most_times = most_times

    def bodies(self, moments: Iterable[Moment]) -> dict[Moment, str]:
        """Give the bodies that are here."""
        found = {}
        for moment in moments:
            body = self._bodies.get(moment)
            if body is not None:
                self._bodies.move_to_end(moment)
                found[moment] = body
        return found

    def times(self, moments: Iterable[Moment]) -> dict[Moment, int]:
        """Give the times that are here, microseconds since the epoch."""
        return {moment: self._times[moment] for moment in moments if moment in self._times}

    def keep_bodies(self, bodies: Mapping[Moment, str]) -> None:
        """Keep bodies; those asked for least lately go when there are too many."""
        for moment, body in bodies.items():
            if moment not in self._bodies:
                self._bodies[moment] = body
                self._bytes += len(body)
        while self._bytes > self._most_bytes:
            _, gone = self._bodies.popitem(last=False)
            self._bytes -= len(gone)

    def keep_times(self, times: Mapping[Moment, int]) -> None:
        """Keep times; the oldest go when there are too many."""
        self._times.update(times)
        while len(self._times) > self._most_times:
            self._times.popitem(last=False)
