"""gRPC servers: who calls, what they may, how long they may take, how refusals look. Services import this module only.

    server = rpc.Server("gateway", settings, rpc.Authenticator.of(auth_settings), health)
    server.add("stanchion.ingest.v1.IngestService", add_IngestServiceServicer_to_server, servicer)
    await server.run()                  # until SIGTERM or SIGINT, then a graceful drain

A servicer's methods are coroutines, or asynchronous generators where they stream. Inside, `principal()`, `require(…)`,
`remaining_s()` and `traceparent()` speak of the call in hand, and `refuse(…)` ends it.
"""

import asyncio
import signal
from types import TracebackType
from typing import Any, Final, Protocol, Self

import grpc
from grpc_health.v1 import health as grpc_health
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_runtime import http
from stanchion_runtime.auth import Authenticator, Principal
from stanchion_runtime.call import principal, remaining_s, require
from stanchion_runtime.guard import Guard
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics, current
from stanchion_runtime.refused import Refused, refuse, refuse_as
from stanchion_runtime.settings import LOOPBACK, ServerSettings
from stanchion_runtime.tracing import current as traceparent

__all__ = [
    "Authenticator",
    "Principal",
    "Refused",
    "Server",
    "UnsafeBind",
    "principal",
    "refuse",
    "refuse_as",
    "remaining_s",
    "require",
    "traceparent",
]

_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),  # a port that is taken is an error, not a second listener
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", 2 * MAX_MESSAGE_BYTES),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
_SPARE: Final = 64  # health, reflection, and calls on their way to be refused


class UnsafeBind(ValueError):
    """The server would listen where others reach it, without TLS."""


class Adder(Protocol):
    """A generated `add_…Servicer_to_server`."""

    def __call__(self, servicer: Any, server: Any) -> None:  # noqa: ANN401 - generated code differs by service
        """Register a servicer."""


class Server:
    """One gRPC server with its health, reflection, guard and page.

    Args:
        service: the process's name, for logs and metrics.
        settings: where to listen and how much to take on.
        authenticator: whose tokens are believed.
        health: what `/healthz` says; by default `ok` while serving.
        metrics: where to count; the process's own by default.
    """

    def __init__(
        self,
        service: str,
        settings: ServerSettings,
        authenticator: Authenticator,
        health: http.Health | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        check_bind(settings)
        self._settings = settings
        self._metrics = metrics or current()
        self._guard = Guard(service, settings, authenticator, self._metrics)
        self._server = grpc.aio.server(
            interceptors=[self._guard],
            options=list(_OPTIONS),
            maximum_concurrent_rpcs=settings.max_concurrent + settings.max_streams + _SPARE,
        )
        self._serving = False
        self._health_facts = health or (lambda: {"ok": self._serving})
        self._health = grpc_health.aio.HealthServicer()
        self._names: list[str] = []
        self._page: asyncio.Server | None = None
        self.port = 0
        self.http_port = 0

    def add(self, name: str, adder: Adder, servicer: object) -> None:
        """Register a servicer under its full name, such as `stanchion.view.v1.ViewService`."""
        adder(servicer, self._server)
        self._names.append(name)

    async def start(self) -> int:
        """Listen and serve; say so to health checks.

        Returns:
            The port.

        Raises:
            OSError: a port is taken, or the address is not this machine's.
        """
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (*self._names, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME),
            self._server,
        )
        self.port = self._bind()
        if self._settings.http_port >= 0:
            self._page = await http.serve(
                self._metrics, self._health_facts, port=self._settings.http_port, host=self._settings.http_host
            )
            self.http_port = self._page.sockets[0].getsockname()[1]
        await self._server.start()
        await self.set_serving(serving=True)
        logger().info("serving", host=self._settings.host, port=self.port, http_port=self.http_port)
        return self.port

    async def set_serving(self, *, serving: bool) -> None:
        """Tell health checks whether calls should come here."""
        self._serving = serving
        state = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", *self._names):
            await self._health.set(name, state)

    async def stop(self) -> None:
        """Drain: refuse new calls, end response streams, let calls in hand finish within `drain_s`, then close."""
        await self.set_serving(serving=False)
        self._guard.drain()
        await self._server.stop(self._settings.drain_s)
        if self._page is not None:
            self._page.close()
            await self._page.wait_closed()
        logger().info("stopped")

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT, then drain.

        Raises:
            OSError: a port is taken.
        """
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        async with self:
            await stop.wait()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drain and stop."""
        await self.stop()

    def _bind(self) -> int:
        """Take the port.

        Raises:
            OSError: it cannot be taken.
        """
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        address = f"{host}:{self._settings.port}"
        try:
            if self._settings.tls_cert is None or self._settings.tls_key is None:
                return self._server.add_insecure_port(address)
            pair = (self._settings.tls_key.read_bytes(), self._settings.tls_cert.read_bytes())
            return self._server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        except RuntimeError as error:
            raise OSError(
                f"cannot listen on {address}: the port is taken or the address is not this machine's"
            ) from error


def check_bind(settings: ServerSettings) -> None:
    """Refuse to listen where others reach us without TLS; keys are needed everywhere (`Authenticator.of`).

    Raises:
        UnsafeBind: the address is not loopback and there is no certificate.
    """
    if settings.host not in LOOPBACK and settings.tls_cert is None:
        raise UnsafeBind(
            f"refusing to listen on {settings.host} without TLS: "
            "set STANCHION_SERVER_TLS_CERT and STANCHION_SERVER_TLS_KEY, or listen on 127.0.0.1"
        )
