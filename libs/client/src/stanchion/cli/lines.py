"""Lines as they come: whoever reads a pipe that is quiet keeps nobody else waiting."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

_CHUNK_BYTES: Final = 64 * 1024
_LINE_BYTES: Final = 16 * 1024 * 1024  # twice what a message may have


async def lines(file: str) -> AsyncIterator[str]:
    """Give the lines of a file, each as soon as it is whole.

    Args:
        file: its path; `-` for stdin.

    Raises:
        OSError: it cannot be read.
        ValueError: a line is not UTF-8, or endless.
    """
    if file == "-":
        async for line in lines_of(sys.stdin.fileno()):
            yield line
    else:
        with Path(file).open("rb") as opened:  # noqa: ASYNC230 - of this machine, and nothing else waits meanwhile
            async for line in lines_of(opened.fileno()):
                yield line


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Give the lines of an open file, pipe or terminal, each as soon as it is whole.

    Raises:
        OSError: it cannot be read.
        ValueError: a line is not UTF-8, or endless.
    """
    rest = b""
    while chunk := await _read(descriptor):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode()
        if len(rest) > _LINE_BYTES:
            raise ValueError(f"a line has more than {_LINE_BYTES} bytes")
    if rest:
        yield rest.decode()


async def _read(descriptor: int) -> bytes:
    """Give what is there, once something is; nothing at the end.

    Raises:
        OSError: it cannot be read.
    """
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # a file, which keeps nobody waiting: Linux polls none
        return os.read(descriptor, _CHUNK_BYTES)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _CHUNK_BYTES)
