"""One client's calls: to which service, about whose records, and how far a read must see."""

import secrets
from typing import Any

from stanchion.connection import Connection
from stanchion.errors import OutcomeUnknown, Refused
from stanchion.results import Answer
from stanchion.retry import Retry, Sleep
from stanchion.settings import ClientSettings
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2_grpc
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc


class Calls:
    """The stubs of the three services over one connection, and what this client has written so far.

    Attributes:
        connection: with its retries.
        ingest: the gateway's stub.
        audit: the audit reader's.
        view: the view's.

    Args:
        settings: where and who.
        retry: how often and how patiently.
        sleep: how to wait between tries.

    Raises:
        NotSignedIn: there is no token.
        NotAllowed: the token would be sent to another machine in the clear.
    """

    def __init__(self, settings: ClientSettings, retry: Retry, sleep: Sleep) -> None:
        self.connection = Connection(settings, retry, sleep)
        # The generated stubs tell synchronous from asynchronous calls by an overload that mypy cannot narrow here.
        self.ingest: Any = ingest_pb2_grpc.IngestServiceStub(self.connection.gateway)
        self.audit: Any = audit_pb2_grpc.AuditServiceStub(self.connection.audit)
        self.view: Any = view_pb2_grpc.ViewServiceStub(self.connection.view)
        self._settings = settings
        self._written: dict[str, int] = {}

    async def command(self, method: Any, request: Any) -> Answer:  # noqa: ANN401 - any command
        """Have something decided, and remember how far a read must see.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        answer = result((await self.write(method, request)).answer, Answer)
        self.note(request.workspace, answer)
        return answer

    async def write(self, method: Any, request: Any) -> Any:  # noqa: ANN401 - any write
        """Make a call that changes something.

        Raises:
            OutcomeUnknown: no answer in time; the error has the key under which it can be sent again.
            StanchionError: it was refused, or nobody answers.
        """
        try:
            return await self.connection.call(method, request)
        except OutcomeUnknown as error:
            error.metadata.setdefault("idempotency_key", request.idempotency_key)
            raise

    async def read(self, method: Any, request: Any) -> Any:  # noqa: ANN401 - any read
        """Make a call that changes nothing.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self.connection.call(method, request, read=True)

    def workspace(self, named: str) -> str:
        """Give the workspace of a call.

        Raises:
            Refused: the call names none, and neither do the settings.
        """
        whose = self.own(named)
        if not whose:
            raise Refused("WORKSPACE_MISSING", "no workspace: name one, or set STANCHION_WORKSPACE")
        return whose

    def own(self, named: str) -> str:
        """Give the workspace that is named, else the settings'; empty where neither names one."""
        return named or self._settings.workspace

    def note(self, workspace: str, answer: Answer) -> None:
        """Remember how far a read must see to see this write."""
        self._written[workspace] = max(self._written.get(workspace, 0), answer.min_seq)

    def min_seq(self, workspace: str, asked: int | None) -> int:
        """Give the position a read waits for."""
        return self._written.get(workspace, 0) if asked is None else asked


def new_key() -> str:
    """Give an idempotency key that nobody else has."""
    return secrets.token_hex(16)
