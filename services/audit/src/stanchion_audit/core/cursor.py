"""Where the next page of a trace begins. The ledger only grows, so a seq is a stable place."""

import base64
import binascii
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import content_digest

BAD_CURSOR: Final = "BAD_CURSOR"
_MARK_BYTES: Final = 8


class _Place(Struct, frozen=True, array_like=True):
    """What a cursor holds: the last seq given, and a mark of the question it belongs to."""

    after_seq: int
    mark: bytes


def encode_cursor(workspace: str, subject_id: str, after_seq: int) -> str:
    """Give the opaque text that continues a trace after a seq."""
    place = msgspec.msgpack.encode(_Place(after_seq, _mark(workspace, subject_id)))
    return base64.urlsafe_b64encode(place).decode().rstrip("=")


def decode_cursor(workspace: str, subject_id: str, cursor: str) -> int:
    """Give the seq after which a trace goes on; 0 for empty text, the first page.

    Raises:
        InvalidMessage: `BAD_CURSOR`: the text is no cursor, or one of another question.
    """
    if not cursor:
        return 0
    try:
        data = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        place = msgspec.msgpack.decode(data, type=_Place)
    except (binascii.Error, ValueError, msgspec.DecodeError) as error:
        raise InvalidMessage(BAD_CURSOR, "cursor is none that a page gave; start again without it") from error
    if place.mark != _mark(workspace, subject_id) or place.after_seq < 0:
        raise InvalidMessage(BAD_CURSOR, "cursor belongs to another workspace or subject; start again without it")
    return place.after_seq


def _mark(workspace: str, subject_id: str) -> bytes:
    """Give what tells one question from another."""
    return content_digest((workspace.encode(), subject_id.encode()))[:_MARK_BYTES]
