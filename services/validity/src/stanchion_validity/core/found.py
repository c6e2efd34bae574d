"""What is kept of findings while they hold: two digests each, enough to tell a repeat, for a claim may have several."""

from collections.abc import Iterable
from typing import Final

from stanchion_contracts.finding import Finding
from stanchion_core.ids import content_digest

FindingKey = bytes
"""Stands for kind, subject and predicate."""

_EVENTS: Final = frozenset({"trust_moved"})
"""Kinds that happen rather than hold: said in other words, they have happened again."""

_DIGEST_BYTES: Final = 16


def fold_finding(findings: dict[FindingKey, bytes], finding: Finding) -> None:
    """Keep what holds, forget what does not."""
    if finding.closed:
        findings.pop(key_of(finding), None)
    else:
        findings[key_of(finding)] = told_of(finding)


def key_of(finding: Finding) -> FindingKey:
    """Give what a finding is known by."""
    return _digest((finding.kind, finding.subject, finding.predicate))


def told_of(finding: Finding) -> bytes:
    """Give a digest of what makes a finding another one: the claims it goes with; not its words, which say how much."""
    names = [part for claim in finding.related for part in (claim.subject, claim.predicate)]
    words = [finding.detail] if finding.kind in _EVENTS else []
    return _digest((*words, *names))


def _digest(parts: Iterable[str]) -> bytes:
    """Give the bytes that stand for some words."""
    return content_digest(part.encode() for part in parts)[:_DIGEST_BYTES]
