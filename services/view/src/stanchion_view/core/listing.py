"""Which beliefs somebody asks for, and a page of them: by claim, or by how well they match words, best first.

What matches goes by the belief as it was stated last, aged to the reader's now: that needs no contributions, so that a
hundred thousand are looked through in a moment. What a page shows is worked out from the contributions.
"""

import functools
import heapq
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.belief import Belief, likeliest_state
from stanchion_core.aged import contradicted_at, stale_at
from stanchion_core.claim_key import claim_key
from stanchion_view.core.belief import BeliefNow
from stanchion_view.core.state import Claim, Held

MOST_CONTRIBUTIONS: Final = 20_000
"""On one page, of all its beliefs together, which then is shorter; one belief at least."""

MOST_WORDS: Final = 256
"""That are looked for; the first ones count."""

_WORD: Final = re.compile(r"\w+")
_OF_SUBJECT, _OF_PREDICATE, _OF_VALUE = 4, 3, 2
_COMMON_TEXT: Final = """
a about all an and any are as at be been but by can could did do does for from had has have he her his how if in into is
it its may me more most my no not of on or our over she should so some than that the their them then there these they
this to too under up us very was we were what when where which who why will with would you your d ll m re s t ve
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
"""Words that match nearly everything; they count where a question has no others."""

Place = tuple[int, str, str]
"""What a page is ordered by: how well it matches (more is earlier, as a number below 0), subject, predicate."""

_PLACE: Final = msgspec.json.Decoder(Place)


class Wanted(Struct, frozen=True, kw_only=True):
    """What a belief must be; what is empty or false lets everything through.

    Attributes:
        subject: normalised.
        predicate: normalised.
        words: one of these is in its subject, predicate or likeliest value.
        stale: its evidence has shrunk below a quarter.
        contradicted: its values contradict each other.
        resolved: somebody said what turned out to be true.
    """

    subject: str = ""
    predicate: str = ""
    words: frozenset[str] = frozenset()
    stale: bool = False
    contradicted: bool = False
    resolved: bool = False


class Asked(Struct, frozen=True, kw_only=True):
    """One page of one question.

    Attributes:
        wanted: what a belief must be.
        now_us: the reader's now, microseconds since the epoch.
        after: place of the last belief of the page before; None for the first page.
        limit: at least 1.
    """

    wanted: Wanted
    now_us: int
    after: Place | None = None
    limit: int


class Listing(Struct, frozen=True, kw_only=True):
    """A page before it is worked out.

    Attributes:
        found: beliefs in order, with what each is ordered by.
        more: whether there is a page after it.
        total: how many match in all.
    """

    found: tuple[tuple[Place, Held], ...]
    more: bool
    total: int


def words_of(about: str) -> frozenset[str]:
    """Give the words to look for: without those that match nearly everything, unless there are no others."""
    words = dict.fromkeys(_WORD.findall(claim_key(about)))
    telling = [word for word in words if word not in _COMMON] or list(words)
    return frozenset(telling[:MOST_WORDS])


def listing(beliefs: Iterable[Held], resolved: Collection[Claim], asked: Asked) -> Listing:
    """Give the page of matching beliefs that comes after a place.

    Args:
        beliefs: all of a workspace.
        resolved: the claims that are.
        asked: what is wanted.
    """
    total = 0

    def following() -> Iterator[tuple[Place, Held]]:
        """Count every match, and give those after the place."""
        nonlocal total
        for held in beliefs:
            place = _place(held, resolved, asked)
            if place is not None:
                total += 1
                if asked.after is None or place > asked.after:
                    yield place, held

    page = heapq.nsmallest(asked.limit + 1, following(), key=_by_place)
    found = _bounded(page[: asked.limit])
    return Listing(found=tuple(found), more=len(page) > len(found), total=total)


def still(now: BeliefNow, wanted: Wanted) -> bool:
    """Tell whether a belief that is worked out anew is what was asked for."""
    return (now.opinion.stale or not wanted.stale) and (now.contradicted or not wanted.contradicted)


def place_of(text: str) -> Place | None:
    """Read a place from a cursor; None for the first page.

    Raises:
        ValueError: it is none.
    """
    return _PLACE.decode(text) if text else None


def place_text(place: Place) -> str:
    """Give a place as a cursor holds it."""
    return msgspec.json.encode(place).decode()


def _place(held: Held, resolved: Collection[Claim], asked: Asked) -> Place | None:
    """Give what a belief is ordered by; None where it is not wanted."""
    belief, wanted = held.belief, asked.wanted
    subject, predicate = belief.subject, belief.predicate
    if (
        (wanted.subject and wanted.subject != subject)
        or (wanted.predicate and wanted.predicate != predicate)
        or (wanted.resolved and (subject, predicate) not in resolved)
        or (wanted.stale and not stale_at(belief, asked.now_us))
        or (wanted.contradicted and not contradicted_at(belief, asked.now_us))
    ):
        return None
    if not wanted.words:
        return 0, subject, predicate
    score = _score(belief, wanted.words)
    return (-score, subject, predicate) if score else None


def _score(belief: Belief, words: frozenset[str]) -> int:
    """Give how well a belief matches: each word counts once, in a subject for more than in a value."""
    found = words.intersection(_WORD.findall(belief.subject))
    score = _OF_SUBJECT * len(found)
    predicate = _words(belief.predicate)
    if not words.isdisjoint(predicate):
        score += _OF_PREDICATE * len((words & predicate) - found)
        found |= words & predicate
    likeliest = likeliest_state(belief)
    if likeliest is not None:
        value = _words(likeliest.value.text, likeliest.value.unit)
        if not words.isdisjoint(value):
            score += _OF_VALUE * len((words & value) - found)
    return score


@functools.lru_cache(maxsize=16_384)  # predicates and values are much the same all over
def _words(text: str, unit: str = "") -> frozenset[str]:
    """Give the words of a predicate or a value."""
    return frozenset(_WORD.findall(claim_key(f"{text} {unit}")))


def _bounded(page: list[tuple[Place, Held]]) -> list[tuple[Place, Held]]:
    """Give the first beliefs that do not have too many contributions together, one at least."""
    room = MOST_CONTRIBUTIONS
    for at, (_, held) in enumerate(page):
        room -= held.belief.contributions
        if at and room < 0:
            return page[:at]
    return page


def _by_place(found: tuple[Place, Held]) -> Place:
    """Give what a page is ordered by."""
    return found[0]
