"""The DuckDB file: rows, and the position they were made from, in one transaction. Nothing else knows DuckDB.

Every table but `positions` only grows: appending a row takes a third of the time of replacing one (0.9 ms, 3.2 ms on
a busy machine), and what a record or belief was at an earlier seq stays to be read. No index is kept, for it would have
to stay in memory: a `key` of 63 hashed bits finds all rows of one thing in a scan of one narrow column, and one row is
found by seq and time, faster than that (decision 0016).
"""

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb

from stanchion_contracts.relation import Entity, Triple
from stanchion_runtime.tail import Start
from stanchion_view.core.state import Claim, key_of
from stanchion_view.tables import FORMAT, LATEST, TABLES, VIEWS

_LOAD: Final = 2_000  # rows fetched at a time

Cell = str | int | None
Row = tuple[Cell, ...]


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
            StoreError: another process holds the file, it is damaged, or it is not one of ours.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{memory_mb}MiB",
            "threads": threads,
            "checkpoint_threshold": f"{checkpoint_mb}MiB",
            "preserve_insertion_order": "false",
        }
        self._local = threading.local()
        with self._usable("open"):
            self._write = duckdb.connect(str(path), config=config)
            self.made_anew = self._prepare()
            self._appenders = {name: self._write.appender(name) for name in TABLES}
        self._placed = set(self.positions())

    def _prepare(self) -> bool:
        """Make the tables where they are missing or of another format; tell whether they were of another format."""
        self._write.execute("CREATE TABLE IF NOT EXISTS format (version INTEGER)")
        found = self._write.execute("SELECT version FROM format").fetchone()
        stale = found is not None and found[0] != FORMAT
        with _transaction(self._write) as write:
            for name, columns in TABLES.items():
                if stale:
                    write.execute(f"DROP TABLE IF EXISTS {name} CASCADE")
                write.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
            for name, query in VIEWS.items():
                write.execute(f"CREATE OR REPLACE VIEW {name} AS {query}")
            write.execute("DELETE FROM format")
            write.execute("INSERT INTO format VALUES (?)", [FORMAT])
        return stale

    def close(self) -> None:
        """Fold the write-ahead file into the main one and let go of it."""
        self._write.close()

    def commit(self, rows: Mapping[str, Sequence[Row]], positions: Mapping[int, Start]) -> None:
        """Write rows and positions, all or nothing.

        Args:
            rows: to append, by table.
            positions: by partition, as they are after the rows.

        Raises:
            StoreError: the file is damaged, or the disk is full.
        """
        try:
            with self._usable("write"), _transaction(self._write) as write:
                for name, some in rows.items():
                    if some:
                        self._appenders[name].append_rows(some)
                        self._appenders[name].flush()
                for partition, start in positions.items():
                    place = [start.position, start.up, partition]
                    if partition in self._placed:
                        write.execute("UPDATE positions SET position = ?, up = ? WHERE part = ?", place)
                    else:
                        write.execute("INSERT INTO positions (position, up, part) VALUES (?, ?, ?)", place)
        except BaseException:
            for appender in self._appenders.values():
                appender.clear()
            raise
        self._placed.update(positions)

    def positions(self) -> dict[int, Start]:
        """Give the position of each partition that the file has something of."""
        rows = self._rows("SELECT part, position, up FROM positions")
        return {partition: Start(position=position, up=up) for partition, position, up in rows}

    def latest(self, table: str, columns: str, where: str = "true") -> Iterator[tuple[Any, ...]]:
        """Give what stands now: columns of the last row of each key, to rebuild hot state from; in no order.

        Args:
            table: which.
            columns: of it, comma-separated.
            where: what the last row must be, in SQL.
        """
        keys, order = LATEST[table]
        last = f"SELECT arg_max(rowid, {order}) AS last FROM {table} GROUP BY {keys}"  # noqa: S608 - names are the code's own
        cursor = self._write.cursor()
        try:
            with self._usable("read"):
                cursor.execute(f"SELECT {columns} FROM {table} JOIN ({last}) ON {table}.rowid = last WHERE {where}")  # noqa: S608 - as above
                while some := cursor.fetchmany(_LOAD):
                    yield from some
        finally:
            cursor.close()

    def bodies(self, workspace: str, moments: Mapping[int, int]) -> dict[int, str]:
        """Give bodies by the seq of the change that brought each.

        Args:
            workspace: whose.
            moments: seq, and when it was recorded.

        Raises:
            StoreError: one is not here, so hot state and file disagree: a bug.
        """
        return {seq: body or "" for seq, body in self._versions("body", workspace, moments)}

    def cards(self, workspace: str, moments: Mapping[int, int]) -> dict[int, str]:
        """Give cards as they were, by the seq of the change that wrote each; as `bodies`.

        Raises:
            StoreError: one is not here.
        """
        return dict(self._versions("card", workspace, moments))

    def _versions(self, column: str, workspace: str, moments: Mapping[int, int]) -> list[tuple[int, Any]]:
        """Give seq and one more column of versions.

        Raises:
            StoreError: one is not here, so hot state and file disagree: a bug.
        """
        times = moments.values()
        found = self._rows(
            f"SELECT seq, {column} FROM versions WHERE recorded_at_us BETWEEN ? AND ? AND workspace = ? AND "  # noqa: S608 - the name is the code's own
            "seq IN (SELECT unnest(?::BIGINT[]))",
            [min(times, default=0), max(times, default=0), workspace, list(moments)],
        )
        missing = sorted(moments.keys() - {seq for seq, _ in found})
        if missing:
            raise StoreError(
                f"{workspace}: the versions of seq {missing} are in memory and not in {self.path}: a bug; remove the "
                "file"
            )
        return found

    def closed(
        self, workspace: str, *, record: str, after_seq: int, through_seq: int, limit: int
    ) -> tuple[list[tuple[str, str]], int]:
        """Give closed proposals in the order they were opened, and how many there are in all.

        Args:
            workspace: whose.
            record: that they would have written; empty for any.
            after_seq: they were opened later.
            through_seq: they were closed by then.
            limit: at most so many.

        Returns:
            What is filed of each, and the proposal in brief, both as JSON; and the number.
        """
        matches = "workspace = ? AND closed_seq BETWEEN 1 AND ? AND contains(records, ?)"
        values = [workspace, through_seq, f" {record} " if record else ""]
        rows = self._rows(
            f"SELECT filed, brief FROM proposals WHERE {matches} AND opened_seq > ? ORDER BY opened_seq LIMIT ?",  # noqa: S608 - the code's own
            [*values, after_seq, limit],
        )
        ((total,),) = self._rows(f"SELECT count(*) FROM proposals WHERE {matches}", values)  # noqa: S608 - as above
        return rows, total

    def proposal(self, workspace: str, name: str, through_seq: int) -> tuple[str, str] | None:
        """Give what is filed of a closed proposal and the proposal itself, as JSON; None where there is none."""
        rows = self._rows(
            "SELECT filed, proposal FROM proposals WHERE key = ? AND workspace = ? AND id = ? "
            "AND closed_seq BETWEEN 1 AND ?",
            [key_of(workspace, name), workspace, name, through_seq],
        )
        return rows[0] if rows else None

    def triples(self, workspace: str, ends: tuple[str, str, str], through_seq: int) -> list[Triple]:
        """Give what was ever stated between two names: in which rooms, and of which types.

        Args:
            workspace: whose.
            ends: name of the one, of the relation, of the other.
            through_seq: the last seq wanted.
        """
        rows = self._rows(
            "SELECT DISTINCT room, from_type, to_type FROM windows "
            "WHERE key = ? AND workspace = ? AND from_name = ? AND name = ? AND to_name = ? AND seq <= ?",
            [key_of(workspace, *ends), workspace, *ends, through_seq],
        )
        source, name, target = ends
        return [
            Triple(room, Entity(name=source, type=from_type), name, Entity(name=target, type=to_type))
            for room, from_type, to_type in rows
        ]

    def windows(
        self, workspace: str, triple: Triple, through_seq: int, limit: int
    ) -> tuple[list[tuple[int, int, bool, int, int, str]], int]:
        """Give what was stated of one triple and when it ended, the latest changes first.

        Args:
            workspace: whose.
            triple: of which.
            through_seq: the last seq wanted.
            limit: at most so many changes.

        Returns:
            Seq, when, whether it was stated or ended, since when and until when, by whom; and how often it was stated
            in all.
        """
        source, target = triple.from_entity, triple.to_entity
        ends = (source.name, triple.name, target.name)
        matches = (
            "key = ? AND workspace = ? AND from_name = ? AND name = ? AND to_name = ? "
            "AND room = ? AND from_type = ? AND to_type = ? AND seq <= ?"
        )
        values = [key_of(workspace, *ends), workspace, *ends, triple.room, source.type, target.type, through_seq]
        rows = self._rows(
            f"SELECT seq, recorded_at_us, stated, valid_at_us, invalid_at_us, stated_by FROM windows WHERE {matches} "  # noqa: S608 - the code's own
            "ORDER BY seq DESC LIMIT ?",
            [*values, limit],
        )
        ((total,),) = self._rows(f"SELECT count(*) FROM windows WHERE {matches} AND stated", values)  # noqa: S608 - as above
        return rows, total

    def contributions(self, workspace: str, claims: Collection[Claim], through_seq: int) -> dict[Claim, list[str]]:
        """Give the contributions to each of some claims up to a seq, in the order they came, as JSON lists of them."""
        rows = self._rows(
            "SELECT subject, predicate, added FROM beliefs WHERE key IN (SELECT unnest(?::BIGINT[])) "
            "AND workspace = ? AND seq <= ? AND added <> '[]' ORDER BY seq",
            [[key_of(workspace, *claim) for claim in claims], workspace, through_seq],
        )
        found: dict[Claim, list[str]] = {claim: [] for claim in claims}
        for subject, predicate, added in rows:
            if (subject, predicate) in found:
                found[subject, predicate].append(added)
        return found

    def times(self, workspace: str, seqs: Sequence[int]) -> dict[int, int]:
        """Give when changes were recorded, by seq, microseconds since the epoch."""
        rows = self._rows(
            "SELECT seq, recorded_at_us FROM changes WHERE workspace = ? AND n = 0 "
            "AND seq IN (SELECT unnest(?::BIGINT[]))",
            [workspace, list(seqs)],
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
        return self._rows(
            "SELECT seq, n, event FROM changes WHERE workspace = ? AND seq BETWEEN ? AND ? AND (seq > ? OR n > ?) "
            "AND event <> '' "
            "ORDER BY seq, n LIMIT ?",
            [workspace, seq, through_seq, seq, n, limit],
        )

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Give what a query finds.

        Raises:
            StoreError: the file is damaged.
        """
        with self._usable("read"):
            return self._cursor().execute(query, values).fetchall()

    @contextmanager
    def _usable(self, doing: str) -> Iterator[None]:
        """Say what DuckDB fails on, and what to do about it.

        Raises:
            StoreError: it failed.
        """
        try:
            yield
        except duckdb.Error as error:
            raise StoreError(
                f"cannot {doing} {self.path}: {error}. Another view may hold it; one file serves one process. "
                f"A damaged file may be removed, with {self.path.name}.wal beside it: the view makes it anew from the "
                "ledger."
            ) from error

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
