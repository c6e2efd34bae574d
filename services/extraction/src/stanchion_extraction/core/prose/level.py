"""A subject and its level: `churn is 6%`, `the bucket holds 41.7 TB`, `Fabrikam has 1,250 seats`."""

# ruff: noqa: RUF001 - the texts that are read have these marks

from typing import Final

from msgspec.structs import replace

from stanchion_contracts.value import Value, ValueType
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import (
    BE,
    COUNTS,
    DETERMINERS,
    HAVE,
    LEVEL_PARTICLES,
    LEVELS,
    NOT,
    words_of,
)
from stanchion_extraction.core.prose.phrase import COMPARED, Phrase, compared_at, joined, noun_of, subject_of, tail_of
from stanchion_extraction.core.prose.predicated import Predicated, is_bare, is_definite, is_only_be, predicated
from stanchion_extraction.core.prose.quantity import Mention
from stanchion_extraction.core.prose.scene import Scene, claim, claimed, low_at, mention_at
from stanchion_extraction.core.prose.word import Word

_MOVED: Final = words_of(
    "grew rose fell dropped climbed increased decreased declined shrank jumped slipped surged dipped "
    "improved worsened moved went came"
)
PLAIN: Final = words_of(
    "has have had holds hold held contains contain contained includes include included 've owns own "
    "owned employs comprises seats"
)


def level(scene: Scene) -> list[FoundClaim]:
    """`S is V`, `S reached V`, `S fell to V`: the plain statement of a level, and its denial."""
    for found in predicated(scene):
        mention = mention_at(scene.words, found.at)
        if (
            mention is None
            or mention.value is None
            or not is_bare(found.between)
            or is_definite(scene.words, found.at)
            or _is_undecided(scene.words, found.at)
            or low_at(scene.words, found.at - 1) == "of"
        ):
            continue
        verbs = [verb for verb in found.verb if verb not in BE and not (verb in HAVE and len(found.verb) > 1)]
        if any(verb in PLAIN or (verb in COUNTS and verb not in LEVELS) for verb in verbs):
            continue
        if not (set(found.verb) & (BE | LEVELS | HAVE)):
            continue
        made = _level(scene, found, mention)
        if made:
            return made
    return []


def _level(scene: Scene, found: Predicated, mention: Mention) -> list[FoundClaim]:  # noqa: C901, PLR0911 - one case a form
    """Give the claims of one level: its own, what it is not, its part of a whole, and others in a row."""
    if low_at(scene.words, found.at - 1) == "from" and mention.value is not None and mention.value.type != "range":
        later = mention_at(scene.words, found.at + 2)
        if low_at(scene.words, found.at + 1) != "to" or later is None:
            return []
        found, mention = replace(found, at=found.at + 2, between=(*found.between, scene.words[found.at + 1])), later
    words, source = scene.words, scene.source
    if mention.kind in {"date", "time", "version", "period"} and not is_only_be(found.verb):
        return []
    value = mention.value
    if value is None or mention.kind == "period":
        return []
    if (
        mention.kind == "duration"
        and is_only_be(found.verb)
        and low_at(words, found.at - 1) in {"for", "since", "during"}
    ):
        return []
    noun, after = noun_of(words, found.at + 1, source)
    placed = noun is None and _is_placed(words, found.at + 1, value)
    if not placed and (compared_at(words, after) or compared_at(words, found.at + 1)):
        return []
    tail, end = _placed_tail(scene, after) if placed else tail_of(words, after, source)
    if low_at(words, end) == "or" and mention_at(words, end + 1) is not None:
        return []
    if noun is None and low_at(words, after) == "but" and mention_at(words, after + 1) is not None:
        noun, beyond = noun_of(words, after + 2, source)
        tail, _ = tail_of(words, beyond, source)
    predicate = _predicate(found)
    if len(listed := _listed(words, found.at)) > 1:
        span = (found.subject.start, words[found.at + 2 * len(listed) - 2].end)
        return claimed(*(claim("level", found.subject, predicate, one, span) for one in listed))
    moved = _moved_to(words, found.at, value, set(found.verb))
    predicate = predicate if moved is value else "is"
    value = moved
    subject = _subject(found.subject, noun, scene.before).and_(_total(found, words))
    if low_at(words, found.at - 1) == "by" and predicate not in _MOVED:
        return []
    whole = _whole(words, found.at, mention, found.subject, source)
    if whole is not None:
        tail, end = None, after
    span = (found.subject.start, max(words[found.at].end, words[end - 1].end))
    first = claim("level", subject.and_(tail), predicate, value, span, positive=not found.negative)
    if first is None:
        return []
    others = _others(scene, found, end, predicate)
    arrived = _arrived(scene, found, first, end)
    return claimed(first, *_instead(scene, found, noun, end), whole, *others, _change(scene, first, end), arrived)


_LENGTHS: Final = frozenset({"mm", "cm", "m", "km", "ft", "in"})
_COMPARING: Final = words_of(
    "target plan average expected expectation expectations forecast last previous the normal limit spec design budget"
) - {"the"}


def _is_placed(words: tuple[Word, ...], at: int, value: Value) -> bool:
    """Tell whether `3.2 m below grade` says where something is, and compares it with no other level."""
    if value.unit not in _LENGTHS or low_at(words, at) not in {"below", "above", "under", "over"}:
        return False
    rest = {word.low for word in words[at + 1 : at + 5]}
    return bool(low_at(words, at + 1)) and not rest & _COMPARING


def _is_undecided(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `5, 6 or 7 euros` leaves open which."""
    while low_at(words, at + 1) == "," and mention_at(words, at + 2) is not None:
        at += 2
    return low_at(words, at + 1) == "or" and mention_at(words, at + 2) is not None


def _listed(words: tuple[Word, ...], at: int) -> list[Value]:
    """Give the values of `97, 98 and 95 percent`: the unit that the last one has is that of all."""
    values: list[Value] = []
    while (mention := mention_at(words, at)) is not None and mention.value is not None:
        values.append(mention.value)
        if mention.kind != "number" or mention.value.unit:
            break
        if low_at(words, at + 1) not in {",", "and"}:
            return []
        at += 2
    last = values[-1] if values else None
    if last is None or last.type == "range" or (last.type == "number" and not last.unit) or mention is None:
        return []
    return [replace(last, text=value.text) for value in values]


def _placed_tail(scene: Scene, at: int) -> tuple[Phrase | None, int]:
    """Give `below grade at borehole B4`, and where it ends."""
    _, end = noun_of(scene.words, at + 1, scene.source)
    _, end = tail_of(scene.words, end, scene.source)
    return joined(scene.words[at:end], scene.source), end


def _total(found: Predicated, words: tuple[Word, ...]) -> Phrase | None:
    """Give the `total` of `3 trucks came, total 66 t`, which is a noun there."""
    last = words[found.at - 1]
    return Phrase("total", last.start, last.end) if found.verb == ("total",) else None


def _arrived(scene: Scene, found: Predicated, first: FoundClaim, at: int) -> FoundClaim | None:
    """Give where a movement ended: the 48,300 of `rose 12% to 48,300`."""
    words = scene.words
    mention = mention_at(words, at + 1)
    if low_at(words, at) != "to" or not set(found.verb) & _MOVED or mention is None or mention.value is None:
        return None
    if mention.kind not in _MEASURES:
        return None
    noun, after = noun_of(words, at + 2, scene.source)
    tail, end = tail_of(words, after, scene.source)
    subject = Phrase(first.subject, first.start, first.end).and_(noun, tail)
    return claim("level", subject, "is", mention.value, (first.start, words[end - 1].end))


def _change(scene: Scene, first: FoundClaim, at: int) -> FoundClaim | None:
    """Give `, up 19 percent` after a level: how it moved."""
    words = scene.words
    if low_at(words, at) in {"this", "last"}:
        at += 2
    while low_at(words, at) in {",", "(", "-", "–", "—"}:
        at += 1
    way = low_at(words, at)
    at += 1 + (low_at(words, at + 1) == "by")
    mention = mention_at(words, at)
    if way not in {"up", "down"} or mention is None or mention.value is None or mention.kind != "percent":
        return None
    if low_at(words, at + 1) in {"to", "at", "if", "or"}:
        return None
    subject = Phrase(first.subject, first.start, words[at].end)
    return claim("change", subject, way, mention.value, (first.start, words[at].end))


def _subject(subject: Phrase, noun: Phrase | None, before: Phrase | None) -> Phrase:
    """Give what a level is of: with what is counted, unless the subject already says so or is only an `it`."""
    if noun is None or set(noun.text.lower().split()) <= set(subject.text.lower().split()):
        return subject
    return noun if subject is before else subject.and_(noun)


def _predicate(found: Predicated) -> str:
    """Give `is`, or the verb of a movement or a cost."""
    verb = [part for part in found.verb if part not in BE and part not in HAVE]
    particles = [word.low for word in found.between if word.low in LEVEL_PARTICLES]
    if not verb or (
        verb[0] not in _MOVED
        and verb[0] not in {"took", "takes", "lasts", "lasted", "costs", "cost", "doubled", "tripled", "halved"}
    ):
        return "is"
    return "is" if verb[0] in _MOVED and {"to", "at"} & set(particles) else verb[0]


def _moved_to(words: tuple[Word, ...], at: int, value: Value, verb: set[str]) -> Value:
    """Give where a movement `from 5 to 7` ends, for it is no range."""
    if value.type != "range" or low_at(words, at - 1) != "from" or not verb & (_MOVED | LEVELS):
        return value
    type_: ValueType = (
        "percent" if value.unit == "%" else "money" if len(value.unit) == 3 and value.unit.isupper() else "number"  # noqa: PLR2004 - a small bound
    )
    return Value(
        type=type_, text=value.text.partition("..")[2], unit="" if type_ == "percent" else value.unit, op=value.op
    )


def _whole(words: tuple[Word, ...], at: int, mention: Mention, subject: Phrase, source: str) -> FoundClaim | None:
    """Give the capacity in `83% of 12 TB`."""
    del source
    other = mention_at(words, at + 2)
    if low_at(words, at + 1) != "of" or other is None or other.value is None or mention.kind != "percent":
        return None
    capacity = Phrase(f"{subject.text} capacity" if subject.text else "", subject.start, words[at + 2].end)
    return claim("level", capacity, "is", other.value, (subject.start, words[at + 2].end))


def _instead(scene: Scene, found: Predicated, noun: Phrase | None, end: int) -> list[FoundClaim]:
    """Give the other half of `not 5 but 7` and of `212, not 221`."""
    words = scene.words
    at = end
    while low_at(words, at) in {
        ",",
        ";",
        "-",
        "–",
        "—",
        "and",
        "but",
        "rather",
        "than",
        "instead",
        "of",
        "it's",
        "is",
        "it",
        "'s",
        "now",
    }:
        at += 1
    joints = {low_at(words, i) for i in range(end, at)}
    denied = low_at(words, at) == "not"
    at += denied
    mention = mention_at(words, at)
    if mention is None or mention.value is None or at == end:
        return []
    if found.negative and not denied and joints & {"but", ",", "-", "–", "—", "it"}:
        positive = True
    elif not found.negative and (denied or {"rather", "instead"} & joints):
        positive = False
    else:
        return []
    own, after = noun_of(words, at + 1, scene.source)
    tail, _ = tail_of(words, after, scene.source)
    subject = _subject(found.subject, own or noun, scene.before).and_(tail)
    return claimed(
        claim("level", subject, "is", mention.value, (found.subject.start, words[after - 1].end), positive=positive)
    )


def _others(scene: Scene, found: Predicated, at: int, predicate: str) -> list[FoundClaim]:
    """Give `and 6% in June` after `5% in May`: other places of the same level, each with its own period."""
    words = scene.words
    claims: list[FoundClaim | None] = []
    while low_at(words, at) in {"and", ","} and not found.negative:
        at += 1 + (low_at(words, at + 1) == "and")
        mention = mention_at(words, at)
        if mention is None or mention.value is None or mention.kind in {"date", "time", "period"}:
            break
        noun, after = noun_of(words, at + 1, scene.source)
        tail, end = tail_of(words, after, scene.source)
        if (tail is None and (noun is None or found.subject.text)) or low_at(words, end) in COMPARED:
            break
        subject = _subject(found.subject, noun, scene.before).and_(tail)
        claims.append(claim("level", subject, predicate, mention.value, (found.subject.start, words[end - 1].end)))
        at = end
    return claimed(*claims)


def inverted(scene: Scene) -> list[FoundClaim]:
    """`in our plant is the scrap rate 2.4%`: place, verb, subject, value, as German writers of English have it."""
    words = scene.words
    at = next((n for n, word in enumerate(words) if word.mention is None and word.low in BE), None)
    if at is None or not 1 < at < 8 or low_at(words, 0) not in {"in", "on", "at", "for", "since"}:  # noqa: PLR2004 - a place
        return []
    if low_at(words, at + 1).endswith("ing") and mention_at(words, at + 2) is not None:
        return _going_on(scene, at)
    end = next((n for n in range(at + 1, len(words)) if words[n].mention is not None), None)
    mention = None if end is None else mention_at(words, end)
    if end is None or mention is None or mention.value is None or mention.kind not in _MEASURES:
        return []
    if low_at(words, at + 1) not in DETERMINERS or any(word.low in NOT for word in words):
        return []
    place = tail_of(words[:at], 0, scene.source)[0]
    subject = subject_of(words[at + 1 : end], scene.source, None)
    if subject is None or not subject.text or low_at(words, end + 1) in COMPARED:
        return []
    return claimed(claim("inverted", subject.and_(place), "is", mention.value, (words[0].start, words[end].end)))


def _going_on(scene: Scene, at: int) -> list[FoundClaim]:
    """Give `in our plant is working 85 people`: place, verb, and how many do it."""
    words = scene.words
    mention = mention_at(words, at + 2)
    noun, end = noun_of(words, at + 3, scene.source)
    if mention is None or mention.value is None or noun is None or mention.kind != "number":
        return []
    place = tail_of(words[:at], 0, scene.source)[0]
    doing = Phrase(words[at + 1].low, words[at + 1].start, words[at + 1].end)
    span = (words[0].start, words[end - 1].end)
    return claimed(claim("inverted", noun.and_(doing, place), "is", mention.value, span))


_MEASURES: Final = frozenset({"number", "money", "percent", "duration"})


def share_at(scene: Scene) -> list[FoundClaim]:
    """`consolidation is under way at 61% of enterprises`: how much of a whole a subject holds for."""
    for found in predicated(scene):
        words, at = scene.words, found.at
        mention = mention_at(words, at)
        if (
            mention is None
            or mention.value is None
            or mention.kind != "percent"
            or found.negative
            or low_at(words, at + 1) != "of"
        ):
            continue
        if (
            low_at(words, at - 1) not in {"at", "in", "for", "on", "by"}
            or len(found.between) > 5  # noqa: PLR2004 - a small bound
            or not is_only_be(found.verb)
            or not found.subject.text
        ):
            continue
        whole, end = noun_of(words, at + 2 + (low_at(words, at + 2) in DETERMINERS), scene.source)
        if whole is not None:
            return claimed(
                claim(
                    "share-at",
                    found.subject.and_(whole),
                    "is",
                    mention.value,
                    (found.subject.start, words[end - 1].end),
                )
            )
    return []
