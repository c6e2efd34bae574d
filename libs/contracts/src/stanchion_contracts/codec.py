"""Avro single-object encoding: two marker bytes, the writer schema's CRC-64-AVRO fingerprint, the body.

A reader finds the writer's schema among all versions ever released, so it reads what any earlier version wrote.
Source: Apache Avro 1.12 specification, "Single-object encoding".
"""

import functools
import io
import json
from typing import Any, Final, TypeVar

import fastavro
import msgspec
from msgspec import Struct

from stanchion_contracts import belief, change, claim, command, deadletter, ledger, observation, receipt
from stanchion_contracts.generated.avro import SCHEMAS
from stanchion_core.errors import UNREADABLE, InvalidMessage

Message = TypeVar("Message", bound=Struct)

MARKER: Final = b"\xc3\x01"
_HEAD: Final = len(MARKER) + 8  # marker and fingerprint

SCHEMA_OF: Final[dict[type[Struct], str]] = {
    observation.InboxEvent: "inbox",
    observation.Request: "requests",
    observation.Observation: "observations",
    claim.Claims: "claims",
    belief.Beliefs: "beliefs",
    command.Command: "commands",
    change.Changes: "changes",
    receipt.Receipt: "receipts",
    ledger.Ledger: "ledger",
    ledger.Entry: "entries",
    ledger.Payload: "payloads",
    deadletter.DeadLetter: "deadletters",
}
"""The folder in `schemas/` that describes each message class."""

MESSAGE_OF: Final = {name: cls for cls, name in SCHEMA_OF.items()}
"""The message class of each folder in `schemas/`."""


class _Schema(Struct, frozen=True):
    """One released schema, parsed."""

    name: str
    version: int
    head: bytes
    parsed: Any


@functools.cache
def _released() -> dict[bytes, _Schema]:
    """Give every released schema by its ten leading bytes."""
    schemas = {}
    for name, version, fingerprint, text in SCHEMAS:
        head = MARKER + bytes.fromhex(fingerprint)
        schemas[head] = _Schema(name, version, head, fastavro.parse_schema(json.loads(text)))
    return schemas


@functools.cache
def _latest(cls: type[Struct]) -> _Schema:
    """Give the newest schema of a message class; its own version is what a writer uses."""
    name = SCHEMA_OF[cls]
    return max((schema for schema in _released().values() if schema.name == name), key=lambda schema: schema.version)


def encode(message: Struct) -> bytes:
    """Give the message's bytes on the wire, marker and fingerprint first.

    Args:
        message: of a class in `SCHEMA_OF`.
    """
    schema = _latest(type(message))
    out = io.BytesIO()
    out.write(schema.head)
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))
    # Tuples here are arrays; fastavro would read one inside a union as (branch, value).
    fastavro.schemaless_writer(out, schema.parsed, plain, disable_tuple_notation=True)
    return out.getvalue()


def encode_body(message: Struct) -> bytes:
    """Give the message's Avro bytes alone, as the leaf of a ledger entry has them."""
    return encode(message)[_HEAD:]


def decode(data: bytes, cls: type[Message]) -> Message:
    """Read a message of a class, whichever version wrote it.

    Args:
        data: single-object encoded.
        cls: what it must be.

    Raises:
        InvalidMessage: `UNREADABLE`: no marker, an unknown schema, another message's schema, malformed or trailing bytes,
            or a value the class does not allow.
    """
    writer = _released().get(data[:_HEAD])
    if writer is None:
        known = "no single-object marker" if data[:2] != MARKER else f"unknown schema {data[2:_HEAD].hex()}"
        raise InvalidMessage(UNREADABLE, f"{known}; expected {SCHEMA_OF[cls]}")
    if writer.name != SCHEMA_OF[cls]:
        raise InvalidMessage(UNREADABLE, f"schema of {writer.name}; expected {SCHEMA_OF[cls]}")
    reader = _latest(cls)
    stream = io.BytesIO(data)
    stream.seek(_HEAD)
    try:
        plain = fastavro.schemaless_reader(stream, writer.parsed, None if reader is writer else reader.parsed)
        message = msgspec.convert(plain, cls)
    except (
        EOFError,
        IndexError,
        ValueError,
        TypeError,
        OverflowError,
        MemoryError,
        AssertionError,
        msgspec.ValidationError,
    ) as error:  # what fastavro and msgspec raise on bytes they cannot read
        raise InvalidMessage(UNREADABLE, f"malformed {SCHEMA_OF[cls]}: {error}") from error
    if stream.tell() != len(data):
        raise InvalidMessage(UNREADABLE, f"malformed {SCHEMA_OF[cls]}: {len(data) - stream.tell()} trailing bytes")
    return message
