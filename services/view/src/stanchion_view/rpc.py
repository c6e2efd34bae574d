"""ViewService: reads over gRPC, each answered from one position that it names."""

import functools
from collections.abc import AsyncIterator
from typing import Any, Final, Never

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_contracts.receipt import Served
from stanchion_core.vocabulary_text import json_text
from stanchion_runtime import clock, rpc
from stanchion_view import beliefs, findings, present, present_beliefs, question, relations, review, trust, watch
from stanchion_view.core import cursor
from stanchion_view.core.near import near
from stanchion_view.core.policy import in_order
from stanchion_view.core.query import Asked, find, page
from stanchion_view.core.standing import Standings
from stanchion_view.core.state import Workspace
from stanchion_view.reader import Reader
from stanchion_view.receipts import Receipts

NAME: Final = "stanchion.view.v1.ViewService"

_NEAR: Final = 20_000  # names looked through for a likely misspelling


class ViewServicer(view_pb2_grpc.ViewServiceServicer):
    """Answers from a replica.

    Args:
        reader: of the replica.
        receipts: takes what agents were served.
    """

    def __init__(self, reader: Reader, receipts: Receipts) -> None:
        self._reader = reader
        self._replica = reader.replica
        self._receipts = receipts

    async def ListWorkspaces(self, request: pb.ListWorkspacesRequest, context: Any) -> pb.ListWorkspacesResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give the workspaces that the caller may enter, by name."""
        caller = rpc.principal()
        if "read" not in caller.capabilities:
            rpc.refuse("MISSING_CAPABILITY", f"{caller.named} lacks `read`", capability="read")
        return pb.ListWorkspacesResponse(
            workspaces=[
                _workspace(name, space)
                for name, space in sorted(self._replica.workspaces.items())
                if caller.may_enter(name)
            ]
        )

    async def GetRecord(self, request: pb.GetRecordRequest, context: Any) -> pb.GetRecordResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give one record, whether it still holds, and why not."""
        space = await self._reader.workspace(request.workspace, request.min_seq)
        caller = rpc.principal()
        if caller.kind == "agent" and self._receipts.full:
            rpc.refuse(
                "OVERLOADED", "receipts cannot be left just now, and agents are not served without", retry_after_s=1
            )
        if request.id not in space.cards:
            _no_record(request.workspace, request.id, space)
        found, as_of = find(space, request.id, clock.now_us()), space.last_seq
        bodies = await self._reader.bodies(request.workspace, (found.card,))
        times = await self._reader.times(request.workspace, present.reason_seqs((found.validity,)))
        record = present.record(request.workspace, found, body=bodies[found.card.id], times=times)
        if caller.kind == "agent":
            served = Served(record_id=found.card.id, version=found.card.version, validity=found.validity.state)
            self._receipts.give(caller, request.workspace, "GetRecord", as_of, (served,))
        return pb.GetRecordResponse(record=record, as_of_seq=as_of)

    async def GetBelief(self, request: pb.GetBeliefRequest, context: Any) -> pb.GetBeliefResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give one belief as it stands now: decay and trust applied, every voice listed."""
        return await beliefs.get_belief(self._reader, request)

    async def Query(self, request: pb.QueryRequest, context: Any) -> pb.QueryResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give a page of the records that match, in order of id."""
        filters, limit = question.filters(request), question.limit(request.limit)
        asks = question.question_of(request.workspace, filters)
        place = question.place(request.cursor, asks)
        space = await self._reader.workspace(request.workspace, request.min_seq, place.as_of_seq)
        question.check_names(space.vocabulary, filters)
        standings = await self._replica.standings(request.workspace) if filters.states else Standings()
        asked = Asked(filters=filters, now_us=clock.now_us(), after=place.after, limit=limit)
        found, as_of = (
            page(space, asked, functools.partial(standings.state, space, now_us=asked.now_us)),
            space.last_seq,
        )
        cards = [each.card for each in found.found] if request.with_bodies else []
        bodies = await self._reader.bodies(request.workspace, cards)
        times = await self._reader.times(request.workspace, present.reason_seqs(each.validity for each in found.found))
        records = present.fitting(
            present.record(request.workspace, each, body=bodies.get(each.card.id, ""), times=times)
            for each in found.found
        )
        following = ""
        if found.more or len(records) < len(found.found):
            following = cursor.encode(cursor.Cursor(after=records[-1].id, as_of_seq=as_of, question=asks))
        return pb.QueryResponse(records=records, next_cursor=following, as_of_seq=as_of, total=found.total)

    async def Watch(self, request: pb.WatchRequest, context: Any) -> AsyncIterator[pb.WatchResponse]:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Tell what happens from a seq on, until the caller goes."""
        rpc.require("read", request.workspace)
        self._reader.check_held(request.workspace)
        if request.from_seq < 0:
            rpc.refuse("FIELD_VALUE", "from_seq is below 0: give the first seq you want, or 0", field="from_seq")
        async for told in watch.watch(self._replica, self._reader.changes, request.workspace, request.from_seq):
            happened = present.event(request.workspace, told.event) if told.event is not None else None
            yield pb.WatchResponse(event=happened, through_seq=told.through_seq)

    async def ListProposals(self, request: pb.ListProposalsRequest, context: Any) -> pb.ListProposalsResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give a page of proposals, oldest first."""
        return await review.list_proposals(self._reader, request)

    async def GetProposal(self, request: pb.GetProposalRequest, context: Any) -> pb.GetProposalResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give one proposal against the records."""
        return await review.get_proposal(self._reader, request)

    async def Traverse(self, request: pb.TraverseRequest, context: Any) -> pb.TraverseResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give what is near in the graph, and by which way."""
        return await relations.walk(self._reader, request)

    async def RelationHistory(self, request: pb.RelationHistoryRequest, context: Any) -> pb.RelationHistoryResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give every window that was ever stated of a relation."""
        return await relations.windows(self._reader, request)

    async def ListBeliefs(self, request: pb.ListBeliefsRequest, context: Any) -> pb.ListBeliefsResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give a page of beliefs as they stand now, by claim or by how well they match words."""
        return await beliefs.list_beliefs(self._reader, request)

    async def ListTrust(self, request: pb.ListTrustRequest, context: Any) -> pb.ListTrustResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give how far names are trusted, and why."""
        return await trust.list_trust(self._reader, request)

    async def GetCalibration(self, request: pb.GetCalibrationRequest, context: Any) -> pb.GetCalibrationResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give how well confidence met what turned out."""
        return await trust.get_calibration(self._reader, request)

    async def ListFindings(self, request: pb.ListFindingsRequest, context: Any) -> pb.ListFindingsResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give what was found and still holds, latest first."""
        return await findings.list_findings(self._reader, request)

    async def GetWorkspace(self, request: pb.GetWorkspaceRequest, context: Any) -> pb.GetWorkspaceResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Say how a workspace works, also one that nothing was written to yet."""
        space = await self._reader.position(request.workspace, request.min_seq)
        if space is None:
            return pb.GetWorkspaceResponse(vocabulary_json=json_text(self._replica.base))
        return pb.GetWorkspaceResponse(
            approval_only=space.settings.approval_only,
            vocabulary_json=space.settings.vocabulary or json_text(self._replica.base),
            version=space.settings.version,
            as_of_seq=space.last_seq,
            open_proposals=len(space.filed),
            policies=map(present_beliefs.policy, in_order(space.policies)),
        )


def _workspace(name: str, space: Workspace) -> pb.Workspace:
    """Give a workspace's line."""
    return pb.Workspace(
        name=name,
        last_seq=space.last_seq,
        records=sum(not card.deleted for card in space.cards.values()),
        beliefs=len(space.beliefs),
        last_recorded_at=present.timestamp(space.last_us),
    )


def _no_record(workspace: str, record: str, space: Workspace) -> Never:
    """Say that there is no such record, and which ones look like it.

    Raises:
        Refused: `NOT_FOUND`.
    """
    alike = near(record, space.cards) if len(space.cards) <= _NEAR else ()
    hint = f"; did you mean {', '.join(alike)}?" if alike else "; Query lists what there is"
    rpc.refuse(
        "NOT_FOUND",
        f"no record {record!r} in workspace {workspace} at seq {space.last_seq}{hint}",
        record_id=record,
        workspace=workspace,
    )
