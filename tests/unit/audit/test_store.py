"""The DuckDB file."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import msgspec
import pytest

from stanchion_audit.store import Applied, Page, Place, Store, StoreUnusable, digest_of
from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger
from stanchion_core.merkle import leaf_hash, root_of
from stanchion_runtime.tail import Start
from support.changes import changes, notarised, receipt, record_written

ALL = Page(limit=1000, max_bytes=1 << 30)


def applied(*ledgers: Ledger, partition: int = 0, position: int = 9, seen: int = 8) -> Applied:
    """Give a batch that brings these outputs."""
    place = Place(start=Start(position=position, up="0|changes=8"), seen_offset=seen, seen_digest=b"d" * 32)
    return Applied(partition=partition, place=place, ledgers=ledgers)


def many(count: int, workspace: str = "docs") -> list[Ledger]:
    """Give outputs of one entry each, on ten subjects."""
    return notarised(
        *(changes(seq, record_written(seq, f"adr-{seq % 10}"), workspace=workspace) for seq in range(1, count + 1))
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give an empty store."""
    opened = Store(tmp_path / "audit" / "audit.duckdb", memory_mb=64)
    yield opened
    opened.close()


def test_what_is_stored_is_what_was_notarised(store: Store) -> None:
    """Entries, leaves and payloads come back as they were, each tree with its own numbers."""
    outputs = notarised(changes(1, record_written(1), record_written(2)), receipt(2), changes(3, record_written(3)))
    store.apply([applied(*outputs)])
    for tree, expected in (("changes", [outputs[0], outputs[2]]), ("receipts", [outputs[1]])):
        head = store.head("docs", tree)  # type: ignore[arg-type]  # one of the two words
        assert head is not None
        stored, more = store.entries(head, ALL)
        entries = [entry for output in expected for entry in output.entries]
        assert (entries, False) == ([one.entry for one in stored], more)
        assert [codec.encode_body(entry) for entry in entries] == [one.leaf for one in stored]
        assert [payload for output in expected for payload in output.payloads] == [one.payload for one in stored]
        assert root_of(leaf_hash(one.leaf) for one in stored) == head.tree.root()


def test_a_restart_finds_position_and_tree(tmp_path: Path) -> None:
    """Closing and opening again leaves everything as it was, and the tree goes on."""
    outputs = many(5)
    path = tmp_path / "audit.duckdb"
    store = Store(path, memory_mb=64)
    store.apply([applied(*outputs[:3], position=4, seen=3)])
    store.close()
    store = Store(path, memory_mb=64)
    assert {0: applied(position=4, seen=3).place} == store.places()
    store.apply([applied(*outputs[3:])])
    head = store.head("docs", "changes")
    assert head is not None
    leaves = [leaf_hash(codec.encode_body(entry)) for output in outputs for entry in output.entries]
    assert root_of(leaves) == head.tree.root() == store.tree(head).root(5)
    store.close()


def test_a_batch_in_which_nothing_counted_keeps_what_was_seen(store: Store) -> None:
    """A claim or a stale record moves the position, and the last record that counted is still known."""
    store.apply([applied(*many(1), position=4, seen=3)])
    store.apply([Applied(partition=0, place=Place(start=Start(position=6, up="5|")), ledgers=())])
    place = store.places()[0]
    assert (Start(position=6, up="5|"), 3, b"d" * 32) == (place.start, place.seen_offset, place.seen_digest)


def test_a_batch_is_stored_whole_or_not_at_all(store: Store) -> None:
    """When one output does not fit, nothing of its batch stays, neither rows nor position."""
    outputs = many(3)
    with pytest.raises(StoreUnusable, match="the ledger goes on with seq 3"):
        store.apply([applied(outputs[0], outputs[2])])
    assert ({}, None) == (store.places(), store.head("docs", "changes"))
    store.apply([applied(*outputs)])
    head = store.head("docs", "changes")
    assert head is not None
    assert 3 == head.tree.size


@pytest.mark.parametrize(
    ("page", "seqs", "more"),
    [
        (Page(limit=3, max_bytes=1 << 30), [1, 2, 3], True),
        (Page(limit=3, max_bytes=1 << 30, after_seq=38), [39, 40], False),
        (Page(limit=2, max_bytes=1 << 30, subject_id="adr-7"), [7, 17], True),
        (Page(limit=2, max_bytes=1 << 30, subject_id="adr-7", after_seq=17), [27, 37], False),
        (Page(limit=9, max_bytes=1), [1], True),
        (Page(limit=9, max_bytes=1 << 30, subject_id="adr-x"), [], False),
        (Page(limit=9, max_bytes=1 << 30, after_seq=40), [], False),
    ],
)
def test_pages(store: Store, page: Page, seqs: list[int], more: bool) -> None:  # noqa: FBT001 - a parametrised outcome
    """A page has what was asked for, ends at the limit or the bytes, and says whether more follows."""
    store.apply([applied(*many(40))])
    head = store.head("docs", "changes")
    assert head is not None
    stored, follows = store.entries(head, page)
    assert (seqs, more) == ([one.entry.seq for one in stored], follows)


def test_a_page_never_passes_the_head_it_was_asked_for(store: Store) -> None:
    """What is stored after a call began stays out of its answer."""
    outputs = many(6)
    store.apply([applied(*outputs[:4])])
    head = store.head("docs", "changes")
    assert head is not None
    store.apply([applied(*outputs[4:])])
    stored, more = store.entries(head, ALL)
    assert (4, False) == (len(stored), more)


def test_proofs_from_the_file(store: Store) -> None:
    """Past a block of 256 leaves, with two workspaces in between each other, proofs still lead to the root."""
    pairs = list(zip(many(300), many(300, "ops"), strict=True))
    for at in range(0, 300, 100):
        store.apply([applied(*(output for pair in pairs[at : at + 100] for output in pair))])
    for workspace in ("docs", "ops"):
        head = store.head(workspace, "changes")
        assert head is not None
        tree = store.tree(head)
        assert head.tree.root() == tree.inclusion(255, 300).root == tree.consistency(256, 300).root_2


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    """A damaged file is named, with what to do."""
    path = tmp_path / "audit.duckdb"
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreUnusable, match=r"audit\.duckdb cannot be opened.*move it away"):
        Store(path, memory_mb=64)


def test_a_damaged_block_is_told_apart_from_an_empty_ledger(tmp_path: Path) -> None:
    """Bytes overwritten in the middle of the file give an error that says what to do, never an answer."""
    path = tmp_path / "audit.duckdb"
    store = Store(path, memory_mb=64)
    store.apply([applied(*many(3000))])
    store.close()
    data = bytearray(path.read_bytes())
    data[12288:-4096] = bytes(byte ^ 0x55 for byte in data[12288:-4096])
    path.write_bytes(data)

    def read() -> None:
        damaged = Store(path, memory_mb=64)
        head = damaged.head("docs", "changes")
        assert head is not None
        damaged.entries(head, ALL)

    with pytest.raises(StoreUnusable, match="move it away"):
        read()


def test_another_format_is_refused(store: Store) -> None:
    """A file of another format is left alone."""
    path = store.path
    store.close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE about SET format = 99")
    with pytest.raises(StoreUnusable, match="has format 99"):
        Store(path, memory_mb=64)


def test_a_record_is_recognised_by_value_and_headers() -> None:
    """Two empty outputs with other causes are not the same record."""
    assert digest_of(b"", [("cause", b"changes:0:1")]) != digest_of(b"", [("cause", b"changes:0:2")])
    assert digest_of(b"a", []) != digest_of(b"b", [])


def test_every_flipped_bit_of_a_stored_entry_is_found(store: Store) -> None:
    """Whichever bit of a stored leaf is turned, it is no longer what the signed root commits to."""
    (output,) = notarised(changes(1, record_written(1), record_written(2), record_written(3)))
    store.apply([applied(output)])
    head = store.head("docs", "changes")
    assert head is not None
    stored, _ = store.entries(head, ALL)
    leaf = stored[1].leaf
    around = [leaf_hash(stored[0].leaf), leaf_hash(stored[2].leaf)]
    for bit in range(len(leaf) * 8):
        flipped = bytearray(leaf)
        flipped[bit // 8] ^= 1 << bit % 8
        assert head.tree.root() != root_of([around[0], leaf_hash(bytes(flipped)), around[1]])


def test_reordered_entries_are_not_taken(store: Store) -> None:
    """Outputs in another order are no continuation of the tree."""
    outputs = many(2)
    with pytest.raises(StoreUnusable):
        store.apply([applied(*reversed(outputs))])
    with pytest.raises(StoreUnusable):
        store.apply([applied(msgspec.structs.replace(outputs[0], size=2))])
