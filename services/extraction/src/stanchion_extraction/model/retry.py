"""How long to wait before a further attempt."""

import email.utils
import math
from typing import Final

_LONGEST_S: Final = 10.0**9


def backoff_s(attempt: int, chance: float, *, first_s: float, most_s: float) -> float:
    """Give the wait after an attempt: doubled each time, bounded, and half of it by chance.

    Args:
        attempt: how many were made, from 1.
        chance: 0 to 1.
        first_s: the wait after the first.
        most_s: none is longer.
    """
    whole = min(most_s, first_s * 2.0 ** min(attempt - 1, 32))
    return whole * (0.5 + 0.5 * chance)


def retry_after_s(header: str, now_s: float) -> float:
    """Give the seconds that a `Retry-After` asks for; 0 where it asks for nothing that can be read.

    Source: RFC 9110, section 10.2.3: seconds, or a date.

    Args:
        header: its value, empty for none.
        now_s: seconds since the epoch.
    """
    text = header.strip()
    try:
        wait_s = float(text) if text[:1].isdigit() else email.utils.parsedate_to_datetime(text).timestamp() - now_s
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(wait_s, 0.0), _LONGEST_S) if math.isfinite(wait_s) else 0.0
