"""Ends what `up` left running, from any terminal."""

import signal
import sys
import time
from pathlib import Path
from typing import Final

from rich.console import Console

from stanchion_local import orphans, state
from stanchion_local.child import POLL_S
from stanchion_runtime import clock

WAIT_S: Final = 150.0
OK: Final = 0
FAILED: Final = 1


def run(home: Path, console: Console | None = None, wait_s: float = WAIT_S) -> int:
    """Ends the run of a home: its supervisor, which ends all else; or what a supervisor that is gone has left.

    Args:
        home: where everything lies.
        console: where to say it, stderr by default.
        wait_s: how long the supervisor may take.

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
    if not _ended(known.pid, known.born, wait_s):
        console.print(
            f"the supervisor (pid {known.pid}) has not ended within {wait_s:.0f} s; its logs: {home / 'logs'}"
        )
        return FAILED
    console.print("ended; the data stays")
    return OK


def _ended(pid: int, born: float, wait_s: float) -> bool:
    """Waits for the end of a process that is not ours; one that nobody has collected yet has ended, too."""
    until_s = clock.monotonic_s() + wait_s
    while state.alive(pid, born) is not None:
        if clock.monotonic_s() > until_s:
            return False
        time.sleep(POLL_S)
    return True
