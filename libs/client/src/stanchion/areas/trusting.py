"""How far sources and agents are trusted."""

from stanchion.areas.area import PAGE, Area
from stanchion.believed import Trust
from stanchion.calls import new_key
from stanchion.results import Answer
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2
from stanchion_core.trust import DEFAULT_TRUST


class Trusting(Area):
    """Reads and sets trust; `Client.trust` is one."""

    async def set(self, name: str, value: float | None, *, workspace: str = "", idempotency_key: str = "") -> Answer:
        """Set how far a source or agent is trusted, 0 to 1; None takes the setting back.

        Reads weigh by it at once; what has to be looked at anew for it follows in the background.

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

    async def get(self, name: str, *, workspace: str = "", min_seq: int | None = None) -> Trust:
        """Give how far one source or agent is trusted, and why; of whom nothing is known the default.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        found = await self._listed(name, workspace, min_seq)
        return next((each for each in found if each.name == name), Trust(name=name, value=DEFAULT_TRUST))

    async def list(self, *, workspace: str = "", min_seq: int | None = None) -> tuple[Trust, ...]:
        """Give how far all are trusted that anybody set, resolved or estimated, by name.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._listed("", workspace, min_seq)

    async def _listed(self, name: str, workspace: str, min_seq: int | None) -> tuple[Trust, ...]:
        """Give the trust of one or all."""
        whose = self._calls.workspace(workspace)
        request = view_pb2.ListTrustRequest(
            workspace=whose, name=name, limit=PAGE, min_seq=self._calls.min_seq(whose, min_seq)
        )
        found: tuple[Trust, ...] = ()
        while True:
            response = await self._calls.read(self._calls.view.ListTrust, request)
            found += tuple(result(each, Trust) for each in response.trust)
            if not response.next_cursor:
                return found
            request.cursor = response.next_cursor
