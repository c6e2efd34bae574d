# ruff: noqa: N802, ARG002 - methods and arguments are named by gRPC
import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_core.errors import InvalidMessage
from stanchion_runtime import rpc
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from support.tokens import Issuer

SERVICE = "stanchion.view.v1.ViewService"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


Context = Any  # grpc.aio.ServicerContext, generic in the types only
Call = Any  # a call in flight


class View(view_pb2_grpc.ViewServiceServicer):
    """A servicer that does what the record's id says."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.release = asyncio.Event()
        self.seen: dict[str, object] = {}

    async def GetRecord(self, request: view_pb2.GetRecordRequest, context: Context) -> view_pb2.GetRecordResponse:
        """Do what is asked.

        Raises:
            InvalidMessage: asked for.
            RuntimeError: asked for.
        """
        rpc.require("read", request.workspace)
        match request.id:
            case "refused":
                rpc.refuse("VERSION_CONFLICT", "it is at version 7", record_id="refused", current_version=7)
            case "invalid":
                raise InvalidMessage("TOO_LARGE", "label has 301 characters; the limit is 300")
            case "broken":
                raise RuntimeError("secret inside")
            case "slow":
                self.entered.set()
                await self.release.wait()
        self.seen = {"sub": rpc.principal().sub, "trace": rpc.traceparent(), "remaining": rpc.remaining_s()}
        return view_pb2.GetRecordResponse(as_of_seq=3)

    async def Watch(self, request: view_pb2.WatchRequest, context: Context) -> AsyncIterator[view_pb2.WatchResponse]:
        """Send one message, then wait."""
        rpc.require("read", request.workspace)
        yield view_pb2.WatchResponse(through_seq=request.from_seq)
        self.entered.set()
        await self.release.wait()

    async def ListWorkspaces(
        self, request: view_pb2.ListWorkspacesRequest, context: Context
    ) -> view_pb2.ListWorkspacesResponse:
        """Give none."""
        return view_pb2.ListWorkspacesResponse()

    async def GetBelief(self, request: view_pb2.GetBeliefRequest, context: Context) -> view_pb2.GetBeliefResponse:
        """Give an empty one."""
        return view_pb2.GetBeliefResponse()

    async def Query(self, request: view_pb2.QueryRequest, context: Context) -> view_pb2.QueryResponse:
        """Give none."""
        return view_pb2.QueryResponse()


class Bench:
    """A server, its servicer, and a stub with a token."""

    def __init__(self, server: rpc.Server, view: View, issuer: Issuer, metrics: Metrics) -> None:
        self.server, self.view, self.issuer, self.metrics = server, view, issuer, metrics
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
        self.stub: Any = view_pb2_grpc.ViewServiceStub(self.channel)
        self.metadata: tuple[tuple[str, str], ...] = (
            ("authorization", f"Bearer {issuer.token(workspaces=['docs'])}"),
            ("traceparent", TRACE),
        )

    def get(self, record_id: str, *, workspace: str = "docs", timeout: float | None = None) -> Call:
        """Call GetRecord."""
        request = view_pb2.GetRecordRequest(workspace=workspace, id=record_id)
        return self.stub.GetRecord(request, metadata=self.metadata, timeout=timeout)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """Give a running server with room for one call."""
    issuer, view, metrics = Issuer(tmp_path), View(), Metrics()  # type: ignore[abstract] # two methods are asked
    settings = ServerSettings(default_deadline_s=5.0, max_concurrent=1, drain_s=2.0)
    server = rpc.Server("view", settings, rpc.Authenticator.of(issuer.settings()), metrics=metrics)
    server.add(SERVICE, view_pb2_grpc.add_ViewServiceServicer_to_server, view)
    async with server:
        made = Bench(server, view, issuer, metrics)
        yield made
        await made.channel.close()


def info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    """Give the ErrorInfo of a failed call."""
    status = rpc_status.from_call(error)
    found = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(found)
    return found


async def refusal(call: Call) -> tuple[str, str, str]:
    """Give code, reason and text of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code().name, info(caught.value).reason, caught.value.details() or ""


async def test_a_servicer_knows_the_call_in_hand(bench: Bench) -> None:
    """Who calls, the caller's trace and the default deadline are there for the servicer."""
    answer = await bench.get("any")
    assert answer.as_of_seq == 3
    assert bench.view.seen["sub"] == "maya"
    assert bench.view.seen["trace"] == TRACE
    assert 4 < float(str(bench.view.seen["remaining"])) < 5


async def test_a_refusal_carries_code_reason_and_facts(bench: Bench) -> None:
    """A conflict is ABORTED and names the version that stands."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await bench.get("refused")
    found = info(caught.value)
    assert caught.value.code() is grpc.StatusCode.ABORTED
    assert (found.reason, found.domain) == ("VERSION_CONFLICT", "stanchion")
    assert dict(found.metadata) == {"record_id": "refused", "current_version": "7"}


async def test_an_invalid_message_is_an_invalid_argument(bench: Bench) -> None:
    """What the pure checks raise reaches the caller with their words."""
    expected = ("INVALID_ARGUMENT", "TOO_LARGE", "label has 301 characters; the limit is 300")
    assert await refusal(bench.get("invalid")) == expected


@pytest.mark.parametrize("sent", [b"\x0a\x02\xc3\x28", b"\x0a\x03\xed\xa0\x80", b"\xff\xff"])
async def test_bytes_that_are_no_message_are_an_invalid_argument(bench: Bench, sent: bytes) -> None:
    """Invalid UTF-8, lone surrogates and noise are refused with a reason like anything else that is wrong."""
    call: Any = bench.channel.unary_unary(f"/{SERVICE}/GetRecord")
    expected = ("INVALID_ARGUMENT", "FIELD_VALUE")
    assert expected == (await refusal(call(sent, metadata=bench.metadata)))[:2]
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == (await refusal(call(sent)))[:2]


async def test_the_unexpected_says_an_id_and_nothing_else(bench: Bench) -> None:
    """No word of what happened inside leaves the server."""
    code, reason, text = await refusal(bench.get("broken"))
    assert (code, reason) == ("INTERNAL", "INTERNAL")
    assert "secret" not in text


async def test_no_token_no_answer(bench: Bench) -> None:
    """A call without a token is UNAUTHENTICATED, and so is one with a token of another key."""
    bench.metadata = ()
    assert (await refusal(bench.get("any")))[:2] == ("UNAUTHENTICATED", "TOKEN_MISSING")
    bench.metadata = (("authorization", "Bearer a.b.c"),)
    assert (await refusal(bench.get("any")))[:2] == ("UNAUTHENTICATED", "TOKEN_INVALID")


async def test_capability_and_workspace_are_asked_for(bench: Bench) -> None:
    """A token opens its own workspaces, for what it may do, and no others."""
    assert (await refusal(bench.get("any", workspace="other")))[:2] == ("PERMISSION_DENIED", "WRONG_WORKSPACE")
    bench.metadata = (("authorization", f"Bearer {bench.issuer.token(capabilities=['write'])}"),)
    assert (await refusal(bench.get("any")))[:2] == ("PERMISSION_DENIED", "MISSING_CAPABILITY")


async def test_health_is_open_to_anyone(bench: Bench) -> None:
    """A health check needs no token and speaks for each service."""
    stub = health_pb2_grpc.HealthStub(bench.channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=SERVICE))
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_the_schema_is_open_to_anyone(bench: Bench) -> None:
    """Reflection needs no token: a tool without our protos can list services and ask for their files."""
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    stub = reflection_pb2_grpc.ServerReflectionStub(bench.channel)
    (answer,) = [each async for each in stub.ServerReflectionInfo(iter([ask]))]
    names = {service.name for service in answer.list_services_response.service}
    assert {SERVICE, "grpc.health.v1.Health"} <= names


async def test_a_cancelled_call_ends(bench: Bench) -> None:
    """Who stops waiting is waited for no longer: the call's place is free again."""
    slow = bench.get("slow")
    await bench.view.entered.wait()
    slow.cancel()
    async with asyncio.timeout(10):
        while True:
            try:
                await bench.get("any")
                break
            except grpc.aio.AioRpcError as error:  # its place is freed in the server's own time
                assert "OVERLOADED" == info(error).reason  # noqa: PT017 - any other refusal is none


async def test_more_calls_than_it_takes_are_refused(bench: Bench) -> None:
    """With one call in hand and room for one, the next is told when to come again."""
    slow = asyncio.ensure_future(bench.get("slow"))
    await bench.view.entered.wait()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await bench.get("any")
    retry = error_details_pb2.RetryInfo()
    assert info(caught.value).reason == "OVERLOADED"
    assert rpc_status.from_call(caught.value).details[1].Unpack(retry)
    assert retry.retry_delay.ToTimedelta().total_seconds() == 0.5
    bench.view.release.set()
    await slow


async def test_a_passed_deadline_is_said(bench: Bench) -> None:
    """A call that takes longer than its caller waits is over."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await bench.get("slow", timeout=0.2)
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_draining_ends_streams_and_lets_calls_finish(bench: Bench) -> None:
    """On the way out a stream hears UNAVAILABLE at once and a call in hand still gets its answer."""
    watch = bench.stub.Watch(view_pb2.WatchRequest(workspace="docs", from_seq=9), metadata=bench.metadata)
    assert (await watch.read()).through_seq == 9
    await bench.view.entered.wait()
    bench.view.entered.clear()
    slow = asyncio.ensure_future(bench.get("slow"))
    await bench.view.entered.wait()
    stopping = asyncio.ensure_future(bench.server.stop())
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch.read()
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert info(caught.value).reason == "SHUTTING_DOWN"
    bench.view.release.set()
    assert (await slow).as_of_seq == 3
    await stopping


async def fetch(port: int, path: str) -> tuple[str, str]:
    """Give status line and body of a GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head.split("\r\n", 1)[0], body


async def test_the_page_shows_health_and_metrics(bench: Bench) -> None:
    """Beside the server stand /healthz and /metrics, with each call counted by its code."""
    await bench.get("any")
    await refusal(bench.get("invalid"))
    status, body = await fetch(bench.server.http_port, "/healthz")
    assert (status, json.loads(body)) == ("HTTP/1.1 200 OK", {"ok": True})
    _, body = await fetch(bench.server.http_port, "/metrics")
    assert f'stanchion_rpc_seconds_count{{code="OK",method="/{SERVICE}/GetRecord"}} 1.0' in body
    assert 'stanchion_refusals_total{reason="TOO_LARGE",service="view"} 1.0' in body
    assert (await fetch(bench.server.http_port, "/else"))[0] == "HTTP/1.1 404 Not Found"


async def test_a_taken_port_is_said(bench: Bench) -> None:
    """Two servers never share a port by accident."""
    settings = ServerSettings(port=bench.server.port, http_port=-1)
    second = rpc.Server("view", settings, rpc.Authenticator.of(bench.issuer.settings()), metrics=Metrics())
    with pytest.raises(OSError, match="the port is taken"):
        await second.start()
