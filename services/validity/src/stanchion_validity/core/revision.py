"""What one document revision changes of its record: only what its text changed, as far as the kind holds it."""

from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Imported, Upstream
from stanchion_contracts.claim import Import
from stanchion_contracts.command import Write
from stanchion_contracts.record import FieldValue
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import BODY_BYTES, LABEL_CHARS
from stanchion_core.vocabulary import STATUS, Kind
from stanchion_validity.core.field_value import checked_value
from stanchion_validity.core.held import Held, body_digest
from stanchion_validity.core.outcome import Outcome

UPSTREAM_STATUS: Final = "upstream_status"
"""The field an import gives the text's own word in; it is kept with where the record comes from."""

_FORMER: Final = 64
"""How many places a document left are told with its record, the latest ones; all of them are known."""


class Known(Struct, frozen=True, kw_only=True):
    """What is known of a document before this revision.

    Attributes:
        record_id: the record it is, or will be.
        held: the record as it stands, None for a new one.
        imported: its last revision, None for a new one.
    """

    record_id: str
    held: Held | None
    imported: Imported | None


def placed_of(kind: Kind, revision: Import) -> tuple[tuple[FieldValue, ...], tuple[str, ...]]:
    """Give the fields that the kind has and that hold what they may, and a sentence for each of the others."""
    placed, unplaced = [], []
    for item in revision.fields:
        if item.name == UPSTREAM_STATUS:
            placed.append(item)
            continue
        declared = kind.fields.get(item.name)
        if declared is None:
            unplaced.append(f"{item.name}: a {kind.name} has no such field")
            continue
        try:
            placed.append(FieldValue(name=item.name, value=checked_value(declared, item.value)))
        except InvalidMessage as error:
            unplaced.append(f"{item.name}: {error.detail}")
    return tuple(sorted(placed)), tuple(unplaced)


def write_of(
    outcome: Outcome, revision: Import, known: Known, kind: Kind, placed: tuple[FieldValue, ...]
) -> Write | None:
    """Give what the text changed since its previous revision; None where people here deleted the record.

    What it said in a field that the vocabulary has no more is nothing to clear.
    """
    held, before = known.held, known.imported
    if revision.deleted:
        live = held is not None and not held.deleted
        news = before is not None and not before.deleted
        return Write(id=known.record_id, delete=True) if live and news else None
    fresh = held is None or before is None or (held.deleted and before.deleted)
    if held is not None and held.deleted and not fresh:
        return None
    if fresh:
        before = None
    fields = {item.name: item.value for item in placed if item.name != UPSTREAM_STATUS}
    old = {item.name: item.value for item in before.fields if item.name != UPSTREAM_STATUS} if before else {}
    changed = {
        name: fields.get(name, "")
        for name in sorted(fields.keys() | old.keys())
        if fields.get(name) != old.get(name) and name in kind.fields
    }
    if changed.get(STATUS) == "":
        del changed[STATUS]  # a text that has lost its status line says nothing about it
    return Write(
        id=known.record_id,
        kind=revision.kind if fresh else "",
        room=outcome.meta.room if fresh else "",
        label=revision.label[:LABEL_CHARS] if before is None or before.label != revision.label else None,
        body=_body(revision, before),
        fields=tuple(FieldValue(name=name, value=value) for name, value in changed.items()),
    )


def _body(revision: Import, before: Imported | None) -> str | None:
    """Give the body where it changed and is not too large."""
    same = before is not None and before.body_digest == body_digest(revision.body)
    return None if same or revision.unreadable or len(revision.body.encode()) > BODY_BYTES else revision.body


def upstream_of(revision: Import, known: Known, left_out: tuple[str, ...]) -> Upstream:
    """Give where the record comes from now; references that find nothing are added when they have been tried."""
    held, imported = known.held, known.imported
    old = held.upstream if held is not None and held.upstream is not None else Upstream(uri=revision.uri)
    left = [imported.uri if imported else "", revision.former_uri]
    former = [uri for uri in dict.fromkeys([*old.former_uris, *left]) if uri not in {"", revision.uri}]
    word = {item.name: item.value for item in revision.fields}.get(UPSTREAM_STATUS, "")
    if revision.deleted:
        return msgspec.structs.replace(old, deleted=True, revision=revision.revision or old.revision, unresolved=())
    large = len(revision.body.encode()) > BODY_BYTES
    size = (f"body: larger than {BODY_BYTES} bytes",) if large else ()
    return Upstream(
        uri=revision.uri,
        former_uris=tuple(former[-_FORMER:]),
        revision=revision.revision,
        status=str(msgspec.json.decode(word)) if word else "",
        left_out=(*left_out, *size),
    )
