"""How beliefs are worked out: how fast evidence ages, and which values go together."""

from typing import Literal

from stanchion.areas.area import Area
from stanchion.calls import new_key
from stanchion.results import Answer, BeliefPolicy, WorkspaceSettings
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


class Policies(Area):
    """Reads and sets policies; `Client.policy` is one."""

    async def set(  # noqa: PLR0913 - a policy has these parts
        self,
        predicate: str = "",
        *,
        half_life: Literal["", "fast", "standard", "slow", "none"] | None = None,
        multi_valued: bool | None = None,
        tolerance: float | None = None,
        consensus: bool | None = None,
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Set how the beliefs of one predicate, or of the whole workspace, are worked out; None leaves a part.

        Args:
            predicate: as written; empty for the workspace.
            half_life: of evidence: 14, 90 or 365 days, or none; empty takes the setting back.
            multi_valued: several values may be true at once.
            tolerance: numbers that differ by no more than this share of the larger are one value, 0 to 0.5.
            consensus: only of the workspace: sources that nobody resolved are trusted as they agree with others.
            workspace: whose.
            idempotency_key: of this change.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.SetBeliefPolicy,
            ingest_pb2.SetBeliefPolicyRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                predicate=predicate,
                half_life=half_life,
                multi_valued=multi_valued,
                tolerance=tolerance,
                consensus=consensus,
            ),
        )

    async def list(self, *, workspace: str = "", min_seq: int | None = None) -> tuple[BeliefPolicy, ...]:
        """Give the policies that somebody set: the workspace's own first, then by predicate.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.GetWorkspaceRequest(workspace=whose, min_seq=self._calls.min_seq(whose, min_seq))
        return result(await self._calls.read(self._calls.view.GetWorkspace, request), WorkspaceSettings).policies
