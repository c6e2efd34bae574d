"""Several processes of each processor, as an operator would run them, and what can happen to them."""

import asyncio
import os
import signal
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from support.broker import free_ports

PROCESSORS: Final = ("ingest", "extraction", "fusion", "validity", "audit")
SESSION_MS: Final = 4_000
_AGAIN_S: Final = 0.3


class Fleet:
    """Processes of the line's processors; one that ends by itself is started again, as a supervisor would.

    Attributes:
        ended: (name, exit code) of every process that ended by itself.
    """

    def __init__(self, bootstrap: str, prefix: str, logs: Path) -> None:
        self.ended: list[tuple[str, int]] = []
        self._environment = {
            **os.environ,
            "STANCHION_KAFKA_BOOTSTRAP": bootstrap,
            "STANCHION_KAFKA_TOPIC_PREFIX": prefix,
            "STANCHION_KAFKA_SESSION_TIMEOUT_MS": str(SESSION_MS),
        }
        self._logs = logs
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._ports: dict[str, int] = {}
        self._wanted: set[str] = set()
        self._keepers: dict[str, asyncio.Task[None]] = {}

    @property
    def names(self) -> list[str]:
        """The processes that should run, such as `fusion-1`."""
        return sorted(self._wanted)

    def start(self, name: str) -> None:
        """Start a process and keep it running."""
        self._wanted.add(name)
        self._ports.setdefault(name, free_ports(1))
        self._keepers[name] = asyncio.create_task(self._keep(name))

    def kill(self, name: str) -> None:
        """End a process as a power cut would; it is started again."""
        self._running[name].send_signal(signal.SIGKILL)

    def pause(self, name: str) -> None:
        """Stop a process where it stands."""
        self._running[name].send_signal(signal.SIGSTOP)

    def wake(self, name: str) -> None:
        """Let a paused process go on, as if no time had passed."""
        self._running[name].send_signal(signal.SIGCONT)

    async def stop(self, name: str) -> None:
        """Have a process end cleanly, for good."""
        self._wanted.discard(name)
        process = self._running.get(name)
        if process is not None and process.returncode is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        await self._keepers.pop(name)

    async def stop_all(self) -> None:
        """End everything cleanly."""
        await asyncio.gather(*(self.stop(name) for name in self.names))

    async def health(self, name: str) -> dict[str, Any]:
        """Give what the process says on `/healthz`; empty while it is not up."""
        facts: dict[str, Any] = await self._get(name, "healthz")
        return facts

    async def states(self, name: str) -> dict[str, str]:
        """Give the digest of each partition's state in the process."""
        digests: dict[str, str] = await self._get(name, "state")
        return digests

    async def settled(self) -> None:
        """Wait until every process has adopted what is assigned to it."""
        while True:
            facts = await asyncio.gather(*(self.health(name) for name in self.names))
            if all(fact.get("ready") for fact in facts):
                return
            await asyncio.sleep(0.2)

    def log_end(self, name: str, lines: int = 5) -> str:
        """Give the last lines a process wrote."""
        return "\n".join((self._logs / f"{name}.log").read_text().splitlines()[-lines:])

    async def _keep(self, name: str) -> None:
        """Run a process, again and again while it is wanted."""
        service, _, instance = name.rpartition("-")
        prefix = f"STANCHION_{service.upper()}_"
        own = {f"{prefix}HTTP_PORT": str(self._ports[name]), f"{prefix}INSTANCE": instance}
        while name in self._wanted:
            with (self._logs / f"{name}.log").open("ab") as log:
                process = await asyncio.create_subprocess_exec(
                    Path(sys.executable).with_name(f"stanchion-{service}"),
                    env={**self._environment, **own},
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self._running[name] = process
            code = await process.wait()
            if name in self._wanted:
                self.ended.append((name, code))
                await asyncio.sleep(_AGAIN_S)

    async def _get(self, name: str, page: str) -> Any:  # noqa: ANN401 - JSON
        """Ask one of a process's pages."""
        url = f"http://127.0.0.1:{self._ports[name]}/{page}"

        def ask() -> Any:  # noqa: ANN401 - JSON
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    return msgspec.json.decode(answer.read())
            except OSError:
                return {}

        return await asyncio.to_thread(ask)


@asynccontextmanager
async def fleet(bootstrap: str, prefix: str, logs: Path, each: int) -> AsyncIterator[Fleet]:
    """So many processes of each processor, settled; ended with the context."""
    running = Fleet(bootstrap, prefix, logs)
    try:
        for service in PROCESSORS:
            for number in range(1, each + 1):
                running.start(f"{service}-{number}")
        async with asyncio.timeout(120):
            await running.settled()
        yield running
    finally:
        await running.stop_all()
