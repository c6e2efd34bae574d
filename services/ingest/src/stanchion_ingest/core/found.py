"""What Stanchion itself finds out between messages, screened: estimates of sources, findings on beliefs."""

from stanchion_contracts.finding import ClaimName, Finding
from stanchion_contracts.trust import Estimate
from stanchion_core.errors import FIELD_VALUE, TOO_MANY, InvalidMessage
from stanchion_core.limits import ESTIMATES, FINDING_CHARS, FINDINGS, NAME_CHARS, RELATED_CLAIMS
from stanchion_core.text import clean, required


def screened_estimates(estimates: tuple[Estimate, ...]) -> tuple[Estimate, ...]:
    """Give estimates as they are kept: sorted by name.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    if len(estimates) > ESTIMATES:
        raise InvalidMessage(TOO_MANY, f"{len(estimates)} estimates; the limit is {ESTIMATES} a message", "estimates")
    screened = [_estimate(each, f"estimates[{number}]") for number, each in enumerate(estimates)]
    if len({each.name for each in screened}) != len(screened):
        raise InvalidMessage(FIELD_VALUE, "estimates has a name twice; say each once", "estimates")
    return tuple(sorted(screened, key=lambda each: each.name))


def screened_findings(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Give findings as they are kept, in their order.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    if len(findings) > FINDINGS:
        raise InvalidMessage(TOO_MANY, f"{len(findings)} findings; the limit is {FINDINGS} a message", "findings")
    return tuple(_finding(each, f"findings[{number}]") for number, each in enumerate(findings))


def _estimate(estimate: Estimate, at: str) -> Estimate:
    """Screen one estimate.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    for name in ("trust", "accuracy"):
        share = getattr(estimate, name)
        if share is not None and not 0.0 <= share <= 1.0:  # NaN is outside, too
            raise InvalidMessage(FIELD_VALUE, f"{at}.{name} {share} is outside 0 to 1", f"{at}.{name}")
    if estimate.claims < 0:
        raise InvalidMessage(FIELD_VALUE, f"{at}.claims {estimate.claims} is negative", f"{at}.claims")
    return Estimate(
        name=required(estimate.name, f"{at}.name", chars=NAME_CHARS),
        trust=estimate.trust,
        accuracy=estimate.accuracy,
        claims=estimate.claims,
    )


def _finding(finding: Finding, at: str) -> Finding:
    """Screen one finding.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    if len(finding.related) > RELATED_CLAIMS:
        raise InvalidMessage(
            TOO_MANY, f"{at}.related: {len(finding.related)}; the limit is {RELATED_CLAIMS}", f"{at}.related"
        )
    if bool(finding.predicate) != (finding.kind != "trust_moved"):
        raise InvalidMessage(
            FIELD_VALUE, f"{at}.predicate is of a claim; a source whose trust moved has none", f"{at}.predicate"
        )
    return Finding(
        kind=finding.kind,
        subject=required(finding.subject, f"{at}.subject", chars=NAME_CHARS),
        predicate=clean(finding.predicate, f"{at}.predicate", chars=NAME_CHARS),
        related=tuple(_claim(each, f"{at}.related[{number}]") for number, each in enumerate(finding.related)),
        detail=required(finding.detail, f"{at}.detail", chars=FINDING_CHARS),
        closed=finding.closed,
    )


def _claim(claim: ClaimName, at: str) -> ClaimName:
    """Screen one related claim's name.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    return ClaimName(
        subject=required(claim.subject, f"{at}.subject", chars=NAME_CHARS),
        predicate=required(claim.predicate, f"{at}.predicate", chars=NAME_CHARS),
    )
