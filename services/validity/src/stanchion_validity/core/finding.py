"""What a look over all beliefs found: told when it begins to hold, and when it ends."""

from stanchion_contracts.change import Change
from stanchion_contracts.finding import Finding
from stanchion_validity.core.found import FindingKey, key_of, told_of
from stanchion_validity.core.outcome import Outcome


def find(outcome: Outcome, findings: tuple[Finding, ...]) -> None:
    """Add what begins to hold, holds of other claims, or ends; what is known already changes nothing."""
    known: dict[FindingKey, bytes | None] = {}
    for finding in findings:
        key = key_of(finding)
        stands = known[key] if key in known else outcome.workspace.findings.get(key)
        told = None if finding.closed else told_of(finding)
        if told == stands:
            continue
        known[key] = told
        about = tuple(filter(None, (finding.subject, finding.predicate)))
        outcome.add(
            Change(
                seq=outcome.next_seq,
                action="finding.closed" if finding.closed else "finding.opened",
                subject_kind="finding",
                subject_id=f"{finding.kind} {'/'.join(about)}",
                reason=f"{' '.join(about)}: {finding.detail}",
                finding=finding,
            )
        )
