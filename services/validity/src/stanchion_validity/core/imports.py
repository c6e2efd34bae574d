"""One document revision: what its text changed lands, what a rule refuses waits in a proposal, nothing is guessed."""

import hashlib
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Imported, Landed
from stanchion_contracts.claim import Import, LeftOut
from stanchion_contracts.meta import Actor
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Relation
from stanchion_core.ids import RECORD_ID
from stanchion_core.vocabulary import Kind
from stanchion_validity.core.batch import agents_guard
from stanchion_validity.core.change import Author
from stanchion_validity.core.held import Held, body_digest
from stanchion_validity.core.landing import Landing, Text, land
from stanchion_validity.core.loose_end import MOST_SETTLED
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.place import Move, Places, settled, tokens_of
from stanchion_validity.core.relation import settle_relations, sound
from stanchion_validity.core.revision import Known, placed_of, upstream_of, write_of
from stanchion_validity.core.statement import Texts
from stanchion_validity.core.workspace import Workspace

_CLIPPED: Final = 111  # leaves room for the digest in an id of 128


class Said(Struct, frozen=True, kw_only=True):
    """What a text says beside its record.

    Attributes:
        relations: that it states of it.
        left_out: what could not be taken, in sentences.
    """

    relations: tuple[Relation, ...] = ()
    left_out: tuple[str, ...] = ()


def import_revision(
    outcome: Outcome, revision: Import, relations: tuple[Relation, ...], left_out: tuple[LeftOut, ...]
) -> Refusal | None:
    """Decide one document revision: its changes and proposals into the outcome, or why nothing of it can land.

    Args:
        outcome: of this input.
        revision: as extraction read it.
        relations: of the same message; those without a beginning are the document's.
        left_out: what extraction could not place.
    """
    if _late(outcome.workspace, revision):
        outcome.left_out.append(f"{revision.uri} at {revision.revision or 'no revision'}: older than what stands")
        return None
    return _import(outcome, revision, relations, left_out)


def _import(
    outcome: Outcome, revision: Import, relations: tuple[Relation, ...], left_out: tuple[LeftOut, ...]
) -> Refusal | None:
    """Decide a revision that is not older than what stands."""
    known = _known(outcome, revision)
    if known.imported is None and revision.deleted:
        return None
    if revision.unreadable:
        known = _unread(outcome, revision, known)
        if known.imported is None:
            return None
        revision, relations = _as_it_was(revision, known.imported)
    kind = _admitted(outcome, revision, known)
    if isinstance(kind, Refusal):
        return kind
    other = _in_the_way(outcome, revision, known)
    if other is not None:
        _go(outcome, other, revision)
    stated, unsound = sound(relation for relation in relations if relation.from_entity is None)
    said = (*(f"{one.what}: {one.why}" for one in left_out), *unsound)
    refusal = _revise(outcome, revision, known, kind, Said(relations=stated, left_out=said))
    if refusal is not None:
        return refusal
    held = outcome.pending.record(known.record_id)
    if held is not None:
        outcome.landed.append(Landed(record_id=held.id, version=held.version))
    return None


def _unread(outcome: Outcome, revision: Import, known: Known) -> Known:
    """Find the document of which nothing can be read any more; one without a revision where it was no record before.

    Where another one lives already, that one stays as it was, and the one that came is gone.
    """
    lived = outcome.workspace.home.get(revision.former_uri or revision.uri)
    if known.imported is None or known.imported.deleted or lived != known.record_id:
        return msgspec.structs.replace(known, imported=None)
    other = _in_the_way(outcome, revision, known)
    if other is not None:
        _go(outcome, known, revision)
    return other or known


def _late(workspace: Workspace, revision: Import) -> bool:
    """Tell whether a revision is older than what lives, or last lived, where it says; not when its time is unknown."""
    for uri in (revision.former_uri, revision.uri):
        lives = workspace.home.get(uri)
        stands_us = workspace.left_us.get(uri, 0) if lives is None else workspace.imported[lives].revised_at_us
        if 0 < revision.revised_at_us < stands_us:
            return True
    return False


def _as_it_was(revision: Import, imported: Imported) -> tuple[Import, tuple[Relation, ...]]:
    """Give a revision of which nothing could be read as what was read before, at the place where the text is now."""
    as_it_was = msgspec.structs.replace(
        revision, label=imported.label, fields=imported.fields, references=imported.references
    )
    return as_it_was, imported.relations


def _admitted(outcome: Outcome, revision: Import, known: Known) -> Kind | Refusal:
    """Give the kind of a document's record, or say why no such text lands from whoever brings it."""
    kind = _kind(outcome, revision, known.held)
    if kind is None:
        detail = f"{revision.uri} maps to a kind that the vocabulary does not have: {revision.kind!r:.80}"
        return Refusal(reason="UNKNOWN_KIND", detail=detail, record_id=known.record_id, field="kind")
    guard = agents_guard(outcome, (kind.name,))
    if guard is not None:
        detail = f"{guard.reason}, and no document is proposed as it is: write its record"
        return Refusal(reason="NOT_A_PERSON", detail=detail, record_id=known.record_id)
    return kind


def _kind(outcome: Outcome, revision: Import, held: Held | None) -> Kind | None:
    """Give the kind of a document's record: its own while it lives, else what the text is mapped to.

    A document can go though the kind of its tombstone is not in the vocabulary any more.
    """
    name = held.kind if held is not None and not held.deleted else revision.kind
    known = outcome.vocabulary.kinds.get(name)
    return Kind(name=name, fields={}) if known is None and revision.deleted else known


def author_of(outcome: Outcome, revision: Import) -> Author:
    """Give whose write a revision is: its author's as a person where the mapping names one, else a service's.

    What an agent brings is the agent's, whomever it names: else it could put anybody behind what it writes.
    """
    actor = outcome.meta.actor
    if actor.kind == "agent":
        return Author(person=False)
    if revision.author:
        return Author(person=True, by=Actor(kind="person", id=revision.author))
    return Author(person=False, by=Actor(kind="service", id=actor.id) if actor.kind == "person" else None)


def _known(outcome: Outcome, revision: Import) -> Known:
    """Find the document, by where it lived or lives; or mint an id for a new one."""
    workspace = outcome.workspace
    for uri in (revision.former_uri, revision.uri):
        record_id = workspace.home.get(uri) if uri else None
        if record_id is not None:
            imported = workspace.imported[record_id]
            if uri == revision.uri or not imported.deleted:
                return Known(record_id=record_id, held=workspace.held.get(record_id), imported=imported)
    return Known(record_id=_minted(outcome, revision), held=None, imported=None)


def _minted(outcome: Outcome, revision: Import) -> str:
    """Give a new record's id: the mapping's own unless it is taken or malformed, then with a digest of the uri."""
    digest = hashlib.sha256(revision.uri.encode()).hexdigest()
    wanted = revision.record_id if RECORD_ID.fullmatch(revision.record_id) else "doc"
    names = (wanted, f"{wanted[:_CLIPPED]}-{digest[:8]}", f"{wanted[:_CLIPPED]}-{digest[:16]}")
    free = (name for name in names if name != "doc" and name not in outcome.workspace.held)
    return next(free, f"doc-{digest[:32]}")


def _in_the_way(outcome: Outcome, revision: Import, known: Known) -> Known | None:
    """Find the document that a renamed one takes the place of."""
    other = outcome.workspace.home.get(revision.uri)
    if other is None or other == known.record_id or outcome.workspace.imported[other].deleted:
        return None
    workspace = outcome.workspace
    return Known(record_id=other, held=workspace.held.get(other), imported=workspace.imported[other])


def _go(outcome: Outcome, known: Known, cause: Import) -> None:
    """Let a document go whose place another one takes."""
    imported = known.imported
    if imported is None or known.held is None:
        return
    gone = Import(
        uri=imported.uri,
        deleted=True,
        record_id=known.record_id,
        kind=known.held.kind,
        author=cause.author,
        revised_at_us=cause.revised_at_us,
    )
    kind = _kind(outcome, gone, known.held)
    if kind is not None:
        _revise(outcome, gone, known, kind, Said())


def _revise(outcome: Outcome, revision: Import, known: Known, kind: Kind, said: Said) -> Refusal | None:
    """Land one revision of one document."""
    imported = known.imported
    was = imported.uri if imported is not None and not imported.deleted else ""
    before = Places(workspace=outcome.workspace)
    were = imported.names if imported is not None and was else ()
    now, names = ("", ()) if revision.deleted else (revision.uri, revision.names)
    move = Move(record_id=known.record_id, was=was, now=now, were=were, names=names)
    after = Places(workspace=outcome.workspace, move=move, written=frozenset({known.record_id}))
    references = settled(after, imported.references if imported else (), revision.references)
    texts = Texts(before=before, after=after, record_id=known.record_id, references=references)
    placed, unplaced = placed_of(kind, revision)
    remembered = Imported(
        uri=revision.uri,
        former_uri=was if was != revision.uri else revision.former_uri,
        record_id=known.record_id,
        label=revision.label,
        body_digest=imported.body_digest if imported and revision.unreadable else body_digest(revision.body),
        fields=placed,
        references=references,
        relations=() if revision.deleted else said.relations,
        names=revision.names,
        deleted=revision.deleted,
        revised_at_us=max(revision.revised_at_us, imported.revised_at_us if imported else 0),
    )
    text = Text(
        write=write_of(outcome, revision, known, kind, placed),
        held=known.held,
        upstream=upstream_of(revision, known, (*said.left_out, *unplaced)),
    )
    landing = Landing(
        texts=texts,
        affected=_affected(outcome, known.record_id, (was, revision.uri, revision.former_uri), (*were, *names)),
        text=text,
        author=author_of(outcome, revision),
    )
    refusal = land(outcome, landing)
    if refusal is None:
        outcome.imported.append(remembered)
        held, stood = outcome.pending.record(known.record_id), imported.relations if imported is not None else ()
        settle_relations(outcome, known.record_id, held.room if held is not None else "", stood, remembered.relations)
    return refusal


def _affected(outcome: Outcome, record_id: str, uris: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Name the documents whose statements a revision may change: itself, and those that refer to where it is or was."""
    wanted = outcome.workspace.wanted
    tokens = tokens_of(uris, (record_id,), names)
    others = dict.fromkeys(doc for token in tokens for doc in wanted.get(token, ()) if doc != record_id)
    return (record_id, *islice(others, outcome.most(MOST_SETTLED)))
