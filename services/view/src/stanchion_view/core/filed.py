"""Proposals as they are filed: what their changes say beside their content, and which records they would write."""

from collections.abc import Mapping, MutableMapping

from msgspec import Struct
from msgspec.structs import replace

from stanchion_contracts.change import Change, Proposal
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.ledger import Entry
from stanchion_contracts.meta import Actor
from stanchion_contracts.proposal import digest_of
from stanchion_view.core.card import Card, actor_of


class Basis(Struct, frozen=True, array_like=True):
    """The version of a record that a proposal was made against, as the file finds it.

    Attributes:
        record: which.
        seq: of the change that wrote it.
        at_us: when that was recorded, microseconds since the epoch.
    """

    record: str
    seq: int
    at_us: int


class Filed(Struct, frozen=True, kw_only=True):
    """What the changes of a proposal say beside its content.

    Attributes:
        seq: of the change that opened it; proposals are listed by it.
        at_us: when that was recorded, microseconds since the epoch.
        origin: the observation or command that it came from.
        by: who proposed it.
        digest: of its content as it is now.
        records: what it would write, in its own order.
        basis: of the records that there were when it was opened or edited last.
        closed_seq: of the change that closed it, 0 while it is open.
        closed_at_us: when that was recorded.
        closed_by: whose act closed it.
        closed_reason: why it is closed, in a sentence; empty while it is open.
    """

    seq: int
    at_us: int
    origin: str
    by: Actor
    digest: bytes
    records: tuple[str, ...]
    basis: tuple[Basis, ...] = ()
    closed_seq: int = 0
    closed_at_us: int = 0
    closed_by: Actor | None = None
    closed_reason: str = ""


Waiting = MutableMapping[str, dict[str, int]]
"""For a record, the open proposals that would write it, and the seq each was opened at."""


def filed(before: Filed | None, entry: Entry, change: Change, cards: Mapping[str, Card]) -> Filed | None:
    """Give what is filed of a proposal after it was opened, edited or closed; None for any other change.

    Args:
        before: what was filed of it, None where it is new.
        entry: of the change.
        change: what happened.
        cards: of the workspace's records at that change.
    """
    if change.proposal is None:
        return None
    proposal = change.proposal
    records = tuple(write.id for write in proposal.batch.writes)
    opened = before or Filed(
        seq=entry.seq,
        at_us=entry.recorded_at_us,
        origin=entry.origin,
        by=proposal.by or actor_of(entry),
        digest=digest_of(proposal),
        records=records,
    )
    if change.action != "proposal.closed":
        standing = (cards[record] for record in records if record in cards)
        basis = tuple(Basis(card.id, card.seq, card.written_at_us) for card in standing)
        return replace(opened, digest=digest_of(proposal), records=records, basis=basis)
    return replace(
        opened,
        closed_seq=entry.seq,
        closed_at_us=entry.recorded_at_us,
        closed_by=actor_of(entry),
        closed_reason=change.reason,
    )


def wait(waiting: Waiting, proposal_id: str, before: Filed | None, after: Filed) -> None:
    """Keep which records an open proposal would write; a closed one would write none."""
    for record in before.records if before is not None else ():
        proposals = waiting.get(record, {})
        proposals.pop(proposal_id, None)
        if not proposals:
            waiting.pop(record, None)
    for record in after.records if not after.closed_seq else ():
        waiting.setdefault(record, {})[proposal_id] = after.seq


def brief(proposal: Proposal, cards: Mapping[str, Card]) -> Proposal:
    """Give a proposal without what it says of each record: as much as a list shows.

    Args:
        proposal: whole.
        cards: of the records it would write, where there are any: kind, room and label are theirs unless written.
    """
    return replace(proposal, batch=WriteBatch(writes=tuple(_brief(write, cards) for write in proposal.batch.writes)))


def _brief(write: Write, cards: Mapping[str, Card]) -> Write:
    """Give what a list shows of one write."""
    card = cards.get(write.id)
    if card is None:
        return Write(id=write.id, kind=write.kind, room=write.room, label=write.label or "", delete=write.delete)
    kind, room = (write.kind or card.kind, write.room) if card.deleted else (card.kind, card.room)
    label = card.label if write.label is None else write.label
    return Write(id=write.id, kind=kind, room=room, label=label, delete=write.delete)
