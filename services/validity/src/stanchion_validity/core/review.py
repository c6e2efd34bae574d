"""Review: what waits is published or edited by a person, or rejected; exactly what was shown, or nothing."""

import datetime as dt
from typing import Final

import msgspec

from stanchion_contracts.change import Proposal
from stanchion_contracts.command import EditProposal, PublishProposal, RejectProposal, WriteBatch
from stanchion_contracts.proposal import digest_of
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import NOTE_CHARS
from stanchion_core.text import clean, required
from stanchion_validity.core.actor import require, require_person
from stanchion_validity.core.batch import drafted, write_drafts
from stanchion_validity.core.change import Author, named
from stanchion_validity.core.opening import bases, unmatched
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.refused import Refused, refusal_of

APPROVE: Final = "approve"
"""The capability it takes to publish and to edit; a person's alone."""

REJECT: Final = "reject"
"""The capability it takes to reject; an agent may hold it, too."""

_HOW: Final = {
    "published": "was published",
    "rejected": "was rejected",
    "in_force": "came into force by other means",
    "overtaken": "was overtaken",
}

_NAMED: Final = 8
"""How many records a sentence names."""


def publish(outcome: Outcome, asked: PublishProposal) -> Refusal | None:
    """Have a proposal come into force, all of it or a selection, as the write of the person who publishes it.

    Args:
        outcome: takes what is written, and what becomes of the proposal.
        asked: which, as shown, and which of its writes.
    """
    try:
        require_person(outcome.meta.actor, "publish a proposal", APPROVE)
        proposal = _shown(outcome, asked.proposal_id, asked.digest)
        note = clean(asked.note, "note", chars=NOTE_CHARS)
        chosen, rest = _selected(proposal, asked.record_ids)
    except InvalidMessage as error:
        return refusal_of(error)
    refusal = _outdated(outcome, proposal)
    if refusal is not None:
        return refusal
    pending = drafted(outcome, chosen, keep_evidence=proposal.keeps_citations)
    if isinstance(pending, Refusal):
        return pending
    write_drafts(outcome, pending, chosen, Author(person=True, proposal_id=proposal.id))
    said = f"{outcome.meta.actor.id} published {_ids(chosen)}"
    if rest.writes:
        outcome.edit(_changed(outcome, proposal, rest), _with(f"{said}; {_ids(rest)} waits", note))
    else:
        outcome.close(proposal, "published", _with(said, note), note)
    return None


def edit(outcome: Outcome, asked: EditProposal) -> Refusal | None:
    """Change what a proposal would write, by all the rules of a write; it is made against what stands now.

    Args:
        outcome: takes the proposal as it waits from now on.
        asked: which, as shown, and what it is to write.
    """
    try:
        require_person(outcome.meta.actor, "edit a proposal", APPROVE)
        proposal = _shown(outcome, asked.proposal_id, asked.digest)
    except InvalidMessage as error:
        return refusal_of(error)
    batch = WriteBatch(writes=asked.writes)
    pending = drafted(outcome, batch, keep_evidence=proposal.keeps_citations)
    if isinstance(pending, Refusal):
        return pending
    if not pending.drafts:
        detail = f"{_ids(batch)} would be as before: reject the proposal instead"
        return Refusal(reason=FIELD_VALUE, detail=detail, field="writes")
    edited = _changed(outcome, proposal, unmatched(batch))
    if digest_of(edited) != digest_of(proposal):
        outcome.edit(edited, f"{outcome.meta.actor.id} edited it: it would write {_ids(batch)}")
    return None


def reject(outcome: Outcome, asked: RejectProposal) -> Refusal | None:
    """Close a proposal without its coming into force; what a text or evidence goes on saying is not proposed again.

    Args:
        outcome: takes the end of the proposal.
        asked: which, as shown, and why not.
    """
    try:
        require(outcome.meta.actor, "reject a proposal", REJECT)
        proposal = _shown(outcome, asked.proposal_id, asked.digest)
        reason = required(asked.reason, "reason", chars=NOTE_CHARS)
    except InvalidMessage as error:
        return refusal_of(error)
    outcome.close(proposal, "rejected", _with(f"{outcome.meta.actor.id} rejected it", reason), reason)
    return None


def _shown(outcome: Outcome, proposal_id: str, digest: bytes) -> Proposal:
    """Give an open proposal that is as it was shown.

    Raises:
        Refused: there is none, it is closed, or it is not what was shown any more.
    """
    proposal = outcome.waiting(proposal_id)
    closed = outcome.workspace.reviewed.closed.get(proposal_id)
    if proposal is None and closed is not None:
        when = dt.datetime.fromtimestamp(closed.at_us // 1_000_000, dt.UTC).isoformat().removesuffix("+00:00")
        detail = f"proposal {proposal_id} {_HOW[closed.state]} at seq {closed.seq}, {when}Z"
        raise Refused("NOT_FOUND", detail, "proposal_id")
    if proposal is None:
        raise Refused("NOT_FOUND", f"there is no proposal {proposal_id!r:.140}", "proposal_id")
    if digest != digest_of(proposal):
        by = f"was edited by {proposal.edited_by.id}" if proposal.edited_by else "is not as it was shown"
        raise Refused("REVISION_CONFLICT", f"proposal {proposal_id} {by}: look at it again", "digest")
    return proposal


def _selected(proposal: Proposal, record_ids: tuple[str, ...]) -> tuple[WriteBatch, WriteBatch]:
    """Give the writes that were chosen, and those that are left; none named means all.

    Raises:
        Refused: a record is named that the proposal would not write.
    """
    writes = proposal.batch.writes
    written = {write.id for write in writes}
    unknown = next((one for one in record_ids if one not in written), None)
    if unknown is not None:
        detail = f"proposal {proposal.id} would not write {unknown!r:.140}; it would write {_ids(proposal.batch)}"
        raise Refused(FIELD_VALUE, detail, "record_ids")
    chosen = tuple(write for write in writes if not record_ids or write.id in record_ids)
    return WriteBatch(writes=chosen), WriteBatch(writes=tuple(write for write in writes if write not in chosen))


def _outdated(outcome: Outcome, proposal: Proposal) -> Refusal | None:
    """Refuse a proposal that was made against what does not stand any more; None when all is as it was."""
    for base in proposal.base:
        held = outcome.workspace.held.get(base.record_id)
        stands = held.version if held is not None else 0
        if stands != base.version:
            detail = f"{base.record_id} stands at version {stands}, the proposal was made against {base.version}"
            return Refusal(
                reason="VERSION_CONFLICT",
                detail=f"{detail}: edit it on what stands now, or reject it",
                record_id=base.record_id,
                current_version=stands,
            )
    return None


def _changed(outcome: Outcome, proposal: Proposal, batch: WriteBatch) -> Proposal:
    """Give a proposal with other writes, made against what stands now."""
    ids = [write.id for write in batch.writes]
    return msgspec.structs.replace(
        proposal,
        batch=batch,
        base=bases(outcome.pending.record, batch),
        record_id=proposal.record_id if proposal.record_id in ids else ids[0],
        edited_by=named(outcome.meta.actor),
    )


def _ids(batch: WriteBatch) -> str:
    """Name the records that a batch writes."""
    more = f" and {len(batch.writes) - _NAMED} more" if len(batch.writes) > _NAMED else ""
    return ", ".join(write.id for write in batch.writes[:_NAMED]) + more


def _with(sentence: str, words: str) -> str:
    """Give a sentence with the person's own words, if any."""
    return f"{sentence}: {words}" if words else sentence
