"""Quantities in a row without a verb: `ACV $48,000, term 24 months, 120 seats`, each piece a name and its value."""

from typing import Final

from stanchion_extraction.core.prose.clause import is_finite
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.lexicon import BE, DO, FILLERS, HAVE, MODALS, NOT, PREPOSITIONS, words_of
from stanchion_extraction.core.prose.phrase import COMPARED, Phrase, noun_of, past_whole, subject_of, tail_of
from stanchion_extraction.core.prose.quantity import Mention
from stanchion_extraction.core.prose.scene import Scene, claim, mention_at
from stanchion_extraction.core.prose.word import Word

_MARKS: Final = frozenset({",", ";", "and", "&", ".", "|", "/", "·", "•", "!", "+"})
_MEASURES: Final = frozenset({"number", "money", "percent", "duration"})
_WANTED: Final = words_of(
    "target goal cap limit quota threshold plan max maximum minimum min estimate forecast objective ceiling floor"
)
_LINKS: Final = frozenset({"of", "at", "=", ":", "is", "around", "-", "–"})  # noqa: RUF001 - as texts have them
_MOST: Final = 5
"""Words of a name."""


def row(scene: Scene) -> list[FoundClaim]:
    """`6 attendees, budget of 60k GBP`, `31 applied, 9 screened`: pieces in a row, two at least, and nothing else."""
    claims = pieces(scene.words, scene.source)
    return claims if claims is not None and len(claims) > 1 else []


def piece(scene: Scene) -> list[FoundClaim]:
    """`31 applied` behind a label, or in a row that a comma parts: one piece and nothing else."""
    return pieces(scene.words, scene.source) or []


_PLACES: Final = frozenset({"on", "in", "at", "for", "since", "after"})
_WHOLES: Final = words_of("all every each average total time budget year fy most any")


def placed_piece(scene: Scene) -> list[FoundClaim]:
    """`cpu 88% on db-2`, `temp 41C in rack 9`: one measured level and where, as a whole message."""
    words = scene.words
    at = next((n for n, word in enumerate(words) if word.mention is not None), 0)
    mention = mention_at(words, at)
    if mention is None or mention.value is None or mention.kind not in {"percent", "duration", "number"}:
        return []
    measured = mention.kind == "percent" or mention.value.unit
    if not 0 < at < 4 or not measured or at + 2 >= len(words) or words[at + 1].low not in _PLACES:  # noqa: PLR2004
        return []
    rest = words[at + 1 :]
    if any(word.low in _WHOLES for word in words if word.mention is None):
        return []
    if any(word.mention is not None and word.mention.kind in {"period", "date"} for word in rest):
        return []
    return pieces(words, scene.source) or []


def pieces(words: tuple[Word, ...], source: str) -> list[FoundClaim] | None:
    """Give the claims of pieces in a row; None where one of them is more than a name and a value.

    A piece without a value, or one that names a target, makes none.
    """
    claims: list[FoundClaim] = []
    for one in _split(words):
        if any(word.low in BE | HAVE | DO | MODALS | NOT for word in one if word.mention is None):
            return None
        if all(word.mention is None for word in one):
            if any(is_finite(word) for word in one):
                return None
            continue
        made = _counted(one, source) if one[0].mention is not None else _named(one, source)
        if made is None and claims:
            made = _of_last(one, claims[-1], source)
        if made is None:
            return None
        if not set(made.subject.lower().split()) & _WANTED:
            claims.append(made)
    return claims


def _split(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """Give the pieces between marks, without the fillers a row begins with."""
    found: list[tuple[Word, ...]] = []
    begin = 0
    while begin < len(words) and words[begin].mention is None and words[begin].low in FILLERS:
        begin += 1
    for at in range(begin, len(words) + 1):
        if at == len(words) or (words[at].mention is None and words[at].low in _MARKS):
            if at > begin:
                found.append(words[begin:at])
            begin = at + 1
    return found


def _is_level(mention: Mention) -> bool:
    """Tell whether a value is a level, and no bound: `at most 3 vans` without a verb is what somebody wants."""
    return mention.value is not None and mention.kind in _MEASURES and mention.value.op in {"", "~"}


def _of_last(piece: tuple[Word, ...], last: FoundClaim, source: str) -> FoundClaim | None:
    """Give `103 for the new logo` after `188 votes`: of what was counted last."""
    mention = mention_at(piece, 0)
    if mention is None or mention.value is None or mention.kind != "number" or not _is_level(mention) or len(piece) < 3:  # noqa: PLR2004
        return None
    tail, end = tail_of(piece, 1, source)
    if tail is None or end < len(piece) or piece[1].low not in {"for", "against", "from", "in", "with", "without"}:
        return None
    subject = Phrase(last.subject, piece[0].start, piece[0].end).and_(tail)
    return claim("row", subject, "is", mention.value, (piece[0].start, piece[-1].end))


_RATES: Final = frozenset({"rps", "qps", "fps", "rpm", "Mbps", "Gbps"})
"""Units that name what they measure."""


def _counted(piece: tuple[Word, ...], source: str) -> FoundClaim | None:
    """Give `120 seats`, `31 applied`: a value and what it is of."""
    mention = mention_at(piece, 0)
    noun, after = noun_of(piece, 1, source)
    tail, end = tail_of(piece, after, source)
    if noun is None and len(piece) == 1 and mention is not None and mention.value is not None:
        unit = mention.value.unit if mention.kind == "number" else ""
        noun = Phrase(unit, piece[0].start, piece[0].end) if unit in _RATES else None
    if mention is None or noun is None or end < len(piece) or not _is_level(mention):
        return None
    if noun.text.lower().split()[0] in COMPARED:
        return None
    if mention.value is None:
        return None
    return claim("row", noun.and_(tail), "is", mention.value, (piece[0].start, piece[-1].end))


def _named(piece: tuple[Word, ...], source: str) -> FoundClaim | None:
    """Give `term 24 months`, `budget of 60k GBP`: a name and its value."""
    at = next(n for n, word in enumerate(piece) if word.mention is not None)
    mention = mention_at(piece, at)
    named = piece[:at]
    while named and named[-1].low in _LINKS:
        named = named[:-1]
    if mention is None or not _is_level(mention) or not 0 < len(named) <= _MOST:
        return None
    subject = subject_of(named, source, None)
    if subject is None or not subject.text or any(is_finite(word) for word in named) or mention.value is None:
        return None
    if named[0].low in COMPARED or named[-1].low in PREPOSITIONS:
        return None
    noun, after = noun_of(piece, past_whole(piece, at), source)
    tail, end = tail_of(piece, after, source)
    last = mention_at(piece, end)
    if end + 1 == len(piece) and last is not None and last.kind == "time":
        end += 1
    if end < len(piece) or (noun is not None and noun.text.lower().split()[0] in COMPARED):
        return None
    return claim("row", subject.and_(noun, tail), "is", mention.value, (subject.start, piece[-1].end))


def rest_of(words: tuple[Word, ...], claims: list[FoundClaim], source: str) -> list[FoundClaim]:
    """Give the pieces that follow what a clause stated: `battery health is 87%, cycle count 412`."""
    end = max(made.end for made in claims)
    rest = tuple(word for word in words if word.start >= end)
    if not rest or rest[0].low not in {",", ";"} or all(word.mention is None for word in rest):
        return []
    return pieces(rest, source) or []
