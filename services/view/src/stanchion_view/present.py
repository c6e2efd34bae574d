"""What the view holds, as the proto says it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.change import Upstream
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2 as pb
from stanchion_contracts.meta import Actor
from stanchion_contracts.record import Citation, Link
from stanchion_core.walk import Head, Reason, Stood, Validity
from stanchion_view.core.event import Event
from stanchion_view.core.query import Found
from stanchion_view.core.state import Affirmed

STATES: Final[Mapping[str, "pb.ValidityState.ValueType"]] = {
    "current": pb.VALIDITY_STATE_CURRENT,
    "needs_review": pb.VALIDITY_STATE_NEEDS_REVIEW,
    "monitoring_incomplete": pb.VALIDITY_STATE_MONITORING_INCOMPLETE,
}
"""The proto's word for each state."""

PAGE_BYTES: Final = 8 * 1024 * 1024
"""What a page holds at most; a page that would be larger has fewer messages, at least one."""

_ACTORS: Final[Mapping[str, "pb.ActorKind.ValueType"]] = {
    "person": pb.ACTOR_KIND_PERSON,
    "agent": pb.ACTOR_KIND_AGENT,
    "service": pb.ACTOR_KIND_SERVICE,
    "system": pb.ACTOR_KIND_SYSTEM,
}
_LINK_STATES: Final[Mapping[str, "pb.LinkState.ValueType"]] = {
    "confirmed": pb.LINK_STATE_CONFIRMED,
    "proposed": pb.LINK_STATE_PROPOSED,
    "revoked": pb.LINK_STATE_REVOKED,
}


M = TypeVar("M", bound=Message)


def fitting(messages: Iterable[M]) -> list[M]:
    """Give the first messages that fit on a page."""
    shown: list[M] = []
    room = PAGE_BYTES
    for message in messages:
        room -= message.ByteSize()
        if shown and room < 0:
            break
        shown.append(message)
    return shown


def timestamp(at_us: int) -> Timestamp:
    """Give a time.

    Args:
        at_us: microseconds since the epoch.
    """
    stamp = Timestamp()
    stamp.FromMicroseconds(at_us)
    return stamp


def actor(who: Actor) -> pb.Actor:
    """Give who acted."""
    return pb.Actor(kind=_ACTORS[who.kind], id=who.id, on_behalf_of=who.on_behalf_of)


def record(workspace: str, found: Found, *, body: str = "", times: Mapping[int, int] | None = None) -> pb.Record:
    """Give a record with whether it still holds.

    Args:
        workspace: its name.
        found: what is in memory of it.
        body: where it was asked for.
        times: when the moves named in its validity were recorded, by seq.
    """
    card, head, around = found.card, found.head, found.around
    shown = pb.Record(
        workspace=workspace,
        room=card.room,
        id=card.id,
        kind=card.kind,
        label=card.label,
        body=body,
        fields=[pb.Field(name=field.name, value_json=field.value) for field in card.fields],
        links=[_link(link) for link in card.links],
        evidence=[_citation(citation, found.last_observed(citation)) for citation in card.evidence],
        tags=card.tags,
        valid_from=card.valid_from,
        valid_to=card.valid_to,
        version=card.version,
        deleted=card.deleted,
        written_by=actor(card.written_by),
        written_at=timestamp(card.written_at_us),
        origin=card.origin,
        seq=card.seq,
        validity=validity(found.validity, times or {}),
        confirmed=head.confirmed,
        superseded_by=around.superseded_by,
        supersedes=around.supersedes,
        replacement_claimed_by=around.claimed_by,
        proposals=found.proposals,
    )
    if found.disagreement is not None:
        shown.evidence_disagrees.CopyFrom(pb.EvidenceDisagrees(**msgspec.structs.asdict(found.disagreement)))
    if card.upstream is not None:
        shown.upstream.CopyFrom(_upstream(card.upstream))
    _last_confirmed(shown, head)
    if found.affirmed is not None:
        shown.last_affirmed.CopyFrom(_last_affirmed(found.affirmed))
    return shown


def validity(holds: Validity, times: Mapping[int, int]) -> pb.Validity:
    """Give whether a record still holds."""
    return pb.Validity(
        state=STATES[holds.state],
        reasons=[_reason(reason, times) for reason in holds.reasons],
        bounds=[pb.Bound(kind=bound.kind, name=bound.name) for bound in holds.bounds],
        monitored=pb.Monitored(records=holds.records, links=holds.links, citations=holds.citations),
        observed_through=holds.observed_through,
        grounds_not_in_force=[
            pb.GroundNotInForce(record_id=ground.record_id, status=ground.status)
            for ground in holds.grounds_not_in_force
        ],
    )


def event(workspace: str, happened: Event) -> pb.ChangeEvent:
    """Give what happened."""
    return pb.ChangeEvent(
        workspace=workspace,
        seq=happened.seq,
        recorded_at=timestamp(happened.recorded_at_us),
        kind=happened.kind,
        subject_kind=happened.subject_kind,
        subject_id=happened.subject_id,
        reason=happened.reason,
        actor=actor(happened.actor),
        origin=happened.origin,
        record_ids=happened.record_ids,
        more=happened.more,
    )


def reason_seqs(holds: Iterable[Validity]) -> list[int]:
    """Give the seqs whose times `record` wants to know."""
    return sorted({reason.seq for each in holds for reason in each.reasons})


def _reason(reason: Reason, times: Mapping[int, int]) -> pb.Reason:
    """Give one move that counts."""
    shown = pb.Reason(
        kind=reason.kind,
        record_id=reason.record_id,
        path=[pb.Step(link=step.link, record_id=step.record_id) for step in reason.path],
        change=pb.Moved(kind=reason.change.kind, name=reason.change.name, to=reason.change.to),
        seq=reason.seq,
    )
    if reason.seq in times:
        shown.recorded_at.CopyFrom(timestamp(times[reason.seq]))
    return shown


def _link(link: Link) -> pb.Link:
    """Give one link."""
    return pb.Link(
        name=link.name,
        to=link.to,
        state=_LINK_STATES[link.state],
        optional=not link.mandatory,
        stated_by=link.stated_by,
        note=link.note,
    )


def _citation(citation: Citation, last_observed_us: int | None) -> pb.Citation:
    """Give one citation."""
    shown: dict[str, Any] = {"last_observed": timestamp(last_observed_us)} if last_observed_us is not None else {}
    return pb.Citation(uri=citation.uri, quote=citation.quote, version_token=citation.version_token, **shown)


def _upstream(upstream: Upstream) -> pb.Upstream:
    """Give where an imported record comes from."""
    return pb.Upstream(
        uri=upstream.uri,
        former_uris=upstream.former_uris,
        revision=upstream.revision,
        status=upstream.status,
        deleted=upstream.deleted,
        left_out=upstream.left_out,
        unresolved=upstream.unresolved,
    )


def _last_confirmed(shown: pb.Record, head: Head) -> None:
    """Say who stood behind the record before a change dropped it."""
    stood: Stood | None = head.stood
    if head.confirmed or stood is None:
        return
    by = pb.Actor(kind=_ACTORS[stood.actor_kind], id=stood.actor_id, on_behalf_of=stood.on_behalf_of)
    shown.last_confirmed.CopyFrom(pb.LastConfirmed(by=by, at=timestamp(stood.at_us), how=stood.how, seq=stood.seq))


def _last_affirmed(affirmed: Affirmed) -> pb.LastAffirmed:
    """Say who last affirmed the record, and why."""
    return pb.LastAffirmed(
        by=actor(affirmed.by),
        at=timestamp(affirmed.at_us),
        note=affirmed.note,
        seq=affirmed.seq,
        version=affirmed.version,
    )
