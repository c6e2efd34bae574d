"""Watch tells everything once, in order, from anywhere, however memory, file and time fall."""

import asyncio
from collections.abc import Sequence
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts.meta import Actor
from stanchion_view import watch
from stanchion_view.bell import Bell
from stanchion_view.core.event import Event
from stanchion_view.core.recent import LAST_OF_SEQ, Place, Recent


class FakeReplica:
    """A workspace that moves when the test says so, with its events in memory and in a file."""

    def __init__(self, keep: int) -> None:
        self.bell = Bell()
        self.stored: list[Event] = []
        self._seq = 0
        self._recent = Recent(0, keep)

    def last_seq(self, _workspace: str) -> int:
        """The last seq that readers see."""
        return self._seq

    def recent(self, _workspace: str, after: Place) -> Sequence[Event] | None:
        """What memory has."""
        return self._recent.after(after)

    def move(self, shape: Sequence[int]) -> None:
        """Take one seq for each number: that many events happen at it."""
        events = [event(self._seq + 1 + at, n) for at, count in enumerate(shape) for n in range(count)]
        self.stored += events
        self._seq += len(shape)
        self._recent.add(events)
        self.bell.ring("acme")

    async def changes(self, _workspace: str, after: Place, through: int, limit: int) -> Sequence[tuple[int, int, str]]:
        """What the file has."""
        await asyncio.sleep(0)
        found = [each for each in self.stored if (each.seq, each.n) > after and each.seq <= through]
        return [(each.seq, each.n, msgspec.json.encode(each).decode()) for each in found[:limit]]


def event(seq: int, n: int) -> Event:
    """An event of a seq."""
    return Event(
        seq=seq,
        n=n,
        recorded_at_us=seq,
        kind="record.written",
        subject_kind="decision",
        subject_id="d",
        reason="",
        actor=Actor(kind="person", id="maya"),
        origin="",
    )


HALF = 0.5
shapes = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=8)


@settings(max_examples=100, deadline=None)
@given(shapes, st.integers(0, 8), st.integers(1, 12), st.integers(1, 20), st.integers(0, 1000))
def test_every_event_once_in_order(shapes: list[list[int]], early: int, keep: int, first: int, seed: int) -> None:
    """From any seq, before or after things happened, with any memory, at any reading pace."""
    asyncio.run(_every_event_once(shapes, early, keep, first, Random(seed)))  # noqa: S311 - a pace, no secret


async def _every_event_once(shapes: list[list[int]], early: int, keep: int, first: int, pace: Random) -> None:
    """Let things happen and a watcher read, each at its own pace, then check what was told."""
    replica, coming, total = FakeReplica(keep), list(shapes), sum(map(len, shapes))
    for _ in range(min(early, len(coming))):
        replica.move(coming.pop(0))
    told: list[watch.Told] = []
    stream = watch.watch(replica, replica.changes, "acme", first, chunk=2)  # chunks are cut inside a seq

    async def read() -> None:
        async for each in stream:
            told.append(each)
            for _ in range(pace.randrange(3)):
                await asyncio.sleep(0)

    reading = asyncio.create_task(read())
    while coming or first <= total > max((each.through_seq for each in told), default=0):
        if coming and pace.random() < HALF:
            replica.move(coming.pop(0))
        await asyncio.sleep(0)
        if reading.done():
            reading.result()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    _check(told, [each for each in replica.stored if each.seq >= first])


def _check(told: list[watch.Told], expected: list[Event]) -> None:
    """Every event is told once and in order, and nothing comes at or before a seq that was told through."""
    assert expected == [each.event for each in told if each.event is not None]
    throughs = [each.through_seq for each in told]
    assert sorted(throughs) == throughs
    for at, each in enumerate(told):
        assert all(later.event is None or later.event.seq > each.through_seq for later in told[at + 1 :])


@given(st.lists(st.integers(1, 5), max_size=20), st.integers(1, 6), st.integers(0, 60), st.integers(-1, 3))
def test_memory_gives_all_or_says_so(counts: list[int], keep: int, seq: int, n: int) -> None:
    """What memory gives after a place is everything after it; else it says that it does not know."""
    recent, events = Recent(0, keep), [event(at + 1, m) for at, count in enumerate(counts) for m in range(count)]
    for each in events:
        recent.add([each])
    found = recent.after((seq, n))
    whole = [each for each in events if (each.seq, each.n) > (seq, n)]
    assert found is None or whole == found
    if found is None:
        assert len(whole) > keep or seq == 0
    assert [] == recent.after((len(counts), LAST_OF_SEQ))
