import json
import random
from pathlib import Path

import pytest

from stanchion_contracts.command import Write
from stanchion_runtime.tail import Start
from stanchion_view.store import StoreError
from stanchion_view.tables import FORMAT
from support.ledgers import START_US, STEP_US, Scribe, closed, opened, proposal, related, said, trusted
from support.views import batch_of, replica_at, store_at

ABOUT = {"p1": ("d", "d1"), "p2": ("d1",), "p3": ("d",)}
"""Which records a proposal would write."""


async def test_people_can_read_the_file(tmp_path: Path) -> None:
    """The plain views show what stands now: records, contributions, trust; and every window of a relation."""
    scribe = Scribe()
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([
        batch_of([
            scribe.message(scribe.write("d1", label="One", status="draft"), scribe.write("d2", label="Two")),
            scribe.message(scribe.write("d1", status="active"), scribe.believe(said("5")), trusted("crm", 0.5)),
            scribe.message(trusted("erp", 0.5)),
            scribe.message(trusted("erp", None, 0.5)),
            scribe.message(related("ada", "works_at", "pay", since_us=START_US, stated_by="d1")),
            scribe.message(related("ada", "works_at", "pay")),
            scribe.message(related("ada", "works_at", "pay", ended=True)),
        ])
    ])
    cursor = replica.store._cursor()
    found = cursor.execute("SELECT id, label, status, version FROM records ORDER BY id").fetchall()
    assert [("d1", "One", "active", 2), ("d2", "Two", "", 1)] == found
    assert [("crm",)] == cursor.execute("SELECT contribution->>'source' FROM contributions").fetchall()
    year, times = START_US, [START_US + at * STEP_US for at in (5, 6, 7)]
    assert [(year, None, times[0], times[1], "d1"), (None, None, times[1], times[2], "")] == cursor.execute(
        "SELECT epoch_us(valid_at), epoch_us(invalid_at), epoch_us(created_at), epoch_us(superseded_at), stated_by "
        "FROM relations ORDER BY created_at"
    ).fetchall()
    assert [("acme", "crm", 0.5)] == cursor.execute("FROM trust").fetchall()
    replica.close()


async def test_closed_proposals_are_paged_by_when_they_were_opened(tmp_path: Path) -> None:
    """Of one record or all, only those closed by a seq and opened after another, and how many there are in all."""
    scribe = Scribe()
    waiting = [proposal(name, *(Write(id=each) for each in about)) for name, about in ABOUT.items()]
    replica = replica_at(tmp_path / "view.duckdb")
    await replica.apply([
        batch_of([scribe.message(*map(opened, waiting)), *(scribe.message(closed(each)) for each in waiting[::-1])])
    ])

    def found(record: str = "", after: int = 0, through: int = 99, limit: int = 9) -> tuple[list[str], int]:
        rows, total = replica.store.closed("acme", record=record, after_seq=after, through_seq=through, limit=limit)
        return [json.loads(brief)["id"] for _, brief in rows], total

    assert (["p1", "p2", "p3"], 3) == found()
    assert (["p2"], 3) == found(after=1, limit=1)
    assert (["p2", "p3"], 2) == found(through=5)
    assert (["p1", "p3"], 2) == found("d")
    assert (["p1", "p2"], 2) == found("d1")
    assert ([], 0) == found("1")
    assert replica.store.proposal("acme", "p1", 5) is None
    filed, whole = replica.store.proposal("acme", "p1", 6) or ("", "")
    assert (6, ["d", "d1"]) == (
        json.loads(filed)["closed_seq"],
        [write["id"] for write in json.loads(whole)["batch"]["writes"]],
    )
    replica.close()


def test_a_file_of_another_format_is_emptied(tmp_path: Path) -> None:
    """Its rows and positions go, and the ledger makes them anew."""
    store = store_at(tmp_path / "view.duckdb")
    store.commit({"changes": [("acme", 1, 0, 1, "")]}, {0: Start(position=2, up="0|changes=1")})
    store._write.execute("UPDATE format SET version = ?", [FORMAT + 1])
    store.close()
    again = store_at(tmp_path / "view.duckdb")
    assert again.made_anew
    assert (again.positions(), list(again.latest("changes", "seq"))) == ({}, [])
    again.close()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    """The refusal names the file and says what to do; the file is left alone."""
    path = tmp_path / "view.duckdb"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match=r"view\.duckdb.*may be removed"):
        store_at(path)
    assert path.read_bytes() == b"not a database" * 100


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    """A file that opens, and turns out to be damaged when it is read, is refused as one that does not open is."""
    path = tmp_path / "view.duckdb"
    store = store_at(path)
    rows = [("acme", seq, 0, 1, random.Random(seq).randbytes(400).hex()) for seq in range(4_000)]  # noqa: S311 - filler
    store.commit({"changes": rows}, {0: Start(position=2, up="0|changes=1")})
    store.close()
    whole = bytearray(path.read_bytes())
    for at in range(16_384, len(whole), 4_096):
        whole[at : at + 64] = bytes(64)
    path.write_bytes(whole)
    with pytest.raises(StoreError, match=r"view\.duckdb.*view\.duckdb\.wal"):
        list(store_at(path).latest("changes", "event"))


def test_a_commit_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Neither rows nor position, and the next commit is not disturbed by what was left over."""
    store = store_at(tmp_path / "view.duckdb")
    good = ("acme", 1, 0, 1, "")
    with pytest.raises(Exception, match=r"(?i)conver|cast|could not"):
        store.commit({"changes": [good, ("acme", "no number", 0, 1, "")]}, {0: Start(position=9)})
    assert ([], {}) == (list(store.latest("changes", "seq")), store.positions())
    store.commit({"changes": [good]}, {0: Start(position=2, up="x")})
    assert ([(1,)], {0: Start(position=2, up="x")}) == (list(store.latest("changes", "seq")), store.positions())
    store.close()
