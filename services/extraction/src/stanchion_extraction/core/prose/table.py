"""Tables: markdown, psql, CSV, and columns set apart by spaces as command lines print them."""

import re
from typing import Final, NamedTuple

from stanchion_extraction.core.prose.cell import named_value, quantity_of, unit_word
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent
from stanchion_extraction.core.prose.label import is_goal, is_normative, mood_of
from stanchion_extraction.core.prose.lexicon import words_of
from stanchion_extraction.core.prose.scene import TRUE


class Cell(NamedTuple):
    """One cell, trimmed, and where it stands."""

    text: str
    start: int
    end: int


Row = list[Cell]
_RULE: Final = frozenset(" \t:|+=-")
_GAP: Final = re.compile(r" {2,}|\t+")
_HEADER: Final = re.compile(r"[A-Za-z_#%(][\w #%./()€$£°&:-]{0,48}")
_CAPS: Final = re.compile(r"[A-Z][A-Z0-9_()%./-]*(?:\([a-z]+\))?(?: [A-Z0-9_()%./-]+)?")
_VALUE_NAMES: Final = frozenset({
    "value",
    "values",
    "count",
    "amount",
    "actual",
    "current",
    "result",
    "reading",
    "total",
    "n",
    "today",
    "now",
    "latest",
    "is",
})
_KEYS: Final = words_of(
    "name service host hostname device customer account component project product title region team "
    "pod node metric plan user database bucket app"
)
_MOST_COLUMNS: Final = 40


def cells_of(text: str, start: int, end: int, by: str) -> Row:
    """Give the cells of a line."""
    row: Row = []
    at = start
    for piece in text[start:end].split(by):
        row.append(_cell(text, at, at + len(piece)))
        at += len(piece) + len(by)
    return row


def _cell(text: str, start: int, end: int) -> Cell:
    """Give a cell without the space and quotes around it."""
    while start < end and text[start] in " \t\r\"'`*":
        start += 1
    while end > start and text[end - 1] in " \t\r\"'`*":
        end -= 1
    return Cell(text[start:end], start, end)


def is_rule(line: str) -> bool:
    """Tell whether a line is the rule below a table's head."""
    if len(line) >= 2_000 or "--" not in line or ("|" not in line and "+" not in line):  # noqa: PLR2004 - a small bound
        return False
    return _RULE.issuperset(line)


def bars(text: str, lines: list[tuple[int, int]]) -> tuple[list[Row], int]:
    """Give the rows of a table with bars that begins at the first line, and how many lines it takes."""
    if len(lines) < 3 or "|" not in text[slice(*lines[0])] or not is_rule(text[slice(*lines[1])]):  # noqa: PLR2004 - a small bound
        return [], 0
    rows: list[Row] = []
    used = 0
    for start, end in lines:
        line = text[start:end]
        if is_rule(line) or not line.strip("|+- "):
            used += 1
            continue
        if "|" not in line:
            break
        row = cells_of(text, start, end, "|")
        if row and not row[0].text and line.lstrip().startswith("|"):
            row = row[1:]
        if row and not row[-1].text and line.rstrip().endswith("|"):
            row = row[:-1]
        rows.append(row)
        used += 1
    return (rows, used) if len(rows) > 1 else ([], 0)


def commas(text: str, lines: list[tuple[int, int]]) -> tuple[list[Row], int]:
    """Give the rows of a CSV that begins at the first line; prose has commas too, so each line must have as many."""
    first = text[slice(*lines[0])]
    by = next((mark for mark in (",", ";", "\t") if mark in first), "")
    if not by or len(lines) < 2:  # noqa: PLR2004 - a small bound
        return [], 0
    head = cells_of(text, *lines[0], by)
    if len(head) > _MOST_COLUMNS or not all(
        _HEADER.fullmatch(cell.text) and len(cell.text.split()) < 4  # noqa: PLR2004 - a small bound
        for cell in head
    ):
        return [], 0
    rows = [head]
    for start, end in lines[1:]:
        row = cells_of(text, start, end, by)
        if len(row) != len(head) or any(len(cell.text) > 60 for cell in row):  # noqa: PLR2004 - a small bound
            break
        rows.append(row)
    digits = any(
        any(char.isdigit() for char in cell.text) or cell.text.lower() in {"true", "false", "yes", "no"}
        for row in rows[1:]
        for cell in row[1:]
    )
    return (
        (rows, len(rows))
        if len(rows) > 1 and digits and not any(len(cell.text.split()) > 6 for row in rows[1:] for cell in row)  # noqa: PLR2004 - a small bound
        else ([], 0)
    )


def columns(text: str, lines: list[tuple[int, int]]) -> tuple[list[Row], int]:
    """Give the rows of a command's printed columns: a head in capitals, and as many cells in each row."""
    rows: list[Row] = []
    for start, end in lines:
        pieces = [(found.start(), found.end()) for found in _GAP.finditer(text, start, end)]
        edges = [start, *(edge for piece in pieces for edge in piece), end]
        row = [_cell(text, edges[n], edges[n + 1]) for n in range(0, len(edges), 2)]
        row = [cell for cell in row if cell.text]
        if not rows and (len(row) < 2 or not all(_CAPS.fullmatch(cell.text) for cell in row)):  # noqa: PLR2004 - a small bound
            return [], 0
        if rows and len(row) != len(rows[0]):
            break
        rows.append(row)
    return (rows, len(rows)) if len(rows) > 1 else ([], 0)


def loose(text: str, lines: list[tuple[int, int]]) -> tuple[list[Row], int]:
    """Give the rows of columns that one space sets apart, as `df -h` and `free -h` print them.

    The head has a word a column, or one more (`Mounted on`), or, set in, one less than each row.
    """
    head = _words(text, *lines[0])
    if not 3 < len(head) <= _MOST_COLUMNS or not all(_TITLE.fullmatch(cell.text) for cell in head):  # noqa: PLR2004 - a table
        return [], 0
    rows: list[Row] = []
    for start, end in lines[1:]:
        row = _words(text, start, end)
        if sum(any(char.isdigit() for char in cell.text) for cell in row) < 2:  # noqa: PLR2004 - a row of values
            break
        if rows and len(row) != len(rows[0]):
            break
        rows.append(row)
    if not rows or "  " not in text[slice(*lines[1])]:
        return [], 0
    wide = len(rows[0])
    if len(head) == wide + 1:
        head = [*head[:-2], Cell(text[head[-2].start : head[-1].end], head[-2].start, head[-1].end)]
    elif len(head) == wide - 1:
        head = [Cell("", lines[0][0], lines[0][0]), *head]
    return ([head, *rows], len(rows) + 1) if len(head) == wide else ([], 0)


_TITLE: Final = re.compile(r"(?:[A-Z][A-Za-z0-9_/().-]{0,24}%?|%[A-Za-z]{2,12}|on|[a-z]{3,12}(?:/[a-z]{3,12})?)")


def _words(text: str, start: int, end: int) -> Row:
    """Give the words of a line, each as a cell."""
    return [Cell(found[0].rstrip(":"), found.start(), found.end()) for found in _WORD.finditer(text, start, end)]


_WORD: Final = re.compile(r"\S{1,80}")


def read_table(rows: list[Row]) -> tuple[list[FoundClaim], list[FoundIntent]]:  # noqa: C901 - one case a form
    """Give what the cells of a table state: the first column names the subject, the head the rest.

    Args:
        rows: the head first.
    """
    head = rows[0]
    claims: list[FoundClaim] = []
    intents: list[FoundIntent] = []
    key = _key(rows)
    if key is None:
        return [
            made
            for made in (
                _claim(column, Cell("value", cell.start, cell.end), cell)
                for column, cell in zip(head, rows[1], strict=False)
            )
            if made
        ], []
    for row in rows[1:]:
        if len(row) <= key or not row[key].text or len(row[key].text) > 100 or row[0].text.startswith("("):  # noqa: PLR2004 - a small bound
            continue
        name = row[key]
        unwanted = mood_of(name.text.lower()) not in {None, "fact"} or is_normative(name.text)
        for n, (column, cell) in enumerate(zip(head, row, strict=False)):
            if n <= key or not cell.text:
                continue
            if unwanted or is_normative(column.text) or mood_of(column.text.lower()) not in {None, "fact"}:
                if is_goal(column.text) or is_goal(name.text):
                    gist = f"{name.text} {column.text} {cell.text}"
                    intents.append(FoundIntent(kind="goal", gist=gist, rule="table", start=name.start, end=cell.end))
                continue
            made = _claim(name, column, cell)
            if made is not None:
                claims.append(made)
    return claims, intents


def _key(rows: list[Row]) -> int | None:
    """Give the column that names the rows: the first of names, or of ids; none where one row has only quantities."""
    head = rows[0]
    named = next((n for n, cell in enumerate(head) if cell.text.lower() in _KEYS), None)
    if named is not None and head[0].text.lower() in {"id", "#", "no", "nr"}:
        return named
    if (
        head[0].text.lower().endswith("id")
        or head[0].text == "#"
        or not rows[1]
        or quantity_of(rows[1][0].text) is None
    ):
        return 0
    if rows[1][0].text.isalpha() or any(char.isalpha() for char in rows[1][0].text) or len(rows) > 2:  # noqa: PLR2004 - a small bound
        return 0
    return None


def _named(column: str) -> str:
    """Give a column's name without the unit in brackets behind it."""
    return unit_word(column) if column.endswith((")", "]")) else column


def _claim(name: Cell, column: Cell, cell: Cell) -> FoundClaim | None:
    """Give the claim of one cell."""
    value = named_value(column.text if column.text.lower() not in _VALUE_NAMES else name.text, cell.text, words=True)
    if value is None or (not column.text and value.type == "string"):
        return None
    span = (min(name.start, cell.start), max(name.end, cell.end))
    if value.type == "boolean":
        return FoundClaim(
            subject=name.text,
            predicate=column.text or "is",
            value=TRUE,
            positive=value.text == "true",
            rule="table",
            start=span[0],
            end=span[1],
        )
    subject = (
        name.text if column.text.lower() in _VALUE_NAMES or not column.text else f"{name.text} {_named(column.text)}"
    )
    return FoundClaim(subject=subject, predicate="is", value=value, rule="table", start=span[0], end=span[1])
