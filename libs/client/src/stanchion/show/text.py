"""Pieces of text: made safe for a terminal, cut to a width, put into columns."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from stanchion.results import Actor

BAD: Final = "bold red"
"""Needs somebody."""
GOOD: Final = "green"
"""Stands."""
DIM: Final = "dim"
"""Beside the point."""
STRONG: Final = "bold"
"""What it is about."""

GAP: Final = "  "
_LINES: Final = re.compile(r"[\n\t]")


def safe(text: str) -> str:
    """Give a text without what could steer a terminal or its reader: control, format and bidi characters.

    Line breaks and tabs stay; a record's label is one line, see `one_line`.
    """
    return "".join(
        char for char in text if char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}
    )


def one_line(text: str) -> str:
    """Give a safe text in one line."""
    return _LINES.sub(" ", safe(text))


def cut(text: str, width: int) -> str:
    """Give a one-line text that takes at most `width` cells, with an ellipsis where it was longer."""
    line = one_line(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """Give a text filled up with spaces to a width in cells."""
    return text + " " * max(width - cell_len(text), 0)


def lines(parts: Iterable[Text]) -> Text:
    """Give lines as one text."""
    return Text("\n").join(parts)


def line(*pieces: str | tuple[str, str] | Text) -> Text:
    """Give one line of pieces, each a text, styled or not; spaces at its end are cut."""
    made = Text.assemble(*pieces)
    made.rstrip()
    return made


def spread(left: Text, right: str, width: int, style: str = DIM) -> Text:
    """Give a line with something at its right end, or right after it where there is no room."""
    room = width - left.cell_len - cell_len(right)
    return Text.assemble(left, " " * max(room, len(GAP)), (right, style))


def columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """Give the width of each column, in cells."""
    return [max(map(cell_len, column)) for column in zip(*rows, strict=True)] if rows else []


def when(time: datetime | None) -> str:
    """Give a time to the second, in UTC, as a person reads it."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}" if time is not None else ""


def state(word: str, *, holds: bool) -> tuple[str, str]:
    """Give a validity state as people read it, everywhere the same, with its style.

    Args:
        word: as machines have it.
        holds: the record is in force; of one that is not, nobody says that it is current.
    """
    if word == "needs_review":
        return "needs review", BAD
    if word == "monitoring_incomplete":
        return "incomplete", ""
    if word == "current":
        return ("current", GOOD) if holds else ("unmoved", DIM)
    return "", ""


def actor(who: Actor | None) -> str:
    """Give who acted, in one line."""
    if who is None:
        return "nobody known"
    behalf = f" for {who.on_behalf_of}" if who.on_behalf_of else ""
    named = who.kind if who.id == who.kind else f"{who.kind} {who.id}"
    return one_line(f"{named}{behalf}")


def plural(count: int, word: str) -> str:
    """Give a count with its word: `1 rule`, `2 rules`, `3 hypotheses`."""
    if count == 1:
        return f"1 {word}"
    if word.endswith("is"):
        return f"{count} {word[:-2]}es"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"
