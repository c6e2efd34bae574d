"""One structured event: the claims that its type's rules make of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from stanchion_contracts.claim import Contribution, LeftOut
from stanchion_contracts.observation import Event, Observation, StatedClaim
from stanchion_contracts.value import Evidence
from stanchion_core.errors import FIELD_VALUE, TOO_MANY, InvalidMessage
from stanchion_core.limits import CLAIMS, JSON_DEPTH, NAME_CHARS
from stanchion_core.text import clean, json_depth, required
from stanchion_extraction.core.contribution import EVIDENCE_OF, contribution
from stanchion_extraction.core.expression import ExpressionFailed, Scope, is_nothing
from stanchion_extraction.core.rule import Rule, Rules
from stanchion_extraction.core.written import written

_EVIDENCE: Final[dict[str, Evidence]] = {
    "measurement": "measurement",
    "citation": "citation",
    "expert-judgment": "expert-judgment",
    "user-assertion": "user-assertion",
    "inference": "inference",
    "assumption": "assumption",
}


class Mapped(Struct, frozen=True):
    """What a mapping made of one event."""

    contributions: tuple[Contribution, ...]
    left_out: tuple[LeftOut, ...]


def decoded(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Read an event's data.

    Raises:
        InvalidMessage: `FIELD_VALUE`: it is no JSON, has NaN or an infinity, or nests too deeply.
    """
    if data.count(b"{") + data.count(b"[") > JSON_DEPTH and json_depth(data) > JSON_DEPTH:
        raise InvalidMessage(FIELD_VALUE, f"data nests deeper than {JSON_DEPTH}")
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidMessage(FIELD_VALUE, f"data is not JSON: {error}") from error


def mapped(rules: Rules, observation: Observation, event: Event) -> Mapped:
    """Give the claims an event makes, in the order of the rules and of their items.

    Raises:
        InvalidMessage: `FIELD_VALUE` for data that is no JSON, `TOO_MANY` over the limit of claims.
    """
    data = decoded(event.data)
    about = {"type": event.type, "subject": event.subject, "source": observation.source}
    made: list[Contribution] = []
    left_out: list[LeftOut] = []
    for rule in rules:
        scopes = [{"data": data, "event": about, "item": item} for item in _items(rule, data, about, left_out)]
        if len(made) + len(scopes) > CLAIMS:
            raise InvalidMessage(TOO_MANY, f"{len(made) + len(scopes)} claims; the limit is {CLAIMS} an event")
        for place, scope in enumerate(scopes, start=1):
            try:
                if rule.when is None or not is_nothing(rule.when(scope)):
                    made.append(_claim(rule, scope, observation))
            except (InvalidMessage, ExpressionFailed) as error:
                why = error.detail if isinstance(error, InvalidMessage) else str(error)
                left_out.append(LeftOut(what=f"claim {place} of {event.type}", why=why))
    return Mapped(tuple(made), tuple(left_out))


def _items(rule: Rule, data: object, about: Mapping[str, str], left_out: list[LeftOut]) -> Iterable[object]:
    """Give the items a rule looks at: those of its list, or the data as a whole."""
    if rule.each is None:
        return (data,)
    try:
        items = rule.each({"data": data, "event": about, "item": data})
    except ExpressionFailed as error:
        left_out.append(LeftOut(what="each", why=str(error)))
        return ()
    if items is None:
        return ()
    if not isinstance(items, list):
        left_out.append(LeftOut(what="each", why="it gives no list"))
        return ()
    return items


def _claim(rule: Rule, scope: Scope, observation: Observation) -> Contribution:
    """Give one item's claim.

    Raises:
        InvalidMessage: `FIELD_VALUE`: a part is missing or not what it must be.
        ExpressionFailed: a part's expression does not apply.
    """
    parts = rule.parts(scope)
    subject, predicate = _name(parts.get("subject"), "subject"), _name(parts.get("predicate"), "predicate")
    value = written(
        _present(parts.get("value"), "value"),
        type_=_text(parts, "type"),
        unit=_text(parts, "unit"),
        op=_text(parts, "op"),
    )
    stated = StatedClaim(
        subject=subject,
        predicate=predicate,
        value=value,
        positive=_positive(parts.get("positive")),
        sample=_text(parts, "sample"),
        strength=_strength(parts.get("strength")),
    )
    word = _text(parts, "evidence")
    if word and word not in _EVIDENCE:
        raise InvalidMessage(FIELD_VALUE, f"evidence {word[:40]!r} is none of {', '.join(_EVIDENCE)}")
    evidence = _EVIDENCE[word] if word else EVIDENCE_OF[observation.path]
    return contribution(observation, stated, value, evidence, _text(parts, "source") or observation.source)


def _present(value: Any, field: str) -> Any:  # noqa: ANN401 - any JSON value
    """Give a part that must be there.

    Raises:
        InvalidMessage: it is not.
    """
    if value is None:
        raise InvalidMessage(FIELD_VALUE, f"{field} is missing")
    return value


def _name(value: object, field: str) -> str:
    """Give a subject or predicate; a number is as good a name as a text.

    Raises:
        InvalidMessage: it is missing or neither.
    """
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise InvalidMessage(FIELD_VALUE, f"{field} is missing" if value is None else f"{field} is no text")
    return required(value, field, chars=NAME_CHARS)


def _text(parts: Mapping[str, object], field: str) -> str:
    """Give a part that may be absent.

    Raises:
        InvalidMessage: it is neither text nor number.
    """
    value = parts.get(field)
    if value is None or value == "":  # most parts of most events
        return ""
    if type(value) is int:
        value = str(value)
    if not isinstance(value, str):
        raise InvalidMessage(FIELD_VALUE, f"{field} is no text")
    return clean(value, field, chars=NAME_CHARS)


def _positive(value: object) -> bool:
    """Give the polarity.

    Raises:
        InvalidMessage: it is no boolean.
    """
    if value is None:
        return True
    if not isinstance(value, bool):
        raise InvalidMessage(FIELD_VALUE, "positive is neither true nor false")
    return value


def _strength(value: object) -> float:
    """Give the strength.

    Raises:
        InvalidMessage: it is no number from 0 to 1.
    """
    if value is None:
        return 1.0
    if type(value) not in {int, float} or not 0.0 <= float(str(value)) <= 1.0:
        raise InvalidMessage(FIELD_VALUE, f"strength {value!r:.40} is no number from 0 to 1")
    return float(str(value))
