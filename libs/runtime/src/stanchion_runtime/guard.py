"""What stands before every servicer: the token, the load, the deadline, the trace, and what becomes of an exception."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, Final, NoReturn

import grpc
import structlog

from stanchion_core.errors import InvalidMessage, Transient
from stanchion_runtime import call, clock, readable, tracing
from stanchion_runtime.auth import Authenticator
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.readable import Behaviour, Context
from stanchion_runtime.refused import Refused, spoken, status_of
from stanchion_runtime.settings import ServerSettings

_OPEN: Final = ("/grpc.health.", "/grpc.reflection.")
"""What anyone may call: how the server is, and the published schema."""
_RETRY_S: Final = 0.5
_INTERNAL: Final = "INTERNAL"
_SHUTTING_DOWN: Final = ("SHUTTING_DOWN", "the server is on its way out: try again")


class Guard(grpc.aio.ServerInterceptor):
    """Wraps each method of each servicer.

    Args:
        service: for metrics.
        settings: deadline and load.
        authenticator: whose tokens are believed.
        metrics: where to count.
    """

    def __init__(self, service: str, settings: ServerSettings, authenticator: Authenticator, metrics: Metrics) -> None:
        self._service = service
        self._settings = settings
        self._authenticator = authenticator
        self._metrics = metrics
        self._draining = False
        self._calls = 0
        self._streams: set[asyncio.Task[Any]] = set()

    def drain(self) -> None:
        """Refuse what comes from now on, and end the response streams.

        Their readers go on elsewhere from where they were.
        """
        self._draining = True
        for stream in self._streams:
            stream.cancel()

    async def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]]",
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Give the method's handler with the guard before it; None, as gRPC has it, when there is no such method."""
        handler: Any = await continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(_OPEN):
            return handler  # type: ignore[no-any-return]
        method = handler_call_details.method
        codec = {
            "request_deserializer": readable.reader(handler.request_deserializer),
            "response_serializer": handler.response_serializer,
        }
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(self._unary(method, readable.one(handler.unary_unary)), **codec)
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(
                self._unary(method, readable.each(handler.stream_unary)), **codec
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, readable.one(handler.unary_stream)), **codec
            )
        return grpc.stream_stream_rpc_method_handler(
            self._stream(method, readable.each(handler.stream_stream)), **codec
        )

    def _unary(self, method: str, behaviour: Behaviour) -> Behaviour:
        """Guard a method with one response."""

        async def guarded(request: Any, context: Context) -> Any:  # noqa: ANN401 - messages of any service
            with self._measured(method) as measured, self._counted():
                try:
                    remaining = context.time_remaining()
                    async with asyncio.timeout(
                        self._settings.default_deadline_s if remaining is None else remaining
                    ) as limit:
                        await self._admit(context, limit.when() or math.inf)
                        return await behaviour(request, context)
                except Exception as error:  # noqa: BLE001 - where whatever a servicer raises becomes a status
                    await self._answer(error, context, measured)

        return guarded

    def _stream(self, method: str, behaviour: Behaviour) -> Behaviour:
        """Guard a method with a stream of responses."""

        async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:  # noqa: ANN401 - messages of any service
            with self._measured(method) as measured, self._held():
                try:
                    remaining = context.time_remaining()
                    loop = asyncio.get_running_loop()
                    await self._admit(context, math.inf if remaining is None else loop.time() + remaining)
                    async with aclosing(behaviour(request, context)) as responses:
                        async for response in responses:
                            yield response
                except Exception as error:  # noqa: BLE001 - as above
                    await self._answer(error, context, measured)
                except asyncio.CancelledError:
                    if not self._draining:
                        raise
                    await self._answer(Refused(*_SHUTTING_DOWN, retry_after_s=_RETRY_S), context, measured)

        return guarded

    async def _admit(self, context: Context, deadline: float) -> None:
        """Let a call in, or refuse it.

        Raises:
            Refused: there is no valid token, too much is in hand, or the server is on its way out.
        """
        if self._draining:
            raise Refused(*_SHUTTING_DOWN, retry_after_s=_RETRY_S)
        if self._calls > self._settings.max_concurrent or len(self._streams) > self._settings.max_streams:
            raise Refused(
                "OVERLOADED", "as many calls are in hand as the server takes: come again", retry_after_s=_RETRY_S
            )
        metadata = dict(context.invocation_metadata() or ())
        tracing.enter(_text(metadata.get(tracing.HEADER, "")))
        caller = await self._authenticator.principal(_text(metadata.get("authorization", "")))
        call.enter(caller, deadline)
        structlog.contextvars.bind_contextvars(sub=caller.sub, traceparent=tracing.current())

    async def _answer(self, error: Exception, context: Context, measured: "_Measured") -> NoReturn:
        """End a call with the status that an exception stands for.

        Raises:
            AbortError: gRPC's own way to end a call.
            AssertionError: never.
        """
        if isinstance(error, grpc.aio.AbortError):  # the servicer ended it by itself
            measured.code = _name(context.code())
            raise error
        refused = _refused(error)
        if refused.reason == _INTERNAL:
            logger().error("call failed", method=measured.method, exc_info=error, **refused.metadata)
        self._metrics.refusals.labels(self._service, refused.reason).inc()
        measured.code = refused.code.name
        status = status_of(refused)
        await context.abort_with_status(status)
        raise AssertionError("abort_with_status raises")

    @contextmanager
    def _measured(self, method: str) -> Iterator["_Measured"]:
        """Time a call; what ends it without a status was cancelled by its caller."""
        measured = _Measured(method)
        begun = clock.monotonic_s()
        try:
            yield measured
            measured.code = grpc.StatusCode.OK.name
        finally:
            self._metrics.rpc_seconds.labels(method, measured.code).observe(clock.monotonic_s() - begun)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count a call while it is in hand."""
        self._calls += 1
        self._metrics.rpc_in_flight.set(self._calls)
        try:
            yield
        finally:
            self._calls -= 1
            self._metrics.rpc_in_flight.set(self._calls)

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep a stream's task at hand while it runs, so that draining can end it."""
        task = asyncio.current_task()
        assert task is not None, "a call has a task of its own"  # noqa: S101 - gRPC's own promise
        self._streams.add(task)
        self._metrics.rpc_streams.set(len(self._streams))
        try:
            yield
        finally:
            self._streams.discard(task)
            self._metrics.rpc_streams.set(len(self._streams))


class _Measured:
    """What a call has come to."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.code = grpc.StatusCode.CANCELLED.name


def _refused(error: Exception) -> Refused:
    """Give the refusal that an exception stands for; for the unexpected an id, and nothing of what happened."""
    match error:
        case Refused():
            return error
        case InvalidMessage():
            named = [(error.field, error.detail)] if error.field else []
            return Refused(spoken(error.code), error.detail, violations=named)
        case TimeoutError():
            return Refused(
                "OUTCOME_UNKNOWN", "the deadline passed; a write may still land: retry it with the same idempotency key"
            )
        case Transient():
            return Refused(
                "TRANSIENT", "something this server needs is briefly away: try again", retry_after_s=_RETRY_S
            )
        case _:
            incident = clock.new_id()
            return Refused(
                _INTERNAL,
                f"something went wrong on our side; the log knows it as {incident}",
                metadata={"incident": incident},
            )


def _text(value: str | bytes) -> str:
    """Give a metadata value as text."""
    return value if isinstance(value, str) else value.decode("ascii", "replace")


def _name(code: object) -> str:
    """Give the name of a code that a servicer set, as a number or as a member."""
    if isinstance(code, grpc.StatusCode):
        return code.name
    return next((each.name for each in grpc.StatusCode if each.value[0] == code), grpc.StatusCode.UNKNOWN.name)
