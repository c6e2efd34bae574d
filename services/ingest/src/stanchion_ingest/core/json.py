"""JSON payloads: read within limits, and written again in canonical form.

msgspec is what makes this quick; it already refuses invalid UTF-8, lone surrogates, NaN and numbers out of range.
"""

from typing import Any, Final, TypeVar

import msgspec

from stanchion_core.errors import FIELD_VALUE, UNREADABLE, InvalidMessage
from stanchion_core.limits import JSON_DEPTH
from stanchion_core.text import nfc

Shape = TypeVar("Shape")

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_ANY: Final = msgspec.json.Decoder()


def read(data: bytes, decoder: "msgspec.json.Decoder[Shape]", field: str) -> Shape:
    """Read JSON into the decoder's type.

    Args:
        data: as it came.
        decoder: of the wanted type.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `UNREADABLE` for what is not JSON in UTF-8, `FIELD_VALUE` for another shape or deep nesting.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise InvalidMessage(FIELD_VALUE, f"{field}: {error}", field) from error
    except RecursionError as error:
        raise InvalidMessage(FIELD_VALUE, f"{field} nests deeper than {JSON_DEPTH}", field) from error
    except ValueError as error:  # msgspec.DecodeError, UnicodeDecodeError, an integer of thousands of digits
        raise InvalidMessage(UNREADABLE, f"{field} is not JSON in UTF-8: {error}", field) from error


def canonical(data: bytes, field: str) -> bytes:
    """Give a JSON payload in canonical form: sorted names, no spaces, texts NFC; of a repeated name the last counts.

    Args:
        data: as it came.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: as `read`; `FIELD_VALUE` for NUL, for nesting deeper than 32, for heaps of combining marks.
    """
    value = read(data, _ANY, field)
    if data.count(b"{") + data.count(b"[") > JSON_DEPTH:
        check_depth(value, field)
    if b"\\u0000" in data:
        value = _mapped(value, field)
    text = _ENCODER.encode(value)
    if text.isascii() or nfc(plain := text.decode(), field) == plain:
        return text
    return _ENCODER.encode(_mapped(value, field))  # text by text: NFC of the whole would join marks to escapes


def check_depth(value: object, field: str) -> None:
    """Refuse a value whose objects and arrays nest deeper than 32, without recursion.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        if depth > JSON_DEPTH:
            raise InvalidMessage(FIELD_VALUE, f"{field} nests deeper than {JSON_DEPTH}", field)
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]


def _mapped(value: Any, field: str) -> Any:  # noqa: ANN401 - any JSON value, at most 32 deep
    """Give the value with each text NFC.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a text with NUL or a heap of combining marks.
    """
    if isinstance(value, str):
        if "\x00" in value:
            raise InvalidMessage(FIELD_VALUE, f"{field} has a NUL; remove it", field)
        return nfc(value, field)
    if isinstance(value, dict):
        return {_mapped(name, field): _mapped(inner, field) for name, inner in value.items()}
    if isinstance(value, list):
        return [_mapped(inner, field) for inner in value]
    return value
