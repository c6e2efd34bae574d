"""Dates that come up: announced two weeks before, once for each value of the field."""

from typing import Final

from stanchion_contracts.change import Change, DateReached
from stanchion_contracts.heads import plain_text
from stanchion_validity.core.held import in_force
from stanchion_validity.core.outcome import Outcome

AHEAD_US: Final = 14 * 86_400 * 1_000_000
"""How long before a date it is announced."""


MOST_ANNOUNCED: Final = 1_000
"""How many dates one tick announces; the rest come with the next one."""


def announce_dates(outcome: Outcome) -> None:
    """Announce the dates of records in force that come within two weeks of the message's time, or have passed."""
    workspace, vocabulary = outcome.workspace, outcome.vocabulary
    left = outcome.most(MOST_ANNOUNCED)
    horizon_us = outcome.meta.time_us + AHEAD_US
    for (record_id, field), at_us in workspace.reminders.items():
        if at_us > horizon_us:
            continue
        if not left:
            return
        held = workspace.held[record_id]
        date = plain_text(held.fields[field])
        if workspace.announced.get((record_id, field)) == date or not in_force(vocabulary, held):
            continue
        left -= 1
        outcome.add(
            Change(
                seq=outcome.next_seq,
                action="date.reached",
                subject_kind=held.kind,
                subject_id=record_id,
                room=held.room,
                reason=f"{held.kind} {record_id}: {field} is {date}",
                date=DateReached(record_id=record_id, field=field, date=date),
            )
        )
