"""What a rule sees: the words of one clause that states something, and what came before it."""

from typing import Final

from msgspec import Struct

from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.phrase import Phrase
from stanchion_extraction.core.prose.quantity import Mention
from stanchion_extraction.core.prose.word import Word

TRUE: Final = Value(type="boolean", text="true")


class Scene(Struct, frozen=True):
    """One clause in its place.

    Attributes:
        words: of the clause.
        source: the whole text.
        before: what the clause before was about.
        counted: what was counted last, which `25 of them` are of.
        relative: a `which` or `who` joins it to what was counted before.
        one: what an indefinite `one` stands for: the last `a …` or `any …` named.
    """

    words: tuple[Word, ...]
    source: str
    before: Phrase | None = None
    one: Phrase | None = None
    counted: Phrase | None = None
    relative: bool = False


def claim(  # noqa: PLR0913 - all of them its parts
    rule: str, subject: Phrase, predicate: str, value: Value, span: tuple[int, int], *, positive: bool = True
) -> FoundClaim | None:
    """Give a claim, or nothing where there is nothing it is about."""
    if not subject.text or not predicate or len(subject.text) > 200:  # noqa: PLR2004 - a small bound
        return None
    start, end = min(span[0], subject.start), max(span[1], subject.end)
    return FoundClaim(
        subject=subject.text, predicate=predicate, value=value, positive=positive, rule=rule, start=start, end=end
    )


def claimed(*claims: FoundClaim | None) -> list[FoundClaim]:
    """Give the claims among what rules gave."""
    return [made for made in claims if made is not None]


def mention_at(words: tuple[Word, ...], at: int) -> Mention | None:
    """Give the quantity at a place, None where there is none or the words end."""
    return words[at].mention if at < len(words) else None


def low_at(words: tuple[Word, ...], at: int) -> str:
    """Give the word at a place, empty where a quantity stands or the words end."""
    return words[at].low if 0 <= at < len(words) and words[at].mention is None else ""
