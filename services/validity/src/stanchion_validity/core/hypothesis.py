"""Statuses that evidence sets: a belief crosses a threshold, and what rests on the hypothesis says so when read."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from stanchion_contracts.change import Proposal
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.heads import claim_of
from stanchion_contracts.record import FieldValue
from stanchion_core.condition import Outlook, outlook, verdict
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import STATUS, ByEvidence
from stanchion_core.walk import Claim
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.draft import Draft
from stanchion_validity.core.field_value import condition_of
from stanchion_validity.core.held import FIELD, Held
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.waiting import Why, propose_once
from stanchion_validity.core.write import draft_of

CLAIM, CONDITION = "claim", "condition"

MOST_CROSSINGS: Final = 1_000
"""How many statuses one message sets; the rest cross at the next belief or tick."""


class Tested(Struct, frozen=True, kw_only=True):
    """A record that evidence says something about.

    Attributes:
        held: as it stands.
        claim: that it names.
        words: the statuses that evidence sets.
        seen: how likely its condition is now.
        status: what evidence makes of it.
    """

    held: Held
    claim: Claim
    words: ByEvidence
    seen: Outlook
    status: str


def try_claims(outcome: Outcome) -> None:
    """Evaluate every record that names a claim whose belief this input moved."""
    for claim in outcome.beliefs:
        try_records(outcome, outcome.workspace.tested.get(claim, ()))


def try_records(outcome: Outcome, record_ids: Iterable[str]) -> None:
    """Evaluate records that were just written."""
    for record_id in tuple(record_ids):
        _test(outcome, outcome.pending.record(record_id))


def try_all(outcome: Outcome) -> None:
    """Evaluate every record that names a claim: age alone can cross a threshold."""
    for record_ids in tuple(outcome.workspace.tested.values()):
        try_records(outcome, record_ids)


def tested(outcome: Outcome, held: Held | None) -> Tested | None:
    """Say what evidence makes of a record; None when it names no claim and condition, or nothing is known.

    Args:
        outcome: of this input; its message's time is now.
        held: the record.
    """
    if held is None or held.deleted or CLAIM not in held.fields or CONDITION not in held.fields:
        return None
    words = outcome.vocabulary.kinds[held.kind].by_evidence
    claim = claim_of(held.fields[CLAIM])
    if words is None or claim is None or held.status not in {words.open, words.holds, words.fails}:
        return None
    known = outcome.beliefs.get(claim) or outcome.workspace.beliefs.get(claim)
    if known is None:
        return None
    seen = outlook(condition_of(held.fields[CONDITION]), known, outcome.meta.time_us)
    ours = {words.open: "open", words.holds: "supported", words.fails: "refuted"}
    theirs = {word: status for status, word in ours.items()}
    return Tested(held=held, claim=claim, words=words, seen=seen, status=theirs[verdict(ours[held.status], seen)])


def _test(outcome: Outcome, held: Held | None) -> None:
    """Evaluate one record: a crossing sets its status, or opens a proposal where a person set it."""
    found = tested(outcome, held) if outcome.crossings < outcome.most(MOST_CROSSINGS) else None
    if found is None or found.status == found.held.status:
        return
    made = len(outcome.changes)
    _cross(outcome, found)
    outcome.crossings += len(outcome.changes) > made  # a proposal that waits already is none


def _cross(outcome: Outcome, found: Tested) -> None:
    """Set the status that evidence points to, or propose it where a person set the other."""
    write = Write(id=found.held.id, fields=(FieldValue(name=STATUS, value=canonical_json(found.status)),))
    if FIELD + STATUS in found.held.person_set:
        _disagree(outcome, found, write)
        return
    draft = draft_of(outcome.vocabulary, write, found.held, keep_evidence=True)
    if isinstance(draft, Draft):
        outcome.write(draft, Author(person=False, by=STANCHION), _told(found))


def _disagree(outcome: Outcome, found: Tested, write: Write) -> None:
    """Open a proposal of the status that evidence points to; an older one that says otherwise goes."""
    batch = WriteBatch(writes=(write,))
    for proposal in _disagreements(outcome, found.held.id):
        if proposal.batch != batch:
            outcome.close(proposal, f"evidence now points to {found.status}")
    reason = f"a person set {found.held.id} {found.held.status}; {_told(found)} points to {found.status}"
    propose_once(outcome, batch, found.held.id, Why("evidence_disagrees", reason))


def _disagreements(outcome: Outcome, record_id: str) -> tuple[Proposal, ...]:
    """Give the open proposals by which evidence disagrees about a record."""
    workspace = outcome.workspace
    waiting = (workspace.heads.proposals[one] for one in workspace.proposals_on.get(record_id, ()))
    return tuple(one for one in waiting if one.why == "evidence_disagrees" and one.id not in outcome.closed)


def _told(found: Tested) -> str:
    """Say in a sentence what evidence says."""
    subject, predicate = found.claim
    return (
        f"{subject} {predicate} meets its condition with {found.seen.probability:.2f}, vacuity {found.seen.vacuity:.2f}"
    )
