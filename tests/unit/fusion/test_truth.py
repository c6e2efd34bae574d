"""What the product believes of claims whose truth is known, beside majority vote, CRH and ACCU."""

import pytest

from support.corpora import corpus
from support.truth import SETS, load, measure
from support.truth_sets import MADE, numbers

HALF_A_POINT = 0.005


@pytest.mark.parametrize("name", SETS)
def test_a_corpus_comes_out_as_well_as_the_best_baseline(name: str) -> None:
    """On each set, fusion with trust by consensus is within half a point of the best of vote, CRH and ACCU."""
    one = SETS[name]
    row = measure(*load(corpus("truth-discovery") / one.folder, word=one.word, read=one.read))
    assert row.consensus >= max(row.best, one.baseline) - HALF_A_POINT


def test_copied_gates_are_seen_through() -> None:
    """Where many sites show one another's gates, seeing who copies is worth six points over the best baseline."""
    one = SETS["flight gates"]
    row = measure(*load(corpus("truth-discovery") / one.folder, word=one.word, read=one.read))
    assert row.consensus > one.baseline + 0.06


@pytest.mark.parametrize("name", MADE)
def test_whatever_way_sources_differ(name: str) -> None:
    """On made-up sets of every kind it is within half a point of the best of the three, too."""
    row = measure(*MADE[name](2))
    assert row.consensus >= row.best - HALF_A_POINT


@pytest.mark.parametrize("name", ["copiers of a bad source", "two rings of copiers"])
def test_copiers_gain_nothing(name: str) -> None:
    """Where sources copy one another, consensus is above everybody who takes them for independent."""
    row = measure(*MADE[name](3))
    assert row.consensus > row.best + 0.02


def test_numbers_within_a_tolerance() -> None:
    """Measurements that scatter about the truth are one value within the predicate's tolerance."""
    row = measure(*numbers(2), tolerance=0.01)
    assert row.consensus >= row.best - HALF_A_POINT
    assert row.consensus > 0.85
