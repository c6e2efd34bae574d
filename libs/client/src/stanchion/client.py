"""The client: everything Stanchion does for callers, asynchronous and typed.

    async with Client() as stanchion:
        record = await stanchion.get_record("adr-0007", workspace="docs")
        print(record.validity.state)

Writes take an `idempotency_key`, or make one; every retry carries it, so a write lands once. A client reads its own
writes: each read waits until the view has what this client wrote last, unless `min_seq` says otherwise.
"""

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import grpc

from stanchion.calls import Calls, new_key
from stanchion.errors import StanchionError, Unreachable, from_rpc
from stanchion.graph import Entity, Relation, RelationWindow, Traversal, entity_message, relation_message
from stanchion.proposals import Proposal
from stanchion.publishing import Publisher, Request
from stanchion.results import (
    Answer,
    Belief,
    Checkpoint,
    LedgerEntry,
    Observed,
    Page,
    Published,
    Record,
    State,
    Watched,
    Workspace,
    WorkspaceSettings,
)
from stanchion.retry import Retry, Sleep, pause
from stanchion.settings import ClientSettings
from stanchion.wire import result
from stanchion.writes import (
    Claim,
    Event,
    QuoteSeen,
    Write,
    claim_message,
    event_message,
    fields_message,
    timestamp,
    write_message,
)
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2

WINDOW = 256
"""Events that `publish` has on their way at a time."""
_STOOD_S = 1.0  # a silent watch that stood as long as that had begun
PAGE = 200
"""Records of one page; the most the view gives."""


class Criteria(TypedDict, total=False):
    """What `query` looks for; see `query_page`."""

    workspace: str
    kinds: Sequence[str]
    room: str
    fields: Mapping[str, Any]
    states: Sequence[State]
    limit: int
    min_seq: int | None
    include_deleted: bool
    with_bodies: bool


class Client:
    """A connection to the gateway, the view and the ledger, with one token.

    Args:
        settings: where and who; from the environment when left out.
        retry: how often and how patiently.
        sleep: how to wait between tries; tests give their own.

    Raises:
        NotSignedIn: there is no token.
        NotAllowed: the token would be sent to another machine in the clear.
    """

    def __init__(
        self, settings: ClientSettings | None = None, *, retry: Retry | None = None, sleep: Sleep = pause
    ) -> None:
        self._calls = Calls(settings or ClientSettings(), retry or Retry(), sleep)

    async def __aenter__(self) -> Self:
        """Give the client; channels connect with the first call."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channels."""
        await self.close()

    async def close(self) -> None:
        """Close the channels."""
        await self._calls.connection.close()

    async def publish(
        self,
        events: AsyncIterable[Event] | Iterable[Event],
        *,
        workspace: str = "",
        await_answer: bool = False,
        window: int = WINDOW,
    ) -> AsyncGenerator[Published, None]:
        """Publish events in order; give each acknowledgement as it comes.

        A stream that breaks is opened again and goes on with the oldest event without an acknowledgement: events carry
        their own ids, so none counts twice.

        Args:
            events: from anywhere; drawn no further than `window` ahead of the acknowledgements.
            workspace: for events that name none.
            await_answer: wait for what each event changed, instead of for its being durable.
            window: events on their way at a time, at least 1.

        Raises:
            StanchionError: the event in `metadata["event_id"]` was refused, or nobody answers.
        """
        whose = self._calls.own(workspace)
        publisher = Publisher(self._calls.connection, self._calls.ingest.Publish, window)
        async for published in publisher.run(_messages(events, whose, await_answer=await_answer)):
            if published.answer is not None and whose:
                self._calls.note(whose, published.answer)
            yield published

    async def observe(  # noqa: PLR0913 - an observation has these parts
        self,
        *,
        workspace: str = "",
        room: str = "",
        path: str = "explicit-add",
        text: str = "",
        claims: Sequence[Claim] = (),
        relations: Sequence[Relation] = (),
        source: str = "",
        observed_at: datetime | None = None,
        idempotency_key: str = "",
    ) -> Observed:
        """Submit one observation and wait for what it changed.

        Args:
            workspace: whose it is.
            room: inside it.
            path: `tool-result`, `user-message`, `agent-output` or `explicit-add`.
            text: free text; or
            claims: stated outright;
            relations: stated outright, too.
            source: what it rests on; empty means the caller.
            observed_at: aware; None for now.
            idempotency_key: the same key with the same content is the same observation.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.write(
            self._calls.ingest.Observe,
            ingest_pb2.ObserveRequest(
                workspace=whose,
                room=room,
                idempotency_key=idempotency_key or new_key(),
                source=source,
                path=path,
                observed_at=timestamp(observed_at),
                text=text,
                claims=[claim_message(claim) for claim in claims],
                relations=[relation_message(relation) for relation in relations],
            ),
        )
        observed = result(response, Observed)
        self._calls.note(whose, observed.answer)
        return observed

    async def write_batch(self, writes: Sequence[Write], *, workspace: str = "", idempotency_key: str = "") -> Answer:
        """Write records, all or nothing.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.WriteBatch,
            ingest_pb2.WriteBatchRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                writes=[write_message(write) for write in writes],
            ),
        )

    async def affirm(  # noqa: PLR0913 - an affirmation has these parts
        self,
        record_id: str,
        *,
        observed_through: int,
        workspace: str = "",
        if_match: int | None = None,
        note: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Say, as a person, that a record still holds.

        Args:
            record_id: which.
            observed_through: `validity.observed_through` of the read that the person saw.
            workspace: whose.
            if_match: the version that was read.
            note: at most 500 characters.
            idempotency_key: of this affirmation.

        Raises:
            Conflict: something moved after `observed_through` (`MOVED_SINCE`), or the version is another.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.Affirm,
            ingest_pb2.AffirmRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                record_id=record_id,
                observed_through=observed_through,
                if_match=if_match,
                note=note,
            ),
        )

    async def publish_proposal(  # noqa: PLR0913 - a publication has these parts
        self,
        proposal_id: str,
        *,
        digest: bytes,
        record_ids: Sequence[str] = (),
        note: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Have a proposal come into force, as a person who may approve.

        Args:
            proposal_id: which.
            digest: of the `Proposal` that the person saw.
            record_ids: the writes to publish, by record; none means all.
            note: why, at most 500 characters.
            workspace: whose.
            idempotency_key: of this publication.

        Raises:
            Conflict: it was edited since (`REVISION_CONFLICT`), or a record was written since (`VERSION_CONFLICT`).
            StanchionError: it was refused otherwise, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.PublishProposal,
            ingest_pb2.PublishProposalRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                proposal_id=proposal_id,
                digest=digest,
                record_ids=record_ids,
                note=note,
            ),
        )

    async def reject_proposal(
        self, proposal_id: str, *, digest: bytes, reason: str, workspace: str = "", idempotency_key: str = ""
    ) -> Answer:
        """Say no to a proposal, with a reason of at most 500 characters; the digest is that of what was seen.

        Raises:
            Conflict: it was edited since.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.RejectProposal,
            ingest_pb2.RejectProposalRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                proposal_id=proposal_id,
                digest=digest,
                reason=reason,
            ),
        )

    async def edit_proposal(
        self,
        proposal_id: str,
        writes: Sequence[Write],
        *,
        digest: bytes,
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Change what a proposal would write, as a person who may approve: from now on these writes, whole.

        Raises:
            Conflict: it was edited since.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.EditProposal,
            ingest_pb2.EditProposalRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                proposal_id=proposal_id,
                digest=digest,
                writes=[write_message(write) for write in writes],
            ),
        )

    async def set_workspace(
        self,
        *,
        approval_only: bool | None = None,
        vocabulary: str | None = None,
        if_match: int | None = None,
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Change how a workspace works, as a person who administers it.

        Args:
            approval_only: every write of an agent waits for a person; None leaves it.
            vocabulary: in YAML or JSON; empty takes the base one back; None leaves it.
            if_match: the version of the settings it is based on.
            workspace: whose.
            idempotency_key: of this change.

        Raises:
            Conflict: the settings are at another version.
            Blocked: a live record would not fit the vocabulary (`VOCABULARY_IN_USE`).
            StanchionError: it was refused otherwise, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.SetWorkspace,
            ingest_pb2.SetWorkspaceRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                approval_only=approval_only,
                vocabulary=vocabulary,
                if_match=if_match,
            ),
        )

    async def set_trust(
        self, name: str, value: float | None, *, workspace: str = "", idempotency_key: str = ""
    ) -> Answer:
        """Set how far a source or agent is trusted, 0 to 1; None takes the setting back.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.SetTrust,
            ingest_pb2.SetTrustRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                name=name,
                value=value,
            ),
        )

    async def report_observations(
        self,
        uri: str,
        quotes: Sequence[QuoteSeen],
        *,
        version_token: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Say which quotes a cited source was found to have, and which it has no longer.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.ReportObservations,
            ingest_pb2.ReportObservationsRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                uri=uri,
                version_token=version_token,
                quotes=[ingest_pb2.QuoteSeen(quote=each.quote, present=each.present) for each in quotes],
            ),
        )

    async def workspaces(self) -> tuple[Workspace, ...]:
        """Give the workspaces that the token opens.

        Raises:
            StanchionError: nobody answers.
        """
        response = await self._calls.read(self._calls.view.ListWorkspaces, view_pb2.ListWorkspacesRequest())
        return tuple(result(each, Workspace) for each in response.workspaces)

    async def workspace(self, *, workspace: str = "", min_seq: int | None = None) -> WorkspaceSettings:
        """Give how a workspace works: its vocabulary, and whether agents only propose.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.GetWorkspaceRequest(workspace=whose, min_seq=self._calls.min_seq(whose, min_seq))
        return result(await self._calls.read(self._calls.view.GetWorkspace, request), WorkspaceSettings)

    async def get_record(self, record_id: str, *, workspace: str = "", min_seq: int | None = None) -> Record:
        """Give a record, with whether it still holds.

        Args:
            record_id: which.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            NotFound: there is no such record.
            NotYetVisible: the view has not come that far in time.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.GetRecord,
            view_pb2.GetRecordRequest(workspace=whose, id=record_id, min_seq=self._calls.min_seq(whose, min_seq)),
        )
        return result(response.record, Record, as_of_seq=response.as_of_seq)

    async def get_belief(
        self, subject: str, predicate: str, *, workspace: str = "", min_seq: int | None = None
    ) -> Belief:
        """Give what is held of one claim, now.

        Raises:
            NotFound: nobody ever said anything about it.
            NotYetVisible: the view has not come that far in time.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.GetBelief,
            view_pb2.GetBeliefRequest(
                workspace=whose, subject=subject, predicate=predicate, min_seq=self._calls.min_seq(whose, min_seq)
            ),
        )
        return result(response.belief, Belief, as_of_seq=response.as_of_seq)

    async def query_page(  # noqa: PLR0913 - a query has these parts
        self,
        *,
        workspace: str = "",
        kinds: Sequence[str] = (),
        room: str = "",
        fields: Mapping[str, Any] | None = None,
        states: Sequence[State] = (),
        limit: int = PAGE,
        cursor: str = "",
        min_seq: int | None = None,
        include_deleted: bool = False,
        with_bodies: bool = False,
    ) -> Page:
        """Give one page of the records that match everything given.

        Args:
            workspace: whose.
            kinds: any of these; none for all.
            room: in this room.
            fields: equal to these JSON values.
            states: in any of these states.
            limit: records of a page, 1 to 200.
            cursor: from the previous page.
            min_seq: wait for this position; None for this client's own last write.
            include_deleted: tombstones, too.
            with_bodies: bodies, too.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.Query,
            view_pb2.QueryRequest(
                workspace=whose,
                kinds=kinds,
                room=room,
                fields=fields_message(fields or {}),
                states=[types_pb2.ValidityState.Value(f"VALIDITY_STATE_{state.upper()}") for state in states],
                limit=limit,
                cursor=cursor,
                min_seq=self._calls.min_seq(whose, min_seq),
                include_deleted=include_deleted,
                with_bodies=with_bodies,
            ),
        )
        seq = response.as_of_seq
        return Page(
            records=tuple(result(each, Record, as_of_seq=seq) for each in response.records),
            cursor=response.next_cursor,
            as_of_seq=seq,
            total=response.total,
        )

    async def query(self, **criteria: Unpack[Criteria]) -> AsyncIterator[Record]:
        """Give all records that match, page after page; the arguments are those of `query_page`.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        cursor = ""
        while True:
            page = await self.query_page(cursor=cursor, **criteria)
            for record in page.records:
                yield record
            if not (cursor := page.cursor):
                return

    async def proposals(
        self, *, record_id: str = "", include_closed: bool = False, workspace: str = "", min_seq: int | None = None
    ) -> AsyncIterator[Proposal]:
        """Give the proposals that wait for a person, oldest first, page after page.

        Args:
            record_id: only those that would write this record.
            include_closed: those that wait no longer, too.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.ListProposalsRequest(
            workspace=whose,
            record_id=record_id,
            include_closed=include_closed,
            limit=PAGE,
            min_seq=self._calls.min_seq(whose, min_seq),
        )
        while True:
            response = await self._calls.read(self._calls.view.ListProposals, request)
            for each in response.proposals:
                yield result(each, Proposal, as_of_seq=response.as_of_seq)
            if not response.next_cursor:
                return
            request.cursor = response.next_cursor

    async def proposal(self, proposal_id: str, *, workspace: str = "", min_seq: int | None = None) -> Proposal:
        """Give one proposal against the records as they stand, open or closed.

        Raises:
            NotFound: there is no such proposal.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.read(
            self._calls.view.GetProposal,
            view_pb2.GetProposalRequest(workspace=whose, id=proposal_id, min_seq=self._calls.min_seq(whose, min_seq)),
        )
        return result(response.proposal, Proposal, as_of_seq=response.as_of_seq)

    async def traverse(  # noqa: PLR0913 - a traverse has these parts
        self,
        start: Entity,
        *,
        hops: int = 2,
        names: Sequence[str] = (),
        at: datetime | None = None,
        both_directions: bool = False,
        workspace: str = "",
        min_seq: int | None = None,
    ) -> Traversal:
        """Give what is near a record or an entity, over links and relations, each with its shortest way.

        Args:
            start: an entity's type may be left out where its name has only one.
            hops: how far, 1 to 4.
            names: only links and relations of these names; none means all.
            at: only relations that hold at this time, aware; None for all that are current.
            both_directions: against their direction, too.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            NotFound: nothing is called like that.
            StanchionError: it was refused otherwise, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.TraverseRequest(
            workspace=whose,
            hops=hops,
            names=names,
            at=timestamp(at),
            both_directions=both_directions,
            min_seq=self._calls.min_seq(whose, min_seq),
            **{"from": entity_message(start)},  # no Python argument is called `from`
        )
        return result(await self._calls.read(self._calls.view.Traverse, request), Traversal)

    async def relation_history(
        self, start: Entity, name: str, to: Entity, *, workspace: str = "", min_seq: int | None = None
    ) -> tuple[RelationWindow, ...]:
        """Give every window that was ever stated of a relation, oldest first.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.RelationHistoryRequest(
            workspace=whose,
            name=name,
            to=entity_message(to),
            min_seq=self._calls.min_seq(whose, min_seq),
            **{"from": entity_message(start)},
        )
        response = await self._calls.read(self._calls.view.RelationHistory, request)
        return tuple(result(each, RelationWindow) for each in response.windows)

    async def watch(self, *, workspace: str = "", from_seq: int = 0) -> AsyncIterator[Watched]:
        """Give the changes of a workspace, in order, none twice, none missing, for as long as they are asked for.

        A stream that breaks is opened again after the last seq that was given.

        Args:
            workspace: whose.
            from_seq: the first seq wanted; 0 means from now on.

        Raises:
            StanchionError: it was refused, or nobody has answered for a while.
        """
        request = view_pb2.WatchRequest(workspace=self._calls.workspace(workspace), from_seq=from_seq)
        attempt, begun = 0, False
        while True:
            opened = monotonic()
            try:
                async for message in self._calls.view.Watch(request, metadata=self._calls.connection.metadata):
                    attempt, begun = 0, True
                    request.from_seq = max(request.from_seq, message.through_seq + 1)
                    yield result(message, Watched)
                ended: StanchionError = Unreachable("STREAM_ENDED", "the view ended the watch without a word")
            except grpc.aio.AioRpcError as error:
                ended = from_rpc(error, read=True)
            attempt += 1
            begun = begun or monotonic() - opened > _STOOD_S
            await self._calls.connection.wait(attempt, ended, stream=begun)

    async def trace(
        self, subject_id: str = "", *, workspace: str = "", receipts: bool = False, min_seq: int | None = None
    ) -> AsyncIterator[LedgerEntry]:
        """Give the ledger's entries of one subject, or of the whole workspace, oldest first.

        Args:
            subject_id: of a record or another subject; empty for all.
            workspace: whose.
            receipts: of the tree of receipts (who was served what) instead of the tree of changes.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        cursor = ""
        while True:
            response = await self._calls.read(
                self._calls.audit.Trace,
                audit_pb2.TraceRequest(
                    workspace=whose,
                    subject_id=subject_id,
                    limit=PAGE,
                    cursor=cursor,
                    min_seq=0 if receipts else self._calls.min_seq(whose, min_seq),
                    tree=_tree(receipts=receipts),
                ),
            )
            for entry in response.entries:
                yield result(entry, LedgerEntry)
            if not (cursor := response.next_cursor):
                return

    async def checkpoint(self, *, workspace: str = "", receipts: bool = False) -> Checkpoint:
        """Give the signed head of a workspace's tree of changes, or of receipts.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        request = audit_pb2.GetCheckpointRequest(
            workspace=self._calls.workspace(workspace), tree=_tree(receipts=receipts)
        )
        return result(await self._calls.read(self._calls.audit.GetCheckpoint, request), Checkpoint)


async def _messages(
    events: AsyncIterable[Event] | Iterable[Event], workspace: str, *, await_answer: bool
) -> AsyncIterator[Request]:
    """Give events as they are sent."""
    if isinstance(events, AsyncIterable):
        async for event in events:
            yield event_message(event, workspace, await_answer=await_answer)
    else:
        for event in events:
            yield event_message(event, workspace, await_answer=await_answer)


def _tree(*, receipts: bool) -> audit_pb2.Tree.ValueType:
    """Give which of a workspace's trees."""
    return audit_pb2.TREE_RECEIPTS if receipts else audit_pb2.TREE_CHANGES
