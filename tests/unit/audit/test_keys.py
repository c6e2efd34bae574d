"""The checkpoint key's file."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from stanchion_audit.keys import UnusableKey, load_key, verify_ed25519

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PEM = PRIVATE.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def write(path: Path, data: bytes, mode: int = 0o600) -> Path:
    """Write a key file."""
    path.write_bytes(data)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o440])
def test_a_key_signs_what_its_public_half_verifies(tmp_path: Path, mode: int) -> None:
    """The key from the file signs, and only the very message verifies."""
    key = load_key(write(tmp_path / "checkpoint.pem", PEM, mode))
    signature = key.sign(b"text")
    assert PRIVATE.public_key().public_bytes_raw() == key.public_key
    assert (True, False) == (
        verify_ed25519(key.public_key, signature, b"text"),
        verify_ed25519(key.public_key, signature, b"texts"),
    )


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o660, 0o602])
def test_a_key_that_others_reach_is_refused(tmp_path: Path, mode: int) -> None:
    """A file that others may read or a group may write is refused with the command that mends it."""
    path = write(tmp_path / "checkpoint.pem", PEM, mode)
    with pytest.raises(UnusableKey, match=f"chmod 600 {path}"):
        load_key(path)


def test_no_file_is_said_so(tmp_path: Path) -> None:
    """A missing file is named, with the setting."""
    with pytest.raises(UnusableKey, match="STANCHION_AUDIT_READER_CHECKPOINT_KEY"):
        load_key(tmp_path / "none.pem")


def test_another_kind_of_key_is_refused(tmp_path: Path) -> None:
    """Only Ed25519 signs checkpoints."""
    other = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(UnusableKey, match="expected an Ed25519"):
        load_key(write(tmp_path / "k.pem", other))
    with pytest.raises(UnusableKey, match="no unencrypted PEM"):
        load_key(write(tmp_path / "g.pem", b"garbage"))


def test_a_key_of_wrong_length_verifies_nothing() -> None:
    """What is no public key gives False, not an error."""
    assert not verify_ed25519(b"short", b"x" * 64, b"text")
