"""Refusals over gRPC: a canonical code and details a caller can act on, in Google's error model.

```
grpc.StatusCode
├── INVALID_ARGUMENT      the call is wrong as it stands        + BadRequest
├── FAILED_PRECONDITION   something is missing or in the way    + PreconditionFailure
├── ABORTED               what it was based on has moved        + the current version or validity
├── PERMISSION_DENIED     not this caller                       says who may
├── UNAUTHENTICATED       no caller at all
├── NOT_FOUND, OUT_OF_RANGE, ALREADY_EXISTS
├── RESOURCE_EXHAUSTED, UNAVAILABLE                             + RetryInfo
└── INTERNAL              ours to mend                          an id, to be found in the log
```

Every one carries `google.rpc.ErrorInfo` with a stable UPPER_SNAKE reason and the domain `stanchion`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NoReturn

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from stanchion_contracts.refusal import Refusal

DOMAIN: Final = "stanchion"

_Code = grpc.StatusCode
CODES: Final[Mapping[str, grpc.StatusCode]] = {
    "LINK_TARGET_MISSING": _Code.INVALID_ARGUMENT,
    "LINK_END_KIND": _Code.INVALID_ARGUMENT,
    "LINK_SELF": _Code.INVALID_ARGUMENT,
    "UNKNOWN_KIND": _Code.INVALID_ARGUMENT,
    "UNKNOWN_FIELD": _Code.INVALID_ARGUMENT,
    "FIELD_VALUE": _Code.INVALID_ARGUMENT,
    "DUPLICATE_IN_BATCH": _Code.INVALID_ARGUMENT,
    "TOO_LARGE": _Code.INVALID_ARGUMENT,
    "TOO_MANY": _Code.INVALID_ARGUMENT,
    "BAD_CURSOR": _Code.INVALID_ARGUMENT,
    "HALF_WRITTEN_REVERSAL": _Code.FAILED_PRECONDITION,
    "READ_ONLY": _Code.FAILED_PRECONDITION,
    "LEGAL_HOLD": _Code.FAILED_PRECONDITION,
    "DECISION_REQUIRED": _Code.FAILED_PRECONDITION,
    "PUBLICATION_IN_PROGRESS": _Code.FAILED_PRECONDITION,
    "VOCABULARY_IN_USE": _Code.FAILED_PRECONDITION,
    "VERSION_CONFLICT": _Code.ABORTED,
    "MOVED_SINCE": _Code.ABORTED,
    "REVISION_CONFLICT": _Code.ABORTED,
    "NOT_A_PERSON": _Code.PERMISSION_DENIED,
    "NOT_RESPONSIBLE": _Code.PERMISSION_DENIED,
    "MISSING_CAPABILITY": _Code.PERMISSION_DENIED,
    "WRONG_WORKSPACE": _Code.PERMISSION_DENIED,
    "TOKEN_MISSING": _Code.UNAUTHENTICATED,
    "TOKEN_INVALID": _Code.UNAUTHENTICATED,
    "TOKEN_EXPIRED": _Code.UNAUTHENTICATED,
    "NOT_FOUND": _Code.NOT_FOUND,
    "OUT_OF_RANGE": _Code.OUT_OF_RANGE,
    "OVERLOADED": _Code.RESOURCE_EXHAUSTED,
    "NOT_YET_VISIBLE": _Code.UNAVAILABLE,
    "SHUTTING_DOWN": _Code.UNAVAILABLE,
    "TRANSIENT": _Code.UNAVAILABLE,
    "OUTCOME_UNKNOWN": _Code.DEADLINE_EXCEEDED,
    "IDEMPOTENCY_KEY_REUSED": _Code.ALREADY_EXISTS,
    "EVENT_ID_REUSED": _Code.ALREADY_EXISTS,
    "INTERNAL": _Code.INTERNAL,
}
"""The canonical code of each reason: the contracts' table, and below it what any server needs."""

_OF_DEAD_LETTERS: Final = frozenset({"WORKSPACE_MISSING", "UNREADABLE"})
_VERSION_CONFLICT: Final = "VERSION_CONFLICT"
_DETAIL_CHARS: Final = 1_000
_VIOLATIONS: Final = 16
_TRAILER_BYTES: Final = 6_000  # gRPC peers take 8 KiB of metadata unless told otherwise


class Refused(Exception):
    """A refusal on its way to the caller.

    Attributes:
        reason: stable UPPER_SNAKE.
        detail: one sentence for a person.
        violations: (field, sentence) pairs, of a call that is wrong as it stands.
        metadata: facts a program needs; names in snake_case.
        retry_after_s: when to come again; None when coming again is no use.
        extra: further messages, such as the current validity.
    """

    def __init__(  # noqa: PLR0913 - every argument is a detail of Google's error model
        self,
        reason: str,
        detail: str,
        *,
        violations: Iterable[tuple[str, str]] = (),
        metadata: Mapping[str, str] | None = None,
        retry_after_s: float | None = None,
        extra: Sequence[Message] = (),
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.violations = tuple(violations)[:_VIOLATIONS]
        self.metadata = dict(metadata or {})
        self.retry_after_s = retry_after_s
        self.extra = tuple(extra)

    @property
    def code(self) -> grpc.StatusCode:
        """The canonical code; FAILED_PRECONDITION for a reason that a newer service made up."""
        return CODES.get(self.reason, _Code.FAILED_PRECONDITION)


def refuse(  # noqa: PLR0913 - every argument is a detail of Google's error model
    reason: str,
    detail: str,
    *,
    violations: Iterable[tuple[str, str]] = (),
    record_id: str = "",
    field: str = "",
    current_version: int | None = None,
    retry_after_s: float | None = None,
    extra: Sequence[Message] = (),
    **facts: str | int,
) -> NoReturn:
    """Refuse a call; raise from anywhere inside a servicer.

    Args:
        reason: a key of `CODES`.
        detail: one sentence: what is wrong, where, and what to do.
        violations: (field of the request, sentence) pairs.
        record_id: the record it is about.
        field: the field of the request, or the link, or the missing write; becomes a violation when there is none.
        current_version: the version that stands, for conflicts; 0 for a record that does not exist.
        retry_after_s: when to come again.
        extra: messages to attach, such as the current `Validity`; left out when they would not fit a trailer.
        **facts: whatever else a program needs to know, by name.

    Raises:
        Refused: always.
    """
    versions = {} if current_version is None else {"current_version": current_version}
    named = {name: text for name, text in (("record_id", record_id), ("field", field)) if text}
    raise Refused(
        reason,
        detail,
        violations=violations or ([(field, detail)] if field else []),
        metadata={name: str(fact) for name, fact in (named | versions | facts).items()},
        retry_after_s=retry_after_s,
        extra=extra,
    )


def spoken(reason: str) -> str:
    """Give the reason a caller hears: what only dead letters say is a field's value here."""
    return "FIELD_VALUE" if reason in _OF_DEAD_LETTERS else reason


def refuse_as(refusal: Refusal, *, place: str = "", extra: Sequence[Message] = ()) -> NoReturn:
    """Hand a refusal that came down the line to the caller.

    Args:
        refusal: as it came.
        place: what it is about as the caller's request names it (`writes[3].fields[0]`); empty for its own field.
        extra: messages to attach.

    Raises:
        Refused: always.
    """
    conflict = refusal.reason == _VERSION_CONFLICT
    refuse(
        spoken(refusal.reason),
        refusal.detail,
        violations=[(place, refusal.detail)] if place else (),
        record_id=refusal.record_id,
        field=refusal.field,
        current_version=refusal.current_version if conflict or refusal.current_version else None,
        extra=extra,
    )


def status_of(refused: Refused) -> grpc.Status:
    """Give the status that gRPC sends."""
    code, text = refused.code, refused.detail[:_DETAIL_CHARS]
    status = status_pb2.Status(code=code.value[0], message=text)
    status.details.append(
        _packed(error_details_pb2.ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=refused.metadata))
    )
    for detail in (_violations(refused), _retry(refused), *refused.extra):
        if detail is not None and status.ByteSize() + detail.ByteSize() < _TRAILER_BYTES:
            status.details.append(_packed(detail))
    return rpc_status.to_status(status)  # type: ignore[no-any-return]  # grpc_status ships no types


def _violations(refused: Refused) -> Message | None:
    """Give what is wrong with the request, or what is missing or in the way."""
    if refused.code is _Code.INVALID_ARGUMENT and refused.violations:
        request: Message = error_details_pb2.BadRequest(
            field_violations=[
                error_details_pb2.BadRequest.FieldViolation(field=field, description=text[:_DETAIL_CHARS])
                for field, text in refused.violations
            ]
        )
        return request
    if refused.code is _Code.FAILED_PRECONDITION:
        subject = refused.metadata.get("record_id", "")
        named = refused.violations or (("", refused.detail),)
        failure: Message = error_details_pb2.PreconditionFailure(
            violations=[
                error_details_pb2.PreconditionFailure.Violation(
                    type=refused.reason, subject=subject or field, description=text[:_DETAIL_CHARS]
                )
                for field, text in named
            ]
        )
        return failure
    return None


def _retry(refused: Refused) -> Message | None:
    """Give when to come again."""
    if refused.retry_after_s is None:
        return None
    whole, part = divmod(refused.retry_after_s, 1)
    retry: Message = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=int(whole), nanos=int(part * 1e9)))
    return retry


def _packed(message: Message) -> Any:
    """Give a message as `google.protobuf.Any`."""
    packed = Any()
    packed.Pack(message)
    return packed
