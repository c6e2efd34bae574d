"""The words that bound a value: `about`, `at least`, `or so`."""

import re
from typing import Final

_OPS: Final = (
    (
        "~",
        r"about|around|approx(?:\.|imately)?|roughly|circa|ca\.?|abt|nearly|almost|some|just (?:under|over|shy of)|~|≈",
    ),
    (">=", r"at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of|minimum of|>=|≥"),
    ("<=", r"at most|up to|no more than|not more than|a maximum of|maximum of|at or below|at or under|<=|≤"),
    (">", r"more than|over|above|greater than|in excess of|exceeding|north of|upwards of|>"),
    ("<", r"less than|fewer than|under|below|south of|<"),
)
_OP: Final = re.compile(
    "|".join(f"(?P<o{n}>(?<![\\w]){words})" for n, (_, words) in enumerate(_OPS)).join(("(?:", r")\s?(?:a |an )?$"))
)
AFTER: Final = (
    ("~", re.compile(r" or so(?!\w)| ?-?ish(?!\w)| give or take")),
    (">=", re.compile(r" or more(?!\w)| plus(?!\w)|\+(?!\w)")),
    ("<=", re.compile(r" or (?:less|fewer)(?!\w)")),
)
_WINDOW: Final = 24


def op_before(low: str, start: int, floor: int) -> tuple[int, str]:
    """Give where the words that bound a value begin, and the op they say; `start` and empty where there are none."""
    found = _OP.search(low, max(floor, start - _WINDOW), start)
    if found is None:
        return start, ""
    op = next(op for n, (op, _) in enumerate(_OPS) if found[f"o{n}"] is not None)
    return found.start(), op
