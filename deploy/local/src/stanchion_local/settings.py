"""Every knob of a local run."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_broker.broker import DEFAULT_PORT


class LocalSettings(BaseSettings):
    """Where a local run keeps its data and listens; prefix `STANCHION_LOCAL_`.

    Attributes:
        home: the folder of everything local (`STANCHION_HOME`).
        broker_port: of our own broker (`STANCHION_BROKER_PORT`); its controller takes the next one.
        broker_lib: where Kafka's jars lie, when not below the home.
        port_base: the services listen on this plus 1 to 23, see `services.TABLE`.
        kafka_bootstrap: an existing cluster (`STANCHION_KAFKA_BOOTSTRAP`); empty starts a broker of our own.
        ready_timeout_s: how long the services may take to become ready, 1 to 600 s.
        token_days: how long a token that is minted at the start is good, 1 to 366 days.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_LOCAL_", frozen=True, extra="ignore", populate_by_name=True)

    home: Path = Field(default=Path(".stanchion"), validation_alias="STANCHION_HOME")
    broker_port: int = Field(default=DEFAULT_PORT, ge=1, le=65_534, validation_alias="STANCHION_BROKER_PORT")
    broker_lib: Path | None = None
    port_base: int = Field(default=7100, ge=1, le=65_500)
    kafka_bootstrap: str = Field(default="", validation_alias="STANCHION_KAFKA_BOOTSTRAP")
    ready_timeout_s: float = Field(default=90.0, ge=1, le=600)
    token_days: int = Field(default=30, ge=1, le=366)

    @property
    def bootstrap(self) -> str:
        """The cluster that the services use."""
        return self.kafka_bootstrap or f"127.0.0.1:{self.broker_port}"
