"""A record's card: everything a read says of it but its body and whether it still holds."""

from msgspec import Struct
from msgspec.structs import replace

from stanchion_contracts.change import RecordChange, RecordPart, Upstream
from stanchion_contracts.ledger import Entry
from stanchion_contracts.meta import Actor
from stanchion_contracts.record import Citation, FieldValue, Link


class Card(Struct, frozen=True, kw_only=True):
    """A record as it stands at one version.

    Attributes:
        id: of the record.
        kind: of the record.
        room: where it is, empty for the workspace's root.
        label: says what the record says.
        fields: sorted by name; only those that are set.
        links: as written.
        evidence: the version's own citations.
        tags: in the writer's order.
        valid_from: empty is not set.
        valid_to: empty is not set.
        upstream: where an imported record comes from.
        version: from 1.
        body_seq: of the change that brought the body that stands, or the record where none ever did.
        body_at_us: when that was recorded.
        deleted: it is a tombstone.
        seq: of the last change of the record.
        written_at_us: when that was recorded.
        written_by: who wrote it.
        origin: the observation or command it came from.
    """

    id: str
    kind: str
    room: str = ""
    label: str = ""
    fields: tuple[FieldValue, ...] = ()
    links: tuple[Link, ...] = ()
    evidence: tuple[Citation, ...] = ()
    tags: tuple[str, ...] = ()
    valid_from: str = ""
    valid_to: str = ""
    upstream: Upstream | None = None
    version: int = 0
    body_seq: int = 0
    body_at_us: int = 0
    deleted: bool = False
    seq: int = 0
    written_at_us: int = 0
    written_by: Actor
    origin: str = ""


def written(before: Card | None, entry: Entry, change: RecordChange) -> Card:
    """Give the card after a record was created, written, renamed or deleted.

    Args:
        before: the card so far, None for a new record. One that comes back after a deletion starts afresh.
        entry: of the change.
        change: what happened.
    """
    actor = change.by or actor_of(entry)
    fresh = Card(id=change.id, kind=change.kind, written_by=actor)
    card = _merge(fresh if before is None or change.before is None else before, change.after)
    brought = change.after.body is not None or not card.body_seq
    return replace(
        card,
        kind=change.kind,
        room=change.room,
        version=change.version,
        body_seq=entry.seq if brought else card.body_seq,
        body_at_us=entry.recorded_at_us if brought else card.body_at_us,
        deleted=entry.action == "record.deleted",
        seq=entry.seq,
        written_at_us=entry.recorded_at_us,
        written_by=actor,
        origin=entry.origin,
    )


def actor_of(entry: Entry) -> Actor:
    """Give who acted."""
    return Actor(kind=entry.actor_kind, id=entry.actor_id, on_behalf_of=entry.on_behalf_of)


def _merge(card: Card, part: RecordPart) -> Card:
    """Put the changed parts in; what is absent stays."""
    changed: dict[str, object] = {
        name: value
        for name, value in (
            ("label", part.label),
            ("evidence", part.evidence),
            ("tags", part.tags),
            ("valid_from", part.valid_from),
            ("valid_to", part.valid_to),
            ("upstream", part.upstream),
        )
        if value is not None
    }
    if part.fields:
        fields = {field.name: field for field in (*card.fields, *part.fields)}
        changed["fields"] = tuple(sorted(field for field in fields.values() if field.value))
    if part.link_names:
        kept = (link for link in card.links if link.name not in part.link_names)
        changed["links"] = (*kept, *part.links)
    return replace(card, **changed)
