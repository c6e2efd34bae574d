"""What callers send: events, claims and writes, as plain values; and the messages made of them."""

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import UNSET, Struct, UnsetType

from stanchion.results import Citation, Link, Value
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2


class Event(Struct, frozen=True, kw_only=True):
    """One change event, in CloudEvents' terms.

    Attributes:
        id: unique within its source; the same id with the same content is one event. Empty makes one, so that no
            retry counts twice; an event that is published anew counts anew.
        source: who publishes it.
        type: what happened.
        workspace: whose it is; empty for the client's own.
        room: the room inside it.
        subject: what it happened to.
        time: RFC 3339 with offset; empty for now.
        content_type: of `data`.
        data: the payload.
    """

    id: str
    source: str
    type: str
    workspace: str = ""
    room: str = ""
    subject: str = ""
    time: str = ""
    content_type: str = "application/json"
    data: bytes = b""


class Claim(Struct, frozen=True, kw_only=True):
    """A claim stated outright.

    Attributes:
        subject: as written.
        predicate: as written.
        value: typed.
        denial: the claim says that it is not so.
        evidence: overrides what the path gives.
        sample: names one of several independent readings of one instrument.
        strength: 0 to 1; None means 1.
        quote: the words it was read from; where they wish, ask or suppose, it is left out.
    """

    subject: str
    predicate: str
    value: Value
    denial: bool = False
    evidence: str = ""
    sample: str = ""
    strength: float | None = None
    quote: str = ""


class Write(Struct, frozen=True, kw_only=True):
    """One write of a batch: what is given replaces, what is left out stays.

    Attributes:
        id: of the record.
        kind: needed to create.
        room: needed to create in a room.
        label: says what the record says; empty clears.
        body: markdown; empty clears.
        fields: values by name; None clears.
        links: per link name the whole list; an empty one clears.
        evidence: the whole list of citations; left out says nothing about them.
        tags: the whole list.
        valid_from: RFC 3339 date or time; empty clears.
        valid_to: likewise.
        delete: makes it a tombstone.
        if_match: the version the write is based on.
    """

    id: str
    kind: str = ""
    room: str = ""
    label: str | UnsetType = UNSET
    body: str | UnsetType = UNSET
    fields: Mapping[str, Any] = {}
    links: Mapping[str, Sequence[str | Link]] = {}
    evidence: Sequence[Citation] | UnsetType = UNSET
    tags: Sequence[str] | UnsetType = UNSET
    valid_from: str | UnsetType = UNSET
    valid_to: str | UnsetType = UNSET
    delete: bool = False
    if_match: int | None = None


class QuoteSeen(Struct, frozen=True, kw_only=True):
    """Whether a quote stands in the version of the source that was read."""

    quote: str
    present: bool


def event_message(event: Event, workspace: str, *, await_answer: bool) -> ingest_pb2.PublishRequest:
    """Give an event as it is sent."""
    return ingest_pb2.PublishRequest(
        workspace=event.workspace or workspace,
        room=event.room,
        id=event.id or secrets.token_hex(16),
        source=event.source,
        type=event.type,
        subject=event.subject,
        time=event.time,
        content_type=event.content_type,
        data=event.data,
        await_answer=await_answer,
    )


def claim_message(claim: Claim) -> ingest_pb2.StatedClaim:
    """Give a claim as it is sent."""
    return ingest_pb2.StatedClaim(
        subject=claim.subject,
        predicate=claim.predicate,
        value=value_message(claim.value),
        denial=claim.denial,
        evidence=claim.evidence,
        sample=claim.sample,
        strength=claim.strength,
        quote=claim.quote,
    )


def value_message(value: Value) -> types_pb2.Value:
    """Give a value as it is sent."""
    return types_pb2.Value(type=value.type, text=value.text, unit=value.unit, op=value.op)


def write_message(write: Write) -> ingest_pb2.Write:
    """Give a write as it is sent."""
    return ingest_pb2.Write(
        id=write.id,
        kind=write.kind,
        room=write.room,
        label=_given(write.label),
        body=_given(write.body),
        fields=fields_message(write.fields),
        links=[
            ingest_pb2.LinkSet(name=name, links=[_link(name, each) for each in links])
            for name, links in sorted(write.links.items())
        ],
        evidence=None
        if isinstance(write.evidence, UnsetType)
        else ingest_pb2.CitationList(
            citations=[
                types_pb2.Citation(uri=each.uri, quote=each.quote, version_token=each.version_token)
                for each in write.evidence
            ]
        ),
        tags=None if isinstance(write.tags, UnsetType) else ingest_pb2.TagList(tags=write.tags),
        valid_from=_given(write.valid_from),
        valid_to=_given(write.valid_to),
        delete=write.delete,
        if_match=write.if_match,
    )


def fields_message(fields: Mapping[str, Any]) -> list[types_pb2.Field]:
    """Give fields as they are sent."""
    return [types_pb2.Field(name=name, value_json=_json(value)) for name, value in sorted(fields.items())]


def timestamp(time: datetime | None) -> Timestamp | None:
    """Give a time as it is sent.

    Raises:
        ValueError: the time has no offset.
    """
    if time is None:
        return None
    if time.tzinfo is None:
        raise ValueError(f"the time {time.isoformat()} has no offset: give it a timezone")
    stamp = Timestamp()
    stamp.FromDatetime(time)
    return stamp


def _given(text: str | UnsetType) -> str | None:
    """Give a text that was given, None for one that was left out."""
    return None if isinstance(text, UnsetType) else text


def _json(value: object) -> str:
    """Give a field's value as it is sent; None clears."""
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _link(name: str, link: str | Link) -> types_pb2.Link:
    """Give a link as it is sent; a text is the id at its other end."""
    if isinstance(link, str):
        return types_pb2.Link(name=name, to=link)
    state = types_pb2.LinkState.Value(f"LINK_STATE_{link.state.upper()}")
    return types_pb2.Link(name=name, to=link.to, state=state, optional=link.optional, note=link.note)
