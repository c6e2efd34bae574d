"""Signed notes: text, a blank line, and signature lines over the text.

Source: C2SP signed-note (https://c2sp.org/signed-note), Ed25519 signatures (type 0x01) only. Signing and verifying are
passed in, so that nothing here touches a private key.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

Sign = Callable[[bytes], bytes]
"""Gives the Ed25519 signature (64 bytes) of a message."""

Verify = Callable[[bytes, bytes, bytes], bool]
"""Tells whether, for a public key, a signature is one of a message."""

_ED25519: Final = b"\x01"  # the signature type's identifier byte
_KEY_BYTES: Final = 32
_KEY_ID_BYTES: Final = 4
_MAX_SIGNATURES: Final = 64  # a verifier accepts at least 16 and should have a limit
_SIGNATURE_START: Final = "\u2014 "


class InvalidNote(Exception):
    """A note that must not be believed; the text says why."""


class NoteKey(Struct, frozen=True, kw_only=True):
    """A key that signs notes, as its verifier knows it.

    Attributes:
        name: without spaces or plus, not empty.
        public_key: 32 bytes, as in RFC 8032.
    """

    name: str
    public_key: bytes

    def key_id(self) -> bytes:
        """Give the four bytes that stand before each signature of this key."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public_key).digest()[:_KEY_ID_BYTES]

    def text(self) -> str:
        """Give the verifier key as text: `<name>+<key id in hex>+<base64 of type and public key>`."""
        return f"{self.name}+{self.key_id().hex()}+{base64.b64encode(_ED25519 + self.public_key).decode()}"


def read_key(text: str) -> NoteKey:
    """Read a verifier key.

    Args:
        text: as `NoteKey.text` gives it.

    Raises:
        InvalidNote: it is none, not an Ed25519 key, or its id is not that of its name and key.
    """
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    data = decode_base64(encoded)
    if not name or len(data) != 1 + _KEY_BYTES or data[:1] != _ED25519:
        raise InvalidNote(f"not an Ed25519 verifier key: {text!r}; expected <name>+<8 hex digits>+<base64>")
    key = NoteKey(name=name, public_key=data[1:])
    if key.key_id().hex() != key_id:
        raise InvalidNote(f"the verifier key {text!r} has id {key_id}; its name and key make {key.key_id().hex()}")
    return key


def sign_note(text: str, key: NoteKey, sign: Sign) -> str:
    """Give the signed note.

    Args:
        text: ends in a newline.
        key: the public half of what signs.
        sign: signs with that key.

    Raises:
        InvalidNote: such a text or key name has no note.
    """
    if not text.endswith("\n") or _has_control(text):
        raise InvalidNote("a note's text ends in a newline and has no other control characters")
    if not key.name or "+" in key.name or any(character.isspace() for character in key.name):
        raise InvalidNote(f"{key.name!r} is no key name: it is empty or has a space or plus")
    signature = base64.b64encode(key.key_id() + sign(text.encode())).decode()
    return f"{text}\n{_SIGNATURE_START}{key.name} {signature}\n"


def open_note(note: bytes, key: NoteKey, verify: Verify) -> str:
    """Give a note's text, once the key's signature on it has been verified.

    Args:
        note: as received.
        key: the one key that is trusted.
        verify: verifies with a public key.

    Raises:
        InvalidNote: malformed, not signed by this key, or the signature is not of this text.
    """
    try:
        whole = note.decode()
    except UnicodeDecodeError as error:
        raise InvalidNote(f"the note is not UTF-8: {error}") from error
    if _has_control(whole):
        raise InvalidNote("the note has control characters")
    text, blank, lines = whole.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise InvalidNote("the note has no signature lines after a blank line")
    text += "\n"
    known = [body for name, key_id, body in _signatures(lines) if name == key.name and key_id == key.key_id()]
    if not known:
        raise InvalidNote(f"the note is not signed by {key.text()}")
    if not all(verify(key.public_key, body, text.encode()) for body in known):
        raise InvalidNote(f"the signature of {key.name} is not of this text")
    return text


def decode_base64(text: str) -> bytes:
    """Read standard base64, padded; one text for one value, so that no flipped bit goes unseen.

    Raises:
        InvalidNote: it is not.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidNote(f"not base64: {text!r}") from error
    if base64.b64encode(data).decode() != text:
        raise InvalidNote(f"not canonical base64: {text!r}")
    return data


def _signatures(lines: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Give each signature line's key name, key id and signature.

    Raises:
        InvalidNote: a line is malformed, or there are too many.
    """
    split = lines.removesuffix("\n").split("\n")
    if len(split) > _MAX_SIGNATURES:
        raise InvalidNote(f"the note has {len(split)} signatures; at most {_MAX_SIGNATURES} are read")
    for line in split:
        name, space, encoded = line.removeprefix(_SIGNATURE_START).partition(" ")
        if not line.startswith(_SIGNATURE_START) or not space or not name:
            raise InvalidNote(f"not a signature line: {line!r}")
        data = decode_base64(encoded)
        if len(data) <= _KEY_ID_BYTES:
            raise InvalidNote(f"a signature of {len(data)} bytes is too short: {line!r}")
        yield name, data[:_KEY_ID_BYTES], data[_KEY_ID_BYTES:]


def _has_control(text: str) -> bool:
    """Tell whether there is a control character below U+0020 that is no newline."""
    return any(character < " " and character != "\n" for character in text)
