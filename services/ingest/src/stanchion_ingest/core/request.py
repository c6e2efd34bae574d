"""What callers observe and publish over gRPC, in the terms of requests."""

from typing import Final, get_args

import msgspec

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.observation import Body, InboxEvent, StatedClaim, TrustSetting
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
    if request.text:
        return Body(text=request.text)
    return Body(
        claims=tuple(_claim(claim, f"claims[{number}]") for number, claim in enumerate(request.claims)),
        relations=observed_relations(request),
    )


def trust_body(request: pb.SetTrustRequest) -> Body:
    """Give a trust setting."""
    return Body(trust=TrustSetting(name=request.name, value=request.value if request.HasField("value") else None))


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
    if claim.evidence not in {"", *get_args(Evidence)}:
        raise InvalidMessage(
            FIELD_VALUE, f"{at}.evidence {claim.evidence[:40]!r} is no type of evidence", f"{at}.evidence"
        )
    if claim.value.type not in get_args(ValueType):
        raise InvalidMessage(
            FIELD_VALUE, f"{at}.value.type {claim.value.type[:40]!r} is no type of value", f"{at}.value.type"
        )
    return msgspec.convert(
        {
            "subject": claim.subject,
            "predicate": claim.predicate,
            "value": Value(
                type=msgspec.convert(claim.value.type, ValueType),
                text=claim.value.text,
                unit=claim.value.unit,
                op=claim.value.op,
            ),
            "positive": not claim.denial,
            "evidence": claim.evidence,
            "sample": claim.sample,
            "strength": claim.strength if claim.HasField("strength") else 1.0,
        },
        StatedClaim,
    )
