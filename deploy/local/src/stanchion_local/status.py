"""How a local run is, seen from any terminal."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, structs

from stanchion_local import deadletters, health, metrics, state
from stanchion_local.metrics import Figures
from stanchion_local.state import ProcessState


class ProcessStatus(Struct, frozen=True, kw_only=True):
    """One process.

    Attributes:
        name: of the process.
        state: `starting`, `ready`, `unwell` (it runs, but its health page says no), `waiting` (for its next start),
            `ended` or `given up`.
        pid: 0 when it does not run.
        restarts: how often it was started again.
        lag: input records that wait behind it.
        inputs: input records it has decided since it began.
        dead_letters: messages it has set aside since it began.
        memory_bytes: resident memory.
    """

    name: str
    state: str
    pid: int
    restarts: int
    lag: int = 0
    inputs: int = 0
    dead_letters: int = 0
    memory_bytes: int = 0


class Status(Struct, frozen=True, kw_only=True):
    """A run, or that there is none.

    Attributes:
        home: whose.
        up: whether a supervisor runs.
        pid: the supervisor's; 0 when there is none.
        started_at_us: when the run began; 0 when there is none.
        bootstrap: the cluster it uses.
        processes: in the order of starting.
        seqs: the last seq that the view has applied, by workspace.
        dead_letters: how many the cluster keeps; None when it did not say, or was not asked.
        left_behind: processes of a supervisor that is gone; `stanchion down` ends them.
    """

    home: str
    up: bool
    pid: int = 0
    started_at_us: int = 0
    bootstrap: str = ""
    processes: tuple[ProcessStatus, ...] = ()
    seqs: Mapping[str, int] = {}
    dead_letters: int | None = None
    left_behind: tuple[str, ...] = ()

    @property
    def ready(self) -> int:
        """How many processes are ready."""
        return sum(process.state == "ready" for process in self.processes)

    @property
    def lag(self) -> int:
        """Input records that wait anywhere on the line."""
        return sum(process.lag for process in self.processes)


def collect(home: Path) -> Status:
    """Looks at the state file, asks every process, and asks the cluster how many dead letters it keeps."""
    return asyncio.run(_collect(home))


async def _collect(home: Path) -> Status:
    found = await gather(home)
    return structs.replace(found, dead_letters=await deadletters.count(home)) if found.up else found


async def gather(home: Path) -> Status:
    """Looks at the state file and asks every process, for a caller with a loop."""
    known = state.read(home)
    if known is None:
        return Status(home=str(home), up=False)
    if state.alive(known.pid, known.born) is None:
        left = tuple(each.name for each in known.processes if state.alive(each.pid, each.born))
        return Status(home=str(home), up=False, left_behind=left)
    found = await asyncio.gather(*(_ask(process) for process in known.processes))
    seqs = {workspace: seq for _, figures in found for workspace, seq in figures.seqs.items()}
    return Status(
        home=str(home),
        up=True,
        pid=known.pid,
        started_at_us=known.started_at_us,
        bootstrap=known.bootstrap,
        processes=tuple(status for status, _ in found),
        seqs=seqs,
    )


async def _ask(process: ProcessState) -> tuple[ProcessStatus, Figures]:
    figures, well = Figures(), True
    if process.http_port and process.pid:
        code, body = await health.page(process.http_port, "/metrics")
        figures = _figures(body) if code == 200 else figures  # noqa: PLR2004 - HTTP's OK
        well = (await health.page(process.http_port, "/healthz"))[0] == 200  # noqa: PLR2004
    return ProcessStatus(
        name=process.name,
        state="unwell" if process.state == "ready" and not well else process.state,
        pid=process.pid,
        restarts=process.restarts,
        lag=figures.lag,
        inputs=figures.inputs,
        dead_letters=figures.dead_letters,
        memory_bytes=state.memory_bytes(process.pid),
    ), figures


def _figures(body: bytes) -> Figures:
    try:
        return metrics.parse(body.decode())
    except ValueError:
        return Figures()
