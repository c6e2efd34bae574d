"""What runs, in a file that other terminals read: `<home>/run/state.json`; and the lock that only one supervisor has.

A process is known by its pid and the time it was born, for pids are used again.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
import psutil
from msgspec import Struct

from stanchion_local.errors import AlreadyUp

State = Literal["starting", "ready", "waiting", "ended", "given up"]


class ProcessState(Struct, frozen=True, kw_only=True):
    """One supervised process.

    Attributes:
        name: of the process.
        state: `starting`, `ready`, `waiting` (for its next start), `ended` or `given up`.
        pid: while it runs, else 0.
        born: when the system says that the process began; tells a pid that is used again.
        restarts: how often it was started again.
        http_port: its metrics and health page; 0 for none.
        grpc_port: 0 for none.
    """

    name: str
    state: State
    pid: int = 0
    born: float = 0.0
    restarts: int = 0
    http_port: int = 0
    grpc_port: int = 0


class RunState(Struct, frozen=True, kw_only=True):
    """A run.

    Attributes:
        pid: of the supervisor.
        born: see `ProcessState`.
        started_at_us: when the run began.
        bootstrap: the cluster it uses.
        own_broker: whether the broker is one of its processes.
        processes: in the order of starting.
    """

    pid: int
    born: float
    started_at_us: int
    bootstrap: str
    own_broker: bool
    processes: tuple[ProcessState, ...] = ()


def state_file(home: Path) -> Path:
    """Where a home's state lies."""
    return home / "run" / "state.json"


def write(home: Path, state: RunState) -> None:
    """Puts the state into the file, whole."""
    path = state_file(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(state), indent=1))
    partial.replace(path)


def read(home: Path) -> RunState | None:
    """The last state of the home; None when there is none, or it is of another version."""
    try:
        return msgspec.json.decode(state_file(home).read_bytes(), type=RunState)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def clear(home: Path) -> None:
    """Takes the state away: nothing runs."""
    state_file(home).unlink(missing_ok=True)


def born(pid: int) -> float:
    """When the process began, in the system's own reckoning; 0 when there is no such process."""
    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return 0.0


def alive(pid: int, began: float) -> psutil.Process | None:
    """The live process of that pid and birth; None when it has ended or the pid is another's now."""
    try:
        process = psutil.Process(pid)
        same = pid > 0 and abs(process.create_time() - began) < 0.1  # noqa: PLR2004 - the clock's grain is 0.01 s
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, ValueError):
        return None


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Holds the home for one supervisor.

    Raises:
        AlreadyUp: another one holds it.
    """
    path = home / "run" / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            known = read(home)
            who = f" (pid {known.pid})" if known else ""
            raise AlreadyUp(
                f"Stanchion is already running on {home}{who}: `stanchion status` shows it, `stanchion down` ends it."
            ) from error
        yield


def memory_bytes(pid: int) -> int:
    """The resident memory of a process; 0 when there is no such process."""
    try:
        return int(psutil.Process(pid).memory_info().rss) if pid > 0 else 0
    except psutil.Error:
        return 0
