"""What is denied, what there is and is not, and the states a thing is in."""

from typing import Final

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.clause import is_main_verb
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import (
    ACTIONS,
    ADVERBS,
    BE,
    DETERMINERS,
    DO,
    EVENTS,
    FIGURES,
    HAVE,
    NOT,
    PAST,
    PREPOSITIONS,
    PRONOUNS,
    STATES,
    UNTOLD,
    WRONG,
    words_of,
)
from stanchion_extraction.core.prose.phrase import Phrase, is_plain, joined, noun_of, subject_of, tail_of
from stanchion_extraction.core.prose.scene import TRUE, Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.verb import is_inflected, is_past
from stanchion_extraction.core.prose.word import Word

_ABSTRACT: Final = words_of(
    "way need point reason doubt chance question risk hope use sense problem issue rush sign "
    "guarantee evidence idea plan update news one excuse harm shame choice room"
)
ATTRIBUTES: Final = words_of(
    "region owner status version provider vendor database language framework role state tier plan "
    "edition environment supplier landlord manager lead maintainer mode type colour color currency "
    "timezone hostname location"
)


def _names_what(words: tuple[Word, ...], at: int, begin: int) -> bool:
    """Tell whether `did not restore the old keys` names who did not do what: any verb will do behind a `did`."""
    verb = low_at(words, begin)
    if words[at].low not in DO or not verb.isalpha() or verb in _IDLE | UNTOLD | PRONOUNS | DETERMINERS:
        return False
    lows = [word.low for word in words[:at] if word.low[0].isalnum()] + [word.low for word in words[begin + 1 :]]
    if verb == "go" and low_at(words, begin + 1) not in {"off", "down", "out", "through", "live", "up", "ahead"}:
        return False
    return not set(lows) & (PRONOUNS - DETERMINERS) and any(word.is_name for word in words[begin + 1 :])


_IDLE: Final = words_of("matter mind care bother hurt belong feel have own even really quite do get make")
_EITHER: Final = words_of("hit beat cut cost burst hurt split spread quit cast read put set let")
"""Verbs whose past looks like their present: `we never cut corners` is no event that did not happen."""
_DROPPED: Final = words_of("anywhere yet anymore either currently now today ever still already today")


def retraction(scene: Scene) -> list[FoundClaim]:
    """`the 40% gross margin figure is wrong`: a value told before is evidence against itself."""
    words = scene.words
    at = next((i for i, word in enumerate(words) if word.low in BE and word.mention is None), None)
    if at is None or any(word.low in NOT for word in words):
        return []
    after = [
        word.low
        for word in words[at + 1 :]
        if word.low not in ADVERBS and word.low not in {"just", "plain", "simply", "no", "longer", "out", "of"}
    ]
    gone = (
        low_at(words, at + 1) == "no"
        and low_at(words, at + 2) == "longer"
        and bool(set(after) & {"true", "correct", "valid", "right", "accurate", "current"})
    )
    if not gone and not (after and after[0] in WRONG):
        return []
    place = next((i for i in range(at) if words[i].mention is not None), None)
    mention = None if place is None else mention_at(words, place)
    if (
        place is None
        or mention is None
        or mention.value is None
        or any(words[i].low == "that" and words[i + 1].low != "," for i in range(place))
    ):
        return []
    named = [word for word in _figure(words, place, at) if word.low not in FIGURES]
    lead = [word for word in words[:place] if word.low == "of"]
    before = _before_of(words, place) if lead else ()
    phrase = joined(tuple(before) or tuple(named), scene.source)
    return claimed(
        claim("retraction", phrase, "is", mention.value, (words[place].start, words[at].end), positive=False)
    )


_TAKEN: Final = frozenset({"take", "takes", "took", "retract", "withdraw", "withdrew"})


def taken_back(scene: Scene) -> list[FoundClaim]:
    """`I take back what I said about the office having 60 desks`: evidence against what is taken back."""
    words = scene.words
    lows = [low_at(words, n) for n in range(len(words))]
    taken = next((n for n, low in enumerate(lows) if low in _TAKEN), None)
    if (
        taken is None
        or (lows[taken] in {"take", "takes", "took"} and low_at(words, taken + 1) != "back")
        or "about" not in lows[taken:]
    ):
        return []
    begin = lows.index("about", taken) + 1
    verb = next((n for n in range(begin, len(words)) if lows[n] in {"having", "being", "costing", "at"}), None)
    mention = None if verb is None else mention_at(words, verb + 1)
    subject = None if verb is None else subject_of(words[begin:verb], scene.source, scene.before)
    if verb is None or mention is None or mention.value is None or subject is None:
        return []
    noun, end = noun_of(words, verb + 2, scene.source)
    return claimed(
        claim(
            "taken-back", subject.and_(noun), "is", mention.value, (words[0].start, words[end - 1].end), positive=False
        )
    )


def _figure(words: tuple[Word, ...], at: int, end: int) -> tuple[Word, ...]:
    """Give the noun behind a retracted value: `gross margin figure`."""
    stop = at + 1
    while (
        stop < end
        and words[stop].low[0].isalnum()
        and words[stop].mention is None
        and words[stop].low not in {"i", "we", "you", "that", "which", "from", "he", "she", "they"}
    ):
        stop += 1
    return words[at + 1 : stop]


def _before_of(words: tuple[Word, ...], at: int) -> tuple[Word, ...]:
    """Give the noun before `of 5B is wrong`."""
    begin = 0
    while begin < at and (
        words[begin].low in {"scratch", "that", ",", "sorry", "so", "actually", "no", "correction", ":"}
        or words[begin].low in DETERMINERS
    ):
        begin += 1
    return tuple(word for word in words[begin:at] if word.low not in {"of", "at"} and word.low not in FIGURES)


def existence(scene: Scene) -> list[FoundClaim]:
    """`there are 14 nodes in pool B`, `there's no staging area`, `we have no CI`: what there is and is not."""
    words = scene.words
    for at in range(1, len(words)):
        if low_at(words, at - 1) == "there" and low_at(words, at) in BE:
            return _there(scene, at)
        if low_at(words, at) in HAVE and low_at(words, at + 1) in {"no", "zero"} and low_at(words, at + 2) != "longer":
            return _lacks(scene, at, at + 2)
        if low_at(words, at) in DO and low_at(words, at) in NOT and low_at(words, at + 1) in {"have", "own"}:
            return _lacks(scene, at, at + 2)
        if low_at(words, at) in DO and low_at(words, at + 1) == "not" and low_at(words, at + 2) in {"have", "own"}:
            return _lacks(scene, at, at + 3)
    return []


def _there(scene: Scene, at: int) -> list[FoundClaim]:
    """Give what there is."""
    words, source = scene.words, scene.source
    denied = low_at(words, at) in NOT
    begin = at + 1
    while (
        low_at(words, begin) in ADVERBS
        or low_at(words, begin) in NOT
        or low_at(words, begin) in {"no", "any", "currently"}
    ):
        denied = denied or low_at(words, begin) in NOT or low_at(words, begin) == "no"
        begin += 1
    mention = mention_at(words, begin)
    noun, after = noun_of(words, begin + (mention is not None), source)
    tail, end = tail_of(words, after, source)
    if (
        noun is None
        or noun.text.split()[-1].lower() in _ABSTRACT
        or noun.text.split()[0].lower() in _ABSTRACT
        or low_at(words, end) in {"to", "that", "if", "whether"}
    ):
        return []
    span = (words[at - 1].start, words[end - 1].end)
    if mention is not None and mention.value is not None:
        return (
            []
            if denied and mention.kind != "number"
            else claimed(claim("existence", noun.and_(tail), "is", mention.value, span, positive=not denied))
        )
    if not denied:
        return []
    return claimed(claim("existence", noun.and_(tail), "exists", TRUE, span, positive=False))


def _lacks(scene: Scene, at: int, begin: int) -> list[FoundClaim]:
    """Give what somebody does not have; `one` is what was named before."""
    words, source = scene.words, scene.source
    subject = subject_of(words[:at], source, scene.before)
    if subject is None:
        return []
    while low_at(words, begin) in {"a", "an", "any", "the", "our", "such"}:
        begin += 1
    span = (words[0].start, words[min(begin, len(words) - 1)].end)
    if low_at(words, begin) in {"one", "it", "that", "any"}:
        return claimed(
            None
            if scene.one is None
            else claim(
                "existence",
                Phrase(scene.one.text, words[0].start, words[begin].end),
                "exists",
                TRUE,
                span,
                positive=False,
            )
        )
    noun, after = noun_of(words, begin, source)
    tail, end = tail_of(words, after, source)
    if (
        noun is None
        or noun.text.split()[-1].lower() in _ABSTRACT
        or low_at(words, end) in {"to", "that", "if", "whether"}
    ):
        return []
    span = (words[0].start, words[end - 1].end)
    if not subject.text:
        return claimed(claim("existence", noun.and_(tail), "exists", TRUE, span, positive=False))
    return claimed(claim("existence", subject, f"has {noun.and_(tail).text}", TRUE, span, positive=False))


def none_of(scene: Scene) -> list[FoundClaim]:
    """`none of the freezers has a generator`, `no write was lost`: what holds for nothing of a kind."""
    words = scene.words
    begin = (
        2
        if low_at(words, 0) in {"none", "neither"} and low_at(words, 1) == "of"
        else 1
        if low_at(words, 0) == "no"
        else 0
    )
    if not begin or (begin == 1 and any(word.mention is not None for word in words)):
        return []
    for at in range(begin + 1, min(len(words), begin + 8)):
        low = low_at(words, at)
        if low in DO or low in NOT or low in UNTOLD - BE - HAVE:
            return []
        if low in BE or low in HAVE or low in PAST or (begin > 1 and (is_main_verb(low) or low in ACTIONS)):
            return _none(scene, begin, at)
    return []


def _none(scene: Scene, begin: int, at: int) -> list[FoundClaim]:
    """Give the denial of what is said of a kind."""
    words, source = scene.words, scene.source
    subject = subject_of(words[begin:at], source, scene.before)
    rest = tuple(word for word in words[at + 1 :] if word.low[0].isalnum() and word.low not in _DROPPED)
    if subject is None or not subject.text or len(rest) > 6 or not is_plain(rest):  # noqa: PLR2004 - a small bound
        return []
    if not rest:
        verb = words[at].low
        bare = begin > 1 and verb in ACTIONS
        made = claim("none-of", subject, verb, TRUE, (words[0].start, words[at].end), positive=False) if bare else None
        return claimed(made)
    if begin == 1 and not (words[at].low in BE and (rest[0].low.endswith("ed") or rest[0].low in PAST | STATES)):
        return []
    said = joined(rest, source).text
    predicate = said if words[at].low in BE else f"{words[at].low} {said}"
    return claimed(claim("none-of", subject, predicate, TRUE, (words[0].start, rest[-1].end), positive=False))


def denied_action(scene: Scene) -> list[FoundClaim]:
    """`we do not store card numbers`, `ward 3 no longer accepts visitors`: a habit or an event that is denied."""
    words = scene.words
    for at in range(1, len(words) - 2):
        if low_at(words, at) == "no" and low_at(words, at + 1) == "longer":
            verb = low_at(words, at + 2)
            known = verb.rstrip("s") in ACTIONS or verb in ACTIONS or is_inflected(words, at + 2)
            return _denied(scene, at, at + 2) if verb and verb not in UNTOLD and known else []
    never = next((n for n in range(1, len(words) - 1) if low_at(words, n) == "never"), 0)
    if never and low_at(words, never - 1) not in HAVE | BE | DO:
        verb = low_at(words, never + 1)
        return _denied(scene, never, never + 1) if is_past(verb) and verb not in _EITHER | UNTOLD else []
    return _not_done(scene)


def _not_done(scene: Scene) -> list[FoundClaim]:
    """Give what a `does not`, `has not` or `is not` denies."""
    words = scene.words
    for at in range(1, len(words)):
        if words[at].mention is not None or not (words[at].low in DO or words[at].low in HAVE or words[at].low in BE):
            continue
        begin = at + 1 + (low_at(words, at + 1) in NOT)
        if words[at].low not in NOT and low_at(words, at + 1) not in NOT:
            continue
        while low_at(words, begin) in {"yet", "currently", "ever", "actually", "still", "been", "being"}:
            begin += 1
        verb = low_at(words, begin)
        if (
            verb not in ACTIONS
            and verb not in EVENTS
            and not is_main_verb(verb)
            and not (verb.endswith("ed") and words[at].low in HAVE | BE)
            and not _names_what(words, at, begin)
        ):
            return []
        return _denied(scene, at, begin)
    return []


_SHARES: Final = words_of("third half quarter most many some few several part majority minority fraction")
"""What is denied of a part of something is not denied of it."""


def _denied(scene: Scene, at: int, begin: int) -> list[FoundClaim]:
    """Give the denial of a verb and its object."""
    words, source = scene.words, scene.source
    named = words[:at]
    plain = tuple(word for word in named if word.low[0].isalnum())
    ours = bool(plain) and plain[-1].low in {"we", "i", "they"}
    subject = Phrase("", words[0].start, words[0].end) if ours else subject_of(named, source, scene.before)
    rest = tuple(word for word in words[begin + 1 :] if word.low not in _DROPPED and word.low[0].isalnum())
    if (
        subject is None
        or len(rest) > 9  # noqa: PLR2004 - a small bound
        or any(word.low in _SHARES for word in plain)
        or any(word.mention is not None and word.mention.kind != "period" for word in rest)
        or (rest and not is_plain(rest))
    ):
        return []
    verb = words[begin].low
    span = (words[0].start, words[-1].end)
    if subject.text:
        predicate = f"{verb} {joined(rest, source).text}".strip()
        return claimed(claim("denied-action", subject, predicate, TRUE, span, positive=False))
    objects = joined(rest, source)
    if not objects.text or any(word.low in {"it", "this", "that", "them", "one"} for word in rest):
        if not plain:
            return []
        objects = Phrase(plain[-1].low, plain[-1].start, plain[-1].end)
    return claimed(claim("denied-action", objects, verb, TRUE, span, positive=False))


def state(scene: Scene) -> list[FoundClaim]:
    """`the bucket is encrypted`, `the DPA is not signed`, `the region is eu-west-1`: a state anybody can check."""
    words = scene.words
    for at in range(1, len(words)):
        if words[at].mention is None and words[at].low in BE:
            subject = subject_of(words[:at], scene.source, scene.before)
            if subject is None:
                return []
            return _state(scene, subject, at)
    return []


_AGREED: Final = words_of("deadline budget target goal limit rule policy cap quota scope maximum minimum")
"""What is set rather than found: that it is fixed or open states nothing of the world."""


def _state(  # noqa: C901 - one case a form
    scene: Scene, subject: Phrase, at: int
) -> list[FoundClaim]:
    """Give the state after a form of `be`."""
    words, source = scene.words, scene.source
    if set(subject.text.lower().split()) & _AGREED:
        return []
    denied = words[at].low in NOT
    begin = at + 1
    while (
        low_at(words, begin) in ADVERBS
        or low_at(words, begin) in NOT
        or low_at(words, begin) in {"yet", "longer", "no", "now"}
    ):
        denied ^= low_at(words, begin) in NOT or (low_at(words, begin) == "no" and low_at(words, begin + 1) == "longer")
        if low_at(words, begin) == "no" and low_at(words, begin + 1) != "longer":
            return []
        begin += 1
    end = begin
    while (
        end < len(words)
        and end - begin < 3  # noqa: PLR2004 - a small bound
        and low_at(words, end)
        and low_at(words, end) not in STATES
        and low_at(words, end)[0].isalnum()
        and low_at(words, end) not in PREPOSITIONS
    ):
        end += 1
    span = (subject.start, words[min(end, len(words) - 1)].end)
    switched = low_at(words, end) in {"on", "off"} and not any(word.low[0].isalnum() for word in words[end + 1 :])
    if (low_at(words, end) in STATES or switched) and subject.text:
        tail, after = tail_of(words, end + 1, source)
        timed = low_at(words, end + 1) in {"since", "for", "until", "at"} and end + 3 >= len([
            word for word in words if word.low[0].isalnum()
        ])
        if any(word.mention is not None and word.mention.kind != "period" for word in words[end + 1 :]) and not (
            timed and low_at(words, end) not in EVENTS
        ):
            return []
        if timed:
            tail, after = None, len(words)
        if any(
            word.low[0].isalnum() and word.low not in _DROPPED and word.low not in ADVERBS for word in words[after:]
        ):
            return []
        name = joined(words[begin : end + 1], source)
        predicate = (
            name.and_(tail).text
            if tail is not None and not any(w.mention for w in words[end + 1 : after])
            else name.text
        )
        return claimed(
            claim("state", subject, predicate, TRUE, (span[0], words[max(end, after - 1)].end), positive=not denied)
        )
    return _attribute(scene, subject, words[begin:], denied=denied)


def _attribute(scene: Scene, subject: Phrase, words: tuple[Word, ...], *, denied: bool) -> list[FoundClaim]:
    """Give a named attribute: `the primary region is eu-west-1`."""
    head = {
        word.lower()
        for word in subject.text.split()[:1] + subject.text.split(" of ")[0].split()[-1:] + subject.text.split()[-1:]
    }
    kept = tuple(word for word in words if word.low not in {".", "!", '"'})
    if (
        not head & ATTRIBUTES
        or not 0 < len(kept) <= 3  # noqa: PLR2004 - a small bound
        or any(not word.low[0].isalnum() for word in kept)
        or not is_plain(kept)
    ):
        return []
    name = joined(kept, scene.source)
    if (
        not name.text
        or name.text.lower() in {"unknown", "good", "bad", "fine", "wrong", "great", "ok"}
        or kept[0].low in PREPOSITIONS
    ):
        return []
    return claimed(
        claim(
            "state", subject, "is", Value(type="string", text=name.text), (subject.start, name.end), positive=not denied
        )
    )
