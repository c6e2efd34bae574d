"""YAML from outside, read with limits: mappings, lists and texts, and nothing that a reader might trip over.

Every scalar is the text that stands there (`yes`, `0010` and `1.0` stay what they are); an empty place is None.
Anchors, aliases and tags are refused: nobody needs them to say what is meant, and a few hundred bytes of them grow to
gigabytes. The text is read event by event, so that deep nesting is refused where it begins: 64 KiB of `[` took four
minutes to the end.
"""

from collections.abc import Iterator
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import JSON_DEPTH
from stanchion_core.text import clean

Plain = None | str | list["Plain"] | dict[str, "Plain"]
"""What YAML says: nothing, a text, a list, or a mapping."""

_FRAME: Final = (StreamStartEvent, DocumentStartEvent, StreamEndEvent)


class _Odd(Exception):
    """What the text has at some line and must not have."""


def parse_yaml(text: str, field: str, *, utf8_bytes: int) -> Plain:
    """Read YAML from outside.

    Args:
        text: as it came, one document.
        field: what to call it in a refusal.
        utf8_bytes: most bytes.

    Raises:
        InvalidMessage: `TOO_LARGE` over the limit; `FIELD_VALUE` for what is no YAML, nests too deeply, says one name
            twice in a mapping, or has anchors, aliases, tags, NUL or lone surrogates; the line is named.
    """
    stored = clean(text, field, utf8_bytes=utf8_bytes)
    events: Iterator[Event] = YAML(typ="base", pure=True).parse(stored)
    try:
        return _document(events, field)
    except (_Odd, YAMLError, ValueError, OverflowError) as error:  # the last two: an escape of a character beyond all
        raise InvalidMessage(FIELD_VALUE, f"{field} cannot be read as YAML: {_told(error)}", field) from error


def _document(events: Iterator[Event], field: str) -> Plain:
    """Read the one document.

    Raises:
        _Odd: there is more than one.
    """
    plain: Plain = None
    for event in events:
        if isinstance(event, DocumentEndEvent):
            break
        if not isinstance(event, _FRAME):
            plain = _value(event, events, field, 1)
    if isinstance(next(events, None), DocumentStartEvent):
        raise _Odd("there is a second document after `---`")
    return plain


def _value(event: Event, events: Iterator[Event], field: str, depth: int) -> Plain:
    """Read what an event begins.

    Raises:
        _Odd: it is nested too deeply, or something that is not taken.
    """
    if not isinstance(event, ScalarEvent | CollectionStartEvent) or event.anchor is not None or event.tag is not None:
        raise _Odd(f"line {_line(event)} has an anchor, an alias or a tag; write out what is meant")
    if isinstance(event, ScalarEvent):
        return _scalar(event, field)
    if depth > JSON_DEPTH:
        raise _Odd(f"line {_line(event)} nests deeper than {JSON_DEPTH}")
    if isinstance(event, SequenceStartEvent):
        return [_value(inner, events, field, depth + 1) for inner in _until(events, SequenceEndEvent)]
    return _mapping(events, field, depth)


def _scalar(event: ScalarEvent, field: str) -> str | None:
    """Read a text; an escape in it may still stand for what no text may have.

    Raises:
        InvalidMessage: it does.
    """
    if event.value == "" and event.style is None:
        return None
    try:
        return clean(event.value, f"{field}, line {_line(event)},")
    except InvalidMessage as error:
        raise InvalidMessage(error.code, error.detail, field) from error


def _mapping(events: Iterator[Event], field: str, depth: int) -> dict[str, Plain]:
    """Read a mapping.

    Raises:
        _Odd: a name is no text, or stands twice.
    """
    found: dict[str, Plain] = {}
    for key in _until(events, MappingEndEvent):
        name = _value(key, events, field, depth + 1)
        if not isinstance(name, str):
            raise _Odd(f"line {_line(key)} has no text before the `:`")
        if name in found:
            raise _Odd(f"line {_line(key)} says {name!r:.80} a second time")
        found[name] = _value(next(events), events, field, depth + 1)
    return found


def _until(events: Iterator[Event], end: type[Event]) -> Iterator[Event]:
    """Give events up to an end; whoever takes one reads what it begins."""
    for event in events:
        if isinstance(event, end):
            return
        yield event


def _line(event: Event) -> int:
    """Give the line an event stands in, from 1."""
    return int(event.start_mark.line) + 1


def _told(error: Exception) -> str:
    """Say in one line what is wrong, and where."""
    mark: Any = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if mark is None:
        return str(error).splitlines()[0]
    return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"  # type: ignore[attr-defined]  # it has a mark
