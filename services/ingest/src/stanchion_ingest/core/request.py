"""What callers observe and publish over gRPC, in the terms of requests."""

from typing import Final, get_args

import msgspec

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.observation import Body, InboxEvent, Resolution, StatedClaim, TextEvidence, TrustSetting
from stanchion_contracts.policy import HalfLife, PolicySetting
from stanchion_contracts.value import Evidence, Path, Value, ValueType
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import EVENT_ID_CHARS
from stanchion_core.text import clean
from stanchion_ingest.core.moment import timestamp_us
from stanchion_ingest.core.name import publisher_name, room_name, workspace_name
from stanchion_ingest.core.relation import observed_relations

_PATHS: Final[dict[str, Path]] = {
    "": "explicit-add",
    "tool-result": "tool-result",
    "user-message": "user-message",
    "agent-output": "agent-output",
    "explicit-add": "explicit-add",
}
"""How a caller may say that an observation came; the other paths are a document's and a system's own."""
_POLICY_PARTS: Final = frozenset(PolicySetting.__struct_fields__) - {"predicate"}


def observed_path(text: str) -> Path:
    """Give the path a caller names, `explicit-add` when it names none.

    Raises:
        InvalidMessage: `FIELD_VALUE` for another word.
    """
    if text not in _PATHS:
        raise InvalidMessage(FIELD_VALUE, f"path {text[:40]!r} is none of {', '.join(filter(None, _PATHS))}", "path")
    return _PATHS[text]


def observed_at_us(request: pb.ObserveRequest) -> int:
    """Give when a caller says it was observed, microseconds since the epoch; 0 when it does not say.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a time that there is not.
    """
    return timestamp_us(request.observed_at, "observed_at") if request.HasField("observed_at") else 0


def observed_body(request: pb.ObserveRequest) -> Body:
    """Give what a caller observed: a text, or claims and relations.

    Raises:
        InvalidMessage: `FIELD_VALUE` when both or neither is present, a word is none of its list, or a time is none.
    """
    if bool(request.text) == bool(request.claims or request.relations):
        raise InvalidMessage(FIELD_VALUE, "either a text must be present, or claims, relations or both", "text")
    counts = _text_evidence(request)
    if request.text:
        return Body(text=request.text, text_evidence=counts)
    if counts is not None:
        raise InvalidMessage(FIELD_VALUE, "evidence, sample and strength are a text's; each claim has its own", "text")
    return Body(
        claims=tuple(_claim(claim, f"claims[{number}]") for number, claim in enumerate(request.claims)),
        relations=observed_relations(request),
    )


def trust_body(request: pb.SetTrustRequest) -> Body:
    """Give a trust setting."""
    return Body(trust=TrustSetting(name=request.name, value=request.value if request.HasField("value") else None))


def resolution_body(request: pb.ResolveRequest) -> Body:
    """Give what a claim turned out to be; without a value it is open again.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a type of value that there is not.
    """
    value = _value(request.value, "value") if request.HasField("value") else None
    return Body(resolution=Resolution(subject=request.subject, predicate=request.predicate, value=value))


def policy_body(request: pb.SetBeliefPolicyRequest) -> Body:
    """Give what is set of a policy.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a half-life that there is not.
    """
    if request.half_life not in get_args(HalfLife):
        words = ", ".join(filter(None, get_args(HalfLife)))
        raise InvalidMessage(FIELD_VALUE, f"half_life {request.half_life[:40]!r} is none of {words}", "half_life")
    present = {field.name: value for field, value in request.ListFields() if field.name in _POLICY_PARTS}
    return Body(policy=msgspec.convert({"predicate": request.predicate, **present}, PolicySetting))


def published_event(request: pb.PublishRequest, minted: str) -> InboxEvent:
    """Give a published event, its names screened.

    Args:
        request: as it came.
        minted: its id where it has none.

    Raises:
        InvalidMessage: `WORKSPACE_MISSING`, `FIELD_VALUE` or `TOO_LARGE`.
    """
    return InboxEvent(
        id=clean(request.id, "id", chars=EVENT_ID_CHARS) or minted,
        source=publisher_name(request.source, "source"),
        type=request.type,
        subject=request.subject,
        time=request.time,
        workspace=workspace_name(request.workspace),
        room=room_name(request.room),
        content_type=request.content_type or "application/json",
        data=request.data,
    )


def _claim(claim: pb.StatedClaim, at: str) -> StatedClaim:
    """Give one stated claim; its texts are screened with the whole body.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    _check_evidence(claim.evidence, f"{at}.evidence")
    return msgspec.convert(
        {
            "subject": claim.subject,
            "predicate": claim.predicate,
            "value": _value(claim.value, f"{at}.value"),
            "positive": not claim.denial,
            "evidence": claim.evidence,
            "sample": claim.sample,
            "strength": claim.strength if claim.HasField("strength") else 1.0,
            "quote": claim.quote,
        },
        StatedClaim,
    )


def _text_evidence(request: pb.ObserveRequest) -> TextEvidence | None:
    """Give how a text counts, None where nothing is said of it; its texts are screened with the whole body.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a type of evidence that there is not.
    """
    _check_evidence(request.evidence, "evidence")
    parts = TextEvidence.__struct_fields__
    present = {field.name: value for field, value in request.ListFields() if field.name in parts}
    return msgspec.convert(present, TextEvidence) if present else None


def _check_evidence(word: str, at: str) -> None:
    """See that a type of evidence is one, or that none is said.

    Raises:
        InvalidMessage: `FIELD_VALUE`.
    """
    if word not in {"", *get_args(Evidence)}:
        raise InvalidMessage(FIELD_VALUE, f"{at} {word[:40]!r} is no type of evidence", at)


def _value(value: types_pb2.Value, at: str) -> Value:
    """Give a typed value; its texts are screened with the whole body.

    Raises:
        InvalidMessage: `FIELD_VALUE` for a type that there is not.
    """
    if value.type not in get_args(ValueType):
        raise InvalidMessage(FIELD_VALUE, f"{at}.type {value.type[:40]!r} is no type of value", f"{at}.type")
    return Value(type=msgspec.convert(value.type, ValueType), text=value.text, unit=value.unit, op=value.op)
