"""The command line as a process of its own."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from integration.client.conftest import World

ENTRY = "from stanchion.cli import main; main()"


class Ran:
    """A finished command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def command(*arguments: str) -> tuple[str, ...]:
    """Give what starts the command line."""
    return sys.executable, "-c", ENTRY, *arguments


def environment(world: "World") -> dict[str, str]:
    """Give an environment that names the fakes, with nothing of ours in it."""
    address = f"127.0.0.1:{world.server.port}"
    return {
        "PATH": os.environ["PATH"],
        "STANCHION_GATEWAY": address,
        "STANCHION_VIEW": address,
        "STANCHION_AUDIT": address,
        "STANCHION_TOKEN": world.issuer.token(),
        "STANCHION_TIMEOUT_S": "5",
    }


async def stanchion(world: "World", *arguments: str, given: str = "", **changed: str) -> Ran:
    """Run the command line against the fakes."""
    return await run(*arguments, given=given, cwd=world.home, env={**environment(world), **changed})


async def run(*arguments: str, given: str = "", cwd: Path, env: dict[str, str]) -> Ran:
    """Run the command line as a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=env,
    )
    out, err = await process.communicate(given.encode())
    return Ran(process.returncode or 0, out.decode(), err.decode())
