"""Who a sentence says is speaking: `Gartner reports …`, `according to …`, `… says Tom`, and quotes."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose.lexicon import BELIEF, SPEECH, words_of
from stanchion_extraction.core.prose.numeral import SPELLED

_NAME: Final = (
    r"[^\W_][\w&./-]*(?:'s?)?(?: (?!(?:that|which|who|and we|if|is|are|was|were|has|have|will|would|"
    r"must)(?!\w))[\w&./-]+(?:'s?)?){0,7}?"
)
_LEAD: Final = (
    r"^(?>[\s\"'“(,;:–—-]|(?:and|but|so|also|well|now|yes|no|btw|fyi|ok|update|because|since|though|"
    r"although|while|as|plus|then|fwiw)(?![\w-]))*+"
)
_BEFORE: Final = re.compile(
    _LEAD + r"(?P<how>according to|as per|per|as reported (?:by|in)|as stated (?:by|in)|as noted (?:by|in)|as "
    r"measured by|as shown (?:by|in)|as published (?:by|in)|reported by|quoting|citing|in the words "
    r"of|to quote|via|based on|going by|under|pursuant to|in line with|in accordance with|by) "
    r"(?P<name>" + _NAME + r") ?[,:] ?"
)
AFTER: Final = re.compile(
    r"[,;(–—-] ?(?:according to|as per|per|as reported (?:by|in)|reported by|as (?:noted|stated|"
    r"measured|shown) (?:by|in)|source:|sources?:?|src:?|via|says?|said|reports?|reported|writes?|"
    r"wrote|notes?|noted|confirms?|confirmed|claims?|announced) ?(?P<name>" + _NAME + r")[\s.!)\"”]*$"
    r"|,[\"”]? ?(?P<name2>"
    + _NAME
    + r") (?:says?|said|reports|reported|writes|wrote|notes|noted|confirms|confirmed|announced|told us|"
    r"tells us|told me)[\s.!)]*$"
    r"|(?<= )according to (?P<name3>" + _NAME + r")[\s.!)\"”]*$"
)
_VERBS: Final = "|".join(sorted(SPEECH, key=len, reverse=True))
_SAYS: Final = re.compile(
    _LEAD
    + r"(?P<name>"
    + _NAME
    + r")(?:,? (?:also|now|just|still|already|again|clearly|officially|recently|explicitly|has|have|had|"
    r"today|yesterday|publicly|formally|later|then|only|even|was|is|were|never|not|did not|didn't|"
    r"does not|doesn't))*"
    r" {1,170}(?P<verb>"
    + _VERBS
    + r")(?P<to> (?:us|me|them|everyone|the team|the board|reporters|investors|customers|yesterday|today|"
    r"last (?:week|month|night|year)|this (?:week|morning|month)|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:the|its|"
    r"their|a|an|his|her) [\w -]{1,30}?|on record|on the call|at [\w' -]{1,24}?|to [\w' "
    r"-]{1,24}?))?(?P<that> that(?= )|[:,]? ?[\"“]|:| (?=[\w$€£~<>]))"
)
_OWN: Final = frozenset({
    "i",
    "we",
    "it",
    "this",
    "that",
    "they",
    "he",
    "she",
    "you",
    "there",
    "which",
    "who",
    "what",
    "as",
    "these",
    "those",
})
_NOBODY: Final = words_of(
    "nobody no none some somebody someone people many rumour rumours rumor rumors word few anyone "
    "anybody most others folks"
)
_PASSIVE: Final = re.compile(r"(?<![\w-])(?:was|were|been|am|is|are|being)(?![\w-])")
_DENIED: Final = re.compile(r"(?<![\w-])(?:never|not|didn't|doesn't|didnt|doesnt|did not|does not)(?![\w-])")


class Speech(Struct, frozen=True):
    """What somebody is told to say.

    Attributes:
        name: who; empty where the speaker speaks for itself.
        start: where what is said begins, in the sentence.
        end: where it ends.
        how: `says` for reported speech, `per` for a source that may bind, `denied` for what somebody did not say.
        noun: no `that`, colon or quote stands before what is said, so it may be a noun: `reports 34% growth`.
    """

    name: str
    start: int
    end: int
    how: str
    noun: bool = False


def speech_in(low: str, text: str) -> Speech | None:
    """Give who a sentence says is speaking, None where it names nobody.

    Args:
        low: the sentence in lower case.
        text: the same sentence as it was written.
    """
    before = _BEFORE.match(low)
    if before is not None and not (
        before["how"] in {"by", "under", "via", "based on", "going by"} and re.search(r"\d", before["name"])
    ):
        return Speech(_plain(text[before.start("name") : before.end("name")]), before.end(), len(low), "per")
    after = AFTER.search(low, max(0, len(low) - 120))
    if after is not None:
        group = "name" if after["name"] else "name2" if after["name2"] else "name3"
        if after[group].split()[-1] not in {"month", "year", "day", "week", "seat", "user"}:
            return Speech(_plain(text[after.start(group) : after.end(group)]), 0, after.start(), "says")
    says = _SAYS.match(low)
    return None if says is None else _says(says, text)


_WANTING: Final = words_of(
    "want wants wanted need needs needed demand demands demanded require requires insist insists"
)
"""Verbs that a speaker's name never has inside it: `procurement demands three quotes`."""


def _says(says: re.Match[str], text: str) -> Speech | None:  # noqa: PLR0911 - one way out a form
    """Give reported speech, None where its verb is a noun or an action."""
    name, verb, that = says["name"], says["verb"], says["that"].strip()
    words = name.split()
    if words[0].isdecimal() or SPELLED.fullmatch(words[0]):
        return None
    if words[0] in {"let's", "lets", "let", "to", "please", "say", "would", "could", "should"}:
        return None
    if (
        set(words) & BELIEF
        or set(words[1:]) & _WANTING
        or (words[-1] in {"to", "the", "a", "an", "of", "and", "or", "we", "i"} and len(words) > 1)
    ):
        return None
    if (
        _DENIED.search(says[0])
        or words[0] in _NOBODY
        or words[-1] in _NOBODY
        or (verb == "told" and _PASSIVE.search(says[0]))
    ):
        return Speech("", 0, len(text), "denied")
    if verb in {"told", "tells"} and text[says.end() :].lower().startswith(("to ", "not to ")):
        return None
    noun = not that
    if (
        noun
        and verb
        in {
            "lists",
            "notes",
            "quotes",
            "records",
            "reports",
            "states",
            "claims",
            "publishes",
            "puts",
            "counts",
            "cites",
            "measured",
            "found",
            "finds",
            "recorded",
            "shows",
            "showed",
            "listed",
            "quoted",
            "observed",
            "published",
            "claimed",
            "reported",
            "stated",
            "noted",
        }
        and not _is_source(says, text)
    ):
        return None
    if words[0] in {"you", "they", "he", "she"}:
        return Speech("", 0, len(text), "denied")
    own = words[0] in _OWN
    return Speech(
        "" if own else _plain(text[says.start("name") : says.end("name")]), says.end(), len(text), "says", noun
    )


def _is_source(says: re.Match[str], text: str) -> bool:
    """Tell whether a name that `reports` something is a source: a proper name, or one with a level behind it."""
    name = text[says.start("name") : says.end("name")]
    rest = text[says.end() : says.end() + 24]
    level = re.match(
        r"(?:an? |about |around |over |roughly |~)?[$€£]?\d[\d.,]*\s?(?:%|percent|[kmb]n?\b|million|billion|[$€£])",
        rest,
        re.IGNORECASE,
    ) or re.match(r"[$€£]\d", rest)
    return (
        name[:1].isupper() and not name.lower().startswith(("the ", "our ", "a ", "customer ", "no "))
    ) or level is not None


_ARTICLE: Final = re.compile(r"^(?:the|a|an|our) ", re.IGNORECASE)


def _plain(name: str) -> str:
    """Give a name without its article and marks."""
    return _ARTICLE.sub("", name.strip(" \"'“”,.:;`")).strip()


_QUOTED: Final = re.compile(r"[\"“][^\"“”\n]{1,600}[\"”]")
_BEFORE_QUOTE: Final = re.compile(
    rf"(?:(?<!\w)(?:{_VERBS})(?: (?:us|me|in [\w' -]{{1,30}}|that))?|report|statement|letter|email|"
    rf"ticket|note|[a-z]{{2,20}}'s words)[:,]? ?$|^[\w .'-]{{1,30}}: ?$|^\s*$"
)


def without_quotes(text: str) -> str:
    """Give a sentence with the marks of told quotes blanked, and with quotes that nobody is said to say blanked whole.

    A quote of one or two words stays: it is a name.
    """
    pieces: list[str] = []
    at = 0
    for found in _QUOTED.finditer(text):
        pieces.append(text[at : found.start()])
        told = _BEFORE_QUOTE.search(text[max(0, found.start() - 60) : found.start()].lower()) is not None
        inner = found[0][1:-1]
        pieces.append(f" {inner} " if told or len(inner.split()) < 3 else " " * len(found[0]))  # noqa: PLR2004 - a small bound
        at = found.end()
    pieces.append(text[at:])
    return "".join(pieces)
