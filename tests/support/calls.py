"""Calls over gRPC, and what a refused one carries."""

from collections.abc import Awaitable
from typing import Any

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
AsyncStub = Any  # a generated asynchronous stub, generic in the types only


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Give the metadata of a call."""
    return (("authorization", f"Bearer {token}"), ("traceparent", TRACE))


def detail(error: grpc.aio.AioRpcError, kind: type[Message]) -> Any:  # noqa: ANN401 - a message of that type
    """Give the detail of a type that a refusal carries.

    Raises:
        AssertionError: it carries none.
    """
    status = rpc_status.from_call(error)
    found = kind()
    if any(each.Unpack(found) for each in status.details):
        return found
    raise AssertionError(status)


def reason(error: grpc.aio.AioRpcError) -> tuple[str, grpc.StatusCode]:
    """Give a refusal's reason and code."""
    info = detail(error, error_details_pb2.ErrorInfo)
    assert "stanchion" == info.domain
    return info.reason, error.code()


async def refused(call: Awaitable[object]) -> grpc.aio.AioRpcError:
    """Give the refusal that a call, or the next response of a stream, ends with.

    Raises:
        AssertionError: it was answered.
    """
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return error
    raise AssertionError(answer)
