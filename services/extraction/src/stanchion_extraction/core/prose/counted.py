"""What a subject has, counted or measured: `Fabrikam has 1,250 seats`."""

from typing import Final

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.level import PLAIN
from stanchion_extraction.core.prose.lexicon import (
    ADVERBS,
    COUNTS,
    DETERMINERS,
    HAVE,
    NORMATIVE,
    PREPOSITIONS,
    words_of,
)
from stanchion_extraction.core.prose.phrase import Phrase, compared_at, noun_of, past_whole, tail_of
from stanchion_extraction.core.prose.predicated import Predicated, is_definite, predicated
from stanchion_extraction.core.prose.scene import Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.word import Word

_PRICED: Final = words_of("quoted paid pays pay charges charged charge billed bills spent spends spend quotes")


def counted(scene: Scene) -> list[FoundClaim]:
    """`S has V seats`, `we had 3 outages`, `the scan found 3 findings`: what a subject has, counted or measured."""
    for found in predicated(scene):
        verb = [part for part in found.verb if part in COUNTS or part in HAVE]
        mention = mention_at(scene.words, found.at)
        if (
            not verb
            or found.negative
            or mention is None
            or mention.kind not in {"number", "money", "percent", "duration"}
        ):
            continue
        if (
            set(found.verb) & NORMATIVE
            or not _counts(found.between)
            or is_definite(scene.words, found.at)
            or (found.bare and scene.words[0].low in {"it", "that", "there", "no"})
        ):
            continue
        made = _objects(scene, found, verb[-1])
        if made:
            return made
    return []


def _counts(between: tuple[Word, ...]) -> bool:
    """Tell whether only articles and adverbs stand between a verb and what it counts."""
    return all(
        word.low in ADVERBS
        or word.low in DETERMINERS
        or word.low in {"of", "total", "up", "out", "down", "another", "been", "got"}
        for word in between
    )


def _objects(scene: Scene, found: Predicated, verb: str) -> list[FoundClaim]:
    """Give each counted object in a row: `5 seats and 3 admins`."""
    words, source = scene.words, scene.source
    claims: list[FoundClaim | None] = []
    at = found.at
    while (mention := mention_at(words, at)) is not None and mention.value is not None:
        noun, after = noun_of(words, past_whole(words, at), source)
        tail, end = tail_of(words, after, source)
        if mention.kind not in {"number", "money", "percent", "duration"}:
            break
        priced = verb in _PRICED and tail is not None
        if compared_at(words, after) or (
            noun is None
            and mention.kind == "number"
            and not mention.value.unit
            and low_at(words, after) != "of"
            and not priced
        ):
            break
        claims.append(_object(found, verb, (noun, tail), mention.value, (words[at].start, words[end - 1].end)))
        while low_at(words, end) in {"and", ","}:
            end += 1
        if end == at or mention_at(words, end) is None:
            break
        at = end
    return claimed(*claims)


def _object(
    found: Predicated, verb: str, parts: tuple[Phrase | None, Phrase | None], value: Value, span: tuple[int, int]
) -> FoundClaim | None:
    """Give the claim of one object: of the subject's, or of itself where the subject is `we`."""
    noun, tail = parts
    subject = found.subject.and_(noun, tail)
    if not found.subject.text and noun is None and tail is not None:
        subject = _without_preposition(tail)
    predicate = "is" if verb in PLAIN and noun is not None else verb
    return claim("counted", subject, predicate, value, (min(span[0], found.subject.start), span[1]))


def _without_preposition(tail: Phrase) -> Phrase:
    """Give `ads in May` of `on ads in May`."""
    first, _, rest = tail.text.partition(" ")
    return Phrase(rest, tail.start, tail.end) if first.lower() in PREPOSITIONS and rest else tail
