"""A quote in its text: the whole sentences that it stands in, for those are what is judged.

A model that quotes `the TAM is $5B` of `We want to say that the TAM is $5B` would get a wish past the firewall. So a
quote is widened to its sentences, and what stands under a heading or in a list of wishes is no statement either.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from stanchion_core.limits import QUOTE_CHARS
from stanchion_extraction.core.prose.block import Line, lines_of
from stanchion_extraction.core.prose.mask import masked
from stanchion_extraction.core.prose.sentence import sentences_in

_SPACE: Final = re.compile(r"\s+")


class _Piece(Struct, frozen=True):
    """A paragraph, an item or a line of its own.

    Attributes:
        start: where it begins.
        end: where it ends.
        stated: nothing above it makes a wish, a rule or a question of it.
    """

    start: int
    end: int
    stated: bool


class Quoted(Struct, frozen=True):
    """Where a quote stands.

    Attributes:
        text: the sentences it stands in, as they stand in the text; empty where it does not stand as a statement.
        why: why it does not: `quote` (nowhere in the text, or more than a quote holds), `aside` (in code, a comment, or
            below a heading or line that makes a wish, a rule or a question of it).
    """

    text: str
    why: str = ""


class Quotes:
    """Finds quotes in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._masked = masked(text)
        self._pieces = list(_pieces(lines_of(text, self._masked)))

    def find(self, quote: str) -> Quoted:
        """Give where a quote stands. Space is taken for space: models join lines.

        Args:
            quote: as the model gives it, NFC.
        """
        span = self.span(quote)
        if span is None:
            return Quoted("", "quote")
        begin, end = span
        sentences: list[tuple[int, int]] = []
        for piece in self._pieces:
            if piece.start < end and begin < piece.end:
                if not piece.stated:
                    return Quoted("", "aside")
                sentences += sentences_in(self._masked, piece.start, piece.end)
        held = [sentence for sentence in sentences if sentence[0] < end and begin < sentence[1]]
        if not held or self._says_more(begin, end, held):
            return Quoted("", "aside")
        text = self._text[min(begin, held[0][0]) : max(end, held[-1][1])].strip()
        return Quoted(text) if len(text) <= QUOTE_CHARS else Quoted("", "quote")

    def _says_more(self, begin: int, end: int, held: list[tuple[int, int]]) -> bool:
        """Tell whether a quote has words outside of its sentences: in a comment, say, beside something harmless."""
        edges = [begin, *(edge for sentence in held for edge in sentence), end]
        outside = (self._text[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2))
        return any(char.isalnum() for between in outside for char in between)

    def span(self, words: str) -> tuple[int, int] | None:
        """Give where words first stand in the text, whatever space is between them; None where they do not."""
        parts = words.split()
        if not parts or len(words) > QUOTE_CHARS:
            return None
        begin = self._text.find(words.strip())
        if begin >= 0:
            return begin, begin + len(words.strip())
        found = re.search(r"\s+".join(map(re.escape, parts)), self._text)
        return found.span() if found is not None else None

    def names(self, words: str) -> str:
        """Give a name as it stands in the text, its space made single; empty where it does not stand there."""
        span = self.span(words)
        return "" if span is None else _SPACE.sub(" ", self._text[span[0] : span[1]])


def _pieces(lines: Iterable[Line]) -> Iterable[_Piece]:
    """Give lines with those that a paragraph was wrapped into as one."""
    piece: _Piece | None = None
    for line in lines:
        stated = line.mood == "fact" and line.kind in {"text", "item"}
        goes_on = piece is not None and line.kind == "text" and piece.stated == stated
        if piece is not None and goes_on:
            piece = _Piece(piece.start, line.end, stated)
            continue
        if piece is not None:
            yield piece
        piece = None if line.kind == "blank" else _Piece(line.start, line.end, stated)
    if piece is not None:
        yield piece
