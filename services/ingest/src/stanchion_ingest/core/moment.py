"""Moments as upstream writes them, in microseconds since the epoch."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import AHEAD_US, YEAR_1_US, YEAR_10000_US

_RFC_3339: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_NANOS: Final = 1_000_000_000


def moment_us(text: str, field: str) -> int:
    """Give an RFC 3339 time as microseconds since the epoch; digits past the microsecond are dropped.

    Args:
        text: with offset, as in `2026-03-01T09:30:00.5+01:00`.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `FIELD_VALUE` for another form, a time without offset, or a date there is none of.
    """
    match = _RFC_3339.fullmatch(text)
    if match is None:
        raise InvalidMessage(
            FIELD_VALUE, f"{field} {text[:40]!r} is not a time with offset as RFC 3339 writes it", field
        )
    date, clock, fraction, offset = match.groups()
    offset = "+00:00" if offset in {"Z", "z"} else offset
    try:
        moment = datetime.fromisoformat(f"{date}T{clock}.{(fraction or ''):0<6}{offset}")
        return (moment - _EPOCH) // _MICROSECOND
    except (ValueError, OverflowError) as error:
        raise InvalidMessage(FIELD_VALUE, f"{field} {text[:40]!r} is no date and time there is", field) from error


def from_ms(value: int, field: str) -> str:
    """Give milliseconds since the epoch as RFC 3339 text in UTC.

    Raises:
        InvalidMessage: `FIELD_VALUE` outside the years 1970 to 9999.
    """
    if not 0 <= value * 1_000 < YEAR_10000_US:
        raise InvalidMessage(FIELD_VALUE, f"{field} {value} is outside the years 1970 to 9999 in milliseconds", field)
    return (_EPOCH + timedelta(milliseconds=value)).isoformat()


def timestamp_us(stamp: Timestamp, field: str) -> int:
    """Give a protobuf timestamp as microseconds since the epoch.

    Args:
        stamp: present in its message.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `FIELD_VALUE` outside the years 1 to 9999, for nanoseconds that are none, and as `said`.
    """
    if not 0 <= stamp.nanos < _NANOS:
        raise InvalidMessage(
            FIELD_VALUE, f"{field} has {stamp.nanos} nanoseconds; a second has 0 to 999,999,999", field
        )
    return said(in_calendar(stamp.seconds * 1_000_000 + stamp.nanos // 1_000, field), field)


def said(at_us: int, field: str) -> int:
    """Give a moment that somebody named back; 0 on the line means that nobody did.

    Raises:
        InvalidMessage: `FIELD_VALUE` for the epoch itself.
    """
    if at_us == 0:
        raise InvalidMessage(
            FIELD_VALUE, f"{field} is the epoch itself, which stands for no time: leave it out, or say another", field
        )
    return at_us


def in_calendar(at_us: int, field: str) -> int:
    """Give the moment back when it lies in the years 1 to 9999.

    Raises:
        InvalidMessage: `FIELD_VALUE` when it does not.
    """
    if not YEAR_1_US <= at_us < YEAR_10000_US:
        raise InvalidMessage(FIELD_VALUE, f"{field} lies outside the years 1 to 9999", field)
    return at_us


def in_range(observed_at_us: int, received_at_us: int, field: str) -> int:
    """Give the moment back when it lies between the year 1 and five minutes after the stamp.

    Raises:
        InvalidMessage: `FIELD_VALUE` when it lies further ahead, or before the year 1.
    """
    if observed_at_us > received_at_us + AHEAD_US:
        ahead, most = _span(observed_at_us - received_at_us), _span(AHEAD_US)
        raise InvalidMessage(FIELD_VALUE, f"{field} lies {ahead} ahead; the limit is {most}", field)
    return in_calendar(observed_at_us, field)


def _span(us: int) -> str:
    """Give how long a time is, rounded up, in the largest unit of which it has at least two."""
    seconds = -(-us // 1_000_000)
    for unit, unit_s in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * unit_s:
            return f"{-(-seconds // unit_s)} {unit}"
    return f"{seconds} s"
