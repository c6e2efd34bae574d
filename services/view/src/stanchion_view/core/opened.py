"""Which records a change made need review: a walk against the links from what moved; the walk then judges each."""

from collections.abc import Iterator

from stanchion_contracts.change import Change
from stanchion_contracts.heads import Heads, resting_on
from stanchion_core.walk import MAX_DISTANCE, validity


def opened(heads: Heads, change: Change, seq: int, now_us: int) -> tuple[str, ...]:
    """Give the records that need review since this change and did not before, nearest first, then by id.

    Args:
        heads: with the change folded in.
        change: what happened.
        seq: of the change.
        now_us: when it was recorded.
    """
    return tuple(record for record in _candidates(heads, change) if _opens(heads, record, seq, now_us))


def _candidates(heads: Heads, change: Change) -> Iterator[str]:
    """Give the records whose walk may come to what moved, nearest first."""
    if change.record is not None and heads.records[change.record.id].citations:
        yield change.record.id  # it may cite what a report did not find
    if change.record is not None and change.record.moves:
        yield from _above(heads, change.record.id)
    if change.observed is not None and any(quote.seen == "absent" for quote in change.observed.quotes):
        yield from sorted(heads.citing.get(change.observed.uri, ()))


def _above(heads: Heads, moved: str) -> Iterator[str]:
    """Walk against the links that rest and the citations, as far as the walk itself goes."""
    seen, level = {moved}, [moved]
    for _ in range(MAX_DISTANCE):
        level = sorted({above for below in level for above in resting_on(heads, below)} - seen)
        seen.update(level)
        yield from level


def _opens(heads: Heads, record: str, seq: int, now_us: int) -> bool:
    """Tell whether everything that counts against a record is of this seq."""
    if heads.records[record].deleted:
        return False
    reasons = validity(heads.records.get, record, now_us, seq).reasons
    return bool(reasons) and reasons[0].seq >= seq
