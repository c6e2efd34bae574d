"""What evidence makes of a record that names a claim, at one time."""

from collections.abc import Callable

from msgspec import Struct

from stanchion_contracts.belief import Belief
from stanchion_contracts.heads import claim_of
from stanchion_core.condition import Outlook, outlook, verdict
from stanchion_core.vocabulary import CLAIM, CONDITION, ByEvidence, Vocabulary
from stanchion_core.walk import Claim
from stanchion_validity.core.field_value import condition_of
from stanchion_validity.core.held import Held

Beliefs = Callable[[Claim], Belief | None]
"""Gives the belief of a claim; None for one that nobody spoke of."""


class Tested(Struct, frozen=True, kw_only=True):
    """A record that evidence says something about.

    Attributes:
        held: as it stands.
        claim: that it names.
        seen: how likely its condition is at the time.
        status: what evidence makes of it.
    """

    held: Held
    claim: Claim
    seen: Outlook
    status: str


def tested(vocabulary: Vocabulary, held: Held | None, beliefs: Beliefs, now_us: int) -> Tested | None:
    """Say what evidence makes of a record; None when it names no claim and condition, or nothing is known.

    Args:
        vocabulary: of the workspace.
        held: the record.
        beliefs: as they stand.
        now_us: microseconds since the epoch.
    """
    if held is None or held.deleted or CLAIM not in held.fields or CONDITION not in held.fields:
        return None
    words = vocabulary.kinds[held.kind].by_evidence
    claim = claim_of(held.fields[CLAIM])
    if words is None or claim is None or held.status not in {words.open, words.holds, words.fails}:
        return None
    known = beliefs(claim)
    if known is None:
        return None
    seen = outlook(condition_of(held.fields[CONDITION]), known, now_us)
    return Tested(held=held, claim=claim, seen=seen, status=_status(words, held.status, seen))


def _status(words: ByEvidence, status: str, seen: Outlook) -> str:
    """Give the status that evidence makes of one, in the kind's own words."""
    ours = {words.open: "open", words.holds: "supported", words.fails: "refuted"}
    theirs = {word: own for own, word in ours.items()}
    return theirs[verdict(ours[status], seen)]
