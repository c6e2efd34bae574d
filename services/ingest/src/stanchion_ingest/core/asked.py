"""What a gateway asks: its body, screened."""

from typing import Final

import msgspec

from stanchion_contracts.observation import Body, Request, Resolution, StatedClaim, TrustSetting
from stanchion_contracts.value import Value
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, TOO_MANY, InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_core.limits import BODY_BYTES, CLAIMS, ENCODED_BYTES, NAME_CHARS
from stanchion_core.text import clean, required
from stanchion_ingest.core.content import Content
from stanchion_ingest.core.moment import in_range
from stanchion_ingest.core.relation import screened_relations

_VALUE_CHARS: Final = 4_096
_UNIT_CHARS: Final = 64


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
    stated_us = in_range(request.observed_at_us, received_at_us, "observed_at") if request.observed_at_us else 0
    body = screened_body(request.body)
    content = msgspec.json.encode(body)
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
    stated = body.claims or body.relations or None  # the two may come together
    parts = (body.text, stated, body.trust, body.resolution, body.tick, body.reassess)
    present = sum(part is not None for part in parts)
    if present != 1 or body.document is not None or body.event is not None:
        raise InvalidMessage(FIELD_VALUE, f"a body has exactly one part; {present} are present, or it is an event's")
    if body.text is not None:
        if not body.text.strip():
            raise InvalidMessage(FIELD_VALUE, "text is empty", "text")
        return Body(text=clean(body.text, "text", utf8_bytes=BODY_BYTES))
    if body.trust is not None:
        return Body(trust=_trust(body.trust))
    if body.resolution is not None:
        return Body(resolution=_resolution(body.resolution))
    if len(body.claims) > CLAIMS:
        raise InvalidMessage(TOO_MANY, f"{len(body.claims)} claims; the limit is {CLAIMS} an observation", "claims")
    if stated is None:
        return body
    return Body(
        claims=tuple(_claim(claim, f"claims[{number}]") for number, claim in enumerate(body.claims)),
        relations=screened_relations(body.relations),
    )


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
    if not 0.0 <= claim.strength <= 1.0:
        raise InvalidMessage(FIELD_VALUE, f"{at}.strength {claim.strength} is outside 0 to 1", f"{at}.strength")
    return StatedClaim(
        subject=required(claim.subject, f"{at}.subject", chars=NAME_CHARS),
        predicate=required(claim.predicate, f"{at}.predicate", chars=NAME_CHARS),
        value=_value(claim.value, f"{at}.value"),
        positive=claim.positive,
        evidence=claim.evidence,
        sample=clean(claim.sample, f"{at}.sample", chars=NAME_CHARS),
        strength=claim.strength,
    )


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
