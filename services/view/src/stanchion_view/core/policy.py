"""How the beliefs of a workspace are worked out, as its changes have set it."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from stanchion_contracts.policy import BeliefPolicy
from stanchion_core.fusion import HALF_LIVES_S


class Ruled(Struct, frozen=True, kw_only=True):
    """A policy that is in force.

    Attributes:
        policy: of one predicate, or of the workspace.
        seq: of the change that set it.
    """

    policy: BeliefPolicy
    seq: int


Policies = Mapping[str, Ruled]
"""By predicate; the workspace's own under the empty one."""


def own_half_life(policies: Policies, predicate: str) -> int | None:
    """Give the half-life that a policy sets for a predicate, seconds, 0 for none; None where none does."""
    for name in (predicate, ""):
        ruled = policies.get(name)
        if ruled is not None and ruled.policy.half_life:
            return HALF_LIVES_S[ruled.policy.half_life]
    return None


def wants_consensus(policies: Policies) -> bool:
    """Tell whether sources that nobody resolved are trusted as they agree with others."""
    own = policies.get("")
    return own is not None and own.policy.consensus


def standing(policies: Policies) -> Iterable[BeliefPolicy]:
    """Give the policies that say anything: the workspace's own first, then by predicate."""
    for predicate in sorted(policies):
        policy = policies[predicate].policy
        if policy != BeliefPolicy(predicate=predicate):
            yield policy
