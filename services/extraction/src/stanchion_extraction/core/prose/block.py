"""The shape of a text: headings, lists, tables, paragraphs, and lines that systems print."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final, Literal

from msgspec import Struct

from stanchion_extraction.core.prose import cue
from stanchion_extraction.core.prose.cue import Mood
from stanchion_extraction.core.prose.label import mood_of
from stanchion_extraction.core.prose.word import lowered

_HEADING: Final = re.compile(r"[ \t]{0,3}(?P<mark>#{1,6})[ \t]+(?P<name>[^\n]{0,200}?)[ \t#]*")
_BOLD: Final = re.compile(r"[ \t]{0,3}(?:\*\*|__)(?P<name>[^*_\n]{1,80}?):?(?:\*\*|__):?[ \t]*")
_QUARTER: Final = re.compile(r"(?:(?:20)?\d\d[ /-]?)?q[1-4](?:[ /'-]{0,2}(?:fy)?(?:20)?\d\d)?")
_ITEM: Final = re.compile(r"[ \t]{0,24}(?:[-*•+‣◦]|\d{1,3}[.)]|[a-z][)])[ \t]+(?P<box>\[[ xX]\][ \t]+)?")
_QUOTE: Final = re.compile(r"[ \t]{0,3}>[ \t]?")
_PROMPT: Final = re.compile(
    r"[ \t]{0,8}(?:\$|%|❯|➜|>>>|[\w.-]{1,30}@[\w.-]{1,30}[:~][^\n$#]{0,40}[$#])[ \t]+\S|[ "
    r"\t]{0,8}(?:SELECT|INSERT|UPDATE|DELETE|EXPLAIN|CREATE|ALTER|DROP)\s[^\n]{0,2000}"
)
MOST_LINE_CHARS: Final = 64_000
"""Of one line; a longer one is read only as JSON."""

LineKind = Literal["blank", "heading", "item", "prompt", "long", "text"]


class Line(Struct, frozen=True):
    """One line, without its mark.

    Attributes:
        start: where its own words begin.
        end: where they end.
        kind: what its mark makes of it.
        mood: what the heading or the line above its list makes of it.
        indent: how far it is set in.
        name: of a heading.
        open_box: an unticked box stands before it.
    """

    start: int
    end: int
    kind: LineKind
    mood: Mood = "fact"
    indent: int = 0
    name: str = ""
    open_box: bool = False


def lines_of(text: str, masked: str) -> list[Line]:
    """Give the lines of a text, each with what stands above it makes of it.

    Args:
        text: as it came, for marks that the mask blanks.
        masked: as long, with code and comments blanked.
    """
    lines: list[Line] = []
    heading: Mood = "fact"
    intro: Mood = "fact"
    at = 0
    for raw in text.split("\n"):
        start, end = at, at + len(raw)
        at = end + 1
        line = _line(text, masked, start, end)
        if line.kind == "heading":
            heading = _heading_mood(lowered(line.name).strip())
            intro = "fact"
        elif line.kind == "blank":
            intro = intro if lines and lines[-1].kind != "item" else "fact"
        elif line.kind == "item":
            mood: Mood = intro if intro != "fact" else heading
            line = _with_mood(line, "instruction" if line.open_box else mood)
        elif line.kind == "text":
            line = _with_mood(line, heading)
            intro = _intro(masked[line.start : line.end])
        lines.append(line)
    return lines


def _heading_mood(name: str) -> Mood:
    """Give what a heading makes of what stands below it; `Q3` is a quarter, where as a label it is a question."""
    return "fact" if _QUARTER.fullmatch(name) else mood_of(name) or "fact"


def _line(text: str, masked: str, start: int, end: int) -> Line:
    """Give one line without its mark."""
    if end - start > MOST_LINE_CHARS:
        return Line(start, end, "long")
    begin = start
    while (quote := _QUOTE.match(text, begin, end)) and masked[begin : quote.end()].strip():
        begin = quote.end()
    if not masked[begin:end].strip():
        return Line(begin, end, "blank")
    indent = len(text[begin:end]) - len(text[begin:end].lstrip())
    heading = _HEADING.fullmatch(text, begin, end) or _BOLD.fullmatch(text, begin, end)
    if heading is not None:
        return Line(heading.start("name"), heading.end("name"), "heading", name=heading["name"])
    if _PROMPT.match(text, begin, end) and not text[begin:end].lstrip().startswith("% of"):
        return Line(begin, end, "prompt")
    item = _ITEM.match(text, begin, end)
    if item is not None and item.end() < end:
        return Line(
            item.end(), end, "item", indent=indent, open_box=item["box"] is not None and "x" not in item["box"].lower()
        )
    return Line(begin + indent, end, "text", indent=indent)


def _with_mood(line: Line, mood: Mood) -> Line:
    """Give a line with its mood."""
    return Line(line.start, line.end, line.kind, mood, line.indent, line.name, line.open_box)


def _intro(line: str) -> Mood:  # noqa: PLR0911 - one way out a form
    """Give what a line that ends in a colon makes of the list below it."""
    plain = line.strip()
    low = lowered(plain)
    if not plain.endswith(":"):
        title = len(plain.split()) < 8 and plain[-1] not in ".!?,;"  # noqa: PLR2004 - a title
        return (mood_of(low) or "fact") if title else "fact"
    mood = mood_of(low)
    if mood is not None:
        return mood
    if cue.SUPPOSITION.match(low) or cue.is_hypothetical(low):
        return "hypothetical"
    if cue.is_question(low):
        return "question"
    if cue.is_request(low):
        return "instruction"
    if re.search(
        r"(?<![\w-])(?:want|wants|need|needs|would like|goals?|aims?|hope|hopes|wish|asks?|asked)(?![\w-])", low
    ):
        return "wish"
    if re.search(r"(?<![\w-])(?:must|decided|agreed|rules?|shall|required|have to|may not|not allowed)(?![\w-])", low):
        return "constraint"
    return "opinion" if cue.is_opinion(low) else "fact"
