"""What of a text is nobody's sentence: code, comments, addresses and marks, blanked out where they stand."""

import re
from typing import Final

_FENCE: Final = re.compile(r"^[ >]{0,8}(```|~~~)[^\n]{0,200}$", re.MULTILINE)
_FOREIGN: Final = re.compile(r"\[/?INST\]|<\|im_|<<SYS>>|</?(?:system|instructions?|assistant|prompt)>", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--|-->")
_ADDRESS: Final = re.compile(r"(?<![a-z])(?:https?|ftp|file|s3)://[^\s)>\]]{1,2000}")
_LINK: Final = re.compile(r"\]\([^()\n]{0,500}\)")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<\|[^<>\n]{0,80}\|>")
_MARK: Final = re.compile(r"\*{1,3}|__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|[\[\]]")
_CODE: Final = re.compile(r"`([^`\n]{0,200})`")
_NAME: Final = re.compile(r"[\w./@:-]{1,80}(?: [\w./@:-]{1,80}){0,2}")


def masked(text: str) -> str:
    """Give a text as long as it was, with code blocks, comments, addresses, tags and emphasis blanked out.

    An inline code span that is one to three plain words stays: it is a name; anything longer is code. What follows a
    mark of somebody's prompt, `[INST]` or `<system>`, is nobody's statement to the end.
    """
    foreign = _FOREIGN.search(text)
    if foreign is not None:
        text = text[: foreign.start()] + _spaces(text[foreign.start() :])
    text = _between(text, _COMMENT, "<!--", "-->")
    text = _unfenced(text)
    text = _CODE.sub(lambda found: f" {found[1]} " if _NAME.fullmatch(found[1]) else " " * len(found[0]), text)
    for pattern in (_ADDRESS, _LINK, _TAG, _MARK):
        text = pattern.sub(_blank, text)
    return text


def _blank(found: re.Match[str]) -> str:
    """Give spaces in a match's place."""
    return " " * len(found[0])


def _spaces(text: str) -> str:
    """Give a text of spaces with the line ends of another."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _between(text: str, marks: re.Pattern[str], begin: str, end: str) -> str:
    """Blank what stands between two marks; without the second one, all that follows the first."""
    pieces: list[str] = []
    at = 0
    opened = -1
    for found in marks.finditer(text):
        if opened < 0 and found[0] == begin:
            opened = found.start()
            pieces.append(text[at:opened])
        elif opened >= 0 and found[0] == end:
            pieces.append(_spaces(text[opened : found.end()]))
            at, opened = found.end(), -1
    pieces.append(text[at:] if opened < 0 else _spaces(text[opened:]))
    return "".join(pieces)


def _unfenced(text: str) -> str:
    """Blank fenced code; an open fence runs to the end of the text."""
    pieces: list[str] = []
    at = 0
    opened = ""
    for found in _FENCE.finditer(text):
        if not opened:
            opened = found[1]
            pieces.append(text[at : found.start()])
            at = found.start()
        elif found[1] == opened:
            pieces.append(_spaces(text[at : found.end()]))
            at, opened = found.end(), ""
    pieces.append(_spaces(text[at:]) if opened else text[at:])
    return "".join(pieces)
