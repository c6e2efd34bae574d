"""Events as people keep them: CloudEvents 1.0 in JSON, one a line.

Source: CloudEvents 1.0, JSON event format, section 3. Attributes `workspace` and `room` say whose it is.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from stanchion.writes import Event

_NEEDED: Final = ("id", "source", "type")


def parse(lines: Iterable[str], source: str = "") -> Iterator[Event]:
    """Give the events of lines; empty lines are passed over.

    Args:
        lines: of a file.
        source: of events that name none.

    Raises:
        ValueError: a line is no event; its number and what it lacks are named.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield event(json.loads(line), source)
            except (ValueError, TypeError) as error:
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
    texts = {name: value.get(name, "") for name in ("id", "source", "type", "workspace", "room", "subject", "time")}
    if odd := [name for name, text in texts.items() if not isinstance(text, str)]:
        raise ValueError(f"{', '.join(odd)} must be text")
    return Event(**texts, content_type=value.get("datacontenttype", "application/json"), data=_data(value))


def _data(value: dict[str, Any]) -> bytes:
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
    if isinstance(data, str) and not value.get("datacontenttype", "application/json").endswith("json"):
        return data.encode()
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
