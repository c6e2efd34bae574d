"""How records stand, kept between reads: the part of validity that only changes when a head does.

Whether a record needs review, and whether its walk hit a bound, depends on heads alone. What time and evidence add (a
source nobody looked at for 30 days, a stale belief) is worked out at each read, from what is named here.
"""

from collections.abc import Iterable

from msgspec import Struct

from stanchion_contracts.heads import Heads, resting_on
from stanchion_core.walk import MAX_DISTANCE, UNOBSERVED_US, Claim, validity
from stanchion_view.core.query import State
from stanchion_view.core.state import Workspace


class Standing(Struct, frozen=True):
    """What heads alone say of a record.

    Attributes:
        moved: something moved that counts, or a quote was not found.
        bounded: the walk did not come to its end.
        claims: of the hypotheses on the walk; one that is stale bounds it too.
    """

    moved: bool
    bounded: bool
    claims: tuple[Claim, ...]


class Standings:
    """The standing of records of one workspace, as far as it was asked for."""

    def __init__(self) -> None:
        self._known: dict[str, Standing] = {}

    def missing(self, workspace: Workspace) -> list[str]:
        """Give the records whose standing is not known."""
        return [record for record in workspace.heads.records if record not in self._known]

    def learn(self, workspace: Workspace, records: Iterable[str]) -> None:
        """Work out the standing of records."""
        for record in records:
            self._known[record] = _of(workspace.heads, record)

    def state(self, workspace: Workspace, record: str, now_us: int) -> State:
        """Give a record's state, the same as the walk does.

        Args:
            workspace: where.
            record: which; it is there.
            now_us: microseconds since the epoch.
        """
        if record not in self._known:
            self.learn(workspace, (record,))
        known = self._known[record]
        if known.moved:
            return "needs_review"
        open_end = known.bounded or any(workspace.stale(claim, now_us) for claim in known.claims)
        return "monitoring_incomplete" if open_end or _unobserved(workspace.heads, record, now_us) else "current"

    def forget(self, heads: Heads, changed: Iterable[str]) -> None:
        """Drop what may have changed with these heads: everything whose walk comes to one of them, or just past it."""
        if not self._known:
            return
        seen = set(changed)
        level = seen
        for _ in range(MAX_DISTANCE + 1):
            level = {above for below in level for above in resting_on(heads, below)} - seen
            seen |= level
        for record in seen:
            self._known.pop(record, None)


def _of(heads: Heads, record: str) -> Standing:
    """Walk once, at a time when nothing is old, and note every claim that is asked for."""
    claims: list[Claim] = []

    def note(claim: Claim) -> bool:
        claims.append(claim)
        return False

    found = validity(heads.records.get, record, 0, 0, stale=note)
    return Standing(bool(found.reasons), bool(found.bounds), tuple(claims))


def _unobserved(heads: Heads, record: str, now_us: int) -> bool:
    """Tell whether one of a record's own outside sources was neither written nor observed for 30 days."""
    return any(
        now_us - cited.seen_us > UNOBSERVED_US and cited.uri not in heads.records
        for cited in heads.records[record].citations
    )
