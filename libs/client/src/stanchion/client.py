"""The client: everything Stanchion does for callers, asynchronous and typed.

    async with Client() as stanchion:
        record = await stanchion.get_record("adr-0007", workspace="docs")
        print(record.validity.state)

Writes take an `idempotency_key`, or make one; every retry carries it, so a write lands once. A client reads its own
writes: each read waits until the view has what this client wrote last, unless `min_seq` says otherwise.
"""

import secrets
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import grpc

from stanchion.connection import Connection
from stanchion.errors import Refused, StanchionError, Unreachable, from_rpc
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
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2, audit_pb2_grpc
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2, ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc

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
        self._settings = settings or ClientSettings()
        self._connection = Connection(self._settings, retry or Retry(), sleep)
        # The generated stubs tell synchronous from asynchronous calls by an overload that mypy cannot narrow here.
        self._ingest: Any = ingest_pb2_grpc.IngestServiceStub(self._connection.gateway)
        self._audit: Any = audit_pb2_grpc.AuditServiceStub(self._connection.audit)
        self._view: Any = view_pb2_grpc.ViewServiceStub(self._connection.view)
        self._written: dict[str, int] = {}

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
        await self._connection.close()

    async def publish(
        self,
        events: AsyncIterable[Event] | Iterable[Event],
        *,
        workspace: str = "",
        await_answer: bool = False,
        window: int = WINDOW,
    ) -> AsyncIterator[Published]:
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
        whose = self._workspace(workspace) if workspace or self._settings.workspace else ""
        publisher = Publisher(self._connection, self._ingest.Publish, window)
        async for published in publisher.run(_messages(events, whose, await_answer=await_answer)):
            if published.answer is not None and whose:
                self._note(whose, published.answer)
            yield published

    async def observe(  # noqa: PLR0913 - an observation has these parts
        self,
        *,
        workspace: str = "",
        room: str = "",
        path: str = "explicit-add",
        text: str = "",
        claims: Sequence[Claim] = (),
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
            claims: stated outright.
            source: what it rests on; empty means the caller.
            observed_at: aware; None for now.
            idempotency_key: the same key with the same content is the same observation.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._workspace(workspace)
        response = await self._connection.call(
            self._ingest.Observe,
            ingest_pb2.ObserveRequest(
                workspace=whose,
                room=room,
                idempotency_key=idempotency_key or _new_key(),
                source=source,
                path=path,
                observed_at=timestamp(observed_at),
                text=text,
                claims=[claim_message(claim) for claim in claims],
            ),
        )
        observed = result(response, Observed)
        self._note(whose, observed.answer)
        return observed

    async def write_batch(self, writes: Sequence[Write], *, workspace: str = "", idempotency_key: str = "") -> Answer:
        """Write records, all or nothing.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._command(
            self._ingest.WriteBatch,
            ingest_pb2.WriteBatchRequest(
                workspace=self._workspace(workspace),
                idempotency_key=idempotency_key or _new_key(),
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
        return await self._command(
            self._ingest.Affirm,
            ingest_pb2.AffirmRequest(
                workspace=self._workspace(workspace),
                idempotency_key=idempotency_key or _new_key(),
                record_id=record_id,
                observed_through=observed_through,
                if_match=if_match,
                note=note,
            ),
        )

    async def set_trust(
        self, name: str, value: float | None, *, workspace: str = "", idempotency_key: str = ""
    ) -> Answer:
        """Set how far a source or agent is trusted, 0 to 1; None takes the setting back.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._command(
            self._ingest.SetTrust,
            ingest_pb2.SetTrustRequest(
                workspace=self._workspace(workspace),
                idempotency_key=idempotency_key or _new_key(),
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
        return await self._command(
            self._ingest.ReportObservations,
            ingest_pb2.ReportObservationsRequest(
                workspace=self._workspace(workspace),
                idempotency_key=idempotency_key or _new_key(),
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
        response = await self._connection.call(self._view.ListWorkspaces, view_pb2.ListWorkspacesRequest())
        return tuple(result(each, Workspace) for each in response.workspaces)

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
        whose = self._workspace(workspace)
        response = await self._connection.call(
            self._view.GetRecord,
            view_pb2.GetRecordRequest(workspace=whose, id=record_id, min_seq=self._min_seq(whose, min_seq)),
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
        whose = self._workspace(workspace)
        response = await self._connection.call(
            self._view.GetBelief,
            view_pb2.GetBeliefRequest(
                workspace=whose, subject=subject, predicate=predicate, min_seq=self._min_seq(whose, min_seq)
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
        whose = self._workspace(workspace)
        response = await self._connection.call(
            self._view.Query,
            view_pb2.QueryRequest(
                workspace=whose,
                kinds=kinds,
                room=room,
                fields=fields_message(fields or {}),
                states=[types_pb2.ValidityState.Value(f"VALIDITY_STATE_{state.upper()}") for state in states],
                limit=limit,
                cursor=cursor,
                min_seq=self._min_seq(whose, min_seq),
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

    async def watch(self, *, workspace: str = "", from_seq: int = 0) -> AsyncIterator[Watched]:
        """Give the changes of a workspace, in order, none twice, none missing, for as long as they are asked for.

        A stream that breaks is opened again after the last seq that was given.

        Args:
            workspace: whose.
            from_seq: the first seq wanted; 0 means from now on.

        Raises:
            StanchionError: it was refused, or nobody has answered for a while.
        """
        request = view_pb2.WatchRequest(workspace=self._workspace(workspace), from_seq=from_seq)
        attempt, begun = 0, False
        while True:
            opened = monotonic()
            try:
                async for message in self._view.Watch(request, metadata=self._connection.metadata):
                    attempt, begun = 0, True
                    request.from_seq = max(request.from_seq, message.through_seq + 1)
                    yield result(message, Watched)
                ended: StanchionError = Unreachable("STREAM_ENDED", "the view ended the watch without a word")
            except grpc.aio.AioRpcError as error:
                ended = from_rpc(error)
            attempt += 1
            begun = begun or monotonic() - opened > _STOOD_S
            await self._connection.wait(attempt, ended, stream=begun)

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
        whose = self._workspace(workspace)
        cursor = ""
        while True:
            response = await self._connection.call(
                self._audit.Trace,
                audit_pb2.TraceRequest(
                    workspace=whose,
                    subject_id=subject_id,
                    limit=PAGE,
                    cursor=cursor,
                    min_seq=0 if receipts else self._min_seq(whose, min_seq),
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
        request = audit_pb2.GetCheckpointRequest(workspace=self._workspace(workspace), tree=_tree(receipts=receipts))
        return result(await self._connection.call(self._audit.GetCheckpoint, request), Checkpoint)

    async def _command(self, method: Any, request: Any) -> Answer:  # noqa: ANN401 - any command
        """Make a write and remember how far a read must see."""
        response = await self._connection.call(method, request)
        answer = result(response.answer, Answer)
        self._note(request.workspace, answer)
        return answer

    def _workspace(self, named: str) -> str:
        """Give the workspace of a call.

        Raises:
            Refused: the call names none, and neither do the settings.
        """
        whose = named or self._settings.workspace
        if not whose:
            raise Refused("WORKSPACE_MISSING", "no workspace: name one, or set STANCHION_WORKSPACE")
        return whose

    def _note(self, workspace: str, answer: Answer) -> None:
        """Remember how far a read must see to see this write."""
        self._written[workspace] = max(self._written.get(workspace, 0), answer.min_seq)

    def _min_seq(self, workspace: str, asked: int | None) -> int:
        """Give the position a read waits for."""
        return self._written.get(workspace, 0) if asked is None else asked


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


def _new_key() -> str:
    """Give an idempotency key that nobody else has."""
    return secrets.token_hex(16)
