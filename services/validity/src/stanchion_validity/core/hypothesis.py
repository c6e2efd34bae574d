"""Statuses that evidence sets: a belief crosses a threshold, and what rests on the hypothesis says so when read."""

from collections.abc import Iterable
from typing import Final

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import Proposal
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.record import FieldValue
from stanchion_core.text import canonical_json
from stanchion_core.vocabulary import CLAIM, CONDITION, STATUS
from stanchion_core.walk import Claim
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.draft import Draft
from stanchion_validity.core.evidence import Tested, tested
from stanchion_validity.core.held import FIELD, Held
from stanchion_validity.core.opening import Why, open_on, propose_once
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.reviewed import status_in
from stanchion_validity.core.write import draft_of

MOST_CROSSINGS: Final = 1_000
"""How many statuses one message sets; the rest cross at the next belief or tick."""


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


def _test(outcome: Outcome, held: Held | None) -> None:
    """Evaluate one record: a crossing sets its status, or opens a proposal where a person set it."""
    if held is None or outcome.crossings >= outcome.most(MOST_CROSSINGS):
        return
    made = len(outcome.changes)
    found = tested(outcome.vocabulary, held, lambda claim: _believed(outcome, claim), outcome.meta.time_us)
    if found is None or found.status == held.status:
        said = "says nothing about it" if found is None else "does not disagree"
        _overtake(outcome, held.id, held.status, f"evidence {said} any more")
    elif FIELD + STATUS in held.person_set:
        _disagree(outcome, found)
    else:
        draft = draft_of(outcome.vocabulary, _status_write(found), held, keep_evidence=True)
        if isinstance(draft, Draft):
            outcome.write(draft, Author(person=False, by=STANCHION), _told(found))
    outcome.crossings += len(outcome.changes) > made  # a proposal that waits already is none


def _believed(outcome: Outcome, claim: Claim) -> Belief | None:
    """Give the belief of a claim as it is after this input."""
    return outcome.beliefs.get(claim) or outcome.workspace.beliefs.get(claim)


def _disagree(outcome: Outcome, found: Tested) -> None:
    """Open a proposal of the status that evidence points to; an older one that says otherwise goes."""
    _overtake(outcome, found.held.id, found.status, f"evidence now points to {found.status}")
    if _disagreements(outcome, found.held.id) or _rejected(outcome, found):
        return
    reason = f"a person set {found.held.id} {found.held.status}; {_told(found)} points to {found.status}"
    batch = WriteBatch(writes=(_status_write(found),))
    propose_once(outcome, batch, found.held.id, Why("evidence_disagrees", reason, STANCHION))


def _overtake(outcome: Outcome, record_id: str, status: str, reason: str) -> None:
    """Close the open proposals by which evidence pointed to another status; what a person edited is theirs to close."""
    for proposal in _disagreements(outcome, record_id):
        if proposal.edited_by is None and status_in(proposal) != status:
            outcome.close(proposal, "overtaken", reason)


def _disagreements(outcome: Outcome, record_id: str) -> tuple[Proposal, ...]:
    """Give the open proposals by which evidence disagrees with the status of a record."""
    return tuple(one for one in open_on(outcome, (record_id,)) if one.why == "evidence_disagrees")


def _rejected(outcome: Outcome, found: Tested) -> bool:
    """Tell whether somebody said no to just this, and neither evidence nor the record has said otherwise since."""
    workspace, held = outcome.workspace, found.held
    stood = workspace.held.get(held.id)
    if workspace.reviewed.statuses.get(held.id) != found.status or stood is None:
        return False
    if any(stood.fields.get(name) != held.fields.get(name) for name in (STATUS, CLAIM, CONDITION)):
        return False
    before = tested(outcome.vocabulary, stood, workspace.beliefs.get, outcome.meta.time_us)
    return before is not None and before.status == found.status


def _status_write(found: Tested) -> Write:
    """Give the write of the status that evidence points to."""
    return Write(id=found.held.id, fields=(FieldValue(name=STATUS, value=canonical_json(found.status)),))


def _told(found: Tested) -> str:
    """Say in a sentence what evidence says."""
    subject, predicate = found.claim
    return (
        f"{subject} {predicate} meets its condition with {found.seen.probability:.2f}, vacuity {found.seen.vacuity:.2f}"
    )
