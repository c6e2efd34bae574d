"""What is held to be true and how sure that is, as calls give it: frozen and typed, in the words of the wire.

Terms follow subjective logic (Jøsang, Subjective Logic, 2016): *vacuity* is the share of mass that no evidence backs,
*dissonance* the share in conflict.
"""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from stanchion.results import Answer, MovedBelief, Observed, Record, Value

Basis = Literal["setting", "outcomes", "consensus", "default"]
"""What trust rests on: the first of them that there is."""

FindingKind = Literal["contradiction", "stale", "related", "trust_moved"]


class ValueState(Struct, frozen=True, kw_only=True):
    """One candidate value of a belief.

    Attributes:
        probability: 0 to 1.
        evidence: mass of evidence for it.
        against: of a multi-valued claim, mass of evidence that it is not one of the values; else 0.
        vacuity: of a multi-valued claim, how open this value is; else 0.
        dissonance: of a multi-valued claim, how much of this value is in conflict; else 0.
    """

    value: Value
    probability: float = 0.0
    evidence: float = 0.0
    against: float = 0.0
    vacuity: float = 0.0
    dissonance: float = 0.0


class Contribution(Struct, frozen=True, kw_only=True):
    """One voice on a claim.

    Attributes:
        denial: it says that it is not so.
        evidence: its type, which gives its base weight.
        weight: now, decay and trust applied.
        displaced: a later word of the same source took its place.
        sample: names one of several independent readings.
        strength: 0 to 1.
        rule: which rule found it in a text; empty for a claim that was stated outright.
        begin: where in the text it stands, in characters.
        end: where it ends, exclusive.
    """

    id: str
    value: Value | None = None
    denial: bool = False
    evidence: str = ""
    source: str = ""
    agent: str = ""
    observed_at: datetime | None = None
    weight: float = 0.0
    displaced: bool = False
    sample: str = ""
    strength: float = 1.0
    rule: str = ""
    begin: int = 0
    end: int = 0


class Trust(Struct, frozen=True, kw_only=True):
    """How far a source or agent is trusted, and why.

    Attributes:
        value: in force now, 0 to 1.
        basis: what it rests on.
        setting: of a person; None where nobody set it.
        hits: of the resolved claims it spoke on, how many it was right on.
        judged: how many those are.
        consensus: as it agrees with others; None without an estimate.
    """

    name: str
    value: float = 0.0
    basis: Basis = "default"
    setting: float | None = None
    hits: int = 0
    judged: int = 0
    consensus: float | None = None


class Belief(Struct, frozen=True, kw_only=True):
    """A belief as it stood when it was read.

    Attributes:
        values: likeliest first, at most 200.
        vacuity: how much no evidence backs, 0 to 1.
        dissonance: how much is in conflict, 0 to 1.
        stale: its evidence has shrunk below a quarter of what it was.
        contributions: latest first, at most 1,000; none where beliefs are listed.
        half_life_days: of its evidence; 0 where nothing ages.
        contributions_total: how many there are in all, listed or not.
        values_total: likewise.
        multi_valued: several values may be true at once.
        tolerance: numbers that differ by no more than this share of the larger are one value.
        resolved: what it turned out to be; None while that is open.
        contradicted: its values contradict each other.
        trust: of those who speak on it.
        as_of_seq: the position the read was answered from.
    """

    workspace: str = ""
    subject: str
    predicate: str
    values: tuple[ValueState, ...] = ()
    vacuity: float = 0.0
    dissonance: float = 0.0
    stale: bool = False
    seq: int = 0
    as_of: datetime | None = None
    contributions: tuple[Contribution, ...] = ()
    half_life_days: float = 0.0
    contributions_total: int = 0
    values_total: int = 0
    multi_valued: bool = False
    tolerance: float = 0.0
    resolved: Value | None = None
    contradicted: bool = False
    trust: tuple[Trust, ...] = ()
    as_of_seq: int = 0

    @property
    def value(self) -> Value | None:
        """The likeliest value; None where nobody has named one."""
        return self.values[0].value if self.values else None

    @property
    def probability(self) -> float:
        """Of the likeliest value; 0 where nobody has named one."""
        return self.values[0].probability if self.values else 0.0


class BeliefPage(Struct, frozen=True, kw_only=True):
    """One page of beliefs.

    Attributes:
        cursor: of the next page, empty after the last.
        total: how many match in all.
    """

    beliefs: tuple[Belief, ...] = ()
    cursor: str = ""
    as_of_seq: int = 0
    total: int = 0


class ClaimName(Struct, frozen=True, kw_only=True):
    """What a claim is called."""

    subject: str
    predicate: str


class Finding(Struct, frozen=True, kw_only=True):
    """What a look over all beliefs found, and still holds.

    Attributes:
        subject: of the claim; of `trust_moved` the source's name, and no predicate.
        related: claims it goes with.
        detail: in a sentence.
    """

    kind: FindingKind
    subject: str
    predicate: str = ""
    related: tuple[ClaimName, ...] = ()
    detail: str = ""
    seq: int = 0
    found_at: datetime | None = None


class Bin(Struct, frozen=True, kw_only=True):
    """One bin of a reliability diagram: from `begin` to `end`, mean confidence and share of hits, 0 where empty."""

    begin: float
    end: float
    count: int = 0
    confidence: float = 0.0
    hits: float = 0.0


class Calibration(Struct, frozen=True, kw_only=True):
    """How well stated confidence met what turned out.

    Attributes:
        by: `all`, `source`, `agent` or `evidence`.
        name: of the source, agent or type of evidence; empty for all.
        count: how many confidences were judged.
        hits: how many were right.
        brier: mean squared error, 0 is best.
        error: the expected calibration error, 0 to 1.
        bins: ten, from 0 to 1.
    """

    by: Literal["all", "source", "agent", "evidence"]
    name: str = ""
    count: int = 0
    hits: int = 0
    brier: float = 0.0
    error: float = 0.0
    bins: tuple[Bin, ...] = ()


class Calibrations(Struct, frozen=True, kw_only=True):
    """Calibration of all, then by source, agent and evidence; and how many claims are resolved."""

    calibrations: tuple[Calibration, ...] = ()
    resolved: int = 0
    as_of_seq: int = 0


class Intent(Struct, frozen=True, kw_only=True):
    """Something wanted, decided or forbidden: remembered, and never evidence.

    Attributes:
        id: of its record.
        kind: `goal`, `constraint` or `preference`.
        gist: in the words of whoever wants it.
        holder: whose it is; empty for the speaker.
        status: `standing`, or `dropped`.
        last_said_on: the latest day on which somebody said it.
    """

    id: str
    kind: str = ""
    gist: str = ""
    holder: str = ""
    status: str = ""
    room: str = ""
    seq: int = 0
    noted_at: datetime | None = None
    last_said_on: str = ""


def intent_of(record: Record) -> Intent:
    """Give the intent that a record holds."""
    return Intent(
        id=record.id,
        kind=str(record.fields.get("intent_kind", "")),
        gist=record.body or record.label,  # a long one is cut in the label
        holder=str(record.fields.get("holder", "")),
        status=record.status,
        room=record.room,
        seq=record.seq,
        noted_at=record.written_at,
        last_said_on=str(record.fields.get("last_said_on", "")),
    )


class Learned(Struct, frozen=True, kw_only=True):
    """What became of something that was said or found.

    Attributes:
        observation_id: under which it is known.
        moved: the beliefs that moved, at most 200.
        intents: ids of the records that wishes, decisions and prohibitions became; `Client.intents` reads them.
        left_out: what was said and not taken, and why, in sentences.
        min_seq: reads of the same client wait for it, so the next one sees all this.
        answer: the whole answer.
    """

    observation_id: str
    moved: tuple[MovedBelief, ...] = ()
    intents: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    min_seq: int = 0
    answer: Answer = Answer()


def learned_of(observed: Observed) -> Learned:
    """Give what became of an observation."""
    answer = observed.answer
    return Learned(
        observation_id=observed.observation_id,
        moved=answer.beliefs,
        intents=answer.intents,
        left_out=answer.left_out,
        min_seq=answer.min_seq,
        answer=answer,
    )
