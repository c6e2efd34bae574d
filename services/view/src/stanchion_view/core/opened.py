"""Which records a message made need review: a walk against the links from what moved; the walk then judges each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from stanchion_contracts.change import Change
from stanchion_contracts.heads import Heads, resting_on
from stanchion_core.walk import MAX_DISTANCE, Head, Lookup, Reason, validity


class Reworded(Struct, frozen=True):
    """Settings changed, and with them perhaps the vocabulary: when, and the heads as they were read before."""

    seq: int
    before: Mapping[str, Head]


def opened(heads: Heads, changes: Sequence[Change], reworded: Reworded | None = None) -> dict[int, tuple[str, ...]]:
    """Give the records that need review after a message and did not before, nearest first, by the seq of what did it.

    A message is seen whole or not at all, so each record is judged once, as it stands after all of it: what moved and
    is stood behind again in one batch opens nothing. To judge after each change took 46 seconds where a batch moved
    200 records that rest on each other.

    Args:
        heads: with the message folded in.
        changes: of the message, in order.
        reworded: where it changed settings: under another vocabulary old moves can count that did not.
    """
    found: dict[int, list[tuple[int, str]]] = {}
    for record in _candidates(heads, changes):
        if heads.records[record].deleted:
            continue
        reasons = _reasons(heads.records.get, record)
        if reasons and reasons[0].seq >= changes[0].seq:  # everything that counts against it is of this message
            found.setdefault(reasons[0].seq, []).append((len(reasons[0].path), record))
    if reworded is not None:
        found.setdefault(reworded.seq, []).extend(_by_words(heads, reworded.before))
    return {seq: tuple(record for _, record in sorted(records)) for seq, records in found.items() if records}


def _by_words(heads: Heads, before: Mapping[str, Head]) -> Iterator[tuple[int, str]]:
    """Give the records that need review under another vocabulary and did not before, and how far the reason is."""
    others = {record for record, head in heads.records.items() if head is not before.get(record)}
    for record in others.union(_above(heads, others)):
        reasons = () if heads.records[record].deleted else _reasons(heads.records.get, record)
        if reasons and not _reasons(before.get, record):
            yield len(reasons[0].path), record


def _reasons(heads: Lookup, record: str) -> tuple[Reason, ...]:
    """Give what counts against a record."""
    return validity(heads, record, 0, 0).reasons


def _candidates(heads: Heads, changes: Iterable[Change]) -> set[str]:
    """Give the records whose walk may come to what moved."""
    found: set[str] = set()
    moved: set[str] = set()
    for change in changes:
        if change.record is not None and heads.records[change.record.id].citations:
            found.add(change.record.id)  # it may cite what a report did not find
        if change.record is not None and change.record.moves:
            moved.add(change.record.id)
        if change.observed is not None and any(quote.seen == "absent" for quote in change.observed.quotes):
            found.update(heads.citing.get(change.observed.uri, ()))
    return found.union(_above(heads, moved))


def _above(heads: Heads, moved: set[str]) -> Iterator[str]:
    """Walk against the links that rest and the citations, as far as the walk itself goes; what moved may be above."""
    seen, level = set[str](), moved
    for _ in range(MAX_DISTANCE):
        level = {above for below in level for above in resting_on(heads, below)} - seen
        seen.update(level)
        yield from level
