"""Merkle trees: what commits to a list of entries in 32 bytes, and proofs that fit in a letter.

Sources: RFC 6962 section 2.1 and RFC 9162 section 2.1 (SHA-256, 0x00 before a leaf, 0x01 before a node). Two rules the
RFCs leave open: a consistency proof from size 0 proves nothing and is always refused, and what a proof hashes is 32
bytes long or it is refused.

A tree is never held whole here. Writers keep a `CompactRange`; readers ask `inclusion_spans` or `consistency_spans`
which spans of leaves a proof is made of, and fold each span from whatever complete subtrees their store has.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()
"""The root of the tree without leaves."""


class InvalidProof(Exception):
    """A proof does not prove what it claims; the text says which part fails."""


class Span(Struct, frozen=True, order=True):
    """Leaves `start` (from 0) up to, without, `end`."""

    start: int
    end: int


class Subtree(Struct, frozen=True, order=True):
    """A complete subtree: `2**level` leaves, from leaf `index * 2**level`."""

    level: int
    index: int


class CompactRange(Struct, frozen=True, kw_only=True):
    """All that is needed of a tree to append to it and to name its root.

    Attributes:
        size: how many leaves.
        hashes: the roots of the complete subtrees that cover them, largest first: one for each 1-bit of `size`.
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def extend(
        self, leaf_hashes: Iterable[bytes], completed: "list[tuple[Subtree, bytes]] | None" = None
    ) -> "CompactRange":
        """Give the range after these leaves.

        Args:
            leaf_hashes: what is appended.
            completed: takes each subtree of two leaves or more that became complete, with its root, smaller first.
        """
        size = self.size
        stack = list(self.hashes)
        for leaf in leaf_hashes:
            node = leaf
            carry, level = size, 0
            while carry & 1:
                node = node_hash(stack.pop(), node)
                carry >>= 1
                level += 1
                if completed is not None:
                    completed.append((Subtree(level, carry), node))
            stack.append(node)
            size += 1
        return CompactRange(size=size, hashes=tuple(stack))

    def root(self) -> bytes:
        """Give the tree's root."""
        return fold(self.hashes)


def leaf_hash(data: bytes) -> bytes:
    """Give the hash of a leaf's bytes."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Give the hash of a node over its two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def fold(hashes: Sequence[bytes]) -> bytes:
    """Give the root over adjoining complete subtrees of falling size; of none, the empty root."""
    if not hashes:
        return EMPTY_ROOT
    node = hashes[-1]
    for left in reversed(hashes[:-1]):
        node = node_hash(left, node)
    return node


def root_of(leaf_hashes: Iterable[bytes]) -> bytes:
    """Give the root of the tree over these leaf hashes."""
    return CompactRange().extend(leaf_hashes).root()


def complete_subtrees(span: Span) -> tuple[Subtree, ...]:
    """Give the largest complete subtrees that cover a span, from left to right.

    Args:
        span: as a proof names it: its start is a multiple of a power of two that is not smaller than its length.
    """
    subtrees = []
    start, left = span.start, span.end - span.start
    while left:
        level = left.bit_length() - 1
        subtrees.append(Subtree(level, start >> level))
        start += 1 << level
        left -= 1 << level
    return tuple(subtrees)


def span_root(span: Span, hash_of: Callable[[Subtree], bytes]) -> bytes:
    """Give the root over a span.

    Args:
        span: as `inclusion_spans` or `consistency_spans` gave it, or from leaf 0.
        hash_of: gives the root of one complete subtree.
    """
    return fold([hash_of(subtree) for subtree in complete_subtrees(span)])


def inclusion_spans(index: int, size: int) -> tuple[Span, ...]:
    """Give the spans whose roots, in this order, prove a leaf (RFC 9162 section 2.1.3.1).

    Args:
        index: of the leaf, from 0.
        size: of the tree, greater than `index`.

    Raises:
        ValueError: the leaf is not in a tree of this size.
    """
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size} leaves")
    spans = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            spans.append(Span(middle, end))
            end = middle
        else:
            spans.append(Span(start, middle))
            start = middle
    return tuple(reversed(spans))


def consistency_spans(size_1: int, size_2: int) -> tuple[Span, ...]:
    """Give the spans whose roots, in this order, prove that one tree begins with another (RFC 9162 section 2.1.4.1).

    Args:
        size_1: of the earlier tree, at least 1.
        size_2: of the later tree, at least `size_1`.

    Raises:
        ValueError: there is no such proof: the earlier tree is empty or larger.
    """
    if not 1 <= size_1 <= size_2:
        raise ValueError(f"no proof leads from a tree of {size_1} leaves to one of {size_2}")
    spans = []
    start, end = 0, size_2
    while end != size_1:
        middle = start + _split(end - start)
        if size_1 <= middle:
            spans.append(Span(middle, end))
            end = middle
        else:
            spans.append(Span(start, middle))
            start = middle
    if start:  # the earlier tree is not itself a subtree that the verifier already holds as its root
        spans.append(Span(start, end))
    return tuple(reversed(spans))


def verify_inclusion(*, index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> None:
    """Check that a leaf is in a tree (RFC 9162 section 2.1.3.2).

    Args:
        index: of the leaf, from 0.
        size: of the tree.
        leaf: the leaf's hash.
        proof: hashes from the leaf upwards.
        root: of the tree.

    Raises:
        InvalidProof: it is not, or the proof does not show it.
    """
    if not 0 <= index < size:
        raise InvalidProof(f"leaf {index} is not in a tree of {size} leaves")
    _require_hashes(leaf, *proof)
    at, last = index, size - 1
    node = leaf
    for sibling in proof:
        if last == 0:
            raise InvalidProof("the proof is too long")
        if at & 1 or at == last:
            node = node_hash(sibling, node)
            at, last = _rise(at, last)
        else:
            node = node_hash(node, sibling)
        at >>= 1
        last >>= 1
    if last:
        raise InvalidProof("the proof is too short")
    if node != root:
        raise InvalidProof(f"the proof of leaf {index} leads to another root than that of size {size}")


def verify_consistency(*, size_1: int, size_2: int, root_1: bytes, root_2: bytes, proof: Sequence[bytes]) -> None:
    """Check that the later tree begins with the earlier one, unchanged (RFC 9162 section 2.1.4.2).

    Args:
        size_1: of the earlier tree, at least 1.
        size_2: of the later tree.
        root_1: of the earlier tree.
        root_2: of the later tree.
        proof: as `consistency_spans` orders it.

    Raises:
        InvalidProof: it does not, or the proof does not show it.
    """
    if not 1 <= size_1 <= size_2:
        raise InvalidProof(f"no proof leads from a tree of {size_1} leaves to one of {size_2}")
    if size_1 == size_2:
        if proof:
            raise InvalidProof("the proof is too long: the sizes are equal")
        if root_1 != root_2:
            raise InvalidProof(f"two roots for the one size {size_1}")
        return
    if not proof:
        raise InvalidProof("the proof is too short")
    power_of_two = size_1 & (size_1 - 1) == 0
    hashes = (root_1, *proof) if power_of_two else proof
    _require_hashes(*hashes)
    node_1, node_2 = _fold_both(size_1 - 1, size_2 - 1, hashes)
    if node_1 != root_1:
        raise InvalidProof(f"the proof leads to another root than that of size {size_1}")
    if node_2 != root_2:
        raise InvalidProof(f"the proof leads to another root than that of size {size_2}")


def _fold_both(at: int, last: int, hashes: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Give the earlier and the later root a consistency proof leads to, from both trees' last leaf upwards.

    Raises:
        InvalidProof: the proof is too long or too short for these sizes.
    """
    while at & 1:
        at >>= 1
        last >>= 1
    node_1 = node_2 = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            raise InvalidProof("the proof is too long")
        if at & 1 or at == last:
            node_1 = node_hash(sibling, node_1)
            node_2 = node_hash(sibling, node_2)
            at, last = _rise(at, last)
        else:
            node_2 = node_hash(node_2, sibling)
        at >>= 1
        last >>= 1
    if last:
        raise InvalidProof("the proof is too short")
    return node_1, node_2


def _rise(at: int, last: int) -> tuple[int, int]:
    """Skip the levels on which the rightmost node has no sibling."""
    while at and not at & 1:
        at >>= 1
        last >>= 1
    return at, last


def _split(size: int) -> int:
    """Give the largest power of two below a size of at least 2: how many leaves the left child has."""
    return 1 << ((size - 1).bit_length() - 1)


def _require_hashes(*hashes: bytes) -> None:
    """Refuse what is no hash.

    Raises:
        InvalidProof: one has another length.
    """
    for value in hashes:
        if len(value) != HASH_BYTES:
            raise InvalidProof(f"a hash of {len(value)} bytes; expected {HASH_BYTES}")
