"""What claims turned out to be, who said what of them before, and how sure the belief was."""

import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Protocol

from msgspec import Struct

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import ResolutionChange
from stanchion_contracts.trust import Judgement
from stanchion_contracts.value import Value
from stanchion_core.aged import likeliest_at
from stanchion_core.condition import Condition, outlook, satisfies
from stanchion_core.trust import Outcome, recount


class Resolved(Struct, frozen=True, kw_only=True):
    """What is known of a claim that is resolved.

    Attributes:
        value: what turned out to be true.
        judged: what each voice had said of it.
        confidence: how likely the likeliest value was just before, 0 to 1; None where nobody had named one. Of a claim
            that may have several values that of what turned out.
        hit: that value is what turned out.
        seq: of the resolution.
        at_us: when it was recorded, microseconds since the epoch.
    """

    value: Value
    judged: tuple[Judgement, ...]
    confidence: float | None
    hit: bool
    seq: int
    at_us: int


class HeldLike(Protocol):
    """What this module reads of a held belief."""

    @property
    def belief(self) -> Belief:
        """Give the last belief."""


Outcomes = MutableMapping[str, Outcome]
"""Of the claims that are resolved now, by source."""


def kept_once(judged: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """Give judgements whose names are kept once, however many there are of a source."""
    return tuple(
        Judgement(
            source=sys.intern(one.source),
            agent=sys.intern(one.agent),
            evidence=one.evidence,
            millionths=one.millionths,
            hit=one.hit,
        )
        for one in judged
    )


def resolved(change: ResolutionChange, held: HeldLike | None, seq: int, at_us: int) -> Resolved | None:
    """Give what is known of a claim once it is resolved; None where it was opened again.

    Args:
        change: the resolution.
        held: the claim's belief just before; None where nobody has spoken of it.
        seq: of the change.
        at_us: when it was recorded, microseconds since the epoch.
    """
    if change.value is None:
        return None
    confidence, hit = _stated(held.belief, change.value, at_us) if held is not None else (None, False)
    return Resolved(
        value=change.value,
        judged=kept_once(change.judged),
        confidence=confidence,
        hit=hit,
        seq=seq,
        at_us=at_us,
    )


def _stated(belief: Belief, truth: Value, at_us: int) -> tuple[float | None, bool]:
    """Give how likely a belief held what it held likeliest, and whether that turned out; None where it held nothing.

    Of a claim that may have several values only the one that turned out is looked at: of the others nothing is known.
    """
    asked = Condition(op="equals", value=truth)
    if belief.multi_valued:
        named = any(satisfies(state.value, asked, tolerance=belief.tolerance) for state in belief.values)
        return (outlook(asked, belief, at_us).probability if named else None), named
    before = likeliest_at(belief, at_us)
    if before is None:
        return None, False
    state, likely = before
    return likely, satisfies(state.value, asked, tolerance=belief.tolerance)


def count(outcomes: Outcomes, before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> None:
    """Let one claim's judgements take the place of those it had; who is judged no more has no outcome.

    Args:
        outcomes: of all claims; changes in place.
        before: of the claim, by source.
        after: likewise.
    """
    for source, outcome in recount(outcomes, before, after).items():
        if outcome is not None:
            outcomes[source] = outcome
        else:
            outcomes.pop(source, None)
