"""A clause as subject, verb and value, in each way it can be read."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.clause import is_finite
from stanchion_extraction.core.prose.lexicon import (
    ADVERBS,
    BE,
    DO,
    HAVE,
    LEVEL_PARTICLES,
    NOT,
    PREPOSITIONS,
    words_of,
)
from stanchion_extraction.core.prose.phrase import Phrase, subject_of
from stanchion_extraction.core.prose.scene import Scene, low_at, mention_at
from stanchion_extraction.core.prose.word import Word

_SETTLED: Final = words_of(
    "sitting running standing averaging holding hovering set fixed configured listed priced valued "
    "rated pegged measured "
    "recorded reported at been being now only still already worth sized billed charged kept capped "
    "steady stable flat unchanged "
    "clocking coming currently used full due dated scheduled"
) - {"capped", "scheduled", "hovering"}
_OBJECT: Final = 6


class Predicated(Struct, frozen=True):
    """A clause's subject, verb and the first value after it.

    Attributes:
        subject: empty for `we`.
        verb: the finite verb and what belongs to it.
        at: where the value stands among the clause's words.
        negative: the verb is denied.
        between: the words between verb and value that are no part of it.
        bare: it has no subject of its own: an `it` of nothing named, or a verb that goes on with the subject before.
    """

    subject: Phrase
    verb: tuple[str, ...]
    at: int
    negative: bool
    between: tuple[Word, ...]
    bare: bool = False


def is_bare(between: tuple[Word, ...]) -> bool:
    """Tell whether nothing of its own stands between a verb and its value."""
    return all(
        word.low in ADVERBS
        or word.low in LEVEL_PARTICLES
        or word.low in _SETTLED
        or word.low in {"a", "an", "the", "its", "of", "around", "w/"}
        for word in between
    )


def predicated(scene: Scene) -> Iterator[Predicated]:  # noqa: C901 - one case a form
    """Give each reading of a clause as subject, verb and value; the first that makes a claim counts."""
    words = scene.words
    for at, word in enumerate(words):
        if not is_finite(word):
            continue
        end = next((i for i in range(at + 1, len(words)) if words[i].mention is not None), None)
        if end is None or end - at > _OBJECT + 3:
            continue
        if not (word.low in BE or word.low in HAVE or word.low in DO) and any(
            is_finite(later) and later.low not in PREPOSITIONS for later in words[at + 1 : end]
        ):
            continue
        subject, bare = _subject_at(scene, at)
        if subject is None:
            continue
        negative = word.low in NOT
        between: list[Word] = []
        for inner in words[at + 1 : end]:
            if inner.low in NOT or (inner.low == "no" and low_at(words, at + 2) == "longer" and not between):
                negative = not negative
            elif not (inner.low == "longer" and not between):
                between.append(inner)
        verb = tuple(inner.low for inner in (word, *between) if is_finite(inner) and inner.low not in NOT)
        yield Predicated(
            subject,
            verb or (word.low,),
            end,
            negative,
            tuple(inner for inner in between if not (is_finite(inner) and inner.low not in PREPOSITIONS)),
            bare,
        )


def _subject_at(scene: Scene, at: int) -> tuple[Phrase | None, bool]:
    """Give the subject before a verb, and whether it is none of its own."""
    words = scene.words
    names = [word for word in words[:at] if word.low[0].isalnum()]
    if not names or (len(names) == 1 and names[0].low in {"which", "that"}):
        start = words[at].start
        before = scene.before
        return (Phrase("", start, start) if before is None else Phrase(before.text, start, start)), True
    subject = subject_of(words[:at], scene.source, scene.before)
    if (
        subject is None
        and names[-1].low in {"it", "there", "that"}
        and all(name.low in {"no", "it", "there", "that", "so", "actually", "and", "but"} for name in names)
    ):
        return Phrase("", words[at].start, words[at].start), True
    return subject, False


def is_definite(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a count stands behind `the`: `averaged the two tools` counts nothing."""
    mention = mention_at(words, at)
    plain = mention is not None and mention.kind == "number" and mention.value is not None and not mention.value.unit
    return plain and low_at(words, at - 1) in {"the", "those", "these", "our", "both", "all", "my", "your", "their"}


def is_only_be(verb: tuple[str, ...]) -> bool:
    """Tell whether a verb is a form of `be` alone."""
    return all(part in BE for part in verb)
