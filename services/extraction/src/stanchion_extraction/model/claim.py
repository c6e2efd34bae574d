"""What of a model's answer is submitted: claims that can be kept and whose quote stands in the text.

Nothing a model says is believed for being said: a claim is a name, a typed value and the words it was read from. What
those words are worth is for the line to judge.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.observation import StatedClaim
from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import CLAIMS, NAME_CHARS, QUOTE_CHARS, QUOTED_CHARS
from stanchion_core.text import required
from stanchion_extraction.core.contribution import key_of
from stanchion_extraction.core.typed import checked
from stanchion_extraction.model.answer import NamedClaim, NamedValue
from stanchion_extraction.model.eligible import is_ours
from stanchion_extraction.model.quote import Quotes

_LOOKED_AT: Final = 5 * CLAIMS
"""Of one answer: looking for ten thousand quotes takes longer than any honest answer is worth."""
_BYTES: Final = 768 * 1024
"""Of all claims of one observation, so that they are appended as one batch, whole or not at all."""
_UNIT_CHARS: Final = 64
_QUOTE_CHARS: Final = 2 * QUOTE_CHARS  # of a quote as it comes: NFC may make one that is too long fit


class Stated(Struct, frozen=True, kw_only=True):
    """What is submitted of one answer.

    Attributes:
        by_source: claims by the source that the text names for them, empty for the observation's own.
        dropped: how many claims are not submitted, by why: `quote`, `aside`, `value`, `name`, `repeat`, `many`.
    """

    by_source: Mapping[str, tuple[StatedClaim, ...]]
    dropped: Mapping[str, int]

    @property
    def count(self) -> int:
        """How many claims are submitted."""
        return sum(map(len, self.by_source.values()))


def stated(claims: tuple[NamedClaim, ...], text: str) -> Stated:
    """Give what of an answer is submitted; the same answer always gives the same.

    Args:
        claims: as the model names them.
        text: that it read.
    """
    quotes = Quotes(text)
    dropped: Counter[str] = Counter()
    kept: dict[str, list[StatedClaim]] = {}
    seen: set[tuple[object, ...]] = set()
    size = quoted = 0
    for named in claims[:_LOOKED_AT]:
        claim = _claim(named, quotes)
        source = _source(named.source, quotes)
        if isinstance(claim, str):
            dropped[claim] += 1
            continue
        size += len(msgspec.json.encode(claim))
        parts = (key_of(claim.subject, ""), key_of(claim.predicate, ""), claim.value, claim.positive, source)
        if parts in seen:
            dropped["repeat"] += 1
        elif len(seen) >= CLAIMS or size > _BYTES or quoted + len(claim.quote) > QUOTED_CHARS:
            dropped["many"] += 1
        else:
            seen.add(parts)
            quoted += len(claim.quote)
            kept.setdefault(source, []).append(claim)
    dropped["many"] += len(claims[_LOOKED_AT:])
    return Stated(by_source=_sorted(kept.items()), dropped={why: count for why, count in dropped.items() if count})


def _sorted(kept: Iterable[tuple[str, list[StatedClaim]]]) -> dict[str, tuple[StatedClaim, ...]]:
    """Give claims by source, the observation's own first."""
    return {source: tuple(claims) for source, claims in sorted(kept)}


def _claim(named: NamedClaim, quotes: Quotes) -> StatedClaim | str:
    """Give a claim as it is submitted, or why it is not."""
    try:
        subject, predicate = _name(named.subject), _name(named.predicate)
    except InvalidMessage:
        return "name"
    try:
        value = _value(named.value)
    except InvalidMessage:
        return "value"
    quoted = quotes.find(unicodedata.normalize("NFC", named.quote[:_QUOTE_CHARS]))
    if quoted.why:
        return quoted.why
    return StatedClaim(subject=subject, predicate=predicate, value=value, positive=named.positive, quote=quoted.text)


def _name(text: str) -> str:
    """Give a subject or predicate.

    Raises:
        InvalidMessage: it is none that can be kept.
    """
    name = required(text.strip(), "name", chars=NAME_CHARS)
    key_of(name, "name")
    return name


def _value(named: NamedValue) -> Value:
    """Give a value in canonical form.

    Raises:
        InvalidMessage: its text or unit is not one of its type.
    """
    text = required(named.text, "text", chars=4_096)
    unit = required(named.unit, "unit", chars=_UNIT_CHARS) if named.unit.strip() else ""
    return checked(Value(type=named.type, text=text, unit=unit, op=named.op))


def _source(named: str, quotes: Quotes) -> str:
    """Give the source that a model says the text names; empty where the text does not name it.

    So no text and no model lends a claim the trust of a source that is not there to be read.
    """
    if not named.strip() or len(named) > NAME_CHARS:
        return ""
    name = quotes.names(unicodedata.normalize("NFC", named))
    return "" if is_ours(name) or len(name) > NAME_CHARS else name
