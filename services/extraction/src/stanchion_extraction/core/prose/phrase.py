"""What a claim is about: the noun phrase before or after its verb, or nothing where it is no plain one."""

# ruff: noqa: RUF001 - the texts that are read have these marks

from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.lexicon import (
    BE,
    DETERMINERS,
    DO,
    FILLERS,
    HAVE,
    MODALS,
    NOT,
    OURS,
    PREPOSITIONS,
    PRONOUNS,
    TELLING,
    WANTED,
    words_of,
)
from stanchion_extraction.core.prose.word import Word

MOST_WORDS: Final = 12
_TIMES: Final = words_of("day month year week hour quarter minute second min sec seat user request person")
_CLOSED: Final = words_of(
    "to that which who whose whom whether if not no none nothing nobody how what why where when ? = "
    "says said thinks want wants "
    "need needs wish hope than then please let let's ; : any"
)
_MARKS: Final = frozenset("\"'“”`()*_#>~^,.!")
_OWNERS: Final = frozenset({"his", "her", "its", "their"})
_ANAPHORA: Final = frozenset({"it", "he", "she", "they", "this", "that", "these", "those"})


class Phrase(Struct, frozen=True):
    """A noun phrase: its words, without articles and marks, joined; and where it stands."""

    text: str
    start: int
    end: int

    def and_(self, *others: "Phrase | None") -> "Phrase":
        """Give this phrase followed by others."""
        parts = [self, *(other for other in others if other is not None and other.text)]
        kept = [part for part in parts if part.text]
        if not kept:
            return self
        return Phrase(" ".join(part.text for part in kept), min(p.start for p in kept), max(p.end for p in kept))


def joined(words: tuple[Word, ...], source: str) -> Phrase:
    """Give words as a phrase, as the text writes them, without articles at the front and marks anywhere."""
    kept = [word for word in words if word.low not in _MARKS]
    while kept and kept[0].low in DETERMINERS and kept[0].mention is None:
        kept = kept[1:]
    if not kept:
        at = words[0].start if words else 0
        return Phrase("", at, at)
    text = ""
    for word, before in zip(kept, [None, *kept[:-1]], strict=True):
        glue = "" if before is None or (word.low.startswith("'") and before.end == word.start) else " "
        text += glue + _plain(source[word.start : word.end])
    return Phrase(text.strip(" -–—'"), kept[0].start, kept[-1].end)


def _plain(word: str) -> str:
    """Give a word as it is kept: `tickets/day` is tickets per day, `w/` is with."""
    if word.lower() == "w/":
        return "with"
    head, slash, tail = word.partition("/")
    if slash and tail.lower() in _TIMES and head:
        return f"{head} per {tail}"
    return word.replace("`", "")


_BEFORE_VERBS: Final = words_of("now also still already currently recently finally meanwhile just")
_SO_FAR: Final = frozenset({
    ("far", ","),
    ("so", "far"),
    ("to", "date"),
    ("in", "total"),
    ("in", "all"),
    ("right", "now"),
})


def subject_of(  # noqa: PLR0911 - one way out a form
    words: tuple[Word, ...], source: str, before: Phrase | None
) -> Phrase | None:
    """Give what the words before a verb name; None where they are no plain noun phrase.

    Args:
        words: all of the clause before its verb.
        source: the text.
        before: what the clause before was about, for `it` and `they`.

    Returns:
        The phrase; an empty one for `we` and `I`.
    """
    words = _without_lead(words)
    if len(words) > 2 and (words[0].low, words[1].low) in _SO_FAR:  # noqa: PLR2004 - what they lead to
        words = words[2 + (words[2].low == ",") :]
    lead, words = _lead_of(words, source)
    words = _without_end(_without_lead(words))
    if not words or len(words) > MOST_WORDS:
        return None
    first = words[0]
    if len(words) == 1 and first.low in OURS:
        return Phrase("", first.start, first.end).and_(lead) if lead else Phrase("", first.start, first.end)
    if len(words) == 1 and first.low in _ANAPHORA and first.mention is None:
        return before.and_(lead) if before is not None else None
    owner = before if first.low in _OWNERS and before is not None and before.text and len(words) > 1 else None
    if not is_plain(words) or (first.low in PRONOUNS and first.low not in DETERMINERS):
        return None
    inner = {word.low for word in words[1:-1]}
    if {word.low for word in words} & WANTED or inner & TELLING or words[-1].low in DETERMINERS:
        return None
    phrase = joined(words, source)
    if not phrase.text or phrase.text.isnumeric():
        return None
    return _owned(phrase, owner).and_(lead)


def _owned(phrase: Phrase, owner: Phrase | None) -> Phrase:
    """Give `her salary` as `Rosa's salary`, unless it names her already."""
    if owner is None or set(phrase.text.lower().split()) & set(owner.text.lower().split()):
        return phrase
    mark = "'" if owner.text.endswith("s") else "'s"
    return Phrase(f"{owner.text}{mark} {phrase.text}", phrase.start, phrase.end)


def is_plain(words: tuple[Word, ...]) -> bool:
    """Tell whether words hold no verb, no quantity and nothing that opens another clause."""
    for at, word in enumerate(words):
        if word.mention is not None:
            if word.mention.kind not in {"period", "version", "date"} and not _is_name(words, at):
                return False
        elif (
            (
                (word.low in _CLOSED and not _names(words, at))
                or word.low in BE
                or word.low in DO
                or word.low in MODALS
                or word.low in NOT
            )
            or word.low in HAVE
            or word.low
            in {
                ",",
                "i",
                "we",
                "you",
                "me",
                "us",
                "…",
                "...",
                "/",
                "|",
                "{",
                "}",
                "<",
                ">",
            }
        ):
            return False
    return True


def _names(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a `to` is part of a name: `time to first response`, `budget to date`."""
    before = words[at - 1].low if at else ""
    after = words[at + 1].low if at + 1 < len(words) else ""
    return words[at].low == "to" and (
        before in {"time", "access", "response", "ratio", "distance"} or after in {"date", "cash"}
    )


def _is_name(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a bare number belongs to a name, as in `TLS 1.0` and `pool 3`."""
    mention = words[at].mention
    if (
        mention is None
        or mention.kind != "number"
        or mention.value is None
        or mention.value.unit
        or mention.value.op
        or at == 0
    ):
        return False
    before = words[at - 1]
    return (
        before.mention is None
        and before.low[0].isalpha()
        and before.low not in DETERMINERS
        and before.low not in PREPOSITIONS
        and (
            words[at].low[0].isdigit()
            or before.low in {"week", "month", "day", "phase", "year", "grade", "tier", "stage"}
        )
    )


def _without_lead(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Give words without the fillers and marks they begin with."""
    if len(words) > 1 and words[0].low == "so" and words[1].low == "far":
        words = words[2:]
    while words and words[0].mention is None and (words[0].low in FILLERS or not words[0].low[0].isalnum()):
        if words[0].low in {"no", "right", "all", "good", "great", "team", "update", "only"} and (
            len(words) == 1 or words[1].low not in {",", ":", "-", "–", "—"}
        ):
            break
        if words[0].low == "since" and len(words) > 1 and words[1].mention is not None:
            break
        words = words[1:]
    return words


def _without_end(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Give words without the adverbs that belong to the verb behind them: `we now have`."""
    while len(words) > 1 and words[-1].mention is None and words[-1].low in _BEFORE_VERBS:
        words = words[:-1]
    return words


def _lead_of(words: tuple[Word, ...], source: str) -> tuple[Phrase | None, tuple[Word, ...]]:
    """Give the `In August,` a clause begins with, and the rest."""
    if len(words) > 3 and words[0].low == "as" and words[1].low == "of" and words[2].mention is not None:  # noqa: PLR2004
        return None, words[3 + (words[3].low == ",") :]
    if len(words) > 3 and words[0].low in {"at", "on", "around"} and _is_day(words[1]):  # noqa: PLR2004 - a time
        return None, words[2 + (words[2].low == ",") :]
    if len(words) > 2 and words[0].low in {"of", "in", "since", "by"} and words[1].mention is not None:  # noqa: PLR2004 - a period
        return joined(words[:2], source), words[2 + (words[2].low == ",") :]
    if (deictic := deictic_of(words)) > 0:
        kept = words[1].low in {"week", "month", "quarter", "year"}
        lead = joined(words[:deictic], source) if kept else None
        return lead, words[deictic + (words[deictic].low == ",") :]
    return _lead_to_comma(words, source)


def _lead_to_comma(words: tuple[Word, ...], source: str) -> tuple[Phrase | None, tuple[Word, ...]]:
    """Give the `At the depot in Ghent,` a clause begins with, and the rest."""
    if not words or not (
        words[0].low in PREPOSITIONS or words[0].mention is not None or words[0].low in {"last", "this"}
    ):
        return None, words
    for at, word in enumerate(words[:7]):
        if word.low == "," and word.mention is None:
            lead = words[:at]
            return (joined(lead, source) if is_plain(lead) else None), words[at + 1 :]
    return None, words


_DEICTIC: Final = words_of("night week month quarter year morning afternoon evening summer winter spring autumn")


def deictic_of(words: tuple[Word, ...]) -> int:
    """Give how many words `last night` takes at the front of a clause, 0 where what follows belongs to it."""
    if len(words) < 3 or words[0].low not in {"last", "this"} or words[1].low.rstrip(",") not in _DEICTIC:  # noqa: PLR2004
        return 0
    after = words[2]
    opens = after.low in DETERMINERS | PRONOUNS | {","} or after.mention is not None or after.low in {"nobody", "no"}
    return 2 if opens else 0


def _is_day(word: Word) -> bool:
    """Tell whether a word is a day or a time of day."""
    return word.mention is not None and word.mention.kind in {"time", "date", "period"}


def tail_of(words: tuple[Word, ...], at: int, source: str) -> tuple[Phrase | None, int]:
    """Give the `in August`, `for the segment`, `per month` that follows a value, and where it ends.

    It ends at a mark, a conjunction, a verb or the next value; a period belongs to it.
    """
    begin = at
    while at < len(words) and at - begin < 9:  # noqa: PLR2004 - a small bound
        word = words[at]
        if word.mention is not None:
            named = at > begin + 1 and _is_name(words, at) and _ends(words, at + 1)
            if word.mention.kind not in {"period", "version"} and not _placed(words, at) and not named:
                break
        elif (
            (at == begin and not _opens(word))
            or (
                word.low in _CLOSED
                or word.low in BE
                or word.low in HAVE
                or word.low in MODALS
                or word.low in DO
                or (word.low in {"and", "or", "but", "so", "because", "since", "while"} and not _since_when(words, at))
            )
            or (not word.low[0].isalnum() and word.low not in {"/", "&", "'s"})
            or (word.low == "as" and at + 1 < len(words) and words[at + 1].low in {"of", "at"})
        ):
            break
        at += 1
    while at > begin and words[at - 1].mention is None and words[at - 1].low in PREPOSITIONS:
        at -= 1
    if at == begin:
        return None, begin
    first = words[begin]
    kept = words[begin:at]
    if first.low in {"a", "an", "each", "every", "/"} and first.mention is None and len(kept) > 1:
        phrase = joined(kept[1:], source)
        return Phrase(f"per {phrase.text}", first.start, phrase.end), at
    return joined(kept, source), at


def _ends(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a tail ends here, so that the number before it counted nothing."""
    if at >= len(words):
        return True
    low = words[at].low
    return words[at].mention is None and (
        not low[0].isalnum() or low in PREPOSITIONS or low in {"and", "but", "or", "so"} or low in BE or low in HAVE
    )


def _placed(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a date only places what was said: `on 2025-09-12`."""
    mention = words[at].mention
    return (
        mention is not None
        and mention.kind == "date"
        and at > 0
        and words[at - 1].low in {"in", "on", "as", "of", "during", "since", "by"}
    )


def _since_when(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether `since` begins a time and no reason."""
    return (
        words[at].low == "since"
        and at + 1 < len(words)
        and (words[at + 1].mention is not None or words[at + 1].low in {"the", "last", "early", "late"})
    )


def _opens(word: Word) -> bool:
    """Tell whether a word may open what follows a value."""
    return word.low in PREPOSITIONS or word.low in {"a", "an", "each", "every", "/", "last", "this"}


def noun_of(words: tuple[Word, ...], at: int, source: str) -> tuple[Phrase | None, int]:
    """Give what is counted or named right after a value, `seats` or `growth`, and where it ends."""
    begin = at
    while at < len(words) and at - begin < 5:  # noqa: PLR2004 - a small bound
        word = words[at]
        if word.mention is not None or not word.low[0].isalnum() or word.low in PREPOSITIONS or word.low in _NO_NOUN:
            break
        if (
            word.low in BE
            or word.low in HAVE
            or word.low in DO
            or word.low in MODALS
            or word.low in NOT
            or word.low in _CLOSED
            or (at > begin and _opens_more(word.low))
        ):
            break
        at += 1
    noun = joined(words[begin:at], source)
    return (noun, at) if noun.text else (None, begin)


def _opens_more(low: str) -> bool:
    """Tell whether a participle behind a noun opens what is told of it: `12,400 units made in March`."""
    return low in _MADE or (low.endswith("ed") and len(low) > 4)  # noqa: PLR2004 - not `red` or `need`


_MADE: Final = words_of(
    "made built sold shipped produced bought taken given sent issued located based owned held done born founded"
)
_NO_NOUN: Final = words_of(
    "and but or so because since although though while whereas a an the each every we i they it he "
    "she you today now currently "
    "yesterday already still again ago yet so far here there right just more less higher lower than "
    "too each all apiece only this last "
    "overall altogether respectively instead rather ok okay though which who earlier later worth "
    "anymore either altogether sooner behind ahead up down off away "
    "long wide high deep tall old thick faster slower bigger smaller longer shorter better worse "
    "above below short late early vs versus"
)
COMPARED: Final = words_of(
    "more less higher lower than faster slower bigger smaller longer shorter better worse above "
    "below short late early behind ahead "
    "up down off away too over under fewer greater cheaper older newer earlier later sooner vs versus"
)
"""After a value these make it a difference and no level."""


_SPANS: Final = words_of("the a this last these")
_TIMES_OF: Final = words_of(
    "weekend week night day month quarter year summer winter spring holiday holidays course past last"
)


def compared_at(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether what stands behind a value makes it a difference: `5% higher`, and not `5% over the weekend`."""
    if at >= len(words) or words[at].mention is not None or words[at].low not in COMPARED:
        return False
    spans = words[at].low == "over" and at + 2 < len(words) and words[at + 1].low in _SPANS
    return not (spans and (words[at + 2].low in _TIMES_OF or words[at + 2].mention is not None))


def past_whole(words: tuple[Word, ...], at: int) -> int:
    """Give where the noun of a value begins: right behind it, or behind the whole in `3 of 11 tenants`."""
    ahead = at + 1
    if ahead < len(words) and words[ahead].low == "of":
        ahead += 1 + (ahead + 1 < len(words) and words[ahead + 1].low in DETERMINERS)
        mention = words[ahead].mention if ahead < len(words) else None
        if mention is not None and mention.kind == "number":
            return ahead + 1
    return at + 1
