"""Workspaces, and how each works."""

from stanchion.areas.area import Area
from stanchion.calls import new_key
from stanchion.results import Answer, Workspace, WorkspaceSettings
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


class Workspaces(Area):
    """Lists workspaces, reads and changes their settings."""

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
