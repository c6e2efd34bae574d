"""The words of a text, with every quantity as one word."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.lexicon import ADVERBS, NOT, PRONOUNS, STATES, words_of
from stanchion_extraction.core.prose.quantity import Mention, mentions_in

_WORD: Final = re.compile(
    r"w/o?(?=\s)|(?<![\w/])/[a-z][\w.-]*(?:/[\w.-]+)*|[^\W_]+(?:[-.'’/@_&:][^\W_]+)*(?:'(?=\s))?|\S"
)
_PREDICATES: Final = words_of(
    "a an the about around at no been on in up down over under above below to of for from than"
)
_TAIL: Final = re.compile(r"(?:'s|'re|'ve|'ll|'d)$")


class Word(Struct, frozen=True):
    """One word, mark or quantity.

    Attributes:
        start: in characters of the text that was read.
        end: where it ends.
        low: lower-cased, with plain apostrophes.
        mention: the quantity it is, if it is one.
    """

    start: int
    end: int
    low: str
    mention: Mention | None = None

    @property
    def is_name(self) -> bool:
        """Tell whether it is a word and no mark."""
        return self.mention is None and self.low[:1].isalnum()


def lowered(text: str) -> str:
    """Give a text in lower case with plain apostrophes, character for character as long as it was."""
    low = text.lower().replace("’", "'").replace("`", " ")
    if len(low) == len(text):
        return low
    return (
        "".join(char.lower() if len(char.lower()) == 1 else char for char in text).replace("’", "'").replace("`", " ")
    )


def words_in(low: str) -> tuple[Word, ...]:
    """Give the words of a lower-cased text; a contraction is two words."""
    words: list[Word] = []
    at = 0
    for mention in mentions_in(low):
        words.extend(_plain(low, at, mention.start))
        words.append(Word(mention.start, mention.end, low[mention.start : mention.end], mention))
        at = mention.end
    words.extend(_plain(low, at, len(low)))
    return _possessed(words)


def _possessed(words: list[Word]) -> tuple[Word, ...]:
    """Give words with each possessive one again: `Fabrikam's seats` has no verb, `the TAM's about $5B` has one."""
    kept: list[Word] = []
    for at, word in enumerate(words):
        before = kept[-1] if kept else None
        following = words[at + 1] if at + 1 < len(words) else None
        if word.low == "'s" and before is not None and following is not None and _owns(before, following):
            kept[-1] = Word(before.start, word.end, before.low + "'s")
        else:
            kept.append(word)
    return tuple(kept)


def _owns(before: Word, following: Word) -> bool:
    """Tell whether an `'s` between two words is a possessive: a name before it and a noun behind it."""
    if before.mention is not None or before.low in PRONOUNS or not before.is_name:
        return False
    low = following.low
    if not following.is_name or low in _PREDICATES or low in ADVERBS or low in STATES or low in NOT:
        return False
    return not low.endswith(("ed", "ing"))


def _plain(low: str, start: int, end: int) -> list[Word]:
    """Give the words of a piece without quantities."""
    made = []
    for found in _WORD.finditer(low, start, end):
        tail = _TAIL.search(found[0])
        if tail is not None and tail.start():
            middle = found.start() + tail.start()
            made += [Word(found.start(), middle, low[found.start() : middle]), Word(middle, found.end(), tail[0])]
        else:
            made.append(Word(found.start(), found.end(), found[0]))
    return made
