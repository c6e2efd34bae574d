"""Proofs of a tree that is stored as its leaf hashes and the root of every complete subtree of 256, 65,536 … leaves.

So a tree of n leaves takes n/255 further hashes, and a proof reads a block or two of 256 hashes on each stored level.
Whatever is made here has been verified against the roots it is given out with.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from stanchion_core.merkle import (
    Span,
    Subtree,
    consistency_spans,
    inclusion_spans,
    node_hash,
    span_root,
    verify_consistency,
    verify_inclusion,
)

LEVELS: Final = 8
"""Each stored level is this many levels of the tree above the one below it."""

_BLOCK: Final = 1 << LEVELS

ReadBlock = Callable[[int, int], Sequence[bytes]]
"""Gives the hashes stored of a level (0, 8, 16 …) in one block, from its first; fewer where the tree ends there."""


class Incomplete(Exception):
    """A hash that the tree's size says is there is not."""


class Inclusion(Struct, frozen=True, kw_only=True):
    """That a leaf is in a tree.

    Attributes:
        index: of the leaf, from 0.
        size: of the tree.
        leaf: the leaf's hash.
        proof: hashes from the leaf upwards.
        root: of the tree.
    """

    index: int
    size: int
    leaf: bytes
    proof: tuple[bytes, ...]
    root: bytes


class Consistency(Struct, frozen=True, kw_only=True):
    """That a tree begins with an earlier one.

    Attributes:
        size_1: of the earlier.
        size_2: of the later.
        root_1: of the earlier.
        root_2: of the later.
        proof: hashes.
    """

    size_1: int
    size_2: int
    root_1: bytes
    root_2: bytes
    proof: tuple[bytes, ...]


class StoredTree:
    """One tree as it is stored, for one proof: blocks are read once."""

    def __init__(self, read_block: ReadBlock) -> None:
        self._read_block = read_block
        self._blocks: dict[tuple[int, int], Sequence[bytes]] = {}

    def root(self, size: int) -> bytes:
        """Give the root at a size.

        Raises:
            Incomplete: a hash is missing.
        """
        return span_root(Span(0, size), self.hash_of)

    def inclusion(self, index: int, size: int) -> Inclusion:
        """Prove that a leaf is in the tree at a size.

        Raises:
            ValueError: the leaf is not in a tree of this size.
            Incomplete: a hash is missing.
            InvalidProof: the stored hashes do not fit each other.
        """
        made = Inclusion(
            index=index,
            size=size,
            proof=tuple(span_root(span, self.hash_of) for span in inclusion_spans(index, size)),
            leaf=self.hash_of(Subtree(0, index)),
            root=self.root(size),
        )
        verify_inclusion(index=index, size=size, leaf=made.leaf, proof=made.proof, root=made.root)
        return made

    def consistency(self, size_1: int, size_2: int) -> Consistency:
        """Prove that the tree at a size begins with the tree at an earlier size.

        Raises:
            ValueError: the earlier tree is empty or larger.
            Incomplete: a hash is missing.
            InvalidProof: the stored hashes do not fit each other.
        """
        made = Consistency(
            size_1=size_1,
            size_2=size_2,
            proof=tuple(span_root(span, self.hash_of) for span in consistency_spans(size_1, size_2)),
            root_1=self.root(size_1),
            root_2=self.root(size_2),
        )
        verify_consistency(size_1=size_1, size_2=size_2, root_1=made.root_1, root_2=made.root_2, proof=made.proof)
        return made

    def hash_of(self, subtree: Subtree) -> bytes:
        """Give the root of a complete subtree, folded from the nearest stored level below it.

        Raises:
            Incomplete: a hash is missing.
        """
        above = subtree.level % LEVELS
        level = subtree.level - above
        first = subtree.index << above
        block = self._block(level, first >> LEVELS)
        start = first % _BLOCK
        hashes = list(block[start : start + (1 << above)])
        if len(hashes) != 1 << above:
            raise Incomplete(f"level {level} has {len(block)} hashes in block {first >> LEVELS}; {subtree} needs more")
        while len(hashes) > 1:
            pairs = zip(hashes[::2], hashes[1::2], strict=True)
            hashes = [node_hash(left, right) for left, right in pairs]
        return hashes[0]

    def _block(self, level: int, number: int) -> Sequence[bytes]:
        """Read a block, once."""
        key = (level, number)
        if key not in self._blocks:
            self._blocks[key] = self._read_block(level, number)
        return self._blocks[key]
