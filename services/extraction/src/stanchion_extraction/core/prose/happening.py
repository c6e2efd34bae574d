"""What happens on a day, for a time, or so many times."""

# ruff: noqa: RUF001 - the texts that are read have these marks

from typing import Final

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.clause import is_finite
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import (
    ADVERBS,
    BE,
    DO,
    HAVE,
    LEVEL_PARTICLES,
    NOT,
    PREPOSITIONS,
)
from stanchion_extraction.core.prose.phrase import Phrase, joined, noun_of, subject_of, tail_of
from stanchion_extraction.core.prose.predicated import Predicated, predicated
from stanchion_extraction.core.prose.quantity import Mention
from stanchion_extraction.core.prose.scene import Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.word import Word

_LASTING: Final = frozenset({"valid", "open", "available", "closed", "effective", "live", "empty", "vacant"})
_MOST: Final = 4
"""Words that may name what something happened to."""
_VOID: Final = frozenset({"nothing", "something", "anything", "everything"})


def happened(scene: Scene) -> list[FoundClaim]:
    """`S closed on V`, `S is kept for V`, `S runs out V`: what happens on a day, at or for a time, in a version."""
    for found in predicated(scene):
        mention = mention_at(scene.words, found.at)
        if (
            mention is None
            or mention.value is None
            or found.negative
            or mention.kind not in {"date", "time", "duration", "version", "period"}
            or (found.bare and not found.subject.text)
        ):
            continue
        made = _happening(scene, found, mention)
        if made:
            return made
    return []


def _has_object(rest: list[Word], preposition: str) -> bool:
    """Tell whether what happened has an object of its own, so that it is about something without a subject."""
    return bool(rest) and not any(word.low in LEVEL_PARTICLES and word.low != preposition for word in rest)


def _happening(scene: Scene, found: Predicated, mention: Mention) -> list[FoundClaim]:
    """Give when, how long or in what something happened, and what else is told of it."""
    words = scene.words
    verb = [part for part in found.verb if part not in BE and part not in HAVE]
    rest = [
        word
        for word in found.between
        if word.low not in ADVERBS and word.low not in {"a", "an", "the", "been", "being"}
    ]
    if (
        not verb
        and rest
        and (
            rest[0].low.endswith(("ed", "en"))
            or rest[0].low in _LASTING
            or rest[0].low in {"kept", "sold", "set", "held", "built", "cut", "paid", "sent", "born", "due", "made"}
        )
    ):
        verb, rest = [rest[0].low], rest[1:]
    preposition = rest[-1].low if rest and (rest[-1].low in PREPOSITIONS or rest[-1].low == "every") else ""
    if not verb or (mention.kind in {"period", "version"} and preposition not in {"in", "since", "on", "with"}):
        return []
    if preposition == "from" or (not found.subject.text and not _has_object(rest, preposition)):
        return []
    if mention.kind == "duration" and not preposition and verb[-1] not in {"took", "takes", "lasts", "lasted", "ran"}:
        return []
    if preposition in {"until", "till", "before", "within", "by"} and mention.kind in {"date", "period"}:
        preposition += ""
    middle = rest[: len(rest) - bool(preposition)]
    particles = [word.low for word in middle if word.low in LEVEL_PARTICLES]
    named = tuple(word for word in middle if word.low not in LEVEL_PARTICLES)
    if (
        mention.value is None
        or len(named) > _MOST
        or any(not word.low[0].isalnum() or word.low in _VOID for word in named)
    ):
        return []
    subject = found.subject.and_(joined(named, scene.source) if named else None)
    predicate = " ".join([verb[-1], *particles, *([preposition] if preposition not in {"", "on"} else [])])
    value = mention.value
    if mention.kind == "period":
        value = Value(type="date", text=value.text, op=value.op)
    span = (subject.start, words[found.at].end)
    first = claim("happened", subject, predicate, value, span)
    return [] if first is None else [first, *_besides(scene, found.subject, verb[-1], found.at + 1)]


def _besides(scene: Scene, subject: Phrase, verb: str, at: int) -> list[FoundClaim]:
    """Give `at a $210M valuation`, `with 0 errors`, `for 2 years` after what happened."""
    words = scene.words
    claims: list[FoundClaim | None] = []
    while at < len(words) and low_at(words, at) in {"at", "with", "for", "after", "on"}:
        preposition = low_at(words, at)
        at += 1 + (low_at(words, at + 1) in {"a", "an"})
        mention = mention_at(words, at)
        if mention is None or mention.value is None:
            break
        noun, end = noun_of(words, at + 1, scene.source)
        span = (subject.start, words[end - 1].end)
        if noun is not None and mention.kind in {"number", "money", "percent"}:
            claims.append(claim("happened", subject.and_(noun), "is", mention.value, span))
        elif mention.kind in {"duration", "date"} and noun is None:
            claims.append(claim("happened", subject, f"{verb} {preposition}", mention.value, span))
        at = end
    return claimed(*claims)


_TIMES: Final = frozenset({"times", "×"})


def frequency(scene: Scene) -> list[FoundClaim]:
    """`the hall lost power twice in May`, `it crashed 3 times`: how often something happened."""
    words = scene.words
    at = next(
        (
            n
            for n, word in enumerate(words)
            if word.low == "twice" or (n and word.low in _TIMES and mention_at(words, n - 1))
        ),
        None,
    )
    if at is None:
        return []
    begin = at if words[at].low == "twice" else at - 1
    mention = None if begin == at else mention_at(words, begin)
    verb = next(
        (n for n in range(1, begin) if is_finite(words[n]) and words[n].low not in BE and words[n].low not in DO), None
    )
    if verb is None or begin - verb > 4 or (begin != at and (mention is None or mention.kind != "number")):  # noqa: PLR2004 - a small bound
        return []
    subject = subject_of(words[:verb], scene.source, scene.before)
    if subject is None or low_at(words, at + 1) in {"as", "the", "a", "more", "than"}:
        return []
    named = words[verb + 1 : begin]
    tail, end = tail_of(words, at + 1, scene.source)
    subject = subject.and_(joined(named, scene.source) if named else None, tail)
    value = Value(type="number", text="2") if mention is None else mention.value
    if value is None or any(word.low in NOT for word in words[:begin]):
        return []
    return claimed(claim("frequency", subject, words[verb].low, value, (words[0].start, words[end - 1].end)))
