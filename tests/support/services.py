# ruff: noqa: N802, ARG002 - methods and arguments are named by gRPC
"""The three services as fakes: they answer from what a test laid out, and fail when it says so."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2, audit_pb2_grpc
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2, ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary_text import json_text
from stanchion_runtime import rpc

BASE: Final = json_text(base_vocabulary())
"""The base vocabulary, as the view gives it."""

Context = Any  # grpc.aio.ServicerContext, generic in the types only


class Trouble:
    """Failures to come, and the calls that came."""

    def __init__(self) -> None:
        self.coming: deque[Exception] = deque()
        self.calls: list[Any] = []

    def meet(self, request: object) -> None:
        """Note a call; fail when a failure is due.

        Raises:
            Exception: the one that was due.
        """
        self.calls.append(request)
        if self.coming:
            raise self.coming.popleft()


class FakeIngest(ingest_pb2_grpc.IngestServiceServicer):
    """Takes everything; each write gets the next seq."""

    def __init__(self) -> None:
        self.trouble = Trouble()
        self.published: list[ingest_pb2.PublishRequest] = []
        self.break_after: deque[int] = deque()
        self.refuse_event = ""
        self.hang_on = ""
        self.seq = 0
        self.moves: list[ingest_pb2.MovedBelief] = []
        self.notes: list[str] = []
        self.leaves_out: list[str] = []
        self._answers: dict[str, ingest_pb2.Answer] = {}

    async def Publish(
        self, request_iterator: AsyncIterator[ingest_pb2.PublishRequest], context: Context
    ) -> AsyncIterator[ingest_pb2.PublishResponse]:
        """Acknowledge in order; break the stream after as many as the test said."""
        left = self.break_after.popleft() if self.break_after else -1
        async for request in request_iterator:
            rpc.require("write", request.workspace)
            if request.id == self.refuse_event:
                rpc.refuse("TOO_LARGE", "data has 3 bytes; the limit is 2", field="data")
            if request.id == self.hang_on:
                await asyncio.Event().wait()
            self.published.append(request)
            if left == 0:
                rpc.refuse("TRANSIENT", "broken by the test")
            left -= 1
            answer = self._answer(request.id) if request.await_answer else None
            yield ingest_pb2.PublishResponse(id=request.id, answer=answer)

    async def Observe(self, request: ingest_pb2.ObserveRequest, context: Context) -> ingest_pb2.ObserveResponse:
        """Take an observation."""
        self.trouble.meet(request)
        answer = self._answer(request.idempotency_key)
        answer.beliefs.extend(self.moves)
        answer.intents.extend(self.notes)
        answer.left_out.extend(self.leaves_out)
        return ingest_pb2.ObserveResponse(observation_id="obs_1", answer=answer)

    async def WriteBatch(
        self, request: ingest_pb2.WriteBatchRequest, context: Context
    ) -> ingest_pb2.WriteBatchResponse:
        """Take a batch."""
        self.trouble.meet(request)
        return ingest_pb2.WriteBatchResponse(
            answer=self._answer(request.idempotency_key, [write.id for write in request.writes])
        )

    async def Affirm(self, request: ingest_pb2.AffirmRequest, context: Context) -> ingest_pb2.AffirmResponse:
        """Take an affirmation."""
        self.trouble.meet(request)
        return ingest_pb2.AffirmResponse(answer=self._answer(request.idempotency_key, [request.record_id]))

    async def ReportObservations(
        self, request: ingest_pb2.ReportObservationsRequest, context: Context
    ) -> ingest_pb2.ReportObservationsResponse:
        """Take a report."""
        self.trouble.meet(request)
        return ingest_pb2.ReportObservationsResponse(answer=self._answer(request.idempotency_key))

    async def SetTrust(self, request: ingest_pb2.SetTrustRequest, context: Context) -> ingest_pb2.SetTrustResponse:
        """Take a setting."""
        self.trouble.meet(request)
        return ingest_pb2.SetTrustResponse(answer=self._answer(request.idempotency_key))

    async def PublishProposal(
        self, request: ingest_pb2.PublishProposalRequest, context: Context
    ) -> ingest_pb2.PublishProposalResponse:
        """Take a publication."""
        self.trouble.meet(request)
        return ingest_pb2.PublishProposalResponse(answer=self._answer(request.idempotency_key, request.record_ids))

    async def RejectProposal(
        self, request: ingest_pb2.RejectProposalRequest, context: Context
    ) -> ingest_pb2.RejectProposalResponse:
        """Take a rejection."""
        self.trouble.meet(request)
        return ingest_pb2.RejectProposalResponse(answer=self._answer(request.idempotency_key))

    async def EditProposal(
        self, request: ingest_pb2.EditProposalRequest, context: Context
    ) -> ingest_pb2.EditProposalResponse:
        """Take what a proposal would write from now on."""
        self.trouble.meet(request)
        return ingest_pb2.EditProposalResponse(answer=self._answer(request.idempotency_key))

    async def SetWorkspace(
        self, request: ingest_pb2.SetWorkspaceRequest, context: Context
    ) -> ingest_pb2.SetWorkspaceResponse:
        """Take settings."""
        self.trouble.meet(request)
        return ingest_pb2.SetWorkspaceResponse(answer=self._answer(request.idempotency_key))

    async def Resolve(self, request: ingest_pb2.ResolveRequest, context: Context) -> ingest_pb2.ResolveResponse:
        """Take a resolution."""
        self.trouble.meet(request)
        return ingest_pb2.ResolveResponse(answer=self._answer(request.idempotency_key))

    async def SetBeliefPolicy(
        self, request: ingest_pb2.SetBeliefPolicyRequest, context: Context
    ) -> ingest_pb2.SetBeliefPolicyResponse:
        """Take a policy."""
        self.trouble.meet(request)
        return ingest_pb2.SetBeliefPolicyResponse(answer=self._answer(request.idempotency_key))

    def _answer(self, key: str, records: Sequence[str] = ()) -> ingest_pb2.Answer:
        """Give the answer of a key: the first one again when it is repeated."""
        if key in self._answers:
            first = ingest_pb2.Answer()
            first.CopyFrom(self._answers[key])
            first.repeated_command = True
            return first
        self.seq += 1
        landed = [ingest_pb2.LandedRecord(record_id=each, version=1) for each in records]
        self._answers[key] = ingest_pb2.Answer(first_seq=self.seq, last_seq=self.seq, min_seq=self.seq, records=landed)
        return self._answers[key]


class FakeView(view_pb2_grpc.ViewServiceServicer):
    """Serves the records that a test laid out."""

    def __init__(self) -> None:
        self.trouble = Trouble()
        self.records: dict[str, types_pb2.Record] = {}
        self.beliefs: dict[tuple[str, str], types_pb2.Belief] = {}
        self.names: list[str] = ["docs"]
        self.seq = 0
        self.events: list[types_pb2.ChangeEvent] = []
        self.break_watch_at: deque[int] = deque()
        self.silence = asyncio.Event()
        self.proposals: dict[str, types_pb2.Proposal] = {}
        self.graph = view_pb2.TraverseResponse()
        self.windows: list[view_pb2.RelationWindow] = []
        self.settings = view_pb2.GetWorkspaceResponse(vocabulary_json=BASE)
        self.trust: list[types_pb2.Trust] = []
        self.calibration = view_pb2.GetCalibrationResponse()
        self.findings: list[types_pb2.Finding] = []

    async def ListWorkspaces(
        self, request: view_pb2.ListWorkspacesRequest, context: Context
    ) -> view_pb2.ListWorkspacesResponse:
        """Give the names."""
        self.trouble.meet(request)
        return view_pb2.ListWorkspacesResponse(
            workspaces=[
                view_pb2.Workspace(name=name, last_seq=self.seq, records=len(self.records)) for name in self.names
            ]
        )

    async def GetRecord(self, request: view_pb2.GetRecordRequest, context: Context) -> view_pb2.GetRecordResponse:
        """Give a record."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        if request.id not in self.records:
            rpc.refuse("NOT_FOUND", f"no record {request.id} in workspace {request.workspace}", record_id=request.id)
        return view_pb2.GetRecordResponse(record=self.records[request.id], as_of_seq=self.seq)

    async def GetBelief(self, request: view_pb2.GetBeliefRequest, context: Context) -> view_pb2.GetBeliefResponse:
        """Give a belief."""
        self.trouble.meet(request)
        found = self.beliefs.get((request.subject, request.predicate))
        if found is None:
            rpc.refuse("NOT_FOUND", f"nothing is held of {request.subject} / {request.predicate}")
        return view_pb2.GetBeliefResponse(belief=found, as_of_seq=self.seq)

    async def ListBeliefs(self, request: view_pb2.ListBeliefsRequest, context: Context) -> view_pb2.ListBeliefsResponse:
        """Give a page; the cursor is how many went before. `about` goes by whole words."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        matching = [
            each
            for each in self.beliefs.values()
            if request.subject in {"", each.subject}
            and request.predicate in {"", each.predicate}
            and (not request.about or set(request.about.split()) & set(f"{each.subject} {each.predicate}".split()))
            and (each.stale or not request.stale)
            and (each.contradicted or not request.contradicted)
            and (each.HasField("resolved") or not request.resolved)
        ]
        begin = int(request.cursor or "0")
        end = begin + request.limit
        return view_pb2.ListBeliefsResponse(
            beliefs=matching[begin:end],
            next_cursor=str(end) if end < len(matching) else "",
            as_of_seq=self.seq,
            total=len(matching),
        )

    async def ListTrust(self, request: view_pb2.ListTrustRequest, context: Context) -> view_pb2.ListTrustResponse:
        """Give one a page; the cursor is how many went before."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        matching = [each for each in self.trust if request.name in {"", each.name}]
        begin = int(request.cursor or "0")
        return view_pb2.ListTrustResponse(
            trust=matching[begin : begin + 1],
            next_cursor=str(begin + 1) if begin + 1 < len(matching) else "",
            as_of_seq=self.seq,
        )

    async def GetCalibration(
        self, request: view_pb2.GetCalibrationRequest, context: Context
    ) -> view_pb2.GetCalibrationResponse:
        """Give what a test laid out."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        return self.calibration

    async def ListFindings(
        self, request: view_pb2.ListFindingsRequest, context: Context
    ) -> view_pb2.ListFindingsResponse:
        """Give those of the kinds and claim asked for, on one page."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        matching = [
            each
            for each in self.findings
            if (not request.kinds or each.kind in request.kinds) and request.subject in {"", each.subject}
        ]
        return view_pb2.ListFindingsResponse(findings=matching, as_of_seq=self.seq)

    async def Query(self, request: view_pb2.QueryRequest, context: Context) -> view_pb2.QueryResponse:
        """Give a page; the cursor is how many went before."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        matching = [
            record
            for record in self.records.values()
            if (not request.kinds or record.kind in request.kinds)
            and (not request.states or record.validity.state in request.states)
            and request.room in {"", record.room}
            and all(each in record.fields for each in request.fields)
        ]
        begin = int(request.cursor or "0")
        end = begin + request.limit
        return view_pb2.QueryResponse(
            records=matching[begin:end],
            next_cursor=str(end) if end < len(matching) else "",
            as_of_seq=self.seq,
            total=len(matching),
        )

    async def Watch(self, request: view_pb2.WatchRequest, context: Context) -> AsyncIterator[view_pb2.WatchResponse]:
        """Give events from a seq on, then wait; break where the test said."""
        self.trouble.calls.append(request.from_seq)
        stop = self.break_watch_at.popleft() if self.break_watch_at else -1
        for event in self.events:
            if event.seq >= request.from_seq:
                if event.seq == stop:
                    rpc.refuse("SHUTTING_DOWN", "broken by the test")
                yield view_pb2.WatchResponse(event=event, through_seq=event.seq)
        await self.silence.wait()

    async def ListProposals(
        self, request: view_pb2.ListProposalsRequest, context: Context
    ) -> view_pb2.ListProposalsResponse:
        """Give a page; the cursor is how many went before."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        matching = [
            each
            for each in self.proposals.values()
            if (request.include_closed or each.state == "open")
            and (not request.record_id or request.record_id in {write.record_id for write in each.writes})
        ]
        begin = int(request.cursor or "0")
        end = begin + request.limit
        return view_pb2.ListProposalsResponse(
            proposals=matching[begin:end],
            next_cursor=str(end) if end < len(matching) else "",
            as_of_seq=self.seq,
            total=len(matching),
        )

    async def GetProposal(self, request: view_pb2.GetProposalRequest, context: Context) -> view_pb2.GetProposalResponse:
        """Give a proposal."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        if request.id not in self.proposals:
            rpc.refuse("NOT_FOUND", f"no proposal {request.id} in workspace {request.workspace}")
        return view_pb2.GetProposalResponse(proposal=self.proposals[request.id], as_of_seq=self.seq)

    async def Traverse(self, request: view_pb2.TraverseRequest, context: Context) -> view_pb2.TraverseResponse:
        """Give what is near."""
        self.trouble.meet(request)
        return self.graph

    async def RelationHistory(
        self, request: view_pb2.RelationHistoryRequest, context: Context
    ) -> view_pb2.RelationHistoryResponse:
        """Give the windows."""
        self.trouble.meet(request)
        return view_pb2.RelationHistoryResponse(windows=self.windows, as_of_seq=self.seq)

    async def GetWorkspace(
        self, request: view_pb2.GetWorkspaceRequest, context: Context
    ) -> view_pb2.GetWorkspaceResponse:
        """Give how the workspace works."""
        rpc.require("read", request.workspace)
        self.trouble.meet(request)
        return self.settings


class FakeAudit(audit_pb2_grpc.AuditServiceServicer):
    """Serves the entries that a test laid out, two a page."""

    def __init__(self) -> None:
        self.trouble = Trouble()
        self.entries: list[audit_pb2.LedgerEntry] = []

    async def Trace(self, request: audit_pb2.TraceRequest, context: Context) -> audit_pb2.TraceResponse:
        """Give a page."""
        self.trouble.meet(request)
        matching = [each for each in self.entries if request.subject_id in {"", each.subject_id}]
        begin = int(request.cursor or "0")
        end = begin + 2
        return audit_pb2.TraceResponse(
            entries=matching[begin:end], next_cursor=str(end) if end < len(matching) else "", through_seq=9
        )

    async def GetCheckpoint(
        self, request: audit_pb2.GetCheckpointRequest, context: Context
    ) -> audit_pb2.GetCheckpointResponse:
        """Give a note."""
        return audit_pb2.GetCheckpointResponse(
            checkpoint=f"stanchion/{request.workspace}\n9\n", size=9, root=b"\x01", verifier_key="key"
        )

    async def GetInclusionProof(
        self, request: audit_pb2.GetInclusionProofRequest, context: Context
    ) -> audit_pb2.GetInclusionProofResponse:
        """Give an empty proof."""
        return audit_pb2.GetInclusionProofResponse()

    async def GetConsistencyProof(
        self, request: audit_pb2.GetConsistencyProofRequest, context: Context
    ) -> audit_pb2.GetConsistencyProofResponse:
        """Give an empty proof."""
        return audit_pb2.GetConsistencyProofResponse()
