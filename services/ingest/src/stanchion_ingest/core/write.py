"""Writes as callers state them over gRPC: screened and normalised, the place named where one is wrong."""

import re
from typing import Final

import msgspec

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, TOO_MANY, InvalidMessage
from stanchion_core.ids import derived_id
from stanchion_core.limits import (
    BODY_BYTES,
    CITATIONS,
    ENCODED_BYTES,
    FIELD_VALUE_BYTES,
    FIELDS,
    LABEL_CHARS,
    LINKS,
    NAME_CHARS,
    NOTE_CHARS,
    QUOTE_CHARS,
    TAGS,
    URI_CHARS,
    WRITES,
)
from stanchion_core.text import clean, required
from stanchion_ingest.core.json import canonical
from stanchion_ingest.core.moment import moment_us
from stanchion_ingest.core.name import record_id, room_name

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_STATES: Final = {
    types_pb2.LINK_STATE_UNSPECIFIED: "confirmed",
    types_pb2.LINK_STATE_CONFIRMED: "confirmed",
    types_pb2.LINK_STATE_PROPOSED: "proposed",
    types_pb2.LINK_STATE_REVOKED: "revoked",
}


def screened_writes(
    request: pb.WriteBatchRequest | pb.EditProposalRequest, mint_from: tuple[str, ...]
) -> tuple[Write, ...]:
    """Give the writes of a batch, or of what a proposal is to become.

    Args:
        request: as it came.
        mint_from: as in `write_batch`.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    check_count(len(request.writes), WRITES, "writes", "a batch")
    if not request.writes:
        raise InvalidMessage(FIELD_VALUE, "writes is empty; a batch has at least one", "writes")
    if request.ByteSize() > ENCODED_BYTES:
        raise InvalidMessage(
            TOO_LARGE, f"the batch has {request.ByteSize()} bytes; the limit is {ENCODED_BYTES}", "writes"
        )
    return tuple(
        _write(each, f"writes[{number}]", derived_id("rec", *mint_from, str(number)))
        for number, each in enumerate(request.writes)
    )


def check_count(count: int, limit: int, field: str, of: str) -> None:
    """Refuse more than a limit.

    Raises:
        InvalidMessage: `TOO_MANY`.
    """
    if count > limit:
        raise InvalidMessage(TOO_MANY, f"{field}: {count}; the limit is {limit} {of}", field)


def _write(write: pb.Write, at: str, minted: str) -> Write:
    """Give one write.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    check_count(len(write.fields), FIELDS, f"{at}.fields", "a write")
    check_count(sum(len(each.links) for each in write.links), LINKS, f"{at}.links", "a record")
    _check_tombstone(write, at)
    return Write(
        id=record_id(write.id, f"{at}.id") if write.id else minted,
        kind=clean(write.kind, f"{at}.kind", chars=NAME_CHARS),
        room=room_name(write.room, f"{at}.room"),
        label=required(write.label, f"{at}.label", chars=LABEL_CHARS) if write.HasField("label") else None,
        body=clean(write.body, f"{at}.body", utf8_bytes=BODY_BYTES) if write.HasField("body") else None,
        fields=tuple(_field(each, f"{at}.fields[{number}]") for number, each in enumerate(write.fields)),
        links=tuple(_links(each, f"{at}.links[{number}]") for number, each in enumerate(write.links)),
        evidence=_evidence(write.evidence, f"{at}.evidence") if write.HasField("evidence") else None,
        tags=_tags(write.tags, f"{at}.tags") if write.HasField("tags") else None,
        valid_from=_moment(write.valid_from, f"{at}.valid_from") if write.HasField("valid_from") else None,
        valid_to=_moment(write.valid_to, f"{at}.valid_to") if write.HasField("valid_to") else None,
        delete=write.delete,
        if_match=write.if_match if write.HasField("if_match") else None,
    )


def _check_tombstone(write: pb.Write, at: str) -> None:
    """Refuse a deletion that also writes, or that names no record.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    if not write.delete:
        return
    extra = {field.name for field, _ in write.ListFields()} - {"id", "delete", "if_match", "kind", "room"}
    if extra:
        raise InvalidMessage(FIELD_VALUE, f"{at} deletes and also has {', '.join(sorted(extra))}; send two writes", at)
    if not write.id:
        raise InvalidMessage(FIELD_VALUE, f"{at}.id is missing; a deletion names its record", f"{at}.id")


def _field(field: types_pb2.Field, at: str) -> FieldValue:
    """Give one field; its value as canonical JSON, empty to clear.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    name = required(field.name, f"{at}.name", chars=NAME_CHARS)
    if not field.value_json or field.value_json == "null":
        return FieldValue(name=name, value="")
    text = field.value_json.encode()
    if len(text) > FIELD_VALUE_BYTES:
        raise InvalidMessage(
            TOO_LARGE, f"{at}.value_json has {len(text)} bytes; the limit is {FIELD_VALUE_BYTES}", f"{at}.value_json"
        )
    return FieldValue(name=name, value=canonical(text, f"{at}.value_json").decode())


def _links(links: pb.LinkSet, at: str) -> LinkSet:
    """Give all links of one name.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    name = required(links.name, f"{at}.name", chars=NAME_CHARS)
    return LinkSet(
        name=name, links=tuple(_link(each, name, f"{at}.links[{number}]") for number, each in enumerate(links.links))
    )


def _link(link: types_pb2.Link, name: str, at: str) -> Link:
    """Give one link of a set.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if link.name not in {"", name}:
        raise InvalidMessage(FIELD_VALUE, f"{at}.name is {link.name[:40]!r} in the set of {name}", f"{at}.name")
    if link.state not in _STATES or link.stated_by not in {"", "from", "to", "both"}:
        raise InvalidMessage(FIELD_VALUE, f"{at} has a state or stated_by there is none of", at)
    return msgspec.convert(
        {
            "name": name,
            "to": record_id(link.to, f"{at}.to"),
            "state": _STATES[link.state],
            "mandatory": not link.optional,
            "stated_by": link.stated_by or "from",
            "note": clean(link.note, f"{at}.note", chars=NOTE_CHARS),
        },
        Link,
    )


def _evidence(citations: pb.CitationList, at: str) -> tuple[Citation, ...]:
    """Give the explicit list of citations.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    check_count(len(citations.citations), CITATIONS, at, "a record")
    return tuple(
        Citation(
            uri=required(each.uri, f"{at}[{number}].uri", chars=URI_CHARS),
            quote=clean(each.quote, f"{at}[{number}].quote", chars=QUOTE_CHARS),
            version_token=clean(each.version_token, f"{at}[{number}].version_token", chars=NAME_CHARS),
        )
        for number, each in enumerate(citations.citations)
    )


def _tags(tags: pb.TagList, at: str) -> tuple[str, ...]:
    """Give the whole list of tags.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    check_count(len(tags.tags), TAGS, at, "a record")
    return tuple(required(each, f"{at}[{number}]", chars=NAME_CHARS) for number, each in enumerate(tags.tags))


def _moment(text: str, at: str) -> str:
    """Give a date, or a time with offset, as it was written; empty clears.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    if text:
        moment_us(f"{text}T00:00:00Z" if _DATE.fullmatch(text) else text, at)
    return text
