"""Ends what `up` left running, from any terminal."""

import signal
import sys
from pathlib import Path
from typing import Final

import psutil
from rich.console import Console

from stanchion_local import orphans, state

WAIT_S: Final = 150.0
OK: Final = 0
FAILED: Final = 1


def run(home: Path, console: Console | None = None) -> int:
    """Ends the run of a home: its supervisor, which ends all else; or what a supervisor that is gone has left.

    Returns:
        0 when nothing runs any more, 1 when the supervisor did not end in time.
    """
    console = console or Console(file=sys.stderr, highlight=False)
    known = state.read(home)
    if known is None:
        console.print(f"nothing runs on {home}")
        return OK
    if (supervisor := state.alive(known.pid, known.born)) is None:
        ended = orphans.end_left_behind(home, known)
        console.print(f"ended {', '.join(ended)}: an earlier run had left them" if ended else f"nothing runs on {home}")
        return OK
    console.print(f"ending {len(known.processes)} processes …")
    supervisor.send_signal(signal.SIGTERM)
    try:
        supervisor.wait(WAIT_S)
    except psutil.TimeoutExpired:
        console.print(
            f"the supervisor (pid {known.pid}) has not ended within {WAIT_S:.0f} s; its logs: {home / 'logs'}"
        )
        return FAILED
    console.print("ended; the data stays")
    return OK
