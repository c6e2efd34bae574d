"""The log file of one process: moved aside when it has grown, read from its end for messages."""

from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

ROTATE_BYTES: Final = 8 * 1024 * 1024
TAIL_BYTES: Final = 16 * 1024
TAIL_LINES: Final = 20
CANNOT_RUN: Final = "cannot run"
"""What a process logs whose setting, file or topic is no use; the detail says it all."""


class Line(Struct):
    """What is read of a line that one of our processes logs."""

    level: str = ""
    event: str = ""
    detail: str = ""
    exception: str = ""

    @property
    def words(self) -> str:
        """The line as a sentence; of an exception that says no more, its last line."""
        told = self.detail or (self.exception.splitlines() or [""])[-1]
        if self.event == CANNOT_RUN:
            return told
        return f"{self.event}: {told}" if told else self.event


def open_for_append(path: Path, *, rotate_bytes: int = ROTATE_BYTES) -> IO[bytes]:
    """Opens the file at its end; one larger than the cap becomes `<name>.1` first, and the one before it goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > rotate_bytes:
        path.replace(path.with_name(path.name + ".1"))
    return path.open("ab")


def last_lines(path: Path, count: int = TAIL_LINES, start: int = 0) -> str:
    """The last lines of the file; empty when there is none.

    Args:
        path: of the file.
        count: how many.
        start: where in the file to begin: what was there before is of an earlier run.
    """
    try:
        with path.open("rb") as file:
            file.seek(max(start, path.stat().st_size - TAIL_BYTES))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-count:])
    except FileNotFoundError:
        return ""


def last_error(path: Path, start: int) -> str:
    """What a process said last of what kept it from running, as a sentence; empty when it said nothing of the kind.

    Args:
        path: of its log.
        start: where in the file its run begins.
    """
    for text in reversed(last_lines(path, start=start).splitlines()):
        try:
            line = msgspec.json.decode(text, type=Line)
        except msgspec.MsgspecError:
            continue
        if line.level in {"critical", "error"}:
            return line.words
    return ""
