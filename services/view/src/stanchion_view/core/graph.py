"""The graph of records and entities: confirmed links and current relations, walked breadth first from one of them."""

import heapq
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from stanchion_contracts.relation import RECORD, Entity
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


_Step = tuple[bool, str, Node]
"""A hop from a node in hand: whether it is taken backwards, the name, where it leads; sorted as their ends are told."""


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
            onward = _onward(workspace, at.node, wanted, seen, room + 1)
            reached = [Reached(step[2], (*at.path, _hop(at.node, step))) for step in onward[:room]]
            found += reached
            following += reached
            seen.update(each.node for each in reached)
            if len(onward) > room:
                return Traversed(reached=tuple(found), truncated=True)
        level = following
    return Traversed(reached=tuple(found), truncated=False)


def _hop(node: Node, step: _Step) -> Hop:
    """Give a step from a node as it was stated."""
    backwards, name, end = step
    return Hop(end, name, node, backwards=True) if backwards else Hop(node, name, end)


def _onward(workspace: Workspace, node: Node, wanted: Wanted, seen: set[Node], most: int) -> list[_Step]:
    """Give the first steps to what was not seen yet, one to each, in order."""
    best: dict[Node, _Step] = {}
    for step in _steps(workspace, node, wanted):
        end = step[2]
        if end not in seen and (end not in best or step < best[end]):
            best[end] = step
    return heapq.nsmallest(most, (step for step in best.values() if not _deleted(workspace, step[2])))


def _steps(workspace: Workspace, node: Node, wanted: Wanted) -> Iterator[_Step]:
    """Give every step from a node, in no order."""
    names, at_us, relations = wanted.names, wanted.at_us, workspace.relations
    for triple in workspace.named.get(node.name, ()):
        if names and triple.name not in names:
            continue
        if at_us is not None and not relations[triple].holds_at(at_us):
            continue
        room, source, target = triple.room, triple.from_entity, triple.to_entity
        if source.name == node.name and node_of(room, source) == node:
            yield False, triple.name, node_of(room, target)
        if wanted.both and target.name == node.name and node_of(room, target) == node:
            yield True, triple.name, node_of(room, source)
    if node.type == RECORD:
        yield from (step for step in _links(workspace, node, both=wanted.both) if not names or step[1] in names)


def _links(workspace: Workspace, node: Node, *, both: bool) -> Iterator[_Step]:
    """Give every step along or against a confirmed link of a record."""
    heads = workspace.heads
    head = heads.records.get(node.name)
    for link in (*head.grounds, *head.others) if head is not None else ():
        yield False, link.name, Node(RECORD, link.to, "")
    for name in heads.linked_from.get(node.name, ()) if both else ():
        other = heads.records[name]
        for link in (*other.grounds, *other.others):
            if link.to == node.name:
                yield True, link.name, Node(RECORD, name, "")


def _deleted(workspace: Workspace, node: Node) -> bool:
    """Tell whether a node is a record that was deleted."""
    card = workspace.cards.get(node.name) if node.type == RECORD else None
    return card is not None and card.deleted
