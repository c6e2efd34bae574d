"""Entities, and what holds between them: the graph of names beside the graph of records."""

from typing import Final

from msgspec import Struct

RECORD: Final = "record"
"""The type of an entity that is a record of the workspace; its name is the record's id."""


class Entity(Struct, frozen=True, kw_only=True, order=True):
    """Something that has a name: a person, a team, a system, a record.

    Attributes:
        name: as written; of a record its id.
        type: `record` for a record of the workspace, else a word of the writer's, may be empty.
    """

    name: str
    type: str = ""


class Triple(Struct, frozen=True, order=True):
    """What one window is current of.

    Attributes:
        room: where it was stated; an entity is one of its room.
        from_entity: one end.
        name: such as `works_at`.
        to_entity: the other end.
    """

    room: str
    from_entity: Entity
    name: str
    to_entity: Entity

    @property
    def words(self) -> str:
        """The triple as a sentence begins."""
        return f"{self.from_entity.name} {self.name} {self.to_entity.name}"


class Window(Struct, frozen=True, kw_only=True):
    """From when to when a relation holds, as far as somebody said.

    Attributes:
        valid_at_us: since when, microseconds since the epoch; 0 when nobody said.
        invalid_at_us: until when, exclusive; 0 when nobody said.
        stated_by: the record whose text says so; empty when a caller did.
    """

    valid_at_us: int = 0
    invalid_at_us: int = 0
    stated_by: str = ""


class Relation(Struct, frozen=True, kw_only=True):
    """One relation as a text or a caller states it.

    Attributes:
        from_entity: None for the record of the document that states it.
        name: such as `works_at`.
        to_entity: the other end.
        valid_at_us: since when, microseconds since the epoch; 0 when it does not say.
        invalid_at_us: until when, exclusive; 0 when it does not say.
    """

    from_entity: Entity | None = None
    name: str
    to_entity: Entity
    valid_at_us: int = 0
    invalid_at_us: int = 0


class RelationChange(Struct, frozen=True, kw_only=True):
    """What is current between two entities changed; one window is current per triple, a new one supersedes the old.

    Attributes:
        from_entity: one end.
        name: of the relation.
        to_entity: the other end.
        before: what was current, None for nothing.
        after: what is current, None when nobody states it any more.
    """

    from_entity: Entity
    name: str
    to_entity: Entity
    before: Window | None
    after: Window | None
