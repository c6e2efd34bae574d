"""Statements with a verb that no list has: told apart from a noun by its form, and from a wish by what it means."""

from typing import Final

from msgspec import Struct

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import (
    ACTIONS,
    ADVERBS,
    BE,
    COUNTS,
    DETERMINERS,
    DO,
    EVENTS,
    HAVE,
    IMPERATIVES,
    LEVELLING,
    LEVELS,
    MODALS,
    NOT,
    PAST,
    PREPOSITIONS,
    PROMOTED,
    PRONOUNS,
    STATES,
    UNTOLD,
    words_of,
)
from stanchion_extraction.core.prose.phrase import Phrase, compared_at, joined, noun_of, past_whole, subject_of, tail_of
from stanchion_extraction.core.prose.scene import Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.word import Word

_UNTOLD: Final = UNTOLD | PROMOTED
_MEASURES: Final = frozenset({"number", "money", "percent", "duration"})
_PARTICLES: Final = words_of("up down out off back over away on in together through")
_THEM: Final = words_of("us me them him her you it")
_BOUNDS: Final = words_of("capped limited restricted")
_STOPS: Final = words_of(
    "to that which who if whether than not no never how what why where when because since while although "
    "though until unless and or but so as i we they he she there any without instead rather"
)
_ADDING: Final = words_of("about around only just some another additional further total nearly almost")
_MOST: Final = 5
"""Words between a verb and its value that may name an object."""
_LATE: Final = words_of("late early")
_NO_VERB: Final = words_of(
    "plus minus times less versus always perhaps besides series news yes its this thus various towards upwards "
    "afterwards onwards backwards downwards regards thanks sometimes ourselves themselves hours days weeks "
    "months years"
)


class _Told(Struct, frozen=True):
    """A clause as subject, verb, perhaps an object, and its first value.

    Attributes:
        subject: empty for `we`.
        verb: as written, in lower case.
        object: between verb and value, without the preposition before the value.
        link: that preposition, or a particle of the verb.
        at: where the value stands.
    """

    subject: Phrase
    verb: str
    object: tuple[Word, ...]
    link: str
    at: int


def told(scene: Scene) -> list[FoundClaim]:
    """`the sensor reads 81 °C`, `clause 7 cost us £5`, `the flat was renovated in 2019`: any verb that tells."""
    for at in range(len(scene.words)):
        found = _told(scene, at)
        if found is None:
            continue
        made = _dated(scene, found) or _valued(scene, found)
        if made:
            return made
    return []


def _told(scene: Scene, at: int) -> _Told | None:  # noqa: C901, PLR0911 - one way out a form
    """Give the clause read with its verb at a place; None where no verb of telling stands there."""
    words = scene.words
    verb = words[at].low
    if words[at].mention is not None or not verb.isalpha():
        return None
    if verb in HAVE and at:
        return _having(scene, verb, at)
    if verb in STATES and low_at(words, at - 1) in BE and mention_at(words, at + 1) is not None:
        return _lasting(scene, verb, at)
    if verb in _UNTOLD:
        return None
    begin, passive = _begin_of(words, at)
    before = scene.before if scene.before is not None else scene.counted
    if not begin and (passive or before is None):
        return None
    going = passive and verb.endswith("ing") and low_at(words, at - 1) == "been"
    bare = scene.relative and not at and verb not in ADVERBS | PREPOSITIONS | PRONOUNS
    if not (bare or (is_past(verb) or going or verb in LEVELLING if passive or not at else is_inflected(words, at))):
        return None
    if _is_noun(words, at, passive=passive) or (verb in _BOUNDS and low_at(words, begin) not in {"was", "were", "had"}):
        return None
    subject = subject_of(words[:begin], scene.source, scene.before) if begin else before
    ordered = words[0].low in IMPERATIVES and begin == 1 and verb.endswith("s")  # `set retries to 5`
    if subject is None or ordered or _is_verb_before(words[:begin]):
        return None
    return _with_object(scene, subject, verb, at)


def _begin_of(words: tuple[Word, ...], at: int) -> tuple[int, bool]:
    """Give where a verb with its adverbs and its `was` or `has been` begins, and whether it has one."""
    begin = at
    while begin and (low_at(words, begin - 1) in ADVERBS or low_at(words, begin - 1) in {"been", "being"}):
        begin -= 1
    if not begin or low_at(words, begin - 1) not in BE | HAVE:
        return begin, False
    while begin and low_at(words, begin - 1) in BE | HAVE:
        begin -= 1
    return begin, True


def _is_noun(words: tuple[Word, ...], at: int, *, passive: bool) -> bool:
    """Tell whether a word is a plural before a bound: `sessions over 99.5%` is what somebody aims at."""
    ahead = mention_at(words, at + 1)
    bounded = ahead is not None and ahead.value is not None and ahead.value.op not in {"", "~"}
    verb = words[at].low
    return bounded and not passive and verb.endswith("s") and verb not in COUNTS | LEVELS | EVENTS | ACTIONS


def _having(scene: Scene, verb: str, at: int) -> _Told | None:
    """Give `the vans have a range of 240 km`: what has an object at a level."""
    words = scene.words
    subject = subject_of(words[:at], scene.source, scene.before)
    if subject is None or _is_verb_before(words[:at]) or low_at(words, at + 1) not in {"a", "an"}:
        return None
    found = _with_object(scene, subject, verb, at)
    return found if found is not None and found.object and found.link in {"of", "at"} else None


def _lasting(scene: Scene, verb: str, at: int) -> _Told | None:
    """Give `the shop is open 16 hours`: a state and for how long."""
    mention = mention_at(scene.words, at + 1)
    subject = subject_of(scene.words[: at - 1], scene.source, scene.before) if at > 1 else scene.before
    if subject is None or mention is None or mention.kind != "duration":
        return None
    return _Told(subject, verb, (), "", at + 1)


_PAPERS: Final = words_of(
    "proposal plan draft budget forecast model scenario offer roadmap mock-up mockup template example "
    "estimate projection spec specification policy rule rfp brief pitch prototype simulation blueprint "
    "wishlist backlog rulebook"
)
"""What says how things ought to be, or might be."""


def _is_verb_before(words: tuple[Word, ...]) -> bool:
    """Tell whether what should be a subject has a verb of its own, or only names what ought to be."""
    return any(
        word.low in _PAPERS
        or word.low in BE
        or word.low in HAVE
        or word.low in DO
        or word.low in MODALS
        or word.low in _UNTOLD
        for word in words
        if word.mention is None
    )


def _with_object(scene: Scene, subject: Phrase, verb: str, at: int) -> _Told | None:  # noqa: C901 - one case a form
    """Give the clause with what stands between its verb and the first value."""
    words = scene.words
    start = at + 1
    while low_at(words, start) in ADVERBS or low_at(words, start) in _THEM:
        start += 1
    end = next((n for n in range(start, len(words)) if words[n].mention is not None), None)
    if end is None or end - start > _MOST + 1:
        return None
    between = words[start:end]
    if any(_is_stop(word.low) for word in between):
        return None
    while between and between[-1].low in _ADDING:
        between = between[:-1]
    link = between[-1].low if between and between[-1].low in PREPOSITIONS | {"to"} else ""
    if link:
        between = between[:-1]
    if between and between[0].low in _PARTICLES:
        link, between = link or between[0].low, between[1:]
    while between and between[-1].low in DETERMINERS:
        between = between[:-1]
    if any(word.low == "to" or word.low in PRONOUNS - DETERMINERS for word in between):
        return None
    return _Told(subject, verb, between, link, end)


def _is_stop(low: str) -> bool:
    """Tell whether a word between a verb and its value makes them another matter: a denial, a wish, another clause."""
    return (
        (low in _STOPS and low != "to")
        or not low[0].isalnum()
        or low in _UNTOLD
        or low in NOT | BE | HAVE | DO | MODALS
    )


def is_inflected(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a word has the form of a verb that tells: past, third person, or bare after `we` or a plural.

    A bare verb without a subject before it orders; a noun in the plural may look like a third person, so that one needs
    a value, an article or a preposition behind it.
    """
    low = words[at].low
    if is_past(low):
        return True
    place = at - 1
    while low_at(words, place) in ADVERBS:
        place -= 1
    before = low_at(words, place)
    if before in {"we", "they", "i"}:
        return low not in ADVERBS and low not in BE | HAVE | DO | MODALS and low not in PREPOSITIONS
    if low in _BARE:
        if at + 1 < len(words) and words[at + 1].mention is not None and words[0].low in DETERMINERS:
            return True  # as writers have it who learned English late: `the machine make 300 pieces`
        return before.endswith("s") or before in {"people", "staff", "who", "which", "that", "it", "he", "she"}
    if not low.endswith("s") or low.endswith(("ss", "us", "is")) or len(low) < 4 or low in _NO_VERB:  # noqa: PLR2004
        return False
    return before not in DETERMINERS and before not in PREPOSITIONS and not before.endswith("'s")


_BARE: Final = frozenset(
    low
    for low in COUNTS
    | LEVELS
    | EVENTS
    | ACTIONS
    | words_of("carry bring burn weigh draw sell fit drive walk earn make come go live sit lie belong")
    if low not in _UNTOLD and not low.endswith(("s", "ed"))
)


def is_past(low: str) -> bool:
    """Tell whether a word is a past tense or a participle."""
    return low in PAST or (low.endswith("ed") and len(low) > 4 and low not in _NO_PAST)  # noqa: PLR2004 - a small bound


_NO_PAST: Final = words_of(
    "need indeed speed feed seed weed breed exceed proceed succeed unused hundred naked sacred kindred "
    "advanced related combined so-called tweed greed managed based mixed fixed limited united embedded "
    "shared estimated expected required unlimited used called"
)


def _dated(scene: Scene, found: _Told) -> list[FoundClaim]:
    """Give a claim of the day on which something happened."""
    words = scene.words
    mention = mention_at(words, found.at)
    if mention is None or mention.value is None or mention.kind not in {"date", "period"}:
        return []
    if found.link not in {"on", "in", "for", "until", "since", "by", "from", "at"} and not (
        found.link == "" and mention.kind == "date" and not found.object
    ):
        return []
    if not found.subject.text and not found.object:
        return []
    value = (
        Value(type="date", text=mention.value.text, op=mention.value.op) if mention.kind == "period" else mention.value
    )
    subject = found.subject.and_(joined(found.object, scene.source) if found.object else None)
    predicate = found.verb if found.link in {"on", "in", ""} else f"{found.verb} {found.link}"
    return claimed(claim("told", subject, predicate, value, (subject.start, words[found.at].end)))


def _valued(scene: Scene, found: _Told) -> list[FoundClaim]:
    """Give the claims of what a verb says so many or so much of, in a row."""
    words, source = scene.words, scene.source
    claims: list[FoundClaim | None] = []
    at = found.at
    named = joined(found.object, source) if found.object else None
    if low_at(words, at - 1) == "from":
        at = _end_of_move(scene, at)
    while (mention := mention_at(words, at)) is not None and mention.value is not None and mention.kind in _MEASURES:
        plain = mention.kind == "number" and not mention.value.unit
        if low_at(words, at - 1) in _DEFINITE or (plain and low_at(words, at - 1) == "by"):
            break
        noun, after = noun_of(words, past_whole(words, at), source)
        if mention.kind == "duration" and low_at(words, at + 1) in _LATE:
            late = Phrase(words[at + 1].low, words[at + 1].start, words[at + 1].end)
            return claimed(
                claim("told", found.subject.and_(late), "is", mention.value, (found.subject.start, words[at + 1].end))
            )
        tail, end = tail_of(words, after, source)
        if compared_at(words, after) or compared_at(words, at + 1) or _is_nothing(found, noun, tail):
            break
        claims.append(_one(found, named, (noun, tail), mention.value, (words[at].start, words[end - 1].end)))
        priced, end = _price(scene, found, end)
        claims.append(priced)
        named = None
        begin = end
        while low_at(words, end) in {"and", ","}:
            end += 1
        if end == begin or mention_at(words, end) is None:
            break
        at = end
    return claimed(*claims)


def _end_of_move(scene: Scene, at: int) -> int:
    """Give where `drops from 2.1 s to 0.9 s` arrives; the same place where it does not say."""
    words = scene.words
    _, after = noun_of(words, at + 1, scene.source)
    return after + 1 if low_at(words, after) == "to" and mention_at(words, after + 1) is not None else at


_DEFINITE: Final = words_of("last next first previous the those these all both than from between every")


def _price(scene: Scene, found: _Told, at: int) -> tuple[FoundClaim | None, int]:
    """Give the claim of `at $79 per chair` behind what was counted, and where it ends."""
    words = scene.words
    mention = mention_at(words, at + 1) if low_at(words, at) in {"at", "for"} else None
    if mention is None or mention.value is None or mention.kind != "money":
        return None, at
    per, end = tail_of(words, at + 2, scene.source)
    subject = found.subject.and_(Phrase("price", words[at].start, words[end - 1].end), per)
    return claim("told", subject, "is", mention.value, (found.subject.start, words[end - 1].end)), end


def _is_nothing(found: _Told, noun: Phrase | None, tail: Phrase | None) -> bool:
    """Tell whether a value would be of nothing: `we paid 5`."""
    return noun is None and tail is None and not found.subject.text and not found.object


def _one(
    found: _Told,
    named: Phrase | None,
    parts: tuple[Phrase | None, Phrase | None],
    value: Value,
    span: tuple[int, int],
) -> FoundClaim | None:
    """Give the claim of one value: of the subject's object, of what is counted, or of the subject itself."""
    noun, tail = parts
    subject = found.subject.and_(named, noun, tail)
    return claim("told", subject, found.verb, value, (min(span[0], found.subject.start), span[1]))
