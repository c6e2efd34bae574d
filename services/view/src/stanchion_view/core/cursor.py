"""Opaque cursors: where a page ended, at which position, for which question."""

import base64
import binascii
import hashlib

import msgspec
from msgspec import Struct

_CHECK = 8  # bytes; against mistakes, not against malice: a cursor grants nothing


class Cursor(Struct, frozen=True, array_like=True):
    """Where to go on.

    Attributes:
        after: id of the last record of the page before.
        as_of_seq: the position that page was answered from.
        question: digest of workspace and filters.
    """

    after: str
    as_of_seq: int
    question: bytes


class CursorError(ValueError):
    """The cursor is none of ours, or belongs to another question; the text says which."""


def encode(cursor: Cursor) -> str:
    """Give the cursor as text."""
    plain = msgspec.msgpack.encode(cursor)
    return base64.urlsafe_b64encode(hashlib.sha256(plain).digest()[:_CHECK] + plain).decode().rstrip("=")


def decode(text: str, question: bytes) -> Cursor:
    """Read a cursor.

    Args:
        text: as `encode` gave it.
        question: digest of the question it is used with.

    Raises:
        CursorError: it was changed, or the question is another one.
    """
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        cursor = msgspec.msgpack.decode(data[_CHECK:], type=Cursor)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise CursorError("cursor is none of this service: pass next_cursor of the page before, unchanged") from error
    if hashlib.sha256(data[_CHECK:]).digest()[:_CHECK] != data[:_CHECK]:
        raise CursorError("cursor was changed: pass next_cursor of the page before, unchanged")
    if cursor.question != question:
        raise CursorError("cursor belongs to another question: keep workspace and filters the same, or leave it out")
    return cursor


def question_of(*parts: object) -> bytes:
    """Give the digest of a question: plain values, the same for the same filters."""
    return hashlib.sha256(msgspec.msgpack.encode(parts)).digest()[:_CHECK]
