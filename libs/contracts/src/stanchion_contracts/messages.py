"""Every message class by the folder in `schemas/` that describes it."""

from typing import Final

from msgspec import Struct

from stanchion_contracts import belief, change, claim, command, deadletter, ledger, observation, receipt

MESSAGES: Final[dict[str, type[Struct]]] = {
    "inbox": observation.InboxEvent,
    "requests": observation.Request,
    "observations": observation.Observation,
    "claims": claim.Claims,
    "beliefs": belief.Beliefs,
    "commands": command.Command,
    "changes": change.Changes,
    "receipts": receipt.Receipt,
    "ledger": ledger.Ledger,
    "entries": ledger.Entry,
    "payloads": ledger.Payload,
    "deadletters": deadletter.DeadLetter,
}

SKIPPED: Final[tuple[type[Struct], ...]] = (change.Change,)
"""Classes inside messages that somebody passes on without reading them (`outline.py`)."""
