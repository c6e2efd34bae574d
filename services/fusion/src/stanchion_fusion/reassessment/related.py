"""Which claims go together: one subject and a source that both rest on, or one predicate and two such sources."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from stanchion_contracts.finding import ClaimName
from stanchion_core.limits import RELATED_CLAIMS
from stanchion_fusion.core.terms import ClaimKey
from stanchion_fusion.core.workspace import Workspace

NEIGHBOURS: Final = 20
"""Of claims with one subject or predicate each is compared to so many before and after it, in the order of names."""

_LEAST_SHARED: Final = 2  # sources, where only the predicate is shared
_SAYING_NOTHING: Final = "is"  # what texts say of a thing itself: every claim has it, so it makes none go with others


class Relations:
    """The claims of a workspace, by what they share.

    Args:
        workspace: as it is now; not written to.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._sources = {key: _sources(workspace, key) for key in workspace.said}
        self._places: dict[ClaimKey, tuple[int, int]] = {}
        by_subject: dict[str, list[ClaimKey]] = {}
        by_predicate: dict[str, list[ClaimKey]] = {}
        for key in sorted(workspace.said):
            of_subject = by_subject.setdefault(key[0], [])
            of_predicate = by_predicate.setdefault(key[1], [])
            self._places[key] = len(of_subject), len(of_predicate)
            of_subject.append(key)
            of_predicate.append(key)
        self._by_subject: Mapping[str, Sequence[ClaimKey]] = by_subject
        self._by_predicate: Mapping[str, Sequence[ClaimKey]] = by_predicate

    def of(self, key: ClaimKey) -> tuple[ClaimName, ...]:
        """Give the claims that one goes with, sorted: those of its subject, then those with most sources."""
        mine = self._sources[key]
        of_subject, of_predicate = self._places[key]
        best = [
            (0, -len(shared), other)
            for other in _near(self._by_subject[key[0]], of_subject)
            if (shared := mine & self._sources[other])
        ]
        best += [
            (1, -len(shared), other)
            for other in _near(self._by_predicate[key[1]], of_predicate)
            if key[1] != _SAYING_NOTHING and len(shared := mine & self._sources[other]) >= _LEAST_SHARED
        ]
        chosen = sorted(best)[:RELATED_CLAIMS]
        return tuple(sorted(ClaimName(subject=other[0], predicate=other[1]) for _, _, other in chosen))


def _near(claims: Sequence[ClaimKey], place: int) -> Iterable[ClaimKey]:
    """Give the claims before and after a place."""
    yield from claims[max(0, place - NEIGHBOURS) : place]
    yield from claims[place + 1 : place + 1 + NEIGHBOURS]


def _sources(workspace: Workspace, key: ClaimKey) -> frozenset[str]:
    """Give what a claim rests on."""
    heard = workspace.heard.get(key)
    if heard is not None:
        return frozenset(voice[0] for voice in heard.voices)
    return frozenset(one.source or one.agent for one in workspace.said[key].values())
