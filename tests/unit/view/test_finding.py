"""Which findings somebody asks for, latest first."""

import random

from stanchion_contracts.finding import Finding, FindingKind
from stanchion_view.core.finding import Noted, Wanted, latest


def noted(seq: int, kind: FindingKind, subject: str, predicate: str) -> Noted:
    """Give a finding that holds."""
    return Noted(finding=Finding(kind=kind, subject=subject, predicate=predicate, detail="so"), seq=seq, at_us=0)


HELD = [
    noted(4, "stale", "pump", "heat"),
    noted(9, "contradiction", "pump", "heat"),
    noted(7, "trust_moved", "Plant", ""),
    noted(5, "related", "fan", "heat"),
]


def seqs(wanted: Wanted, limit: int = 9) -> list[int]:
    """Give the seqs of what is found, whatever order the findings are held in."""
    held = list(HELD)
    random.shuffle(held)
    return [one.seq for one in latest(held, wanted, limit)]


def test_the_latest_come_first() -> None:
    """A page has so many of the latest, and the next one goes on before the last of it."""
    assert [9, 7, 5, 4] == seqs(Wanted())
    assert [9, 7] == seqs(Wanted(), 2)
    assert [5, 4] == seqs(Wanted(before=7), 2)


def test_every_part_narrows() -> None:
    """Kind, subject and predicate each leave out what is another's."""
    assert [9, 4] == seqs(Wanted(kinds=frozenset({"stale", "contradiction"})))
    assert [7] == seqs(Wanted(subjects=frozenset({"Plant", "plant"})))
    assert [9, 5, 4] == seqs(Wanted(predicate="heat"))
    assert [] == seqs(Wanted(kinds=frozenset({"stale"}), subjects=frozenset({"fan"})))
