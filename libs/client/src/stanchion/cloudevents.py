"""Events as people keep them: CloudEvents 1.0 in JSON, one a line.

Source: CloudEvents 1.0, JSON event format, section 3. Attributes `workspace` and `room` say whose it is.
"""

import base64
import binascii
import json
from typing import Any, Final

from stanchion.writes import Event

_NEEDED: Final = ("id", "source", "type")
_TEXTS: Final = (*_NEEDED, "workspace", "room", "subject", "time")
_JSON: Final = "application/json"


def parse(number: int, line: str, source: str = "") -> Event | None:
    """Give the event of a line, None for an empty one.

    Args:
        number: of the line, from 1.
        line: of a file.
        source: of an event that names none.

    Raises:
        ValueError: the line is no event; its number and what it lacks are named.
    """
    if not line.strip():
        return None
    try:
        return event(json.loads(line), source)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {number} is no event: {error.msg} at column {error.colno}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"line {number} is no event: {error}") from error


def event(value: Any, source: str = "") -> Event:  # noqa: ANN401 - any JSON value
    """Give one event of a JSON object.

    Raises:
        ValueError: it is no CloudEvent.
    """
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - for the caller it is a wrong value
    value = {"source": source, **value}
    missing = [name for name in _NEEDED if not value.get(name)]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")
    texts = {name: value.get(name, "") for name in _TEXTS} | {"datacontenttype": value.get("datacontenttype", _JSON)}
    if odd := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise ValueError(f"{', '.join(odd)} must be text")
    content_type = texts.pop("datacontenttype")
    return Event(**texts, content_type=content_type, data=_data(value, content_type))


def _data(value: dict[str, Any], content_type: str) -> bytes:
    """Give the payload's bytes.

    Raises:
        ValueError: `data_base64` is not base64.
    """
    if "data_base64" in value:
        try:
            return base64.b64decode(value["data_base64"], validate=True)
        except (binascii.Error, TypeError) as error:
            raise ValueError(f"data_base64: {error}") from error
    data = value.get("data")
    if data is None:
        return b""
    if isinstance(data, str) and not content_type.endswith("json"):
        return data.encode()
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
