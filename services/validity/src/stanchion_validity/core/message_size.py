"""How much one message of changes may hold: audit makes an entry of each change, and its message has to fit, too.

What does not fit audit would stop it at every start, and with it every workspace of the partition.
"""

from typing import Final

from stanchion_contracts.change import Changes
from stanchion_contracts.codec import encode
from stanchion_contracts.topics import MAX_MESSAGE_BYTES

MOST_CHANGES: Final = 4_000
"""Changes; each has an entry of its own."""

MOST_CHANGE_BYTES: Final = 6 * 1024 * 1024
"""The changes, encoded."""

MOST_LEDGER_BYTES: Final = MAX_MESSAGE_BYTES - 64 * 1024
"""The changes with their entries, in each of which the actor and the origin stand again."""

_ENTRY_BYTES: Final = 256
"""What an entry and its payload have besides names, at most."""


def too_large(message: Changes) -> str:
    """Say what there is too much of in a message, as `<number> of what; the limit is <number>`; empty when it fits."""
    count = len(message.changes)
    if count > MOST_CHANGES:
        return f"{count} entries in the ledger; the limit is {MOST_CHANGES}"
    size = len(encode(message))
    if size > MOST_CHANGE_BYTES:
        return f"{size} bytes encoded; the limit is {MOST_CHANGE_BYTES}"
    whole = size + _entries_bytes(message)
    return f"{whole} bytes with their entries; the limit is {MOST_LEDGER_BYTES}" if whole > MOST_LEDGER_BYTES else ""


def _entries_bytes(message: Changes) -> int:
    """Give how many bytes the entries have at most."""
    meta = message.meta
    again = (meta.workspace, meta.origin, meta.actor.id, meta.actor.on_behalf_of)
    each = _ENTRY_BYTES + sum(len(name.encode()) for name in again)
    return len(message.changes) * each + sum(len(change.subject_id.encode()) for change in message.changes)
