"""Proposals for Review: those that wait and those that are closed, and one of them against the records."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final, Never

import msgspec

from stanchion_contracts.change import Proposal
from stanchion_contracts.command import Write
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_runtime import rpc
from stanchion_view import present, question
from stanchion_view.core import cursor, diff
from stanchion_view.core.card import Card
from stanchion_view.core.filed import Filed, brief
from stanchion_view.core.state import Workspace
from stanchion_view.reader import Reader

PROPOSAL_BYTES: Final = 12 * 1024 * 1024
"""What a proposal's parts hold at most, as JSON; what would not fit of the parts before is named by its size."""

_FILED: Final = msgspec.json.Decoder(Filed)
_PROPOSAL: Final = msgspec.json.Decoder(Proposal)
_CARD: Final = msgspec.json.Decoder(Card)

Versions = Mapping[str, int]
Parts = Mapping[str, tuple[diff.Part, ...]]


async def list_proposals(reader: Reader, request: pb.ListProposalsRequest) -> pb.ListProposalsResponse:
    """Give a page of proposals in the order they were opened.

    Raises:
        Refused: as `Reader.workspace`; `BAD_CURSOR`, `TOO_LARGE`.
    """
    record = question.name(request.record_id, "record_id", needed=False)
    limit, asked = (
        question.limit(request.limit),
        cursor.question_of("proposals", request.workspace, record, request.include_closed),
    )
    place = question.place(request.cursor, asked)
    after = question.after_seq(place)
    space = await reader.workspace(request.workspace, request.min_seq, place.as_of_seq)
    as_of, open_ones = space.last_seq, _open(space, record)
    following = (each for each in open_ones if each[0].seq > after)
    page = [
        _shown(brief(proposal, space.cards), filed, _versions(space, filed.records))
        for filed, proposal in islice(following, limit + 1)
    ]
    closed: list[tuple[str, str]] = []
    total = 0
    if request.include_closed:
        closed, total = await reader.read(
            lambda: reader.replica.store.closed(
                request.workspace, record=record, after_seq=after, through_seq=as_of, limit=limit + 1
            )
        )
    for said, state in closed:  # never changes; the versions that stand now are told as they are at this moment
        filed = _FILED.decode(said)
        page.append(_shown(_PROPOSAL.decode(state), filed, _versions(space, filed.records)))
    page.sort(key=lambda each: each.seq)
    fitting = present.fitting(page[:limit])
    more = len(page) > len(fitting)
    ended = cursor.Cursor(after=str(fitting[-1].seq), as_of_seq=as_of, question=asked) if more else None
    return pb.ListProposalsResponse(
        proposals=fitting,
        next_cursor=cursor.encode(ended) if ended is not None else "",
        as_of_seq=as_of,
        total=len(open_ones) + total,
    )


async def get_proposal(reader: Reader, request: pb.GetProposalRequest) -> pb.GetProposalResponse:
    """Give one proposal whole: an open one against what stands, a closed one against what it was made against.

    Raises:
        Refused: as `Reader.workspace`; `NOT_FOUND`.
    """
    name = question.name(request.id, "id")
    space = await reader.workspace(request.workspace, request.min_seq)
    proposal, filed, as_of = space.heads.proposals.get(name), space.filed.get(name), space.last_seq
    if proposal is not None and filed is not None:
        cards = {record: space.cards[record] for record in filed.records if record in space.cards}
        versions = _versions(space, filed.records)
        bodies = await reader.bodies(request.workspace, _read(proposal, cards))
    else:
        row = await reader.read(reader.replica.store.proposal, request.workspace, name, as_of)
        if row is None:
            _no_proposal(request.workspace, name, space)
        filed, proposal = _FILED.decode(row[0]), _PROPOSAL.decode(row[1])
        cards = await _base(reader, request.workspace, filed)
        bodies = await reader.bodies(request.workspace, _read(proposal, cards))
        versions, as_of = _versions(space, filed.records), space.last_seq  # what is closed stays as it is
    parts = _parts(proposal.batch.writes, cards, bodies)
    return pb.GetProposalResponse(proposal=_shown(brief(proposal, cards), filed, versions, parts), as_of_seq=as_of)


def _open(space: Workspace, record: str) -> list[tuple[Filed, Proposal]]:
    """Give the open proposals, oldest first; of one record where one is named."""
    names = space.waiting.get(record, {}) if record else space.filed
    return sorted(((space.filed[name], space.heads.proposals[name]) for name in names), key=lambda each: each[0].seq)


def _versions(space: Workspace, records: Iterable[str]) -> Versions:
    """Give the versions that stand now of those records that there are."""
    heads = space.heads.records
    return {record: heads[record].version for record in records if record in heads}


async def _base(reader: Reader, workspace: str, filed: Filed) -> dict[str, Card]:
    """Give the cards of the versions that a closed proposal was made against."""
    moments = {basis.seq: basis.at_us for basis in filed.basis}
    cards = await reader.read(reader.replica.store.cards, workspace, moments)
    return {basis.record: _CARD.decode(cards[basis.seq]) for basis in filed.basis}


def _read(proposal: Proposal, cards: Mapping[str, Card]) -> list[Card]:
    """Give the cards whose bodies a proposal would change."""
    ids = (write.id for write in proposal.batch.writes if write.body is not None)
    return [cards[record] for record in ids if record in cards and not cards[record].deleted]


def _parts(writes: Iterable[Write], cards: Mapping[str, Card], bodies: Mapping[str, str]) -> Parts:
    """Give the parts that differ of each write; a part before that does not fit is named by its size."""
    found = {write.id: diff.parts(cards.get(write.id), bodies.get(write.id, ""), write) for write in writes}
    room = PROPOSAL_BYTES - sum(len(part.after.encode()) for some in found.values() for part in some)
    fitting: dict[str, tuple[diff.Part, ...]] = {}
    for record, some in found.items():
        kept = []
        for part in some:
            size = len(part.before.encode())
            room -= size
            kept.append(part if room >= 0 else msgspec.structs.replace(part, before=f'{{"bytes": {size}}}'))
            room += 0 if room >= 0 else size
        fitting[record] = tuple(kept)
    return fitting


def _shown(proposal: Proposal, filed: Filed, versions: Versions, parts: Parts | None = None) -> types_pb2.Proposal:
    """Give a proposal in the proto's words.

    Args:
        proposal: in brief.
        filed: what is filed of it.
        versions: that stand now.
        parts: of each write, where they are asked for.
    """
    base = {each.record_id: each.version for each in proposal.base}
    shown = types_pb2.Proposal(
        id=proposal.id,
        why=proposal.why,
        reason=proposal.reason,
        record_id=proposal.record_id,
        state=proposal.state,
        proposed_by=present.actor(filed.by),
        seq=filed.seq,
        recorded_at=present.timestamp(filed.at_us),
        origin=filed.origin,
        digest=filed.digest,
        writes=[_write(write, base, versions, (parts or {}).get(write.id, ())) for write in proposal.batch.writes],
        outdated=not filed.closed_seq and any(versions.get(name, 0) != version for name, version in base.items()),
        note=proposal.note,
    )
    if proposal.edited_by is not None:
        shown.edited_by.CopyFrom(present.actor(proposal.edited_by))
    if filed.closed_by is not None:
        shown.closed_by.CopyFrom(present.actor(filed.closed_by))
        shown.closed_at.CopyFrom(present.timestamp(filed.closed_at_us))
        shown.note = proposal.note or (filed.closed_reason if proposal.state in {"in_force", "overtaken"} else "")
    return shown


def _write(write: Write, base: Versions, versions: Versions, parts: Iterable[diff.Part]) -> types_pb2.ProposedWrite:
    """Give one write of a proposal."""
    return types_pb2.ProposedWrite(
        record_id=write.id,
        kind=write.kind,
        label=write.label or "",
        base_version=base.get(write.id, 0),
        current_version=versions.get(write.id, 0),
        parts=[types_pb2.PartDiff(part=part.name, before_json=part.before, after_json=part.after) for part in parts],
        room=write.room,
    )


def _no_proposal(workspace: str, name: str, space: Workspace) -> Never:
    """Say that there is no such proposal.

    Raises:
        Refused: `NOT_FOUND`.
    """
    rpc.refuse(
        "NOT_FOUND",
        f"no proposal {name!r} in workspace {workspace} up to seq {space.last_seq}; ListProposals lists what there is",
        proposal_id=name,
        workspace=workspace,
    )
