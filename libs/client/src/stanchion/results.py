"""What calls give back: frozen, typed, and the same words as on the wire. Times are aware, in UTC."""

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

State = Literal["unspecified", "current", "needs_review", "monitoring_incomplete"]


class Actor(Struct, frozen=True, kw_only=True):
    """Who acted."""

    kind: Literal["unspecified", "person", "agent", "service", "system"]
    id: str
    on_behalf_of: str = ""


class Value(Struct, frozen=True, kw_only=True):
    """One value of one claim, as `stanchion_contracts.value.Value` has it."""

    type: str
    text: str
    unit: str = ""
    op: str = ""


class Link(Struct, frozen=True, kw_only=True):
    """One link of a record to another."""

    name: str
    to: str
    state: Literal["unspecified", "confirmed", "proposed", "revoked"] = "confirmed"
    optional: bool = False
    stated_by: str = ""
    note: str = ""


class Citation(Struct, frozen=True, kw_only=True):
    """A source in its place, and the words that were cited."""

    uri: str
    quote: str = ""
    version_token: str = ""
    last_observed: datetime | None = None


class Step(Struct, frozen=True, kw_only=True):
    """One step of the way from a record to what moved."""

    link: str
    record_id: str


class Moved(Struct, frozen=True, kw_only=True):
    """What moved: `field`, `body`, `citation`, `link`, `pin` or `deleted`; its name and what it changed to."""

    kind: str = ""
    name: str = ""
    to: str = ""


class Reason(Struct, frozen=True, kw_only=True):
    """Why a record needs review: one move, and the way to it."""

    kind: str
    record_id: str
    path: tuple[Step, ...] = ()
    change: Moved | None = None
    seq: int = 0
    recorded_at: datetime | None = None


class Bound(Struct, frozen=True, kw_only=True):
    """A limit of what could be said: `depth`, `size`, `unobserved` or `stale_evidence`."""

    kind: str
    name: str = ""


class Monitored(Struct, frozen=True, kw_only=True):
    """What was looked at."""

    records: int = 0
    links: int = 0
    citations: int = 0


class GroundNotInForce(Struct, frozen=True, kw_only=True):
    """A ground that is not in force now."""

    record_id: str
    status: str


class Validity(Struct, frozen=True, kw_only=True):
    """Whether a record still holds, worked out when it was read."""

    state: State
    reasons: tuple[Reason, ...] = ()
    bounds: tuple[Bound, ...] = ()
    monitored: Monitored | None = None
    observed_through: int = 0
    grounds_not_in_force: tuple[GroundNotInForce, ...] = ()


class LastConfirmed(Struct, frozen=True, kw_only=True):
    """Who last stood behind a record before a change dropped it."""

    by: Actor | None = None
    at: datetime | None = None
    how: str = ""
    seq: int = 0


class LastAffirmed(Struct, frozen=True, kw_only=True):
    """The last time a person said that a record still holds, and the note left with it."""

    by: Actor | None = None
    at: datetime | None = None
    note: str = ""
    seq: int = 0
    version: int = 0


class Upstream(Struct, frozen=True, kw_only=True):
    """Where an imported record comes from."""

    uri: str
    former_uris: tuple[str, ...] = ()
    revision: str = ""
    status: str = ""
    deleted: bool = False
    left_out: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()


class EvidenceDisagrees(Struct, frozen=True, kw_only=True):
    """Evidence points to another status than the one a person set, until a person decides on the proposal."""

    status: str
    proposal_id: str = ""
    since_seq: int = 0


class Record(Struct, frozen=True, kw_only=True):
    """A record as it stands.

    Attributes:
        fields: by name, as JSON values.
        proposals: ids of open proposals that would write it, oldest first.
        evidence_disagrees: evidence points elsewhere than the person who set the status; None where it does not.
        as_of_seq: the position the read was answered from.
    """

    workspace: str = ""
    room: str = ""
    id: str
    kind: str
    label: str = ""
    body: str = ""
    fields: dict[str, Any] = {}
    links: tuple[Link, ...] = ()
    evidence: tuple[Citation, ...] = ()
    tags: tuple[str, ...] = ()
    valid_from: str = ""
    valid_to: str = ""
    version: int = 0
    deleted: bool = False
    written_by: Actor | None = None
    written_at: datetime | None = None
    origin: str = ""
    seq: int = 0
    upstream: Upstream | None = None
    validity: Validity | None = None
    confirmed: bool = False
    last_confirmed: LastConfirmed | None = None
    superseded_by: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    replacement_claimed_by: tuple[str, ...] = ()
    last_affirmed: LastAffirmed | None = None
    proposals: tuple[str, ...] = ()
    evidence_disagrees: EvidenceDisagrees | None = None
    as_of_seq: int = 0

    @property
    def status(self) -> str:
        """The `status` field, empty for kinds without one."""
        return str(self.fields.get("status", ""))

    @property
    def needs_review(self) -> bool:
        """Whether something it rests on has moved."""
        return self.validity is not None and self.validity.state == "needs_review"

    @property
    def affirmed(self) -> bool:
        """Whether a person has affirmed it as it was last written."""
        return self.last_affirmed is not None and self.last_affirmed.version == self.version


class MovedBelief(Struct, frozen=True, kw_only=True):
    """What a belief held likeliest, before and after.

    Attributes:
        value_before: None when nobody had named one.
        value: likewise.
        probability: of `value`, 0 to 1.
        vacuity: share of mass that no evidence backs, 0 to 1.
    """

    subject: str
    predicate: str
    seq: int = 0
    value_before: Value | None = None
    probability_before: float = 0.0
    value: Value | None = None
    probability: float = 0.0
    vacuity: float = 0.0


class LandedRecord(Struct, frozen=True, kw_only=True):
    """One record that a write touched."""

    record_id: str
    version: int = 0
    decided_by_normalized: str = ""


class Answer(Struct, frozen=True, kw_only=True):
    """What was decided.

    Attributes:
        first_seq: of what changed; 0 when nothing did.
        last_seq: likewise.
        min_seq: pass it to a read to see this write.
        records: what it touched, in the order written.
        proposals: ids of proposals that wait for a person.
        repeated_command: it had landed before; this is its first answer.
        remaining: claims a trust setting has yet to re-evaluate.
        left_out: what of an event or observation was not taken, in sentences.
        beliefs: those that moved, at most 200.
        intents: ids of the records that wishes, decisions and prohibitions became.
    """

    first_seq: int = 0
    last_seq: int = 0
    min_seq: int = 0
    records: tuple[LandedRecord, ...] = ()
    proposals: tuple[str, ...] = ()
    repeated_command: bool = False
    remaining: int = 0
    left_out: tuple[str, ...] = ()
    beliefs: tuple[MovedBelief, ...] = ()
    intents: tuple[str, ...] = ()


class Observed(Struct, frozen=True, kw_only=True):
    """What became of an observation."""

    observation_id: str
    answer: Answer


class Published(Struct, frozen=True, kw_only=True):
    """One event that is durable; with its answer when that was awaited."""

    id: str
    answer: Answer | None = None

    @property
    def changed(self) -> bool:
        """Whether its answer says that it changed something, and for the first time."""
        return self.answer is not None and self.answer.first_seq > 0 and not self.answer.repeated_command


class ChangeEvent(Struct, frozen=True, kw_only=True):
    """What happened at one seq."""

    workspace: str = ""
    seq: int
    recorded_at: datetime | None = None
    kind: str = ""
    subject_kind: str = ""
    subject_id: str = ""
    reason: str = ""
    actor: Actor | None = None
    origin: str = ""
    record_ids: tuple[str, ...] = ()
    more: int = 0


class Watched(Struct, frozen=True, kw_only=True):
    """One message of a watch: an event, or None when only the position grew."""

    event: ChangeEvent | None = None
    through_seq: int = 0


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """One notarised change.

    Attributes:
        before: the changed parts as they were; None for nothing.
        after: the changed parts as they are.
        payload_digest: SHA-256.
        leaf: what the Merkle tree commits to.
    """

    seq: int
    recorded_at: datetime | None = None
    actor: Actor | None = None
    action: str = ""
    subject_kind: str = ""
    subject_id: str = ""
    origin: str = ""
    reason: str = ""
    before: Any = None
    after: Any = None
    payload_digest: bytes = b""
    leaf: bytes = b""


class Checkpoint(Struct, frozen=True, kw_only=True):
    """The signed head of a workspace's tree: the note, its size, root and verifier key."""

    checkpoint: str
    size: int = 0
    root: bytes = b""
    verifier_key: str = ""


class Workspace(Struct, frozen=True, kw_only=True):
    """One workspace and how far it has come."""

    name: str
    last_seq: int = 0
    records: int = 0
    beliefs: int = 0
    last_recorded_at: datetime | None = None


class BeliefPolicy(Struct, frozen=True, kw_only=True):
    """How the beliefs of a workspace, or of one predicate, are worked out.

    Attributes:
        predicate: empty for the workspace.
        half_life: `fast` (14 days), `standard` (90), `slow` (365) or `none`; empty where the wider policy holds.
        multi_valued: several values may be true at once.
        tolerance: numbers that differ by no more than this share of the larger are one value, 0 to 0.5.
        consensus: of the workspace: sources that nobody resolved are trusted as they agree with others.
    """

    predicate: str = ""
    half_life: str = ""
    multi_valued: bool = False
    tolerance: float = 0.0
    consensus: bool = False


class WorkspaceSettings(Struct, frozen=True, kw_only=True):
    """How a workspace works.

    Attributes:
        approval_only: every write of an agent waits for a person.
        vocabulary: what may be written in it, as `stanchion_core.vocabulary_text` reads it.
        version: of the settings; 0 for what every workspace begins with.
        open_proposals: how many wait for a person.
        as_of_seq: the position the read was answered from.
        policies: how beliefs are worked out: the workspace's own first, where it has one, then by predicate.
    """

    approval_only: bool = False
    vocabulary: dict[str, Any] = {}
    version: int = 0
    open_proposals: int = 0
    as_of_seq: int = 0
    policies: tuple[BeliefPolicy, ...] = ()


class Page(Struct, frozen=True, kw_only=True):
    """One page of a query.

    Attributes:
        cursor: of the next page, empty after the last.
        total: how many match in all.
    """

    records: tuple[Record, ...] = ()
    cursor: str = ""
    as_of_seq: int = 0
    total: int = 0
