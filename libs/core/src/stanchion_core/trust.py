"""How far each source and agent is trusted: one table for whoever works beliefs out.

A setting of a person goes before everything; without one, what came out of the source's claims; without any, what
consensus makes of it, where the workspace wants that; else the default.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, Protocol

from msgspec import Struct

from stanchion_core.calibration import outcome_trust

DEFAULT_TRUST: Final = 0.7
"""Of whom nothing is known; the prior of `outcome_trust`."""

Ground = Literal["setting", "outcomes", "consensus", "default"]
"""What a trust rests on, in order of precedence."""


class JudgementLike(Protocol):
    """What this module reads of a judgement (`stanchion_contracts.trust.Judgement` is one)."""

    @property
    def source(self) -> str:
        """Give who is judged."""

    @property
    def hit(self) -> bool:
        """Tell whether it was right."""


class Outcome(Struct, frozen=True, kw_only=True):
    """How often a source was judged, and how often it was right."""

    hits: int
    judged: int


class Trusted(Struct, frozen=True, kw_only=True):
    """How far one name is trusted, 0 to 1, and what that rests on."""

    value: float
    ground: Ground


class TrustTable(Struct, frozen=True, kw_only=True):
    """What is known of names, from which follows how far each is trusted.

    Attributes:
        settings: of a person, 0 to 1, by name.
        outcomes: of the claims that are resolved now, by source.
        estimates: of consensus, 0 to 1, by source; empty where the workspace does not want them.
    """

    settings: Mapping[str, float]
    outcomes: Mapping[str, Outcome]
    estimates: Mapping[str, float]

    def of(self, name: str) -> Trusted:
        """Give how far a name is trusted, and what that rests on."""
        if name in self.settings:
            return Trusted(value=self.settings[name], ground="setting")
        if name in self.outcomes:
            outcome = self.outcomes[name]
            return Trusted(value=outcome_trust(outcome.hits, outcome.judged), ground="outcomes")
        if name in self.estimates:
            return Trusted(value=self.estimates[name], ground="consensus")
        return Trusted(value=DEFAULT_TRUST, ground="default")

    def effective(self, names: Iterable[str] | None = None) -> dict[str, float]:
        """Give what fusion weighs with: the trust of each name that is not at the default for want of anything else.

        Args:
            names: whose trust is wanted; None for everybody's.
        """
        wanted = {*self.settings, *self.outcomes, *self.estimates} if names is None else names
        trusted = {name: self.of(name) for name in wanted}
        return {name: one.value for name, one in trusted.items() if one.ground != "default"}


def tally(judgements: Iterable[JudgementLike]) -> dict[str, Outcome]:
    """Count judgements by source, in any order.

    Args:
        judgements: those of the claims that are resolved now; those of a claim that was reopened are not among them.
    """
    counts: dict[str, list[int]] = {}
    for one in judgements:
        count = counts.setdefault(one.source, [0, 0])
        count[0] += one.hit
        count[1] += 1
    return {source: Outcome(hits=hits, judged=judged) for source, (hits, judged) in counts.items()}


def recount(
    outcomes: Mapping[str, Outcome], before: Mapping[str, Outcome], after: Mapping[str, Outcome]
) -> dict[str, Outcome | None]:
    """Give the outcomes of whom one claim judges once its judgements take the place of those it had.

    Args:
        outcomes: of all claims, by source.
        before: of the claim, by source.
        after: likewise.

    Returns:
        By source; None for one that is judged no more.
    """
    none = Outcome(hits=0, judged=0)
    found: dict[str, Outcome | None] = {}
    for source in {**before, **after}:
        old, new, known = before.get(source, none), after.get(source, none), outcomes.get(source, none)
        judged = known.judged - old.judged + new.judged
        found[source] = Outcome(hits=known.hits - old.hits + new.hits, judged=judged) if judged else None
    return found
