"""A record as validity holds it between writes, and the fold of its changes."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import RecordChange, RecordPart, Upstream
from stanchion_contracts.heads import plain_text
from stanchion_contracts.record import Citation, Link
from stanchion_core.vocabulary import STATUS, Vocabulary

FIELD: Final = "field:"
LINK: Final = "link:"
Key = tuple[str, str, str]
"""A link: from, name, to."""

_PLAIN_PARTS: Final = ("label", "tags", "valid_from", "valid_to")


class Held(Struct, frozen=True, kw_only=True):
    """What the next write of a record is decided on.

    Attributes:
        id: of the record.
        kind: of the record.
        room: of the record.
        version: that stands.
        deleted: it is a tombstone.
        label: of the version.
        body_digest: SHA-256 of the body in UTF-8, empty for no body.
        fields: JSON texts by name, those that are set; never changed in place.
        links: in vocabulary order, then by position.
        evidence: the citations of this version.
        resting: the last explicit list, which validity rests on.
        tags: of the version.
        valid_from: empty is not set.
        valid_to: empty is not set.
        upstream: where it is imported from, None for a record written here.
        person_set: the parts a person set: `label`, `body`, `evidence`, `tags`, `valid_from`, `valid_to`,
            `field:<name>`, `link:<name>`.
    """

    id: str
    kind: str
    room: str = ""
    version: int = 0
    deleted: bool = False
    label: str = ""
    body_digest: bytes = b""
    fields: Mapping[str, str] = {}
    links: tuple[Link, ...] = ()
    evidence: tuple[Citation, ...] = ()
    resting: tuple[Citation, ...] = ()
    tags: tuple[str, ...] = ()
    valid_from: str = ""
    valid_to: str = ""
    upstream: Upstream | None = None
    person_set: frozenset[str] = frozenset()

    @property
    def status(self) -> str:
        """The plain word of its status, empty for a kind without one."""
        return plain_text(self.fields.get(STATUS, ""))


def in_force(vocabulary: Vocabulary, held: Held | None) -> bool:
    """Tell whether a record exists, is not deleted, and is in a status that is in force."""
    return held is not None and not held.deleted and vocabulary.in_force(held.kind, held.status)


def links_of(held: Held, name: str) -> tuple[Link, ...]:
    """Give a record's links of one name, by position."""
    return tuple(link for link in held.links if link.name == name)


def ordered(vocabulary: Vocabulary, links: Iterable[Link]) -> tuple[Link, ...]:
    """Give links in vocabulary order, those of one name as they come."""
    return tuple(sorted(links, key=lambda link: vocabulary.place(link.name)))


def fold_record(vocabulary: Vocabulary, old: Held | None, change: RecordChange, *, deleted: bool, person: bool) -> Held:
    """Give a record after one change.

    Args:
        vocabulary: of the workspace.
        old: before the change; None for a new record. A record that comes back after a deletion starts afresh.
        change: what happened to it.
        deleted: it became a tombstone.
        person: it counts as a person's write.
    """
    before = (
        old if old is not None and change.before is not None else Held(id=change.id, kind=change.kind, room=change.room)
    )
    part = change.after
    plain = {name: getattr(part, name) for name in _PLAIN_PARTS if getattr(part, name) is not None}
    evidence = before.evidence if part.evidence is None else part.evidence
    return msgspec.structs.replace(
        before,
        version=change.version,
        deleted=deleted,
        body_digest=body_digest(part.body) if part.body is not None else before.body_digest,
        fields=_fields(before, part),
        links=_links(vocabulary, before, part),
        evidence=evidence,
        resting=evidence if change.evidence_explicit else before.resting,
        upstream=before.upstream if part.upstream is None else part.upstream,
        person_set=before.person_set | set_parts(vocabulary, change) if person else before.person_set,
        **plain,
    )


def set_parts(vocabulary: Vocabulary, change: RecordChange) -> frozenset[str]:
    """Name the parts that a change set; the status evidence may take over a hypothesis with is not among them."""
    part = change.after
    names = {name for name in (*_PLAIN_PARTS, "body") if getattr(part, name) is not None}
    names |= {"evidence"} if change.evidence_explicit and part.evidence is not None else set()
    names |= {FIELD + field.name for field in part.fields} | {LINK + name for name in part.link_names}
    kind = vocabulary.kinds.get(change.kind)  # a tombstone's may be gone
    by_evidence = kind.by_evidence if kind is not None else None
    if change.before is None and by_evidence is not None:
        opened = {field.name: field.value for field in part.fields}.get(STATUS, "")
        names -= {FIELD + STATUS} if plain_text(opened) == by_evidence.open else set()
    return frozenset(names)


def body_digest(body: str) -> bytes:
    """Give the SHA-256 of a body in UTF-8, empty for an empty body."""
    return hashlib.sha256(body.encode()).digest() if body else b""


def _fields(before: Held, part: RecordPart) -> Mapping[str, str]:
    """Give the fields after a change."""
    if not part.fields:
        return before.fields
    fields = {**before.fields, **{field.name: field.value for field in part.fields}}
    return {name: value for name, value in sorted(fields.items()) if value}


def _links(vocabulary: Vocabulary, before: Held, part: RecordPart) -> tuple[Link, ...]:
    """Give the links after a change."""
    if not part.link_names:
        return before.links
    kept = [link for link in before.links if link.name not in part.link_names]
    return ordered(vocabulary, (*kept, *part.links))
