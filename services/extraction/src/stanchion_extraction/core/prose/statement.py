"""One sentence read whole: who says it, what it makes of itself, and what each of its clauses states or wants."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from stanchion_extraction.core.prose import cue
from stanchion_extraction.core.prose.aside import aside, signed
from stanchion_extraction.core.prose.bond import is_seal
from stanchion_extraction.core.prose.clause import clauses_in
from stanchion_extraction.core.prose.cue import Mood
from stanchion_extraction.core.prose.denial import ATTRIBUTES
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent, IntentKind
from stanchion_extraction.core.prose.hearing import Hearing, Known, gist_of, moved
from stanchion_extraction.core.prose.judgement import TRIGGER, Judged, judged
from stanchion_extraction.core.prose.label import mood_of
from stanchion_extraction.core.prose.lexicon import BE, NOT, STATES
from stanchion_extraction.core.prose.speech import Speech, speech_in, without_quotes
from stanchion_extraction.core.prose.word import Word, lowered, words_in

_ASIDE: Final = re.compile(r"\(([^()]{1,160})\)")
_LABEL: Final = re.compile(r"^[\s\"'“–—-]*(?P<label>[a-z0-9][\w /'.&()-]{0,60}?) ?(?::|–|—| - )(?= |$)\s*")


_RULED: Final = frozenset({"resolved", "adopted", "ordered", "carried", "approved"})
"""What minutes set before what was decided; before a number it only counts."""


class Stated(Struct, frozen=True):
    """What one sentence says.

    Attributes:
        claims: what it states.
        intents: what it wants.
        known: what it leaves for the next one.
        withdraws: it takes the sentence before it back.
        seals: it makes the sentence before it a rule.
        clauses: how many it has; what reading it cost.
    """

    claims: tuple[FoundClaim, ...]
    intents: tuple[FoundIntent, ...]
    known: Known
    withdraws: bool = False
    seals: bool = False
    clauses: int = 1


class Opened(Struct, frozen=True):
    """A sentence before its clauses are judged.

    Attributes:
        raw: without quotes and without what stands in brackets.
        low: the same in lower case.
        mood: what the sentence makes of itself, or what stands above it does.
        label: what the words before its colon make of it; None where there are none.
        speech: who says so.
        first: where what is said begins, in characters of the sentence.
        last: where it ends.
        asides: what stands in brackets, and where in the text.
    """

    raw: str
    low: str
    mood: Mood
    label: Mood | None = None
    speech: Speech | None = None
    first: int = 0
    last: int = 0
    asides: tuple[tuple[int, str], ...] = ()


def opened(masked: str, span: tuple[int, int], known: Known, mood: Mood) -> Opened:
    """Give what holds for all of a sentence.

    Args:
        masked: the whole text with code, comments and marks blanked.
        span: where the sentence stands.
        known: what the sentences before it left.
        mood: what its heading or list makes of it.
    """
    start, end = span
    raw = without_quotes(masked[start:end])
    asides = tuple((start + found.start(1), found[1]) for found in _ASIDE.finditer(raw))
    raw = _ASIDE.sub(lambda found: " " * len(found[0]), raw)
    low = lowered(raw)
    mood = known.mood if known.mood != "fact" else mood
    if mood == "rejected" or cue.INJECTION.search(low):
        return Opened(raw, low, "rejected")
    label, cut = _label(low)
    if label is not None and label != "fact":
        mood = label if mood == "fact" else mood
    begin = cut if label is not None and label not in {"wish", "constraint"} else 0
    speech = speech_in(low[begin:], raw[begin:])
    if speech is not None and speech.how == "denied":
        return Opened(raw, low, "opinion", label, speech)
    first, last = (begin, len(low)) if speech is None else (begin + speech.start, begin + speech.end)
    return Opened(raw, low, mood, label, speech, first, last, asides)


def judged_clauses(sentence: Opened, words: tuple[Word, ...], start: int) -> list[Judged]:
    """Give the clauses of a sentence, each with its mood; none where what it says has no words.

    Args:
        sentence: opened.
        words: of what it says, at their places in the text.
        start: where the sentence begins in the text.
    """
    clauses = [one for one in clauses_in(words) if one.words]
    return judged(sentence.low[sentence.first : sentence.last], clauses, start + sentence.first, sentence.mood)


def words_said(sentence: Opened, start: int) -> tuple[Word, ...]:
    """Give the words of what a sentence says, at their places in the text."""
    return tuple(moved(word, start + sentence.first) for word in words_in(sentence.low[sentence.first : sentence.last]))


def read_sentence(  # noqa: PLR0913 - all of them its place
    source: str, masked: str, span: tuple[int, int], known: Known, mood: Mood, *, terse: bool = False
) -> Stated:
    """Give what a sentence states and wants.

    Args:
        source: the whole text.
        masked: the whole text with code, comments and marks blanked.
        span: where the sentence stands.
        known: what the sentences before it left.
        mood: what its heading or list makes of it.
        terse: a system wrote it, so a level may stand without a verb.
    """
    start, end = span
    sentence = opened(masked, span, known, mood)
    if sentence.mood == "rejected":
        return Stated((), (), Known(mood="rejected"))
    words = words_said(sentence, start)
    if not words:
        return Stated((), (), known)
    if not _may_say(words, sentence.low) and not sentence.asides and sentence.mood == "fact":
        return _nothing(words, sentence.low, known)
    made = judged_clauses(sentence, words, start)
    if cue.is_question(sentence.low) and not made:
        return Stated((), (), known)
    heard = Hearing(source, sentence.speech, known, sentence.mood)
    heard.terse = terse or sentence.label == "fact"
    heard.labelled = sentence.label == "fact"
    for n in range(len(made)):
        heard.hear(made, n)
    _labelled(heard, sentence, span)
    aside(heard, list(sentence.asides))
    if all(one.mood in {"fact", "wish", "constraint"} for one in made):
        for at, text in sentence.asides:
            heard.claims += signed(heard, at, lowered(text), sentence.raw[: at - start - 1])
    return replace(_stated(heard, sentence, words, known, masked[start:end]), clauses=len(made))


def _labelled(heard: Hearing, sentence: Opened, span: tuple[int, int]) -> None:
    """Keep what stands behind a label of wishes or rules as one; what ends in a colon only announces others."""
    start, end = span
    if sentence.low.rstrip().endswith(":"):
        heard.intents.clear()
        return
    if sentence.mood not in {"wish", "constraint"} or heard.intents or cue.is_question(sentence.low):
        return
    kind: IntentKind = "goal" if sentence.mood == "wish" else "constraint"
    gist = gist_of(heard.source[start:end])
    heard.intents.append(FoundIntent(kind=kind, gist=gist, rule="label", start=start, end=end))


def _stated(heard: Hearing, sentence: Opened, words: tuple[Word, ...], known: Known, whole: str) -> Stated:
    """Give what was heard, and what it leaves for the next sentence."""
    low = sentence.low
    supposes = cue.SUPPOSITION.match(low) is not None
    alone = not any(word.mention is not None for word in words) and len(words) <= 9  # noqa: PLR2004 - a small bound
    return Stated(
        tuple(heard.claims),
        tuple(heard.intents),
        Known(
            subject=heard.subject,
            counted=heard.counted,
            source=_open_quote(whole, sentence.speech, known),
            mood="hypothetical" if supposes else known.mood,
        ),
        withdraws=alone and cue.is_withdrawal(low) and not heard.claims and not heard.intents,
        seals=alone and is_seal(low),
    )


def _may_say(words: tuple[Word, ...], low: str) -> bool:
    """Tell whether a sentence has anything that a rule could find: a quantity, a denial, a state, a wish or a bond."""
    if any(word.mention is not None for word in words) or TRIGGER.search(low) is not None:
        return True
    lows = {word.low for word in words}
    return bool(
        lows & NOT
        or lows & {"there", "no", "none", "neither", "half", "quarter", "quarters"}
        or (lows & BE and (lows & STATES or lows & ATTRIBUTES or lows & {"on", "off"}))
    )


def _nothing(words: tuple[Word, ...], low: str, known: Known) -> Stated:
    """Give that a sentence states and wants nothing; it may still suppose, seal or take back."""
    alone = len(words) <= 9  # noqa: PLR2004 - a small bound
    mood: Mood = "hypothetical" if cue.SUPPOSITION.match(low) is not None else known.mood
    left = Known(source=known.source, mood=mood)
    return Stated((), (), left, withdraws=alone and cue.is_withdrawal(low), seals=alone and is_seal(low))


def _open_quote(whole: str, speech: Speech | None, known: Known) -> str:
    """Give who still speaks after a sentence: a quote that it opened is not closed yet."""
    marks = whole.count('"') + whole.count("“") + whole.count("”")
    if marks % 2 == 0:
        return known.source if known.source and marks == 0 else ""
    return "" if known.source else (speech.name if speech is not None else "")


def _label(low: str) -> tuple[Mood | None, int]:
    """Give what the words before a colon make of a sentence, and where what follows begins."""
    found = _LABEL.match(low)
    if found is None or len(found["label"].split()) > 8:  # noqa: PLR2004 - a small bound
        return None, 0
    if found["label"] in _RULED and low[found.start("label") + len(found["label"]) :].lstrip().startswith(":"):
        return "constraint", found.end()
    return mood_of(found["label"]), found.end()
