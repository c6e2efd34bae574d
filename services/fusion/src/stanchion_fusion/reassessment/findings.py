"""What a look over the beliefs of a workspace finds, and what of it was not told yet."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from stanchion_contracts.belief import Belief
from stanchion_contracts.finding import ClaimName, Finding, FindingKind
from stanchion_core.aged import CONTRADICTED_ABOVE, contradicted_at, dissonance_at, rivals_at, stale_at
from stanchion_core.limits import RELATED_CLAIMS
from stanchion_core.quantity import in_words
from stanchion_core.trust import DEFAULT_TRUST
from stanchion_fusion.core.terms import ClaimKey
from stanchion_fusion.core.workspace import Workspace
from stanchion_fusion.reassessment.related import Relations

TRUST_MOVED: Final = 0.05
"""Trust in a source that moved by more since it was last told is worth a word."""

FindingKey = tuple[FindingKind, str, str]
"""Kind, subject and predicate: a claim has one finding of a kind."""

_ORDER: Final[Mapping[FindingKind, int]] = {"contradiction": 0, "trust_moved": 1, "stale": 2, "related": 3}


def key_of(finding: Finding) -> FindingKey:
    """Give what a finding is known by."""
    return finding.kind, finding.subject, finding.predicate


def moved_findings(
    workspace: Workspace,
    held: Mapping[FindingKey, Finding],
    told: Mapping[str, float],
    *,
    now_us: int,
    grown: bool,
) -> tuple[Finding, ...]:
    """Give what opened or closed since it was last told: contradictions first, then trust, stale beliefs and relations.

    Args:
        workspace: as it is now; not written to.
        held: what is open, as it was told.
        told: by name of source, its trust when it was last told that it moved.
        now_us: the time of the look, microseconds since the epoch.
        grown: claims or voices came since the last look; else relations are as they were.
    """
    found = {key_of(one): one for one in (*_by_age(workspace, now_us), *_trust(workspace, told))}
    kinds: set[FindingKind] = {"contradiction", "stale", "trust_moved"}
    if grown:
        kinds.add("related")
        found.update((key_of(one), one) for one in _related(workspace, held))
    opened = [one for key, one in found.items() if _is_new(one, held.get(key))]
    closed = [
        Finding(kind=one.kind, subject=one.subject, predicate=one.predicate, detail=_OVER[one.kind], closed=True)
        for key, one in held.items()
        if one.kind in kinds and key not in found
    ]
    return tuple(sorted([*opened, *closed], key=_rank))


def _rank(finding: Finding) -> tuple[int, str, str]:
    """Give the order of telling."""
    return _ORDER[finding.kind], finding.subject, finding.predicate


def _is_new(finding: Finding, held: Finding | None) -> bool:
    """Tell whether a finding says what was not said; trust that moved again is told again."""
    return held is None or held.related != finding.related or finding.kind == "trust_moved"


def _by_age(workspace: Workspace, now_us: int) -> Iterator[Finding]:
    """Give the contradictions and the stale beliefs, which age alone can bring and take."""
    for (subject, predicate), belief in workspace.beliefs.items():
        if contradicted_at(belief, now_us):
            yield Finding(kind="contradiction", subject=subject, predicate=predicate, detail=_conflict(belief, now_us))
        if stale_at(belief, now_us):
            yield Finding(
                kind="stale",
                subject=subject,
                predicate=predicate,
                detail="less than a quarter of its evidence is left; find out whether it still holds",
            )


def _conflict(belief: Belief, now_us: int) -> str:
    """Say what contradicts what."""
    likely = " and ".join(f"{in_words(state.value)} ({share:.2f})" for state, share in rivals_at(belief, now_us))
    conflict = dissonance_at(belief, now_us)
    if conflict <= CONTRADICTED_ABOVE:
        return f"only one can be true: {likely}"
    return f"evidence disagrees (dissonance {conflict:.2f})" + (f": {likely}" if likely else "")


def _trust(workspace: Workspace, told: Mapping[str, float]) -> Iterator[Finding]:
    """Give the names that spoke and are trusted otherwise than was last told."""
    trust = workspace.terms.trust
    for name in trust.keys() | told.keys():
        before, now = told.get(name, DEFAULT_TRUST), trust.get(name, DEFAULT_TRUST)
        if abs(now - before) > TRUST_MOVED and name in workspace.named:
            yield Finding(kind="trust_moved", subject=name, detail=f"trust went from {before:.2f} to {now:.2f}")


def _related(workspace: Workspace, held: Mapping[FindingKey, Finding]) -> Iterable[Finding]:
    """Give the claims that go with others; one that goes with as many as can be told keeps them: nothing parts them."""
    relations = Relations(workspace)
    for key in workspace.said:
        known = held.get(("related", *key))
        if known is not None and len(known.related) >= RELATED_CLAIMS:
            yield known
        elif related := relations.of(key):
            yield Finding(
                kind="related", subject=key[0], predicate=key[1], related=related, detail=_going(key, related)
            )


def _going(key: ClaimKey, related: tuple[ClaimName, ...]) -> str:
    """Say how many claims one goes with, and why."""
    same = sum(one.subject == key[0] for one in related)
    parts = [f"{same} of the same subject"] if same else []
    parts += [f"{len(related) - same} of the same predicate"] if len(related) > same else []
    return f"goes with {' and '.join(parts)}, by shared sources"


_OVER: Final[Mapping[FindingKind, str]] = {
    "contradiction": "its values no longer contradict each other",
    "stale": "its evidence is fresh again",
    "related": "it goes with no other claim any more",
    "trust_moved": "trust has stayed since",
}
