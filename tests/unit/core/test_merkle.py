"""Merkle trees against the published vectors and worked roots."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from stanchion_core.merkle import (
    EMPTY_ROOT,
    CompactRange,
    InvalidProof,
    Span,
    consistency_spans,
    inclusion_spans,
    leaf_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from support.corpora import corpus

# The eight leaves of RFC 6962's reference test tree, and its roots at sizes 1 to 8.
LEAVES = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")] + [
    bytes.fromhex("606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def _vectors(kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Read every vector of a kind, with its place."""
    folder: Path = corpus("merkle-vectors") / kind
    return [(str(path.relative_to(folder)), json.loads(path.read_text())) for path in sorted(folder.rglob("*.json"))]


def _bytes(text: str) -> bytes:
    """Read base64."""
    return base64.b64decode(text, validate=True)


def _refused(check: Any, **values: Any) -> bool:  # noqa: ANN401 - any of the two verifiers, with its own arguments
    """Tell whether a verifier refuses."""
    try:
        check(**values)
    except InvalidProof:
        return True
    return False


def test_every_published_inclusion_vector_holds() -> None:
    """Good inclusion proofs are accepted and bad ones refused, 98 of 98 as the vectors say."""
    vectors = _vectors("inclusion")
    wrong = [
        place
        for place, vector in vectors
        if vector["wantErr"]
        != _refused(
            verify_inclusion,
            index=vector["leafIdx"],
            size=vector["treeSize"],
            leaf=_bytes(vector["leafHash"]),
            proof=[_bytes(text) for text in vector["proof"] or ()],
            root=_bytes(vector["root"]),
        )
    ]
    assert ([], 98) == (wrong, len(vectors))


def test_every_published_consistency_vector_holds() -> None:
    """Good consistency proofs are accepted and bad ones refused, 98 of 98 as the vectors say."""
    vectors = _vectors("consistency")
    wrong = [
        place
        for place, vector in vectors
        if vector["wantErr"]
        != _refused(
            verify_consistency,
            size_1=vector["size1"],
            size_2=vector["size2"],
            root_1=_bytes(vector["root1"]),
            root_2=_bytes(vector["root2"]),
            proof=[_bytes(text) for text in vector["proof"] or ()],
        )
    ]
    assert ([], 98) == (wrong, len(vectors))


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_of_the_reference_tree(size: int) -> None:
    """The reference tree has its known root at every size."""
    assert ROOTS[size - 1] == root_of(leaf_hash(leaf) for leaf in LEAVES[:size]).hex()


def test_the_empty_tree_has_the_hash_of_nothing_as_root() -> None:
    """A tree without leaves has SHA-256 of the empty text as root."""
    assert (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        == EMPTY_ROOT.hex()
        == CompactRange().root().hex()
    )


def test_worked_spans_of_an_inclusion_proof() -> None:
    """Leaf 4 of 7 is proved by leaf 5, leaf 6, and the four leaves before."""
    assert (Span(5, 6), Span(6, 7), Span(0, 4)) == inclusion_spans(4, 7)


def test_worked_spans_of_a_consistency_proof() -> None:
    """Sizes 3 and 7 are joined by leaf 2, leaf 3, the first two leaves and the last three (RFC 9162 section 2.1.5)."""
    assert (Span(2, 3), Span(3, 4), Span(0, 2), Span(4, 7)) == consistency_spans(3, 7)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 4), (4, 4)])
def test_no_proof_for_a_leaf_that_is_not_there(index: int, size: int) -> None:
    """A leaf outside the tree is refused before anything is read."""
    with pytest.raises(ValueError, match="not in a tree"):
        inclusion_spans(index, size)


@pytest.mark.parametrize(("size_1", "size_2"), [(0, 0), (0, 4), (5, 4)])
def test_no_proof_from_an_empty_or_a_larger_tree(size_1: int, size_2: int) -> None:
    """Nothing proves a tree from an empty or a larger one."""
    with pytest.raises(ValueError, match="no proof leads"):
        consistency_spans(size_1, size_2)
