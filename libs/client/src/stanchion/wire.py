"""From messages to results: one conversion for every message, by name."""

import json
from datetime import UTC
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct

Result = TypeVar("Result", bound=Struct)

Descriptor = Any  # of a field: two classes, by implementation

_FIELD: Final = "stanchion.types.v1.Field"
_JSON: Final = "_json"


def result(message: Message, cls: type[Result], **beside: object) -> Result:
    """Give a message as a result; names the class does not know are left out.

    Args:
        message: from a call.
        cls: of `stanchion.results`.
        **beside: what the message itself does not carry.
    """
    return msgspec.convert({**plain(message), **beside}, cls)


def plain(message: Message) -> dict[str, Any]:
    """Give a message as plain values.

    Times become aware datetimes, words of enums lose their prefix, a list of fields becomes a dict of JSON values, a
    name that ends in `_json` loses the ending and is read, and an absent message is left out.
    """
    values: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            values[field.name] = _many(field, value)
        elif field.message_type is None:
            values.update([_one(field, value)] if not field.has_presence or message.HasField(field.name) else [])
        elif message.HasField(field.name):
            values[field.name] = _message(value)
    return values


def _many(field: Descriptor, values: Any) -> Any:  # noqa: ANN401 - any wire type
    """Give a repeated field."""
    if field.message_type is None:
        return list(values)
    if field.message_type.full_name == _FIELD:
        return {each.name: json.loads(each.value_json) for each in values if each.value_json}
    return [_message(each) for each in values]


def _one(field: Descriptor, value: Any) -> tuple[str, Any]:  # noqa: ANN401 - any wire type
    """Give a plain field with its name."""
    if field.enum_type is not None:
        prefix = field.enum_type.values_by_number[0].name.removesuffix("UNSPECIFIED")
        known = field.enum_type.values_by_number.get(value)
        return field.name, known.name.removeprefix(prefix).lower() if known else "unspecified"
    if field.name.endswith(_JSON):
        return field.name.removesuffix(_JSON), json.loads(value) if value else None
    return field.name, value


def _message(value: Message) -> Any:  # noqa: ANN401 - a time or a dict
    """Give a message inside a message."""
    return value.ToDatetime(tzinfo=UTC) if isinstance(value, Timestamp) else plain(value)
