"""The graph of names beside the graph of records: entities, the relations between them, and the ways from one on."""

from datetime import datetime
from typing import Final

from msgspec import Struct

from stanchion.writes import timestamp
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2

RECORD: Final = "record"
"""The type of an entity that is a record of the workspace; its name is the record's id."""


class Entity(Struct, frozen=True, kw_only=True):
    """Something that has a name.

    Attributes:
        name: as written; of a record its id.
        type: `record` for a record of the workspace, else a word of the writer's, may be empty.
        room: that it is one of; empty for the root, and for a record.
    """

    name: str
    type: str = ""
    room: str = ""


class Relation(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """A relation stated outright.

    Attributes:
        from_: one end.
        name: such as `works_at`.
        to: the other end.
        valid_at: since when it holds, aware; None where nobody says.
        invalid_at: until when, exclusive; None likewise.
    """

    from_: Entity
    name: str
    to: Entity
    valid_at: datetime | None = None
    invalid_at: datetime | None = None


class Hop(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One hop along a relation or link; `backwards` when it was taken from `to` to `from_`."""

    from_: Entity
    name: str
    to: Entity
    backwards: bool = False


class Reached(Struct, frozen=True, kw_only=True):
    """An entity that was reached, with its label where it is a record, and the shortest way to it."""

    entity: Entity
    label: str = ""
    path: tuple[Hop, ...] = ()


class Traversal(Struct, frozen=True, kw_only=True):
    """What is near, nearest first.

    Attributes:
        reached: at most 256.
        truncated: there was more.
        as_of_seq: the position the read was answered from.
    """

    reached: tuple[Reached, ...] = ()
    truncated: bool = False
    as_of_seq: int = 0


class RelationWindow(Struct, frozen=True, kw_only=True):
    """From when to when a relation holds, as it was stated once.

    Attributes:
        valid_at: in the world; None where nobody said.
        invalid_at: likewise, exclusive.
        created_at: when it was stated.
        superseded_at: when another took its place, or nobody stated it any more; None for the current one.
        created_seq: the same as a seq.
        superseded_seq: likewise; 0 for the current one.
        stated_by: the record whose text says so; empty when a caller did.
    """

    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    created_at: datetime | None = None
    superseded_at: datetime | None = None
    created_seq: int = 0
    superseded_seq: int = 0
    stated_by: str = ""


def entity_message(entity: Entity) -> types_pb2.Entity:
    """Give an entity as it is sent."""
    return types_pb2.Entity(name=entity.name, type=entity.type, room=entity.room)


def relation_message(relation: Relation) -> ingest_pb2.StatedRelation:
    """Give a relation as it is sent.

    Raises:
        ValueError: a time has no offset.
    """
    return ingest_pb2.StatedRelation(
        name=relation.name,
        to=entity_message(relation.to),
        valid_at=timestamp(relation.valid_at),
        invalid_at=timestamp(relation.invalid_at),
        **{"from": entity_message(relation.from_)},  # no Python argument is called `from`
    )
