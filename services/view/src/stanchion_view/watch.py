"""Watch: every event from a seq on, in order, none twice, none missing, for as long as somebody listens.

A watcher has no queue of its own. It asks for what comes after its place, from memory where that reaches back so far,
else from the file; so however slow it is, it costs nothing and misses nothing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_view.core.event import Event
from stanchion_view.core.recent import LAST_OF_SEQ, Place
from stanchion_view.replica import Replica

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


async def watch(replica: Replica, stored: Stored, workspace: str, from_seq: int) -> AsyncIterator[Told]:
    """Tell what happens, for ever.

    Args:
        replica: where it happens.
        stored: reads what memory no longer has.
        workspace: its name; it need not exist yet.
        from_seq: the first seq wanted; 0 means from now on.
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
        events, whole = await _after(replica, stored, workspace, place, through)
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


async def _after(
    replica: Replica, stored: Stored, workspace: str, place: Place, through: int
) -> tuple[Sequence[Event], bool]:
    """Give the events after a place, and whether they are all there are up to `through`."""
    recent = replica.recent(workspace, place)
    if recent is not None:
        return recent, True
    rows = await stored(workspace, place, through, CHUNK)
    return [_EVENT.decode(event) for _, _, event in rows], len(rows) < CHUNK
