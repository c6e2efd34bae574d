"""Looks, whatever order words came in and however they were told: the same, bit for bit."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts.claim import Contribution
from stanchion_contracts.observation import Body
from support.beliefs import NOW_US, policy, said, trust
from support.reassessing import Beside

words = st.builds(
    said,
    st.sampled_from("357"),
    subject=st.sampled_from(["pump", "fan"]),
    predicate=st.sampled_from(["temperature", "pressure"]),
    source=st.sampled_from("abcde"),
    agent=st.sampled_from(["", "x"]),
    evidence=st.sampled_from(["measurement", "citation", "inference"]),
    positive=st.sampled_from([True, True, True, False]),
    at_us=st.integers(0, 400).map(lambda days: NOW_US - days * 86_400_000_000),
)


def told(contributions: list[Contribution], size: int) -> list[Body]:
    """Give what four hours' looks ask where contributions come so many at a time."""
    beside = Beside()
    beside.tell(policy(0, consensus=True))
    beside.tell(trust(1, "x", 0.4))
    for start in range(0, len(contributions), size):
        beside.say(*contributions[start : start + size])
    return [one.body for hour in range(1, 5) for one in beside.hour(hour)]


@given(st.lists(words, max_size=25), st.randoms(use_true_random=False), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_order_batches_and_doubles_change_no_look(
    contributions: list[Contribution], dice: random.Random, size: int
) -> None:
    """Words in another order, in other messages, some of them twice, bring the same estimates and findings."""
    again = contributions + [one for one in contributions if dice.random() < 0.3]
    dice.shuffle(again)
    assert told(contributions, max(1, len(contributions))) == told(again, size)


@given(st.lists(words, max_size=25))
@settings(max_examples=60, deadline=None)
def test_looks_come_to_rest(contributions: list[Contribution]) -> None:
    """Where nothing more is said, what a look brought is the last of it: after some hours no look asks anything."""
    beside = Beside()
    beside.tell(policy(0, consensus=True))
    beside.say(*contributions)
    asked = [beside.hour(hour) for hour in range(1, 8)]
    assert () == asked[-1]


@given(st.lists(words, max_size=25))
@settings(max_examples=60, deadline=None)
def test_what_is_open_is_what_was_told(contributions: list[Contribution]) -> None:
    """Nothing is opened that is open, and nothing closed that is not."""
    beside = Beside()
    beside.say(*contributions)
    opened: set[tuple[str, str, str]] = set()
    for hour in (1, 2, 1_000, 5_000, 5_001):
        for finding in (one for message in beside.hour(hour) for one in message.body.findings):
            key = finding.kind, finding.subject, finding.predicate
            assert finding.closed == (key in opened)
            opened ^= {key}
