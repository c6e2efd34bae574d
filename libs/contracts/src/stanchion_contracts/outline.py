"""The outline of a changes message: what the ledger says of each change, and the change itself as bytes, unread.

Audit passes changes on whole. Reading and writing each of them again cost more than all the rest of its work (measured
with `make bench`); stepping over them costs a quarter of that, and their bytes are the same.
"""

from typing import Any, Final

from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.generated import codec as generated
from stanchion_contracts.ledger import Payload
from stanchion_contracts.meta import Meta
from stanchion_core.errors import UNREADABLE, InvalidMessage

_code: Final[Any] = generated  # untyped, as it was generated
_HEAD: Final = len(codec.head_of(Changes))


class ChangeOutline(Struct, frozen=True, kw_only=True):
    """One change.

    Attributes:
        seq: of the change.
        action: what happened.
        subject_kind: to what kind of thing.
        subject_id: to which.
        data: the whole change, its Avro body.
    """

    seq: int
    action: str
    subject_kind: str
    subject_id: str
    data: bytes


class ChangesOutline(Struct, frozen=True, kw_only=True):
    """One changes message, as far as the ledger needs it.

    Attributes:
        meta: as stamped.
        recorded_at_us: microseconds since the epoch.
        last_seq: the workspace's last seq after this message.
        changes: in seq order.
    """

    meta: Meta
    recorded_at_us: int
    last_seq: int
    changes: tuple[ChangeOutline, ...] = ()


def read_outline(data: bytes) -> ChangesOutline:
    """Read the outline of a changes message, whichever version wrote it.

    What stands behind the changes (landed, proposals …) is not looked at.

    Args:
        data: single-object encoded.

    Raises:
        InvalidMessage: `UNREADABLE`: it is no changes message.
    """
    if not data.startswith(codec.head_of(Changes)):
        return outline_of(codec.decode(data, Changes))
    try:
        outline, end = _read(data)
    except codec.MALFORMED as error:
        raise InvalidMessage(UNREADABLE, f"malformed changes: {error}") from error
    if end > len(data):
        raise InvalidMessage(UNREADABLE, f"malformed changes: {end - len(data)} bytes missing")
    return outline


def outline_of(message: Changes) -> ChangesOutline:
    """Give the outline of a message that was read whole; each change is written in the newest version."""
    changes = []
    for change in message.changes:
        data = bytearray()
        _code.write_Change(change, data)
        changes.append(
            ChangeOutline(
                seq=change.seq,
                action=change.action,
                subject_kind=change.subject_kind,
                subject_id=change.subject_id,
                data=bytes(data),
            )
        )
    return ChangesOutline(
        meta=message.meta,
        recorded_at_us=message.recorded_at_us,
        last_seq=message.last_seq,
        changes=tuple(changes),
    )


def encode_payload(salt: bytes, change: bytes) -> bytes:
    """Give the bytes of `Payload(salt, change)`, single-object encoded.

    Args:
        salt: at most 63 bytes.
        change: the change's Avro body in the newest version.
    """
    return b"%b%c%b%b" % (codec.head_of(Payload), len(salt) << 1, salt, change)


def _read(data: bytes) -> tuple[ChangesOutline, int]:
    """Read the fields of Changes up to and with `changes`, of each change those up to and with `subject_id`.

    Gives the outline and the index after the last change; whatever the generated code raises is for the caller.
    """
    meta, pos = _code.read_Meta(data, _HEAD)
    recorded_at_us, pos = _code._read_long(data, pos)  # noqa: SLF001 - our own generated code
    last_seq, pos = _code._read_long(data, pos)  # noqa: SLF001 - the same
    changes = []
    count, pos = _code._read_count(data, pos)  # noqa: SLF001 - the same
    while count:
        for _ in range(count):
            change, pos = _read_change(data, pos)
            changes.append(change)
        count, pos = _code._read_count(data, pos)  # noqa: SLF001 - the same
    outline = ChangesOutline(meta=meta, recorded_at_us=recorded_at_us, last_seq=last_seq, changes=tuple(changes))
    return outline, pos


def _read_change(data: bytes, start: int) -> tuple[ChangeOutline, int]:
    """Read one change's outline; give it and the index after the change."""
    seq, pos = _code._read_long(data, start)  # noqa: SLF001 - our own generated code
    action, pos = _read_text(data, pos)
    subject_kind, pos = _read_text(data, pos)
    subject_id, pos = _read_text(data, pos)
    end = _code.skip_Change(data, start)
    change = ChangeOutline(
        seq=seq, action=action, subject_kind=subject_kind, subject_id=subject_id, data=data[start:end]
    )
    return change, end


def _read_text(data: bytes, pos: int) -> tuple[str, int]:
    """Read a string; give it and the index after it."""
    size, pos = _code._read_size(data, pos)  # noqa: SLF001 - our own generated code
    return data[pos : pos + size].decode(), pos + size
