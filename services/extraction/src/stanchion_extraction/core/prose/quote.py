"""A claim that somebody read from some words: whether those words state it, or only want, ask, suppose or deny it."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from stanchion_contracts.value import Value
from stanchion_core.quantity import number, value_key
from stanchion_extraction.core.prose.block import Line, lines_of
from stanchion_extraction.core.prose.cue import Mood, is_question
from stanchion_extraction.core.prose.hearing import Known
from stanchion_extraction.core.prose.mask import masked
from stanchion_extraction.core.prose.reader import read
from stanchion_extraction.core.prose.sentence import MOST_CHARS, sentences_in
from stanchion_extraction.core.prose.statement import judged_clauses, opened, read_sentence, words_said
from stanchion_extraction.core.prose.word import Word

_WHY: Final[dict[Mood, str]] = {
    "wish": "its quote says what somebody wants, not what is",
    "constraint": "its quote says what is decided or required, not what is",
    "question": "its quote asks",
    "hypothetical": "its quote supposes",
    "instruction": "its quote tells somebody to do something",
    "opinion": "its quote only thinks so, or foresees it",
    "rejected": "its quote holds instructions for whoever reads it",
}


class _Part(Struct, frozen=True):
    """One clause of a quote: its mood, and its words."""

    mood: Mood
    words: tuple[Word, ...] = ()


def why_not(quote: str, value: Value, *, positive: bool) -> str:
    """Give why a quote does not state a claim; empty where it may.

    At least one clause must state something; where the value is a number and the quote has it, a clause that has it.

    Args:
        quote: the words a claim was read from.
        value: of the claim.
        positive: False where the claim is a denial.
    """
    parts = _parts(quote)
    if not parts:
        return "its quote says nothing outside of code and comments"
    holding = [part for part in parts if _holds(part, value)] or parts
    if all(part.mood != "fact" for part in holding):
        return _WHY[holding[0].mood]
    found = read(quote, "agent-output")
    if not found.claims and found.intents and all(intent.rule for intent in found.intents):
        return _WHY["constraint" if found.intents[0].kind == "constraint" else "wish"]
    said = {claim.positive for claim in found.claims if _alike(claim.value, value)}
    if said == {not positive}:
        return "its quote denies it" if positive else "its quote states what it denies"
    return ""


def _parts(quote: str) -> list[_Part]:
    """Give the clauses of a quote, each with its mood."""
    text = quote.replace("\r", " ")
    blank = masked(text)
    parts: list[_Part] = []
    known = Known()
    for line in _joined(lines_of(text, blank)):
        for span in sentences_in(blank, line.start, line.end):
            if span[1] - span[0] > MOST_CHARS:
                continue
            made = read_sentence(text, blank, span, known, line.mood)
            if made.withdraws or made.seals:
                mood: Mood = "constraint" if made.seals else "opinion"
                parts = [replace(part, mood=mood if part.mood == "fact" else part.mood) for part in parts]
            else:
                parts += _judged(blank, span, known, line.mood)
            known = made.known
    return parts


def _joined(lines: list[Line]) -> list[Line]:
    """Give lines with those that a paragraph was wrapped into as one; a quote is a few sentences, not a document."""
    joined: list[Line] = []
    for line in lines:
        if line.kind in {"blank", "heading"}:
            continue
        before = joined[-1] if joined else None
        if before is not None and before.kind == line.kind == "text" and before.mood == line.mood:
            joined[-1] = Line(before.start, line.end, "text", before.mood)
        else:
            joined.append(line)
    return joined


def _judged(blank: str, span: tuple[int, int], known: Known, mood: Mood) -> list[_Part]:
    """Give the clauses of one sentence, each with its mood."""
    sentence = opened(blank, span, known, mood)
    words = words_said(sentence, span[0])
    if not words:
        return [_Part(sentence.mood)]
    clauses = judged_clauses(sentence, words, span[0])
    if not clauses:
        return [_Part("question" if is_question(sentence.low) else sentence.mood, words)]
    return [_Part(one.mood, one.clause.words) for one in clauses]


def _holds(part: _Part, value: Value) -> bool:
    """Tell whether a clause has the number that a value is."""
    return any(
        word.mention is not None and word.mention.value is not None and _alike(word.mention.value, value)
        for word in part.words
    )


def _alike(one: Value, other: Value) -> bool:
    """Tell whether two values are the same number, or the same in every part but their op."""
    if value_key(replace(one, op="")) == value_key(replace(other, op="")):
        return True
    first = None if one.type in {"boolean", "string", "date"} else number(one.text)
    return first is not None and first == number(other.text)
