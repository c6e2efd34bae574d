"""The local run's own authority: a key that signs tokens, the key set that services check them with, a checkpoint key.

```
<home>/keys/signing.pem      Ed25519 private key of the tokens; 0600
<home>/keys/jwks.json        its public half as a JSON Web Key Set (RFC 7517, RFC 8037); what the services read
<home>/keys/checkpoint.pem   Ed25519 private key of the ledger's checkpoints; 0600
<home>/tokens/<name>.jwt     tokens; 0600
```

A key that is there is never written again. Whoever can read the signing key can act as anyone on this machine's
Stanchion, so a file that others may read is refused (a group may: that is how orchestrators hand a secret over).
"""

import base64
import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from msgspec import Struct

from stanchion_local.errors import Unusable
from stanchion_local.services import AUDIENCE, ISSUER
from stanchion_runtime.auth import CAPABILITIES

ALGORITHM: Final = "EdDSA"
DAY_S: Final = 86_400
FOREIGN: Final = stat.S_IWGRP | stat.S_IRWXO

Kind = Literal["person", "agent", "service"]


class Keys(Struct, frozen=True, kw_only=True):
    """Where the keys of a home lie."""

    signing: Path
    jwks: Path
    checkpoint: Path


class Grant(Struct, frozen=True, kw_only=True):
    """What a token says.

    Attributes:
        sub: who it names.
        kind: `person`, `agent` or `service`.
        on_behalf_of: the person an agent or service acts for; empty for nobody.
        workspaces: names, or `*` for every one.
        capabilities: what it may do, of the twelve.
    """

    sub: str
    kind: Kind
    on_behalf_of: str = ""
    workspaces: tuple[str, ...] = ("*",)
    capabilities: tuple[str, ...] = tuple(sorted(CAPABILITIES))


def ensure(home: Path) -> Keys:
    """Makes the keys that are not there yet.

    Raises:
        Unusable: a key is there and can't be used: unreadable, readable by others, or of another kind.
    """
    folder = home / "keys"
    _private_folder(folder)
    keys = Keys(signing=folder / "signing.pem", jwks=folder / "jwks.json", checkpoint=folder / "checkpoint.pem")
    for path in (keys.signing, keys.checkpoint):
        if not path.exists():
            write_once(path, _new_key())
    entry = public_entry(load(keys.signing))
    if not keys.jwks.exists():
        write_once(keys.jwks, json.dumps({"keys": [entry]}, indent=1).encode() + b"\n")
    if not _holds(keys.jwks, entry):
        raise Unusable(
            f"{keys.jwks} does not hold the public half of {keys.signing}, so no token of ours would be accepted: "
            f"remove {keys.jwks} and start again."
        )
    load(keys.checkpoint)
    return keys


def load(path: Path) -> Ed25519PrivateKey:
    """Reads an Ed25519 private key.

    Raises:
        Unusable: it can't be read, others may read it, or it is another kind of key.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        data = path.read_bytes()
    except OSError as error:
        raise Unusable(f"{path} can't be read: {error.strerror}.") from error
    if mode & FOREIGN:
        raise Unusable(f"{path} may be read by others (mode {mode:04o}): run `chmod 600 {path}`.")
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise Unusable(f"{path} is no private key in PEM form: move it away and a new one is made.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Unusable(f"{path} is another kind of key than Ed25519: move it away and a new one is made.")
    return key


def public_entry(key: Ed25519PrivateKey) -> dict[str, str]:
    """The public half as an entry of a key set; its id is the thumbprint of RFC 7638."""
    x = _base64url(key.public_key().public_bytes_raw())
    needed = {"crv": "Ed25519", "kty": "OKP", "x": x}
    thumbprint = hashlib.sha256(json.dumps(needed, sort_keys=True, separators=(",", ":")).encode()).digest()
    return {**needed, "kid": _base64url(thumbprint), "alg": ALGORITHM, "use": "sig"}


def mint(home: Path, grant: Grant, *, now_us: int, days: int) -> str:
    """Signs a token.

    Args:
        home: whose signing key signs.
        grant: what it says.
        now_us: when it is issued.
        days: how long it is good.

    Raises:
        Unusable: the signing key can't be used.
        ValueError: a capability that does not exist, or an empty subject.
    """
    if unknown := set(grant.capabilities) - CAPABILITIES:
        raise ValueError(
            f"no such capability: {', '.join(sorted(unknown))}; there are {', '.join(sorted(CAPABILITIES))}"
        )
    if not grant.sub:
        raise ValueError("a token names somebody: sub is empty")
    key = load(home / "keys" / "signing.pem")
    now_s = now_us // 1_000_000
    claims: dict[str, Any] = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": grant.sub,
        "kind": grant.kind,
        "workspaces": list(grant.workspaces),
        "capabilities": list(grant.capabilities),
        "iat": now_s,
        "exp": now_s + days * DAY_S,
    }
    if grant.on_behalf_of:
        claims["on_behalf_of"] = grant.on_behalf_of
    return jwt.encode(claims, key, algorithm=ALGORITHM, headers={"kid": public_entry(key)["kid"]})


def ensure_token(home: Path, name: str, grant: Grant, *, now_us: int, days: int) -> Path:
    """A token in a file: the one that is there while it is good for half its time and of the kind, else a new one.

    Raises:
        Unusable: the signing key can't be used.
    """
    path = home / "tokens" / f"{name}.jwt"
    _private_folder(path.parent)
    if not _is_good(path, home, grant.kind, now_us=now_us, spare_s=days * DAY_S // 2):
        token = mint(home, grant, now_us=now_us, days=days)
        partial = path.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        write_once(partial, token.encode())
        partial.replace(path)
    return path


def standard_grants(person: str) -> dict[str, Grant]:
    """The tokens that every local run has, by name: the person at the keyboard, an agent of theirs, the services."""
    working = ("read", "workflow", "write")
    return {
        "person": Grant(sub=person, kind="person"),
        "agent": Grant(sub="agent", kind="agent", on_behalf_of=person, capabilities=working),
        "service": Grant(sub="stanchion", kind="service", capabilities=("read",)),
    }


def _is_good(path: Path, home: Path, kind: Kind, *, now_us: int, spare_s: int) -> bool:
    key = load(home / "keys" / "signing.pem")
    try:
        claims = jwt.decode(
            path.read_text(encoding="ascii"),
            key.public_key(),
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=ISSUER,
            options={"verify_exp": False, "verify_iat": False},
        )
    except (OSError, ValueError, jwt.PyJWTError):
        return False
    return claims.get("kind") == kind and int(claims.get("exp", 0)) - now_us // 1_000_000 > spare_s


def _holds(path: Path, entry: Sequence[Any] | dict[str, str]) -> bool:
    try:
        return entry in json.loads(path.read_bytes())["keys"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _new_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _private_folder(path: Path) -> None:
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)


def write_once(path: Path, data: bytes) -> None:
    """Writes a file that only its owner reads; one that is there stays as it is."""
    with contextlib.suppress(FileExistsError):  # another process made it: its key is as good
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
