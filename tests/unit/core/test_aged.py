"""A belief at a later time, against the whole worked out anew for that time."""

import math

import msgspec
import pytest

from stanchion_contracts.belief import Belief
from stanchion_contracts.value import Value
from stanchion_core.aged import contradicted_at, dissonance_at, rivals_at, stale_at
from stanchion_core.fusion import ClaimPolicy, Opinion, by_voice, opinion
from stanchion_core.voice import read
from stanchion_fusion.core.belief import state_belief
from support.beliefs import HALF_LIFE_S, NOW_US, said

DAY_US = 86_400_000_000
CASES = {
    "conflict": [said("5", source="a"), said("7", source="b"), said("7", source="c", evidence="inference")],
    "denied": [said("5", source="a"), said("5", source="b", positive=False, evidence="citation")],
    "boolean": [said("true", kind="boolean", source="a"), said("false", kind="boolean", source="b")],
    "alone": [said("5")],
    "mixed": [
        said("true", kind="boolean", source="a"),
        said("false", kind="boolean", source="b"),
        said("5", source="c"),
        said("5", source="d", positive=False),
    ],
}


def at(name: str, now_us: int, *, multi_valued: bool) -> tuple[Belief, Opinion[Value]]:
    """Give belief and opinion of a case at a time."""
    policy = ClaimPolicy(half_life_s=HALF_LIFE_S, multi_valued=multi_valued)
    voices = by_voice(CASES[name], {}, read(CASES[name], policy))
    found = opinion(voices.values(), now_us=now_us, half_life_s=HALF_LIFE_S, multi_valued=multi_valued)
    return state_belief(("pump", "temperature"), found, contributions=3, policy=policy, now_us=now_us), found


@pytest.mark.parametrize("multi_valued", [False, True])
@pytest.mark.parametrize("days", [0, 1, 90, 181, 2000])
@pytest.mark.parametrize("name", CASES)
def test_it_is_what_working_it_out_anew_gives(name: str, days: int, *, multi_valued: bool) -> None:
    """Dissonance, probabilities and staleness of an old belief are those of the same contributions now."""
    belief, _ = at(name, NOW_US, multi_valued=multi_valued)
    then_us = NOW_US + days * DAY_US
    _, now = at(name, then_us, multi_valued=multi_valued)
    assert math.isclose(now.dissonance, dissonance_at(belief, then_us), abs_tol=1e-6)
    assert now.stale == stale_at(belief, then_us)
    if not now.multi_valued:
        expected = [stance.probability for stance in now.values[:2]]
        assert all(map(math.isclose, expected, (likely for _, likely in rivals_at(belief, then_us))))


def test_two_likely_values_contradict_where_one_can_be_true() -> None:
    """Above a quarter each is a contradiction, but a value that nobody spoke for is none, and several may be true."""
    assert [True, False, False] == [
        contradicted_at(at("conflict", NOW_US, multi_valued=False)[0], NOW_US),
        contradicted_at(at("alone", NOW_US, multi_valued=False)[0], NOW_US),
        contradicted_at(at("conflict", NOW_US, multi_valued=True)[0], NOW_US),
    ]


def test_nothing_known_is_no_conflict() -> None:
    """A belief without evidence is neither in conflict nor stale."""
    belief = at("alone", NOW_US, multi_valued=False)[0]
    nothing = msgspec.structs.replace(belief, values=(), undecayed=0.0)
    assert (0.0, False, False) == (
        dissonance_at(nothing, NOW_US),
        stale_at(nothing, NOW_US),
        contradicted_at(nothing, NOW_US),
    )
