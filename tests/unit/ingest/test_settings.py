"""Every knob of ingest."""

from pathlib import Path

import pytest

from stanchion_ingest.settings import GatewayServerSettings, GatewaySettings, IngestSettings


def test_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process has a port of its own, which its environment may change."""
    assert (7111, 7101, 7121) == (
        IngestSettings().http_port,
        GatewayServerSettings().port,
        GatewayServerSettings().http_port,
    )
    monkeypatch.setenv("STANCHION_INGEST_HTTP_PORT", "9000")
    monkeypatch.setenv("STANCHION_SERVER_PORT", "9001")
    assert (9000, 9001) == (IngestSettings().http_port, GatewayServerSettings().port)


def test_token_stays_private() -> None:
    """A token for the view is sent in the clear on loopback only."""
    token, authority = Path("token"), Path("ca.pem")
    GatewaySettings(view="127.0.0.1:1", view_token=token)
    GatewaySettings(view="[::1]:1", view_token=token)
    GatewaySettings(view="view.example:1", view_token=token, view_ca=authority)
    GatewaySettings(view="view.example:1")
    with pytest.raises(ValueError, match="STANCHION_GATEWAY_VIEW_CA"):
        GatewaySettings(view="view.example:1", view_token=token)
