"""Watch: every event from a seq on, in order, none twice, none missing, for as long as somebody listens.

A watcher has no queue of its own. It asks for what comes after its place, from memory where that reaches back so far,
else from the file; so however slow it is, it costs nothing and misses nothing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from stanchion_view.bell import Bell
from stanchion_view.core.event import Event
from stanchion_view.core.recent import LAST_OF_SEQ, Place

CHUNK: Final = 500
"""Events read from the file at a time."""

_EVENT: Final = msgspec.json.Decoder(Event)

Stored = Callable[[str, Place, int, int], Awaitable[Sequence[tuple[int, int, str]]]]
"""Reads change events from the file, as `Store.changes` does, without holding the event loop."""


class Told(Struct, frozen=True, kw_only=True):
    """One message of a watch.

    Attributes:
        event: None where only `through_seq` grew.
        through_seq: everything up to here has been told.
    """

    event: Event | None
    through_seq: int


class Moving(Protocol):
    """What a watch needs of a replica (`stanchion_view.replica.Replica` is one)."""

    @property
    def bell(self) -> Bell:
        """Give what rings when a workspace moved."""

    def last_seq(self, workspace: str) -> int:
        """Give the last seq that readers see."""

    def recent(self, workspace: str, after: Place) -> Sequence[Event] | None:
        """Give the events after a place from memory; None when memory does not go back so far."""


async def watch(
    replica: Moving, stored: Stored, workspace: str, from_seq: int, *, chunk: int = CHUNK
) -> AsyncIterator[Told]:
    """Tell what happens, for ever.

    Args:
        replica: where it happens.
        stored: reads what memory no longer has.
        workspace: its name; it need not exist yet.
        from_seq: the first seq wanted; 0 means from now on.
        chunk: events read from the file at a time.
    """
    now = replica.last_seq(workspace)
    place: Place = ((from_seq or now + 1) - 1, LAST_OF_SEQ)
    if place[0] >= now:
        yield Told(event=None, through_seq=now)  # nothing to tell yet: say where we stand
    while True:
        through = replica.last_seq(workspace)
        if place >= (through, LAST_OF_SEQ):
            await replica.bell.heard(workspace)
            continue
        recent = replica.recent(workspace, place)
        if recent is not None:
            events, whole = recent, True
        else:
            rows = await stored(workspace, place, through, chunk)
            events, whole = [_EVENT.decode(event) for _, _, event in rows], len(rows) < chunk
        for message in spread(events, through, whole=whole):
            yield message
        place = (through, LAST_OF_SEQ) if whole else (events[-1].seq, events[-1].n)


def spread(events: Sequence[Event], through: int, *, whole: bool) -> Iterator[Told]:
    """Give each event with the seq up to which all has been told by then.

    Args:
        events: in order.
        through: the seq up to which they were looked for.
        whole: they are all there are up to it; otherwise more follow the last one, perhaps of its own seq.
    """
    for event, following in pairwise(events):
        yield Told(event=event, through_seq=following.seq - 1)
    if events:
        yield Told(event=events[-1], through_seq=through if whole else events[-1].seq - 1)
    elif whole:
        yield Told(event=None, through_seq=through)
