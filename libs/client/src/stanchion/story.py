"""What the ledger says of a record beyond what the view serves: through whom it came, and who stands behind it."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from stanchion.results import Actor, LastConfirmed, LedgerEntry, Record


class Story(Struct, frozen=True, kw_only=True):
    """Who had to do with a record as it is now.

    Attributes:
        sent_by: whoever sent the last version, where it counts as somebody else's: an import's author's.
        stands: who stands behind it; None where nobody does, or the ledger could not be asked.
        proposal_id: the proposal in which they approved it, empty for none.
    """

    sent_by: Actor | None = None
    stands: LastConfirmed | None = None
    proposal_id: str = ""


def counts_as(entry: LedgerEntry) -> Actor | None:
    """Give whose write an entry counts as where that is not whoever sent it; None where it is, or is no write."""
    said = entry.after.get("by") if isinstance(entry.after, dict) and entry.action.startswith("record.") else None
    return msgspec.convert(said, Actor) if said else None


def proposal_of(entry: LedgerEntry) -> str:
    """Give the proposal by which an entry came into force, empty for none."""
    return str(entry.after.get("proposal_id", "")) if isinstance(entry.after, dict) else ""


def story_of(record: Record, entries: Iterable[LedgerEntry]) -> Story:
    """Give who had to do with a record.

    Args:
        record: as it is.
        entries: the ledger's entries of it, oldest first.
    """
    story = Story()
    for entry in entries:
        author = counts_as(entry)
        if entry.seq == record.seq and author is not None:
            story = msgspec.structs.replace(story, sent_by=entry.actor)
        if (how := _how(entry)) == "dropped":
            story = msgspec.structs.replace(story, stands=None, proposal_id="")
        elif how:
            stands = LastConfirmed(by=author or entry.actor, at=entry.recorded_at, how=how, seq=entry.seq)
            story = msgspec.structs.replace(story, stands=stands, proposal_id=proposal_of(entry))
    return story if record.confirmed else msgspec.structs.replace(story, stands=None, proposal_id="")


def _how(entry: LedgerEntry) -> str:
    """Give how an entry has somebody stand behind the record, or `dropped`; empty where it leaves that as it was."""
    if entry.action == "record.affirmed":
        return "affirmed"
    confirmation = entry.after.get("confirmation", "") if isinstance(entry.after, dict) else ""
    if confirmation == "given":
        return "approved" if proposal_of(entry) else "created"
    return str(confirmation)
