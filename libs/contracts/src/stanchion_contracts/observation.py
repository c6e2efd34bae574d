"""What comes in: events on the inbox, requests of the gateways, and the observations ingest makes of both."""

from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.finding import Finding
from stanchion_contracts.meta import OURSELVES, Actor, Meta
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.relation import Relation
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Evidence, Path, Value
from stanchion_core.ids import content_digest, observation_id

HOUR_US: Final = 3_600_000_000
"""What a tick's hours count in, microseconds."""

_SEED_BYTES: Final = 16


class InboxEvent(Struct, frozen=True, kw_only=True):
    """One change event as an upstream system states it, in CloudEvents' terms.

    Attributes:
        id: unique within its source.
        source: the publisher (CloudEvents `source`).
        type: what happened, a reverse-DNS or dotted name.
        subject: what it happened to, may be empty.
        time: RFC 3339 with offset, empty when the publisher gave none.
        workspace: whose it is.
        room: the room inside it, may be empty.
        content_type: of `data`; `application/json` unless told.
        data: the payload as it came.
    """

    id: str
    source: str
    type: str
    subject: str = ""
    time: str = ""
    workspace: str
    room: str = ""
    content_type: str = "application/json"
    data: bytes = b""


class Document(Struct, frozen=True, kw_only=True):
    """One revision of one upstream document.

    Attributes:
        uri: where the document lives now.
        former_uri: where it lived before this revision, empty when it did not move.
        deleted: the document is gone; `text` is empty.
        text: the whole new text.
        revision: the upstream's name of this revision (a commit).
        author: who made it upstream, empty when unknown.
        format: `auto`, or a mapping's name (`adr`, `kep`, `pep`).
    """

    uri: str
    former_uri: str = ""
    deleted: bool = False
    text: str = ""
    revision: str = ""
    author: str = ""
    format: str = "auto"


class Event(Struct, frozen=True, kw_only=True):
    """One structured event of a system.

    Attributes:
        type: what happened.
        subject: what it happened to.
        data: the payload, JSON in UTF-8.
    """

    type: str
    subject: str = ""
    data: bytes


class StatedClaim(Struct, frozen=True, kw_only=True):
    """A claim that a caller states outright, nothing to extract.

    Attributes:
        subject: as written; normalised by extraction.
        predicate: as written.
        value: typed.
        positive: False for a denial.
        evidence: overrides what the path gives, empty for the path's own.
        sample: names one of several independent readings of one instrument.
        strength: 0 to 1.
        quote: the words it was read from; where they wish, ask or suppose, it is left out. Empty for none.
    """

    subject: str
    predicate: str
    value: Value
    positive: bool = True
    evidence: Evidence | Literal[""] = ""
    sample: str = ""
    strength: float = 1.0
    quote: str = ""


class TextEvidence(Struct, frozen=True, kw_only=True):
    """How the claims in a text that is added outright count; only on an explicit add.

    Attributes:
        evidence: overrides what the path gives, empty for the path's own.
        sample: names one of several independent readings of one instrument.
        strength: 0 to 1.
    """

    evidence: Evidence | Literal[""] = ""
    sample: str = ""
    strength: float = 1.0


class TrustSetting(Struct, frozen=True, kw_only=True):
    """A person sets how far a source or agent is trusted.

    Attributes:
        name: of the source or agent.
        value: 0 to 1; None takes the setting back.
    """

    name: str
    value: float | None


class Resolution(Struct, frozen=True, kw_only=True):
    """What turned out to be true of one claim; None reopens it."""

    subject: str
    predicate: str
    value: Value | None


class Tick(Struct, frozen=True, kw_only=True):
    """One hour has come.

    Attributes:
        hour: hours since the epoch.
    """

    hour: int


class Reassess(Struct, frozen=True, kw_only=True):
    """Asks fusion to re-evaluate more of what a trust setting touched.

    Attributes:
        trust_seq: seq of the trust setting.
        n: running number of the request, from 1.
    """

    trust_seq: int
    n: int


class Body(Struct, frozen=True, kw_only=True):
    """What was observed or asked: one part, but that claims and relations, or a text and how it counts, go together.

    Attributes:
        document: a revision of a document.
        event: a structured event.
        text: free text.
        claims: claims stated outright.
        relations: relations stated outright, beside claims or alone.
        trust: a trust setting.
        resolution: a resolution.
        tick: an hour.
        reassess: more of a trust setting's work.
        policy: how beliefs are worked out.
        estimates: how sources agree with each other, sorted by name; of Stanchion's own.
        findings: what a look over all beliefs found; of Stanchion's own.
        text_evidence: how the claims in the text count; None for as the path has it.
    """

    document: Document | None = None
    event: Event | None = None
    text: str | None = None
    claims: tuple[StatedClaim, ...] = ()
    relations: tuple[Relation, ...] = ()
    trust: TrustSetting | None = None
    resolution: Resolution | None = None
    tick: Tick | None = None
    reassess: Reassess | None = None
    policy: PolicySetting | None = None
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
    text_evidence: TextEvidence | None = None


class Request(Struct, frozen=True, kw_only=True):
    """What a gateway asks of ingest: a published event as it came, or an observation.

    Attributes:
        meta: stamped by the gateway; ingest stamps time and seed anew.
        event_id: idempotency key, or the event's id.
        publisher: the principal, or `stanchion` for ticks; the event's source when `event` is present.
        source: what the observation rests on; the principal when it names none.
        path: how it came.
        observed_at_us: microseconds since the epoch; 0 when the caller gave none, then ingest's stamp holds.
        event: the published event, raw.
        body: the observation, when there is no event.
    """

    meta: Meta
    event_id: str
    publisher: str
    source: str = ""
    path: Path = "explicit-add"
    observed_at_us: int
    event: InboxEvent | None = None
    body: Body | None = None


class Observation(Struct, frozen=True, kw_only=True):
    """One screened, stamped, de-duplicated observation or request.

    Or the refusal of one (`refusal_code` is set, `body` is empty) or the word that it came before (`repeated` is set,
    `body` is empty), so that a waiting caller is answered down the line.

    Attributes:
        meta: stamped by ingest; `meta.id` is the observation's id.
        publisher: whose event ids are unique: CloudEvents source, principal, or `stanchion`.
        event_id: as the publisher gave it.
        digest: SHA-256 of the content without `meta`; tells a repeat from a reused id.
        source: what it rests on.
        agent: who submitted it; the source itself when it reports directly.
        path: how it came.
        observed_at_us: microseconds since the epoch.
        body: what was observed.
        refusal_code: why a request was refused, empty when it was not.
        refusal_detail: one sentence.
        repeated: it was observed before, under the same id.
    """

    meta: Meta
    publisher: str
    event_id: str
    digest: bytes
    source: str
    agent: str
    path: Path
    observed_at_us: int
    body: Body
    refusal_code: str = ""
    refusal_detail: str = ""
    repeated: bool = False


def own_request(workspace: str, event_id: str, body: Body, now_us: int) -> Request:
    """Give a request of Stanchion's own; whoever makes it anew makes the same, but for its time.

    Args:
        workspace: whose.
        event_id: the same wherever the same is asked, so that doubles vanish.
        body: what is asked.
        now_us: the wall clock, microseconds since the epoch; ingest stamps it anew.
    """
    identity = observation_id(workspace, OURSELVES, event_id)
    return Request(
        meta=Meta(
            id=identity,
            workspace=workspace,
            time_us=now_us,
            seed=content_digest([identity.encode()])[:_SEED_BYTES],  # ingest draws its own
            origin=f"observation:{identity}",
            actor=Actor(kind="system", id=OURSELVES),
        ),
        event_id=event_id,
        publisher=OURSELVES,
        source=OURSELVES,
        path="system-event",
        observed_at_us=0,
        body=body,
    )
