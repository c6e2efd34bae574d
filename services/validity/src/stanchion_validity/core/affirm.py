"""A person says that a record still holds."""

from typing import Final

from stanchion_contracts.change import Affirmation, Change, Landed
from stanchion_contracts.command import Affirm
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import NOTE_CHARS
from stanchion_core.text import clean
from stanchion_core.walk import Reason, moved_after, validity
from stanchion_validity.core.actor import require_person
from stanchion_validity.core.held import Held
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.refused import Refused, refusal_of

REVIEW: Final = "review"
"""The capability it takes to affirm."""

_NAMED: Final = 3
"""How many moves a refusal names."""


def affirm(outcome: Outcome, asked: Affirm) -> Refusal | None:
    """Decide an affirmation: its change into the outcome, or why it is refused."""
    try:
        held = _affirmable(outcome, asked)
        note = clean(asked.note, "note", chars=NOTE_CHARS)
        _check_unmoved(outcome, asked)
    except InvalidMessage as error:
        return refusal_of(error, asked.record_id)
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="record.affirmed",
            subject_kind=held.kind,
            subject_id=held.id,
            room=held.room,
            reason=f"{held.kind} {held.id} still holds at version {held.version}, seen to seq {asked.observed_through}",
            affirmation=Affirmation(
                record_id=held.id, version=held.version, observed_through=asked.observed_through, note=note
            ),
        )
    )
    outcome.landed.append(Landed(record_id=held.id, version=held.version))
    return None


def _affirmable(outcome: Outcome, asked: Affirm) -> Held:
    """Give the record, when this actor may affirm it at this version.

    Raises:
        Refused: they may not, or there is no such record or version.
    """
    require_person(outcome.meta.actor, "affirm", REVIEW)
    held = outcome.workspace.held.get(asked.record_id)
    if held is None or held.deleted:
        raise Refused("NOT_FOUND", f"there is no record {asked.record_id!r:.140}")
    if asked.if_match is not None and asked.if_match != held.version:
        detail = f"{held.id} stands at version {held.version}, not {asked.if_match}"
        raise Refused("VERSION_CONFLICT", detail, version=held.version)
    if not 0 <= asked.observed_through <= outcome.workspace.seq:
        detail = f"observed_through is {asked.observed_through}, the workspace stands at seq {outcome.workspace.seq}"
        raise Refused(FIELD_VALUE, detail, "observed_through")
    return held


def _check_unmoved(outcome: Outcome, asked: Affirm) -> None:
    """Let an affirmation pass when nothing moved after what the person saw.

    Raises:
        Refused: `MOVED_SINCE`, with what reads now.
    """
    workspace = outcome.workspace
    lookup = workspace.heads.records.get
    if not moved_after(lookup, asked.record_id, asked.observed_through):
        return
    now = validity(lookup, asked.record_id, outcome.meta.time_us, workspace.seq)
    said = "; ".join(_told(reason) for reason in now.reasons[-_NAMED:])
    created = workspace.heads.records[asked.record_id].created
    what = "moved" if created <= asked.observed_through else f"came at seq {created},"
    detail = f"{what} after seq {asked.observed_through}; at seq {workspace.seq} it reads {now.state}"
    version = workspace.held[asked.record_id].version
    raise Refused("MOVED_SINCE", f"{detail}: {said}" if said else detail, version=version)


def _told(reason: Reason) -> str:
    """Tell one reason in few words."""
    what = f"{reason.change.name} → {reason.change.to}" if reason.change.kind == "field" else reason.change.kind
    return f"{reason.record_id} {what} at seq {reason.seq}"
