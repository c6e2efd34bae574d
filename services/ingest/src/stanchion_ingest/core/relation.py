"""Relations between entities as callers and upstream systems state them, screened."""

from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.relation import RECORD, Entity, Relation
from stanchion_core.errors import FIELD_VALUE, TOO_MANY, InvalidMessage
from stanchion_core.limits import NAME_CHARS, RELATIONS
from stanchion_core.text import clean, required
from stanchion_ingest.core.json import read
from stanchion_ingest.core.moment import in_calendar, moment_us, said, timestamp_us
from stanchion_ingest.core.name import record_id

RELATIONS_STATED: Final = "stanchion.relations.stated.v1"
"""The CloudEvents type by which an upstream system states relations; its data is that of `_Stated`."""


class _Named(Struct, frozen=True, kw_only=True):
    """One end of a relation, as upstream sends it; null is absent."""

    name: str
    type: str | None = None


class _Relation(Struct, frozen=True, kw_only=True, rename={"from_entity": "from", "to_entity": "to"}):
    """One relation, as upstream sends it; times are RFC 3339 with offset."""

    from_entity: _Named
    name: str
    to_entity: _Named
    valid_at: str | None = None
    invalid_at: str | None = None


class _Stated(Struct, frozen=True, kw_only=True):
    """Data of an event that states relations."""

    relations: tuple[_Relation, ...]


_STATED: Final = msgspec.json.Decoder(_Stated)


def observed_relations(request: pb.ObserveRequest) -> tuple[Relation, ...]:
    """Give the relations a caller states; their names are screened with the whole body.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a time that there is not, or an entity of another room.
    """
    return tuple(_observed(each, request.room, f"relations[{number}]") for number, each in enumerate(request.relations))


def _observed(relation: pb.StatedRelation, room: str, at: str) -> Relation:
    """Give one relation a caller states.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    ends: dict[str, types_pb2.Entity] = {"from": getattr(relation, "from"), "to": relation.to}
    for end, entity in ends.items():
        if entity.room not in {"", room}:
            raise InvalidMessage(
                FIELD_VALUE,
                f"{at}.{end}.room is {entity.room[:40]!r}; an entity is one of the observation's room, {room!r}",
                f"{at}.{end}.room",
            )
    window = {
        f"{name}_us": timestamp_us(getattr(relation, name), f"{at}.{name}")
        for name in ("valid_at", "invalid_at")
        if relation.HasField(name)
    }
    return Relation(
        from_entity=Entity(name=ends["from"].name, type=ends["from"].type),
        name=relation.name,
        to_entity=Entity(name=relation.to.name, type=relation.to.type),
        **window,
    )


def event_relations(data: bytes) -> tuple[Relation, ...]:
    """Give the relations an upstream system states, screened; at least one.

    Args:
        data: of the event, JSON.

    Raises:
        InvalidMessage: `UNREADABLE`, `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    stated = read(data, _STATED, "data").relations
    if not stated:
        raise InvalidMessage(FIELD_VALUE, "relations is empty; an event that states relations has one", "relations")
    return screened_relations(
        tuple(
            Relation(
                from_entity=Entity(name=each.from_entity.name, type=each.from_entity.type or ""),
                name=each.name,
                to_entity=Entity(name=each.to_entity.name, type=each.to_entity.type or ""),
                valid_at_us=_moment(each.valid_at, f"relations[{number}].valid_at"),
                invalid_at_us=_moment(each.invalid_at, f"relations[{number}].invalid_at"),
            )
            for number, each in enumerate(stated)
        )
    )


def screened_relations(relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """Give relations as they are kept.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    if len(relations) > RELATIONS:
        raise InvalidMessage(
            TOO_MANY, f"{len(relations)} relations; the limit is {RELATIONS} an observation", "relations"
        )
    return tuple(_screened(relation, f"relations[{number}]") for number, relation in enumerate(relations))


def _screened(relation: Relation, at: str) -> Relation:
    """Screen one relation.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if relation.from_entity is None:
        raise InvalidMessage(
            FIELD_VALUE, f"{at}.from is missing; only a document's text may leave it out", f"{at}.from"
        )
    valid_at_us = in_calendar(relation.valid_at_us, f"{at}.valid_at")
    invalid_at_us = in_calendar(relation.invalid_at_us, f"{at}.invalid_at")
    if valid_at_us and invalid_at_us and valid_at_us >= invalid_at_us:
        raise InvalidMessage(FIELD_VALUE, f"{at}.invalid_at does not lie after valid_at", f"{at}.invalid_at")
    return Relation(
        from_entity=_entity(relation.from_entity, f"{at}.from"),
        name=required(relation.name, f"{at}.name", chars=NAME_CHARS),
        to_entity=_entity(relation.to_entity, f"{at}.to"),
        valid_at_us=valid_at_us,
        invalid_at_us=invalid_at_us,
    )


def _entity(entity: Entity, at: str) -> Entity:
    """Screen one end.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    kind = clean(entity.type, f"{at}.type", chars=NAME_CHARS)
    name = required(entity.name, f"{at}.name", chars=NAME_CHARS)
    return Entity(name=record_id(name, f"{at}.name") if kind == RECORD else name, type=kind)


def _moment(text: str | None, field: str) -> int:
    """Give a time that upstream wrote, 0 where it wrote none.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    return said(moment_us(text, field), field) if text else 0
