"""Status words of decision texts, and the words of the vocabulary they map to."""

import re
from typing import Final

from msgspec import Struct

WORDS: Final = {
    **dict.fromkeys(("proposed", "pending", "provisional", "draft"), "draft"),
    **dict.fromkeys(("accepted", "approved", "implementable", "implemented", "final"), "active"),
    **dict.fromkeys(("deprecated", "withdrawn", "retracted"), "withdrawn"),
    **dict.fromkeys(("replaced", "superseded", "superceded", "obsolete", "obsoleted"), "superseded"),
    **dict.fromkeys(("rejected", "declined"), "rejected"),
}
"""The text's word, in lower case, and ours."""

_KNOWN: Final = "|".join(sorted(WORDS, key=len, reverse=True))
_WORD: Final = re.compile(
    rf"(?:(?P<part>(?:partly|partially|in part)\s+))?(?P<word>{_KNOWN})(?P<after>\s+in part)?\b", re.IGNORECASE
)
_LEADING: Final = re.compile(r"^[\W_]*(?P<date>\d{4}-\d\d-\d\d)?[\W_]*")
PLACEHOLDER: Final = re.compile(r"[{|]")
"""What a template's line has until somebody fills it in."""
_UNPLACED: Final = re.compile(r"[^.,;:(\ufffc\n]{1,60}")


class Status(Struct, frozen=True):
    """A text's status.

    Attributes:
        upstream: the text's own word.
        ours: of the vocabulary; `draft` for a word that cannot be placed.
        placed: whether the word is known.
        partly: superseded in part: still in force.
        date: the day a history of statuses gives it, empty where it gives none.
    """

    upstream: str
    ours: str
    placed: bool = True
    partly: bool = False
    date: str = ""


def status_in(line: str) -> Status | None:
    """Read the status a line begins with, None when it begins with none we know."""
    if PLACEHOLDER.search(line):
        return None
    start = _LEADING.match(line)
    found = _WORD.match(line, start.end() if start else 0)
    if found is None:
        return None
    date = (start["date"] if start else "") or ""
    partly = bool(found["part"] or found["after"]) and WORDS[found["word"].casefold()] == "superseded"
    return Status(
        upstream=" ".join(found[0].split()),
        ours="active" if partly else WORDS[found["word"].casefold()],
        partly=partly,
        date=date,
    )


def unplaced(line: str) -> Status:
    """Give the status of a line that says nothing we know: `draft`, its own words kept."""
    start = _LEADING.match(line)
    found = _UNPLACED.match(line, start.end() if start else 0)
    return Status(upstream=found[0].strip() if found else line.strip()[:60], ours="draft", placed=False)
