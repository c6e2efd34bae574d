"""Dead letters: what could not be processed, kept whole, with the reason.

They are at-least-once: a process that ends between the letter and the empty output writes it again. The cause tells
two copies of one letter from two letters.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter, DeadLetterHeader
from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_core.errors import InvalidMessage
from stanchion_runtime.log import CAUSE, TRACEPARENT, Headers, Outgoing, Record, header

TOPIC: Final = "deadletters"

HEADROOM_BYTES: Final = 1024 * 1024
"""How much larger than other messages a dead letter may be, so that it can hold one."""

_MAX_HEADERS_BYTES: Final = 256 * 1024
_WORKSPACE_HEADERS: Final = ("ce_workspace", "workspace")
_MAX_DETAIL: Final = 1000
_MAX_WORKSPACE: Final = 200


def letter(stage: str, record: Record, code: str, detail: str, time_us: int) -> Outgoing:
    """Give the dead letter of one input as it is written to `deadletters`.

    Args:
        stage: which service refuses it.
        record: the input, whole. Only what no topic of ours would take is cut, and the detail says so.
        code: stable UPPER_SNAKE reason.
        detail: one sentence, cut at 1,000 characters.
        time_us: now.
    """
    raw, note = record.value, ""
    if len(raw) > MAX_MESSAGE_BYTES:
        raw = raw[:MAX_MESSAGE_BYTES]
        note += f" (raw bytes cut from {len(record.value)} to {MAX_MESSAGE_BYTES})"
    headers = _within(record.headers)
    if len(headers) < len(record.headers):
        note += f" ({len(record.headers) - len(headers)} headers left out: over {_MAX_HEADERS_BYTES} bytes)"
    cause = f"{record.topic}:{record.partition}:{record.offset}"
    message = DeadLetter(
        stage=stage,
        cause=cause,
        code=code,
        detail=detail[:_MAX_DETAIL] + note,
        workspace=_workspace(record),
        time_us=time_us,
        raw=raw,
        headers=tuple(DeadLetterHeader(name=name, value=value) for name, value in headers),
    )
    trace = header(record, TRACEPARENT)
    passed = ((TRACEPARENT, trace),) if trace is not None and len(trace) <= _MAX_DETAIL else ()
    return Outgoing(value=codec.encode(message), headers=((CAUSE, cause.encode()), *passed))


def tally(values: Iterable[bytes]) -> dict[tuple[str, str], int]:
    """Give how many dead letters there are of each stage and code; what is none counts as `UNREADABLE` of nobody."""
    counts: Counter[tuple[str, str]] = Counter()
    for value in values:
        try:
            message = codec.decode(value, DeadLetter)
        except InvalidMessage as error:
            counts["", error.code] += 1
        else:
            counts[message.stage, message.code] += 1
    return dict(counts)


def _within(headers: Headers) -> Headers:
    """Give as many of the headers, in order, as a dead letter takes."""
    kept, size = [], 0
    for name, value in headers:
        size += len(name) + len(value)
        if size > _MAX_HEADERS_BYTES:
            break
        kept.append((name, value))
    return tuple(kept)


def _workspace(record: Record) -> str:
    """Give the workspace that the record's own headers name, empty when they name none that can be read."""
    for name in _WORKSPACE_HEADERS:
        value = header(record, name)
        if value:
            return value[:_MAX_WORKSPACE].decode(errors="replace")
    return ""
