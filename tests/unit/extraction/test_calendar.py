"""Dates as decision texts write them."""

import pytest

from stanchion_extraction.core.calendar import date_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2017-06-30", "2017-06-30"),
        (" **2017-06-30** ", "2017-06-30"),
        ("2017/6/3", "2017-06-03"),
        ("2017-06-30T10:00:00Z", "2017-06-30"),
        ("30 June 2017", "2017-06-30"),
        ("1st Sept. 2017", "2017-09-01"),
        ("June 30th, 2017", "2017-06-30"),
        ("30-Jun-2017", "2017-06-30"),
        ("03/06/2017", ""),
        ("2017-02-30", ""),
        ("30 Juin 2017", ""),
        ("June 2017", ""),
        ("{YYYY-MM-DD}", ""),
        ("", ""),
    ],
)
def test_date_in(text: str, expected: str) -> None:
    """A date is read where it can be read in one way only."""
    assert expected == date_in(text)
