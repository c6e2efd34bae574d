"""A batch of writes: all or nothing, or one proposal."""

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.change import Landed
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.record import FieldValue
from stanchion_contracts.refusal import Refusal
from stanchion_core.limits import WRITES
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import STATUS, Field, Vocabulary
from stanchion_validity.core.change import Author
from stanchion_validity.core.draft import Draft, Pending, changed_parts
from stanchion_validity.core.held import Held
from stanchion_validity.core.link import half_refusal, halves, link_refusal, new_links, superseded_by_links
from stanchion_validity.core.opening import Why, propose_batch
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.write import draft_of

APPROVAL_ONLY: Final = "agents only propose in this workspace"
"""Why every write of an agent waits where a workspace has chosen so."""

_NAMED: Final = 8
"""How many parts a proposal's reason names."""


class Guard(Struct, frozen=True, kw_only=True):
    """Why a write waits for a person."""

    why: Literal["person_set", "approval_only", "consequence"]
    reason: str


def write_batch(outcome: Outcome, batch: WriteBatch) -> Refusal | None:
    """Decide a batch: its changes or one proposal into the outcome, or why it is refused."""
    pending = drafted(outcome, batch)
    if isinstance(pending, Refusal):
        return pending
    guard = guarded(outcome, pending)
    if guard is not None:
        first = next((draft.id for draft in pending.drafts if person_parts(draft)), pending.drafts[0].id)
        return propose_batch(outcome, batch, first, Why(guard.why, guard.reason, outcome.meta.actor))
    write_drafts(outcome, pending, batch, Author(person=outcome.meta.actor.kind == "person"))
    return None


def drafted(outcome: Outcome, batch: WriteBatch, *, keep_evidence: bool = False) -> Pending | Refusal:
    """Check a batch by every rule that its content must keep.

    Args:
        outcome: of this input.
        batch: what is to be written.
        keep_evidence: silence about evidence keeps the citations.
    """
    refusal = batch_refusal(batch)
    if refusal is not None:
        return refusal
    pending = Pending(outcome.workspace)
    for write in batch.writes:
        draft = draft_of(outcome.vocabulary, write, pending.record(write.id), keep_evidence=keep_evidence)
        if isinstance(draft, Refusal):
            return draft
        if draft is not None:
            pending.add(draft)
    return draft_refusal(outcome.vocabulary, pending) or pending


def write_drafts(outcome: Outcome, pending: Pending, batch: WriteBatch, author: Author) -> None:
    """Have a batch land: its drafts as changes, and its answer."""
    for draft in pending.drafts:
        outcome.write(draft, author)
    outcome.landed += [_landed(outcome, write) for write in batch.writes]


def batch_refusal(batch: WriteBatch) -> Refusal | None:
    """Check a batch as a whole."""
    if len(batch.writes) > WRITES:
        detail = f"{len(batch.writes)} writes; the limit is {WRITES} a batch"
        return Refusal(reason="TOO_MANY", detail=detail, field="writes")
    if not batch.writes:
        return Refusal(reason="FIELD_VALUE", detail="the batch has no writes", field="writes")
    seen: set[str] = set()
    for write in batch.writes:
        if write.id in seen:
            detail = f"{write.id} stands twice in the batch"
            return Refusal(reason="DUPLICATE_IN_BATCH", detail=detail, record_id=write.id)
        seen.add(write.id)
    return None


def draft_refusal(vocabulary: Vocabulary, pending: Pending) -> Refusal | None:
    """Check drafts together: links find their ends, reversals are whole, links that supersede by themselves do so."""
    for draft in pending.drafts:
        for link in () if draft.after.deleted else new_links(draft):
            refusal = link_refusal(vocabulary, pending, draft.after, link)
            if refusal is not None:
                return refusal
    half = next(iter(halves(vocabulary, pending)), None)
    if half is not None:
        return half_refusal(half)
    for target, status in superseded_by_links(vocabulary, pending, tuple(pending.drafts)):
        write = Write(id=target.id, fields=(FieldValue(name=STATUS, value=canonical_json(status)),))
        draft_or_not = draft_of(vocabulary, write, target, keep_evidence=True)
        if isinstance(draft_or_not, Draft):
            pending.add(draft_or_not)
    return None


def guarded(outcome: Outcome, pending: Pending) -> Guard | None:
    """Say why the drafts of this input's actor wait for a person; None when they need not."""
    actor = outcome.meta.actor
    if actor.kind == "person" or not pending.drafts:
        return None
    named_parts = [f"{part} of {draft.id}" for draft in pending.drafts for part in sorted(person_parts(draft))]
    if named_parts:
        more = f" and {len(named_parts) - _NAMED} more" if len(named_parts) > _NAMED else ""
        return Guard(why="person_set", reason=f"a person set {', '.join(named_parts[:_NAMED])}{more}")
    return agents_guard(outcome, (draft.after.kind for draft in pending.drafts))


def agents_guard(outcome: Outcome, kinds: Iterable[str]) -> Guard | None:
    """Say why what an agent would write of these kinds waits for a person; None when it need not, or is no agent's."""
    if outcome.meta.actor.kind != "agent":
        return None
    if outcome.workspace.settings.approval_only:
        return Guard(why="approval_only", reason=APPROVAL_ONLY)
    declared = outcome.vocabulary.kinds
    grave = sorted({kind for kind in kinds if kind in declared and declared[kind].consequence})
    return Guard(why="consequence", reason=f"agents only propose {', '.join(grave)}") if grave else None


def person_parts(draft: Draft) -> frozenset[str]:
    """Name what a draft changes that a person set; a deletion changes all of it."""
    if draft.before is None:
        return frozenset()
    if draft.after.deleted:
        return draft.before.person_set
    return draft.before.person_set & changed_parts(draft)


def _landed(outcome: Outcome, write: Write) -> Landed:
    """Say where a written record stands now, and how a plain name was written."""
    held = outcome.pending.record(write.id)
    return Landed(
        record_id=write.id,
        version=held.version if held else 0,
        decided_by_normalized=_normalized(outcome.vocabulary, write, held) if held else "",
    )


def _normalized(vocabulary: Vocabulary, write: Write, held: Held) -> str:
    """Give a principal field as it was written down, empty when the writer wrote it so."""
    if held.deleted:  # its kind may be gone
        return ""
    declared = vocabulary.kinds[held.kind].fields
    for item in write.fields:
        field: Field | None = declared.get(item.name)
        stands = held.fields.get(item.name, "")
        if field is not None and field.type == "principal" and item.value and stands and stands != item.value.strip():
            return stands.strip('"')
    return ""
