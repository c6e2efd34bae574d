"""Ledger messages made from changes by hand, as audit would notarise them, and records that carry them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from stanchion_contracts import codec
from stanchion_contracts.belief import Belief, BeliefUpdate, ValueState
from stanchion_contracts.change import (
    Action,
    Affirmation,
    Base,
    Change,
    DateReached,
    Move,
    Proposal,
    RecordChange,
    RecordPart,
    ResolutionChange,
    TrustChange,
    WorkspaceChange,
    WorkspaceSettings,
)
from stanchion_contracts.claim import Contribution
from stanchion_contracts.command import LinkSet, QuoteSeen, ReportObservations, Write, WriteBatch
from stanchion_contracts.finding import Finding, FindingKind
from stanchion_contracts.ledger import Entry, Ledger, Payload
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.relation import Entity, RelationChange, Window
from stanchion_contracts.trust import Estimate, EstimateChange, Judgement
from stanchion_contracts.value import Evidence, Value
from stanchion_core.ids import derived_id
from stanchion_core.text import canonical_json
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Headers, Outgoing, Record

Why = Literal["person_set", "consequence", "approval_only", "evidence_disagrees", "import_refused"]
Closing = Literal["published", "rejected", "in_force", "overtaken"]

MAYA = Actor(kind="person", id="maya")
BOT = Actor(kind="agent", id="bot", on_behalf_of="maya")
CRM = Actor(kind="service", id="crm")
START_US = 1_767_225_600_000_000  # 2026-01-01
STEP_US = 1_000_000


class Scribe:
    """Writes the ledger of one workspace: gives each change its seq and a second of time.

    Attributes:
        workspace: whose.
        seq: of the last change.
        now_us: of the last message.
    """

    def __init__(self, workspace: str = "acme", *, seq: int = 0, now_us: int = START_US) -> None:
        self.workspace = workspace
        self.seq = seq
        self.now_us = now_us
        self._versions: dict[str, int] = {}
        self._kinds: dict[str, str] = {}
        self._settings = WorkspaceSettings()

    def message(self, *changes: Change, actor: Actor = MAYA, origin: str = "") -> Ledger:
        """Notarise changes; each is given the next seq."""
        self.now_us += STEP_US
        first = self.seq + 1
        numbered = [_numbered(change, first + at) for at, change in enumerate(changes)]
        self.seq += len(numbered)
        payloads = tuple(codec.encode(Payload(salt=b"s" * 16, change=change)) for change in numbered)
        meta = Meta(
            id=f"m{first}",
            workspace=self.workspace,
            time_us=self.now_us,
            seed=b"0" * 16,
            origin=origin or f"command:c{first}",
            actor=actor,
        )
        entries = tuple(
            Entry(
                workspace=self.workspace,
                seq=change.seq,
                recorded_at_us=self.now_us,
                actor_kind=actor.kind,
                actor_id=actor.id,
                on_behalf_of=actor.on_behalf_of,
                action=change.action,
                subject_kind=change.subject_kind,
                subject_id=change.subject_id,
                origin=meta.origin,
                payload_digest=hashlib.sha256(payload).digest(),
            )
            for change, payload in zip(numbered, payloads, strict=True)
        )
        return Ledger(meta=meta, size=self.seq, entries=entries, payloads=payloads)

    def write(  # noqa: PLR0913 - a record has that many parts
        self,
        record: str,
        kind: str = "",
        *,
        label: str | None = None,
        body: str | None = None,
        room: str = "",
        status: str | None = None,
        fields: dict[str, object] | None = None,
        links: Sequence[Link] | None = None,
        evidence: Sequence[Citation] | None = None,
        moves: Sequence[Move] = (),
        baseline: bool | None = None,
        confirmation: Literal["", "kept", "given", "dropped"] = "",
        delete: bool = False,
    ) -> Change:
        """Create a record, write or delete it; a new one is stood behind unless told otherwise."""
        version = self._versions[record] = self._versions.get(record, 0) + 1
        new = version == 1
        kind = self._kinds.setdefault(record, kind or "decision")
        values = {**({"status": status} if status is not None else {}), **(fields or {})}
        part = RecordPart(
            label=label,
            body=body,
            fields=tuple(
                FieldValue(name=name, value=canonical_json(value) if value is not None else "")
                for name, value in sorted(values.items())
            ),
            links=tuple(links or ()),
            link_names=tuple(sorted({link.name for link in links or ()})),
            evidence=tuple(evidence) if evidence is not None else (None if not new else ()),
        )
        action: Action = "record.deleted" if delete else "record.created" if new else "record.written"
        return Change(
            seq=0,
            action=action,
            subject_kind=kind,
            subject_id=record,
            room=room,
            reason=f"{record} was written",
            record=RecordChange(
                id=record,
                kind=kind,
                room=room,
                version=version,
                before=None if new else RecordPart(),
                after=part,
                evidence_explicit=evidence is not None,
                moves=tuple(moves),
                baseline=new if baseline is None else baseline,
                confirmation=confirmation or ("given" if new else "kept"),
            ),
        )

    def affirm(self, record: str, *, through: int | None = None, note: str = "") -> Change:
        """Say that a record still holds."""
        return Change(
            seq=0,
            action="record.affirmed",
            subject_kind=self._kinds[record],
            subject_id=record,
            reason=f"{record} still holds",
            affirmation=Affirmation(
                record_id=record,
                version=self._versions[record],
                observed_through=self.seq if through is None else through,
                note=note,
            ),
        )

    def settle(self, vocabulary: str | None = None, *, approval_only: bool = False) -> Change:
        """Set how the workspace works; a vocabulary as JSON text, empty for the base one, None for the one in force."""
        before = self._settings
        self._settings = WorkspaceSettings(
            version=before.version + 1,
            approval_only=approval_only,
            vocabulary=before.vocabulary if vocabulary is None else vocabulary,
        )
        return Change(
            seq=0,
            action="workspace.set",
            subject_kind="workspace",
            subject_id=self.workspace,
            reason="settings changed",
            workspace=WorkspaceChange(before=before, after=self._settings),
        )

    def believe(self, *contributions: Contribution, half_life_s: int = 90 * 86_400) -> Change:
        """Move the belief that the contributions are about; its numbers are made up."""
        first = contributions[0]
        return Change(
            seq=0,
            action="belief.moved",
            subject_kind="belief",
            subject_id=f"{first.subject}/{first.predicate}",
            reason=f"{first.source} said so",
            belief=BeliefUpdate(
                before=None,
                after=Belief(
                    subject=first.subject,
                    predicate=first.predicate,
                    values=(ValueState(value=first.value, evidence=5.6, millionths=868_421),),
                    unnamed=0.0,
                    undecayed=5.6,
                    vacuity_millionths=263_158,
                    dissonance_millionths=0,
                    half_life_s=half_life_s,
                    time_us=self.now_us,
                    contributions=len(contributions),
                ),
                added=tuple(contributions),
            ),
        )


def field_moved(name: str, to: str) -> Move:
    """A monitored field changed."""
    return Move(kind="field", name=name, to=to)


def said(  # noqa: PLR0913 - a contribution has that many parts
    text: str,
    *,
    subject: str = "acme",
    predicate: str = "tam",
    source: str = "crm",
    agent: str = "",
    at_us: int = START_US,
    evidence: Evidence = "measurement",
    positive: bool = True,
) -> Contribution:
    """One voice on one claim about a number."""
    return Contribution(
        id=derived_id("con", subject, predicate, text, source, evidence, str(at_us), str(positive)),
        subject=subject,
        predicate=predicate,
        value=Value(type="number", text=text),
        positive=positive,
        evidence=evidence,
        source=source,
        agent=agent or source,
        observed_at_us=at_us,
    )


def trusted(name: str, value: float | None, before: float | None = None) -> Change:
    """A trust setting changed."""
    return Change(
        seq=0,
        action="trust.set",
        subject_kind="trust",
        subject_id=name,
        reason=f"{name} is trusted anew",
        trust=TrustChange(name=name, before=before, after=value),
    )


def ruled(predicate: str = "", before: BeliefPolicy | None = None, **parts: Any) -> Change:  # noqa: ANN401 - the policy's own
    """A policy changed."""
    return Change(
        seq=0,
        action="policy.set",
        subject_kind="policy",
        subject_id=predicate or "acme",
        reason="beliefs are worked out anew",
        policy=PolicyChange(
            before=before or BeliefPolicy(predicate=predicate), after=BeliefPolicy(predicate=predicate, **parts)
        ),
    )


def estimated(**trust: float | None) -> Change:
    """Consensus estimates changed."""
    return Change(
        seq=0,
        action="trust.estimated",
        subject_kind="trust",
        subject_id="consensus",
        reason="sources agree otherwise",
        estimated=EstimateChange(
            estimates=tuple(
                Estimate(name=name, trust=value, accuracy=0.8, claims=3) for name, value in sorted(trust.items())
            )
        ),
    )


def judged(
    source: str = "crm", *, hit: bool, millionths: int = 800_000, agent: str = "", evidence: Evidence = "measurement"
) -> Judgement:
    """What one voice said, and whether it was right."""
    return Judgement(source=source, agent=agent or source, evidence=evidence, millionths=millionths, hit=hit)


def resolved(value: Value | None, *voices: Judgement, subject: str = "acme", predicate: str = "tam") -> Change:
    """A claim turned out to be so, or is open again."""
    return Change(
        seq=0,
        action="claim.resolved",
        subject_kind="belief",
        subject_id=f"{subject}/{predicate}",
        reason="it turned out",
        resolution=ResolutionChange(subject=subject, predicate=predicate, value=value, judged=voices),
    )


def found(
    kind: FindingKind, subject: str = "acme", predicate: str = "tam", *, detail: str = "", closed: bool = False
) -> Change:
    """A look over all beliefs found something, or that it does not hold any more."""
    return Change(
        seq=0,
        action="finding.closed" if closed else "finding.opened",
        subject_kind="finding",
        subject_id=f"{kind} {subject}/{predicate}",
        reason=f"{kind} {subject}",
        finding=Finding(kind=kind, subject=subject, predicate=predicate, detail=detail or kind, closed=closed),
    )


def observed(uri: str, quote: str, seen: Literal["present", "absent"] = "present", token: str = "") -> Change:
    """Somebody re-read a source."""
    return Change(
        seq=0,
        action="citation.observed",
        subject_kind="citation",
        subject_id=uri,
        reason=f"{uri} was read again",
        observed=ReportObservations(
            uri=uri,
            version_token=token,
            quotes=(QuoteSeen(quote=quote, seen=seen),),
        ),
    )


def proposal(
    name: str,
    *writes: Write,
    base: Mapping[str, int] | None = None,
    why: Why = "person_set",
    by: Actor | None = None,
    edited_by: Actor | None = None,
) -> Proposal:
    """A write that waits for a person."""
    return Proposal(
        id=name,
        reason="a person set it",
        batch=WriteBatch(writes=writes),
        why=why,
        record_id=writes[0].id,
        base=tuple(Base(record_id=record, version=version) for record, version in sorted((base or {}).items())),
        by=by,
        edited_by=edited_by,
    )


def opened(waits: Proposal, action: Literal["proposal.opened", "proposal.edited"] = "proposal.opened") -> Change:
    """A proposal waits, or waits with other writes."""
    return Change(
        seq=0, action=action, subject_kind="proposal", subject_id=waits.id, reason=waits.reason, proposal=waits
    )


def closed(waits: Proposal, state: Closing = "in_force", note: str = "", reason: str = "it is done") -> Change:
    """A proposal no longer waits."""
    return Change(
        seq=0,
        action="proposal.closed",
        subject_kind="proposal",
        subject_id=waits.id,
        reason=reason,
        proposal=replace(waits, state=state, note=note),
    )


def proposed(name: str, record: str, *, replaces: str) -> Change:
    """A reversal waits for a person."""
    links = LinkSet(name="replaces", links=(Link(name="replaces", to=replaces),))
    return opened(proposal(name, Write(id=record, links=(links,))))


def related(  # noqa: PLR0913 - a relation has that many parts
    source: str,
    name: str,
    target: str,
    *,
    room: str = "",
    since_us: int = 0,
    until_us: int = 0,
    stated_by: str = "",
    ended: bool = False,
) -> Change:
    """Something is stated of two entities, written as `type:name`, or is stated no more."""
    ends = [_entity(source), _entity(target)]
    window = Window(valid_at_us=since_us, invalid_at_us=until_us, stated_by=stated_by)
    return Change(
        seq=0,
        action="relation.ended" if ended else "relation.stated",
        subject_kind="relation",
        subject_id=f"{ends[0].name} {name} {ends[1].name}",
        room=room,
        reason=f"{source} {name} {target}",
        relation=RelationChange(
            from_entity=ends[0], name=name, to_entity=ends[1], before=None, after=None if ended else window
        ),
    )


def _entity(text: str) -> Entity:
    kind, _, name = text.rpartition(":")
    return Entity(name=name, type=kind)


def due(record: str, field: str = "review_by", date: str = "2026-06-01") -> Change:
    """A date comes up."""
    return Change(
        seq=0,
        action="date.reached",
        subject_kind="rule",
        subject_id=record,
        reason=f"{field} comes up",
        date=DateReached(record_id=record, field=field, date=date),
    )


def _numbered(change: Change, seq: int) -> Change:
    return Change(**{**{name: getattr(change, name) for name in change.__struct_fields__}, "seq": seq})


def records(messages: Iterable[Ledger], *, partition: int = 0, epoch: int = 0, first: int = 1) -> list[Record]:
    """Records as they lie on a partition of the ledger after the claim at `epoch`."""
    return [
        Record(
            topic="ledger",
            partition=partition,
            offset=first + at,
            timestamp_us=message.meta.time_us,
            value=codec.encode(message),
            headers=_headers(partition, epoch, first + at - 1),
        )
        for at, message in enumerate(messages)
    ]


def outgoing(messages: Iterable[Ledger], *, partition: int = 0, epoch: int = 0, first_cause: int = 0) -> list[Outgoing]:
    """The same for a log to append, without the claim."""
    return [
        Outgoing(value=codec.encode(message), headers=_headers(partition, epoch, first_cause + at))
        for at, message in enumerate(messages)
    ]


def claim() -> Outgoing:
    """An owner's claim, to append first."""
    return Outgoing(value=b"", headers=((CLAIM, b"test"),))


def _headers(partition: int, epoch: int, cause: int) -> Headers:
    return ((CAUSE, f"changes:{partition}:{cause}".encode()), (EPOCH, str(epoch).encode()))
