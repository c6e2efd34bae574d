"""How the graph looks: what is near as a tree of hops, and the windows of one relation."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from rich.text import Text

from stanchion.graph import RECORD, Entity, Hop, Reached, RelationWindow, Traversal
from stanchion.show.text import BAD, DIM, GAP, STRONG, columns, line, lines, one_line, pad, plural, when

_HEAD: Final = ("holds from", "until", "stated (UTC)", "seq", "superseded", "by")


def tree(start: Entity, found: Traversal, workspace: str) -> Text:
    """Give what is near, each under what it was reached from.

    Args:
        start: where the walk began.
        found: what it came to.
        workspace: whose.
    """
    below: dict[Entity, list[Reached]] = {}
    begin = _origin(found.reached[0].path[0]) if found.reached and found.reached[0].path else start
    for each in found.reached:
        below.setdefault(_origin(each.path[-1]) if each.path else begin, []).append(each)
    parts = [_named(begin, ""), *_branches(begin, below, "")]
    if not found.reached:
        parts.append(line(("nothing is near: --both goes against links and relations, too", DIM)))
    count = f"{plural(len(found.reached), 'name')} · workspace {workspace} · as of seq {found.as_of_seq}"
    parts += [Text(), line((count, DIM))]
    if found.truncated:
        parts.append(line(("there is more than is shown:", BAD), " fewer --hops, or only some --name"))
    return lines(parts)


def windows(found: Sequence[RelationWindow]) -> Text:
    """Give every window of a relation, one a line, oldest first."""
    if not found:
        return line(("nobody has ever stated that", DIM))
    rows = [
        (
            _day(each.valid_at) or "not said",
            _day(each.invalid_at) or "not said",
            when(each.created_at),
            str(each.created_seq),
            f"seq {each.superseded_seq}" if each.superseded_seq else "current",
            one_line(each.stated_by) or "a caller",
        )
        for each in found
    ]
    widths = columns([_HEAD, *rows])
    parts = [line((GAP.join(map(pad, _HEAD, widths)), DIM))]
    for row, each in zip(rows, found, strict=True):
        parts.append(line((GAP.join(map(pad, row, widths)), DIM if each.superseded_seq else STRONG)))
    return lines(parts)


def _branches(node: Entity, below: Mapping[Entity, Sequence[Reached]], indent: str) -> Iterator[Text]:
    """Give what was reached from a node, and below each what was reached from there."""
    children = below.get(node, ())
    for index, each in enumerate(children):
        last = index == len(children) - 1
        hop = each.path[-1]
        word = hop.name.replace("_", " ")
        arrow = f"← {word} of" if hop.backwards else f"{word} →"
        branch = indent + ("└─ " if last else "├─ ")
        yield line((branch, DIM), (one_line(arrow), "cyan"), " ", _named(each.entity, each.label))
        yield from _branches(each.entity, below, indent + ("   " if last else "│  "))


def _named(entity: Entity, label: str) -> Text:
    """Give a name with what it is; of a record its label."""
    what = one_line(label) if entity.type == RECORD else f"({one_line(entity.type)})" if entity.type else ""
    room = f"room {one_line(entity.room)}" if entity.room else ""
    beside = " · ".join(each for each in (what, room) if each)
    return line((one_line(entity.name), STRONG), GAP, (beside, DIM))


def _origin(hop: Hop) -> Entity:
    """Give where a hop was taken from."""
    return hop.to if hop.backwards else hop.from_


def _day(time: datetime | None) -> str:
    """Give a time of the world, without a time of day where it is the day's beginning."""
    return when(time).removesuffix(" 00:00:00")
