"""Where one sentence says several things: its clauses, each judged on its own."""

# ruff: noqa: RUF001 - the texts that are read have these marks

from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.label import mood_of
from stanchion_extraction.core.prose.lexicon import (
    ACTIONS,
    BE,
    CONJUNCTIONS,
    COUNTS,
    DO,
    EVENTS,
    HAVE,
    IMPERATIVES,
    LEVELLING,
    LEVELS,
    MODALS,
    NOUNS_TOO,
    PRONOUNS,
    words_of,
)
from stanchion_extraction.core.prose.word import Word

_WISHES: Final = words_of(
    "want wants wanted need needs wish wishes hope hopes hoping like prefer prefers plan plans aim "
    "aims intend intends demand "
    "demands ask asks asked asking request requests requested expect expects please pls plz let's "
    "lets let only requires forbids prohibits mandates bans caps limits restricts prefers"
)
_HARD: Final = frozenset({";", "—", "–", "\n", "|", "→", "->", "/"})
_NO_VERBS: Final = words_of(
    "need indeed speed feed seed weed breed exceed proceed succeed unused united limited hundred "
    "naked sacred kindred shared embedded combined "
    "estimated expected required unlimited advanced related so-called bed sled tweed greed unified managed based"
)
_REACH: Final = 9
"""How many words into a clause its verb may stand."""


class Clause(Struct, frozen=True):
    """One clause of a sentence.

    Attributes:
        words: without what joins it to the clause before.
        joint: what joins it: a conjunction, a mark, or empty for the first one.
    """

    words: tuple[Word, ...]
    joint: str

    @property
    def start(self) -> int:
        """Give where it begins, in characters of the text."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Give where it ends."""
        return self.words[-1].end


def is_finite(word: Word) -> bool:
    """Tell whether a word may be the verb of a clause."""
    return word.mention is None and (
        word.low in BE or word.low in HAVE or word.low in DO or word.low in MODALS or is_main_verb(word.low)
    )


def is_main_verb(low: str) -> bool:
    """Tell whether a word is one of the verbs the rules know."""
    return (
        low in LEVELS
        or low in COUNTS
        or low in EVENTS
        or (low.endswith("ed") and low not in _NO_VERBS and len(low) > 4)  # noqa: PLR2004 - a small bound
    )


def clauses_in(words: tuple[Word, ...]) -> list[Clause]:
    """Give the clauses of a sentence, in order; a clause begins only where a verb of its own follows."""
    clauses: list[Clause] = []
    begin, joint = 0, ""
    at = 0
    verb_seen = False
    while at < len(words):
        size = _joint_at(words, at, verb_seen=verb_seen) if at > begin else 0
        if size:
            if at > begin:
                clauses.append(Clause(words[begin:at], joint))
            joint = " ".join(word.low for word in words[at : at + size])
            begin = at = at + size
            verb_seen = False
            continue
        verb_seen = (
            verb_seen
            or is_finite(words[at])
            or (words[at].low in _WISHES and words[at].low != "only")
            or words[at].low in ACTIONS
        )
        at += 1
    if begin < len(words):
        clauses.append(Clause(words[begin:], joint))
    return clauses


def _joint_at(words: tuple[Word, ...], at: int, *, verb_seen: bool) -> int:  # noqa: C901, PLR0911 - one way out a form
    """Give how many words join a new clause here, 0 where none begins."""
    word = words[at]
    if word.mention is not None:
        return 0
    if word.low in _HARD:
        return 0 if word.low == "/" else 1
    if word.low == "-" and words[at - 1].end < word.start and at + 1 < len(words) and words[at + 1].start > word.end:
        return 1
    if word.low == ":":
        label = " ".join(before.low for before in words[:at])
        said = _has_verb(words, at + 1) or any(after.mention is not None for after in words[at + 1 :])
        return int(verb_seen or (said and mood_of(label) is None))
    if word.low == "," and at + 1 < len(words):
        follows = words[at + 1].low in CONJUNCTIONS and words[at + 1].mention is None
        return _comma(words, at, follows=follows, verb_seen=verb_seen)
    if word.low in {"but", "because", "since", "although", "though", "whereas", "while"}:
        return 1 if verb_seen and not _is_value(words, at + 1) else 0
    if word.low in {"with", "at"} and verb_seen and _is_level(words, at + 1):
        return 1
    if word.low in {"and", "so", "or", "yet", "which"}:
        return 1 if verb_seen and _has_verb(words, at + 1) else 0
    return 0


def _is_level(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `an EBITDA margin of 14%` begins here: a level told as a noun."""
    if at >= len(words) or words[at].low not in {"a", "an"}:
        return False
    end = next((n for n in range(at + 1, min(at + 6, len(words))) if words[n].low == "of"), None)
    return end is not None and _is_value(words, end + 1) and all(word.is_name for word in words[at:end])


def _comma(words: tuple[Word, ...], at: int, *, follows: bool, verb_seen: bool) -> int:
    """Give how many words a comma and what follows it join a clause with."""
    if follows and words[at + 1].low in {"which", "who"} and _is_telling(words, at + 2):
        return 2
    if follows and words[at + 1].low in {"but", "because", "since", "although", "though", "whereas", "while", "so"}:
        return 0 if _is_value(words, at + 2) or not verb_seen else 2
    asks = at + 2 < len(words) and words[at + 1].low in (DO | BE | MODALS) and words[at + 2].low in PRONOUNS
    if not verb_seen:
        return int(asks or _is_doing(words, at + 1))
    size = 2 if follows else 1
    if words[at + 1].low == "with" and _is_value(words, at + 2):
        return 2
    if not follows and words[at + 1].low in LEVELLING and _is_value(words, at + 2):
        return 1
    return (
        size
        if _has_verb(words, at + size)
        or _is_doing(words, at + size)
        or (_is_value(words, at + size) and _is_share(words, at + size))
        else 0
    )


def _is_value(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a quantity stands here, after a `not` perhaps."""
    if at < len(words) and words[at].low in {"not", "rather", "still", "only"}:
        at += 1
    return at < len(words) and words[at].mention is not None


def _is_share(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `62% of …` begins here."""
    return at + 1 < len(words) and words[at].mention is not None and words[at + 1].low == "of"


def _is_telling(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `, which account for 64%` goes on here: a verb, and a value close behind it."""
    if at >= len(words) or not words[at].is_name or words[at].low in MODALS | PRONOUNS:
        return False
    return any(word.mention is not None for word in words[at + 1 : at + 5])


def _is_doing(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `8% had trouble` or `71% rate the portal` begins here."""
    mention = words[at].mention if at < len(words) else None
    if mention is None or mention.kind != "percent" or at + 2 >= len(words):
        return False
    return is_finite(words[at + 1]) or (
        words[at + 1].is_name and words[at + 2].low in {"the", "a", "an", "our", "their"}
    )


def _has_verb(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a verb follows before the next place where a clause may begin."""
    for ahead in range(at, min(at + _REACH, len(words))):
        word = words[ahead]
        if word.mention is None and word.low in {",", ";", "and", "but", "or"}:
            return False
        if word.low == "last" and words[ahead - 1].low in {"on", "in", "the", "since", "from", "than"}:
            continue
        if is_finite(word) or word.low in _WISHES or word.low in {"i'm", "im"}:
            return True
        if ahead == at and word.low in IMPERATIVES and word.low not in NOUNS_TOO:
            return True
    return False
