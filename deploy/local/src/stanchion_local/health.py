"""Whether a process is ready: its health page over HTTP, and gRPC's health service where it serves calls."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

HOST: Final = "127.0.0.1"
TIMEOUT_S: Final = 2.0
MAX_PAGE_BYTES: Final = 4 * 1024 * 1024


async def page(port: int, path: str) -> tuple[int, bytes]:
    """The status code and body of a page on loopback; (0, b"") when nobody answers in time."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.read(MAX_PAGE_BYTES)
                while len(body) < MAX_PAGE_BYTES and (more := await reader.read(MAX_PAGE_BYTES)):
                    body += more
                return int(head.split(b" ", 2)[1]), body
            finally:
                writer.close()
    except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, IndexError):
        return 0, b""


async def facts(port: int) -> Mapping[str, Any]:
    """What a health page says; empty when nobody answers."""
    _, body = await page(port, "/healthz")
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


async def serves(port: int) -> bool:
    """Whether gRPC's health service on that port says that the server serves."""
    async with grpc.aio.insecure_channel(f"{HOST}:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_S)
        except grpc.aio.AioRpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def is_ready(http_port: int, grpc_port: int) -> bool:
    """Whether a health page says `ready` (`ok` where it has no such word), and the gRPC server, if any, serves."""
    said = await facts(http_port)
    return bool(said.get("ready", said.get("ok"))) and (grpc_port == 0 or await serves(grpc_port))
