"""Relations as they stand: for each triple the one window that is current, found by the name of either end."""

from collections.abc import Iterable, Iterator, MutableMapping
from itertools import pairwise

from msgspec import Struct

from stanchion_contracts.change import Change
from stanchion_contracts.ledger import Entry
from stanchion_contracts.relation import Triple, Window


class Stated(Struct, frozen=True, kw_only=True):
    """A window that somebody stated.

    Attributes:
        window: from when to when it holds in the world, and whose text says so.
        seq: of the change that stated it.
        at_us: when that was recorded, microseconds since the epoch.
    """

    window: Window
    seq: int
    at_us: int

    def holds_at(self, at_us: int) -> bool:
        """Tell whether it holds at a time; an end that nobody named is open."""
        since, until = self.window.valid_at_us, self.window.invalid_at_us
        return (not since or since <= at_us) and (not until or at_us < until)


Relations = MutableMapping[Triple, Stated]
"""The current window of each triple."""
Named = MutableMapping[str, dict[Triple, None]]
"""The current triples that a name is an end of, whatever its type and room."""


class Past(Struct, frozen=True, kw_only=True):
    """A window of a relation, and when another took its place.

    Attributes:
        stated: the window.
        superseded_seq: of the change that took it back, 0 while it is current.
        superseded_at_us: when that was recorded, microseconds since the epoch.
    """

    stated: Stated
    superseded_seq: int = 0
    superseded_at_us: int = 0


def history(changes: Iterable[tuple[int, int, Window | None]]) -> tuple[Past, ...]:
    """Give every window of one triple, oldest first.

    Args:
        changes: seq, when it was recorded, and what was current from then on; oldest first.
    """
    return tuple(
        Past(
            stated=Stated(window=window, seq=seq, at_us=at_us),
            superseded_seq=later_seq,
            superseded_at_us=later_us,
        )
        for (seq, at_us, window), (later_seq, later_us, _) in pairwise((*changes, (0, 0, None)))
        if window is not None
    )


def triple_of(change: Change) -> Triple | None:
    """Give what a change of a relation is about; None for any other change."""
    if change.relation is None:
        return None
    said = change.relation
    return Triple(change.room, said.from_entity, said.name, said.to_entity)


def stated(entry: Entry, change: Change) -> Stated | None:
    """Give the window that is current after a change of a relation; None when nobody states one any more."""
    if change.relation is None or change.relation.after is None:
        return None
    return Stated(window=change.relation.after, seq=entry.seq, at_us=entry.recorded_at_us)


def put(relations: Relations, named: Named, triple: Triple, window: Stated | None) -> None:
    """Make a window current, or none."""
    if window is not None:
        relations[triple] = window
        for name in _names(triple):
            named.setdefault(name, {})[triple] = None
        return
    relations.pop(triple, None)
    for name in _names(triple):
        triples = named.get(name, {})
        triples.pop(triple, None)
        if not triples:
            named.pop(name, None)


def _names(triple: Triple) -> Iterator[str]:
    """Give the names of both ends."""
    yield triple.from_entity.name
    yield triple.to_entity.name
