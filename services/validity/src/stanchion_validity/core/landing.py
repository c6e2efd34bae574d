"""How what texts say lands: the record of the text, the links it and others state, and what waits for a person."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Upstream
from stanchion_contracts.command import Write
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.refusal import Refusal
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import STATUS
from stanchion_validity.core.batch import person_parts
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.draft import Draft, Pending
from stanchion_validity.core.held import FIELD, Held, Key, in_force
from stanchion_validity.core.link import Half, halves, link_refusal, may_link
from stanchion_validity.core.no_room import note_no_room
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.statement import Stated, Texts, noted, touched_links, with_statements
from stanchion_validity.core.waiting import (
    close_unstated,
    parts_of,
    propose_half,
    propose_parts,
    split,
    waiting_links,
)
from stanchion_validity.core.write import draft_of

_ROUNDS: Final = 64
"""A round takes out at least one of a record's links; a record has no more than these."""


class Text(Struct, frozen=True, kw_only=True):
    """What one revision changes of its own record.

    Attributes:
        write: what the text changed, without links; None for nothing.
        held: the record as it stands, None for a new one.
        upstream: where it comes from now.
    """

    write: Write | None
    held: Held | None
    upstream: Upstream


class Landing(Struct, frozen=True, kw_only=True):
    """What is to land.

    Attributes:
        texts: what documents refer to, before and after.
        affected: the documents whose statements may have changed.
        author: whose write the text is.
        text: the revision's own record; None when only references are settled.
        written: records written in the same decision; proposals about them may be ready.
    """

    texts: Texts
    affected: tuple[str, ...]
    author: Author
    text: Text | None = None
    written: tuple[str, ...] = ()


class Attempt:
    """One try to land it all: what would be written, and what was left out of it."""

    def __init__(self, outcome: Outcome) -> None:
        self.pending = Pending(outcome.workspace, outcome.pending)
        self.refused: dict[Key, str] = {}
        self.withheld: list[Write] = []
        self.refusal: Refusal | None = None


def land(outcome: Outcome, landing: Landing) -> Refusal | None:
    """Write what can land into the outcome, propose what a rule refuses; or say why nothing of the text can land."""
    texts = landing.texts
    waiting = waiting_links(outcome, (*landing.affected, *landing.written))
    stated = {one.key: one for one in touched_links(texts, landing.affected, waiting)}
    barred: dict[Key, Half] = {}
    held_back: dict[str, Half] = {}
    attempt = _attempt(outcome, landing, stated, held_back)
    for _ in range(_ROUNDS):
        if attempt.refusal is not None:
            return attempt.refusal
        found = [
            half for half in halves(outcome.vocabulary, attempt.pending) if not _lands(outcome, half, waiting, attempt)
        ]
        if not found:
            break
        for half in found:
            key = (half.by, half.link.name, half.target)
            if _by_hand(texts, key) and texts.record_id in {half.by, half.target}:
                held_back[FIELD + STATUS] = half
            else:
                barred[key] = half
                stated[key] = Stated(key=key, sides=frozenset(), note=half.link.note, anew=True)
        attempt = _attempt(outcome, landing, stated, held_back)
    _write(outcome, landing, attempt)
    _propose(outcome, landing, attempt, barred, held_back)
    close_unstated(outcome, texts, waiting)
    return None


def _lands(outcome: Outcome, half: Half, waiting: Iterable[Key], attempt: Attempt) -> bool:
    """Tell whether a link that waited for its other half lands: its target goes out of force by another word now."""
    waited = (half.by, half.link.name, half.target) in waiting
    return waited and not in_force(outcome.vocabulary, attempt.pending.record(half.target))


def _write(outcome: Outcome, landing: Landing, attempt: Attempt) -> None:
    """Write what landed: the text's record as its author's, what it brings about elsewhere as ours."""
    for draft in attempt.pending.drafts:
        own = draft.id == landing.texts.record_id
        outcome.write(draft, landing.author if own else Author(person=False, by=STANCHION))


def _propose(
    outcome: Outcome, landing: Landing, attempt: Attempt, barred: Mapping[Key, Half], held_back: Mapping[str, Half]
) -> None:
    """Propose what waits for a person: as the text's author where this text says it, else as ours."""
    texts, author = landing.texts, landing.author.by or outcome.meta.actor
    before, after = texts.stated_before(texts.record_id).keys(), texts.stated_after(texts.record_id).keys()
    links = [
        key
        for key, half in barred.items()
        if not propose_half(outcome, half, author if key in after else STANCHION, anew=key in after - before)
    ]
    text = landing.text.write if landing.text is not None else None
    waits = {write.id: write for write in attempt.withheld}
    parts = []
    if text is not None:
        own = waits.pop(text.id, Write(id=text.id))
        if not propose_parts(outcome, own, held_back.get(FIELD + STATUS), author, parts_of(text)):
            parts.append(own)
    parts += [write for write in waits.values() if not propose_parts(outcome, write, None, author)]
    note_no_room(outcome, texts, links, parts)


def _attempt(
    outcome: Outcome, landing: Landing, stated: Mapping[Key, Stated], held_back: Mapping[str, Half]
) -> Attempt:
    """Try to land the text and the links; what its own rules refuse is left out of it and told."""
    attempt, text, own = Attempt(outcome), landing.text, landing.texts.record_id
    alone = _draft(outcome, text.write, text.held) if text is not None and text.write is not None else None
    if isinstance(alone, Refusal):
        attempt.refusal = alone
        return attempt
    probe = Pending(outcome.workspace, outcome.pending)
    if alone is not None:
        probe.add(alone)
    fine = [one for one in stated.values() if _fits(outcome, probe, one, attempt)]
    if text is not None:
        _own(outcome, landing, text, attempt, [one for one in fine if one.key[0] == own], held_back)
    for record_id in dict.fromkeys(one.key[0] for one in fine if one.key[0] != own):
        _other(outcome, landing, attempt, record_id, [one for one in fine if one.key[0] == record_id])
    for record_id in landing.affected:
        _settle_upstream(outcome, landing, attempt, record_id)
    return attempt


def _fits(outcome: Outcome, probe: Pending, one: Stated, attempt: Attempt) -> bool:
    """Tell whether a link may be touched: its record lives, and, where it is to stand, its ends fit."""
    record_id, name, to = one.key
    record = probe.record(record_id)
    if record is None or record.deleted:
        if one.sides:
            attempt.refused[one.key] = f"{name} {to}: there is no record {record_id}"
        return False
    if not one.sides or any((link.name, link.to) == (name, to) for link in record.links):
        return True
    if name not in outcome.vocabulary.links:
        attempt.refused[one.key] = f"{name} {to}: the vocabulary has no such link"
        return False
    refusal = link_refusal(outcome.vocabulary, probe, record, Link(name=name, to=to))
    if refusal is not None:
        attempt.refused[one.key] = f"{name} {to}: {refusal.detail}"
    return refusal is None


def _own(  # noqa: PLR0913, PLR0917 - all that one record's landing depends on
    outcome: Outcome,
    landing: Landing,
    text: Text,
    attempt: Attempt,
    stated: list[Stated],
    held_back: Mapping[str, Half],
) -> None:
    """Draft the text's own record: what its text changed, with its links; what a person set waits."""
    base = text.write or Write(id=landing.texts.record_id)
    held = text.held or Held(id=base.id, kind=base.kind)
    links = () if base.delete else with_statements(outcome.vocabulary, held, stated)
    write = msgspec.structs.replace(base, links=links)
    draft = _draft(outcome, write, text.held) if text.write is not None or links else None
    if isinstance(draft, Refusal):  # the text alone was fine: it is the links that are too many
        attempt.refused[base.id, "", ""] = f"links: {draft.detail}"
        write, draft = base, _draft(outcome, base, text.held)
    theirs = person_parts(draft) if isinstance(draft, Draft) and not landing.author.person else frozenset()
    parts = theirs.union(held_back)
    if parts and isinstance(draft, Draft):
        kept, waits = split(write, parts)
        if waits != Write(id=write.id):
            attempt.withheld.append(waits)
        if (
            draft.before is None
        ):  # one that comes back has to have a status: what keeps the text's own from it says which
            given = tuple(FieldValue(name=STATUS, value=canonical_json(half.status)) for half in held_back.values())
            kept = msgspec.structs.replace(kept, fields=(*kept.fields, *given))
        draft = _draft(outcome, kept, text.held) if kept != Write(id=write.id) else None
    if isinstance(draft, Draft):
        attempt.pending.add(draft)


def _other(outcome: Outcome, landing: Landing, attempt: Attempt, record_id: str, stated: list[Stated]) -> None:
    """Draft the links that texts state from another record."""
    held = attempt.pending.record(record_id)
    links = with_statements(outcome.vocabulary, held, stated) if held is not None else ()
    if held is None or not links:
        return
    draft = _draft(outcome, Write(id=record_id, links=links), held)
    if isinstance(draft, Refusal):
        attempt.refused[record_id, "", ""] = f"links of {record_id}: {draft.detail}"
        return
    if draft is None:
        return
    parts = frozenset() if landing.author.person else person_parts(draft)
    if parts:
        attempt.withheld.append(Write(id=record_id, links=links))
        return
    old = frozenset((one.key[1], one.key[2]) for one in stated if not one.anew)
    attempt.pending.add(msgspec.structs.replace(draft, stated=old))


def _settle_upstream(outcome: Outcome, landing: Landing, attempt: Attempt, record_id: str) -> None:
    """Note in a document's record which of its references find nothing, and which of its links were refused."""
    texts = landing.texts
    own = record_id == texts.record_id
    held = attempt.pending.record(record_id)
    if held is None or (not own and (held.deleted or held.upstream is None)):
        return
    stands = held.upstream
    upstream = landing.text.upstream if own and landing.text is not None else stands
    if upstream is None:
        return
    if not held.deleted:
        states = texts.stated_after(record_id)
        refused = [why for key, why in attempt.refused.items() if key in states or key[0] == record_id]
        kept = upstream.left_out if own else _still_left_out(upstream.left_out, held, states)
        left_out = tuple(dict.fromkeys([*kept, *refused]))
        unresolved = _unresolved(outcome, texts, attempt, record_id)
        upstream = msgspec.structs.replace(upstream, left_out=left_out, unresolved=unresolved)
    drafted = record_id in attempt.pending.touched()
    if upstream == stands or (not drafted and stands is not None and _same_place(upstream, stands)):
        return
    after = msgspec.structs.replace(held, upstream=upstream)
    if drafted:
        attempt.pending.amend(record_id, after)
    else:
        attempt.pending.add(Draft(before=held, after=after))


def _still_left_out(left_out: tuple[str, ...], held: Held, states: Iterable[Key]) -> tuple[str, ...]:
    """Give the sentences that are still true: a link that the vocabulary has only now is not left out any more."""
    linked = {(link.name, link.to) for link in held.links}
    landed = tuple(f"{name} {to}: " for _, name, to in states if (name, to) in linked)
    return tuple(why for why in left_out if not why.startswith(landed))


def _same_place(upstream: Upstream, stands: Upstream) -> bool:
    """Tell whether nothing but the revision's name differs: a revision that changed no word is no change."""
    return msgspec.structs.replace(upstream, revision=stands.revision) == stands


def _unresolved(outcome: Outcome, texts: Texts, attempt: Attempt, record_id: str) -> tuple[str, ...]:
    """Name the references of a document that find no record, or one to which the vocabulary lets no such link go."""
    imported = outcome.workspace.imported.get(record_id)
    references = texts.references if record_id == texts.record_id else imported.references if imported else ()
    found = []
    for reference in references:
        other = texts.after.meant(reference)
        ends = (record_id, other) if reference.direction == "out" else (other, record_id)
        start = attempt.pending.record(ends[0]) if ends[0] is not None else None
        linked = start is not None and any((link.name, link.to) == (reference.name, ends[1]) for link in start.links)
        if not linked and not _finds(outcome, start, reference.name, attempt.pending.record(ends[1] or "")):
            found.append(noted(reference))
    return tuple(dict.fromkeys(found))


def _finds(outcome: Outcome, start: Held | None, name: str, end: Held | None) -> bool:
    """Tell whether a reference has both its ends, and the vocabulary lets its link go between them."""
    if start is None or start.deleted or end is None or end.deleted:
        return False
    return start.id == end.id or may_link(outcome.vocabulary, name, start, end)


def _draft(outcome: Outcome, write: Write, held: Held | None) -> Draft | Refusal | None:
    """Draft a write that keeps citations: a text or a link says nothing about them."""
    return draft_of(outcome.vocabulary, write, held, keep_evidence=True)


def _by_hand(texts: Texts, key: Key) -> bool:
    """Tell whether no text states a link, before or after: somebody made it here."""
    return not any(
        key in stated(end) for stated in (texts.stated_before, texts.stated_after) for end in (key[0], key[2])
    )
