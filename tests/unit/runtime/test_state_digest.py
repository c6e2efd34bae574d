"""The digest of a state."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from stanchion_runtime.state_digest import state_digest


class Held(Struct):
    """A state in miniature."""

    by_name: dict[str, int]
    seen: set[bytes]
    order: deque[int]


@given(st.dictionaries(st.text(), st.integers()), st.lists(st.binary(), unique=True), st.lists(st.integers()))
def test_order_of_maps_and_sets_does_not_show(named: dict[str, int], seen: list[bytes], order: list[int]) -> None:
    """Two states that hold the same have the same digest, however they came to be."""
    one = Held(named, set(seen), deque(order))
    other = Held(dict(reversed(named.items())), set(seen), deque(order))
    assert state_digest(one) == state_digest(other)


@pytest.mark.parametrize(
    "other", [Held({"a": 2}, set(), deque()), Held({}, set(), deque([1])), Held({}, {b"a"}, deque())]
)
def test_any_difference_shows(other: Held) -> None:
    """States that differ anywhere have different digests."""
    assert state_digest(Held({"a": 1}, set(), deque())) != state_digest(other)


def test_what_has_no_digest_is_named() -> None:
    """A state that holds something opaque is refused by name, not digested by its address."""
    with pytest.raises(TypeError, match="a object"):
        state_digest({"a": object()})
