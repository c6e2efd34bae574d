"""The graph of records and entities: confirmed links and current relations, walked breadth first from one of them."""

import heapq
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from stanchion_contracts.relation import Entity
from stanchion_view.core.relation import RECORD
from stanchion_view.core.state import Workspace

MOST_HOPS: Final = 4
MOST_REACHED: Final = 256


class Node(Struct, frozen=True, order=True):
    """A record or an entity.

    Attributes:
        type: `record`, or the entity's; may be empty.
        name: the record's id, or the entity's name.
        room: that the entity is one of; of a record always empty, for its id is the workspace's.
    """

    type: str
    name: str
    room: str


class Hop(Struct, frozen=True):
    """One step along a link or a relation, as it was stated, and whether it was taken against its direction."""

    source: Node
    name: str
    target: Node
    backwards: bool = False

    @property
    def end(self) -> Node:
        """Where it leads."""
        return self.source if self.backwards else self.target


class Reached(Struct, frozen=True):
    """What was reached, and the shortest way to it."""

    node: Node
    path: tuple[Hop, ...]


class Wanted(Struct, frozen=True, kw_only=True):
    """Which way to go.

    Attributes:
        hops: so many at most, 1 to 4.
        names: of links and relations; empty for all.
        at_us: only relations that hold at this time, microseconds since the epoch; None for all that are current.
        both: also against their direction.
    """

    hops: int
    names: frozenset[str] = frozenset()
    at_us: int | None = None
    both: bool = False


class Traversed(Struct, frozen=True, kw_only=True):
    """What was reached.

    Attributes:
        reached: nearest first.
        truncated: there was more than 256.
    """

    reached: tuple[Reached, ...]
    truncated: bool


def node_of(room: str, entity: Entity) -> Node:
    """Give an end of a relation that was stated in a room."""
    return Node(entity.type, entity.name, "" if entity.type == RECORD else room)


def matching(workspace: Workspace, entity: Entity, room: str) -> tuple[Node, ...]:
    """Give what somebody may mean, sorted: exactly that where there is one, else whatever has the parts they named.

    Args:
        workspace: where.
        entity: its type may be left out.
        room: may be left out.
    """
    exact = node_of(room, entity)
    found = {Node(RECORD, entity.name, "")} if entity.name in workspace.cards else set()
    for triple in workspace.named.get(entity.name, ()):
        ends = (node_of(triple.room, end) for end in (triple.from_entity, triple.to_entity))
        found.update(end for end in ends if end.name == entity.name)
    found = {node for node in found if not _deleted(workspace, node)}
    if exact in found:
        return (exact,)
    return tuple(sorted(node for node in found if entity.type in {"", node.type} and exact.room in {"", node.room}))


def traverse(workspace: Workspace, start: Node, wanted: Wanted) -> Traversed:
    """Walk breadth first: each record and entity once, by the shortest way; deleted records are not walked.

    What is equally near comes in the order of what leads to it: first by where the way comes from, then along links and
    relations before against them, then by their name, then by type, name and room.

    Args:
        workspace: where.
        start: from where; not among what is reached.
        wanted: which way.
    """
    seen, level, found = {start}, [Reached(start, ())], list[Reached]()
    for _ in range(wanted.hops):
        following: list[Reached] = []
        for at in level:
            room = MOST_REACHED - len(found)
            hops = _onward(workspace, at.node, wanted, seen, room + 1)
            reached = [Reached(hop.end, (*at.path, hop)) for hop in hops[:room]]
            found += reached
            following += reached
            seen.update(each.node for each in reached)
            if len(hops) > room:
                return Traversed(reached=tuple(found), truncated=True)
        level = following
    return Traversed(reached=tuple(found), truncated=False)


def _onward(workspace: Workspace, node: Node, wanted: Wanted, seen: set[Node], most: int) -> list[Hop]:
    """Give the first hops to what was not seen yet, one to each, in order."""
    best: dict[Node, Hop] = {}
    for hop in _hops(workspace, node, wanted):
        end = hop.end
        if end in seen or (wanted.names and hop.name not in wanted.names) or _deleted(workspace, end):
            continue
        if end not in best or _order(hop) < _order(best[end]):
            best[end] = hop
    return heapq.nsmallest(most, best.values(), key=_order)


def _hops(workspace: Workspace, node: Node, wanted: Wanted) -> Iterator[Hop]:
    """Give every hop from a node, in no order."""
    for triple in workspace.named.get(node.name, ()):
        if wanted.at_us is not None and not workspace.relations[triple].holds_at(wanted.at_us):
            continue
        source, target = node_of(triple.room, triple.from_entity), node_of(triple.room, triple.to_entity)
        if source == node:
            yield Hop(source, triple.name, target)
        if wanted.both and target == node:
            yield Hop(source, triple.name, target, backwards=True)
    if node.type == RECORD:
        yield from _links(workspace, node, both=wanted.both)


def _links(workspace: Workspace, node: Node, *, both: bool) -> Iterator[Hop]:
    """Give every hop along or against a confirmed link of a record."""
    heads = workspace.heads
    head = heads.records.get(node.name)
    for link in (*head.grounds, *head.others) if head is not None else ():
        yield Hop(node, link.name, Node(RECORD, link.to, ""))
    for name in heads.linked_from.get(node.name, ()) if both else ():
        other = heads.records[name]
        for link in (*other.grounds, *other.others):
            if link.to == node.name:
                yield Hop(Node(RECORD, name, ""), link.name, node, backwards=True)


def _order(hop: Hop) -> tuple[bool, str, Node]:
    """Give what hops from one node are ordered by."""
    return hop.backwards, hop.name, hop.end


def _deleted(workspace: Workspace, node: Node) -> bool:
    """Tell whether a node is a record that was deleted."""
    card = workspace.cards.get(node.name) if node.type == RECORD else None
    return card is not None and card.deleted
