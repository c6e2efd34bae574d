"""How the beliefs of a workspace are worked out, as its changes have set it."""

from collections.abc import Iterable, Mapping

from stanchion_contracts.policy import BeliefPolicy

Policies = Mapping[str, BeliefPolicy]
"""By predicate; the workspace's own under the empty one. What was taken back says nothing and is not among them."""


def names_half_life(policies: Policies, predicate: str) -> bool:
    """Tell whether a policy says how fast the evidence of a predicate ages."""
    return any(policies[name].half_life for name in (predicate, "") if name in policies)


def in_order(policies: Policies) -> Iterable[BeliefPolicy]:
    """Give policies: the workspace's own first, then by predicate."""
    return (policies[predicate] for predicate in sorted(policies))
