"""What looks over all beliefs found and what still holds of it."""

from msgspec import Struct

from stanchion_contracts.finding import Finding

FindingKey = tuple[str, str, str]
"""Kind, subject, predicate: what is found once."""


class Noted(Struct, frozen=True, kw_only=True):
    """A finding that holds.

    Attributes:
        finding: what was found.
        seq: of the change that opened it, or told it anew.
        at_us: when that was recorded, microseconds since the epoch.
    """

    finding: Finding
    seq: int
    at_us: int


def key_of_finding(finding: Finding) -> FindingKey:
    """Give what a finding is known by."""
    return finding.kind, finding.subject, finding.predicate
