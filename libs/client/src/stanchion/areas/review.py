"""Review: proposals, and what a person does with them."""

from collections.abc import AsyncIterator, Sequence

from stanchion.areas.area import PAGE, Area
from stanchion.calls import new_key
from stanchion.proposals import Proposal
from stanchion.results import Answer
from stanchion.wire import result
from stanchion.writes import Write, write_message
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


class Review(Area):
    """Finds proposals, publishes, rejects and edits them."""

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
