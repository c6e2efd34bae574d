"""Which policy holds for a claim."""

import pytest

from stanchion_contracts.policy import BeliefPolicy
from stanchion_core.policy import ClaimPolicy, policy_of, says_anything, wants_consensus

DAY_S = 86_400


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, ClaimPolicy(half_life_s=7)),
        ({"": BeliefPolicy(half_life="fast")}, ClaimPolicy(half_life_s=14 * DAY_S)),
        (
            {"": BeliefPolicy(half_life="fast"), "p": BeliefPolicy(half_life="slow")},
            ClaimPolicy(half_life_s=365 * DAY_S),
        ),
        ({"": BeliefPolicy(half_life="fast"), "p": BeliefPolicy(half_life="none")}, ClaimPolicy(half_life_s=0)),
        ({"": BeliefPolicy(tolerance=0.1), "p": BeliefPolicy()}, ClaimPolicy(half_life_s=7, tolerance=0.1)),
        (
            {"": BeliefPolicy(tolerance=0.1), "p": BeliefPolicy(tolerance=0.02)},
            ClaimPolicy(half_life_s=7, tolerance=0.02),
        ),
        ({"": BeliefPolicy(multi_valued=True), "p": BeliefPolicy()}, ClaimPolicy(half_life_s=7, multi_valued=True)),
        ({"q": BeliefPolicy(half_life="fast", multi_valued=True, tolerance=0.5)}, ClaimPolicy(half_life_s=7)),
    ],
)
def test_policy_of(policies: dict[str, BeliefPolicy], expected: ClaimPolicy) -> None:
    """The predicate's own words go before the workspace's, those before the process's, part by part."""
    assert expected == policy_of("p", policies, half_life_s=7)


PARTS: dict[str, BeliefPolicy] = {
    "half_life": BeliefPolicy(predicate="p", half_life="none"),
    "multi_valued": BeliefPolicy(predicate="p", multi_valued=True),
    "tolerance": BeliefPolicy(predicate="p", tolerance=0.01),
    "consensus": BeliefPolicy(consensus=True),
}


def test_a_policy_says_something_by_any_part() -> None:
    """Each part alone is worth keeping; a predicate alone, of which all was taken back, is not."""
    assert {"predicate", *PARTS} == set(BeliefPolicy.__struct_fields__)
    assert [True] * len(PARTS) == [says_anything(one) for one in PARTS.values()]
    assert not says_anything(BeliefPolicy(predicate="p"))


def test_consensus_is_the_workspace_s_to_want() -> None:
    """No predicate's policy turns it on, and no policy at all leaves it off."""
    on = BeliefPolicy(consensus=True)
    assert [True, False, False, False] == [
        wants_consensus(one) for one in ({"": on}, {"p": on}, {"": BeliefPolicy()}, {})
    ]
