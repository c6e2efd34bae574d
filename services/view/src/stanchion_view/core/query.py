"""Query: which records match, and a page of them, all from one position."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.heads import Heads, claimed_by, plain_text, quote_digest, superseded_by, supersedes
from stanchion_contracts.record import Citation, FieldValue
from stanchion_core.vocabulary import STATUS, Vocabulary
from stanchion_core.walk import Head, Validity, validity
from stanchion_view.core.card import Card
from stanchion_view.core.state import Affirmed, Workspace

State = Literal["current", "needs_review", "monitoring_incomplete"]

MOST_WAITING: Final = 64
"""Open proposals that a read of a record names."""


class Filters(Struct, frozen=True, kw_only=True):
    """What a record must be; an empty filter lets everything through.

    Attributes:
        kinds: one of these.
        room: in this room or one below it (`payments` holds `payments/cards`).
        fields: each with exactly this value, as canonical JSON text.
        states: one of these.
        deleted: tombstones too.
    """

    kinds: frozenset[str] = frozenset()
    room: str = ""
    fields: tuple[FieldValue, ...] = ()
    states: frozenset[State] = frozenset()
    deleted: bool = False


class Around(Struct, frozen=True, kw_only=True):
    """What other records say of a record, whichever side stated it; each sorted.

    Attributes:
        superseded_by: records that took its place.
        supersedes: records whose place it took.
        claimed_by: records that would take its place while it is still in force, by a link or an open proposal.
    """

    superseded_by: tuple[str, ...]
    supersedes: tuple[str, ...]
    claimed_by: tuple[str, ...]


class Disagreement(Struct, frozen=True, kw_only=True):
    """Evidence points elsewhere than the person who set a status.

    Attributes:
        status: that evidence points to.
        proposal_id: by which a person decides.
        since_seq: at which it was opened.
    """

    status: str
    proposal_id: str
    since_seq: int


class Found(Struct, frozen=True, kw_only=True):
    """One record, whether it still holds, and what waits for a person about it.

    Attributes:
        card: what it says.
        head: what its validity is worked out from.
        validity: whether it still holds.
        around: what other records say of it.
        affirmed: its last affirmation.
        proposals: open ones that would write it, oldest first, at most 64.
        disagreement: None where evidence and people agree.
    """

    card: Card
    head: Head
    validity: Validity
    around: Around
    affirmed: Affirmed | None
    proposals: tuple[str, ...] = ()
    disagreement: Disagreement | None = None

    def last_observed(self, citation: Citation) -> int | None:
        """Give when a citation was last written or observed, microseconds since the epoch; None when unknown."""
        quote = quote_digest(citation.quote)
        times = [cited.seen_us for cited in self.head.citations if cited.uri == citation.uri and cited.quote == quote]
        return max(times, default=None)


class Asked(Struct, frozen=True, kw_only=True):
    """One page of one question.

    Attributes:
        filters: what a record must be.
        now_us: the reader's now, microseconds since the epoch.
        after: id of the last record of the page before; empty for the first page.
        limit: at least 1.
    """

    filters: Filters
    now_us: int
    after: str = ""
    limit: int


class Page(Struct, frozen=True, kw_only=True):
    """One page.

    Attributes:
        found: in order of id.
        more: whether there is a page after it.
        total: how many match in all.
    """

    found: tuple[Found, ...]
    more: bool
    total: int


def page(workspace: Workspace, asked: Asked, state_of: Callable[[str], State]) -> Page:
    """Give the page of matching records that comes after an id.

    Args:
        workspace: where.
        asked: what is wanted.
        state_of: gives a record's validity state at `asked.now_us`.
    """
    cards = sorted(_plain_matches(workspace, asked.filters), key=_id)
    if asked.filters.states:
        cards = [card for card in cards if state_of(card.id) in asked.filters.states]
    rest = cards[bisect_right(cards, asked.after, key=_id) :]
    return Page(
        found=tuple(find(workspace, card.id, asked.now_us) for card in rest[: asked.limit]),
        more=len(rest) > asked.limit,
        total=len(cards),
    )


def find(workspace: Workspace, record: str, now_us: int) -> Found:
    """Give everything in memory of a record.

    Raises:
        KeyError: there is no such record.
    """
    waiting = workspace.waiting.get(record, {})
    proposals = sorted(waiting, key=waiting.__getitem__)
    return Found(
        card=workspace.cards[record],
        head=workspace.heads.records[record],
        validity=holds(workspace, record, now_us),
        around=around(workspace.heads, workspace.vocabulary, record),
        affirmed=workspace.affirmed.get(record),
        proposals=tuple(proposals[:MOST_WAITING]),
        disagreement=_disagreement(workspace, record, reversed(proposals)),
    )


def holds(workspace: Workspace, record: str, now_us: int) -> Validity:
    """Work out whether a record still holds, now and at the workspace's position.

    Raises:
        KeyError: there is no such record.
    """
    return validity(
        workspace.heads.records.get,
        record,
        now_us,
        workspace.last_seq,
        stale=lambda claim: workspace.stale(claim, now_us),
    )


def around(heads: Heads, vocabulary: Vocabulary, record: str) -> Around:
    """Tell what supersedes what: a link to what is still in force only claims to."""
    named = superseded_by(heads, vocabulary, record)
    claims = claimed_by(heads, record)
    over = tuple(other for other in supersedes(heads, vocabulary, record) if not _in_force(heads, other))
    if not _in_force(heads, record):
        return Around(superseded_by=named, supersedes=over, claimed_by=claims)
    return Around(superseded_by=(), supersedes=over, claimed_by=tuple(sorted({*named, *claims})))


def _disagreement(workspace: Workspace, record: str, latest_first: Iterator[str]) -> Disagreement | None:
    """Give the status that evidence points to against a person's, as its latest open proposal has it."""
    for name in latest_first:
        proposal = workspace.heads.proposals[name]
        if proposal.why != "evidence_disagrees":
            continue
        for write in proposal.batch.writes:
            status = next((plain_text(field.value) for field in write.fields if field.name == STATUS), "")
            if write.id == record and status:
                return Disagreement(status=status, proposal_id=name, since_seq=workspace.filed[name].seq)
    return None


def _in_force(heads: Heads, record: str) -> bool:
    """Tell whether a record is in force; a deleted or unknown one is not."""
    head = heads.records.get(record)
    return head is not None and head.in_force and not head.deleted


def _id(card: Card) -> str:
    """Give what pages are ordered by."""
    return card.id


def _plain_matches(workspace: Workspace, filters: Filters) -> Iterator[Card]:
    """Give the records that match everything but validity."""
    below = f"{filters.room}/"
    for card in workspace.cards.values():
        if (
            (filters.deleted or not card.deleted)
            and (not filters.kinds or card.kind in filters.kinds)
            and (not filters.room or card.room == filters.room or card.room.startswith(below))
            and all(field in card.fields for field in filters.fields)
        ):
            yield card
