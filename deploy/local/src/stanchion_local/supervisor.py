"""Keeps a set of processes running: starts them, waits until they are ready, ends them tier by tier.

One failure is final: a process that ends again and again takes the run down, with its last log lines in the message.
A run without its fusion or its audit would look well and answer nothing new.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from stanchion_local import state
from stanchion_local.child import Child, Spec
from stanchion_local.errors import NotReady
from stanchion_local.state import ProcessState, RunState


class Supervisor:
    """The processes of one run.

    Args:
        home: where the state file lies.
        run: what the state file says of the run; its processes are filled in here.
    """

    def __init__(self, home: Path, run: RunState) -> None:
        self._home = home
        self._run = run
        self._children: list[Child] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._moved = asyncio.Event()
        state.write(home, run)

    @property
    def processes(self) -> tuple[ProcessState, ...]:
        """How each process is, in the order of starting."""
        return tuple(child.shown() for child in self._children)

    def start(self, spec: Spec) -> Child:
        """Starts a process and keeps it running."""
        child = Child(spec, self._changed)
        self._children.append(child)
        self._tasks.append(asyncio.create_task(child.run(), name=spec.name))
        return child

    async def ready(
        self, children: Sequence[Child], timeout_s: float, told: Callable[[int], None] = lambda _count: None
    ) -> None:
        """Waits until all of them are ready.

        Args:
            children: whom to wait for.
            timeout_s: how long.
            told: called with the number of ready ones whenever something has changed.

        Raises:
            GaveUp: one ended again and again.
            NotReady: the time is over; the message holds the log's end of each that is not ready.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while not all(child.is_ready for child in children):
                    told(sum(child.is_ready for child in children))
                    await self._next_move()
        except TimeoutError:
            late = [child for child in children if not child.is_ready]
            ends = "\n\n".join(f"{child.spec.log_file}:\n{child.said(8)}" for child in late)
            names = ", ".join(child.spec.name for child in late)
            raise NotReady(f"Not ready after {timeout_s:.0f} s: {names}. The end of what they say:\n\n{ends}") from None
        told(len(children))

    async def failed(self) -> None:
        """Waits for the first process that is given up; never returns otherwise.

        Raises:
            GaveUp: one ended again and again.
        """
        while True:
            await self._next_move()

    async def stop(self) -> None:
        """Ends every process, the highest tier first, and clears the state file."""
        for tier in sorted({child.spec.tier for child in self._children}, reverse=True):
            await asyncio.gather(*(child.stop() for child in self._children if child.spec.tier == tier))
        await asyncio.gather(*self._tasks, return_exceptions=True)
        state.clear(self._home)

    async def _next_move(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()
        self._moved.clear()
        moved = asyncio.create_task(self._moved.wait())
        try:
            await asyncio.wait([moved, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
        finally:
            moved.cancel()

    def _changed(self) -> None:
        self._moved.set()
        state.write(self._home, _with(self._run, self.processes))


def _with(run: RunState, processes: tuple[ProcessState, ...]) -> RunState:
    return RunState(
        pid=run.pid,
        born=run.born,
        started_at_us=run.started_at_us,
        bootstrap=run.bootstrap,
        own_broker=run.own_broker,
        processes=processes,
    )
