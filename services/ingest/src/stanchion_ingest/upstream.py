"""One Kafka record of the inbox, whoever wrote it and however, as an event in CloudEvents' terms. Pure.

What is read, in the order in which it is told apart:

```
content-type application/cloudevents+json   CloudEvents 1.0, structured mode
headers ce_…                                CloudEvents 1.0, binary mode: the value is the data
value begins c3 01                          our own Avro: an InboxEvent in single-object encoding
header type                                 plain JSON, bare: the value is the data, headers say the rest
member specversion                          CloudEvents 1.0, structured mode, not announced
members op and source                       a Debezium change event, alone or as `payload` beside its `schema`
anything else                               plain JSON, object: id, source, type, subject, time, workspace, room, data
```

Kafka headers `workspace`, `room`, `event_id`, `source`, `type`, `subject` and `time` fill in what the format itself
leaves unsaid. An event that nobody gave an id is named after its first place on Kafka. Nothing is raised but
`InvalidMessage`.
"""

import base64
import binascii
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.observation import InboxEvent
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, UNREADABLE, InvalidMessage
from stanchion_core.limits import ENCODED_BYTES, EVENT_ID_CHARS
from stanchion_core.text import decode, required
from stanchion_ingest.core.debezium import change_event
from stanchion_ingest.core.json import read
from stanchion_ingest.core.name import publisher_name, room_name, workspace_name

Headers = dict[str, bytes]

EVENT_ID_HEADER: Final = "event_id"
"""The Kafka header that names an event whose format does not; a rerouted event carries its first place in it."""

_ABSENT: Final = msgspec.Raw(b"")
_HEADER_BYTES: Final = 4_096
_CLOUDEVENTS: Final = "application/cloudevents"
_JSON: Final = "application/json"


class _Members(Struct, frozen=True, kw_only=True):
    """What may stand in a JSON object that is an event; null is absent."""

    specversion: str | None = None
    id: str | None = None
    source: msgspec.Raw = _ABSENT
    type: str | None = None
    subject: str | None = None
    time: str | None = None
    workspace: str | None = None
    room: str | None = None
    datacontenttype: str | None = None
    data: msgspec.Raw = _ABSENT
    data_base64: str | None = None
    op: str | None = None
    schema: msgspec.Raw = _ABSENT
    payload: msgspec.Raw = _ABSENT


_MEMBERS: Final = msgspec.json.Decoder(_Members)
_TEXT: Final = msgspec.json.Decoder(str | None)


class Read(Struct, frozen=True, kw_only=True):
    """One record of the inbox, read.

    Attributes:
        event: workspace, room, source and id are screened; the rest is as it came.
        named: the publisher gave the event its id; otherwise it is the record's place.
    """

    event: InboxEvent
    named: bool


def read_inbox(value: bytes, headers: tuple[tuple[str, bytes], ...], place: str) -> Read:
    """Read one record of the inbox.

    Args:
        value: the record's value.
        headers: the record's headers; of a repeated name the last one counts, as in Kafka's own clients.
        place: `topic:partition:offset`, the id of an event that nobody gave one.

    Raises:
        InvalidMessage: `UNREADABLE`, `WORKSPACE_MISSING`, `FIELD_VALUE` or `TOO_LARGE`.
    """
    if len(value) > ENCODED_BYTES:
        raise InvalidMessage(TOO_LARGE, f"the record has {len(value)} bytes; the limit is {ENCODED_BYTES}")
    named = {name.lower(): content for name, content in headers}
    event = _event(value, named)
    given = event.id or _header(named, EVENT_ID_HEADER)
    return Read(
        event=InboxEvent(
            id=required(given, "id", chars=EVENT_ID_CHARS) if given else place,
            source=publisher_name(event.source, "source"),
            type=event.type or _header(named, "type"),
            subject=event.subject or _header(named, "subject"),
            time=event.time or _header(named, "time"),
            workspace=workspace_name(event.workspace or _header(named, "workspace")),
            room=room_name(event.room or _header(named, "room")),
            content_type=event.content_type,
            data=event.data,
        ),
        named=bool(given),
    )


def _event(value: bytes, headers: Headers) -> InboxEvent:
    """Tell the format and read it.

    Raises:
        InvalidMessage: as `read_inbox`.
    """
    content_type = _header(headers, "content-type").strip().lower()
    if content_type.startswith(_CLOUDEVENTS):
        return _announced(value, headers, content_type)
    if any(name.startswith("ce_") for name in headers):
        return _binary(value, headers, content_type)
    if value.startswith(codec.MARKER):
        return _own(value, headers)
    if not value:
        raise InvalidMessage(
            UNREADABLE, "the record is empty; tombstones say nothing here (Debezium: tombstones.on.delete=false)"
        )
    if "type" in headers:
        return InboxEvent(
            id="",
            source=_header(headers, "source"),
            type="",
            workspace="",
            content_type=content_type or _JSON,
            data=value,
        )
    return _object(value, headers, content_type)


def _announced(value: bytes, headers: Headers, content_type: str) -> InboxEvent:
    """Read what names itself a CloudEvent in structured mode.

    Raises:
        InvalidMessage: `UNREADABLE` for batches and other encodings than JSON.
    """
    kind = content_type.partition(";")[0].strip()
    if kind.startswith(f"{_CLOUDEVENTS}-batch"):
        raise InvalidMessage(
            UNREADABLE, "a batch of CloudEvents; Kafka's binding has one event a record: send them one by one"
        )
    if kind != f"{_CLOUDEVENTS}+json":
        raise InvalidMessage(UNREADABLE, f"{kind[:80]!r} is not read; send application/cloudevents+json or binary mode")
    members = read(value, _MEMBERS, "CloudEvent")
    return _structured(members, headers)


def _object(value: bytes, headers: Headers, content_type: str) -> InboxEvent:
    """Read a JSON object that says itself what it is.

    Raises:
        InvalidMessage: as `read_inbox`.
    """
    kind = content_type.partition(";")[0].strip()
    if kind not in {"", _JSON, "text/json"} and not kind.endswith("+json"):
        raise InvalidMessage(
            UNREADABLE, f"content type {kind[:80]!r} without header `type`; nothing says what happened"
        )
    members = read(value, _MEMBERS, "record")
    if members.specversion is not None:
        return _structured(members, headers)
    if members.op is not None and members.source:
        return change_event(value, "", "")
    if members.schema and members.payload and members.type is None:
        return change_event(bytes(members.payload), "", "")
    return _plain(members, headers)


def _structured(members: _Members, headers: Headers) -> InboxEvent:
    """Read a CloudEvent whose attributes and data are members of one object.

    Raises:
        InvalidMessage: as `read_inbox`.
    """
    _check_version(members.specversion or "")
    return _plain(members, headers)


def _plain(members: _Members, headers: Headers) -> InboxEvent:
    """Read members that are an event's.

    Raises:
        InvalidMessage: as `read_inbox`.
    """
    source = read(bytes(members.source), _TEXT, "source") if members.source else None
    data, content_type = bytes(members.data), _JSON
    if members.data_base64 is not None:
        if data:
            raise InvalidMessage(FIELD_VALUE, "both data and data_base64 are present; send one")
        data, content_type = _unpacked(members.data_base64), members.datacontenttype or _JSON
    return InboxEvent(
        id=members.id or "",
        source=source or _header(headers, "source"),
        type=members.type or "",
        subject=members.subject or "",
        time=members.time or "",
        workspace=members.workspace or "",
        room=members.room or "",
        content_type=content_type,
        data=data,
    )


def _binary(value: bytes, headers: Headers, content_type: str) -> InboxEvent:
    """Read a CloudEvent whose attributes are headers.

    Raises:
        InvalidMessage: as `read_inbox`.
    """
    _check_version(_header(headers, "ce_specversion"))
    return InboxEvent(
        id=_header(headers, "ce_id"),
        source=_header(headers, "ce_source"),
        type=_header(headers, "ce_type"),
        subject=_header(headers, "ce_subject"),
        time=_header(headers, "ce_time"),
        workspace=_header(headers, "ce_workspace"),
        room=_header(headers, "ce_room"),
        content_type=content_type or _JSON,
        data=value,
    )


def _own(value: bytes, headers: Headers) -> InboxEvent:
    """Read our own Avro.

    Raises:
        InvalidMessage: `UNREADABLE`.
    """
    event = codec.decode(value, InboxEvent)
    return event if event.source else msgspec.structs.replace(event, source=_header(headers, "source"))


def _check_version(version: str) -> None:
    """Refuse other versions of CloudEvents than 1.0.

    Raises:
        InvalidMessage: `UNREADABLE`.
    """
    if version != "1.0":
        raise InvalidMessage(UNREADABLE, f"CloudEvents specversion {version[:20]!r} is not read; send 1.0")


def _unpacked(text: str) -> bytes:
    """Give the bytes that Base64 stands for.

    Raises:
        InvalidMessage: `UNREADABLE`.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidMessage(UNREADABLE, f"data_base64 is not Base64: {error}") from error


def _header(headers: Headers, name: str) -> str:
    """Give a header's text, empty where there is none.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    content = headers.get(name)
    return decode(content, f"header {name}", utf8_bytes=_HEADER_BYTES) if content else ""
