"""What stands in brackets: a source, a doubt, a count, an earlier period, a day."""

import re
from typing import Final

from msgspec.structs import replace

from stanchion_extraction.core.prose import cue
from stanchion_extraction.core.prose.clause import is_finite
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent
from stanchion_extraction.core.prose.hearing import Hearing, gist_of, moved
from stanchion_extraction.core.prose.lexicon import DETERMINERS
from stanchion_extraction.core.prose.phrase import Phrase, noun_of, subject_of
from stanchion_extraction.core.prose.quantity import mentions_in
from stanchion_extraction.core.prose.scene import claim
from stanchion_extraction.core.prose.word import Word, lowered, words_in

_SOURCED: Final = re.compile(r"^(?:source|src|per|via|according to|from):? (?P<name>.{2,60})$", re.IGNORECASE)
_PART: Final = re.compile(
    r"(?:of which |including )?\S+ (?:of them )?(?P<what>[a-z]{3,20}(?:ed|en|t|al|ing|ive|ken|un))\.?"
)
_NUMBERED: Final = re.compile(r"^n ?= ?")
_SIGNED: Final = re.compile(r"^(?P<verb>[a-z]{2,20}(?:ed|en)|due|born|built|sold|sent|set|closed|founded)(?: on| in)? ")


def signed(heard: Hearing, at: int, low: str, before: str) -> list[FoundClaim]:
    """Give the claim of `the DPA (signed 2024-11-18)`: what happened to the noun before the brackets."""
    found = _SIGNED.match(low)
    mentions = mentions_in(low)
    if (
        found is None
        or len(mentions) != 1
        or mentions[0].kind != "date"
        or mentions[0].start != found.end()
        or low[mentions[0].end :].strip()
    ):
        return []
    words = words_in(lowered(before))
    kept: list[Word] = []
    while (
        words
        and words[-1].mention is None
        and words[-1].low[0].isalnum()
        and words[-1].low not in DETERMINERS
        and not is_finite(words[-1])
        and len(kept) < 4  # noqa: PLR2004 - a small bound
    ):
        kept.insert(0, words[-1])
        words = words[:-1]
    start = at - 1 - len(before)
    subject = subject_of(tuple(moved(word, start) for word in kept), heard.source, None)
    value = mentions[0].value
    if subject is None or value is None:
        return []
    made = claim("aside", subject, found["verb"], value, (subject.start, at + len(low)))
    return [] if made is None else [made]


def aside(heard: Hearing, asides: list[tuple[int, str]]) -> None:
    """Read what stands in brackets: a source, a doubt, a count, an earlier period, a day."""
    for at, text in asides:
        low = lowered(text)
        sourced = _SOURCED.match(text.strip())
        if sourced is not None:
            heard.claims = [
                claim if claim.source else replace(claim, source=sourced["name"].strip(" .\"'"))
                for claim in heard.claims
            ]
        elif (
            cue.is_opinion(low)
            or cue.is_hypothetical(low)
            or "?" in low
            or cue.is_withdrawal(low)
            or re.search(r"(?<!\w)(?:est|approx|target|goal|tbc|tbd|plan|budget|example|sample)(?!\w)", low)
        ):
            if re.search(r"(?<!\w)(?:target|goal|objective|slo)(?!\w)", low):
                heard.intents.append(
                    FoundIntent(kind="goal", gist=gist_of(text), rule="aside", start=at, end=at + len(text))
                )
            else:
                heard.claims = []
        elif heard.claims:
            heard.claims += _in_brackets(heard, at, text, low)


def _in_brackets(heard: Hearing, at: int, text: str, low: str) -> list[FoundClaim]:
    """Give the claims of `n = 2,340 trials`, `2024: 9.8M` and `2025-03-30` in brackets."""
    mentions = mentions_in(low)
    last = heard.claims[-1]
    counted_ = _NUMBERED.match(low)
    if counted_ and mentions and mentions[0].start == counted_.end() and mentions[0].value is not None:
        noun, _ = noun_of(tuple(moved(word, at) for word in words_in(low)), 3, heard.source)
        subject = noun if noun is not None else Phrase("n", at, at + 1)
        made = claim("aside", subject, "is", mentions[0].value, (at, at + len(text)))
        return [] if made is None else [replace(made, source=heard.name)]
    if (
        len(mentions) == 2  # noqa: PLR2004 - a small bound
        and mentions[0].kind == "period"
        and mentions[1].value is not None
        and re.fullmatch(r"(?:in )?\s*:?\s*", low[: mentions[0].start] + low[mentions[0].end : mentions[1].start])
        and not low[mentions[1].end :].strip()
    ):
        base = _without_period(last.subject)
        subject = Phrase(f"{base} {text[mentions[0].start : mentions[0].end]}", at, at + len(text))
        return [
            replace(
                last,
                subject=subject.text,
                value=mentions[1].value,
                rule="aside",
                start=at,
                end=at + len(text),
                predicate="is",
            )
        ]
    part = _PART.fullmatch(low)
    if part is not None and len(mentions) == 1 and mentions[0].value is not None and mentions[0].kind == "number":
        whole = last.subject if heard.counted is None else heard.counted.text
        made = claim(
            "aside",
            Phrase(f"{whole} {part['what']}", at, at + len(text)),
            "is",
            mentions[0].value,
            (at, at + len(text)),
        )
        return [] if made is None else [replace(made, source=heard.name)]
    if (
        len(mentions) == 1
        and mentions[0].kind == "date"
        and mentions[0].value is not None
        and not (low[: mentions[0].start] + low[mentions[0].end :]).strip()
        and last.rule == "happened"
    ):
        return [
            replace(
                last,
                value=mentions[0].value,
                predicate=last.predicate.split()[0],
                rule="aside",
                start=at,
                end=at + len(text),
            )
        ]
    return []


def _without_period(subject: str) -> str:
    """Give a subject without the `in 2025` it ends with."""
    low = lowered(subject)
    mentions = mentions_in(low)
    if mentions and mentions[-1].kind == "period" and mentions[-1].end == len(low):
        return re.sub(r"\s+(?:in|for|of|since|during)?\s*$", "", subject[: mentions[-1].start]).strip()
    return subject
