"""Ids that look like one that is not there."""

import random
from time import process_time

import pytest

from stanchion_view.core.near import near


@pytest.mark.parametrize("written", ["decison-0007", "decision_0007", "ecision-0007", "decision-0007x"])
def test_a_misspelling_finds_what_was_meant(written: str) -> None:
    """A letter that is wrong, missing or too many, wherever it stands, finds the id among many like it."""
    names = [f"decision-{number:04}" for number in range(5_000)]
    assert "decision-0007" in near(written, names)


def test_at_most_three_are_named_and_the_likest_comes_first() -> None:
    """Three are named, the likest first, however many look like it."""
    found = near("adr-0001x", [f"adr-{number:04}" for number in range(100)])
    assert (3, "adr-0001") == (len(found), found[0])


def test_what_looks_like_nothing_finds_nothing() -> None:
    """An id that resembles none finds none, nor does one among none."""
    assert () == near("zzz", ["decision-0007", "rule-1"])
    assert () == near("decision-0007", [])


def test_ids_that_all_look_alike_cost_little() -> None:
    """Among 20,000 long ids of the same letters it does not compare each with care: that took 19 seconds."""
    draw = random.Random(7)  # noqa: S311 - letters, no secrets
    letters = list("abcdefghijklmnop" * 8)
    names = ["".join(draw.sample(letters, len(letters))) for _ in range(20_000)]
    begun_s = process_time()
    near("".join(reversed(letters)), names)
    assert process_time() - begun_s < 2.0
