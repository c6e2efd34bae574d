"""How proposals are opened: the same waits once, and a workspace keeps no more waiting than it may."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Base, Proposal
from stanchion_contracts.command import WriteBatch
from stanchion_contracts.meta import Actor
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import TOO_MANY
from stanchion_validity.core.change import named
from stanchion_validity.core.draft import Records
from stanchion_validity.core.outcome import Outcome

MOST_OPEN: Final = 10_000
"""How many proposals of a workspace wait at once."""

FULL: Final = f"{MOST_OPEN} proposals wait already"
"""Why what would wait for a person cannot."""

_NAMED: Final = 8
"""How many records a sentence names."""


class Why(Struct, frozen=True):
    """Why something waits for a person: the word, the sentence, and who proposed it."""

    word: Literal["person_set", "consequence", "approval_only", "evidence_disagrees", "import_refused"]
    reason: str
    by: Actor


def propose_batch(outcome: Outcome, batch: WriteBatch, record_id: str, why: Why) -> Refusal | None:
    """Open a proposal of what somebody would write, or refuse it where too much waits.

    The same batch of the same proposer, made against the same versions, is what waits already: the answer names that.
    """
    kept = unmatched(batch)
    proposal = _proposal(outcome, kept, record_id, why)
    for waits in open_on(outcome, {write.id for write in kept.writes}):
        if (waits.batch, waits.base, waits.by) == (kept, proposal.base, proposal.by):
            outcome.proposals.append(waits.id)
            return None
    if not room(outcome):
        detail = f"{FULL}; the limit is {MOST_OPEN} a workspace: have some published or rejected"
        return Refusal(reason=TOO_MANY, detail=detail, field="writes")
    outcome.propose(proposal)
    return None


def propose_once(outcome: Outcome, batch: WriteBatch, record_id: str, why: Why) -> bool:
    """Open a proposal of what a text, a wish or evidence says, unless the same waits; tell whether it waits now.

    Where too much waits it is left out, and the outcome says so.
    """
    waiting = open_on(outcome, {write.id for write in batch.writes})
    if any(proposal.batch == batch for proposal in (*waiting, *outcome.opened)):
        return True
    if not room(outcome):
        outcome.unproposed[record_id] = None
        return False
    outcome.propose(msgspec.structs.replace(_proposal(outcome, batch, record_id, why), keeps_citations=True))
    return True


def open_on(outcome: Outcome, record_ids: Iterable[str]) -> tuple[Proposal, ...]:
    """Give the proposals that were open before this input, would write any of these records, and are still open."""
    workspace = outcome.workspace
    found = {proposal_id for record_id in record_ids for proposal_id in workspace.proposals_on.get(record_id, ())}
    waiting = (outcome.waiting(proposal_id) for proposal_id in sorted(found))
    return tuple(proposal for proposal in waiting if proposal is not None)


def room(outcome: Outcome) -> int:
    """Give how many more proposals may be opened."""
    waiting = len(outcome.workspace.heads.proposals) + len(outcome.opened) - len(outcome.closed)
    return max(MOST_OPEN - waiting, 0)


def unproposed(outcome: Outcome) -> tuple[str, ...]:
    """Say which records nothing could be proposed about, in a sentence; nothing when all could."""
    ids = tuple(outcome.unproposed)
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return (f"{', '.join(ids[:_NAMED])}{more}: not proposed, {FULL}",) if ids else ()


def bases(records: Records, batch: WriteBatch) -> tuple[Base, ...]:
    """Give the versions that a proposal is made against."""
    held = {write.id: records(write.id) for write in batch.writes}
    return tuple(Base(record_id=key, version=one.version if one else 0) for key, one in sorted(held.items()))


def unmatched(batch: WriteBatch) -> WriteBatch:
    """Give a batch as a proposal keeps it: what it was made against stands beside it, and may be looked at anew."""
    return WriteBatch(writes=tuple(msgspec.structs.replace(write, if_match=None) for write in batch.writes))


def _proposal(outcome: Outcome, batch: WriteBatch, record_id: str, why: Why) -> Proposal:
    """Make a proposal of a whole batch, against what stands."""
    return Proposal(
        id=outcome.proposal_id(),
        why=why.word,
        reason=why.reason,
        record_id=record_id,
        batch=batch,
        base=bases(outcome.pending.record, batch),
        by=named(why.by),
    )
