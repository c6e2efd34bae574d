"""Beliefs: the fused state of a claim, and how one message moved it."""

from msgspec import Struct

from stanchion_contracts.claim import Contribution, Import, Intent, LeftOut
from stanchion_contracts.finding import Finding
from stanchion_contracts.meta import Meta
from stanchion_contracts.observation import Reassess, Resolution, Tick, TrustSetting
from stanchion_contracts.policy import PolicyChange
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Relation
from stanchion_contracts.trust import Estimate, Judgement
from stanchion_contracts.value import Value


class ValueState(Struct, frozen=True, kw_only=True):
    """How one candidate value stands.

    Attributes:
        value: the candidate.
        evidence: its evidence mass at the belief's time, not negative.
        millionths: its probability in integer millionths.
        against: of a multi-valued claim, the evidence mass that this value is not one of them; else 0.
    """

    value: Value
    evidence: float
    millionths: int
    against: float = 0.0


class Belief(Struct, frozen=True, kw_only=True):
    """The fused state of one claim at one time (a Dirichlet opinion; Jøsang, Subjective Logic, 2016).

    Attributes:
        subject: normalised.
        predicate: normalised.
        values: candidates named by live contributions, heaviest first, ties by value.
        unnamed: evidence mass on the slot for a value nobody named (denials of a non-boolean).
        undecayed: total evidence had nothing aged; below a quarter of it a belief is stale.
        vacuity_millionths: share of mass that no evidence backs.
        dissonance_millionths: share of mass in conflict.
        half_life_s: seconds, 0 for none.
        time_us: the time it was worked out for, microseconds since the epoch.
        contributions: how many were counted, displaced ones included.
        unlisted: evidence mass of values that are named but not listed, because there are too many to list.
        unlisted_values: how many those are.
        multi_valued: several values may be true; each is a boolean claim of its own, with the base rate of one.
        tolerance: numbers that differ by no more than this share of the larger are one value; 0 for none.
    """

    subject: str
    predicate: str
    values: tuple[ValueState, ...]
    unnamed: float
    undecayed: float
    vacuity_millionths: int
    dissonance_millionths: int
    half_life_s: int
    time_us: int
    contributions: int
    unlisted: float = 0.0
    unlisted_values: int = 0
    multi_valued: bool = False
    tolerance: float = 0.0


class Likeliest(Struct, frozen=True, kw_only=True):
    """What a belief held likeliest: as much of it as is told of the past. The whole stands in its own update.

    Attributes:
        value: the heaviest candidate; None when nobody had named one.
        millionths: its probability in integer millionths.
        vacuity_millionths: share of mass that no evidence backed.
        contributions: how many were counted.
    """

    value: Value | None
    millionths: int
    vacuity_millionths: int
    contributions: int


def likeliest_state(belief: Belief) -> ValueState | None:
    """Give the value that a belief holds likeliest; None when nobody has named one.

    Where one value is true that is the heaviest; of several, one with less evidence may have less against it, too.
    """
    if belief.multi_valued:
        return max(belief.values, key=_millionths, default=None)
    return belief.values[0] if belief.values else None


def _millionths(state: ValueState) -> int:
    """Give how likely a value is."""
    return state.millionths


def likeliest(belief: Belief) -> Likeliest:
    """Give what a belief holds likeliest."""
    first = likeliest_state(belief)
    return Likeliest(
        value=None if first is None else first.value,
        millionths=0 if first is None else first.millionths,
        vacuity_millionths=belief.vacuity_millionths,
        contributions=belief.contributions,
    )


class BeliefUpdate(Struct, frozen=True, kw_only=True):
    """One belief moved.

    Attributes:
        before: what was held likeliest; None when the claim is new.
        after: at the message's time.
        added: the contributions this message brought; empty for a re-evaluation.
    """

    before: Likeliest | None
    after: Belief
    added: tuple[Contribution, ...] = ()


class Beliefs(Struct, frozen=True, kw_only=True):
    """The belief updates of one claims message; what concerns records passes through unchanged.

    Attributes:
        meta: as ingest stamped it.
        updates: sorted by subject, predicate.
        intents: passed on.
        imports: passed on.
        relations: passed on.
        left_out: passed on.
        trust: the setting now in force, passed on when it changed something.
        trust_before: the setting it replaced, None for the default.
        resolution: what a claim was resolved to, or None in it that it is open again; passed on when it changes that.
        tick: passed on.
        reassess: passed on.
        remaining: how many claims a trust setting still has to re-evaluate.
        refusal: passed on.
        repeated: passed on.
        resolved_before: what the claim of `resolution` was resolved to before; None for open.
        judged: who said what of the resolved claim, sorted; empty when it was reopened.
        policy: a policy that changed.
        estimates: those that changed something.
        findings: passed on.
    """

    meta: Meta
    updates: tuple[BeliefUpdate, ...] = ()
    intents: tuple[Intent, ...] = ()
    imports: tuple[Import, ...] = ()
    relations: tuple[Relation, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    trust: TrustSetting | None = None
    trust_before: float | None = None
    resolution: Resolution | None = None
    tick: Tick | None = None
    reassess: Reassess | None = None
    remaining: int = 0
    refusal: Refusal | None = None
    repeated: bool = False
    resolved_before: Value | None = None
    judged: tuple[Judgement, ...] = ()
    policy: PolicyChange | None = None
    estimates: tuple[Estimate, ...] = ()
    findings: tuple[Finding, ...] = ()
