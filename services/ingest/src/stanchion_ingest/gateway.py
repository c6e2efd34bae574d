"""Wiring of the gateway: a gRPC server in front of the line, and the errands it runs by itself."""

import asyncio
import signal
import sys
from collections.abc import Iterable
from typing import Final

import grpc
import uvloop

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_core.errors import Transient
from stanchion_ingest.errands import Reassessments, Ticks
from stanchion_ingest.line import Line
from stanchion_ingest.rpc import NAME, IngestServicer
from stanchion_ingest.settings import GatewayServerSettings, GatewaySettings
from stanchion_runtime import logs, rpc
from stanchion_runtime.admin import check_widths
from stanchion_runtime.errors import EXIT_TRANSIENT, EXIT_UNUSABLE, Denied, Inconsistent
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import AuthSettings, KafkaSettings, read

SERVICE: Final = "gateway"

_VIEW_S: Final = 5.0


class KnownWorkspaces:
    """The workspaces that the view knows; none when it cannot be asked, which is said once.

    Args:
        settings: where the view is, and with which token it is asked.
    """

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self._silent = False

    async def __call__(self) -> Iterable[str]:
        """Give their names."""
        if not self._settings.view or self._settings.view_token is None:
            return ()
        try:
            bearer = self._settings.view_token.read_text().strip()
            async with self._channel() as channel:
                answer = await view_pb2_grpc.ViewServiceStub(channel).ListWorkspaces(
                    view_pb2.ListWorkspacesRequest(),
                    metadata=(("authorization", f"Bearer {bearer}"),),
                    timeout=_VIEW_S,
                )
        except (grpc.aio.AioRpcError, OSError) as error:
            if not self._silent:
                why = error.details() if isinstance(error, grpc.aio.AioRpcError) else str(error)
                logger().warning("view not asked; ticks go to workspaces seen here", view=self._settings.view, why=why)
            self._silent = True
            return ()
        self._silent = False
        return [workspace.name for workspace in answer.workspaces]

    def _channel(self) -> grpc.aio.Channel:
        """Give a connection to the view."""
        if self._settings.view_ca is None:
            return grpc.aio.insecure_channel(self._settings.view)
        authority = self._settings.view_ca.read_bytes()
        return grpc.aio.secure_channel(self._settings.view, grpc.ssl_channel_credentials(authority))


class Gateway:
    """One gateway over a log.

    Attributes:
        line: messages out, answers back.
        server: the gRPC server.
        up: set once it serves.
    """

    def __init__(
        self,
        log: Log,
        partitions: int,
        settings: GatewaySettings,
        server: GatewayServerSettings,
        authenticator: rpc.Authenticator,
    ) -> None:
        """Connect to nothing yet."""
        self.line = Line(log, partitions, most_waiting=settings.max_waiting, most_bytes=settings.max_bytes)
        self.server = rpc.Server(SERVICE, server, authenticator, self.health)
        self._ticks = Ticks(self.line, KnownWorkspaces(settings))
        self._reassessments = Reassessments(self.line)
        self.up = asyncio.Event()
        servicer = IngestServicer(self.line, settings)
        self.server.add(NAME, ingest_pb2_grpc.add_IngestServiceServicer_to_server, servicer)

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then drain. What ends the following of answers ends the gateway.

        Args:
            stop: set to end.

        Raises:
            ExceptionGroup: the log could not be reached, or an answer could not be read.
            OSError: a port is taken.
        """
        await self.line.catch_up()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self.line.follow())]
            try:
                await self.server.start()
                self.up.set()
                tasks.append(group.create_task(self._ticks.run()))
                await stop.wait()
            finally:
                await self.server.stop()
                await self._reassessments.stop()
            for task in tasks:
                task.cancel()

    def health(self) -> dict[str, object]:
        """Give what `/healthz` shows."""
        return {
            "ok": self.up.is_set(),
            "ready": self.up.is_set(),
            "stage": SERVICE,
            "name": self.line.name,
            **self.line.load(),
        }


async def serve(
    settings: GatewaySettings, server: GatewayServerSettings, kafka: KafkaSettings, auth: AuthSettings
) -> None:
    """Run a gateway until SIGTERM or SIGINT.

    Raises:
        ExceptionGroup: as `Gateway.run`.
        Inconsistent: the topics are not as wide as all must be.
        Transient: the cluster was not there.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with KafkaLog(kafka, f"stanchion-{SERVICE}") as log:
        await check_widths(log, ["requests", "commands", "changes"], kafka.partitions)
        gateway = Gateway(log, kafka.partitions, settings, server, rpc.Authenticator.of(auth))
        await gateway.run(stop)


def main() -> None:
    """Run until told to stop.

    Raises:
        SystemExit: 75 when Kafka was away for too long, 78 for what starting again does not mend.
    """
    logs.configure(SERVICE)
    try:
        uvloop.run(serve(read(GatewaySettings), read(GatewayServerSettings), read(KafkaSettings), read(AuthSettings)))
    except* Transient as errors:
        logger().error("kafka away", detail=str(errors.exceptions[0]))
        sys.exit(EXIT_TRANSIENT)
    except* (Denied, Inconsistent, ValueError, OSError) as errors:
        logger().critical("cannot run", detail=str(errors.exceptions[0]))
        sys.exit(EXIT_UNUSABLE)
