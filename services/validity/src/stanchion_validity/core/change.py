"""A draft as a change: what it moved, whether somebody stood behind it, and its sentence."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Action, Change, Move, RecordChange, RecordPart
from stanchion_contracts.heads import plain_text
from stanchion_contracts.meta import OURSELVES, Actor
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_core.vocabulary import STATUS, Vocabulary
from stanchion_validity.core.draft import Draft, changed_parts
from stanchion_validity.core.held import FIELD, LINK, Held

STANCHION: Final = Actor(kind="system", id=OURSELVES)
"""Whose a change is that nobody asked for: a status that evidence set, a link that another text stated."""


def named(actor: Actor) -> Actor:
    """Give an actor by name: what the token allowed says nothing later on."""
    return msgspec.structs.replace(actor, capabilities=())


class Author(Struct, frozen=True, kw_only=True):
    """Whose write it is.

    Attributes:
        person: it counts as a person's write.
        by: whose, where that is not the message's actor.
        proposal_id: the proposal that a person publishes with it, empty for none: they stand behind what it becomes.
    """

    person: bool
    by: Actor | None = None
    proposal_id: str = ""


def change_of(vocabulary: Vocabulary, draft: Draft, seq: int, author: Author, *, confirmed: bool) -> Change:
    """Give the change that a draft makes.

    Args:
        vocabulary: of the workspace.
        draft: that changes something.
        seq: of the change.
        author: whose write it is.
        confirmed: a person stood behind the record before it.
    """
    moves = moves_of(vocabulary, draft)
    parts = changed_parts(draft)
    says = not draft.after.deleted and _says(vocabulary, draft, parts)
    approved = bool(author.proposal_id) and not draft.after.deleted
    written = (
        author.person and not draft.after.deleted and (draft.before is None or says or bool(_citations_moved(draft)))
    )
    record = RecordChange(
        id=draft.id,
        kind=draft.after.kind,
        room=draft.after.room,
        version=draft.after.version,
        before=_part_before(draft, parts),
        after=_part_after(draft, parts),
        evidence_explicit=draft.explicit,
        moves=moves,
        baseline=draft.before is None or approved or (author.person and _grounds_changed(vocabulary, draft, parts)),
        confirmation="given" if written or approved else "dropped" if says and confirmed else "kept",
        by=author.by,
        proposal_id=author.proposal_id,
    )
    return Change(
        seq=seq,
        action=_action(draft),
        subject_kind=draft.after.kind,
        subject_id=draft.id,
        room=draft.after.room,
        reason=reason_of(draft, parts),
        record=record,
    )


def moves_of(vocabulary: Vocabulary, draft: Draft) -> tuple[Move, ...]:
    """Give what moved: a new record is no move, and neither is a link that a text stated long ago."""
    old, new = draft.before, draft.after
    if old is None:
        return ()
    if new.deleted:
        return (Move(kind="deleted"),)
    moves = [] if old.body_digest == new.body_digest else [Move(kind="body")]
    moves += _field_moves(vocabulary, old, new)
    moves += [Move(kind="link", name=name, to=to) for name, to in _grounds_moved(vocabulary, draft)]
    moves += [Move(kind="citation", name=uri) for uri in _citations_moved(draft)]
    return tuple(moves)


def reason_of(draft: Draft, parts: frozenset[str]) -> str:
    """Say in a sentence what happened to the record."""
    old, new = draft.before, draft.after
    label = f" “{new.label}”" if new.label else ""
    if new.deleted:
        return f"{new.kind} {new.id}{label} deleted"
    if old is None:
        status = f", {new.status}" if new.status else ""
        return f"{new.kind} {new.id}{label} created{status}"
    said = [f"status {old.status} → {new.status}"] if FIELD + STATUS in parts else []
    others = sorted(part.removeprefix(FIELD).removeprefix(LINK) for part in parts - {FIELD + STATUS})
    said += [f"{', '.join(others)} changed"] if others else []
    if not said:
        said = ["moved upstream" if _moved_upstream(draft) else "references resolved anew"]
    return f"{new.kind} {new.id}{label}: {'; '.join(said)}"


def _action(draft: Draft) -> Action:
    """Name what happened."""
    if draft.after.deleted:
        return "record.deleted"
    if draft.before is None:
        return "record.created"
    renamed = draft.before.version == draft.after.version and _moved_upstream(draft)
    return "record.renamed" if renamed else "record.written"


def _moved_upstream(draft: Draft) -> bool:
    """Tell whether the document that the record comes from lives elsewhere now."""
    old, new = draft.before.upstream if draft.before else None, draft.after.upstream
    return old is not None and new is not None and old.uri != new.uri


def _grounds(vocabulary: Vocabulary, held: Held) -> dict[tuple[str, str], None]:
    """Give the confirmed links that a record rests on."""
    resting = (link for link in held.links if link.state == "confirmed" and vocabulary.links[link.name].rests)
    return {(link.name, link.to): None for link in resting}


def _grounds_moved(vocabulary: Vocabulary, draft: Draft) -> list[tuple[str, str]]:
    """Give the links that a record newly rests on, then those it rests on no more."""
    if draft.before is None or draft.before.links == draft.after.links:
        return []
    before, after = _grounds(vocabulary, draft.before), _grounds(vocabulary, draft.after)
    added = [link for link in after if link not in before and link not in draft.stated]
    return added + [link for link in before if link not in after and link not in draft.stated]


def _citations_moved(draft: Draft) -> tuple[str, ...]:
    """Give the sources of which a citation was added, changed or dropped; another order of the same ones is neither."""
    if draft.before is None or not draft.explicit:
        return ()
    before, after = draft.before.resting, draft.after.resting
    differ = set(before) ^ set(after)
    return tuple(dict.fromkeys(citation.uri for citation in (*after, *before) if citation in differ))


def _field_moves(vocabulary: Vocabulary, old: Held, new: Held) -> list[Move]:
    """Give the monitored fields that changed."""
    if old.fields == new.fields:
        return []
    return [
        Move(kind="field", name=field.name, to=after)
        for field in vocabulary.kinds[new.kind].fields.values()
        if field.monitored
        for before, after in [(_plain(old.fields, field.name), _plain(new.fields, field.name))]
        if field.moved(before, after)
    ]


def _plain(fields: Mapping[str, str], name: str) -> str:
    """Give a field's plain text."""
    return plain_text(fields.get(name, ""))


def _grounds_changed(vocabulary: Vocabulary, draft: Draft, parts: frozenset[str]) -> bool:
    """Tell whether a write changed the body or what the record rests on."""
    return "body" in parts or bool(_citations_moved(draft)) or bool(_grounds_moved(vocabulary, draft))


def _says(vocabulary: Vocabulary, draft: Draft, parts: frozenset[str]) -> bool:
    """Tell whether a draft changes what the record says: its body, a link it rests on, a monitored field.

    A change of a monitored field counts though it be no move: who stood behind `open` has not said `supported`.
    """
    fields = vocabulary.kinds[draft.after.kind].fields.values()
    monitored = any(FIELD + field.name in parts for field in fields if field.monitored)
    return monitored or "body" in parts or bool(_grounds_moved(vocabulary, draft))


def _part_before(draft: Draft, parts: frozenset[str]) -> RecordPart | None:
    """Give the changed parts as they were."""
    old = draft.before
    if old is None:
        return None
    return RecordPart(
        label=old.label if "label" in parts else None,
        body_digest=old.body_digest if "body" in parts else b"",
        fields=_fields(old, parts),
        links=_links(old, parts),
        link_names=_link_names(parts),
        evidence=_evidence(draft, old),
        tags=old.tags if "tags" in parts else None,
        valid_from=old.valid_from if "valid_from" in parts else None,
        valid_to=old.valid_to if "valid_to" in parts else None,
        upstream=old.upstream if old.upstream != draft.after.upstream else None,
    )


def _part_after(draft: Draft, parts: frozenset[str]) -> RecordPart:
    """Give the changed parts as they are; of a new record all that it has."""
    new, old = draft.after, draft.before
    return RecordPart(
        label=new.label if "label" in parts else None,
        body=draft.body,
        fields=_fields(new, parts),
        links=_links(new, parts),
        link_names=_link_names(parts),
        evidence=_evidence(draft, new),
        tags=new.tags if "tags" in parts else None,
        valid_from=new.valid_from if "valid_from" in parts else None,
        valid_to=new.valid_to if "valid_to" in parts else None,
        upstream=new.upstream if old is None or old.upstream != new.upstream else None,
    )


def _evidence(draft: Draft, side: Held) -> tuple[Citation, ...] | None:
    """Give one side's citations where the version's list or the list it rests on changes.

    An explicit list that differs from the one rested on must stand in the change, though the version's list be equal.
    """
    old, new = draft.before, draft.after
    if old is None:
        return side.evidence if draft.explicit else None
    changed = old.evidence != new.evidence or (draft.explicit and old.resting != new.resting)
    return side.evidence if changed else None


def _fields(side: Held, parts: frozenset[str]) -> tuple[FieldValue, ...]:
    """Give one side's changed fields; a field that is not set is empty."""
    names = sorted(part.removeprefix(FIELD) for part in parts if part.startswith(FIELD))
    return tuple(FieldValue(name=name, value=side.fields.get(name, "")) for name in names)


def _link_names(parts: frozenset[str]) -> tuple[str, ...]:
    """Give the names of links that changed."""
    return tuple(sorted(part.removeprefix(LINK) for part in parts if part.startswith(LINK)))


def _links(side: Held, parts: frozenset[str]) -> tuple[Link, ...]:
    """Give one side's links of the names that changed."""
    return tuple(link for link in side.links if LINK + link.name in parts)
