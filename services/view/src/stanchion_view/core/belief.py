"""A belief as it stands at the reader's now: decay, trust and policies applied on read."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.aged import contradicted
from stanchion_core.claim_key import claim_key
from stanchion_core.fusion import Opinion, by_voice, decay, opinion, read, weigh
from stanchion_core.policy import ClaimPolicy, policy_of, wants_consensus
from stanchion_core.trust import TrustTable
from stanchion_view.core.policy import Policies
from stanchion_view.core.state import Claim, Workspace

MOST_COUNTED: Final = 1_000
"""How many contributions are told one by one; the total counts all."""


class Tables(Struct, frozen=True, kw_only=True):
    """What the beliefs of a workspace are worked out by, at one position.

    Attributes:
        trust: how far each name is trusted.
        estimates: of consensus, 0 to 1, by source, whether they count or not.
        policies: by predicate.
        half_life_s: where no policy sets one, seconds, 0 for none.
    """

    trust: TrustTable
    estimates: Mapping[str, float]
    policies: Policies
    half_life_s: int

    def policy_of(self, claim: Claim) -> ClaimPolicy:
        """Give how a claim is worked out."""
        return policy_of(claim[1], self.policies, half_life_s=self.half_life_s)


class Counted(Struct, frozen=True, kw_only=True):
    """One contribution and what it counts for now.

    Attributes:
        contribution: as it was made.
        weight: decay and trust applied.
        displaced: a later word of the same source took its place.
    """

    contribution: Contribution
    weight: float
    displaced: bool


class BeliefNow(Struct, frozen=True, kw_only=True):
    """A belief now.

    Attributes:
        claim: which.
        now_us: the reader's now, microseconds since the epoch.
        policy: how it was worked out.
        opinion: the fused state.
        contradicted: its values contradict each other.
        counted: contributions, latest first, at most 1,000.
        total: how many contributions there are.
    """

    claim: Claim
    now_us: int
    policy: ClaimPolicy
    opinion: Opinion[Value]
    contradicted: bool
    counted: tuple[Counted, ...]
    total: int


def tables(space: Workspace) -> Tables:
    """Give what a workspace's beliefs are worked out by, as it is now: later changes leave it as it is."""
    estimates, policies = dict(space.estimates), dict(space.policies)
    trust = TrustTable(
        settings=dict(space.trust),
        outcomes=dict(space.outcomes),
        estimates=estimates if wants_consensus(policies) else {},
    )
    return Tables(trust=trust, estimates=estimates, policies=policies, half_life_s=space.half_life_s)


def believe(
    claim: Claim, contributions: Iterable[Contribution], by: Tables, now_us: int, *, counted: int = MOST_COUNTED
) -> BeliefNow:
    """Work out a belief for a reader.

    Args:
        claim: which.
        contributions: all of the claim; repeats count once.
        by: what it is worked out by.
        now_us: the reader's now, microseconds since the epoch.
        counted: how many contributions are wanted one by one.
    """
    said = {contribution.id: contribution for contribution in contributions}
    policy = by.policy_of(claim)
    trust = by.trust.effective({name for each in said.values() for name in (each.agent, each.source)})
    reading = read(said.values(), policy)
    voices = by_voice(said.values(), trust, reading)
    now = opinion(voices.values(), now_us=now_us, half_life_s=policy.half_life_s, multi_valued=policy.multi_valued)
    rivals = () if now.multi_valued else [(stance.evidence, stance.probability) for stance in now.values[:2]]
    standing = {word.order[1] for words in voices.values() for word in words} if counted else set()
    latest = sorted(said.values(), key=_order, reverse=True)[:counted] if counted else []
    return BeliefNow(
        claim=claim,
        now_us=now_us,
        policy=policy,
        opinion=now,
        contradicted=contradicted(now.dissonance, rivals),
        counted=tuple(
            Counted(
                contribution=each,
                weight=weigh(each, trust, reading).weight * decay(now_us - each.observed_at_us, policy.half_life_s),
                displaced=each.id not in standing,
            )
            for each in latest
        ),
        total=len(said),
    )


def claim_of(subject: str, predicate: str) -> Claim:
    """Give the key of a claim as a reader writes it."""
    return claim_key(subject), claim_key(predicate)


def _order(said: Contribution) -> tuple[int, str]:
    """Give when a contribution was said."""
    return said.observed_at_us, said.id
