"""The DuckDB file: rows, and the position they were made from, in one transaction. Nothing else knows DuckDB.

Lists go in as `unnest` of one parameter a column: measured here at 40,000 to 70,000 rows a second, where `executemany`
gives 2,000 and a statement of many placeholders 8,000; and it needs no Arrow.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb
from msgspec import Struct

from stanchion_runtime.tail import Start
from stanchion_view.core.state import Claim, claim_hash

FORMAT: Final = 1
"""Of the tables below; a file of another format is not read, but made anew from the ledger."""

_LOAD: Final = 2_000  # rows fetched at a time

Cell = str | int | None
Row = tuple[Cell, ...]


class Table(Struct, frozen=True, kw_only=True):
    """One table.

    Attributes:
        columns: name and SQL type, in the order of the row's cells.
        key: what makes a row replace another; empty for a table that only grows.
    """

    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...] = ()


def _columns(text: str) -> tuple[tuple[str, str], ...]:
    """Read `name TYPE, name TYPE`."""
    return tuple((part.split()[0], part.split()[1]) for part in text.split(","))


TABLES: Final[dict[str, Table]] = {
    "workspaces": Table(
        columns=_columns("workspace VARCHAR, part INTEGER, seq BIGINT, recorded_at_us BIGINT"),
        key=("workspace",),
    ),
    "records": Table(
        columns=_columns(
            "workspace VARCHAR, id VARCHAR, kind VARCHAR, room VARCHAR, label VARCHAR, status VARCHAR, "
            "deleted INTEGER, version BIGINT, seq BIGINT, fields VARCHAR, head VARCHAR, card VARCHAR"
        ),
        key=("workspace", "id"),
    ),
    "versions": Table(
        columns=_columns(
            "workspace VARCHAR, id VARCHAR, version BIGINT, seq BIGINT, recorded_at_us BIGINT, "
            "card VARCHAR, body VARCHAR"
        ),
        key=("workspace", "id", "version"),
    ),
    "beliefs": Table(
        columns=_columns("workspace VARCHAR, subject VARCHAR, predicate VARCHAR, seq BIGINT, state VARCHAR"),
        key=("workspace", "subject", "predicate"),
    ),
    "contributions": Table(
        columns=_columns(
            "workspace VARCHAR, claim BIGINT, subject VARCHAR, predicate VARCHAR, seq BIGINT, state VARCHAR"
        )
    ),
    "notes": Table(
        columns=_columns("workspace VARCHAR, kind VARCHAR, id VARCHAR, state VARCHAR"),
        key=("workspace", "kind", "id"),
    ),
    "changes": Table(
        columns=_columns("workspace VARCHAR, seq BIGINT, n INTEGER, recorded_at_us BIGINT, event VARCHAR"),
    ),
    "positions": Table(
        columns=_columns("part INTEGER, position BIGINT, up VARCHAR"),
        key=("part",),
    ),
}
"""Every table. `workspaces`, `records`, `beliefs` and `notes` are what stands now, and hot state is rebuilt from them;
`versions`, `contributions` and `changes` only grow."""


class StoreError(Exception):
    """The file cannot be used; the text says why and what to do."""


class Store:
    """One DuckDB file. `commit` is for one thread at a time; reads are for any, each with a cursor of its own."""

    def __init__(self, path: Path, *, memory_mb: int, threads: int, checkpoint_mb: int) -> None:
        """Open the file, or make it.

        Args:
            path: of the file; its folder is made.
            memory_mb: what DuckDB may use, MiB.
            threads: for one statement.
            checkpoint_mb: size of the write-ahead file at which it is folded into the main one, MiB.

        Raises:
            StoreError: another process holds the file, or it is not one of ours.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{memory_mb}MiB",
            "threads": threads,
            "checkpoint_threshold": f"{checkpoint_mb}MiB",
            "preserve_insertion_order": "false",
        }
        try:
            self._write = duckdb.connect(str(path), config=config)
        except duckdb.Error as error:
            raise StoreError(
                f"cannot open {path}: {error}. Another view may hold it; one file serves one process. "
                "A file that cannot be read may be removed: the view makes it anew from the ledger."
            ) from error
        self._local = threading.local()
        self._inserts = {name: _insert(name, table) for name, table in TABLES.items()}
        self.made_anew = self._prepare()

    def _prepare(self) -> bool:
        """Make the tables where they are missing or of another format; tell whether they were of another format."""
        self._write.execute("CREATE TABLE IF NOT EXISTS format (version INTEGER)")
        found = self._write.execute("SELECT version FROM format").fetchone()
        stale = found is not None and found[0] != FORMAT
        with _transaction(self._write) as write:
            for name, table in TABLES.items():
                if stale:
                    write.execute(f"DROP TABLE IF EXISTS {name}")
                write.execute(_create(name, table))
            write.execute("DELETE FROM format")
            write.execute("INSERT INTO format VALUES (?)", [FORMAT])
        return stale

    def close(self) -> None:
        """Fold the write-ahead file into the main one and let go of it."""
        self._write.close()

    def commit(self, rows: Mapping[str, Sequence[Row]], positions: Mapping[int, Start]) -> None:
        """Write rows and positions, all or nothing.

        Args:
            rows: by table; within one table with a key, each key once.
            positions: by partition, as they are after the rows.
        """
        marks = [(partition, start.position, start.up) for partition, start in sorted(positions.items())]
        with _transaction(self._write) as write:
            for name, some in [*rows.items(), ("positions", marks)]:
                if some:
                    write.execute(self._inserts[name], [list(column) for column in zip(*some, strict=True)])

    def positions(self) -> dict[int, Start]:
        """Give the position of each partition that the file has something of."""
        rows = self._cursor().execute("SELECT part, position, up FROM positions").fetchall()
        return {partition: Start(position=position, up=up) for partition, position, up in rows}

    def scan(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Give columns of every row of a table, to rebuild hot state from; no order is promised."""
        cursor = self._write.cursor()
        try:
            cursor.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608  names are the code's own
            while some := cursor.fetchmany(_LOAD):
                yield from some
        finally:
            cursor.close()

    def bodies(self, workspace: str, versions: Sequence[tuple[str, int]]) -> dict[str, str]:
        """Give bodies by record.

        Args:
            workspace: whose.
            versions: record, and the version that brought the body that stands.

        Raises:
            StoreError: a version is not here, so hot state and file disagree: a bug.
        """
        found = (
            self
            ._cursor()
            .execute(
                "SELECT v.id, v.body FROM versions v "
                "JOIN (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::BIGINT[]) AS version) wanted "
                "ON v.id = wanted.id AND v.version = wanted.version WHERE v.workspace = ?",
                [[record for record, _ in versions], [version for _, version in versions], workspace],
            )
            .fetchall()
        )
        bodies = {record: body or "" for record, body in found}
        missing = [record for record, _ in versions if record not in bodies]
        if missing:
            raise StoreError(
                f"{workspace}: {', '.join(missing)} in memory and not in {self.path}: a bug; remove the file"
            )
        return bodies

    def contributions(self, workspace: str, claim: Claim, through_seq: int) -> list[str]:
        """Give the contributions to one claim up to a seq, in the order they came, as JSON."""
        rows = (
            self
            ._cursor()
            .execute(
                "SELECT state FROM contributions WHERE claim = ? AND workspace = ? AND subject = ? AND predicate = ? "
                "AND seq <= ? ORDER BY seq, state",
                [claim_hash(workspace, claim), workspace, *claim, through_seq],
            )
            .fetchall()
        )
        return [row[0] for row in rows]

    def times(self, workspace: str, seqs: Sequence[int]) -> dict[int, int]:
        """Give when changes were recorded, by seq; only of changes that Watch tells of."""
        rows = (
            self
            ._cursor()
            .execute(
                "SELECT seq, recorded_at_us FROM changes WHERE workspace = ? AND n = 0 "
                "AND seq IN (SELECT unnest(?::BIGINT[]))",
                [workspace, list(seqs)],
            )
            .fetchall()
        )
        return dict(rows)

    def changes(
        self, workspace: str, after: tuple[int, int], through_seq: int, limit: int
    ) -> list[tuple[int, int, str]]:
        """Give change events in order.

        Args:
            workspace: whose.
            after: seq and number within the seq of the last event already had.
            through_seq: the last seq wanted.
            limit: at most so many.

        Returns:
            Seq, number within the seq, and the event as JSON.
        """
        seq, n = after
        return (
            self
            ._cursor()
            .execute(
                "SELECT seq, n, event FROM changes WHERE workspace = ? AND seq BETWEEN ? AND ? AND (seq > ? OR n > ?) "
                "ORDER BY seq, n LIMIT ?",
                [workspace, seq, through_seq, seq, n, limit],
            )
            .fetchall()
        )

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Give this thread's own cursor."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self._write.cursor()
        return cursor


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Commit at the end of the block, or undo it whole."""
    connection.execute("BEGIN")
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _create(name: str, table: Table) -> str:
    """Give the statement that makes a table."""
    parts = [f"{column} {kind}" for column, kind in table.columns]
    if table.key:
        parts.append(f"PRIMARY KEY ({', '.join(table.key)})")
    return f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(parts)})"


def _insert(name: str, table: Table) -> str:
    """Give the statement that takes one list a column; a row with a key that is there replaces it."""
    lists = ", ".join(f"unnest(?::{kind}[])" for _, kind in table.columns)
    statement = f"INSERT INTO {name} SELECT {lists}"
    if not table.key:
        return statement
    others = [column for column, _ in table.columns if column not in table.key]
    return (
        f"{statement} ON CONFLICT ({', '.join(table.key)}) DO UPDATE SET "
        f"{', '.join(f'{column} = excluded.{column}' for column in others)}"
    )
