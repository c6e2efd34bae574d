"""What turned out to be true, and how well it was known before."""

from stanchion.areas.area import Area
from stanchion.believed import Calibrations
from stanchion.calls import new_key
from stanchion.results import Answer
from stanchion.values import Given, value_of
from stanchion.wire import result
from stanchion.writes import value_message
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2


class Outcomes(Area):
    """Resolves claims, opens them again, and measures."""

    async def resolve(  # noqa: PLR0913 - a resolution has these parts
        self,
        subject: str,
        predicate: str,
        value: Given,
        *,
        unit: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Say what turned out to be true of a claim: who spoke on it is judged by it.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._resolve(subject, predicate, value_message(value_of(value, unit)), workspace, idempotency_key)

    async def reopen(self, subject: str, predicate: str, *, workspace: str = "", idempotency_key: str = "") -> Answer:
        """Say that it is open again what is true of a claim: what was judged by it is taken back.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._resolve(subject, predicate, None, workspace, idempotency_key)

    async def calibration(self, *, limit: int = 0, workspace: str = "", min_seq: int | None = None) -> Calibrations:
        """Give how well the confidence that was stated before a resolution met what turned out.

        Args:
            limit: at most so many sources and agents, those judged most first; 0 means 100.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        request = view_pb2.GetCalibrationRequest(
            workspace=whose, limit=limit, min_seq=self._calls.min_seq(whose, min_seq)
        )
        return result(await self._calls.read(self._calls.view.GetCalibration, request), Calibrations)

    async def _resolve(
        self, subject: str, predicate: str, value: types_pb2.Value | None, workspace: str, key: str
    ) -> Answer:
        """Have a claim resolved, or opened again."""
        return await self._calls.command(
            self._calls.ingest.Resolve,
            ingest_pb2.ResolveRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=key or new_key(),
                subject=subject,
                predicate=predicate,
                value=value,
            ),
        )
