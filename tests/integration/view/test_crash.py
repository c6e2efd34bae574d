import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from stanchion_contracts.command import Write
from stanchion_contracts.ledger import Ledger
from stanchion_runtime.tail import Start
from stanchion_view.store import Store
from support.ledgers import Scribe, opened, proposal, related, said
from support.views import batch_of, replica_at, store_at

TABLES = ("heads", "notes", "versions", "beliefs", "proposals", "windows", "changes")
STEPS = ("BEGIN", *TABLES, "UPDATE positions", "COMMIT", "committed", "swapped")
"""What happens to a batch, in order; a process may die after each."""


class Dying:
    """Stands before DuckDB's connection and appenders, and kills the process after one step."""

    def __init__(self, inner: Any, step: str) -> None:  # noqa: ANN401 - a connection or an appender
        self._inner = inner
        self._step = step

    def execute(self, query: str, *args: object) -> Any:  # noqa: ANN401 - DuckDB's
        """Execute, and die where that was the step."""
        result = self._inner.execute(query, *args)
        if query.startswith(self._step):
            _die()
        return result

    def flush(self) -> None:
        """Flush, and die."""
        self._inner.flush()
        _die()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever else is asked
        """Give what the inner one has."""
        return getattr(self._inner, name)


def _die() -> NoReturn:
    """Die as kill -9 has it."""
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        signal.pause()


def _rig(store: Store, step: str) -> None:
    """Make a store kill its process after a step."""
    if step in store._appenders:
        store._appenders[step] = Dying(store._appenders[step], step)  # type: ignore[assignment]  # stands in for it
    elif step == "committed":
        commit = store.commit

        def commit_and_die(*args: Any) -> NoReturn:  # noqa: ANN401 - passed on
            commit(*args)
            _die()

        store.commit = commit_and_die  # type: ignore[method-assign, assignment]  # stands in for it
    else:
        store._write = Dying(store._write, step)  # type: ignore[assignment]  # stands in for it


def in_child(work: Callable[[], None]) -> int:
    """Do work in a child process and give how it ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def two_batches() -> tuple[list[Ledger], list[Ledger]]:
    """Records and beliefs, then something in every table."""
    scribe = Scribe()
    first = [scribe.message(scribe.write("d1", body="one")), scribe.message(scribe.believe(said("5")))]
    changed = (scribe.write("d1", body="two"), scribe.believe(said("7", source="erp")))
    waits = opened(proposal("p", Write(id="d1", label="One")))
    second = [scribe.message(*changed, waits, related("d1", "is", "one"), scribe.settle(approval_only=True))]
    return first, second


@pytest.mark.parametrize("step", STEPS)
def test_dying_after_any_step_leaves_rows_and_position_together(tmp_path: Path, step: str) -> None:
    """The file has the whole batch with its position or nothing of it, and going on gives what nobody disturbed."""
    path = tmp_path / "view.duckdb"
    first, second = two_batches()

    def work() -> None:
        replica = replica_at(path)
        asyncio.run(replica.apply([batch_of(first)]))
        if step != "swapped":
            _rig(replica.store, step)
        asyncio.run(replica.apply([batch_of(second, first=3)]))
        _die()

    assert -signal.SIGKILL == in_child(work)
    store = store_at(path)
    position = store.positions()[0].position
    seqs = [seq for (seq,) in store._cursor().execute("SELECT seq FROM changes ORDER BY seq").fetchall()]
    store.close()
    done = step in {"COMMIT", "committed", "swapped"}
    assert (4, [1, 2, 3, 4, 5, 6, 7]) == (position, seqs) if done else (3, [1, 2]) == (position, seqs)
    again = replica_at(path)
    assert again.positions[0] == Start(position=position, up=f"0|changes={position - 1}")
    asyncio.run(again.apply([batch_of(second, first=3)]))
    undisturbed = replica_at(tmp_path / "undisturbed.duckdb")
    asyncio.run(undisturbed.apply([batch_of([*first, *second])]))
    assert undisturbed.workspaces == again.workspaces
    assert {3: "two"} == again.store.bodies("acme", {3: again.workspaces["acme"].last_us})
    again.close()
    undisturbed.close()
