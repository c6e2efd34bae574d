"""Changes: what one input did to a workspace, each change with its seq; or why it did nothing."""

from typing import Literal

from msgspec import Struct

from stanchion_contracts.belief import BeliefUpdate
from stanchion_contracts.claim import Reference
from stanchion_contracts.command import ReportObservations, WriteBatch
from stanchion_contracts.finding import Finding
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.policy import PolicyChange
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Relation, RelationChange
from stanchion_contracts.trust import EstimateChange, Judgement
from stanchion_contracts.value import Value

Action = Literal[
    "record.created",
    "record.written",
    "record.deleted",
    "record.affirmed",
    "record.renamed",
    "belief.moved",
    "trust.set",
    "claim.resolved",
    "citation.observed",
    "proposal.opened",
    "proposal.edited",
    "proposal.closed",
    "relation.stated",
    "relation.ended",
    "workspace.set",
    "date.reached",
    "policy.set",
    "trust.estimated",
    "finding.opened",
    "finding.closed",
]


class Upstream(Struct, frozen=True, kw_only=True):
    """Where an imported record comes from.

    Attributes:
        uri: where the document lives now.
        former_uris: where it lived before, oldest first.
        revision: the upstream's name of the revision last seen.
        status: the text's own word for its status.
        deleted: the document is gone upstream.
        left_out: what the mapping could not place, in sentences.
        unresolved: references that wait, as `name uri`: their target has not been seen, the vocabulary does not have
            their link, or what the link supersedes waits for a person and finds no room.
    """

    uri: str
    former_uris: tuple[str, ...] = ()
    revision: str = ""
    status: str = ""
    deleted: bool = False
    left_out: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()


class RecordPart(Struct, frozen=True, kw_only=True):
    """The changed parts of a record, on one side of a change; None or absent where a part did not change.

    Attributes:
        label: the whole label.
        body: the whole body (only in `after`).
        body_digest: SHA-256 of the body in UTF-8 (only in `before`, empty when the body did not change).
        fields: changed fields, sorted by name; an empty value is a field that is not set.
        links: all links of the names that changed, in vocabulary order.
        link_names: the names of links that changed, so that an emptied name shows.
        evidence: the version's citations.
        tags: the whole list.
        valid_from: empty is not set.
        valid_to: empty is not set.
        upstream: where it comes from.
    """

    label: str | None = None
    body: str | None = None
    body_digest: bytes = b""
    fields: tuple[FieldValue, ...] = ()
    links: tuple[Link, ...] = ()
    link_names: tuple[str, ...] = ()
    evidence: tuple[Citation, ...] | None = None
    tags: tuple[str, ...] | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    upstream: Upstream | None = None


class Move(Struct, frozen=True, kw_only=True):
    """One thing that counts as having moved in a record; its seq is the change's.

    Attributes:
        kind: what moved: a monitored field, the body, a citation, a grounds link, or the record was deleted.
        name: the field or link, or the citation's uri; empty otherwise.
        to: the value it changed to (a field), or the other end (a link); empty otherwise.
    """

    kind: Literal["field", "body", "citation", "link", "deleted"]
    name: str = ""
    to: str = ""


class RecordChange(Struct, frozen=True, kw_only=True):
    """What happened to one record.

    Attributes:
        id: of the record.
        kind: of the record.
        room: of the record.
        version: after the change, from 1.
        before: changed parts as they were; None for a new record.
        after: changed parts as they are.
        evidence_explicit: the write carried the evidence key; otherwise validity rests on the last explicit list.
        moves: what counts as having moved, for what rests on this record.
        baseline: the record was stood behind here: its baseline becomes this seq.
        confirmation: whether a person stands behind the version: given, dropped, or kept as it was.
        by: whose write it counts as where that is not the message's actor: an import's author, or Stanchion itself for
            a status that evidence set.
        proposal_id: the proposal by which a person had it come into force; empty for none.
    """

    id: str
    kind: str
    room: str = ""
    version: int
    before: RecordPart | None
    after: RecordPart
    evidence_explicit: bool = False
    moves: tuple[Move, ...] = ()
    baseline: bool = False
    confirmation: Literal["kept", "given", "dropped"] = "kept"
    by: Actor | None = None
    proposal_id: str = ""


class Affirmation(Struct, frozen=True, kw_only=True):
    """A person said that a version still holds, having seen everything through a seq."""

    record_id: str
    version: int
    observed_through: int
    note: str = ""


class TrustChange(Struct, frozen=True, kw_only=True):
    """A trust setting changed; None is the default."""

    name: str
    before: float | None
    after: float | None


class ResolutionChange(Struct, frozen=True, kw_only=True):
    """A claim was resolved, or reopened (None).

    Attributes:
        subject: normalised.
        predicate: normalised.
        value: what turned out to be true; None when it is open again.
        before: what it was resolved to before; None for open.
        judged: who said what of it, sorted; empty when it was reopened. It takes the place of what was judged before.
    """

    subject: str
    predicate: str
    value: Value | None
    before: Value | None = None
    judged: tuple[Judgement, ...] = ()


class Base(Struct, frozen=True, kw_only=True):
    """The version of a record that a proposal was made against; 0 for a record that did not exist."""

    record_id: str
    version: int


class Proposal(Struct, frozen=True, kw_only=True):
    """A write that waits for a person.

    Attributes:
        id: derived from its origin.
        reason: why it did not land, in a sentence.
        batch: what would be written.
        why: what kept it from landing: it would change what a person set, the kind or workspace wants a person,
            evidence disagrees with a status a person set, or a rule refused a part of an import.
        record_id: the record it is chiefly about.
        base: the versions it was made against, sorted by record.
        by: who proposed it: the agent or service, or Stanchion itself.
        edited_by: the person who changed it last; None for nobody.
        state: `open`; or why it is closed: a person published it or rejected it, its content has come into force by
            other means, or what asked for it does not hold any more.
        note: the person's words when it was published or rejected.
        keeps_citations: a text or evidence proposed it, which says nothing of citations: published without any, it
            leaves those that stand.
    """

    id: str
    reason: str
    batch: WriteBatch
    why: Literal["person_set", "consequence", "approval_only", "evidence_disagrees", "import_refused"] = "person_set"
    record_id: str = ""
    base: tuple[Base, ...] = ()
    by: Actor | None = None
    edited_by: Actor | None = None
    state: Literal["open", "published", "rejected", "in_force", "overtaken"] = "open"
    note: str = ""
    keeps_citations: bool = False


class WorkspaceSettings(Struct, frozen=True, kw_only=True):
    """How a workspace works.

    Attributes:
        version: of the settings, from 1 with the first change; 0 for what every workspace begins with.
        approval_only: every write of an agent waits for a person.
        vocabulary: the JSON text of its vocabulary; empty for the base one.
    """

    version: int = 0
    approval_only: bool = False
    vocabulary: str = ""


class WorkspaceChange(Struct, frozen=True, kw_only=True):
    """The settings of a workspace changed."""

    before: WorkspaceSettings
    after: WorkspaceSettings


class DateReached(Struct, frozen=True, kw_only=True):
    """A date field of a record comes up within two weeks."""

    record_id: str
    field: str
    date: str


class Change(Struct, frozen=True, kw_only=True):
    """One effective change of a workspace; exactly one of the parts is present.

    Attributes:
        seq: 1, 2, 3 … in the workspace, without gaps.
        action: what happened.
        subject_kind: the record's kind, or `belief`, `trust`, `policy`, `finding`, `citation`, `proposal`, `relation`,
            `workspace`.
        subject_id: the record's id, `subject/predicate`, the trusted name, the uri, the proposal's id, the relation as
            `from name to`, the workspace's name; of a policy the predicate, or the workspace's name where it has none;
            of estimates `consensus`; of a finding `kind subject/predicate`.
        room: where.
        reason: a sentence a person can read.
        record: set for record.created, .written, .deleted, .renamed.
        affirmation: set for record.affirmed.
        belief: set for belief.moved.
        trust: set for trust.set.
        resolution: set for claim.resolved.
        observed: set for citation.observed.
        proposal: set for proposal.opened, .edited and .closed.
        relation: set for relation.stated and .ended.
        workspace: set for workspace.set.
        date: set for date.reached.
        policy: set for policy.set.
        estimated: set for trust.estimated.
        finding: set for finding.opened and .closed.
    """

    seq: int
    action: Action
    subject_kind: str
    subject_id: str
    room: str = ""
    reason: str
    record: RecordChange | None = None
    affirmation: Affirmation | None = None
    belief: BeliefUpdate | None = None
    trust: TrustChange | None = None
    resolution: ResolutionChange | None = None
    observed: ReportObservations | None = None
    proposal: Proposal | None = None
    relation: RelationChange | None = None
    workspace: WorkspaceChange | None = None
    date: DateReached | None = None
    policy: PolicyChange | None = None
    estimated: EstimateChange | None = None
    finding: Finding | None = None


class Imported(Struct, frozen=True, kw_only=True):
    """What validity must remember of a document between its revisions.

    Attributes:
        uri: where it lives now.
        former_uri: where it lived before this revision, empty when it did not move.
        record_id: the record it became.
        label: as last imported.
        body_digest: SHA-256 of the body last imported.
        fields: as last imported.
        references: as last imported, resolved or not.
        relations: as last imported.
        names: as last imported.
        deleted: the document is gone upstream.
        revised_at_us: when the latest of its revisions was made upstream, microseconds since the epoch; 0 for unknown.
    """

    uri: str
    former_uri: str = ""
    record_id: str
    label: str = ""
    body_digest: bytes = b""
    fields: tuple[FieldValue, ...] = ()
    references: tuple[Reference, ...] = ()
    relations: tuple[Relation, ...] = ()
    names: tuple[str, ...] = ()
    deleted: bool = False
    revised_at_us: int = 0


class Landed(Struct, frozen=True, kw_only=True):
    """One record a command touched, for the answer.

    Attributes:
        record_id: which.
        version: the version that stands now.
        decided_by_normalized: how a plain name was written, empty when it was not rewritten.
    """

    record_id: str
    version: int
    decided_by_normalized: str = ""


class Changes(Struct, frozen=True, kw_only=True):
    """The changes one input caused, or its refusal.

    Attributes:
        meta: as stamped; `meta.origin` is what the ledger names.
        recorded_at_us: the later of the stamp and the workspace's previous one, microseconds since the epoch.
        last_seq: the workspace's last seq after this message.
        changes: in seq order.
        imported: bookkeeping of imports.
        landed: for the answer, in the command's order.
        proposals: ids of the proposals opened, or found waiting with just this.
        refusal: why nothing happened.
        key: the caller's idempotency key, empty for none; remembered with its digest when the command succeeded.
        digest: SHA-256 of the command's content, empty for none.
        first_seq: for a repeated key: the first success's first and last seq stand here and in `last_seq_answered`.
        last_seq_answered: seq of the last change of the answer; 0 for none.
        repeated: this answers a repeat: of a command that landed before; or of an observation, whose first seqs are not
            known here (`first_seq` is 0).
        remaining: how many claims a trust setting still has to re-evaluate.
        left_out: what was observed and not taken, and why, in sentences.
    """

    meta: Meta
    recorded_at_us: int
    last_seq: int
    changes: tuple[Change, ...] = ()
    imported: tuple[Imported, ...] = ()
    landed: tuple[Landed, ...] = ()
    proposals: tuple[str, ...] = ()
    refusal: Refusal | None = None
    key: str = ""
    digest: bytes = b""
    first_seq: int = 0
    last_seq_answered: int = 0
    repeated: bool = False
    remaining: int = 0
    left_out: tuple[str, ...] = ()
