"""The state file and the lock."""

import os
from pathlib import Path

import pytest

from stanchion_local import state
from stanchion_local.errors import AlreadyUp
from stanchion_local.state import ProcessState, RunState


def run() -> RunState:
    """A run of this process."""
    pid = os.getpid()
    return RunState(
        pid=pid,
        born=state.born(pid),
        started_at_us=1,
        bootstrap="127.0.0.1:1",
        own_broker=True,
        processes=(ProcessState(name="fusion", state="ready", pid=pid, born=state.born(pid), http_port=7113),),
    )


def test_written_and_read(tmp_path: Path) -> None:
    """What was written is read; cleared is none, and so is a file of another make."""
    state.write(tmp_path, run())
    assert run() == state.read(tmp_path)
    state.clear(tmp_path)
    assert state.read(tmp_path) is None
    state.state_file(tmp_path).write_text('{"pid": "x"}')
    assert state.read(tmp_path) is None


def test_one_supervisor_a_home(tmp_path: Path) -> None:
    """A second holder of the lock is refused with who has it and what to do; a released lock is free."""
    with state.locked(tmp_path):
        state.write(tmp_path, run())
        with pytest.raises(AlreadyUp, match=rf"pid {os.getpid()}.*stanchion down"), state.locked(tmp_path):
            pass
    with state.locked(tmp_path):
        pass


def test_a_pid_that_is_used_again_is_another_process() -> None:
    """A process is alive when both its pid and its birth fit."""
    pid = os.getpid()
    assert state.alive(pid, state.born(pid)) is not None
    assert state.alive(pid, state.born(pid) - 100) is None
    assert state.alive(0, 0.0) is None
