"""Where sentences end, in prose and in chat."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from stanchion_extraction.core.prose.lexicon import words_of

_ABBREVIATIONS: Final = words_of(
    "e.g i.e etc vs approx ca mio mrd tsd no mr mrs ms dr prof inc ltd corp st bzw resp incl excl "
    "est max min avg fig sec "
    "jan feb mar apr jun jul aug sep sept oct nov dec z.b u.a d.h ggf nr cf al p pp vol ver dept univ gen sen rep"
)
_END: Final = re.compile(r"(?:[.!?…]{1,8}[\"'”’)\]]{0,2}(?=\s|$))|[!?]{1,8}(?=[A-Z\s\"'”’)]|$)")
_WORD_BEFORE: Final = re.compile(r"[^\s(\[\"'“]{1,12}$")
MOST_CHARS: Final = 1_200
"""Of one sentence; a longer one is no sentence anybody wrote to be read."""


def sentences_in(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Give where each sentence of a piece begins and ends, in characters of the text."""
    spans: list[tuple[int, int]] = []
    at = start
    for found in _END.finditer(text, start, end):
        if found[0] == "." and _is_abbreviation(text, found.start(), at):
            continue
        spans.append((at, found.end()))
        at = found.end()
    spans.append((at, end))
    return [span for begin, stop in spans if (span := _trimmed(text, begin, stop))]


def _is_abbreviation(text: str, dot: int, start: int) -> bool:
    """Tell whether a full stop belongs to an abbreviation or to a number of order."""
    before = _WORD_BEFORE.search(text, max(start, dot - 12), dot)
    if before is None:
        return False
    word = before[0].lower()
    if text[max(start, before.start() - 2) : before.start()].rstrip()[-1:].isdigit():
        return word in {"mio", "mrd", "tsd"}
    if word in _ABBREVIATIONS:
        return not (word in {"no", "max", "min", "sec"} and text[dot + 1 : dot + 3].strip()[:1].isupper())
    return len(word) == 1 and word.isalpha() and word not in "aioxbckmt"


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give a span without the space around it; None for nothing."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
