"""What looks over all beliefs found and what still holds of it."""

import heapq
from collections.abc import Iterable

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


class Wanted(Struct, frozen=True, kw_only=True):
    """What a finding must be; what is empty lets everything through.

    Attributes:
        kinds: one of these.
        subjects: one of these is its subject.
        predicate: normalised.
        before: of an earlier change than this seq; 0 for any.
    """

    kinds: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    predicate: str = ""
    before: int = 0


def latest(noted: Iterable[Noted], wanted: Wanted, limit: int) -> list[Noted]:
    """Give the latest findings that are what is wanted, latest first, at most so many."""
    return heapq.nlargest(limit, (one for one in noted if _is(one, wanted)), key=_seq)


def _is(noted: Noted, wanted: Wanted) -> bool:
    """Tell whether a finding is what is wanted."""
    found = noted.finding
    return (
        (not wanted.before or noted.seq < wanted.before)
        and (not wanted.kinds or found.kind in wanted.kinds)
        and (not wanted.subjects or found.subject in wanted.subjects)
        and (not wanted.predicate or found.predicate == wanted.predicate)
    )


def _seq(noted: Noted) -> int:
    """Give what findings are ordered by."""
    return noted.seq


def key_of_finding(finding: Finding) -> FindingKey:
    """Give what a finding is known by."""
    return finding.kind, finding.subject, finding.predicate
