"""Which policy holds for a claim."""

import pytest
from msgspec import Struct

from stanchion_core.policy import ClaimPolicy, policy_of

DAY_S = 86_400


class Said(Struct, frozen=True, kw_only=True):
    """A policy as the tests state one."""

    half_life: str = ""
    multi_valued: bool = False
    tolerance: float = 0.0


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, ClaimPolicy(half_life_s=7)),
        ({"": Said(half_life="fast")}, ClaimPolicy(half_life_s=14 * DAY_S)),
        ({"": Said(half_life="fast"), "p": Said(half_life="slow")}, ClaimPolicy(half_life_s=365 * DAY_S)),
        ({"": Said(half_life="fast"), "p": Said(half_life="none")}, ClaimPolicy(half_life_s=0)),
        ({"": Said(tolerance=0.1), "p": Said()}, ClaimPolicy(half_life_s=7, tolerance=0.1)),
        ({"": Said(tolerance=0.1), "p": Said(tolerance=0.02)}, ClaimPolicy(half_life_s=7, tolerance=0.02)),
        ({"": Said(multi_valued=True), "p": Said()}, ClaimPolicy(half_life_s=7, multi_valued=True)),
        ({"q": Said(half_life="fast", multi_valued=True, tolerance=0.5)}, ClaimPolicy(half_life_s=7)),
    ],
)
def test_policy_of(policies: dict[str, Said], expected: ClaimPolicy) -> None:
    """The predicate's own words go before the workspace's, those before the process's, part by part."""
    assert expected == policy_of("p", policies, half_life_s=7)
