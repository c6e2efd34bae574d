"""Every knob of the model-based extractor."""

import ipaddress
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

from stanchion_core.limits import BODY_BYTES
from stanchion_runtime.settings import LOOPBACK, WorkerSettings

PREFIX: Final = "STANCHION_EXTRACTION_MODEL_"


class ModelSettings(WorkerSettings):
    """Which model is asked, and how; prefix `STANCHION_EXTRACTION_MODEL_`. The rest are the knobs of every worker.

    Attributes:
        url: base of an OpenAI-compatible API (`https://api.openai.com/v1`); `/chat/completions` is put behind it.
        plain_http: take `http://` for other hosts than this one, too: whoever sits between reads texts and key.
        model: its name at the endpoint.
        name: what Stanchion calls it, as `model:<name>`; empty for the model's own name.
        key: sent as bearer token; empty for none.
        key_file: a file with the key, in place of `key`; read at the start.
        ca_file: PEM file of the authority that signed the endpoint's certificate; empty trusts the system's.
        timeout_s: seconds that one answer may take, from connecting to its last byte.
        attempts: how often a text is tried before its observation goes to the dead letters.
        wait_s: seconds before the second attempt; doubled for each further one, half of it by chance.
        wait_most_s: seconds that no wait exceeds; an endpoint that asks for a longer one is given up at once.
        at_once: how many texts are with the endpoint at a time.
        max_tokens: how long an answer may be.
        extra: further members of the request's JSON (`{"seed": 7}`); null takes one away (`{"temperature": null}`).
        text_bytes: longer texts go to the dead letters, bytes in UTF-8.
        documents: read the texts of documents, too.
        workspaces: only these, comma-separated; empty for all. What is read leaves for the endpoint.
        begin: where a group that has never read begins: `now`, or the `first` observation there is.
        http_port: port of the health and metrics pages.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    url: str = ""
    plain_http: bool = False
    model: str = Field(default="", max_length=200)
    name: str = Field(default="", max_length=200, pattern=r"^[A-Za-z0-9._:/@+-]*$")
    key: SecretStr = SecretStr("")
    key_file: Path | None = None
    ca_file: Path | None = None
    timeout_s: float = Field(default=60.0, ge=0.1, le=600)
    attempts: int = Field(default=5, ge=1, le=20)
    wait_s: float = Field(default=1.0, ge=0.01, le=60)
    wait_most_s: float = Field(default=60.0, ge=0.01, le=3_600)
    at_once: int = Field(default=4, ge=1, le=256)
    max_tokens: int = Field(default=8_192, ge=16, le=1_000_000)
    extra: dict[str, Any] = Field(default_factory=dict)
    text_bytes: int = Field(default=64 * 1024, ge=1, le=BODY_BYTES)
    documents: bool = False
    workspaces: str = ""
    begin: Literal["now", "first"] = "now"
    http_port: int = Field(default=7116, ge=0, le=65_535)

    @model_validator(mode="after")
    def _endpoint_is_named(self) -> "ModelSettings":
        """Refuse to run without an endpoint and a model: there is no default for where texts are sent.

        Raises:
            ValueError: url or model is missing or cannot be used.
        """
        if not self.url or not self.model:
            raise ValueError(f"set {PREFIX}URL and {PREFIX}MODEL: nothing is sent anywhere unless told")
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"{PREFIX}URL must be http(s)://host[:port][/path]")
        if parts.username is not None or parts.password is not None:
            raise ValueError(f"{PREFIX}URL must not hold a user or password; use {PREFIX}KEY or _KEY_FILE")
        if parts.scheme == "http" and not self.plain_http and not is_loopback(parts.hostname):
            raise ValueError(f"{PREFIX}URL is not https; set {PREFIX}PLAIN_HTTP=true where the way there is safe")
        if not self.name and not _is_name(self.model):
            raise ValueError(
                f"set {PREFIX}NAME: {self.model!r} has other characters than letters, digits, . _ : / @ + -"
            )
        return self

    @property
    def called(self) -> str:
        """What Stanchion calls the model: publisher, agent and actor of its claims."""
        return f"model:{self.name or self.model}"

    @property
    def only(self) -> frozenset[str]:
        """The workspaces that are read; empty for all."""
        return frozenset(filter(None, (name.strip() for name in self.workspaces.split(","))))

    @property
    def loopback(self) -> bool:
        """Whether the endpoint is on this machine."""
        return is_loopback(urlsplit(self.url).hostname or "")

    def secret(self) -> str:
        """Give the key, from its file where one is named.

        Raises:
            ValueError: the file cannot be read or is empty, or the key has characters that no header takes.
        """
        if self.key_file is None:
            key, where = self.key.get_secret_value(), f"{PREFIX}KEY"
        else:
            where = f"{PREFIX}KEY_FILE {self.key_file}"
            try:
                key = self.key_file.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise ValueError(f"{where} cannot be read: {type(error).__name__}") from None
            if not key:
                raise ValueError(f"{where} is empty")
        if not (key.isascii() and key.isprintable()):
            raise ValueError(f"{where} has characters that a header does not take")
        return key


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_name(text: str) -> bool:
    """Tell whether a model's own name can be a publisher's."""
    return all(char.isascii() and (char.isalnum() or char in "._:/@+-") for char in text)
