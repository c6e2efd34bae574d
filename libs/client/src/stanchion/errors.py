"""What can go wrong, split by what to do about it.

```
StanchionError
├── Refused              the call is wrong as it stands: mend it (`violations` names the fields)
│   └── NotFound         no such record, belief, seq
├── Conflict             what it was based on has moved: read again, decide again
├── Blocked              something is missing or in the way: `detail` names it
├── NotAllowed           this token may not: `detail` says who may
│   └── NotSignedIn      no token, an expired one, or one the server does not accept
├── KeyReused            the same idempotency key or event id came with other content
├── Unreachable          nobody answers, or nobody has time: try again later
│   ├── NotYetVisible    the view has not come to `min_seq` in time; `position` says how far it is
│   ├── NotInTime        a read was not answered within its deadline: ask again
│   └── OutcomeUnknown   a write's deadline passed: it may still land; retry it with the same key
└── ServerFault          theirs to mend: `metadata["incident"]` is in their log
```
"""

from collections.abc import Mapping
from typing import Final

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

DOMAIN: Final = "stanchion"


class StanchionError(Exception):
    """A call that did not succeed.

    Attributes:
        reason: stable UPPER_SNAKE, such as `VERSION_CONFLICT`; the canonical code's name when the server gave none.
        detail: one sentence for a person.
        metadata: facts for a program, such as `record_id` or `current_version`.
        violations: (field, sentence) pairs.
        retry_after_s: when the server asked to come again; None when it did not.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: tuple[tuple[str, str], ...] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.retry_after_s = retry_after_s

    @property
    def current_version(self) -> int:
        """The version that stands, 0 when the server did not say."""
        return int(self.metadata.get("current_version", "0"))


class Refused(StanchionError):
    """The call is wrong as it stands."""


class NotFound(Refused):
    """There is no such thing."""


class Conflict(StanchionError):
    """What the call was based on has moved."""


class Blocked(StanchionError):
    """Something is missing or in the way."""


class NotAllowed(StanchionError):
    """The token may not do this."""


class NotSignedIn(NotAllowed):
    """There is no token that the server accepts."""


class KeyReused(StanchionError):
    """The same key came with other content before."""


class Unreachable(StanchionError):
    """Nobody answers, or nobody has time."""


class NotYetVisible(Unreachable):
    """The view has not come to `min_seq` in time."""

    @property
    def position(self) -> int:
        """The seq the view has come to."""
        return int(self.metadata.get("position", "0"))


class NotInTime(Unreachable):
    """A read was not answered within its deadline."""


class OutcomeUnknown(Unreachable):
    """A write's deadline passed; it may still land: `metadata["idempotency_key"]` makes it land once."""


class ServerFault(StanchionError):
    """The server failed."""


_Code = grpc.StatusCode
_CLASSES: Final[Mapping[grpc.StatusCode, type[StanchionError]]] = {
    _Code.INVALID_ARGUMENT: Refused,
    _Code.OUT_OF_RANGE: Refused,
    _Code.NOT_FOUND: NotFound,
    _Code.ABORTED: Conflict,
    _Code.FAILED_PRECONDITION: Blocked,
    _Code.PERMISSION_DENIED: NotAllowed,
    _Code.UNAUTHENTICATED: NotSignedIn,
    _Code.ALREADY_EXISTS: KeyReused,
    _Code.RESOURCE_EXHAUSTED: Unreachable,
    _Code.UNAVAILABLE: Unreachable,
    _Code.DEADLINE_EXCEEDED: OutcomeUnknown,
    _Code.CANCELLED: Unreachable,
}


_READ_LATE: Final = "the read was not answered in time: ask again, or with a larger STANCHION_TIMEOUT_S"
_LATE: Final = "no answer came in time; what was sent may still land: send it again with the same idempotency key"


def from_rpc(error: grpc.aio.AioRpcError, *, read: bool = False) -> StanchionError:
    """Give the error that a failed call stands for.

    Args:
        error: as gRPC raised it.
        read: the call changes nothing, so that its outcome is no question.
    """
    code = error.code()
    if code is _Code.DEADLINE_EXCEEDED and read:
        return NotInTime(
            code.name, "the read was not answered in time: ask again, or with a larger STANCHION_TIMEOUT_S"
        )
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.BadRequest()
    retry = error_details_pb2.RetryInfo()
    status = rpc_status.from_call(error)
    for packed in status.details if status is not None else ():
        for detail in (info, request, retry):
            if packed.Is(detail.DESCRIPTOR):
                packed.Unpack(detail)
    ours = info.domain == DOMAIN
    cls = NotYetVisible if info.reason == "NOT_YET_VISIBLE" else _CLASSES.get(code, ServerFault)
    if code is _Code.RESOURCE_EXHAUSTED and not ours:
        cls = Refused  # gRPC itself says that a message is too large: coming again is no use
    return cls(
        info.reason if ours else code.name,
        _LATE if cls is OutcomeUnknown and not ours else error.details() or code.name.lower().replace("_", " "),
        metadata=info.metadata,
        violations=tuple((each.field, each.description) for each in request.field_violations),
        retry_after_s=retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None,
    )
