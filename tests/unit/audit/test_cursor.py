"""Cursors of a trace."""

import pytest

from stanchion_audit.core.cursor import decode_cursor, encode_cursor
from stanchion_core.errors import InvalidMessage


def test_a_cursor_goes_on_where_its_page_ended() -> None:
    """What a page gave leads the next one on, and no cursor is the start."""
    assert (70_000, 0) == (
        decode_cursor("docs", "adr-7", encode_cursor("docs", "adr-7", 70_000)),
        decode_cursor("d", "", ""),
    )


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "!!!!",
        "AAAA",
        "é",
        encode_cursor("docs", "", 3),
        encode_cursor("ops", "adr-7", 3),
        encode_cursor("docs", "adr-7", -1),
    ],
)
def test_a_foreign_or_broken_cursor_is_refused(cursor: str) -> None:
    """A cursor of another question, or none at all, is told from a good one."""
    with pytest.raises(InvalidMessage, match="BAD_CURSOR"):
        decode_cursor("docs", "adr-7", cursor)
