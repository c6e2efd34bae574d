"""How well confidence met what turned out, by source, agent and evidence type."""

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.trust import Judgement
from stanchion_core.calibration import Calibration, Judged, calibration
from stanchion_view.core.resolved import Resolved

By = Literal["all", "source", "agent", "evidence"]
_MILLION: Final = 1_000_000


class Measured(Struct, frozen=True, kw_only=True):
    """The calibration of a source, an agent, a type of evidence, or of all beliefs.

    Attributes:
        by: which of them.
        name: of it; empty for all.
        hits: how many were right.
        calibration: the measures.
    """

    by: By
    name: str
    hits: int
    calibration: Calibration


def measured(claims: Iterable[Resolved], limit: int) -> list[Measured]:
    """Measure all beliefs, then sources, agents, and types of evidence; those judged most first, ties by name.

    Args:
        claims: that are resolved, in any order.
        limit: at most so many sources, and so many agents.
    """
    stated: list[Judged] = []
    groups: dict[By, dict[str, list[Judged]]] = {"source": {}, "agent": {}, "evidence": {}}
    for claim in claims:
        if claim.confidence is not None:
            stated.append(Judged(confidence=claim.confidence, hit=claim.hit))
        for one in claim.judged:
            said = Judged(confidence=one.millionths / _MILLION, hit=one.hit)
            for by, name in _names(one):
                groups[by].setdefault(name, []).append(said)
    found = [_measure("all", "", stated)]
    for by, group in groups.items():
        ordered = sorted(group.items(), key=lambda each: (-len(each[1]), each[0]))
        found += [_measure(by, name, mine) for name, mine in ordered[:limit]]
    return found


def _names(one: Judgement) -> tuple[tuple[By, str], ...]:
    """Give under which names a judgement counts."""
    return ("source", one.source), ("agent", one.agent), ("evidence", one.evidence)


def _measure(by: By, name: str, mine: list[Judged]) -> Measured:
    """Measure one of them."""
    return Measured(by=by, name=name, hits=sum(one.hit for one in mine), calibration=calibration(mine))
