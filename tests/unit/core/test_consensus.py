"""Trust by consensus, on worked values."""

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_core import consensus
from stanchion_core.consensus import LEAST, MOST, MOST_TOGETHER, PRIOR_ACCURACY, accuracy_for, agree, trust_for
from stanchion_core.copying import Pairs, Pattern

Claims = list[tuple[str, dict[str, str]]]

words = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("xyz"), max_size=6)
OWN = (0.9, 0.85, 0.8, 0.8, 0.75, 0.7)
claims = st.lists(st.tuples(st.sampled_from(["p", "q"]), words), max_size=30)


def ring(copied: float) -> Claims:
    """Six sources that are mostly right, and six that have what one of them says, right only half the time."""
    dice = random.Random(3)  # noqa: S311 - a fixed set of claims, no secret
    found: Claims = []
    for _ in range(400):
        said = {f"own{n}": "true" if dice.random() < OWN[n] else f"w{dice.randrange(9)}" for n in range(6)}
        said["first"] = "true" if dice.random() < 0.5 else f"w{dice.randrange(9)}"
        for n in range(5):
            said[f"copy{n}"] = said["first"] if dice.random() < copied else f"w{dice.randrange(9)}"
        found.append(("p", said))
    return found


def test_nobody_gives_nothing() -> None:
    """Without two who speak on one claim there is nothing that could agree."""
    assert {} == agree([])
    assert {} == agree([("p", {})])
    assert {} == agree([("p", {"a": "x"}), ("p", {"b": "y"})])


def test_one_who_always_disagrees_is_trusted_less() -> None:
    """Accuracy falls with disagreement, and who spoke on little stays near the prior."""
    many: Claims = [("p", {"a": "x", "b": "x", "c": "x", "odd": "y"}) for _ in range(20)]
    many += [("p", {"d": str(number), "e": str(number)}) for number in range(10)]
    found = agree([*many, ("p", {"a": "x", "new": "z"})])
    assert found["a"].accuracy > 0.95
    assert found["odd"].accuracy < 0.2
    assert found["odd"].accuracy < found["new"].accuracy < PRIOR_ACCURACY
    assert (21, 20, 1) == (found["a"].claims, found["odd"].claims, found["new"].claims)


def test_a_claim_that_everybody_speaks_on_costs_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thousand sources on one claim make millions of pairs; accuracies come without looking at one of them."""
    compared: list[int] = []

    class Counted(Pairs):
        def __init__(self, patterns: Sequence[tuple[Pattern, int]], plausible: Sequence[float]) -> None:
            compared.extend(sum(map(len, groups)) for (_, groups), _ in patterns)
            super().__init__(patterns, plausible)

    monkeypatch.setattr(consensus, "Pairs", Counted)
    crowd = {f"s{number}": "y" if number % 10 == 0 else "x" for number in range(10 * MOST_TOGETHER)}
    found = agree([("p", crowd), *[("p", {"s0": "y", "s1": "x", "s2": "x"})] * 20])
    assert [3] == compared
    assert len(crowd) == len(found)
    assert found["s0"].accuracy < found["s10"].accuracy < found["s1"].accuracy


@given(claims, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_order_does_not_matter(given_claims: Claims, dice: random.Random) -> None:
    """Whatever order claims and sources come in, everything is the same bit for bit."""
    shuffled = [
        (predicate, dict(sorted(said.items(), key=lambda _: dice.random()))) for predicate, said in given_claims
    ]
    dice.shuffle(shuffled)
    assert agree(given_claims) == agree(shuffled)


@given(claims)
@settings(max_examples=60, deadline=None)
def test_what_comes_out_is_in_range(given_claims: Claims) -> None:
    """Accuracy, independence and trust stay in their ranges, and names are sorted."""
    found = agree(given_claims)
    assert sorted(found) == list(found)
    for one in found.values():
        assert LEAST <= one.accuracy <= MOST
        assert 0.0 < one.independence <= 1.0
        assert 0.0 <= one.trust <= 1.0
        assert 1.0 <= one.plausible <= 10.0


def test_values_names_do_not_matter() -> None:
    """Which words the values are makes no difference, only who says the same."""
    many = ring(0.9)
    renamed = [(predicate, {name: value[::-1] + "!" for name, value in said.items()}) for predicate, said in many]
    assert agree(many) == agree(renamed)


def test_known_accuracies_stay_and_count() -> None:
    """A source whose accuracy is known keeps it, and pulls those who agree with it."""
    many: Claims = [("p", {"a": "x", "b": "x", "sure": "y", "z": str(number)}) for number in range(20)]
    found = agree(many, {"sure": 1.0, "a": 0.1, "unheard": 0.5})
    assert (MOST, 0.1) == (found["sure"].accuracy, found["a"].accuracy)
    assert found["b"].accuracy < agree(many)["b"].accuracy
    assert "unheard" not in found


def test_who_copies_counts_for_less_and_makes_nothing_true() -> None:
    """Six that say what one of them says, wrong half the time, do not outvote six who look for themselves."""
    found = agree(ring(0.95))
    own, copies = [found[f"own{n}"] for n in range(6)], [found[f"copy{n}"] for n in range(5)]
    assert all(math.isclose(true, one.accuracy, abs_tol=0.06) for true, one in zip(OWN, own, strict=True))
    assert all(one.independence > 0.95 for one in own)
    assert all(one.accuracy < 0.6 and one.independence < 0.35 for one in copies)


def test_to_be_right_together_is_no_copying() -> None:
    """Sources that nearly always say the same because it is true keep all their weight."""
    dice = random.Random(7)  # noqa: S311 - a fixed set of claims, no secret
    many: Claims = []
    for _ in range(400):
        words = {f"s{n}": "true" if dice.random() < 0.95 else f"w{dice.randrange(9)}" for n in range(5)}
        many.append(("p", {**words, "poor": "true" if dice.random() < 0.4 else f"w{dice.randrange(9)}"}))
    assert all(one.independence > 0.95 for one in agree(many).values())


def test_few_values_leave_little_to_be_surprised_by() -> None:
    """Where only two values are ever said, one wrong value is plausible, and an accuracy is worth less."""
    two: Claims = [("p", {"a": "x", "b": "x", "c": "xy"[number % 2]}) for number in range(20)]
    assert 1.0 == agree(two)["a"].plausible
    many: Claims = [("p", {"a": f"{number}", "b": f"{number}", "c": "-"}) for number in range(20)]
    assert 10.0 == agree(many)["a"].plausible


def test_trust_is_the_scaled_logarithm() -> None:
    """`ln(n·A/(1-A))`: none at chance level, all for the surest, in between by the formula; and back."""
    assert (0.0, 0.0) == (trust_for(LEAST), trust_for(0.09))
    assert (1.0, 1.0) == (trust_for(MOST), trust_for(1.0))
    assert math.isclose(math.log(40) / math.log(990), trust_for(0.8))
    assert (0.0, 1.0) == (trust_for(0.5, 1), trust_for(MOST, 1))
    assert math.isclose(math.log(4) / math.log(99), trust_for(0.8, 1))
    assert all(math.isclose(accuracy, accuracy_for(trust_for(accuracy))) for accuracy in (0.3, 0.8, 0.99))
    assert math.isclose(1 / 11, accuracy_for(0.0))
