"""What Watch tells of one seq."""

from msgspec import Struct

from stanchion_contracts.change import Change
from stanchion_contracts.ledger import Entry
from stanchion_contracts.meta import Actor
from stanchion_view.core.card import actor_of

NEEDS_REVIEW = "needs_review.opened"
MOST_NAMED = 1_000
"""How many records one event names; the rest are counted."""

_SILENT = frozenset({"record.affirmed"})


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened.

    Attributes:
        seq: when.
        n: orders what happened at one seq: 0 the change itself, 1 what the view saw follow from it.
        recorded_at_us: microseconds since the epoch.
        kind: the change's action, or `needs_review.opened`.
        subject_kind: what it happened to.
        subject_id: which.
        room: where.
        reason: a sentence a person can read.
        actor: who acted.
        origin: observation or command.
        record_ids: of `needs_review.opened`, at most 1,000.
        more: how many more there are.
    """

    seq: int
    n: int = 0
    recorded_at_us: int
    kind: str
    subject_kind: str
    subject_id: str
    room: str = ""
    reason: str
    actor: Actor
    origin: str
    record_ids: tuple[str, ...] = ()
    more: int = 0


def of_change(entry: Entry, change: Change) -> Event | None:
    """Give the event of a change; None for one that puts nothing on Watch."""
    if change.action in _SILENT:
        return None
    return Event(
        seq=entry.seq,
        recorded_at_us=entry.recorded_at_us,
        kind=change.action,
        subject_kind=change.subject_kind,
        subject_id=change.subject_id,
        room=change.room,
        reason=change.reason,
        actor=_actor(entry, change),
        origin=entry.origin,
    )


def needs_review(entry: Entry, change: Change, opened: tuple[str, ...]) -> Event:
    """Give the event that records need review because of a change.

    Args:
        entry: of the change.
        change: what moved.
        opened: every record that needs review since, nearest first.
    """
    count = f"{len(opened)} records need" if len(opened) > 1 else f"{opened[0]} needs"
    return Event(
        seq=entry.seq,
        n=1,
        recorded_at_us=entry.recorded_at_us,
        kind=NEEDS_REVIEW,
        subject_kind=change.subject_kind,
        subject_id=change.subject_id,
        room=change.room,
        reason=f"{count} review: {change.reason}",
        actor=_actor(entry, change),
        origin=entry.origin,
        record_ids=opened[:MOST_NAMED],
        more=max(0, len(opened) - MOST_NAMED),
    )


def _actor(entry: Entry, change: Change) -> Actor:
    """Give whose act it was: an import's author goes before whoever brought it."""
    return (change.record.by if change.record is not None else None) or actor_of(entry)
