"""Keys from a URL: an identity provider that turns its keys over, and one that is away."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stanchion_runtime import auth
from stanchion_runtime.auth import Authenticator
from stanchion_runtime.refused import Refused
from stanchion_runtime.settings import AuthSettings
from support.tokens import AUDIENCE, ISSUER, Issuer


class Provider:
    """Serves a key set on loopback.

    Attributes:
        keys: what it serves; None answers 503.
        asked: how often it was asked.
    """

    def __init__(self) -> None:
        self.keys: bytes | None = None
        self.asked = 0
        provider = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked += 1
                self.send_response(200 if provider.keys else 503)
                self.end_headers()
                self.wfile.write(provider.keys or b"")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - http.server's name
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/jwks.json"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that serves."""
    provider = Provider()
    thread = threading.Thread(target=provider.server.serve_forever, daemon=True)
    thread.start()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()
    thread.join()


async def test_keys_from_a_url(provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is fetched once; an unknown one is asked for anew, and while nobody answers the last good keys hold."""
    monkeypatch.setattr(auth, "_UNKNOWN_KEY_S", 0.0)
    settings = AuthSettings(jwks=provider.url, issuer=ISSUER, audience=AUDIENCE)
    authenticator = Authenticator.of(settings)
    (tmp_path / "new").mkdir()
    old, new = Issuer(tmp_path, "old"), Issuer(tmp_path / "new", "new")
    provider.keys = old.jwks.read_bytes()
    for name in ("maya", "omar"):
        assert name == (await authenticator.principal(f"Bearer {old.token(name)}")).sub
    assert 1 == provider.asked
    with pytest.raises(Refused, match="TOKEN_INVALID"):
        await authenticator.principal(f"Bearer {new.token()}")
    provider.keys = None
    with pytest.raises(Refused, match="TOKEN_INVALID"):
        await authenticator.principal(f"Bearer {new.token()}")
    assert "maya" == (await authenticator.principal(f"Bearer {old.token()}")).sub
    provider.keys = new.jwks.read_bytes()
    assert "maya" == (await authenticator.principal(f"Bearer {new.token()}")).sub
    with pytest.raises(Refused, match="TOKEN_INVALID"):
        await authenticator.principal(f"Bearer {old.token('late')}")
