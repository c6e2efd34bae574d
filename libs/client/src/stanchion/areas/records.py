"""Records: writing, affirming and finding them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from stanchion.areas.area import PAGE, Area
from stanchion.calls import new_key
from stanchion.results import Answer, Page, Record, State
from stanchion.wire import result
from stanchion.writes import Write, fields_message, write_message
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


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


class Records(Area):
    """Writes, affirms and finds records."""

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
