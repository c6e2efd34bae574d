"""What fusion passes on of how beliefs are worked out, as changes: trust, policies, estimates by consensus."""

from typing import Final

from stanchion_contracts.change import Change, TrustChange
from stanchion_contracts.observation import TrustSetting
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.trust import Estimate, EstimateChange
from stanchion_validity.core.outcome import Outcome

_NAMED: Final = 3
"""How many sources a sentence names."""


def set_trust(outcome: Outcome, setting: TrustSetting, before: float | None) -> None:
    """Add a trust setting."""
    value = "taken back" if setting.value is None else f"set to {setting.value:g}"
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="trust.set",
            subject_kind="trust",
            subject_id=setting.name,
            reason=f"trust in {setting.name} {value}" + ("" if before is None else f", was {before:g}"),
            trust=TrustChange(name=setting.name, before=before, after=setting.value),
        )
    )


def set_policy(outcome: Outcome, change: PolicyChange) -> None:
    """Add a policy that changed; one that did not is no change."""
    before, after = change.before, change.after
    if before == after:
        return
    workspace = outcome.meta.workspace
    whose = f"beliefs on {after.predicate}" if after.predicate else f"beliefs of workspace {workspace}"
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="policy.set",
            subject_kind="policy",
            subject_id=after.predicate or workspace,
            reason=f"{whose}: {'; '.join(_differences(before, after))}",
            policy=change,
        )
    )


def estimate(outcome: Outcome, estimates: tuple[Estimate, ...]) -> None:
    """Add estimates that are new or differ."""
    if not estimates:
        return
    named = ", ".join(_estimated(one) for one in estimates[:_NAMED])
    more = f" and {len(estimates) - _NAMED} more" if len(estimates) > _NAMED else ""
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="trust.estimated",
            subject_kind="trust",
            subject_id="consensus",
            reason=f"trust by consensus: {named}{more}",
            estimated=EstimateChange(estimates=estimates),
        )
    )


def _differences(before: BeliefPolicy, after: BeliefPolicy) -> list[str]:
    """Say what differs between two policies, each in a few words."""
    wider = "the workspace's" if after.predicate else "the process's"
    said = []
    if before.half_life != after.half_life:
        said.append(f"half-life {before.half_life or wider} → {after.half_life or wider}")
    if before.multi_valued != after.multi_valued:
        one = "as the workspace has it" if after.predicate else "one value at a time"
        said.append("several values at once" if after.multi_valued else one)
    if before.tolerance != after.tolerance:
        said.append(f"tolerance {before.tolerance:g} → {after.tolerance:g}")
    if before.consensus != after.consensus:
        said.append(f"consensus {'on' if after.consensus else 'off'}")
    return said


def _estimated(one: Estimate) -> str:
    """Show one estimate."""
    return f"{one.name} {'no more' if one.trust is None else format(one.trust, '.2f')}"
