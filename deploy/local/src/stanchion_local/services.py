"""The processes of the six services: their scripts, their ports, what their environment holds."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from stanchion_local.settings import LocalSettings


class Service(Struct, frozen=True, kw_only=True):
    """One process.

    Attributes:
        name: of the process, its log file and its line in the status.
        script: the console script that runs it.
        http: its metrics and health page, added to the base port.
        grpc: its gRPC port, added to the base port; 0 for a processor, which has none.
        after: the process that must be ready before this one starts; empty for none.
        tier: higher ones end first, so that callers are refused before the line stops.
        beside: nothing waits for it, and the run goes on without it.
    """

    name: str
    script: str
    http: int
    grpc: int = 0
    after: str = ""
    tier: int = 1
    beside: bool = False

    @property
    def prefix(self) -> str:
        """What the environment variables of its own settings start with."""
        return f"STANCHION_{self.name.replace('-', '_').upper()}_"


HOST: Final = "127.0.0.1"

TABLE: Final = (
    Service(name="ingest", script="stanchion-ingest", http=11),
    Service(name="extraction", script="stanchion-extraction", http=12),
    Service(name="fusion", script="stanchion-fusion", http=13),
    Service(name="validity", script="stanchion-validity", http=14),
    Service(name="audit", script="stanchion-audit", http=15),
    Service(name="reassessment", script="stanchion-reassessment", http=17, beside=True),
    Service(name="audit-reader", script="stanchion-audit-reader", http=22, grpc=2),
    Service(name="view", script="stanchion-view", http=23, grpc=3),
    Service(name="gateway", script="stanchion-gateway", http=21, grpc=1, after="view", tier=2),
)
"""In the order of starting. A gateway asks the view for its workspaces when it starts, and then once an hour."""

OPTIONAL: Final = (Service(name="extraction-model", script="stanchion-extraction-model", http=16),)
"""What runs beside the line where somebody asks for it; a local run does not start it (docs/model-extraction.md)."""

BY_NAME: Final = {service.name: service for service in TABLE}


def script_path(service: Service) -> Path:
    """Where the console script lies: beside the Python that runs us."""
    return Path(sys.executable).with_name(service.script)


def environment(service: Service, settings: LocalSettings, inherited: Mapping[str, str]) -> dict[str, str]:
    """The environment of one process: what it inherits, and over it what makes it part of this run."""
    home = settings.home.absolute()
    own = {
        "STANCHION_HOME": str(home),
        "STANCHION_KAFKA_BOOTSTRAP": settings.bootstrap,
        "STANCHION_AUTH_JWKS": str(home / "keys" / "jwks.json"),
        "STANCHION_AUTH_ISSUER": ISSUER,
        "STANCHION_AUTH_AUDIENCE": AUDIENCE,
        "STANCHION_AUDIT_READER_CHECKPOINT_KEY": str(home / "keys" / "checkpoint.pem"),
    }
    return {**inherited, **own, **_listening(service, settings)}


def _listening(service: Service, settings: LocalSettings) -> dict[str, str]:
    http = str(settings.port_base + service.http)
    if not service.grpc:
        return {f"{service.prefix}HTTP_HOST": HOST, f"{service.prefix}HTTP_PORT": http}
    listening = {
        "STANCHION_SERVER_HOST": HOST,
        "STANCHION_SERVER_PORT": str(settings.port_base + service.grpc),
        "STANCHION_SERVER_HTTP_PORT": http,
    }
    if service.name == "gateway":  # it asks the view which workspaces there are, for their ticks
        listening["STANCHION_GATEWAY_VIEW"] = f"{HOST}:{settings.port_base + BY_NAME['view'].grpc}"
        listening["STANCHION_GATEWAY_VIEW_TOKEN"] = str(settings.home.absolute() / "tokens" / "service.jwt")
    return listening


def port_of(settings: LocalSettings, offset: int) -> int:
    """The port at an offset from the base; 0 stays 0."""
    return settings.port_base + offset if offset else 0


ISSUER: Final = "stanchion-local"
AUDIENCE: Final = "stanchion"
