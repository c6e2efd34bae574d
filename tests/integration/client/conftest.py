import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from stanchion import Client, ClientSettings, Retry
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2_grpc
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_runtime import rpc
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from support.services import FakeAudit, FakeIngest, FakeView
from support.tokens import Issuer


class World:
    """The three fakes behind one server, and how to reach them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.ingest, self.view, self.audit = FakeIngest(), FakeView(), FakeAudit()
        self.issuer = Issuer(home)
        self.waits: list[float] = []
        settings = ServerSettings(http_port=-1, drain_s=0.0)
        self.server = rpc.Server("fakes", settings, rpc.Authenticator.of(self.issuer.settings()), metrics=Metrics())
        self.server.add(
            "stanchion.ingest.v1.IngestService", ingest_pb2_grpc.add_IngestServiceServicer_to_server, self.ingest
        )
        self.server.add("stanchion.view.v1.ViewService", view_pb2_grpc.add_ViewServiceServicer_to_server, self.view)
        self.server.add(
            "stanchion.audit.v1.AuditService", audit_pb2_grpc.add_AuditServiceServicer_to_server, self.audit
        )

    def settings(self, **given: object) -> ClientSettings:
        """Give what a client is told."""
        address = f"127.0.0.1:{self.server.port}"
        told: dict[str, object] = {
            "home": self.home,
            "gateway": address,
            "view": address,
            "audit": address,
            "token": SecretStr(self.issuer.token()),
            "workspace": "docs",
            **given,
        }
        return ClientSettings.model_validate(told)

    def client(self, **given: object) -> Client:
        """Give a client that notes its waits instead of waiting."""

        async def note(seconds: float) -> None:
            self.waits.append(seconds)
            await asyncio.sleep(0)

        return Client(self.settings(**given), retry=Retry(attempts=4, stream_attempts=4), sleep=note)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Give running fakes."""
    made = World(tmp_path)
    async with made.server:
        yield made


@pytest.fixture
async def client(world: World) -> AsyncIterator[Client]:
    """Give a client of the fakes."""
    async with world.client() as made:
        yield made
