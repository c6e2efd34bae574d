"""A quote in its text: the whole sentences that it stands in, for those are what is judged.

A model that quotes `the TAM is $5B` of `We want to say that the TAM is $5B` would get a wish past the firewall. So a
quote is widened to its sentences, and what stands under a heading or in a list of wishes is no statement either.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import Final

from msgspec import Struct

from stanchion_core.limits import QUOTE_CHARS
from stanchion_extraction.core.prose.block import Line, lines_of
from stanchion_extraction.core.prose.mask import masked
from stanchion_extraction.core.prose.sentence import sentences_in

_WORD: Final = re.compile(r"\S+")


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
    """Finds quotes in one text. Each takes about the same time, whatever text and quote are: others wrote both."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._masked = masked(text)
        self._pieces = list(_pieces(lines_of(text, self._masked)))
        self._ends = [piece.end for piece in self._pieces]
        self._sentences: dict[int, list[tuple[int, int]]] = {}
        self._flat, self._places = _flat(text)

    def find(self, quote: str) -> Quoted:
        """Give where a quote stands. Space is taken for space: models join lines.

        Args:
            quote: as the model gives it, NFC.
        """
        span = self.span(quote)
        if span is None:
            return Quoted("", "quote")
        begin, end = span
        held: list[tuple[int, int]] = []
        for number in range(bisect_right(self._ends, begin), len(self._pieces)):
            if self._pieces[number].start >= end:
                break
            if not self._pieces[number].stated:
                return Quoted("", "aside")
            sentences = self._sentences_of(number)
            first = bisect_right(sentences, begin, key=itemgetter(1))
            held += sentences[first : bisect_left(sentences, end, key=itemgetter(0))]
        if not held or self._says_more(begin, end, held):
            return Quoted("", "aside")
        text = self._text[min(begin, held[0][0]) : max(end, held[-1][1])].strip()
        return Quoted(text) if len(text) <= QUOTE_CHARS else Quoted("", "quote")

    def _sentences_of(self, number: int) -> list[tuple[int, int]]:
        """Give the sentences of a piece."""
        if number not in self._sentences:
            piece = self._pieces[number]
            self._sentences[number] = sentences_in(self._masked, piece.start, piece.end)
        return self._sentences[number]

    def _says_more(self, begin: int, end: int, held: list[tuple[int, int]]) -> bool:
        """Tell whether a quote has words outside of its sentences: in a comment, say, beside something harmless."""
        edges = [begin, *(edge for sentence in held for edge in sentence), end]
        outside = (self._text[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2))
        return any(char.isalnum() for between in outside for char in between)

    def span(self, words: str) -> tuple[int, int] | None:
        """Give where words first stand in the text, whatever space is between them; None where they do not."""
        flat = " ".join(words.split())
        begin = self._flat.find(flat) if flat and len(words) <= QUOTE_CHARS else -1
        return None if begin < 0 else (self._places[begin], self._places[begin + len(flat) - 1] + 1)

    def names(self, words: str) -> str:
        """Give a name as it stands in the text, its space made single; empty where it does not stand there."""
        span = self.span(words)
        return "" if span is None else " ".join(self._text[span[0] : span[1]].split())


def _flat(text: str) -> tuple[str, list[int]]:
    """Give a text with single spaces for all space, and where each of its characters stands in the text."""
    words = list(_WORD.finditer(text))
    places: list[int] = []
    for word in words:
        places += range(word.start(), word.end())
        places.append(word.end())  # the space behind it
    return " ".join(word[0] for word in words), places


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
