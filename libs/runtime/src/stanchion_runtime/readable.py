"""Requests that are no message: gRPC would end such a call without a reason, so they are handed on and refused."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from google.protobuf.message import DecodeError

from stanchion_core.errors import FIELD_VALUE, InvalidMessage

Context = Any  # grpc.aio.ServicerContext of messages known only to generated code
Behaviour = Callable[[Any, Context], Any]


def reader(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Give a deserializer that hands on why bytes are no message, where gRPC would end the call without a reason."""

    def read(data: bytes) -> Any:  # noqa: ANN401 - a message, or the refusal of one
        try:
            return deserialize(data)
        except DecodeError as error:
            return InvalidMessage(
                FIELD_VALUE, f"the request cannot be read; send UTF-8 and the published schema: {error}"
            )

    return read


def _checked(request: Any) -> Any:  # noqa: ANN401 - messages of any service
    """Give a request that could be read.

    Raises:
        InvalidMessage: it could not.
    """
    if isinstance(request, InvalidMessage):
        raise request
    return request


def one(behaviour: Behaviour) -> Behaviour:
    """Have a method see its request only where it could be read."""
    return lambda request, context: behaviour(_checked(request), context)


def each(behaviour: Behaviour) -> Behaviour:
    """Have a method see its requests up to the first that could not be read."""

    async def checked(requests: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for request in requests:
            yield _checked(request)

    return lambda requests, context: behaviour(checked(requests), context)
