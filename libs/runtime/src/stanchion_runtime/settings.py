"""What every process is told: where Kafka is, where to listen, whom to believe.

Read once, in `main()`, from the environment.
"""

from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from stanchion_contracts.topics import PARTITIONS

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Addresses that only this machine reaches; any other needs TLS."""

Settings = TypeVar("Settings", bound=BaseSettings)


def read(kind: type[Settings]) -> Settings:
    """Read settings from the environment.

    Args:
        kind: which ones.

    Raises:
        ValueError: they cannot be used; the message is one sentence that names the variables.
    """
    try:
        return kind()
    except ValidationError as error:
        prefix = kind.model_config.get("env_prefix", "")
        told = (
            f"{prefix}{'_'.join(map(str, one['loc']))}: ".upper() + one["msg"] if one["loc"] else one["msg"]
            for one in error.errors(include_url=False, include_input=False)
        )
        raise ValueError("; ".join(told).replace("Value error, ", "")) from None


def held_partitions(listed: str, count: int, variable: str) -> tuple[int, ...]:
    """Give the partitions that a setting lists, sorted; all where it lists none.

    Args:
        listed: comma-separated numbers; empty for all.
        count: how many there are.
        variable: of the environment, to name.

    Raises:
        ValueError: a part is no number, or one of those listed is not there.
    """
    parts = [part.strip() for part in listed.split(",")] if listed.strip() else []
    for part in parts:
        if not (part.isascii() and part.isdecimal()):
            raise ValueError(f"{variable}: {part[:20]!r} is no partition; list numbers such as 0,1,2")
    named = sorted(set(map(int, parts)))
    if named and named[-1] >= count:
        raise ValueError(f"{variable} names {named[-1]}; the topics have 0 to {count - 1}")
    return tuple(named) or tuple(range(count))


class KafkaSettings(BaseSettings):
    """Where the cluster is and how to sign in; prefix `STANCHION_KAFKA_`.

    Attributes:
        bootstrap: brokers to start from, `host:port`, comma-separated.
        security_protocol: how the connection is protected and who signs in.
        sasl_mechanism: how the user proves itself; empty without SASL.
        sasl_username: the user.
        sasl_password: its password.
        ssl_cafile: PEM file of the authority that signed the brokers' certificates; empty trusts the system's.
        ssl_certfile: PEM file of our own certificate, where brokers ask for one.
        ssl_keyfile: its private key.
        partitions: how many every topic has; checked at each start, fixed once the topics are made.
        topic_prefix: what topic names start with, 1 to 64 characters.
        request_timeout_ms: how long a broker may take to answer, 1,000 to 120,000 ms.
        session_timeout_ms: how long a silent member keeps its partitions, 3,000 to 120,000 ms.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_KAFKA_", frozen=True, extra="ignore")

    bootstrap: str = Field(default="127.0.0.1:19092", min_length=3)
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = ""
    sasl_username: str = ""
    sasl_password: SecretStr = SecretStr("")
    ssl_cafile: str = ""
    ssl_certfile: str = ""
    ssl_keyfile: str = ""
    partitions: int = Field(default=PARTITIONS, ge=1, le=10_000)
    topic_prefix: str = Field(default="stanchion", min_length=1, max_length=64, pattern=r"^[a-zA-Z0-9._-]+$")
    request_timeout_ms: int = Field(default=30_000, ge=1_000, le=120_000)
    session_timeout_ms: int = Field(default=10_000, ge=3_000, le=120_000)

    @model_validator(mode="after")
    def _sasl_is_whole(self) -> "KafkaSettings":
        """Refuse half a sign-in.

        Raises:
            ValueError: SASL is asked for and its mechanism, user or password is not given.
        """
        wants = self.security_protocol.startswith("SASL")
        has = bool(self.sasl_mechanism and self.sasl_username and self.sasl_password.get_secret_value())
        if wants and not has:
            raise ValueError(
                f"STANCHION_KAFKA_SECURITY_PROTOCOL is {self.security_protocol}: set STANCHION_KAFKA_SASL_MECHANISM, "
                "_SASL_USERNAME and _SASL_PASSWORD too"
            )
        return self


class ServerSettings(BaseSettings):
    """Where a gRPC server listens and how much it takes on; prefix `STANCHION_SERVER_`.

    A service gives its own port as the default by subclassing.

    Attributes:
        host: the address to bind; anything but loopback needs TLS and keys.
        port: the TCP port, 0 for any free one.
        tls_cert: PEM file of the certificate chain; empty without TLS.
        tls_key: PEM file of its private key.
        http_host: the address of `/metrics` and `/healthz`; loopback unless an operator says otherwise.
        http_port: its port, 0 for any free one, -1 for none.
        default_deadline_s: seconds a call may take when its caller names no deadline, 0.1 to 600.
        max_concurrent: calls served at a time; more are refused `OVERLOADED`.
        max_streams: response streams open at a time, beside `max_concurrent`.
        drain_s: seconds that calls in hand may still take after SIGTERM, 0 to 300.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_SERVER_", frozen=True, extra="ignore")

    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=0, ge=0, le=65_535)
    tls_cert: Path | None = None
    tls_key: Path | None = None
    http_host: str = Field(default="127.0.0.1", min_length=1)
    http_port: int = Field(default=0, ge=-1, le=65_535)
    default_deadline_s: float = Field(default=10.0, ge=0.1, le=600)
    max_concurrent: int = Field(default=256, ge=1, le=100_000)
    max_streams: int = Field(default=256, ge=1, le=100_000)
    drain_s: float = Field(default=5.0, ge=0, le=300)

    @model_validator(mode="after")
    def _tls_is_whole(self) -> "ServerSettings":
        """Refuse a certificate without its key, or a key without its certificate.

        Raises:
            ValueError: only one of the two is given.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("set both STANCHION_SERVER_TLS_CERT and STANCHION_SERVER_TLS_KEY, or neither")
        return self


class AuthSettings(BaseSettings):
    """Whose tokens are believed; prefix `STANCHION_AUTH_`.

    Attributes:
        jwks: path or https URL of the JSON Web Key Set with the issuer's public keys; there is no way to run without.
        issuer: what a token's `iss` must be.
        audience: what a token's `aud` must contain.
        leeway_s: how far the issuer's clock may be off, 0 to 300 s.
        refresh_s: how often a URL is asked anew, 10 to 86,400 s; a file whenever it changes.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_AUTH_", frozen=True, extra="ignore")

    jwks: str = ""
    issuer: str = Field(default="stanchion-local", min_length=1)
    audience: str = Field(default="stanchion", min_length=1)
    leeway_s: int = Field(default=10, ge=0, le=300)
    refresh_s: int = Field(default=300, ge=10, le=86_400)


class WorkerSettings(BaseSettings):
    """The process around a processor. A service subclasses it with its own prefix (`STANCHION_FUSION_`) and HTTP port.

    Attributes:
        http_host: the address of `/metrics` and `/healthz`; loopback unless an operator says otherwise.
        http_port: its port, 0 for no pages.
        instance: names this process among those of its service, the same after a restart, so that a restart disturbs
            no other; empty makes it `<host name>-<http_port>`, or nothing lasting where the port is 0.
        watch_dead_letters: also run the agent that counts the dead letters of all stages.
        stop_s: seconds that a batch in hand may still take after SIGTERM, 0.1 to 300.
    """

    model_config = SettingsConfigDict(env_prefix="STANCHION_WORKER_", frozen=True, extra="ignore")

    http_host: str = Field(default="127.0.0.1", min_length=1)
    http_port: int = Field(default=0, ge=0, le=65_535)
    instance: str = Field(default="", max_length=200, pattern=r"^[a-zA-Z0-9._-]*$")
    watch_dead_letters: bool = False
    stop_s: float = Field(default=10.0, ge=0.1, le=300)
