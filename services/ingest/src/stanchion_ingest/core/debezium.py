"""Change events of databases as Debezium writes them, as events of ours.

The envelope is Debezium's (`op`, `before`, `after`, `source`), with or without the `schema` / `payload` pair around it.
Facts of the connector's own run (its clock, a transaction's running number) are left out, so that a change which a
restarted connector sends again is the same event.
"""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.observation import InboxEvent
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_ingest.core.json import canonical, read
from stanchion_ingest.core.moment import from_ms

_WORDS: Final = {"c": "created", "u": "updated", "d": "deleted", "r": "read", "t": "truncated", "m": "message"}
_HEX_DIGITS: Final = 32
_NOTHING: Final = msgspec.Raw(b"null")


class _Source(Struct, frozen=True, kw_only=True):
    """Where in a database's log a change stands; connectors fill different members."""

    connector: str
    name: str
    db: str | None = None
    schema: str | None = None
    table: str | None = None
    collection: str | None = None
    ts_ms: int | None = None
    lsn: int | str | None = None
    file: str | None = None
    pos: int | None = None
    row: int | None = None
    gtid: str | None = None
    scn: str | int | None = None
    commit_lsn: str | None = None
    change_lsn: str | None = None
    event_serial_no: int | None = None
    ord: int | None = None


class Change(Struct, frozen=True, kw_only=True):
    """One change event, without what the connector adds of itself."""

    op: Literal["c", "u", "d", "r", "t", "m"]
    source: _Source
    before: msgspec.Raw = _NOTHING
    after: msgspec.Raw = _NOTHING


_CHANGE: Final = msgspec.json.Decoder(Change)
_POSITION: Final = (
    "lsn", "file", "pos", "row", "gtid", "scn", "commit_lsn", "change_lsn", "event_serial_no", "ord"
)  # fmt: skip


def change_event(payload: bytes, workspace: str, room: str) -> InboxEvent:
    """Give a change event in CloudEvents' terms.

    `source` is `/debezium/<connector>/<name>`, `type` is `debezium.<schema or db>.<table>.<word>` (created, updated,
    deleted, read, truncated), `time` the database's, `id` the position in the database's log with a digest of the row,
    since the rows of one snapshot or statement may share a position.

    Args:
        payload: the envelope, JSON.
        workspace: from the Kafka headers.
        room: likewise.

    Raises:
        InvalidMessage: `UNREADABLE` or `FIELD_VALUE`.
    """
    change = read(payload, _CHANGE, "change event")
    source = change.source
    before, after = canonical(bytes(change.before), "before"), canonical(bytes(change.after), "after")
    place = [part for part in (source.schema or source.db, source.table or source.collection) if part]
    if not place:
        raise InvalidMessage(FIELD_VALUE, "change event names neither table nor collection in its source")
    position = [f"{name}={value}" for name in _POSITION if (value := getattr(source, name)) is not None]
    head = b'{"after":' + after + b',"before":' + before + b',"op":"' + change.op.encode() + b'","position":'
    return InboxEvent(
        id=_event_id(place, position, change.op, before + after),
        source=f"/debezium/{source.connector}/{source.name}",
        type=".".join(["debezium", *place, _WORDS[change.op]]),
        time="" if source.ts_ms is None else from_ms(source.ts_ms, "source.ts_ms"),
        workspace=workspace,
        room=room,
        data=head
        + msgspec.json.encode(",".join(position))
        + b',"table":'
        + msgspec.json.encode(".".join(place))
        + b"}",
    )


def _event_id(place: list[str], position: list[str], op: str, row: bytes) -> str:
    """Give the id of the change at a position, the same whenever it is sent again, of bounded length."""
    at = content_digest(part.encode() for part in (*place, "", *position)).hex()[:_HEX_DIGITS]
    return f"{op}:{at}:{content_digest((row,)).hex()[:_HEX_DIGITS]}"
