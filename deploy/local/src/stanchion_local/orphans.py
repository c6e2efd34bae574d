"""Ends processes that a run has left: those of a supervisor that is gone, or that did not end when asked."""

from pathlib import Path
from typing import Final

import psutil

from stanchion_local import state
from stanchion_local.state import RunState

WAIT_S: Final = 30.0


def end_left_behind(home: Path, known: RunState) -> tuple[str, ...]:
    """Ends what still runs of a run, last started first; asks each, and kills the one that does not heed.

    Returns:
        The names of the processes that were ended.
    """
    ended = []
    for process in reversed(known.processes):
        if (found := state.alive(process.pid, process.born)) is not None:
            end(found)
            ended.append(process.name)
    state.clear(home)
    return tuple(ended)


def end(process: psutil.Process, wait_s: float = WAIT_S) -> None:
    """Ends one process: asks, waits, kills."""
    try:
        process.terminate()
        process.wait(wait_s)
    except psutil.TimeoutExpired:
        process.kill()
    except psutil.NoSuchProcess:
        pass
