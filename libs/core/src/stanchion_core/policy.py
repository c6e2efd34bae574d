"""Which policy holds for a claim: its predicate's own words go before the workspace's, those before the process's."""

from collections.abc import Mapping
from typing import Final, Protocol

from msgspec import Struct

HALF_LIVES_S: Final[Mapping[str, int]] = {"fast": 14 * 86_400, "standard": 90 * 86_400, "slow": 365 * 86_400, "none": 0}
"""Half-lives in seconds; 0 means that nothing ages."""


class PolicyLike(Protocol):
    """What this module reads of a policy (`stanchion_contracts.policy.BeliefPolicy` is one)."""

    @property
    def half_life(self) -> str:
        """Give a key of `HALF_LIVES_S`, or nothing where the wider policy holds."""

    @property
    def multi_valued(self) -> bool:
        """Tell whether several values may be true at once."""

    @property
    def tolerance(self) -> float:
        """Give what share of the larger two numbers may differ by and be one value, 0 where the wider policy holds."""

    @property
    def consensus(self) -> bool:
        """Tell, of a workspace, whether sources that nobody ever resolved are trusted as they agree with others."""


class ClaimPolicy(Struct, frozen=True, kw_only=True):
    """How one claim is worked out.

    Attributes:
        half_life_s: seconds, 0 for none.
        multi_valued: several values may be true at once; each that is no boolean is a boolean claim of its own.
        tolerance: numbers that differ by no more than this share of the larger are one value; 0 for none.
    """

    half_life_s: int
    multi_valued: bool = False
    tolerance: float = 0.0

    @property
    def plain(self) -> bool:
        """Tell whether one value is true, and numbers are one only when they are equal."""
        return not self.multi_valued and self.tolerance == 0.0


def policy_of(predicate: str, policies: Mapping[str, PolicyLike], *, half_life_s: int) -> ClaimPolicy:
    """Give the policy of a claim.

    Args:
        predicate: of the claim, normalised.
        policies: by predicate; the workspace's own under the empty name.
        half_life_s: where no policy names one: the process's own.
    """
    speaking = [policies[name] for name in (predicate, "") if name in policies]
    half_life = next((one.half_life for one in speaking if one.half_life), "")
    return ClaimPolicy(
        half_life_s=HALF_LIVES_S[half_life] if half_life else half_life_s,
        multi_valued=any(one.multi_valued for one in speaking),
        tolerance=next((one.tolerance for one in speaking if one.tolerance), 0.0),
    )


def says_anything(policy: PolicyLike) -> bool:
    """Tell a policy from one of which everything was taken back."""
    return bool(policy.half_life or policy.multi_valued or policy.tolerance or policy.consensus)


def wants_consensus(policies: Mapping[str, PolicyLike]) -> bool:
    """Tell whether estimates of consensus count.

    Args:
        policies: by predicate; the workspace's own under the empty name.
    """
    return "" in policies and policies[""].consensus
