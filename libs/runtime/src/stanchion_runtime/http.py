"""The page beside a process: `/metrics` for Prometheus, `/healthz` for supervisors. Loopback unless told otherwise.

Small enough to write out: two paths, GET only, one answer a connection.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Final

from prometheus_client.exposition import CONTENT_TYPE_LATEST

from stanchion_runtime.metrics import Metrics

Health = Callable[[], Mapping[str, object]]
"""Says how the process is: `ok` (bool) and facts beside it, such as positions."""

_READ_S: Final = 5.0
_MOST: Final = 8192  # bytes of a request's head


async def serve(metrics: Metrics, health: Health, *, port: int, host: str = "127.0.0.1") -> asyncio.Server:
    """Serve the page until the server is closed.

    Args:
        metrics: what `/metrics` shows.
        health: what `/healthz` shows; its `ok` decides between 200 and 503.
        port: 0 for any free one; `server.sockets[0].getsockname()[1]` tells which.
        host: the address to bind.

    Raises:
        OSError: the port is taken.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_READ_S):
                head = await reader.readuntil(b"\r\n\r\n")
            writer.write(_respond(head, metrics, health))
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # not a request, or nobody there any more
        finally:
            writer.close()

    return await asyncio.start_server(answer, host, port, limit=_MOST)


def _respond(head: bytes, metrics: Metrics, health: Health) -> bytes:
    """Give the whole answer to one request."""
    method, _, rest = head.partition(b" ")
    path = rest.split(b" ", 1)[0].split(b"?", 1)[0]
    if method not in {b"GET", b"HEAD"}:
        return _message("405 Method Not Allowed", "text/plain", b"GET only\n")
    if path == b"/metrics":
        return _message("200 OK", CONTENT_TYPE_LATEST, metrics.text())
    if path == b"/healthz":
        facts = health()
        status = "200 OK" if facts.get("ok") else "503 Service Unavailable"
        return _message(status, "application/json", json.dumps(facts, sort_keys=True).encode() + b"\n")
    return _message("404 Not Found", "text/plain", b"/metrics or /healthz\n")


def _message(status: str, content_type: str, body: bytes) -> bytes:
    """Give one HTTP response that ends the connection."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
