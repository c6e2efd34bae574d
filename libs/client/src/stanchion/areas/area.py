"""What every area of a client has: its calls."""

from typing import Final

from stanchion.calls import Calls

PAGE: Final = 200
"""Entries of one page; the most the view gives."""


class Area:
    """One part of what a client does.

    Args:
        calls: of the client.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
