"""Where the gateway learns which workspaces there are."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_ingest.gateway import KnownWorkspaces
from stanchion_ingest.settings import GatewaySettings
from stanchion_runtime import logs, rpc
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from support.broker import free_ports
from support.tokens import Issuer


class View(view_pb2_grpc.ViewServiceServicer):
    """A view of two workspaces."""

    async def ListWorkspaces(self, request: view_pb2.ListWorkspacesRequest, context: Any) -> Any:  # noqa: ANN401, ARG002, N802 - gRPC's
        """Give them."""
        assert "gateway" == rpc.principal().sub
        names = ("acme", "beta")
        return view_pb2.ListWorkspacesResponse(workspaces=[view_pb2.Workspace(name=name) for name in names])


@pytest.fixture
def issuer(tmp_path: Path) -> Issuer:
    """Whose tokens the view believes."""
    return Issuer(tmp_path)


@pytest.fixture
async def port(issuer: Issuer) -> AsyncIterator[int]:
    """The port of a view that serves."""
    settings = ServerSettings(http_port=-1, drain_s=0)
    server = rpc.Server("view", settings, rpc.Authenticator.of(issuer.settings()), metrics=Metrics())
    server.add("stanchion.view.v1.ViewService", view_pb2_grpc.add_ViewServiceServicer_to_server, View())  # type: ignore[abstract] # one method is asked
    async with server:
        yield server.port


async def test_view_is_asked_with_a_token(port: int, issuer: Issuer, tmp_path: Path) -> None:
    """The view's workspaces are asked for with the token of the file, which may be renewed meanwhile."""
    token = tmp_path / "gateway.jwt"
    workspaces = KnownWorkspaces(GatewaySettings(view=f"127.0.0.1:{port}", view_token=token))
    assert [] == list(await workspaces())
    token.write_text(issuer.token("gateway", kind="service") + "\n")
    assert ["acme", "beta"] == list(await workspaces())


async def test_silent_view_is_said_once(tmp_path: Path, issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    """A view that does not answer gives no workspaces, and one line in the log however often it is asked."""
    token = tmp_path / "gateway.jwt"
    token.write_text(issuer.token("gateway"))
    root = logging.getLogger()
    before = root.handlers[:]
    logs.configure("test")
    root.addHandler(caplog.handler)
    try:
        workspaces = KnownWorkspaces(GatewaySettings(view=f"127.0.0.1:{free_ports(1)}", view_token=token))
        assert [] == [name for _ in range(3) for name in await workspaces()]
    finally:
        root.handlers = before
    assert 1 == sum("view not asked" in record.getMessage() for record in caplog.records)
