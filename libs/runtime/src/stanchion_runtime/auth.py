"""Who is calling: a bearer token (JWT) against a JSON Web Key Set, made into a `Principal`.

A token's claims: `sub`, `iss`, `aud`, `exp`; ours: `kind` (`person`, `agent`, `service`), `on_behalf_of` (optional),
`workspaces` (names; `*` for every one), `capabilities`. Algorithms: EdDSA, RS256, ES256, asymmetric on purpose.
Source: RFC 7519, RFC 7517, RFC 8725 (sections 3.1, 3.2: the key, not the token, says the algorithm).
"""

import asyncio
import json
import time
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, Literal, Protocol
from urllib.parse import urlsplit

import jwt
import msgspec
from msgspec import Struct

from stanchion_contracts.meta import Actor
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import NAME_CHARS
from stanchion_core.text import required
from stanchion_runtime.clock import now_us
from stanchion_runtime.logs import logger
from stanchion_runtime.refused import Refused
from stanchion_runtime.settings import LOOPBACK, AuthSettings

CAPABILITIES: Final = frozenset({
    "read",
    "write",
    "review",
    "approve",
    "reject",
    "publish",
    "calibrate",
    "release_quarantine",
    "dsar_export",
    "purge",
    "admin",
    "workflow",
})
"""All there are; a token's other words are ignored."""

ALGORITHMS: Final = frozenset({"EdDSA", "RS256", "ES256"})
EVERY_WORKSPACE: Final = "*"
_TOKEN_CHARS: Final = 8_192
_MOST_ACCEPTED: Final = 1_024  # tokens remembered
_FETCH_S: Final = 5.0
_UNKNOWN_KEY_S: Final = 10.0  # a URL is asked again for an unknown key at most this often
_KEYS_BYTES: Final = 1024 * 1024

Kind = Literal["person", "agent", "service"]


class Principal(Struct, frozen=True, kw_only=True):
    """Who is calling, and what for.

    Attributes:
        sub: the token's subject.
        kind: `person`, `agent` or `service`.
        on_behalf_of: the person an agent or service acts for, empty for nobody.
        workspaces: names, or `*` for every one.
        capabilities: a subset of `CAPABILITIES`.
    """

    sub: str
    kind: Kind
    on_behalf_of: str = ""
    workspaces: frozenset[str] = frozenset()
    capabilities: frozenset[str] = frozenset()

    @property
    def named(self) -> str:
        """Who it is in a sentence: `person maya`; `agent` alone for an agent that is called just that."""
        return self.kind if self.sub == self.kind else f"{self.kind} {self.sub}"

    def may_enter(self, workspace: str) -> bool:
        """Tell whether the token names the workspace."""
        return workspace in self.workspaces or EVERY_WORKSPACE in self.workspaces

    def actor(self) -> Actor:
        """Give the principal as messages carry it."""
        return Actor(
            kind=self.kind, id=self.sub, on_behalf_of=self.on_behalf_of, capabilities=tuple(sorted(self.capabilities))
        )


class KeySet(Protocol):
    """Where public keys come from."""

    async def find(self, kid: str) -> jwt.PyJWK | None:
        """Give the key of that id; with an empty id the only key there is. None when there is none."""


class FileKeys:
    """Keys from a file, read again whenever it changes; a file that cannot be read leaves the last good keys.

    Raises:
        OSError: the file is not there at the start.
        ValueError: it holds no usable key at the start.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = _mark(path)
        self._keys = parse_keys(path.read_bytes())

    async def find(self, kid: str) -> jwt.PyJWK | None:
        """Give the key of that id."""
        try:
            mark = _mark(self._path)
            if mark != self._seen:
                self._keys = parse_keys(self._path.read_bytes())
                self._seen = mark
                logger().info("keys read again", keys=len(self._keys))
        except (OSError, ValueError) as error:
            logger().warning("keys unreadable, last good ones kept", path=str(self._path), why=str(error))
        return pick(self._keys, kid)


class UrlKeys:
    """Keys from a URL, asked again every `refresh_s` and for a key it does not know.

    Args:
        url: https, or http on loopback.
        refresh_s: how old an answer may get.

    Raises:
        ValueError: the URL is neither https nor on loopback.
    """

    def __init__(self, url: str, refresh_s: float) -> None:
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise ValueError(f"STANCHION_AUTH_JWKS is {url}: use https, keys over plain http can be swapped")
        self._url = url
        self._refresh_s = refresh_s
        self._keys: dict[str, jwt.PyJWK] = {}
        self._asked = float("-inf")
        self._lock = asyncio.Lock()

    async def find(self, kid: str) -> jwt.PyJWK | None:
        """Give the key of that id."""
        if time.monotonic() - self._asked > (self._refresh_s if pick(self._keys, kid) else _UNKNOWN_KEY_S):
            async with self._lock:
                if time.monotonic() - self._asked > _UNKNOWN_KEY_S:
                    await self._ask()
        return pick(self._keys, kid)

    async def _ask(self) -> None:
        """Fetch the keys; keep the last good ones when that fails."""
        self._asked = time.monotonic()
        try:
            self._keys = parse_keys(await asyncio.to_thread(_fetch, self._url))
        except (OSError, ValueError) as error:
            logger().warning("keys unreadable, last good ones kept", url=self._url, why=str(error))


class _Accepted(Struct, frozen=True):
    """A token that was checked: with which key, until when it holds, and who it names."""

    kid: str
    key: jwt.PyJWK
    until_us: int
    principal: Principal


class Authenticator:
    """Turns a bearer token into a principal.

    A token that was accepted is not checked again while its key is in the key set and it has not expired: the
    signature is most of what a small call costs.
    """

    def __init__(self, settings: AuthSettings, keys: KeySet) -> None:
        self._settings = settings
        self._keys = keys
        self._accepted: dict[str, _Accepted] = {}

    @classmethod
    def of(cls, settings: AuthSettings) -> "Authenticator":
        """Give an authenticator over the keys that the settings name.

        Raises:
            ValueError: no keys are named, or they cannot be used.
            OSError: the file is not there.
        """
        if not settings.jwks:
            raise ValueError(
                "STANCHION_AUTH_JWKS is not set: name the file or https URL of the keys that tokens are checked with"
            )
        if "://" in settings.jwks:
            return cls(settings, UrlKeys(settings.jwks, settings.refresh_s))
        return cls(settings, FileKeys(Path(settings.jwks)))

    async def principal(self, authorization: str) -> Principal:
        """Give who sent an `authorization` value (`Bearer <token>`).

        Raises:
            Refused: `TOKEN_MISSING`, `TOKEN_EXPIRED` or `TOKEN_INVALID`.
        """
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Refused("TOKEN_MISSING", "no bearer token: send `authorization: Bearer <token>`")
        known = self._accepted.get(token)
        if known is not None and now_us() < known.until_us and await self._keys.find(known.kid) is known.key:
            return known.principal
        self._accepted.pop(token, None)
        try:
            return await self._check(token)
        except jwt.ExpiredSignatureError as error:
            raise Refused("TOKEN_EXPIRED", "the token has expired: get a new one") from error
        except (jwt.PyJWTError, InvalidMessage, ValueError) as error:
            raise Refused("TOKEN_INVALID", f"the token is not accepted: {error}") from error

    async def _check(self, token: str) -> Principal:
        """Check a token and remember it.

        Raises:
            InvalidTokenError: it does not hold.
            InvalidMessage: it names nobody.
            ValidationError: a claim is of another type.
        """
        if len(token) > _TOKEN_CHARS:
            raise jwt.InvalidTokenError(f"longer than {_TOKEN_CHARS} characters")
        kid = jwt.get_unverified_header(token).get("kid", "")
        key = await self._keys.find(kid)
        if key is None:
            raise jwt.InvalidTokenError(f"signed with key {kid!r}, which is not in the key set")
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm_name],
            audience=self._settings.audience,
            issuer=self._settings.issuer,
            leeway=self._settings.leeway_s,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        principal = _principal(claims)
        if len(self._accepted) >= _MOST_ACCEPTED:
            self._accepted.clear()
        until_us = (int(claims["exp"]) + self._settings.leeway_s) * 1_000_000
        self._accepted[token] = _Accepted(kid=kid, key=key, until_us=until_us, principal=principal)
        return principal


def parse_keys(data: bytes) -> dict[str, jwt.PyJWK]:
    """Give the usable keys of a JSON Web Key Set by id: for signatures, of an algorithm in `ALGORITHMS`.

    Raises:
        ValueError: it is no key set, or none of its keys can be used.
    """
    try:
        entries = list(json.loads(data)["keys"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a JSON Web Key Set: {error}") from error
    keys = {key.key_id or "": key for entry in entries if (key := _usable(entry)) is not None}
    if not keys:
        raise ValueError(f"the key set has no key for {', '.join(sorted(ALGORITHMS))}")
    return keys


def _usable(entry: Any) -> jwt.PyJWK | None:  # noqa: ANN401 - a JSON value
    """Give the key that an entry of a key set is; None for what is not ours to use (RFC 7517, section 5)."""
    if not isinstance(entry, dict) or entry.get("use", "sig") != "sig" or entry.get("kty") == "oct":
        return None
    try:
        key = jwt.PyJWK(entry)
    except (jwt.PyJWTError, KeyError, TypeError, ValueError):
        return None
    return key if key.algorithm_name in ALGORITHMS else None


def pick(keys: dict[str, jwt.PyJWK], kid: str) -> jwt.PyJWK | None:
    """Give the key of that id; with an empty id the only key there is."""
    if kid:
        return keys.get(kid)
    return next(iter(keys.values())) if len(keys) == 1 else None


class _Claims(Struct, frozen=True):
    """Our part of a token."""

    sub: str
    kind: Kind
    on_behalf_of: str = ""
    workspaces: list[str] = []
    capabilities: list[str] = []


def _principal(claims: dict[str, Any]) -> Principal:
    """Give the principal that checked claims name.

    Raises:
        InvalidMessage: a name is empty, too long, or no text that a record may hold.
        ValidationError: a claim is of another type.
    """
    ours = msgspec.convert(claims, _Claims)
    acts_for = ours.on_behalf_of
    return Principal(
        sub=required(ours.sub, "sub", chars=NAME_CHARS),
        kind=ours.kind,
        on_behalf_of=required(acts_for, "on_behalf_of", chars=NAME_CHARS) if acts_for else "",
        workspaces=frozenset(ours.workspaces),
        capabilities=frozenset(ours.capabilities) & CAPABILITIES,
    )


def _mark(path: Path) -> tuple[int, int, int]:
    """Give what changes when a file does."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _fetch(url: str) -> bytes:
    """Give what a URL serves.

    Raises:
        OSError: it cannot be reached, or serves too much.
    """
    try:
        with urllib.request.urlopen(url, timeout=_FETCH_S) as answer:  # noqa: S310 - the scheme was checked in UrlKeys
            data: bytes = answer.read(_KEYS_BYTES + 1)
    except HTTPException as error:
        raise OSError(f"not an answer: {error!r}") from error
    if len(data) > _KEYS_BYTES:
        raise OSError(f"more than {_KEYS_BYTES} bytes")
    return data
