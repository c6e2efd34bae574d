import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from stanchion.errors import (
    Blocked,
    Conflict,
    KeyReused,
    NotAllowed,
    NotFound,
    NotSignedIn,
    NotYetVisible,
    OutcomeUnknown,
    Refused,
    ServerFault,
    StanchionError,
    Unreachable,
    from_rpc,
)
from stanchion.retry import Retry
from stanchion_runtime import refused


def failed(reason: str, **given: object) -> StanchionError:
    """Give the error of a call that our servers refused."""
    status = refused.status_of(refused.Refused(reason, "why", **given))  # type: ignore[arg-type]
    trailing = Metadata(*status.trailing_metadata)
    return from_rpc(AioRpcError(status.code, Metadata(), trailing, status.details))


@pytest.mark.parametrize(
    ("reason", "cls"),
    [
        ("FIELD_VALUE", Refused),
        ("NOT_FOUND", NotFound),
        ("VERSION_CONFLICT", Conflict),
        ("HALF_WRITTEN_REVERSAL", Blocked),
        ("MISSING_CAPABILITY", NotAllowed),
        ("TOKEN_EXPIRED", NotSignedIn),
        ("IDEMPOTENCY_KEY_REUSED", KeyReused),
        ("OVERLOADED", Unreachable),
        ("NOT_YET_VISIBLE", NotYetVisible),
        ("OUTCOME_UNKNOWN", OutcomeUnknown),
        ("INTERNAL", ServerFault),
    ],
)
def test_each_reason_has_its_class(reason: str, cls: type[StanchionError]) -> None:
    """What to do about an error is its class; the reason stays."""
    error = failed(reason)
    assert (cls, reason, "why") == (type(error), error.reason, error.detail)


def test_facts_come_over() -> None:
    """Facts, fields and waiting times are there for a program."""
    assert 7 == failed("VERSION_CONFLICT", metadata={"current_version": "7"}).current_version
    assert (("label", "too long"),) == failed("TOO_LARGE", violations=[("label", "too long")]).violations
    assert 1.5 == failed("OVERLOADED", retry_after_s=1.5).retry_after_s


def test_what_grpc_itself_says() -> None:
    """Without our details the canonical code is the reason; a message too large for gRPC is no overload."""
    lost = from_rpc(AioRpcError(grpc.StatusCode.UNAVAILABLE, Metadata(), Metadata(), "connection refused"))
    large = from_rpc(AioRpcError(grpc.StatusCode.RESOURCE_EXHAUSTED, Metadata(), Metadata(), "message larger than max"))
    assert (Unreachable, "UNAVAILABLE") == (type(lost), lost.reason)
    assert Refused is type(large)


def test_waits_grow_within_bounds() -> None:
    """Waits double up to the most, are never all alike, end with the tries, and keep to what the server asked for."""
    retry = Retry(attempts=9, first_s=0.1, most_s=1.0)
    waits = [retry.wait_s(attempt, failed("TRANSIENT")) or 0.0 for attempt in range(1, 9)]
    for attempt, wait in enumerate(waits, start=1):
        full = min(1.0, 0.1 * 2 ** (attempt - 1))
        assert full / 2 <= wait <= full
    assert retry.wait_s(9, failed("TRANSIENT")) is None
    assert retry.wait_s(9, failed("TRANSIENT"), stream=True) is not None
    assert 8.0 == retry.wait_s(1, failed("OVERLOADED", retry_after_s=8.0))


def test_what_is_not_tried_again() -> None:
    """Refusals, conflicts and a view that lags are the caller's to decide on."""
    for reason in ("FIELD_VALUE", "VERSION_CONFLICT", "NOT_YET_VISIBLE", "INTERNAL", "TOKEN_EXPIRED"):
        assert Retry().wait_s(1, failed(reason)) is None
