"""A key, its key set in a file, and tokens signed with it, for servers under test."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stanchion_runtime.auth import CAPABILITIES
from stanchion_runtime.settings import AuthSettings

ISSUER = "https://issuer.test"
AUDIENCE = "stanchion"


def jwk(key: Ed25519PrivateKey, kid: str) -> dict[str, Any]:
    """Give the public half as a JSON Web Key."""
    public: dict[str, Any] = jwt.algorithms.OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**public, "kid": kid, "use": "sig", "alg": "EdDSA"}


class Issuer:
    """Signs tokens; its key set lies in `jwks`.

    Args:
        folder: where to put the key set.
        kid: the key's id.
    """

    def __init__(self, folder: Path, kid: str = "test") -> None:
        self.jwks = folder / "jwks.json"
        self.kid = kid
        self.key = Ed25519PrivateKey.generate()
        self.publish()

    def publish(self) -> None:
        """Write the key set."""
        self.jwks.write_text(json.dumps({"keys": [jwk(self.key, self.kid)]}))

    def settings(self) -> AuthSettings:
        """Give what a server under test is told."""
        return AuthSettings(jwks=str(self.jwks), issuer=ISSUER, audience=AUDIENCE)

    def token(
        self,
        sub: str = "maya",
        *,
        kind: str = "person",
        workspaces: Iterable[str] = ("*",),
        capabilities: Iterable[str] = CAPABILITIES,
        **claims: object,
    ) -> str:
        """Give a signed token; `claims` replace or add."""
        now = int(time.time())  # noqa: TID251 - the library under test reads the wall clock
        payload = {
            "sub": sub,
            "iss": ISSUER,
            "aud": AUDIENCE,
            "iat": now,
            "exp": now + 600,
            "kind": kind,
            "workspaces": sorted(workspaces),
            "capabilities": sorted(capabilities),
            **claims,
        }
        return jwt.encode(payload, self.key, algorithm="EdDSA", headers={"kid": self.kid})
