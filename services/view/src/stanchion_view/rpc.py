"""ViewService: reads over gRPC, each answered from one position that it names."""

import asyncio
import difflib
import functools
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Never, TypeVar

import msgspec

from stanchion_contracts.claim import Contribution
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_contracts.receipt import Served
from stanchion_contracts.record import FieldValue
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import FIELD_VALUE_BYTES
from stanchion_core.text import canonical_json, parse_json
from stanchion_core.vocabulary import Vocabulary
from stanchion_runtime import clock, rpc
from stanchion_view import present, watch
from stanchion_view.core import cursor
from stanchion_view.core.belief import BeliefNow, believe, claim_of
from stanchion_view.core.query import Asked, Filters, Found, State, find, page
from stanchion_view.core.standing import Standings
from stanchion_view.core.state import Workspace
from stanchion_view.receipts import Receipts
from stanchion_view.replica import Replica

NAME: Final = "stanchion.view.v1.ViewService"
DEFAULT_LIMIT: Final = 50
MOST: Final = 200
"""Records on one page."""
PAGE_BYTES: Final = 8 * 1024 * 1024
"""What a page holds at most; a page that would be larger has fewer records, at least one."""

_STATES: Final[dict[int, State]] = {
    types_pb2.VALIDITY_STATE_CURRENT: "current",
    types_pb2.VALIDITY_STATE_NEEDS_REVIEW: "needs_review",
    types_pb2.VALIDITY_STATE_MONITORING_INCOMPLETE: "monitoring_incomplete",
}
_NEAR: Final = 20_000  # names looked through for a likely misspelling
_ADDED: Final = msgspec.json.Decoder(tuple[Contribution, ...])

T = TypeVar("T")


class ViewServicer(view_pb2_grpc.ViewServiceServicer):
    """Answers from a replica; the file is read in threads of its own.

    Args:
        replica: what is read.
        receipts: takes what agents were served.
        readers: threads that read the file.
    """

    def __init__(self, replica: Replica, receipts: Receipts, readers: int) -> None:
        self._replica = replica
        self._receipts = receipts
        self._threads = ThreadPoolExecutor(readers, thread_name_prefix="view-read")

    def close(self) -> None:
        """End the reading threads; call it when no call is in hand."""
        self._threads.shutdown(wait=True)

    async def ListWorkspaces(self, request: pb.ListWorkspacesRequest, context: Any) -> pb.ListWorkspacesResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give the workspaces that the caller may enter, by name."""
        caller = rpc.principal()
        if "read" not in caller.capabilities:
            rpc.refuse("MISSING_CAPABILITY", f"{caller.kind} {caller.sub} lacks `read`", capability="read")
        return pb.ListWorkspacesResponse(
            workspaces=[
                _workspace(name, space)
                for name, space in sorted(self._replica.workspaces.items())
                if caller.may_enter(name)
            ]
        )

    async def GetRecord(self, request: pb.GetRecordRequest, context: Any) -> pb.GetRecordResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give one record, whether it still holds, and why not."""
        space = await self._workspace(request.workspace, request.min_seq)
        caller = rpc.principal()
        if caller.kind == "agent" and self._receipts.full:
            rpc.refuse(
                "OVERLOADED", "receipts cannot be left just now, and agents are not served without", retry_after_s=1
            )
        if request.id not in space.cards:
            _no_record(request.workspace, request.id, space)
        found, as_of = find(space, self._replica.vocabulary, request.id, clock.now_us()), space.last_seq
        bodies, times = await self._texts(request.workspace, (found,), bodies=True)
        record = present.record(request.workspace, found, body=bodies[found.card.id], times=times)
        if caller.kind == "agent":
            served = Served(record_id=found.card.id, version=found.card.version, validity=found.validity.state)
            self._receipts.give(caller, request.workspace, "GetRecord", as_of, (served,))
        return pb.GetRecordResponse(record=record, as_of_seq=as_of)

    async def GetBelief(self, request: pb.GetBeliefRequest, context: Any) -> pb.GetBeliefResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give one belief as it stands now: decay and trust applied, every voice listed."""
        space = await self._workspace(request.workspace, request.min_seq)
        claim = claim_of(request.subject, request.predicate)
        held, as_of, now_us = space.beliefs.get(claim), space.last_seq, clock.now_us()
        if held is None:
            _no_belief(request.workspace, claim, space)
        trust = dict(space.trust)

        def work_out() -> BeliefNow:
            rows = self._replica.store.contributions(request.workspace, claim, as_of)
            said = [each for row in rows for each in _ADDED.decode(row)]
            return believe(said, trust, now_us=now_us, half_life_s=held.belief.half_life_s)

        now = await self._read(work_out)
        belief = present.belief(request.workspace, claim, now, seq=held.seq, now_us=now_us)
        return pb.GetBeliefResponse(belief=belief, as_of_seq=as_of)

    async def Query(self, request: pb.QueryRequest, context: Any) -> pb.QueryResponse:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give a page of the records that match, in order of id."""
        filters, limit = _filters(request, self._replica.vocabulary), _limit(request.limit)
        question = cursor.question_of(request.workspace, *_plain(filters))
        from_cursor = _cursor(request.cursor, question)
        space = await self._workspace(request.workspace, request.min_seq, from_cursor.as_of_seq)
        standings = await self._replica.standings(request.workspace) if filters.states else Standings()
        asked = Asked(filters=filters, now_us=clock.now_us(), after=from_cursor.after, limit=limit)
        state_of = functools.partial(standings.state, space, now_us=asked.now_us)
        found, as_of = page(space, self._replica.vocabulary, asked, state_of), space.last_seq
        bodies, times = await self._texts(request.workspace, found.found, bodies=request.with_bodies)
        records: list[types_pb2.Record] = []
        following, room = "", PAGE_BYTES
        for each in found.found:
            record = present.record(request.workspace, each, body=bodies.get(each.card.id, ""), times=times)
            room -= record.ByteSize()
            if records and room < 0:
                break
            records.append(record)
        if found.more or len(records) < len(found.found):
            following = cursor.encode(cursor.Cursor(after=records[-1].id, as_of_seq=as_of, question=question))
        return pb.QueryResponse(records=records, next_cursor=following, as_of_seq=as_of, total=found.total)

    async def Watch(self, request: pb.WatchRequest, context: Any) -> AsyncIterator[pb.WatchResponse]:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Tell what happens from a seq on, until the caller goes."""
        rpc.require("read", request.workspace)
        self._held(request.workspace)
        if request.from_seq < 0:
            rpc.refuse("FIELD_VALUE", "from_seq is below 0: give the first seq you want, or 0", field="from_seq")
        async for told in watch.watch(self._replica, self._stored, request.workspace, request.from_seq):
            happened = present.event(request.workspace, told.event) if told.event is not None else None
            yield pb.WatchResponse(event=happened, through_seq=told.through_seq)

    async def _workspace(self, name: str, min_seq: int, seen_seq: int = 0) -> Workspace:
        """Give a workspace that the caller may read, once it has reached a seq.

        Args:
            name: of the workspace.
            min_seq: what the caller asks for.
            seen_seq: what the caller has seen already, perhaps from another view.

        Raises:
            Refused: `WRONG_WORKSPACE`, `MISSING_CAPABILITY`, `FIELD_VALUE`, `NOT_FOUND`, `NOT_YET_VISIBLE`.
        """
        rpc.require("read", name)
        self._held(name)
        if min_seq < 0:
            rpc.refuse("FIELD_VALUE", "min_seq is below 0", field="min_seq")
        wanted = max(min_seq, seen_seq)
        if not await self._replica.reached(name, wanted, rpc.remaining_s()):
            at = self._replica.last_seq(name)
            rpc.refuse(
                "NOT_YET_VISIBLE",
                f"workspace {name} is at seq {at} here and {wanted} was asked for: ask again, or for less",
                retry_after_s=0.1,
                position=at,
                min_seq=wanted,
            )
        space = self._replica.workspaces.get(name)
        if space is None:
            rpc.refuse("NOT_FOUND", f"workspace {name} is empty: nothing was written to it yet", workspace=name)
        return space

    def _held(self, workspace: str) -> None:
        """Check that the workspace's partition is one of this view's.

        Raises:
            Refused: `NOT_FOUND`.
        """
        if not self._replica.holds(workspace):
            held = ", ".join(map(str, self._replica.partitions))
            rpc.refuse("NOT_FOUND", f"this view holds partitions {held} and workspace {workspace} is on another")

    async def _read(self, what: Callable[..., T], *args: object) -> T:
        """Read the file in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, what, *args)

    async def _stored(
        self, workspace: str, after: tuple[int, int], through: int, limit: int
    ) -> Sequence[tuple[int, int, str]]:
        """Read events from the file."""
        return await self._read(self._replica.store.changes, workspace, after, through, limit)

    async def _texts(
        self, workspace: str, found: Sequence[Found], *, bodies: bool
    ) -> tuple[dict[str, str], dict[int, int]]:
        """Give what is not in hot state: bodies where wanted, and when the reasons' moves were recorded."""
        store, texts = self._replica.store, self._replica.texts
        wanted = [(workspace, each.card.id, each.card.body_version) for each in found] if bodies else []
        moments = [(workspace, seq) for seq in present.reason_seqs(each.validity for each in found)]
        known, when = texts.bodies(wanted), texts.times(moments)
        missing = {record: version for whose, record, version in wanted if (whose, record, version) not in known}
        if missing:
            read = await self._read(store.bodies, workspace, list(missing.items()))
            known |= {(workspace, record, missing[record]): body for record, body in read.items()}
            texts.keep_bodies(known)
        unknown = [seq for whose, seq in moments if (whose, seq) not in when]
        if unknown:
            when |= {(workspace, seq): at for seq, at in (await self._read(store.times, workspace, unknown)).items()}
            texts.keep_times(when)
        return {record: body for (_, record, _), body in known.items()}, {seq: at for (_, seq), at in when.items()}


def _workspace(name: str, space: Workspace) -> pb.Workspace:
    """Give a workspace's line."""
    return pb.Workspace(
        name=name,
        last_seq=space.last_seq,
        records=sum(not card.deleted for card in space.cards.values()),
        beliefs=len(space.beliefs),
        last_recorded_at=present.timestamp(space.last_us),
    )


def _filters(request: pb.QueryRequest, vocabulary: Vocabulary) -> Filters:
    """Read the filters.

    Raises:
        Refused: `FIELD_VALUE` where a value is no JSON or a state none of ours; `UNKNOWN_KIND`.
    """
    for kind in request.kinds:
        if kind not in vocabulary.kinds:
            known = ", ".join(sorted(vocabulary.kinds))
            rpc.refuse("UNKNOWN_KIND", f"the vocabulary has no kind {kind!r:.80}; it has {known}", field="kinds")
    unknown = [state for state in request.states if state not in _STATES]
    if unknown:
        rpc.refuse("FIELD_VALUE", "states has one that is not a validity state: leave it out", field="states")
    return Filters(
        kinds=frozenset(request.kinds),
        room=request.room,
        fields=tuple(sorted(_field(field.name, field.value_json) for field in request.fields)),
        states=frozenset(_STATES[state] for state in request.states),
        deleted=request.include_deleted,
    )


def _field(name: str, value: str) -> FieldValue:
    """Read one field filter into the canonical text that fields are kept in.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    try:
        plain = parse_json(value, f"fields.{name}", utf8_bytes=FIELD_VALUE_BYTES)
        return FieldValue(name=name, value=canonical_json(plain))
    except InvalidMessage as error:
        rpc.refuse(error.code, f'{error.detail}: a text is "quoted"', field=f"fields.{name}")


def _plain(filters: Filters) -> tuple[object, ...]:
    """Give filters as plain values in one order, for the cursor's digest."""
    fields = [(field.name, field.value) for field in filters.fields]
    return sorted(filters.kinds), filters.room, fields, sorted(filters.states), filters.deleted


def _limit(limit: int) -> int:
    """Check a limit.

    Raises:
        Refused: `FIELD_VALUE`.
    """
    if not 0 <= limit <= MOST:
        rpc.refuse("FIELD_VALUE", f"limit is {limit}: give 1 to {MOST}, or 0 for {DEFAULT_LIMIT}", field="limit")
    return limit or DEFAULT_LIMIT


def _cursor(text: str, question: bytes) -> cursor.Cursor:
    """Read a cursor; none is the first page.

    Raises:
        Refused: `BAD_CURSOR`.
    """
    if not text:
        return cursor.Cursor(after="", as_of_seq=0, question=question)
    try:
        return cursor.decode(text, question)
    except cursor.CursorError as error:
        rpc.refuse("BAD_CURSOR", str(error), field="cursor")


def _no_record(workspace: str, record: str, space: Workspace) -> Never:
    """Say that there is no such record, and which ones look like it.

    Raises:
        Refused: `NOT_FOUND`.
    """
    names = list(space.cards) if len(space.cards) <= _NEAR else []
    near = difflib.get_close_matches(record, names, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else "; Query lists what there is"
    rpc.refuse(
        "NOT_FOUND",
        f"no record {record!r} in workspace {workspace} at seq {space.last_seq}{hint}",
        record_id=record,
        workspace=workspace,
    )


def _no_belief(workspace: str, claim: tuple[str, str], space: Workspace) -> Never:
    """Say that nobody spoke of a claim, and of what else of its subject somebody did.

    Raises:
        Refused: `NOT_FOUND`.
    """
    subject, predicate = claim
    known = (
        sorted(other for about, other in space.beliefs if about == subject)[:5] if len(space.beliefs) <= _NEAR else []
    )
    hint = f"; of {subject} there is {', '.join(known)}" if known else ""
    rpc.refuse(
        "NOT_FOUND",
        f"nobody has spoken of {subject}/{predicate} in workspace {workspace} up to seq {space.last_seq}{hint}",
        workspace=workspace,
    )
