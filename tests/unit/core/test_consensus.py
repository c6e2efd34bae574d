"""Trust by consensus, on worked values and on conflicting claims with known truth."""

import math
import random

import pytest

from stanchion_core.consensus import LEAST, MOST, PRIOR_ACCURACY, agree, trust_for
from support.corpora import corpus
from support.truth import SETS, claims_of, share_right, truth_of


def test_nobody_gives_nothing() -> None:
    """Without claims there is no source to speak of."""
    assert {} == agree([])
    assert {} == agree([{}])


def test_one_who_always_disagrees_is_trusted_less() -> None:
    """Accuracy falls with disagreement, and who spoke on little stays near the prior."""
    claims = [{"a": "x", "b": "x", "c": "x", "odd": "y"} for _ in range(20)]
    found = agree([*claims, {"a": "x", "new": "z"}])
    assert found["a"].accuracy > 0.95
    assert found["odd"].accuracy < 0.2
    assert found["odd"].accuracy < found["new"].accuracy < PRIOR_ACCURACY
    assert (21, 20, 1) == (found["a"].claims, found["odd"].claims, found["new"].claims)


def test_order_does_not_matter() -> None:
    """Whatever order claims and sources come in, every accuracy is the same bit for bit."""
    dice = random.Random(4)  # noqa: S311 - a fixed set of claims, no secret
    claims = [{f"s{n}": f"v{dice.randrange(3)}" for n in range(9) if dice.random() < 0.7} for _ in range(60)]
    shuffled = [dict(sorted(one.items(), key=lambda _: dice.random())) for one in claims]
    dice.shuffle(shuffled)
    assert agree(claims) == agree(shuffled)


def test_known_accuracies_stay_and_count() -> None:
    """A source whose accuracy is known keeps it, and pulls those who agree with it."""
    claims = [{"a": "x", "b": "x", "sure": "y"} for _ in range(20)]
    found = agree(claims, {"sure": 1.0, "a": 0.1})
    assert (MOST, 0.1) == (found["sure"].accuracy, found["a"].accuracy)
    assert found["b"].accuracy < agree(claims)["b"].accuracy


def test_trust_is_the_scaled_logarithm() -> None:
    """`ln(n·A/(1-A))` with n = 10: none at chance level, all for the surest, in between by the formula."""
    assert (0.0, 0.0) == (trust_for(LEAST), trust_for(0.09))
    assert (1.0, 1.0) == (trust_for(MOST), trust_for(1.0))
    assert math.isclose(math.log(40) / math.log(990), trust_for(0.8))


@pytest.mark.parametrize("name", SETS)
def test_conflicting_claims_come_out_as_well_as_the_best_baseline(name: str) -> None:
    """On each set, fusion with trust by consensus is within half a point of the best of vote, CRH and ACCU."""
    folder, scored = corpus("truth-discovery"), SETS[name]
    share = share_right(claims_of(folder, scored), truth_of(folder, scored), consensus=True)
    assert share >= scored.baseline - 0.005
