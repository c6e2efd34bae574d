"""One write: checked as it stands, and merged into the record it is for."""

import msgspec

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.record import Citation, Link
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import FIELD_VALUE, TOO_MANY, InvalidMessage
from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import (
    BODY_BYTES,
    CITATIONS,
    FIELDS,
    LABEL_CHARS,
    LINKS,
    NAME_CHARS,
    QUOTE_CHARS,
    TAGS,
    URI_CHARS,
)
from stanchion_core.text import canonical_json, clean
from stanchion_core.vocabulary import STATUS, Kind, Vocabulary
from stanchion_validity.core.draft import Draft, changed_parts
from stanchion_validity.core.field_value import checked_moment, checked_value
from stanchion_validity.core.held import Held, body_digest, ordered
from stanchion_validity.core.refused import Refused, refusal_of
from stanchion_validity.core.report import TOKEN_CHARS


def draft_of(
    vocabulary: Vocabulary, write: Write, held: Held | None, *, keep_evidence: bool = False
) -> Draft | Refusal | None:
    """Merge a write into its record; None when it changes nothing.

    Args:
        vocabulary: of the workspace.
        write: what is present replaces.
        held: the record as it stands, None for one that was never written.
        keep_evidence: silence about evidence keeps the citations (imports, statuses that evidence sets).
    """
    try:
        return _delete(write, held) if write.delete else _merge(vocabulary, write, held, keep_evidence=keep_evidence)
    except InvalidMessage as error:
        return refusal_of(error, write.id)


def _delete(write: Write, held: Held | None) -> Draft | None:
    """Make a tombstone.

    Raises:
        Refused: there is no such record, another part is present, or the version is another.
    """
    if write != Write(id=write.id, kind=write.kind, room=write.room, delete=True, if_match=write.if_match):
        raise Refused(FIELD_VALUE, f"a delete of {write.id} carries nothing else", "delete")
    if held is None:
        raise Refused("NOT_FOUND", f"there is no record {write.id} to delete")
    _match(write, held)
    if held.deleted:
        return None
    after = msgspec.structs.replace(held, deleted=True, version=held.version + 1)
    return Draft(before=held, after=after)


def _merge(vocabulary: Vocabulary, write: Write, held: Held | None, *, keep_evidence: bool) -> Draft | None:
    """Create or change a record.

    Raises:
        InvalidMessage: the write is wrong as it stands.
    """
    _match(write, held)
    before = held if held is not None and not held.deleted else None
    kind = _kind(vocabulary, write, before)
    old = before or _blank(write, kind, held)
    label = old.label if write.label is None else clean(write.label, "label", chars=LABEL_CHARS)
    body = None if write.body is None else clean(write.body, "body", utf8_bytes=BODY_BYTES)
    digest = old.body_digest if body is None else body_digest(body)
    evidence = None if write.evidence is None else _evidence(write.evidence)
    after = msgspec.structs.replace(
        old,
        label=label,
        body_digest=digest,
        fields=_fields(kind, write, old),
        links=_links(vocabulary, write, old),
        evidence=evidence if evidence is not None else old.evidence,
        resting=evidence if evidence is not None else old.resting,
        tags=old.tags if write.tags is None else _tags(write.tags),
        valid_from=old.valid_from if write.valid_from is None else checked_moment(write.valid_from, "valid_from"),
        valid_to=old.valid_to if write.valid_to is None else checked_moment(write.valid_to, "valid_to"),
        version=old.version + 1,
    )
    draft = Draft(
        before=before,
        after=after,
        body=body if body is not None and digest != old.body_digest else None,
        explicit=evidence is not None,
    )
    if before is not None and not changed_parts(draft):
        return None
    silent = evidence is None and not keep_evidence
    return msgspec.structs.replace(draft, after=msgspec.structs.replace(after, evidence=())) if silent else draft


def _match(write: Write, held: Held | None) -> None:
    """Check the version a write was based on.

    Raises:
        Refused: another version stands.
    """
    stands = held.version if held is not None else 0
    if write.if_match is not None and write.if_match != stands:
        detail = f"{write.id} stands at version {stands}, the write was based on {write.if_match}"
        raise Refused("VERSION_CONFLICT", detail, version=stands)


def _kind(vocabulary: Vocabulary, write: Write, before: Held | None) -> Kind:
    """Give the record's kind.

    Raises:
        Refused: a new record names none, an unknown one, or the record's kind or room is another.
    """
    if before is None:
        if RECORD_ID.fullmatch(write.id) is None:
            raise Refused(FIELD_VALUE, f"{write.id!r:.140} is no record id: {RECORD_ID.pattern}", "id")
        if not write.kind:
            raise Refused("UNKNOWN_KIND", f"there is no record {write.id}; to create it, name its kind", "kind")
        if write.kind not in vocabulary.kinds:
            known = ", ".join(vocabulary.kinds)
            raise Refused("UNKNOWN_KIND", f"the vocabulary has no kind {write.kind!r:.80}; it has {known}", "kind")
        return vocabulary.kinds[write.kind]
    for part, asked, stands in (("kind", write.kind, before.kind), ("room", write.room, before.room)):
        if asked and asked != stands:
            raise Refused(FIELD_VALUE, f"{write.id} has {part} {stands!r}, which a write cannot change", part)
    return vocabulary.kinds[before.kind]


def _blank(write: Write, kind: Kind, gone: Held | None) -> Held:
    """Give a record to begin with; one that comes back after a deletion goes on counting its versions."""
    room = clean(write.room, "room", chars=NAME_CHARS)
    version = gone.version if gone is not None else 0
    return Held(id=write.id, kind=kind.name, room=room, version=version)


def _fields(kind: Kind, write: Write, old: Held) -> dict[str, str]:
    """Merge the fields; a new record gets its kind's first status unless told.

    Raises:
        Refused: a field is unknown, stands twice, or holds what it may not.
    """
    if len(write.fields) > FIELDS:
        raise Refused(TOO_MANY, f"{len(write.fields)} fields; the limit is {FIELDS}", "fields")
    fields = dict(old.fields)
    named = set()
    for item in write.fields:
        declared = kind.fields.get(item.name)
        if declared is None:
            known = ", ".join(kind.fields)
            raise Refused("UNKNOWN_FIELD", f"a {kind.name} has no field {item.name!r:.80}; it has {known}", item.name)
        if item.name in named:
            raise Refused(FIELD_VALUE, f"field {item.name} stands twice", item.name)
        named.add(item.name)
        try:
            fields[item.name] = checked_value(declared, item.value)
        except InvalidMessage as error:
            raise Refused(error.code, error.detail, item.name) from error
    if kind.statuses and not fields.get(STATUS):
        if STATUS in named and old.fields.get(STATUS):
            raise Refused(FIELD_VALUE, f"{write.id} cannot be without a status", STATUS)
        fields[STATUS] = canonical_json(kind.initial)
    return {name: fields[name] for name in sorted(fields) if fields[name]}


def _links(vocabulary: Vocabulary, write: Write, old: Held) -> tuple[Link, ...]:
    """Replace the links of the names that are present.

    Raises:
        Refused: a name is unknown or stands twice, a link points to its own record, or there are too many.
    """
    if not write.links:
        return old.links
    names: dict[str, LinkSet] = {}
    for links in write.links:
        if links.name not in vocabulary.links:
            known = ", ".join(vocabulary.links)
            raise Refused("UNKNOWN_FIELD", f"the vocabulary has no link {links.name!r:.80}; it has {known}", links.name)
        if links.name in names:
            raise Refused(FIELD_VALUE, f"links {links.name} stand twice", links.name)
        names[links.name] = links
    replaced = [link for links in names.values() for link in _link_set(write.id, links)]
    kept = [link for link in old.links if link.name not in names]
    if len(kept) + len(replaced) > LINKS:
        raise Refused(TOO_MANY, f"{len(kept) + len(replaced)} links; the limit is {LINKS} a record", "links")
    return ordered(vocabulary, (*kept, *replaced))


def _link_set(record_id: str, links: LinkSet) -> tuple[Link, ...]:
    """Check the links of one name; of one target said twice the first counts.

    Raises:
        Refused: a link carries another name, points to its own record, or its note is too long.
    """
    checked: dict[str, Link] = {}
    for link in links.links:
        if link.name not in {"", links.name}:
            raise Refused(FIELD_VALUE, f"a link {link.name!r:.80} stands among {links.name}", links.name)
        if link.to == record_id:
            raise Refused("LINK_SELF", f"{record_id} cannot have a link {links.name} to itself", links.name)
        note = clean(link.note, f"note of {links.name}", chars=QUOTE_CHARS)
        checked.setdefault(link.to, msgspec.structs.replace(link, name=links.name, note=note))
    return tuple(checked.values())


def _evidence(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Check citations; one said twice counts once.

    Raises:
        Refused: there are too many, or one names no source.
    """
    if len(citations) > CITATIONS:
        raise Refused(TOO_MANY, f"{len(citations)} citations; the limit is {CITATIONS} a record", "evidence")
    if not all(citation.uri.strip() for citation in citations):
        raise Refused(FIELD_VALUE, "a citation names no source", "evidence")
    checked = (
        Citation(
            uri=clean(citation.uri.strip(), "uri of a citation", chars=URI_CHARS),
            quote=clean(citation.quote, "quote", chars=QUOTE_CHARS),
            version_token=clean(citation.version_token, "version_token", chars=TOKEN_CHARS),
        )
        for citation in citations
    )
    return tuple(dict.fromkeys(checked))


def _tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Check tags; one said twice counts once.

    Raises:
        Refused: there are too many.
    """
    if len(tags) > TAGS:
        raise Refused(TOO_MANY, f"{len(tags)} tags; the limit is {TAGS} a record", "tags")
    return tuple(dict.fromkeys(clean(tag, "tag", chars=NAME_CHARS) for tag in tags))
