"""How long to wait."""

import pytest

from stanchion_extraction.model.retry import backoff_s, retry_after_s


def test_waits_double_within_bounds() -> None:
    """Each wait is twice the one before, half of it by chance, and none exceeds its bound."""
    assert [0.5, 1.0, 2.0, 4.0, 5.0, 5.0] == [backoff_s(n, 0.0, first_s=1, most_s=10) for n in range(1, 7)]
    assert [1.0, 2.0, 4.0, 8.0, 10.0, 10.0] == [backoff_s(n, 1.0, first_s=1, most_s=10) for n in range(1, 7)]
    assert 10.0 == backoff_s(10_000, 1.0, first_s=1, most_s=10)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 0.0),
        ("7", 7.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("soon", 0.0),
        ("nan", 0.0),
        ("9" * 400, 0.0),
        ("1e300", 1e9),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 01 Jan 99999999 00:00:00 GMT", 0.0),
    ],
)
def test_what_an_endpoint_asks_for(header: str, seconds: float) -> None:
    """Seconds or a date; what is neither asks for nothing."""
    assert seconds == retry_after_s(header, now_s=100.0)
