"""`key: value` lines, alone or in a row, and series as `Spend: Jan 118k, Feb 121k`."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.prose.cell import named_value, quantity_of, unit_word, value_of
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent
from stanchion_extraction.core.prose.label import is_goal, is_normative, mood_of
from stanchion_extraction.core.prose.lexicon import BE, DO, HAVE, MODALS
from stanchion_extraction.core.prose.quantity import mentions_in
from stanchion_extraction.core.prose.scene import TRUE
from stanchion_extraction.core.prose.unit import per_after
from stanchion_extraction.core.prose.word import lowered
from stanchion_extraction.core.typed import checked

PAIR: Final = re.compile(
    r"[ \t]{0,16}(?:[-*•+] )?[\"']?(?P<key>[^\W_][\w /.()%&#'’+-]{0,60}?)[\"']?\s{0,4}(?::|=)(?=[ \t]|"
    r"$)[ \t]*(?P<rest>[^\n]{0,300})"
)
_VERBS: Final = BE | DO | HAVE | MODALS
_IN_MAY: Final = re.compile(r"(?:in|of|for|since|by|until) may(?!\w)|may(?= \d)")
_MARKED: Final = re.compile(
    r"(?i:^(?:and|but|so|if|when|please|the problem|we|i|you|they|he|she|it|what|why|how|who|where|is|"
    r"are|do|does|can|http|https|re|fwd|subject|from|to|cc|bcc|ps|note|nb|hi|hello|dear|thanks|hint|"
    r"warning|caution|tip|important)\b)"
)
_SERIES: Final = re.compile(
    r"\((?:all |in )*(?P<unit>[a-z$€£%]{1,7})\)\s*$|(?<= )(?:all |in )+(?P<unit2>usd|eur|gbp|chf|%|"
    r"percent|ms|seconds|hours|gb|days)\s*$"
)
_TARGET: Final = re.compile(r"[\s,;]*\((?:target|goal|objective|slo)[^()]{0,60}\)\s*$", re.IGNORECASE)
CODES: Final = {"usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "$": "USD", "€": "EUR", "£": "GBP"}


def key_of(text: str, start: int, end: int) -> re.Match[str] | None:
    """Give the key and rest of a line that is a pair, None for a sentence with a colon in it."""
    found = PAIR.fullmatch(text, start, end)
    if found is None or _MARKED.match(found["key"]) or len(found["key"].split()) > 7 or not found["rest"].strip():  # noqa: PLR2004 - a small bound
        return None
    words = _IN_MAY.sub("", found["key"].lower()).split()
    return None if set(words) & _VERBS else found


def read_pair(found: re.Match[str], topic: str, *, system: bool) -> tuple[list[FoundClaim], list[FoundIntent]] | None:  # noqa: PLR0911 - one way out a form
    """Give what a pair states; None where its value is no value but a sentence.

    Args:
        found: the pair.
        topic: what stands above it, empty for nothing.
        system: a system printed it, so a name is a value too.
    """
    key, rest = found["key"].strip(), found["rest"].strip()
    span = (found.start("key"), found.start("rest") + len(found["rest"].rstrip()))
    if _DOCUMENT.match(key) is not None:
        return None
    mood = mood_of(key.lower())
    if mood in {"wish", "constraint"} or is_normative(key):
        return _wanted(key, rest, topic, span)
    if mood in {"question", "hypothetical", "instruction", "opinion"} or "?" in rest:
        return ([], []) if quantity_of(rest) is not None else None
    goal = _TARGET.search(rest)
    if goal is not None and goal.start():
        made = read_pair_of(key, rest[: goal.start()].strip(), topic, (span[0], span[0] + len(key)), system=system)
        start = found.start("rest") + goal.start()
        gist = f"{key} {goal[0].strip()}"
        end = found.start("rest") + goal.end()
        return made, [FoundIntent(kind="goal", gist=gist, rule="pair", start=span[0], end=max(start, end))]
    series = _series(key, rest, span, found.start("rest"), topic) or _places(
        key, rest, span, found.start("rest"), topic
    )
    if series:
        return series, []
    value = None if _SHALL.search(rest) else named_value(key, rest, words=system)
    if value is None:
        return None
    if value.type == "boolean" and not system and rest.strip().lower() in {"yes", "no", "on", "off"}:
        return None
    return _claims(key, value, topic, rest, span), []


def read_pair_of(key: str, rest: str, topic: str, span: tuple[int, int], *, system: bool) -> list[FoundClaim]:
    """Give the claim of a pair whose goal has been set apart."""
    value = named_value(key, rest, words=system)
    return [] if value is None else _claims(key, value, topic, rest, (span[0], span[1] + len(rest) + 4))


def _claims(key: str, value: Value, topic: str, rest: str, span: tuple[int, int]) -> list[FoundClaim]:
    """Give the claim of one pair, and of what it counts."""
    if value.type == "boolean":
        name, predicate = (topic, key) if topic else (key, "is")
        return [
            FoundClaim(
                subject=name,
                predicate=predicate,
                value=TRUE,
                positive=value.text == "true",
                rule="pair",
                start=span[0],
                end=span[1],
            )
        ]
    subject = f"{topic} {unit_word(key)}".strip()
    low = lowered(rest)
    mentions = mentions_in(low)
    if mentions and (end := per_after(low, mentions[0].end)) > mentions[0].end and value.type in {"money", "number"}:
        subject += " per " + re.sub(
            r"^(?:per|an?|each|every|pro)\s", "", low[mentions[0].end : end].strip(" /")
        ).replace("/", " per ")
    return [FoundClaim(subject=subject, predicate="is", value=value, rule="pair", start=span[0], end=span[1])]


def _wanted(
    key: str, rest: str, topic: str, span: tuple[int, int]
) -> tuple[list[FoundClaim], list[FoundIntent]] | None:
    """Give the goal that a pair states; a key that names a plan, a default or an example states nothing."""
    if quantity_of(rest) is None or mood_of(key.lower()) == "constraint":
        return None
    if not is_goal(key) and mood_of(key.lower()) != "wish":
        return [], []
    gist = f"{topic} {key} {rest}".strip()
    return [], [FoundIntent(kind="goal", gist=gist, rule="pair", start=span[0], end=span[1])]


_SHALL: Final = re.compile(r"(?<![\w-])(?:must|should|shall|will|would|could|might|ought)(?![\w-])", re.IGNORECASE)
_DOCUMENT: Final = re.compile(r"(?:minutes|notes|meeting|recap|protocol)(?= [\w ]*\d)", re.IGNORECASE)
"""What heads a text and names nothing that has a level: `Minutes 4 June: 7 members present`."""
_COMMA: Final = re.compile(r",(?!\d{3}(?!\d))")


def _series(key: str, rest: str, span: tuple[int, int], offset: int, topic: str) -> list[FoundClaim]:
    """Give one claim a period of `Jan 118k, Feb 121k, Mar 97k (all USD)`."""
    low = lowered(rest)
    unit = _SERIES.search(low)
    stop = unit.start() if unit else len(low)
    made: list[FoundClaim] = []
    at = 0
    for piece in _COMMA.split(low[:stop]):
        mentions = mentions_in(piece)
        if len(mentions) != 2:  # noqa: PLR2004 - a small bound
            return []
        when, what = mentions if mentions[0].kind == "period" else (mentions[1], mentions[0])
        between = piece[: mentions[0].start] + piece[mentions[0].end : mentions[1].start] + piece[mentions[1].end :]
        marks = re.sub(r"[\s:=]", "", between)
        if when.kind != "period" or what.value is None or what.kind == "period" or marks not in {"", "()"}:
            return []
        value = _in_unit(what.value, (unit["unit"] or unit["unit2"]) if unit else "")
        period = rest[at + when.start : at + when.end]
        subject = f"{topic} {key} {period}".strip()
        made.append(
            FoundClaim(
                subject=subject,
                predicate="is",
                value=value,
                rule="series",
                start=span[0],
                end=offset + at + max(when.end, what.end),
            )
        )
        at += len(piece) + 1
    return made if len(made) > 1 else []


_PLACED: Final = re.compile(r"(?: (?:on|in|for|at|from|via))(?P<name> [\w&.'-]{1,30}(?: [\w&.'-]{1,30}){0,2})\W*")


def _places(key: str, rest: str, span: tuple[int, int], offset: int, topic: str) -> list[FoundClaim]:
    """Give one claim a place of `88k on Android, 61k on iOS`."""
    made: list[FoundClaim] = []
    at = 0
    for piece in lowered(rest).split(","):
        mentions = mentions_in(piece)
        first = mentions[0] if mentions else None
        place = None if first is None else _PLACED.fullmatch(piece, first.end)
        if first is None or first.value is None or place is None or piece[: first.start].strip():
            return []
        if first.kind in {"date", "period", "time", "version"} or any(one.kind != "period" for one in mentions[1:]):
            return []
        name = rest[at + place.start("name") : at + place.end("name")].strip()
        made.append(
            FoundClaim(
                subject=f"{topic} {key} {piece[first.end :].split()[0]} {name}".strip(),
                predicate="is",
                value=first.value,
                rule="series",
                start=span[0],
                end=offset + at + place.end("name"),
            )
        )
        at += len(piece) + 1
    return made if len(made) > 1 else []


def _in_unit(value: Value, unit: str) -> Value:
    """Give a plain number in the unit told once for a whole series."""
    if value.type != "number" or value.unit or not unit:
        return value
    try:
        if unit in CODES:
            return checked(Value(type="money", text=value.text, unit=CODES[unit], op=value.op))
        if unit in {"%", "percent"}:
            return checked(Value(type="percent", text=value.text, op=value.op))
    except InvalidMessage:
        return value
    other = value_of(f"{value.text} {unit}", words=False)
    return value if other is None else other
