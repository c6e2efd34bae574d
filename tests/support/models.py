"""A local endpoint that answers as a language model would: well, badly, slowly, or not at all."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from msgspec import Struct


class Asked(Struct, frozen=True, kw_only=True):
    """One request as it came.

    Attributes:
        body: its JSON.
        headers: with names in lower case.
        path: of its address.
    """

    body: dict[str, Any]
    headers: dict[str, str]
    path: str

    @property
    def text(self) -> str:
        """The text that is to be read."""
        text: str = self.body["messages"][-1]["content"]
        return text


class Reply(Struct, frozen=True, kw_only=True):
    """What is answered.

    Attributes:
        status: of HTTP.
        body: as it is sent.
        headers: further ones.
        wait_s: how long nothing is said before.
        drip_s: how long between single bytes of the body; 0 sends it at once.
        hang_up: end the connection without an answer.
    """

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    wait_s: float = 0.0
    drip_s: float = 0.0
    hang_up: bool = False


Script = Callable[[Asked], Reply]


def claim(  # noqa: PLR0913 - the parts of one claim
    subject: str = "TAM",
    predicate: str = "is",
    text: str = "5000000000",
    *,
    quote: str = "The TAM is $5B.",
    type_: str = "money",
    unit: str = "USD",
    op: str = "",
    positive: bool = True,
    source: str = "",
) -> dict[str, Any]:
    """Give a claim as a model names it."""
    value = {"type": type_, "text": text, "unit": unit, "op": op}
    parts = {"subject": subject, "predicate": predicate, "value": value}
    return {**parts, "positive": positive, "source": source, "quote": quote}


def completion(content: str | None, *, finish_reason: str = "stop", refusal: str | None = None) -> bytes:
    """Give a chat completion with this content."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": {}}).encode()


def names(*claims: dict[str, Any]) -> Reply:
    """Give a good answer that names these claims."""
    return Reply(body=completion(json.dumps({"claims": claims})))


class ModelServer:
    """An endpoint on a real socket.

    Attributes:
        asked: every request, in order.
        script: answers from now on.
    """

    def __init__(self, script: Script, tls: tuple[Path, Path] | None = None) -> None:
        """Answer from now on.

        Args:
            script: what is answered.
            tls: certificate and key; plain HTTP without.
        """
        self.asked: list[Asked] = []
        self.script = script
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._scheme = "http" if tls is None else "https"
        if tls is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(*tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    @property
    def url(self) -> str:
        """The base of the API."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}/v1"

    def texts(self) -> list[str]:
        """Every text that it was given, in order."""
        return [asked.text for asked in self.asked]

    def close(self) -> None:
        """Answer no more."""
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type["_Handler"]:
        """Give what serves one connection."""
        outer = self

        class Handler(_Handler):
            server_of = outer

        return Handler

    def ended(self, within_s: float) -> bool:
        """Wait so long, and tell whether the endpoint was closed."""
        return self._ended.wait(within_s)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_of: ModelServer

    def do_POST(self) -> None:
        """Answer one request."""
        raw = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(body=json.loads(raw), headers=headers, path=self.path)
        self.server_of.asked.append(asked)
        try:
            self._reply(self.server_of.script(asked))
        except OSError:
            self.close_connection = True  # the other side had enough

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _reply(self, reply: Reply) -> None:
        """Answer as it says."""
        if self.server_of.ended(reply.wait_s) or reply.hang_up:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        if not reply.drip_s:
            self.wfile.write(reply.body)
            return
        for byte in reply.body:
            self.wfile.write(bytes([byte]))
            if self.server_of.ended(reply.drip_s):
                return


@contextmanager
def model_server(script: Script | Sequence[Reply], tls: tuple[Path, Path] | None = None) -> Iterator[ModelServer]:
    """An endpoint that answers by a script, or with these replies in order and the last one from then on."""
    server = ModelServer(script if callable(script) else in_order(script), tls)
    try:
        yield server
    finally:
        server.close()


def in_order(replies: Sequence[Reply]) -> Script:
    """Give a script of these replies, the last one again and again."""
    lock, left = threading.Lock(), list(replies)

    def script(_asked: Asked) -> Reply:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return script


@contextmanager
def silent_port() -> Iterator[str]:
    """The base of an API that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
