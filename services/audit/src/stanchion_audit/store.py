"""The DuckDB file: entries, hashes, and the position they come from, in one transaction. Nothing else knows DuckDB.

One connection; each thread has a cursor of its own. Whatever is wrong with the file, the ledger topic can make it anew:
the messages say so.
"""

import hashlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import duckdb
from msgspec import Struct

from stanchion_audit.core.checkpoint import Tree
from stanchion_audit.core.proof import LEVELS, StoredTree
from stanchion_contracts import codec
from stanchion_contracts.ledger import Entry, Ledger
from stanchion_core.merkle import HASH_BYTES, CompactRange, Subtree, leaf_hash
from stanchion_runtime.tail import Start

FORMAT: Final = 1
"""Of the tables below; a file of another format is not read."""

_HEAD_BYTES: Final = len(codec.MARKER) + 8  # what stands before an Avro body
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS about (format INTEGER);
CREATE TABLE IF NOT EXISTS positions (
    part INTEGER PRIMARY KEY, next_offset BIGINT, up VARCHAR, seen_offset BIGINT, seen_digest BLOB);
CREATE TABLE IF NOT EXISTS trees (
    id INTEGER PRIMARY KEY, workspace VARCHAR, tree VARCHAR, size BIGINT, hashes BLOB, UNIQUE (workspace, tree));
CREATE TABLE IF NOT EXISTS entries (
    tree_id INTEGER, seq BIGINT, recorded_at_us BIGINT, subject_id VARCHAR, bytes INTEGER,
    entry BLOB, leaf_hash BLOB, payload BLOB);
CREATE TABLE IF NOT EXISTS nodes (tree_id INTEGER, level INTEGER, idx BIGINT, hash BLOB);
"""
_COLUMNS: Final = ("INTEGER", "BIGINT", "BIGINT", "VARCHAR", "INTEGER", "BLOB", "BLOB", "BLOB")
_NODE_COLUMNS: Final = ("INTEGER", "INTEGER", "BIGINT", "BLOB")

Row = tuple[Any, ...]
"""One row, as DuckDB takes and gives it."""


class StoreUnusable(Exception):
    """The file cannot be opened, is damaged, or belongs to another ledger; the text says what to do."""


class Place(Struct, frozen=True, kw_only=True):
    """How far a partition has been stored.

    Attributes:
        start: where the tail goes on.
        seen_offset: of the last record that counted, -1 for none.
        seen_digest: of that record, to recognise the topic by.
    """

    start: Start = Start()
    seen_offset: int = -1
    seen_digest: bytes = b""


class Applied(Struct, frozen=True, kw_only=True):
    """What one batch of a partition brings.

    Attributes:
        partition: from 0.
        place: after the batch.
        ledgers: the outputs that count, in order.
    """

    partition: int
    place: Place
    ledgers: tuple[Ledger, ...]


class Head(Struct, frozen=True, kw_only=True):
    """A tree as it is stored.

    Attributes:
        id: in the file.
        tree: its size and root.
    """

    id: int
    tree: CompactRange


class Stored(Struct, frozen=True, kw_only=True):
    """One stored entry.

    Attributes:
        entry: read from the leaf's bytes.
        leaf: what the tree commits to.
        payload: single-object encoded.
    """

    entry: Entry
    leaf: bytes
    payload: bytes


class Page(Struct, frozen=True, kw_only=True):
    """Which entries of a tree to give.

    Attributes:
        subject_id: of one subject; empty for all.
        after_seq: entries from the next seq on.
        limit: entries at most, at least 1.
        max_bytes: payload bytes at most, but at least one entry.
    """

    subject_id: str = ""
    after_seq: int = 0
    limit: int
    max_bytes: int


class Store:
    """The audit reader's file."""

    def __init__(self, path: Path, *, memory_mb: int) -> None:
        """Open or make the file.

        Args:
            path: of the file; its folder is made.
            memory_mb: MiB that DuckDB may use.

        Raises:
            StoreUnusable: another process has it, it is damaged, or of another format.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{memory_mb}MiB",
            "threads": 1,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        try:
            self._connection = duckdb.connect(str(path), config=config)
            self._threads = threading.local()
            self._prepare()
        except duckdb.Error as error:
            raise self._unusable(f"cannot be opened: {_first_line(error)}") from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def places(self) -> dict[int, Place]:
        """Give how far each partition has been stored."""
        rows = self._rows("SELECT part, next_offset, up, seen_offset, seen_digest FROM positions")
        return {
            part: Place(start=Start(position=position, up=up), seen_offset=seen_offset, seen_digest=seen_digest)
            for part, position, up, seen_offset, seen_digest in rows
        }

    def apply(self, batches: Iterable[Applied]) -> None:
        """Store batches and their positions, all or nothing.

        Raises:
            StoreUnusable: they do not continue what is stored.
        """
        with self._transaction() as cursor:
            heads: dict[tuple[str, Tree], Head] = {}
            entries: list[Row] = []
            nodes: list[Row] = []
            for batch in batches:
                for ledger in batch.ledgers:
                    self._append(ledger, heads, entries, nodes)
                self._move(cursor, batch)
            _insert(cursor, "entries", _COLUMNS, entries)
            _insert(cursor, "nodes", _NODE_COLUMNS, nodes)
            for (workspace, tree), head in heads.items():
                cursor.execute(
                    "INSERT INTO trees VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET size = excluded.size, hashes = excluded.hashes",
                    [head.id, workspace, tree, head.tree.size, b"".join(head.tree.hashes)],
                )

    def head(self, workspace: str, tree: Tree) -> Head | None:
        """Give a tree as it is stored, None when it has no entry."""
        rows = self._rows("SELECT id, size, hashes FROM trees WHERE workspace = ? AND tree = ?", workspace, tree)
        for number, size, hashes in rows:
            parts = tuple(hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES))
            return Head(id=number, tree=CompactRange(size=size, hashes=parts))
        return None

    def entries(self, head: Head, page: Page) -> tuple[list[Stored], bool]:
        """Give entries of a tree in order, no later than the head's size, and whether there are more of them."""
        subject, values = ("AND subject_id = ?", [page.subject_id]) if page.subject_id else ("", [])
        sizes = self._rows(
            f"SELECT seq, bytes FROM entries WHERE tree_id = ? AND seq > ? AND seq <= ? {subject} ORDER BY seq LIMIT ?",  # noqa: S608 - one of two constants
            *(head.id, page.after_seq, head.tree.size, *values, page.limit + 1),
        )
        seqs = _within(sizes[: page.limit], page.max_bytes)
        if not seqs:
            return [], False
        rows = self._rows(
            f"SELECT entry, payload FROM entries WHERE tree_id = ? AND seq BETWEEN ? AND ? {subject} ORDER BY seq",  # noqa: S608 - as above
            *(head.id, seqs[0], seqs[-1], *values),
        )
        found = [
            Stored(entry=codec.decode(entry, Entry), leaf=entry[_HEAD_BYTES:], payload=payload)
            for entry, payload in rows
        ]
        return found, len(sizes) > len(seqs)

    def tree(self, head: Head) -> StoredTree:
        """Give a tree's hashes, for one proof."""

        def read_block(level: int, number: int) -> Sequence[bytes]:
            first = number << LEVELS
            last = first + (1 << LEVELS) - 1
            if level:
                sql = "SELECT idx, hash FROM nodes WHERE tree_id = ? AND idx BETWEEN ? AND ? AND level = ? ORDER BY idx"
                rows = self._rows(sql, head.id, first, last, level)
            else:
                sql = "SELECT seq - 1, leaf_hash FROM entries WHERE tree_id = ? AND seq BETWEEN ? AND ? ORDER BY seq"
                rows = self._rows(sql, head.id, first + 1, last + 1)
            return [value for at, (index, value) in enumerate(rows) if index == first + at]

        return StoredTree(read_block)

    def _append(
        self, ledger: Ledger, heads: dict[tuple[str, Tree], Head], entries: list[Row], nodes: list[Row]
    ) -> None:
        """Add one output to the rows and to its tree's head.

        Raises:
            StoreUnusable: it does not continue the stored tree.
        """
        key = (ledger.meta.workspace, ledger.tree)
        head = heads.get(key) or self.head(*key) or Head(id=self._next_id(heads), tree=CompactRange())
        encoded = [codec.encode(entry) for entry in ledger.entries]
        hashes = [leaf_hash(data[_HEAD_BYTES:]) for data in encoded]
        completed: list[tuple[Subtree, bytes]] = []
        tree = head.tree.extend(hashes, completed)
        if tree.size != ledger.size or ledger.entries[0].seq != head.tree.size + 1:
            raise self._unusable(
                f"has {head.tree.size} entries of workspace {key[0]!r}, tree {key[1]}, but the ledger goes on with seq "
                f"{ledger.entries[0].seq}"
            )
        rows = zip(ledger.entries, encoded, hashes, ledger.payloads, strict=True)
        entries.extend(
            (head.id, entry.seq, entry.recorded_at_us, entry.subject_id, len(payload), data, leaf, payload)
            for entry, data, leaf, payload in rows
        )
        nodes.extend(
            (head.id, subtree.level, subtree.index, root) for subtree, root in completed if subtree.level % LEVELS == 0
        )
        heads[key] = Head(id=head.id, tree=tree)

    def _next_id(self, heads: dict[tuple[str, Tree], Head]) -> int:
        """Give the number of a new tree."""
        ((stored,),) = self._rows("SELECT coalesce(max(id), 0) FROM trees")
        return int(max([stored, *(head.id for head in heads.values())])) + 1

    def _move(self, cursor: duckdb.DuckDBPyConnection, batch: Applied) -> None:
        """Store a partition's position; a batch in which nothing counted leaves what was seen last."""
        place = batch.place
        if place.seen_offset < 0:
            kept = self.places().get(batch.partition, Place())
            place = Place(start=place.start, seen_offset=kept.seen_offset, seen_digest=kept.seen_digest)
        cursor.execute(
            "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?)",
            [batch.partition, place.start.position, place.start.up, place.seen_offset, place.seen_digest],
        )

    def _prepare(self) -> None:
        """Make the tables in a new file; check an old one's format.

        Raises:
            StoreUnusable: it is of another format.
        """
        cursor = self._cursor()
        cursor.execute(_TABLES)
        formats = cursor.execute("SELECT format FROM about").fetchall()
        if not formats:
            cursor.execute("INSERT INTO about VALUES (?)", [FORMAT])
        elif formats != [(FORMAT,)]:
            raise self._unusable(f"has format {formats[0][0]}; this version reads format {FORMAT}")

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Give this thread's cursor."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._threads, "cursor", None)
        if cursor is None:
            cursor = self._threads.cursor = self._connection.cursor()
        return cursor

    def _rows(self, sql: str, *values: object) -> list[Row]:
        """Run a query in this thread.

        Raises:
            StoreUnusable: the file is damaged.
        """
        try:
            rows: list[Row] = self._cursor().execute(sql, list(values)).fetchall()
        except duckdb.Error as error:
            raise self._unusable(f"cannot be read: {_first_line(error)}") from error
        return rows

    @contextmanager
    def _transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Commit what happens inside, or nothing of it.

        Raises:
            StoreUnusable: the file cannot be written.
        """
        cursor = self._cursor()
        try:
            cursor.execute("BEGIN TRANSACTION")
            yield cursor
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            with suppress(duckdb.Error):
                cursor.execute("ROLLBACK")
            raise self._unusable(f"cannot be written: {_first_line(error)}") from error
        except BaseException:
            cursor.execute("ROLLBACK")
            raise

    def _unusable(self, what: str) -> StoreUnusable:
        """Give the error, with what to do."""
        return StoreUnusable(
            f"audit store {self.path} {what}. Stop whatever else uses it, or move it away, with the .wal beside it: "
            "the reader makes it anew from the ledger topic, which is what counts"
        )


def digest_of(value: bytes, headers: Iterable[tuple[str, bytes]]) -> bytes:
    """Give what one record of a topic is recognised by."""
    digest = hashlib.sha256(value)
    for name, text in headers:
        digest.update(b"\0" + name.encode() + b"\0" + text)
    return digest.digest()


def _first_line(error: duckdb.Error) -> str:
    """Give what DuckDB says, without its hints."""
    return str(error).splitlines()[0]


def _insert(cursor: duckdb.DuckDBPyConnection, table: str, types: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert rows, a list for each column: several times as fast as a row at a time."""
    if rows:
        lists = ", ".join(f"unnest(?::{kind}[])" for kind in types)
        cursor.execute(f"INSERT INTO {table} SELECT {lists}", [list(column) for column in zip(*rows, strict=True)])


def _within(sizes: Sequence[Row], max_bytes: int) -> list[int]:
    """Give the seqs whose payloads fit together, at least the first."""
    seqs: list[int] = []
    total = 0
    for seq, size in sizes:
        total += size
        if seqs and total > max_bytes:
            break
        seqs.append(seq)
    return seqs
