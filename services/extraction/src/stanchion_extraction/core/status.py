"""Status words of texts, and the words of the vocabulary they map to."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

WORDS: Final = {
    **dict.fromkeys(("proposed", "pending", "provisional", "draft"), "draft"),
    **dict.fromkeys(("accepted", "approved", "implementable", "implemented", "final"), "active"),
    **dict.fromkeys(("deprecated", "withdrawn", "retracted"), "withdrawn"),
    **dict.fromkeys(("replaced", "superseded", "superceded", "obsolete", "obsoleted"), "superseded"),
    **dict.fromkeys(("rejected", "declined"), "rejected"),
}
"""The text's word, in lower case, and ours; a mapping may add to them."""

SUPERSEDED: Final = "superseded"
IN_FORCE: Final = "active"
"""The status of what is superseded in part only."""
UNPLACED: Final = "draft"
"""The status of a text whose word cannot be placed."""

_LEADING: Final = re.compile(r"^[\W_]*(?P<date>\d{4}-\d\d-\d\d)?[\W_]*")
PLACEHOLDER: Final = re.compile(r"[{|]")
"""What a template's line has until somebody fills it in."""
_PHRASE: Final = re.compile(r"[^.,;:(\ufffc\n]{1,60}")
_WORD_CHARS: Final = 200


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


class Words:
    """The status words that the texts of one mapping know."""

    def __init__(self, words: Mapping[str, str], unplaced: str = UNPLACED) -> None:
        """Take the words.

        Args:
            words: the text's word in small letters, and the vocabulary's.
            unplaced: the status of a text whose word is none of them, empty for none.
        """
        self._words = words
        self._unplaced = unplaced
        known = "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) or r"(?!)"
        self._begins = re.compile(
            rf"(?:(?P<part>(?:partly|partially|in part)\s+))?(?P<word>{known})(?P<after>\s+in part)?\b", re.IGNORECASE
        )

    def in_line(self, line: str) -> Status | None:
        """Read the status that a line begins with, None when it begins with none we know."""
        if PLACEHOLDER.search(line):
            return None
        start = _LEADING.match(line)
        found = self._begins.match(line, start.end() if start else 0)
        if found is None:
            return None
        ours = self._words[found["word"].casefold()]
        partly = bool(found["part"] or found["after"]) and ours == SUPERSEDED
        return Status(
            upstream=" ".join(found[0].split()),
            ours=IN_FORCE if partly else ours,
            partly=partly,
            date=(start["date"] if start else "") or "",
        )

    def in_value(self, value: str) -> Status:
        """Read a value that is a status and nothing beside it; any other is kept as it is, and placed nowhere."""
        plain = " ".join(value.split())
        ours = self._words.get(plain.casefold())
        if ours is None:
            return Status(upstream=plain[:_WORD_CHARS], ours=self._unplaced, placed=False)
        return Status(upstream=plain, ours=ours)

    def unplaced(self, line: str) -> Status:
        """Give the status of a line that says nothing we know: its own words are kept."""
        start = _LEADING.match(line)
        found = _PHRASE.match(line, start.end() if start else 0)
        word = found[0].strip() if found else line.strip()[:60]
        return Status(upstream=word, ours=self._unplaced, placed=False)

    def none(self) -> Status:
        """Give the status of a text that states none."""
        return Status(upstream="", ours=self._unplaced, placed=False)
