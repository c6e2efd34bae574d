"""Merkle trees against the RFC's own recursion and an independent library."""

import hashlib
from collections.abc import Sequence

import pymerkle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stanchion_core.merkle import (
    CompactRange,
    InvalidProof,
    Span,
    Subtree,
    complete_subtrees,
    consistency_spans,
    inclusion_spans,
    leaf_hash,
    root_of,
    span_root,
    verify_consistency,
    verify_inclusion,
)

LEAVES = [leaf_hash(number.to_bytes(4, "big")) for number in range(300)]
SIZES = st.integers(1, len(LEAVES))


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """Give the root by the recursion of RFC 9162 section 2.1.1, word for word."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + naive_root(leaves[:split]) + naive_root(leaves[split:])).digest()


def hash_of(subtree: Subtree) -> bytes:
    """Give the root of a complete subtree of LEAVES."""
    width = 1 << subtree.level
    return naive_root(LEAVES[subtree.index * width : (subtree.index + 1) * width])


def proof_of(spans: Sequence[Span]) -> list[bytes]:
    """Give the hashes of a proof."""
    return [span_root(span, hash_of) for span in spans]


def flip(data: bytes, bit: int) -> bytes:
    """Give the bytes with one bit turned."""
    flipped = bytearray(data)
    flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)


@given(st.lists(st.integers(0, 40), max_size=12))
def test_a_compact_range_has_the_recursion_s_root_however_it_grew(steps: list[int]) -> None:
    """Appending in any portions gives the root of the recursion, and one hash for each 1-bit of the size."""
    tree = CompactRange()
    for step in steps:
        tree = tree.extend(LEAVES[tree.size % 100 : tree.size % 100 + step])
    grown: list[bytes] = []
    for step in steps:
        grown += LEAVES[len(grown) % 100 : len(grown) % 100 + step]
    assert (len(grown), naive_root(grown)) == (tree.size, tree.root())
    assert len(grown).bit_count() == len(tree.hashes)


@given(SIZES)
def test_roots_are_those_of_an_independent_library(size: int) -> None:
    """pymerkle, written by somebody else, gives the same root."""
    other = pymerkle.InmemoryTree(algorithm="sha256")
    for number in range(size):
        other.append_entry(number.to_bytes(4, "big"))
    assert other.get_root() == root_of(LEAVES[:size])


@given(st.data())
def test_every_inclusion_proof_verifies_and_no_neighbour_does(data: st.DataObject) -> None:
    """A leaf's proof holds for that leaf at that size and for no other index or size."""
    size = data.draw(SIZES)
    index = data.draw(st.integers(0, size - 1))
    proof = proof_of(inclusion_spans(index, size))
    verify_inclusion(index=index, size=size, leaf=LEAVES[index], proof=proof, root=naive_root(LEAVES[:size]))
    other = data.draw(SIZES.filter(lambda value: value != size))
    with pytest.raises(InvalidProof):
        verify_inclusion(index=index, size=other, leaf=LEAVES[index], proof=proof, root=naive_root(LEAVES[:other]))
    if size > 1:
        wrong = data.draw(st.integers(0, size - 1).filter(lambda value: value != index))
        with pytest.raises(InvalidProof):
            verify_inclusion(index=wrong, size=size, leaf=LEAVES[index], proof=proof, root=naive_root(LEAVES[:size]))


@given(st.data())
def test_every_consistency_proof_verifies(data: st.DataObject) -> None:
    """Between any two sizes there is a proof, and it holds."""
    size_2 = data.draw(SIZES)
    size_1 = data.draw(st.integers(1, size_2))
    verify_consistency(
        size_1=size_1,
        size_2=size_2,
        root_1=naive_root(LEAVES[:size_1]),
        root_2=naive_root(LEAVES[:size_2]),
        proof=proof_of(consistency_spans(size_1, size_2)),
    )


@given(st.data())
def test_any_flipped_bit_of_a_proof_is_found(data: st.DataObject) -> None:
    """Turning one bit of a leaf, a proof hash or the root makes an inclusion proof fail."""
    size = data.draw(SIZES)
    index = data.draw(st.integers(0, size - 1))
    parts = [LEAVES[index], naive_root(LEAVES[:size]), *proof_of(inclusion_spans(index, size))]
    which = data.draw(st.integers(0, len(parts) - 1))
    parts[which] = flip(parts[which], data.draw(st.integers(0, 255)))
    with pytest.raises(InvalidProof):
        verify_inclusion(index=index, size=size, leaf=parts[0], root=parts[1], proof=parts[2:])


@given(st.data())
def test_a_rewritten_past_is_found(data: st.DataObject) -> None:
    """A tree whose earlier leaves were swapped or changed has no proof from an earlier root."""
    size_2 = data.draw(st.integers(2, 60))
    size_1 = data.draw(st.integers(2, size_2))
    first, second = data.draw(st.lists(st.integers(0, size_1 - 1), min_size=2, max_size=2, unique=True))
    leaves = LEAVES[:size_2]
    leaves[first], leaves[second] = leaves[second], leaves[first]

    def rewritten(subtree: Subtree) -> bytes:
        width = 1 << subtree.level
        return naive_root(leaves[subtree.index * width : (subtree.index + 1) * width])

    with pytest.raises(InvalidProof):
        verify_consistency(
            size_1=size_1,
            size_2=size_2,
            root_1=naive_root(LEAVES[:size_1]),
            root_2=naive_root(leaves),
            proof=[span_root(span, rewritten) for span in consistency_spans(size_1, size_2)],
        )


@given(st.integers(0, 5000))
def test_complete_subtrees_cover_a_span_without_gap(size: int) -> None:
    """From leaf 0 the subtrees adjoin, shrink and cover exactly the size."""
    at = 0
    for subtree in complete_subtrees(Span(0, size)):
        assert at == subtree.index << subtree.level
        at += 1 << subtree.level
    assert size == at


@given(st.integers(0, 200), st.integers(0, 100))
def test_completed_subtrees_are_told_as_they_complete(first: int, more: int) -> None:
    """Growing tells exactly the subtrees that the new leaves completed, each with its root."""
    completed: list[tuple[Subtree, bytes]] = []
    CompactRange().extend(LEAVES[:first]).extend(LEAVES[first : first + more], completed)
    expected = {
        Subtree(level, index): hash_of(Subtree(level, index))
        for level in range(1, 10)
        for index in range(first >> level, (first + more) >> level)
    }
    assert (expected, len(expected)) == (dict(completed), len(completed))
