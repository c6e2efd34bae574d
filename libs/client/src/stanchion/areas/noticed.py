"""What was noticed beside beliefs: what people want, and what the looks over all beliefs found."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from stanchion.areas.area import PAGE
from stanchion.areas.records import Records
from stanchion.believed import Finding, FindingKind, Intent, intent_of
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2

INTENT: Final = "intent"
"""The kind of the records that intents are."""

_DROPPED: Final = "dropped"


class Noticed(Records):
    """Lists intents and findings."""

    async def intents(
        self, *, dropped: bool = False, room: str = "", workspace: str = "", min_seq: int | None = None
    ) -> AsyncIterator[Intent]:
        """Give what is wanted, decided or forbidden, page after page.

        Args:
            dropped: also what nobody wants any more.
            room: in this room.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        async for record in self.query(
            workspace=workspace, kinds=[INTENT], room=room, min_seq=min_seq, with_bodies=True
        ):
            if dropped or record.status != _DROPPED:
                yield intent_of(record)

    async def findings(
        self,
        *,
        kinds: Sequence[FindingKind] = (),
        subject: str = "",
        predicate: str = "",
        workspace: str = "",
        min_seq: int | None = None,
    ) -> AsyncIterator[Finding]:
        """Give what the looks over all beliefs found that still holds, latest first, page after page.

        Args:
            kinds: any of these; none for all.
            subject: only of this claim.
            predicate: likewise.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.ListFindingsRequest(
            workspace=whose,
            kinds=kinds,
            subject=subject,
            predicate=predicate,
            limit=PAGE,
            min_seq=self._calls.min_seq(whose, min_seq),
        )
        while True:
            response = await self._calls.read(self._calls.view.ListFindings, request)
            for each in response.findings:
                yield result(each, Finding)
            if not response.next_cursor:
                return
            request.cursor = response.next_cursor
