"""Identities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stanchion_core.cause import Cause
from stanchion_core.ids import RECORD_ID, content_digest, derived_id, observation_id, partition_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [("21", -973932308), ("foobar", -790332482), ("a-little-bit-long-string", -985981536), ("abc", 479470107)],
)
def test_partition_is_that_of_kafkas_own_partitioner(text: str, expected: int) -> None:
    """The murmur2 values are those of Kafka's UtilsTest, so any Kafka client finds the same partition."""
    assert partition_of(text, 1_000_003) == (expected & 0x7FFFFFFF) % 1_000_003


def test_observation_id_is_stable() -> None:
    """The id of an event never changes between releases."""
    assert (
        observation_id("docs", "git:repo", "abc:1")
        == "obs_" + content_digest([b"docs", b"git:repo", b"abc:1"]).hex()[:32]
    )


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_different_parts_never_share_an_id(left: list[str], right: list[str]) -> None:
    """Where one part ends and the next begins matters."""
    same = derived_id("x", *left) == derived_id("x", *right)
    assert same == (left == right)


@given(st.sampled_from(["claims", "inbox"]), st.integers(0, 99), st.integers(0, 2**62))
def test_cause_reads_what_it_wrote(topic: str, partition: int, offset: int) -> None:
    """A cause survives its header."""
    cause = Cause(topic=topic, partition=partition, offset=offset)
    assert Cause.decode(cause.encode()) == cause


def test_record_ids_are_what_a_person_can_type() -> None:
    """Lower case, digits, dots, dashes, underscores, colons; at most 128."""
    assert RECORD_ID.fullmatch("0004-one-topic")
    assert not RECORD_ID.fullmatch("Not An Id")
