"""Avro single-object encoding: two marker bytes, the writer schema's CRC-64-AVRO fingerprint, the body.

A reader finds the writer's schema among all versions ever released, so it reads what any earlier version wrote. The
newest version of each message is written and read by generated code (scripts/gen_codec.py says why); fastavro reads
every other version, and the contract tests hold the two to the same bytes.
Source: Apache Avro 1.12 specification, "Single-object encoding".
"""

import functools
import io
import json
import struct
from collections.abc import Callable
from typing import Any, Final, TypeVar

import fastavro
import msgspec
from msgspec import Struct

from stanchion_contracts.generated.avro import SCHEMAS
from stanchion_contracts.generated.codec import CODE, FOLD
from stanchion_contracts.messages import MESSAGES
from stanchion_core.errors import UNREADABLE, InvalidMessage

Message = TypeVar("Message", bound=Struct)

MARKER: Final = b"\xc3\x01"
_HEAD: Final = len(MARKER) + 8  # marker and fingerprint
MALFORMED: Final = (
    EOFError,
    IndexError,
    ValueError,
    TypeError,
    OverflowError,
    MemoryError,
    AssertionError,
    struct.error,
    msgspec.ValidationError,
)
"""What fastavro, msgspec and the generated code raise on bytes they cannot read."""

SCHEMA_OF: Final = {cls: name for name, cls in MESSAGES.items()}
"""The folder in `schemas/` that describes each message class."""

MESSAGE_OF: Final = MESSAGES
"""The message class of each folder in `schemas/`."""


_Read = Callable[[bytes, int], tuple[Any, int]]


class _Schema(Struct, frozen=True):
    """One released schema."""

    name: str
    version: int
    head: bytes
    text: str


class _Newest(Struct, frozen=True):
    """The newest version of a message: its leading bytes, and the code that writes and reads its body."""

    head: bytes
    write: Callable[[Any, bytearray], None]
    read: _Read


@functools.cache
def _released() -> dict[bytes, _Schema]:
    """Give every released schema by its ten leading bytes."""
    return {
        (head := MARKER + bytes.fromhex(fingerprint)): _Schema(name, version, head, text)
        for name, version, fingerprint, text in SCHEMAS
    }


def _newest_of(name: str) -> _Schema:
    """Give the newest schema of a folder."""
    return max((schema for schema in _released().values() if schema.name == name), key=lambda schema: schema.version)


_NEWEST: Final[dict[type[Struct], _Newest]] = {
    cls: _Newest(_newest_of(SCHEMA_OF[cls]).head, write, read) for cls, (write, read) in CODE.items()
}


@functools.cache
def _parsed(schema: _Schema) -> Any:  # noqa: ANN401 - fastavro's own form
    """Give a schema in fastavro's form."""
    return fastavro.parse_schema(_without_logical_types(json.loads(schema.text)))


def _without_logical_types(schema: Any) -> Any:  # noqa: ANN401 - a JSON document
    """Give a schema in which a time is the plain number that the message classes hold."""
    if isinstance(schema, list):
        return [_without_logical_types(branch) for branch in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _without_logical_types(part) for name, part in schema.items() if name != "logicalType"}


def head_of(cls: type[Struct]) -> bytes:
    """Give the ten leading bytes of a message class in its newest version: marker and fingerprint."""
    return _NEWEST[cls].head


def encode(message: Struct) -> bytes:
    """Give the message's bytes on the wire, marker and fingerprint first.

    Args:
        message: of a class in `SCHEMA_OF`.
    """
    newest = _NEWEST[type(message)]
    out = bytearray(newest.head)
    newest.write(message, out)
    return bytes(out)


def encode_body(message: Struct) -> bytes:
    """Give the message's Avro bytes alone, as the leaf of a ledger entry has them."""
    out = bytearray()
    _NEWEST[type(message)].write(message, out)
    return bytes(out)


def decode(data: bytes, cls: type[Message]) -> Message:
    """Read a message of a class, whichever version wrote it.

    Args:
        data: single-object encoded.
        cls: what it must be.

    Raises:
        InvalidMessage: `UNREADABLE`: no marker, an unknown schema, another message's schema, malformed or trailing
            bytes, or a value the class does not allow.
    """
    return _decode(data, cls, _NEWEST[cls].read)


def decode_folded(data: bytes, cls: type[Message]) -> Message:
    """Read of a stage's own output what its fold looks at; the rest (`messages.UNFOLDED`) may be left empty.

    Args:
        data: single-object encoded.
        cls: what it must be.

    Raises:
        InvalidMessage: as `decode`; what is stepped over is not looked into.
    """
    return _decode(data, cls, FOLD.get(cls) or _NEWEST[cls].read)


def _decode(data: bytes, cls: type[Message], read: _Read) -> Message:
    """Read a message of a class, the newest version by the function given.

    Raises:
        InvalidMessage: `UNREADABLE`.
    """
    try:
        if data.startswith(_NEWEST[cls].head):
            message, end = read(data, _HEAD)
        else:
            message, end = _read_other(data, cls)
    except MALFORMED as error:
        raise InvalidMessage(UNREADABLE, f"malformed {SCHEMA_OF[cls]}: {error}") from error
    if end != len(data):
        what = "trailing bytes" if end < len(data) else "bytes missing"
        raise InvalidMessage(UNREADABLE, f"malformed {SCHEMA_OF[cls]}: {abs(len(data) - end)} {what}")
    return message  # type: ignore[no-any-return]  # the generated code carries no types


def _read_other(data: bytes, cls: type[Message]) -> tuple[Message, int]:
    """Read what another version wrote.

    Raises:
        InvalidMessage: no version of this message wrote it.
    """
    writer = _released().get(data[:_HEAD])
    if writer is None:
        known = "no single-object marker" if data[:2] != MARKER else f"unknown schema {data[2:_HEAD].hex()}"
        raise InvalidMessage(UNREADABLE, f"{known}; expected {SCHEMA_OF[cls]}")
    if writer.name != SCHEMA_OF[cls]:
        raise InvalidMessage(UNREADABLE, f"schema of {writer.name}; expected {SCHEMA_OF[cls]}")
    stream = io.BytesIO(data)
    stream.seek(_HEAD)
    plain = fastavro.schemaless_reader(stream, _parsed(writer), _parsed(_newest_of(writer.name)))
    return msgspec.convert(plain, cls), stream.tell()
