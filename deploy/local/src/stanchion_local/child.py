"""One supervised process: started, watched, started again with back-off, ended."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from stanchion_local import logfile, state
from stanchion_local.errors import GaveUp
from stanchion_local.restarts import FIRST_S, UNUSABLE, Restarts, advice
from stanchion_local.state import ProcessState, State
from stanchion_runtime import clock

POLL_S: Final = 0.1


class Spec(Struct, frozen=True, kw_only=True):
    """What to run.

    Attributes:
        name: of the process.
        command: its command line.
        environment: all of it.
        log_file: where its output goes.
        ready: asks whether it is ready.
        started: is told the pid of each start.
        ended: is told the exit code of each end.
        first_wait_s: how long to wait before the first start anew.
        stop_s: how long it may take to end when asked.
        tier: higher ones end first, those of one tier together.
        beside: when it is given up, the others go on; the status says so.
        http_port: for the state file.
        grpc_port: for the state file.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    log_file: Path
    ready: Callable[[], Awaitable[bool]]
    started: Callable[[int], None] = lambda _pid: None
    ended: Callable[[int], None] = lambda _code: None
    first_wait_s: float = FIRST_S
    stop_s: float = 20.0
    tier: int = 1
    beside: bool = False
    http_port: int = 0
    grpc_port: int = 0


class Child:
    """A process under supervision.

    Args:
        spec: what to run.
        changed: called whenever its state has changed.
    """

    def __init__(self, spec: Spec, changed: Callable[[], None]) -> None:
        self.spec = spec
        self._changed = changed
        self._restarts = Restarts(first_s=spec.first_wait_s)
        self._process: asyncio.subprocess.Process | None = None
        self._born = 0.0
        self._log_start = 0
        self._state: State = "starting"
        self._stopping = asyncio.Event()

    @property
    def is_ready(self) -> bool:
        """Whether it was ready when it was last asked, and has not ended since."""
        return self._state == "ready"

    def shown(self) -> ProcessState:
        """Its part of the state file."""
        return ProcessState(
            name=self.spec.name,
            state=self._state,
            pid=self._process.pid if self._process else 0,
            born=self._born,
            restarts=self._restarts.total,
            http_port=self.spec.http_port,
            grpc_port=self.spec.grpc_port,
        )

    async def run(self) -> None:
        """Runs the process until `stop`.

        Raises:
            GaveUp: it ended again and again, and others cannot do without it.
        """
        while not self._stopping.is_set():
            began_s = clock.monotonic_s()
            code = await self._run_once()
            self.spec.ended(code)
            if self._stopping.is_set():
                break
            delay_s = self._restarts.ended(clock.monotonic_s() - began_s, code)
            if delay_s is None:
                self._enter("given up")
                if self.spec.beside:
                    await self._stopping.wait()
                    break
                raise GaveUp(self._last_words(code))
            self._enter("waiting")
            await _wait(self._stopping, delay_s)
        self._enter("ended")

    async def stop(self) -> None:
        """Ends the process: asks it, and kills it when it takes longer than `stop_s`."""
        self._stopping.set()
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(self.spec.stop_s):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    def said(self, count: int = logfile.TAIL_LINES) -> str:
        """What kept it from running, in its own words since it was last started; its last lines where it says none."""
        log = self.spec.log_file
        return logfile.last_error(log, self._log_start) or logfile.last_lines(log, count, self._log_start)

    def _last_words(self, code: int) -> str:
        name, log = self.spec.name, self.spec.log_file
        why = logfile.last_error(log, self._log_start)
        if code == UNUSABLE and why:
            return f"{name} cannot run: {why}\n{advice(code)} Its log: {log}"
        ended = f"{name} is given up: it ended {_times(self._restarts.in_a_row)}, last with {_words(code)}"
        if why:
            return f"{ended}: {why}\n{advice(code)} Its log: {log}"
        return f"{ended}. {advice(code)} The end of {log}:\n\n{self.said()}"

    async def _run_once(self) -> int:
        with logfile.open_for_append(self.spec.log_file) as log:
            self._log_start = log.tell()
            process = await asyncio.create_subprocess_exec(
                *self.spec.command,
                env=dict(self.spec.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # so that Ctrl-C reaches the supervisor alone, which ends all in order
            )
        self._process, self._born = process, state.born(process.pid)
        if self._stopping.is_set():  # `stop` came while the process was being made, and found none to end
            process.terminate()
        self.spec.started(process.pid)
        self._enter("starting")
        watch = asyncio.create_task(self._watch())
        try:
            return await process.wait()
        finally:
            watch.cancel()
            self._process, self._born = None, 0.0

    async def _watch(self) -> None:
        while not await self.spec.ready():  # noqa: ASYNC110 - another process becomes ready; no event tells us
            await asyncio.sleep(POLL_S)
        self._enter("ready")

    def _enter(self, new: State) -> None:
        self._state = new
        self._changed()


async def _wait(event: asyncio.Event, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        pass


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times in a row"


def _words(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
