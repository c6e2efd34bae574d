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

UNFOLDED: Final[dict[type[Struct], tuple[tuple[type[Struct], str], ...]]] = {
    belief.Beliefs: (
        (belief.BeliefUpdate, "before"),
        *((belief.Beliefs, name) for name in ("intents", "imports", "relations", "left_out", "reassess", "findings")),
    ),
    change.Changes: ((belief.BeliefUpdate, "before"), (belief.BeliefUpdate, "added"), (change.Changes, "left_out")),
}
"""What a stage's own fold does not look at in its output: `codec.decode_folded` steps over it and leaves it empty.

Recovery reads a whole partition: what it need not build is most of what it can save.
"""
