"""The clauses of one sentence, read one after another."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from stanchion_extraction.core.prose.clause import Clause, is_finite
from stanchion_extraction.core.prose.counted import counted
from stanchion_extraction.core.prose.cue import Mood
from stanchion_extraction.core.prose.denial import denied_action, existence, none_of, retraction, state, taken_back
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent
from stanchion_extraction.core.prose.happening import frequency, happened
from stanchion_extraction.core.prose.judgement import Judged
from stanchion_extraction.core.prose.level import inverted, level, share_at
from stanchion_extraction.core.prose.lexicon import WANTED, words_of
from stanchion_extraction.core.prose.phrase import Phrase, is_plain, joined, noun_of, subject_of, tail_of
from stanchion_extraction.core.prose.row import piece, placed_piece, rest_of, row
from stanchion_extraction.core.prose.scene import Scene
from stanchion_extraction.core.prose.share import (
    counted_subject,
    fraction,
    fragment,
    of_whole,
    part,
    reported_noun,
    share_of_all,
    verbless,
)
from stanchion_extraction.core.prose.speech import Speech
from stanchion_extraction.core.prose.verb import told
from stanchion_extraction.core.prose.wish import is_past_wish
from stanchion_extraction.core.prose.word import Word

Rule = Callable[[Scene], list[FoundClaim]]
_BINDING: Final = re.compile(
    r"(?<!\w)(?:polic(?:y|ies)|rules?|regulations?|laws?|by-?laws|guidelines?|directives?|statutes?|"
    r"building code|code of conduct)(?!\w)"
)
RULES: Final[tuple[Rule, ...]] = (
    taken_back,
    retraction,
    existence,
    none_of,
    part,
    of_whole,
    fraction,
    level,
    inverted,
    share_at,
    counted,
    frequency,
    happened,
    counted_subject,
    share_of_all,
    fragment,
    row,
    placed_piece,
    denied_action,
    state,
    told,
)
"""In this order; the first that finds anything reads the clause."""


class Known(Struct, frozen=True):
    """What earlier sentences of a passage leave for later ones.

    Attributes:
        subject: what the last claim was about.
        counted: what was counted last.
        source: who still speaks, in an open quote.
        mood: what a supposition or an order above makes of what follows.
    """

    subject: Phrase | None = None
    counted: Phrase | None = None
    source: str = ""
    mood: Mood = "fact"


_PLANNED: Final = WANTED | words_of(
    "budget plan proposal offer quote bid estimate forecast quota option scenario idea draft concept example sample"
)
"""What a row stands under where it says how things ought to be, or might be."""
_IN_ROW: Final = frozenset({":", ",", "and", ", and"})
_HEADING: Final = 3
"""Words of what may stand before a colon as the name of what a row is of."""


def moved(word: Word, by: int) -> Word:
    """Give a word at its place in the whole text."""
    mention = (
        None
        if word.mention is None
        else replace(word.mention, start=word.mention.start + by, end=word.mention.end + by)
    )
    return Word(word.start + by, word.end + by, word.low, mention)


def gist_of(text: str) -> str:
    """Give a gist: one line, without the marks around it and the `to` before it."""
    return " ".join(text.replace("**", "").split()).strip(" \t\"'“”*_`>-–—•,;:").removeprefix("to ")[:500]


class Hearing:
    """The claims and intents of a sentence while its clauses are read."""

    def __init__(self, source: str, speech: Speech | None, known: Known, mood: Mood) -> None:
        self.source = source
        self.name = speech.name if speech is not None else known.source
        self.speech = speech
        self.subject = known.subject
        self.ours = False
        self.one: Phrase | None = None
        self.counted = known.counted
        self.named: Phrase | None = None
        self.rowing = False
        self.mood = mood
        self.terse = False
        self.labelled = False
        self.heading: Phrase | None = None
        self.claims: list[FoundClaim] = []
        self.intents: list[FoundIntent] = []

    def hear(self, made: list[Judged], n: int) -> None:
        """Read one clause as what it was judged to be."""
        one = made[n]
        if one.mood == "fact" and _BINDING.search(self.name.lower()):
            self._bind(one.clause)
        elif one.mood == "fact":
            self._state(one.clause)
        elif (
            one.want is not None
            and one.mood in {"wish", "constraint", "hypothetical", "opinion"}
            and self.mood not in {"question", "instruction", "rejected", "hypothetical"}
        ):
            self._want(made, n)
        self._remember(one.clause)

    def _bind(self, clause: Clause) -> None:
        """Keep what a policy says in the indicative as the rule it is."""
        gist = gist_of(self.source[clause.start : clause.end]).rstrip(".!")
        if len(gist.split()) > 2:  # noqa: PLR2004 - a statement
            self.intents.append(
                FoundIntent(
                    kind="constraint",
                    holder=self.name,
                    gist=gist,
                    rule="binding-source",
                    start=clause.start,
                    end=clause.end,
                )
            )

    def _state(self, clause: Clause) -> None:
        """Read a clause that states something."""
        before = self.subject if self.subject is not None else self.named
        relative = clause.joint.endswith(("which", "who"))
        if relative and self.counted is not None:
            before = self.counted
        scene = Scene(clause.words, self.source, before, self.one, self.counted, relative)
        rules = RULES if self.speech is None or not self.speech.noun else (*RULES, reported_noun)
        if self.terse or clause.joint == ":":
            rules = (*rules, verbless)
        if clause.joint in {"with", "at", ", with"}:
            rules = (*rules, reported_noun, piece)
        if (
            clause.joint == ":"
            or (self.labelled and not clause.joint)
            or (self.rowing and clause.joint in {",", "and", ", and"})
        ):
            rules = (*rules, piece)
        self.rowing = False
        for rule in rules:
            found = rule(scene)
            if found:
                found += rest_of(clause.words, found, self.source)
                found = self._headed(found, clause)
            if found:
                self.claims += [replace(claim, source=self.name) for claim in found]
                last = found[0]
                self.rowing = last.rule in {"row", "counted-subject", "part"}
                self.named = Phrase(last.subject, last.start, last.end)
                return

    def _head(self, clause: Clause) -> None:
        """Keep a clause without a verb that may head a row."""
        words = clause.words
        if clause.joint not in _IN_ROW:
            named = joined(words, self.source) if len(words) <= _HEADING and is_plain(words) else None
            self.heading = named if named is not None and named.text and not any(map(is_finite, words)) else None

    def _headed(self, found: list[FoundClaim], clause: Clause) -> list[FoundClaim]:
        """Give the pieces of a row as those of what stands before its colon: `Bay 4: 3 trucks, 2 drivers`."""
        heading = self.heading
        if heading is None or not all(claim.rule == "row" for claim in found) or clause.joint not in _IN_ROW:
            return found
        if not _PLANNED.isdisjoint(heading.text.lower().split()):
            return []
        words = set(heading.text.lower().split())
        if not heading.text[-1].isdigit():
            return found
        return [
            claim
            if words & set(claim.subject.lower().split())
            else replace(claim, subject=f"{heading.text} {claim.subject}", start=min(heading.start, claim.start))
            for claim in found
        ]

    def _want(self, made: list[Judged], n: int) -> None:
        """Keep what a clause wants, with what is joined to it."""
        one = made[n]
        want = one.want
        if want is None:
            return
        last = n
        while last + 1 < len(made) and made[last + 1].want is None and made[last + 1].mood == one.mood:
            last += 1
        start, end = one.clause.start + want.start, made[last].clause.end
        gist = gist_of(self.source[start:end])
        if len(gist) < 2:  # noqa: PLR2004 - a small bound
            start = one.clause.start
            gist = gist_of(self.source[start:end])
        holder = self._holder(one, want.holder)
        while end > start and self.source[end - 1].isspace():
            end -= 1
        gist = gist.rstrip(".!")
        if gist:
            self.intents.append(
                FoundIntent(kind=want.kind, holder=holder, gist=gist, rule=want.rule, start=one.clause.start, end=end)
            )

    def _holder(self, one: Judged, holder: str) -> str:
        """Give a holder as the text writes it; the subject of the clause before for an elided one, else who speaks."""
        if holder == "^" and self.ours:
            return self.name
        if holder == "^":
            return self.subject.text if self.subject is not None else self.name
        if not holder or (holder in {"they", "he", "she"} and self.name):
            return self.name
        at = one.low.find(holder)
        return self.source[one.clause.start + at : one.clause.start + at + len(holder)].strip() if at >= 0 else holder

    def _remember(self, clause: Clause) -> None:
        """Keep what a clause was about, and the last `a …` it named."""
        words = clause.words
        self._head(clause)
        if is_past_wish(clause_low(clause)):
            self.subject = _wished(clause, self.source) or self.subject
            return
        for at, word in enumerate(words):
            if at and is_finite(word):
                subject = subject_of(words[:at], self.source, self.subject)
                self.ours = subject is not None and not subject.text
                if subject is not None and subject.text:
                    self.subject = subject
                break
        for at, word in enumerate(words):
            if word.mention is None and word.low in {"a", "an", "any"}:
                noun, _ = noun_of(words, at + 1, self.source)
                self.one = noun if noun is not None else self.one
            if word.mention is not None and word.mention.kind == "number":
                noun, _ = noun_of(words, at + 1, self.source)
                self.counted = noun if noun is not None else self.counted


def clause_low(clause: Clause) -> str:
    """Give a clause's words in lower case."""
    return " ".join(word.low for word in clause.words)


def _wished(clause: Clause, source: str) -> Phrase | None:
    """Give what had been hoped for so many of, for `… and got 640`."""
    for at, word in enumerate(clause.words):
        if word.mention is not None:
            noun, after = noun_of(clause.words, at + 1, source)
            tail, _ = tail_of(clause.words, after, source)
            return None if noun is None else noun.and_(tail)
    return None
