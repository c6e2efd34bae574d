"""Which moves a head keeps: those that some read can still tell of.

A record that is written every hour would otherwise keep a move an hour for ever. A read counts a move that is later
than its record's baseline and than the adding of every link on its path. Baselines only grow, and a link made from now
on is later than every move there is; so a move is told of no more once each record that comes to it, over links or
citations that are there already, has a floor at least as late. The last move stays in any case: what moved after a seq
that somebody names, in an affirmation, is asked of it alone.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from stanchion_core.walk import MAX_DISTANCE, Head, Moved

MANY: Final = 16
"""Each time a head comes to a multiple of so many, those are dropped that nothing reads."""

_MOST_ABOVE: Final = 1_000
"""How many links are looked at for that; where there are more, all moves stay."""

_NOBODY: Final = 1 << 62
"""A seq past all others."""

Index = Mapping[str, tuple[str, ...]]


def readable(
    records: Mapping[str, Head], pointing: tuple[Index, ...], record_id: str, moves: tuple[Moved, ...]
) -> tuple[Moved, ...]:
    """Give the moves of a record that a read can still tell of, and its last one; now and then, else all.

    Links that do not rest count as if they did: under another vocabulary they may.

    Args:
        records: the heads, as of the moves.
        pointing: for a record, those that link to it, and those that cite it.
        record_id: whose moves.
        moves: oldest first.
    """
    if not moves or len(moves) % MANY:
        return moves
    floor = _lowest_floor(records, pointing, record_id)
    return (*(move for move in moves[:-1] if move.seq > floor), moves[-1])


def _lowest_floor(records: Mapping[str, Head], pointing: tuple[Index, ...], record_id: str) -> int:
    """Give the seq after which some record that comes here counts moves; 0 where there are too many to look."""
    lowest, looked = _NOBODY, 0
    level = {record_id: 0}
    for _ in range(MAX_DISTANCE):
        above: dict[str, int] = {}
        for below, since in level.items():
            for other in dict.fromkeys(other for index in pointing for other in index.get(below, ())):
                looked += 1
                if looked > _MOST_ABOVE:
                    return 0
                way = max(since, min(_added(records[other], below)))
                above[other] = min(way, above.get(other, way))
        lowest = min([lowest, *(max(way, records[other].baseline) for other, way in above.items())])
        level = above
    return lowest


def _added(head: Head, target: str) -> Iterator[int]:
    """Give the seqs at which a record's links to another, and its citations of it, were added."""
    yield from (link.seq for links in (head.grounds, head.others) for link in links if link.to == target)
    yield from (cited.seq for cited in head.citations if cited.uri == target)
