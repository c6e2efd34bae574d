"""One sentence read whole: who says it, what it makes of itself, and what each of its clauses states or wants."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from msgspec import Struct

from stanchion_extraction.core.prose import cue
from stanchion_extraction.core.prose.aside import aside, signed
from stanchion_extraction.core.prose.bond import is_seal
from stanchion_extraction.core.prose.clause import clauses_in
from stanchion_extraction.core.prose.cue import Mood
from stanchion_extraction.core.prose.denial import ATTRIBUTES
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent, IntentKind
from stanchion_extraction.core.prose.hearing import Hearing, Known, gist_of, moved
from stanchion_extraction.core.prose.judgement import TRIGGER, judged
from stanchion_extraction.core.prose.label import mood_of
from stanchion_extraction.core.prose.lexicon import BE, NOT, STATES
from stanchion_extraction.core.prose.speech import Speech, speech_in, without_quotes
from stanchion_extraction.core.prose.word import Word, lowered, words_in

_ASIDE: Final = re.compile(r"\(([^()]{1,160})\)")
_LABEL: Final = re.compile(r"^[\s\"'“–—-]*(?P<label>[a-z0-9][\w /'.&()-]{0,60}?) ?(?::|–|—| - )(?= |$)\s*")


class Stated(Struct, frozen=True):
    """What one sentence says.

    Attributes:
        claims: what it states.
        intents: what it wants.
        known: what it leaves for the next one.
        withdraws: it takes the sentence before it back.
        seals: it makes the sentence before it a rule.
    """

    claims: tuple[FoundClaim, ...]
    intents: tuple[FoundIntent, ...]
    known: Known
    withdraws: bool = False
    seals: bool = False


def read_sentence(  # noqa: C901, PLR0911, PLR0913 - one case a form
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
    raw = without_quotes(masked[start:end])
    asides = [(start + found.start(1), found[1]) for found in _ASIDE.finditer(raw)]
    raw = _ASIDE.sub(lambda found: " " * len(found[0]), raw)
    low = lowered(raw)
    if cue.INJECTION.search(low):
        return Stated((), (), Known(mood="rejected"))
    mood = known.mood if known.mood != "fact" else mood
    if mood == "rejected":
        return Stated((), (), known)
    label_mood, cut = _label(low)
    if label_mood is not None and label_mood != "fact":
        mood = label_mood if mood == "fact" else mood
    begin = cut if label_mood is not None and label_mood not in {"wish", "constraint"} else 0
    speech = speech_in(low[begin:], raw[begin:])
    if speech is not None and speech.how == "denied":
        return Stated((), (), known)
    first, last = (begin, len(low)) if speech is None else (begin + speech.start, begin + speech.end)
    words = tuple(moved(word, start + first) for word in words_in(low[first:last]))
    if not words:
        return Stated((), (), known)
    if not _may_say(words, low) and not asides and mood == "fact":
        return _nothing(words, low, known)
    clauses = [one for one in clauses_in(words) if one.words]
    made = judged(low[first:last], clauses, start + first, mood)
    heard = Hearing(source, speech, known, mood)
    heard.terse = terse or label_mood == "fact"
    if cue.is_question(low) and not made:
        return Stated((), (), known)
    for n in range(len(made)):
        heard.hear(made, n)
    if low.rstrip().endswith(":"):
        heard.intents.clear()
    if (
        mood in {"wish", "constraint"}
        and not heard.intents
        and not cue.is_question(low)
        and not low.rstrip().endswith(":")
    ):
        kind: IntentKind = "goal" if mood == "wish" else "constraint"
        heard.intents.append(
            FoundIntent(kind=kind, gist=gist_of(source[start:end]), rule="label", start=start, end=end)
        )
    aside(heard, asides)
    if all(one.mood in {"fact", "wish", "constraint"} for one in made):
        for at, text in asides:
            heard.claims += signed(heard, at, lowered(text), raw[: at - start - 1])
    supposes = cue.SUPPOSITION.match(low) is not None
    alone = not any(word.mention is not None for word in words) and len(words) <= 9  # noqa: PLR2004 - a small bound
    return Stated(
        tuple(heard.claims),
        tuple(heard.intents),
        Known(
            subject=heard.subject,
            source=_open_quote(raw, masked[start:end], speech, known),
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
        or "there" in lows
        or "no" in lows
        or (lows & BE and (lows & STATES or lows & ATTRIBUTES or lows & {"on", "off"}))
    )


def _nothing(words: tuple[Word, ...], low: str, known: Known) -> Stated:
    """Give that a sentence states and wants nothing; it may still suppose, seal or take back."""
    alone = len(words) <= 9  # noqa: PLR2004 - a small bound
    mood: Mood = "hypothetical" if cue.SUPPOSITION.match(low) is not None else known.mood
    left = Known(source=known.source, mood=mood)
    return Stated((), (), left, withdraws=alone and cue.is_withdrawal(low), seals=alone and is_seal(low))


def _open_quote(raw: str, whole: str, speech: Speech | None, known: Known) -> str:
    """Give who still speaks after a sentence: a quote that it opened is not closed yet."""
    del raw
    marks = whole.count('"') + whole.count("“") + whole.count("”")
    if marks % 2 == 0:
        return known.source if known.source and marks == 0 else ""
    return "" if known.source else (speech.name if speech is not None else "")


def _label(low: str) -> tuple[Mood | None, int]:
    """Give what the words before a colon make of a sentence, and where what follows begins."""
    found = _LABEL.match(low)
    if found is None or len(found["label"].split()) > 8:  # noqa: PLR2004 - a small bound
        return None, 0
    return mood_of(found["label"]), found.end()
