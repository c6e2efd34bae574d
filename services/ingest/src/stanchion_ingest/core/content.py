"""What an event says: its content, screened, in the terms of an observation."""

from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.observation import Body, Document, Event, InboxEvent
from stanchion_contracts.value import Path
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, UNREADABLE, InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_core.limits import BODY_BYTES, ENCODED_BYTES, NAME_CHARS, URI_CHARS
from stanchion_core.text import clean, decode, required
from stanchion_ingest.core.json import canonical, read
from stanchion_ingest.core.moment import in_range, moment_us
from stanchion_ingest.core.relation import RELATIONS_STATED, event_relations

DOCUMENT_REVISED: Final = "stanchion.document.revised.v1"
"""The CloudEvents type of a document's revision; its data is that of `_Revision`."""


class Content(Struct, frozen=True, kw_only=True):
    """What one event or request says.

    Attributes:
        path: how it came.
        observed_at_us: microseconds since the epoch; the stamp where the publisher gave none.
        body: what was observed.
        digest: SHA-256 of what the publisher stated, stamps left out; tells a repeat from a reused id.
    """

    path: Path
    observed_at_us: int
    body: Body
    digest: bytes


class _Revision(Struct, frozen=True, kw_only=True):
    """Data of a document's revision, as upstream sends it; null is absent."""

    uri: str
    former_uri: str | None = None
    deleted: bool | None = None
    text: str | None = None
    revision: str | None = None
    author: str | None = None
    format: str | None = None
    revised_at: str | None = None


_REVISION: Final = msgspec.json.Decoder(_Revision)


class _Said(Struct, frozen=True, kw_only=True):
    """What an event's data comes to.

    Attributes:
        body: what was observed.
        encoded: the same as bytes, for the digest.
        path: how it came.
        revised_at: when, as the data itself says; empty where it does not.
    """

    body: Body
    encoded: bytes
    path: Path = "system-event"
    revised_at: str = ""


def event_content(event: InboxEvent, room: str, received_at_us: int) -> Content:
    """Screen what an event says.

    Args:
        event: whose type, subject, time and data are screened here, the rest by the caller.
        room: where it belongs; an id that moves to another room is another event.
        received_at_us: the stamp.

    Raises:
        InvalidMessage: `UNREADABLE`, `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    kind = required(event.type, "type", chars=NAME_CHARS)
    subject = clean(event.subject, "subject", chars=URI_CHARS)
    stated_us = in_range(moment_us(event.time, "time"), received_at_us, "time") if event.time else None
    said = _said(kind, subject, _json_data(event))
    if said.revised_at:
        stated_us = in_range(moment_us(said.revised_at, "revised_at"), received_at_us, "revised_at")
    return Content(
        path=said.path,
        observed_at_us=received_at_us if stated_us is None else stated_us,
        body=said.body,
        digest=content_digest((
            room.encode(),
            kind.encode(),
            subject.encode(),
            b"" if stated_us is None else b"%d" % stated_us,
            said.encoded,
        )),
    )


def _said(kind: str, subject: str, data: bytes) -> _Said:
    """Screen an event's data by its type.

    Raises:
        InvalidMessage: as `event_content`.
    """
    if kind == DOCUMENT_REVISED:
        revision = read(data, _REVISION, "data")
        document = _document(revision)
        return _Said(
            body=Body(document=document),
            encoded=msgspec.json.encode(document),
            path="document-revision",
            revised_at=revision.revised_at or "",
        )
    if kind == RELATIONS_STATED:
        relations = event_relations(data)
        return _Said(body=Body(relations=relations), encoded=msgspec.json.encode(relations))
    if len(data) + len(subject) > ENCODED_BYTES - 16 * 1024:  # the rest of an observation fits what is left
        raise InvalidMessage(TOO_LARGE, f"data has {len(data)} bytes; the limit is {ENCODED_BYTES} encoded", "data")
    return _Said(body=Body(event=Event(type=kind, subject=subject, data=data)), encoded=data)


def _document(revision: _Revision) -> Document:
    """Give the revision as it is kept.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`, the field named.
    """
    deleted = bool(revision.deleted)
    if revision.text is None and not deleted:
        raise InvalidMessage(FIELD_VALUE, "text is missing; a revision carries the whole text, or `deleted`", "text")
    return Document(
        uri=required(revision.uri, "uri", chars=URI_CHARS),
        former_uri=clean(revision.former_uri or "", "former_uri", chars=URI_CHARS),
        deleted=deleted,
        text="" if deleted else clean(revision.text or "", "text", utf8_bytes=BODY_BYTES),
        revision=clean(revision.revision or "", "revision", chars=NAME_CHARS),
        author=clean(revision.author or "", "author", chars=NAME_CHARS),
        format=clean(revision.format or "auto", "format", chars=NAME_CHARS),
    )


def _json_data(event: InboxEvent) -> bytes:
    """Give an event's data as canonical JSON: JSON as it is, text as a JSON string, nothing as null.

    Raises:
        InvalidMessage: `UNREADABLE` for other content types and for what is not of its type, else as `canonical`.
    """
    kind, _, parameters = event.content_type.partition(";")
    kind = kind.strip().lower()
    charset = parameters.lower().partition("charset=")[2].partition(";")[0].strip(' "')
    if charset not in {"", "utf-8", "utf8", "us-ascii", "ascii"}:
        raise InvalidMessage(UNREADABLE, f"charset {charset[:40]!r} is not read; send UTF-8", "content_type")
    if not event.data:
        return b"null"
    if kind in {"", "application/json", "text/json"} or kind.endswith("+json"):
        return canonical(event.data, "data")
    if kind.startswith("text/"):
        return msgspec.json.encode(decode(event.data, "data"))
    raise InvalidMessage(
        UNREADABLE, f"content type {kind[:80]!r} is not read; send JSON or text in UTF-8", "content_type"
    )
