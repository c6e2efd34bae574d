"""Proofs from stored levels are those from the whole tree."""

import functools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_audit.core.proof import LEVELS, Incomplete, StoredTree
from stanchion_core.merkle import CompactRange, InvalidProof, Subtree, leaf_hash

SIZE = 66_100
"""A little more than one subtree of the second stored level."""


def stored() -> tuple[list[bytes], dict[int, list[bytes]]]:
    """Give the leaves, and the levels that a store keeps."""
    leaves = [leaf_hash(number.to_bytes(4, "big")) for number in range(SIZE)]
    completed: list[tuple[Subtree, bytes]] = []
    CompactRange().extend(leaves, completed)
    levels: dict[int, list[bytes]] = {0: leaves, LEVELS: [], 2 * LEVELS: []}
    for subtree, root in completed:
        if subtree.level in levels:
            levels[subtree.level].append(root)
    return leaves, levels


LEAVES, STORED = stored()
STEP = 1024


@functools.cache
def range_at(steps: int) -> CompactRange:
    """Give the range after so many steps of leaves."""
    before = range_at(steps - 1) if steps else CompactRange()
    return before.extend(LEAVES[before.size : steps * STEP])


def root_at(size: int) -> bytes:
    """Give the root that the first leaves make, without what is stored of them."""
    return range_at(size // STEP).extend(LEAVES[size // STEP * STEP : size]).root()


SIZES = st.one_of(st.integers(1, 600), st.integers(65_000, SIZE))


def block(level: int, number: int) -> Sequence[bytes]:
    """Give one block of what is stored."""
    return STORED.get(level, [])[number << LEVELS : (number + 1) << LEVELS]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_proofs_from_stored_levels_hold(data: st.DataObject) -> None:
    """Inclusion and consistency proofs lead to the root that the leaves make, at any size."""
    size = data.draw(SIZES)
    index = data.draw(st.integers(0, size - 1))
    root = root_at(size)
    tree = StoredTree(block)
    assert (LEAVES[index], root) == (tree.inclusion(index, size).leaf, tree.inclusion(index, size).root)
    earlier = tree.consistency(index + 1, size)
    assert (root_at(index + 1), root) == (earlier.root_1, earlier.root_2)


def test_a_proof_reads_a_block_a_level() -> None:
    """Proving one of 66,100 leaves reads a handful of blocks, whatever the size."""
    read = []

    def counted(level: int, number: int) -> Sequence[bytes]:
        read.append((level, number))
        return block(level, number)

    StoredTree(counted).inclusion(40_000, SIZE)
    assert [(0, 156), (0, 258), (8, 0), (8, 1), (16, 0)] == sorted(read)


def test_a_missing_hash_is_named() -> None:
    """A store that lost a leaf says so instead of proving something else."""
    with pytest.raises(Incomplete, match="level 0"):
        StoredTree(lambda level, number: block(level, number)[:4]).inclusion(3, 5)


def test_a_changed_hash_is_found_before_it_is_served() -> None:
    """A stored leaf that no longer fits the roots above it makes no proof."""
    wrong = [leaf_hash(b"another"), *LEAVES[1:256]]
    with pytest.raises(InvalidProof):
        StoredTree(lambda level, number: wrong if (level, number) == (0, 0) else block(level, number)).inclusion(
            0, SIZE
        )
