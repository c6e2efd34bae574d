"""A quantity first: `12 of 48 reviews were late`, `three services write to the table`, `34% growth` as reported."""

# ruff: noqa: RUF001 - the texts that are read have these marks

from typing import Final

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.clause import is_finite
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import (
    ACTIONS,
    BE,
    DETERMINERS,
    FILLERS,
    HAVE,
    NOT,
    PAST,
    PREPOSITIONS,
    PROMOTED,
    STATES,
    UNTOLD,
    words_of,
)
from stanchion_extraction.core.prose.phrase import (
    COMPARED,
    Phrase,
    deictic_of,
    is_plain,
    joined,
    noun_of,
    subject_of,
    tail_of,
)
from stanchion_extraction.core.prose.scene import Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.verb import is_inflected, is_past
from stanchion_extraction.core.prose.word import Word

_MOST: Final = 11
_COUNTED: Final = frozenset({"number", "percent"})


def _begin(words: tuple[Word, ...]) -> int:
    """Give where a clause begins, without `and`, `so far` and an article."""
    at = 2 if low_at(words, 0) == "so" and low_at(words, 1) == "far" else 0
    if low_at(words, 0) == "in" and low_at(words, 1) in {"total", "all"}:
        at = 2
    elif (deictic := deictic_of(words)) > 0:
        at = deictic
    elif low_at(words, 0) in {"on", "in", "since", "by"} and _is_when(words, 1) and mention_at(words, 2) is not None:
        at = 2
    elif low_at(words, 0) in PREPOSITIONS:
        at = next((n + 1 for n in range(2, min(9, len(words))) if low_at(words, n) == ","), 0)
    while (
        at < len(words)
        and words[at].mention is None
        and (
            words[at].low in FILLERS
            or words[at].low in {"the", "a", "an", "=", "-", "*"}
            or not words[at].low[0].isalnum()
        )
    ):
        at += 1
    return at


_DAYS: Final = words_of("monday tuesday wednesday thursday friday saturday sunday")


def _is_when(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a day, a month or a date stands here."""
    mention = mention_at(words, at)
    return low_at(words, at) in _DAYS or (mention is not None and mention.kind in {"period", "date", "time"})


def part(scene: Scene) -> list[FoundClaim]:
    """`12 of 48 reviews were late`, `61% of orders ship in a day`: a part of a whole, and the whole."""
    words = scene.words
    at = _begin(words)
    first = mention_at(words, at)
    of = at + 1 + (low_at(words, at + 1) == "out")
    if first is None or first.value is None or first.kind not in _COUNTED or low_at(words, of) != "of":
        return []
    begin = of + 1 + (low_at(words, of + 1) in DETERMINERS and mention_at(words, of + 2) is not None)
    second = mention_at(words, begin)
    rest = begin + (second is not None)
    named = _rest(scene, rest)
    if named is None:
        return []
    phrase, end = named
    span = (words[at].start, words[end - 1].end)
    whole = None
    if second is not None and second.value is not None and second.kind == "number":
        noun = _counted_noun(scene, rest)
        if noun is None:
            return []
        whole = claim("part", noun, "is", second.value, span)
    elif second is not None:
        return []
    return claimed(claim("part", phrase, "is", first.value, span), whole)


def _counted_noun(scene: Scene, at: int) -> Phrase | None:
    """Give what a whole counts, without the state of its part: the lathes of `3 of 4 lathes running`."""
    words = scene.words
    _, end = noun_of(words, at, scene.source)
    while end - at > 1 and (words[end - 1].low in STATES | ACTIONS or words[end - 1].low.endswith("ing")):
        end -= 1
    return joined(words[at:end], scene.source) if end > at else None


def _rest(scene: Scene, at: int) -> tuple[Phrase, int] | None:
    """Give what a part is of, with what is said of it, as one phrase."""
    words = scene.words
    kept: list[Word] = []
    begin = at
    while at < len(words) and len(kept) < _MOST:
        word = words[at]
        if word.low in NOT or (word.mention is not None and word.mention.kind not in {"period", "duration", "version"}):
            return None
        if word.mention is None and (
            word.low in {",", ";", "—", "–"} or (word.low in COMPARED and not word.low.endswith("er"))
        ):
            break
        if word.low not in BE and word.low not in HAVE and word.low[0].isalnum():
            kept.append(word)
        at += 1
    if not kept:
        return None
    if kept[0].low in {"it", "them", "these", "those", "this", "that", "which"}:
        base = scene.before if kept[0].low in {"it", "this", "that"} else scene.counted or scene.before
        if base is None or (
            kept[0].low not in {"it", "this", "that"} and not base.text.lower().endswith(("s", "people"))
        ):
            return None
        return Phrase(
            f"{base.text} {joined(tuple(kept[1:]), scene.source).text}".strip(),
            words[begin].start,
            kept[-1].end,
        ), at
    return joined(tuple(kept), scene.source), at


def _of_them(scene: Scene, at: int) -> Phrase | None:
    """Give what `5 made it to the final` and `23 are done` are of: what was counted last, with what is said of it."""
    words = scene.words
    if scene.counted is None or at + 1 >= len(words):
        return None
    if low_at(words, at + 1) in BE and (low_at(words, at + 2) in STATES or is_past(low_at(words, at + 2))):
        rest = words[at + 2 : at + 3]
    elif low_at(words, at + 1) in PAST:
        rest = tuple(word for word in words[at + 1 : at + 8] if word.low[0].isalnum())
    else:
        return None
    if len(rest) < 1 or any(word.mention is not None or word.low in NOT for word in rest):
        return None
    return Phrase(f"{scene.counted.text} {joined(rest, scene.source).text}", words[at].start, rest[-1].end)


def counted_subject(scene: Scene) -> list[FoundClaim]:
    """`three services write to the table`, `~40 tickets/day come in`: so many of something do something."""
    words = scene.words
    at = _begin(words)
    mention = mention_at(words, at)
    if mention is None or mention.value is None or mention.kind != "number" or mention.value.unit or _is_due(words):
        return []
    if (of_them := _of_them(scene, at)) is not None:
        return claimed(claim("counted-subject", of_them, "is", mention.value, (words[at].start, of_them.end)))
    end = at + 1
    while end < len(words) and end - at < 7 and words[end].mention is None and not _verb_at(words, end, at):  # noqa: PLR2004 - a small bound
        if not words[end].low[0].isalnum():
            return []
        end += 1
    if (
        end == at + 1
        or end >= len(words)
        or words[end].mention is not None
        or words[end].low in NOT
        or not _verb_at(words, end, at)
    ):
        return []
    named = _rest(scene, at + 1)
    if named is None or any(word.low in BE or word.low in HAVE for word in words[at + 1 : end]):
        return []
    return claimed(claim("counted-subject", named[0], "is", mention.value, (words[at].start, words[named[1] - 1].end)))


def _is_due(words: tuple[Word, ...]) -> bool:
    """Tell whether `on Monday 14 people join` tells of a day to come: no past stands behind its day."""
    return low_at(words, 1) in _DAYS and not any(is_past(word.low) for word in words if word.mention is None)


def _verb_at(words: tuple[Word, ...], at: int, begin: int) -> bool:
    """Tell whether the verb of a counted subject stands here: a known one, or any behind `still` and its like."""
    marked = low_at(words, at - 1) in {"still", "already", "currently", "now", "also"} and at - begin > 2  # noqa: PLR2004
    plain = words[at].mention is None and words[at].low.isalpha() and words[at].low not in UNTOLD | PREPOSITIONS
    return _is_verb(words[at], at - begin) or (marked and plain and low_at(words, at - 2).endswith("s"))


def _is_verb(word: Word, after: int) -> bool:
    """Tell whether a word may be the verb after a counted noun."""
    return (
        after > 1
        and word.mention is None
        and (
            is_finite(word)
            or word.low in ACTIONS
            or word.low
            in {
                "come",
                "came",
                "go",
                "live",
                "sit",
                "wait",
                "remain",
                "report",
                "attend",
                "attended",
                "responded",
                "join",
                "joined",
                "left",
                "use",
            }
        )
    )


def of_whole(scene: Scene) -> list[FoundClaim]:
    """`of 230 employees, 148 cycle to work`: a whole, and how many of it do something."""
    words = scene.words
    begin = 1 + (low_at(words, 1) in DETERMINERS)
    mention = mention_at(words, begin)
    comma = next((n for n in range(begin + 2, min(len(words), begin + 9)) if words[n].low == ","), None)
    if low_at(words, 0) not in {"of", "out"} or mention is None or mention.kind != "number":
        return []
    comma = len(words) if comma is None and len(words) - begin < _MOST else comma
    if mention.value is None or comma is None or not is_plain(words[begin + 1 : comma]):
        return []
    noun = joined(words[begin + 1 : comma], scene.source)
    whole = claim("of-whole", noun, "is", mention.value, (words[0].start, noun.end))
    if comma == len(words):
        return claimed(whole)
    first = mention_at(words, comma + 1)
    named = _rest(scene, comma + 2)
    if first is None or first.value is None or named is None or first.kind not in _COUNTED:
        return []
    if low_at(words, comma + 2) in UNTOLD - BE - HAVE:
        return claimed(whole)
    of_it = Phrase(f"{noun.text} {named[0].text}", words[comma + 1].start, named[0].end)
    return claimed(claim("of-whole", of_it, "is", first.value, (words[0].start, named[0].end)), whole)


_THOUGHT: Final = words_of("would will might may could should can want wants wanted wish hope think believe")


def share_of_all(scene: Scene) -> list[FoundClaim]:
    """`8% had trouble logging in`, `71% rate the portal good`: a share of those counted before, and what they do."""
    words = scene.words
    at = _begin(words)
    mention = mention_at(words, at)
    verb = low_at(words, at + 1)
    if mention is None or mention.value is None or mention.kind != "percent" or not verb.isalpha():
        return []
    tells = is_past(verb) or verb in HAVE or verb in BE or low_at(words, at + 2) in DETERMINERS
    if not tells or verb in PREPOSITIONS or verb in _THOUGHT or verb in UNTOLD - HAVE - BE:
        return []
    named = _rest(scene, at + 1)
    if named is None or any(word.low in {"more", "less", "higher", "lower", "up", "down"} for word in words[at + 1 :]):
        return []
    base = "" if scene.counted is None else scene.counted.text
    had = "had" if verb == "had" else ""
    subject = Phrase(" ".join(f"{base} {had} {named[0].text}".split()), words[at].start, named[0].end)
    return claimed(claim("share-of-all", subject, "is", mention.value, (words[at].start, words[named[1] - 1].end)))


def reported_noun(scene: Scene) -> list[FoundClaim]:
    """`34% growth for the segment`, `revenue of $5M` after `Gartner reports`: a level told as a noun."""
    words = scene.words
    at = _begin(words)
    mention = mention_at(words, at)
    if mention is not None and mention.value is not None and mention.kind in {"percent", "money", "number", "duration"}:
        noun, after = noun_of(words, at + 1, scene.source)
        tail, end = tail_of(words, after, scene.source)
        if (
            noun is None
            or low_at(words, after) in COMPARED
            or (end < len(words) and low_at(words, end) not in {".", ",", "!", ")", '"', "”"})
        ):
            return []
        return claimed(
            claim("reported-noun", noun.and_(tail), "is", mention.value, (words[at].start, words[end - 1].end))
        )
    return _of_value(scene, at)


def _of_value(scene: Scene, at: int) -> list[FoundClaim]:
    """Give `revenue of $5M in May`."""
    words = scene.words
    noun, after = noun_of(words, at, scene.source)
    mention = mention_at(words, after + 1)
    if noun is not None and mention is not None and mention.kind == "date" and low_at(words, after) in {"for", "on"}:
        value = mention.value
        span = (noun.start, words[after + 1].end)
        return [] if value is None else claimed(claim("reported-noun", noun, low_at(words, after), value, span))
    if (
        noun is None
        or low_at(words, after) not in {"of", "at"}
        or mention is None
        or mention.value is None
        or mention.kind in {"period", "date"}
    ):
        return []
    tail, end = tail_of(words, after + 2, scene.source)
    if low_at(words, after + 2) in COMPARED:
        return []
    return claimed(claim("reported-noun", noun.and_(tail), "is", mention.value, (words[at].start, words[end - 1].end)))


def fragment(scene: Scene) -> list[FoundClaim]:
    """`112% used` after what it is of: a value and a participle, set behind a colon or a comma."""
    words = scene.words
    at = _begin(words)
    mention = mention_at(words, at)
    participle = low_at(words, at + 1)
    if (
        scene.before is None
        or mention is None
        or mention.value is None
        or mention.kind not in {"percent", "number", "money"}
    ):
        return []
    if (
        not participle.endswith(("ed", "left", "spent", "remaining", "gone"))
        or len([word for word in words[at + 2 :] if word.low[0].isalnum()]) > 1
    ):
        return []
    subject = Phrase(f"{scene.before.text} {participle}", scene.before.start, words[at + 1].end)
    return claimed(claim("fragment", subject, "is", mention.value, (words[at].start, words[at + 1].end)))


_HALVES: Final = (
    ("three quarters", 75),
    ("three-quarters", 75),
    ("a quarter", 25),
    ("one quarter", 25),
    ("half", 50),
    ("one half", 50),
)


def fraction(scene: Scene) -> list[FoundClaim]:
    """`half of our tickets are about billing`: a share in words; a third has no number to be kept."""
    words = scene.words
    at = _begin(words)
    low = " ".join(word.low for word in words[max(0, at - 1) : at + 3])
    for name, share in _HALVES:
        place = low.find(name)
        if place < 0 or place > 2:  # noqa: PLR2004 - an article may stand before it
            continue
        end = next(
            (n for n in range(at, min(at + 3, len(words))) if words[n].low in {"quarter", "quarters", "half"}), None
        )
        end = (
            end if end is not None else next((n for n in range(at, at + 1) if words[n].low.startswith(name[:5])), None)
        )
        if end is None:
            return []
        begin = end + 1 + (low_at(words, end + 1) == "of")
        named = _rest(scene, begin + (low_at(words, begin) in DETERMINERS))
        if named is None or (low_at(words, end + 1) not in {"of", "the", "our", "my", "all", "their", "its"}):
            return []
        if not any(is_finite(words[n]) or is_inflected(words, n) for n in range(begin + 1, len(words))):
            return []
        value = Value(type="percent", text=str(share))
        return claimed(claim("fraction", named[0], "is", value, (words[at].start, words[named[1] - 1].end)))
    return []


_PLANS: Final = words_of(
    "budget target goal discount raise cap limit increase cut quota threshold plan offer max maximum "
    "minimum estimate forecast"
)


def verbless(scene: Scene) -> list[FoundClaim]:
    """`api error rate 7.4%` in a log or behind a label: a level without a verb, of money or percent only."""
    words = scene.words
    at = next((n for n, word in enumerate(words) if word.mention is not None), None)
    mention = None if at is None else mention_at(words, at)
    if at is None or mention is None or mention.value is None or mention.kind not in {"percent", "money"}:
        return []
    tail, end = tail_of(words, at + 1, scene.source)
    subject = subject_of(words[: at - (low_at(words, at - 1) == "at")], scene.source, None)
    if (
        subject is None
        or not subject.text
        or set(subject.text.lower().split()) & _PLANS
        or any(is_finite(word) or word.low in UNTOLD | PROMOTED for word in words[:at])
    ):
        return []
    if any(word.low[0].isalnum() for word in words[end:]) or low_at(words, at + 1) in COMPARED:
        return []
    return claimed(claim("verbless", subject.and_(tail), "is", mention.value, (subject.start, words[end - 1].end)))
