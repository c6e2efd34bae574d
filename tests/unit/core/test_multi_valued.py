"""Predicates that may have several values, and values that are one within a tolerance."""

import pytest

from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.fusion import ClaimPolicy, Opinion, fuse
from support.beliefs import HALF_LIFE_S, NOW_US, said

DAY_US = 86_400 * 1_000_000


def believed(*words: Contribution, multi_valued: bool = False, tolerance: float = 0.0) -> Opinion[Value]:
    """Fuse the words at the tests' now."""
    policy = ClaimPolicy(half_life_s=HALF_LIFE_S, multi_valued=multi_valued, tolerance=tolerance)
    return fuse(words, {}, now_us=NOW_US, policy=policy)


def stances(opinion: Opinion[Value]) -> list[tuple[str, str, str, str]]:
    """Give each value's text, evidence for and against it, and probability."""
    return [
        (one.value.text, f"{one.evidence:.2f}", f"{one.against:.2f}", f"{one.probability:.6f}")
        for one in opinion.values
    ]


def test_several_values_are_true() -> None:
    """None displaces or outweighs another: each is P = (e + W/2)/(e + against + W)."""
    opinion = believed(
        said("5"), said("7", at_us=NOW_US - 1), said("7", source="lab", positive=False), multi_valued=True
    )
    assert [("5", "5.60", "0.00", "0.868421"), ("7", "5.60", "5.60", "0.500000")] == stances(opinion)
    assert (0.0, "16.80", True) == (opinion.unnamed, f"{opinion.total:.2f}", opinion.multi_valued)
    assert f"{2 / 18.8:.6f} {11.2 / 13.2:.6f}" == f"{opinion.vacuity:.6f} {opinion.dissonance:.6f}"


def test_a_source_takes_one_value_back() -> None:
    """To deny a value displaces the source's own word for it, if it is as strong, and no other word."""
    words = [said("5", at_us=NOW_US - 2), said("7", at_us=NOW_US - 2), said("5", positive=False)]
    weak = said("7", evidence="inference", positive=False)
    assert [("7", "5.60", "0.70", "0.795181"), ("5", "0.00", "5.60", "0.131579")] == stances(
        believed(*words, weak, multi_valued=True)
    )


def test_booleans_stay_functional() -> None:
    """Where all values are booleans, several can't be true, whatever the policy says."""
    words = [said("true", kind="boolean"), said("false", kind="boolean", source="lab", evidence="inference")]
    assert believed(*words) == believed(*words, multi_valued=True)


def test_booleans_among_other_values() -> None:
    """Beside other values a boolean's evidence speaks against its other value, and counts once."""
    words = [said("true", kind="boolean"), said("false", kind="boolean", source="lab", evidence="inference"), said("5")]
    opinion = believed(*words, multi_valued=True)
    alone = believed(*words[:2])
    assert ("true", "5.60", "0.70", f"{alone.values[0].probability:.6f}") == stances(opinion)[0]
    assert 11.9 == pytest.approx(opinion.total)


def test_denied_boolean_among_other_values() -> None:
    """A boolean that only a denial speaks for is named."""
    opinion = believed(said("5"), said("true", kind="boolean", positive=False), multi_valued=True)
    assert ["false", "5", "true"] == [one.value.text for one in opinion.values]


def test_multi_valued_and_stale() -> None:
    """Evidence against a value is evidence, too: it ages, and keeps a belief from being stale."""
    old = said("5", at_us=NOW_US - 181 * DAY_US)
    fresh = said("7", positive=False, source="lab")
    assert [True, False] == [believed(old, multi_valued=True).stale, believed(old, fresh, multi_valued=True).stale]


def test_tolerance_groups_before_displacing() -> None:
    """A source that reads 5 and later 5.1 has not changed its mind: at its heaviest its one voice counts once."""
    words = [said("5", at_us=NOW_US - 1), said("5.1", evidence="inference"), said("5.05", source="lab")]
    opinion = believed(*words, tolerance=0.02)
    assert 1 == len(opinion.values)
    assert 11.2 == pytest.approx(opinion.values[0].evidence, rel=1e-6)


def test_without_tolerance_they_differ() -> None:
    """The same words without a tolerance are three values."""
    assert 3 == len(believed(said("5"), said("5.1", source="x"), said("5.05", source="lab")).values)


def test_group_is_shown_by_its_heaviest_value() -> None:
    """Not by its heaviest mention: what most evidence speaks for; ties by the value's parts."""
    crowd = [said("5", source=f"s{n}", evidence="citation") for n in range(3)]
    heaviest = believed(*crowd, said("5.1", source="lab"), tolerance=0.05)
    tied = believed(said("5.1", source="a"), said("5.05", source="b"), tolerance=0.05)
    assert ["5", "5.05"] == [opinion.values[0].value.text for opinion in (heaviest, tied)]


def test_denials_name_no_group() -> None:
    """A group is shown by what is asserted of it, unless it is only denied."""
    denied = said("5", positive=False, source="a"), said("5", positive=False, source="c")
    assert "5.1" == believed(*denied, said("5.1", evidence="assumption"), tolerance=0.05).values[0].value.text
    assert "5" == believed(*denied, tolerance=0.05).values[0].value.text


def test_a_bridge_joins_groups() -> None:
    """A value between two groups makes them one, and what was displaced is heard again."""
    words = [said("100", at_us=NOW_US - 2, evidence="citation"), said("110", at_us=NOW_US - 1)]
    apart, joined = believed(*words, tolerance=0.05), believed(*words, said("105", source="lab"), tolerance=0.05)
    assert [1, 1] == [len(apart.values), len(joined.values)]
    assert [5.6, 11.2] == pytest.approx([one.values[0].evidence for one in (apart, joined)], rel=1e-6)


def test_tolerance_of_a_multi_valued_predicate() -> None:
    """Groups are the values, each a claim of its own."""
    words = [said("5"), said("5.1", source="lab", positive=False), said("9")]
    opinion = believed(*words, multi_valued=True, tolerance=0.05)
    assert [("5", "5.60", "5.60", "0.500000"), ("9", "5.60", "0.00", "0.868421")] == stances(opinion)


def test_a_voice_counts_once_for_the_value_a_group_is_shown_by() -> None:
    """A source that says its value again, more weakly, makes it no heavier."""
    again = [said("5", at_us=NOW_US - 1), said("5", evidence="inference")]
    heavier = said("5.1", source="lab"), said("5.1", source="crm", evidence="assumption")
    assert "5.1" == believed(*again, *heavier, tolerance=0.05).values[0].value.text
