"""The latest events of a workspace, in memory for whoever watches at about the same place."""

from collections import deque
from collections.abc import Iterable

from stanchion_view.core.event import Event

Place = tuple[int, int]
"""Seq, and number within the seq."""

LAST_OF_SEQ = 1 << 30
"""A number within a seq that no event reaches: everything of that seq is before it."""


class Recent:
    """So many of the latest events, and from where on none is missing.

    Args:
        since_seq: every event later than this seq will be added.
        keep: how many are kept.
    """

    def __init__(self, since_seq: int, keep: int) -> None:
        self._floor: Place = (since_seq, LAST_OF_SEQ)
        self._keep = keep
        self._events: deque[Event] = deque()

    def add(self, events: Iterable[Event]) -> None:
        """Add events in order; the oldest fall out."""
        self._events.extend(events)
        while len(self._events) > self._keep:
            gone = self._events.popleft()
            self._floor = (gone.seq, gone.n)

    def after(self, place: Place) -> list[Event] | None:
        """Give the events after a place, in order; None where memory does not go back so far."""
        if place < self._floor:
            return None
        found = []
        for event in reversed(self._events):
            if (event.seq, event.n) <= place:
                break
            found.append(event)
        return found[::-1]
