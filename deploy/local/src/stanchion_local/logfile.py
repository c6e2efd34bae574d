"""The log file of one process: moved aside when it has grown, read from its end for messages."""

from pathlib import Path
from typing import IO, Final

ROTATE_BYTES: Final = 8 * 1024 * 1024
TAIL_BYTES: Final = 16 * 1024
TAIL_LINES: Final = 20


def open_for_append(path: Path, *, rotate_bytes: int = ROTATE_BYTES) -> IO[bytes]:
    """Opens the file at its end; one larger than the cap becomes `<name>.1` first, and the one before it goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > rotate_bytes:
        path.replace(path.with_name(path.name + ".1"))
    return path.open("ab")


def last_lines(path: Path, count: int = TAIL_LINES) -> str:
    """The last lines of the file; empty when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-count:])
    except FileNotFoundError:
        return ""
