"""What claims turned out to be, who said what of them before, and how sure the belief was."""

import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import Protocol

from msgspec import Struct

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import ResolutionChange
from stanchion_contracts.trust import Judgement
from stanchion_contracts.value import Value
from stanchion_core.condition import Condition, satisfies
from stanchion_core.trust import Outcome
from stanchion_view.core.aged import aged


class Resolved(Struct, frozen=True, kw_only=True):
    """What is known of a claim that is resolved.

    Attributes:
        value: what turned out to be true.
        judged: what each voice had said of it.
        confidence: how likely the likeliest value was just before, 0 to 1; None where nobody had named one.
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
    belief = held.belief if held is not None else None
    likeliest = belief.values[0].value if belief is not None and belief.values else None
    return Resolved(
        value=change.value,
        judged=kept_once(change.judged),
        confidence=aged(belief, at_us).probability if belief is not None and likeliest is not None else None,
        hit=likeliest is not None and satisfies(likeliest, Condition(op="equals", value=change.value)),
        seq=seq,
        at_us=at_us,
    )


def count(outcomes: Outcomes, before: Mapping[str, Outcome], after: Mapping[str, Outcome]) -> None:
    """Let one claim's judgements take the place of those it had; who is judged no more has no outcome.

    Args:
        outcomes: of all claims; changes in place.
        before: of the claim, by source.
        after: likewise.
    """
    none = Outcome(hits=0, judged=0)
    for source in {**before, **after}:
        old, new, known = before.get(source, none), after.get(source, none), outcomes.get(source, none)
        judged = known.judged - old.judged + new.judged
        if judged:
            outcomes[source] = Outcome(hits=known.hits - old.hits + new.hits, judged=judged)
        else:
            outcomes.pop(source, None)
