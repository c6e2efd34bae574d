"""What a client is told, by arguments, the environment or a local run: where the services are, and with which token."""

import json
import re
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion.errors import NotSignedIn

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")

PORTS: Final = {"gateway": 7101, "audit": 7102, "view": 7103}
"""Where a local run listens unless told otherwise."""

_TOKEN: Final = re.compile(r"[!-~]+")


class ClientSettings(BaseSettings):
    """Where and who; prefix `STANCHION_`.

    Attributes:
        home: the folder of a local run: its keys, tokens, data.
        gateway: `host:port` of IngestService; empty for the local run's.
        audit: `host:port` of AuditService; empty likewise.
        view: `host:port` of ViewService; empty likewise.
        token: a bearer token; empty reads `<home>/tokens/<token_name>.jwt`.
        token_name: which of the local tokens.
        tls_ca: PEM file of the authority that signed the servers' certificates; turns TLS on.
        tls: use TLS with the authorities the system trusts.
        workspace: the workspace when a call names none.
        timeout_s: seconds one call may take, 0.1 to 600.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_", frozen=True, extra="ignore")

    home: Path = Path(".stanchion")
    gateway: str = ""
    audit: str = ""
    view: str = ""
    token: SecretStr = SecretStr("")
    token_name: str = Field(default="person", min_length=1, pattern=r"^[A-Za-z0-9._-]+$")
    tls_ca: Path | None = None
    tls: bool = False
    workspace: str = ""
    timeout_s: float = Field(default=10.0, ge=0.1, le=600)

    def address(self, service: Literal["gateway", "audit", "view"]) -> str:
        """Give `host:port` of a service: as set, else where the local run has it, else where a local run would."""
        if given := {"gateway": self.gateway, "audit": self.audit, "view": self.view}[service]:
            return given
        process = {"gateway": "gateway", "audit": "audit-reader", "view": "view"}[service]
        return f"127.0.0.1:{_running(self.home).get(process, PORTS[service])}"

    def elsewhere(self) -> str:
        """Give what to add to a complaint where no local run is found: it may be another folder's."""
        if self.home.is_dir():
            return ""
        return f", or say where one is with STANCHION_HOME (there is no {self.home} here)"

    def bearer(self) -> str:
        """Give the token to send.

        Raises:
            NotSignedIn: there is none, or what is given is none.
        """
        if given := self.token.get_secret_value():
            return _whole(given, "STANCHION_TOKEN")
        path = self.home / "tokens" / f"{self.token_name}.jwt"
        try:
            return _whole(path.read_text(encoding="ascii"), str(path))
        except FileNotFoundError as error:
            raise NotSignedIn(
                "TOKEN_MISSING",
                f"no token: set STANCHION_TOKEN, or start a local run that makes {path}{self.elsewhere()}",
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise NotSignedIn("TOKEN_MISSING", f"the token in {path} cannot be read: {error}") from error


def _whole(text: str, where: str) -> str:
    """Give a token without the space around it.

    Raises:
        NotSignedIn: no header takes it.
    """
    token = text.strip()
    if not _TOKEN.fullmatch(token):
        raise NotSignedIn("TOKEN_INVALID", f"{where} is no token: one has printable ASCII and no spaces")
    return token


def _running(home: Path) -> dict[str, int]:
    """Give the gRPC ports of a local run by process, as its state file says (`stanchion_local.state`); else nothing."""
    try:
        state: Any = json.loads((home / "run" / "state.json").read_bytes())
        return {process["name"]: process["grpc_port"] for process in state["processes"] if process["grpc_port"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def is_loopback(address: str) -> bool:
    """Tell whether only this machine is at an address (`host:port`)."""
    return address.rpartition(":")[0] in LOOPBACK
