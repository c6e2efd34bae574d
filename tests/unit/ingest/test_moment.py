"""Moments from outside."""

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.moment import from_ms, in_range, moment_us, timestamp_us


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00.5z", 500_000),
        ("1970-01-01 01:00:00+01:00", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("1970-01-01T00:00:00.0000019Z", 1),
        ("2026-02-28T23:59:59-23:59", 1_772_409_539_000_000),
    ],
)
def test_worked_moments(text: str, expected: int) -> None:
    """Microseconds since the epoch, worked by hand; what is finer is dropped."""
    assert expected == moment_us(text, "time")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-30",
        "2026-11-30T10:00:00",
        "2026-11-30T10:00Z",
        "2026-11-30T24:00:00Z",
        "2026-02-29T10:00:00Z",
        "2026-11-30T10:00:60Z",
        "2026-11-30T10:00:00+25:00",
        "2026-W48-1T10:00:00Z",
        "0000-01-01T00:00:00Z",
        "١٩٧٠-01-01T00:00:00Z",
        "2026-11-30T10:00:00.Z",
        " 2026-11-30T10:00:00Z",
        "2026-11-30T10:00:00Z\n",
    ],
)
def test_what_is_no_moment(text: str) -> None:
    """A time without offset, another form and a date there is none of are refused, the field named."""
    with pytest.raises(InvalidMessage) as caught:
        moment_us(text, "revised_at")
    assert ("FIELD_VALUE", "revised_at") == (caught.value.code, caught.value.field)


@given(st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9999, 12, 30)), st.integers(-1439, 1439))  # noqa: DTZ001 - the offset comes apart
def test_any_offset_is_the_same_moment(naive: datetime, minutes: int) -> None:
    """However a moment's offset is written, it is the same number."""
    moment = naive.replace(tzinfo=UTC)
    sign, (hours, rest) = "+" if minutes >= 0 else "-", divmod(abs(minutes), 60)
    local = moment + timedelta(minutes=minutes)
    written = f"{local.replace(tzinfo=None).isoformat()}{sign}{hours:02}:{rest:02}"
    assert moment_us(moment.isoformat(), "time") == moment_us(written, "time")


def test_range() -> None:
    """Five minutes ahead and the year 1 are the ends, both included."""
    assert 300_000_000 == in_range(300_000_000, 0, "time")
    first = -62_135_596_800_000_000
    assert first == in_range(first, 0, "time")
    for outside in (300_000_001, first - 1):
        with pytest.raises(InvalidMessage):
            in_range(outside, 0, "time")


@pytest.mark.parametrize(
    ("seconds", "said"), [(97_394_990, "1128 days"), (7_200, "2 hours"), (301, "6 minutes"), (86_400, "24 hours")]
)
def test_how_far_ahead_is_said_as_people_count(seconds: int, said: str) -> None:
    """A time too far ahead is refused in the unit that says something."""
    with pytest.raises(InvalidMessage, match=f"time lies {said} ahead; the limit is 5 minutes"):
        in_range(seconds * 1_000_000, 0, "time")


def test_milliseconds() -> None:
    """Milliseconds become text in UTC; what is no date in this or later millennia is refused."""
    assert "2026-11-30T12:33:20.001000+00:00" == from_ms(1_796_042_000_001, "ts_ms")
    assert 253_402_300_799_999_000 == moment_us(from_ms(253_402_300_799_999, "ts_ms"), "ts_ms")
    for outside in (-1, 253_402_300_800_000):
        with pytest.raises(InvalidMessage):
            from_ms(outside, "ts_ms")


@pytest.mark.parametrize(
    ("seconds", "nanos", "expected"),
    [(5, 7_999, 5_000_007), (-1, 999_999_999, -1), (-62_135_596_800, 0, -62_135_596_800_000_000)],
)
def test_worked_timestamps(seconds: int, nanos: int, expected: int) -> None:
    """Nanoseconds count forward from the second also before the epoch; what is finer than a microsecond is dropped."""
    assert expected == timestamp_us(Timestamp(seconds=seconds, nanos=nanos), "observed_at")


@pytest.mark.parametrize(
    ("seconds", "nanos"), [(0, 0), (0, 999), (1, -1), (1, 1_000_000_000), (253_402_300_800, 0), (-62_135_596_801, 0)]
)
def test_what_is_no_timestamp(seconds: int, nanos: int) -> None:
    """The epoch, which means that nobody said, times outside the calendar and false nanoseconds are refused."""
    with pytest.raises(InvalidMessage) as caught:
        timestamp_us(Timestamp(seconds=seconds, nanos=nanos), "observed_at")
    assert ("FIELD_VALUE", "observed_at") == (caught.value.code, caught.value.field)
