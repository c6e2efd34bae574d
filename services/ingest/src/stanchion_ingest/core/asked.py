"""What a gateway asks: its body, screened."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from stanchion_contracts.meta import OURSELVES
from stanchion_contracts.observation import (
    Body,
    Reassess,
    Request,
    Resolution,
    StatedClaim,
    TextEvidence,
    Tick,
    TrustSetting,
)
from stanchion_contracts.value import Value
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, TOO_MANY, InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_core.limits import BODY_BYTES, CLAIMS, ENCODED_BYTES, NAME_CHARS, QUOTE_CHARS, QUOTED_CHARS
from stanchion_core.text import clean, required
from stanchion_ingest.core.content import Content
from stanchion_ingest.core.found import screened_estimates, screened_findings
from stanchion_ingest.core.moment import in_range
from stanchion_ingest.core.policy import screened_policy
from stanchion_ingest.core.relation import screened_relations

_VALUE_CHARS: Final = 4_096
_UNIT_CHARS: Final = 64
OURS: Final = ("tick", "reassess", "estimates", "findings")
"""The parts of a body that only Stanchion itself says."""


def asked_content(request: Request, received_at_us: int) -> Content:
    """Screen a request that is no published event.

    Args:
        request: with a body; `observed_at_us` of 0 means that the caller gave none.
        received_at_us: the stamp.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    if request.body is None:
        raise InvalidMessage(FIELD_VALUE, "neither event nor body is present")
    _check_ours(request)
    if request.body.text_evidence is not None and request.path != "explicit-add":
        raise InvalidMessage(
            FIELD_VALUE, f"how a text counts is for an explicit add to say; this is {request.path}", "evidence"
        )
    stated_us = in_range(request.observed_at_us, received_at_us, "observed_at") if request.observed_at_us else 0
    body = screened_body(request.body)
    content = _content(body)
    if len(content) > ENCODED_BYTES:
        raise InvalidMessage(TOO_LARGE, f"the observation has {len(content)} bytes; the limit is {ENCODED_BYTES}")
    source = clean(request.source, "source", chars=NAME_CHARS)
    return Content(
        path=request.path,
        observed_at_us=stated_us or received_at_us,
        body=body,
        digest=content_digest((
            request.meta.room.encode(),
            source.encode(),
            request.path.encode(),
            b"%d" % stated_us,
            content,
        )),
    )


def screened_body(body: Body) -> Body:
    """Give a body as it is kept; exactly one part must be present, and none that only events have.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    parts = {name: part for name in body.__struct_fields__ if (part := getattr(body, name)) not in {None, ()}}
    alone = len(parts) == 1 and "text_evidence" not in parts
    if parts.keys() - _SCREENS.keys() or not (alone or parts.keys() in _TOGETHER):
        raise InvalidMessage(FIELD_VALUE, f"a body has exactly one part; {len(parts)} are present, or it is an event's")
    return Body(**{name: _SCREENS[name](part) for name, part in parts.items()})


def _content(body: Body) -> bytes:
    """Give a body's content, the same in every version of its class: an id says tomorrow what it said today.

    What later versions added is left out where it is absent.
    """
    plain = {name: part for name, part in msgspec.to_builtins(body).items() if part or name not in _ADDED}
    for claim in plain["claims"]:
        if not claim["quote"]:
            del claim["quote"]
    return msgspec.json.encode(plain)


def _check_ours(request: Request) -> None:
    """Refuse what only Stanchion itself may ask.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    if request.body is None or request.publisher == OURSELVES:
        return
    for name in OURS:
        if getattr(request.body, name):
            raise InvalidMessage(FIELD_VALUE, f"{name} is only for {OURSELVES} to say", name)


def _text(text: str) -> str:
    """Screen a text.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if not text.strip():
        raise InvalidMessage(FIELD_VALUE, "text is empty", "text")
    return clean(text, "text", utf8_bytes=BODY_BYTES)


def _text_evidence(counts: TextEvidence) -> TextEvidence:
    """Screen how a text counts.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    return TextEvidence(
        evidence=counts.evidence,
        sample=clean(counts.sample, "sample", chars=NAME_CHARS),
        strength=_strength(counts.strength, "strength"),
    )


def _claims(claims: tuple[StatedClaim, ...]) -> tuple[StatedClaim, ...]:
    """Screen stated claims.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    if len(claims) > CLAIMS:
        raise InvalidMessage(TOO_MANY, f"{len(claims)} claims; the limit is {CLAIMS} an observation", "claims")
    quoted = sum(len(claim.quote) for claim in claims)
    if quoted > QUOTED_CHARS:
        detail = f"the quotes of all claims have {quoted} characters together; the limit is {QUOTED_CHARS}"
        raise InvalidMessage(TOO_LARGE, detail, "claims")
    return tuple(_claim(claim, f"claims[{number}]") for number, claim in enumerate(claims))


def _trust(setting: TrustSetting) -> TrustSetting:
    """Screen a trust setting.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if setting.value is not None and not 0.0 <= setting.value <= 1.0:  # NaN is outside, too
        raise InvalidMessage(FIELD_VALUE, f"value {setting.value} is outside 0 to 1", "value")
    return TrustSetting(name=required(setting.name, "name", chars=NAME_CHARS), value=setting.value)


def _resolution(resolution: Resolution) -> Resolution:
    """Screen a resolution.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    return Resolution(
        subject=required(resolution.subject, "subject", chars=NAME_CHARS),
        predicate=required(resolution.predicate, "predicate", chars=NAME_CHARS),
        value=None if resolution.value is None else _value(resolution.value, "value"),
    )


def _claim(claim: StatedClaim, at: str) -> StatedClaim:
    """Screen a stated claim.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    return StatedClaim(
        subject=required(claim.subject, f"{at}.subject", chars=NAME_CHARS),
        predicate=required(claim.predicate, f"{at}.predicate", chars=NAME_CHARS),
        value=_value(claim.value, f"{at}.value"),
        positive=claim.positive,
        evidence=claim.evidence,
        sample=clean(claim.sample, f"{at}.sample", chars=NAME_CHARS),
        strength=_strength(claim.strength, f"{at}.strength"),
        quote=clean(claim.quote, f"{at}.quote", chars=QUOTE_CHARS),
    )


def _strength(strength: float, at: str) -> float:
    """Screen a strength.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    if not 0.0 <= strength <= 1.0:  # NaN is outside, too
        raise InvalidMessage(FIELD_VALUE, f"{at} {strength} is outside 0 to 1", at)
    return strength


def _value(value: Value, at: str) -> Value:
    """Screen a typed value; extraction checks that its text is one of its type.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if value.op not in {"", "~", "<", "<=", ">", ">="}:
        raise InvalidMessage(FIELD_VALUE, f"{at}.op {value.op[:20]!r} is none of ~ < <= > >=", f"{at}.op")
    return Value(
        type=value.type,
        text=required(value.text, f"{at}.text", chars=_VALUE_CHARS),
        unit=clean(value.unit, f"{at}.unit", chars=_UNIT_CHARS),
        op=value.op,
    )


def _as_it_is(part: Tick | Reassess) -> Tick | Reassess:
    """Give what has nothing to screen: numbers that the codec has read."""
    return part


_TOGETHER: Final = ({"claims", "relations"}, {"text", "text_evidence"})
_ADDED: Final = frozenset({"policy", "estimates", "findings", "text_evidence"})
"""Parts that the first version of a body had not."""
_SCREENS: Final[dict[str, Callable[[Any], Any]]] = {
    "text": _text,
    "text_evidence": _text_evidence,
    "claims": _claims,
    "relations": screened_relations,
    "trust": _trust,
    "resolution": _resolution,
    "policy": screened_policy,
    "estimates": screened_estimates,
    "findings": screened_findings,
    "tick": _as_it_is,
    "reassess": _as_it_is,
}
"""How each part is screened; a document and an event are an event's."""
