import json
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from stanchion.errors import NotSignedIn
from stanchion.settings import ClientSettings, is_loopback


def test_a_token_from_the_local_home(tmp_path: Path) -> None:
    """A token that is given counts; else the home's, by name."""
    (tmp_path / "tokens").mkdir()
    (tmp_path / "tokens/agent.jwt").write_text("abc\n")
    assert "given" == ClientSettings(home=tmp_path, token=SecretStr("given")).bearer()
    assert "abc" == ClientSettings(home=tmp_path, token_name="agent").bearer()  # noqa: S106 - no secret


def test_no_token_says_where_one_would_lie(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(NotSignedIn, match=r"tokens/person\.jwt"):
        ClientSettings(home=tmp_path).bearer()


@pytest.mark.parametrize("token", ["two\nlines", "tökén", "a b", "\x00"])
def test_what_is_no_token_is_not_sent(token: str) -> None:
    """A token that no header takes is refused before gRPC fails on it, and is not repeated."""
    with pytest.raises(NotSignedIn, match="STANCHION_TOKEN is no token") as caught:
        ClientSettings(token=SecretStr(token)).bearer()
    assert token not in str(caught.value)


def test_a_token_name_is_no_path() -> None:
    """A token's name cannot lead out of the home."""
    with pytest.raises(ValidationError):
        ClientSettings(token_name="../secret")  # noqa: S106 - no secret


def test_addresses(tmp_path: Path) -> None:
    """What is set counts, else where the local run says it listens, else where one would."""
    settings = ClientSettings(home=tmp_path, view="view.example:443")
    assert ("view.example:443", "127.0.0.1:7102") == (settings.address("view"), settings.address("audit"))
    processes = [{"name": "audit-reader", "grpc_port": 7302}, {"name": "ingest", "grpc_port": 0}]
    (tmp_path / "run").mkdir()
    (tmp_path / "run/state.json").write_text(json.dumps({"processes": processes}))
    assert "127.0.0.1:7302" == settings.address("audit")
    (tmp_path / "run/state.json").write_text("{")
    assert "127.0.0.1:7102" == settings.address("audit")


def test_loopback() -> None:
    """Only this machine's own addresses count as loopback."""
    assert [True, True, True, False, False] == [
        is_loopback(each) for each in ("127.0.0.1:1", "localhost:1", "[::1]:1", "10.0.0.1:1", "127.0.0.1.evil.test:1")
    ]
