"""Every knob of ingest, the processor and the gateway."""

from pathlib import Path
from typing import Final

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_runtime.settings import LOOPBACK, ServerSettings, WorkerSettings

MIB: Final = 1024 * 1024


class IngestSettings(WorkerSettings):
    """The processor; prefix `STANCHION_INGEST_`. Its knobs are those of every worker.

    Attributes:
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_INGEST_", frozen=True, extra="ignore")

    http_port: int = Field(default=7111, ge=0, le=65_535)


class GatewayServerSettings(ServerSettings):
    """Where the gateway listens; prefix `STANCHION_SERVER_`, as every server.

    Attributes:
        port: the gRPC port.
        http_port: port of the health and metrics pages, -1 for none.
    """

    port: int = Field(default=7101, ge=0, le=65_535)
    http_port: int = Field(default=7121, ge=-1, le=65_535)


class GatewaySettings(BaseSettings):
    """How much the gateway takes on, and whom it asks for workspaces; prefix `STANCHION_GATEWAY_`.

    Attributes:
        max_waiting: callers that may wait for an answer at a time, 1 to 100,000; more are refused `OVERLOADED`.
        max_bytes: bytes taken from callers and not yet durable, 4 MiB to 4 GiB; more is refused `OVERLOADED`.
        window: events of one Publish stream in hand at a time, 1 to 10,000.
        window_bytes: their bytes, 64 KiB to 64 MiB; one event alone may be larger.
        answer_s: seconds an awaited answer may take on a stream without a deadline, 1 to 600.
        view: `host:port` of the view that knows the workspaces; empty asks nobody.
        view_token: file with the bearer token to ask it with, read anew each time; without one nobody is asked.
        view_ca: PEM file of the authority that signed the view's certificate; without one the view must be on loopback.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_GATEWAY_", frozen=True, extra="ignore")

    max_waiting: int = Field(default=4_096, ge=1, le=100_000)
    max_bytes: int = Field(default=64 * MIB, ge=4 * MIB, le=4_096 * MIB)
    window: int = Field(default=1_000, ge=1, le=10_000)
    window_bytes: int = Field(default=4 * MIB, ge=64 * 1024, le=64 * MIB)
    answer_s: float = Field(default=30.0, ge=1, le=600)
    view: str = "127.0.0.1:7103"
    view_token: Path | None = None
    view_ca: Path | None = None

    @model_validator(mode="after")
    def _token_stays_private(self) -> "GatewaySettings":
        """Refuse to send a token where others can read it.

        Raises:
            ValueError: the view is on another machine and there is no authority to know it by.
        """
        host = self.view.rpartition(":")[0].strip("[]")
        if self.view and self.view_token is not None and self.view_ca is None and host not in LOOPBACK:
            raise ValueError(
                f"STANCHION_GATEWAY_VIEW is {self.view}: set STANCHION_GATEWAY_VIEW_CA, or its token can be read"
            )
        return self
