"""The checkpoint key: read from a file that only we may read, never from the database it vouches for."""

import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from msgspec import Struct

from stanchion_audit.core.note import NoteKey, Sign, sign_note

_FOREIGN: Final = stat.S_IWGRP | stat.S_IRWXO  # a group may read: that is how orchestrators hand a secret to a process


class UnusableKey(Exception):
    """The checkpoint key cannot be used; the text says what to do."""


class CheckpointKey(Struct, frozen=True, kw_only=True):
    """The key that signs checkpoints, under one name for each tree.

    Attributes:
        public_key: 32 bytes, as in RFC 8032.
        sign: gives the signature of a message; the private half stays inside.
    """

    public_key: bytes
    sign: Sign

    def verifier(self, origin: str) -> NoteKey:
        """Give what verifies the checkpoints of a tree."""
        return NoteKey(name=origin, public_key=self.public_key)

    def sign_text(self, text: str, origin: str) -> str:
        """Give the signed note of a checkpoint's text."""
        return sign_note(text, self.verifier(origin), self.sign)


def load_key(path: Path) -> CheckpointKey:
    """Read an Ed25519 private key, PEM, PKCS #8, unencrypted.

    Args:
        path: of the file; nobody but its owner may write it, and others may not read it.

    Raises:
        UnusableKey: there is no such file, others may read it, or it is no such key.
    """
    try:
        mode = path.stat().st_mode
        data = path.read_bytes()
    except OSError as error:
        raise UnusableKey(
            f"checkpoint key {path}: {error.strerror}; set STANCHION_AUDIT_READER_CHECKPOINT_KEY to its file"
        ) from error
    if mode & _FOREIGN:
        raise UnusableKey(f"checkpoint key {path} has mode {stat.S_IMODE(mode):04o}: others reach it; chmod 600 {path}")
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise UnusableKey(f"checkpoint key {path} is no unencrypted PEM private key: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise UnusableKey(f"checkpoint key {path} is a {type(key).__name__}; expected an Ed25519 private key")
    return CheckpointKey(public_key=key.public_key().public_bytes_raw(), sign=key.sign)


def verify_ed25519(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Tell whether a signature is the key's on this message (RFC 8032 section 5.1.7)."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
