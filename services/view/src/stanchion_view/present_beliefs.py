"""Beliefs, and what they are worked out by, as the proto says it."""

from collections.abc import Mapping
from typing import Final

from stanchion_contracts.finding import Finding
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2 as pb
from stanchion_contracts.policy import BeliefPolicy
from stanchion_contracts.value import Value
from stanchion_core.fusion import PRIOR_WEIGHT, Stance
from stanchion_core.stance import dissonance
from stanchion_core.trust import TrustTable
from stanchion_view.core.belief import BeliefNow, Counted
from stanchion_view.core.finding import Noted
from stanchion_view.core.measured import Measured
from stanchion_view.present import timestamp

VALUES: Final = 200
"""How many values of a belief are listed; the total counts all."""

_DAY_S: Final = 86_400


def belief(workspace: str, now: BeliefNow, seq: int, resolved: Value | None) -> pb.Belief:
    """Give a belief as it stands at the reader's now.

    Args:
        workspace: its name.
        now: worked out.
        seq: at which it moved last.
        resolved: what it was resolved to; None while it is open.
    """
    subject, predicate = now.claim
    opinion = now.opinion
    likeliest = sorted(opinion.values, key=_unlikeliness)  # of several true at once the heaviest need not be
    shown = pb.Belief(
        workspace=workspace,
        subject=subject,
        predicate=predicate,
        values=[_state(stance, apart=opinion.multi_valued) for stance in likeliest[:VALUES]],
        vacuity=opinion.vacuity,
        dissonance=opinion.dissonance,
        stale=opinion.stale,
        seq=seq,
        as_of=timestamp(now.now_us),
        contributions=map(_contribution, now.counted),
        half_life_days=now.policy.half_life_s / _DAY_S,
        contributions_total=now.total,
        values_total=len(opinion.values),
        multi_valued=opinion.multi_valued,
        tolerance=now.policy.tolerance,
        contradicted=now.contradicted,
    )
    if resolved is not None:
        shown.resolved.CopyFrom(value(resolved))
    return shown


def value(said: Value) -> pb.Value:
    """Give a typed value."""
    return pb.Value(type=said.type, text=said.text, unit=said.unit, op=said.op)


def trust(name: str, table: TrustTable, estimates: Mapping[str, float]) -> pb.Trust:
    """Give how far a name is trusted, and everything that speaks for it, in force or not.

    Args:
        name: whose.
        table: what is in force.
        estimates: of consensus, whether the workspace wants them or not.
    """
    trusted, outcome = table.of(name), table.outcomes.get(name)
    shown = pb.Trust(name=name, value=trusted.value, basis=trusted.ground)
    if name in table.settings:
        shown.setting = table.settings[name]
    if outcome is not None:
        shown.hits, shown.judged = outcome.hits, outcome.judged
    if name in estimates:
        shown.consensus = estimates[name]
    return shown


def policy(said: BeliefPolicy) -> pb.BeliefPolicy:
    """Give how beliefs are worked out."""
    return pb.BeliefPolicy(
        predicate=said.predicate,
        half_life=said.half_life,
        multi_valued=said.multi_valued,
        tolerance=said.tolerance,
        consensus=said.consensus,
    )


def calibration(found: Measured) -> pb.Calibration:
    """Give how well confidence met what turned out."""
    measures = found.calibration
    return pb.Calibration(
        by=found.by,
        name=found.name,
        count=measures.count,
        hits=found.hits,
        brier=measures.brier,
        error=measures.error,
        bins=[
            pb.CalibrationBin(begin=one.begin, end=one.end, count=one.count, confidence=one.confidence, hits=one.hits)
            for one in measures.bins
        ],
    )


def finding(noted: Noted) -> pb.Finding:
    """Give what was found."""
    found: Finding = noted.finding
    return pb.Finding(
        kind=found.kind,
        subject=found.subject,
        predicate=found.predicate,
        related=[pb.ClaimName(subject=each.subject, predicate=each.predicate) for each in found.related],
        detail=found.detail,
        seq=noted.seq,
        found_at=timestamp(noted.at_us),
    )


def _unlikeliness(stance: Stance[Value]) -> float:
    """Give what values are ordered by."""
    return -stance.probability


def _state(stance: Stance[Value], *, apart: bool) -> pb.ValueState:
    """Give how one value stands; of a claim with several also what is open and in conflict of it alone."""
    shown = pb.ValueState(value=value(stance.value), probability=stance.probability, evidence=stance.evidence)
    if apart:
        total = stance.evidence + stance.against
        shown.against = stance.against
        shown.vacuity = PRIOR_WEIGHT / (total + PRIOR_WEIGHT)
        shown.dissonance = dissonance((stance.evidence, stance.against), total)
    return shown


def _contribution(counted: Counted) -> pb.Contribution:
    """Give one voice."""
    said = counted.contribution
    return pb.Contribution(
        id=said.id,
        value=value(said.value),
        denial=not said.positive,
        evidence=said.evidence,
        source=said.source,
        agent=said.agent,
        observed_at=timestamp(said.observed_at_us),
        weight=counted.weight,
        displaced=counted.displaced,
        sample=said.sample,
        strength=said.strength,
        rule=said.rule,
        begin=said.begin,
        end=said.end,
    )
