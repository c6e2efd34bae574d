"""What the gateway publishes by itself: ticks, and the rest of the work that a setting of trust or the like brings.

Every gateway does; the ids are the same everywhere, so doubles vanish.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.observation import HOUR_US, Body, Reassess, Tick, own_request
from stanchion_ingest.line import Line
from stanchion_runtime import clock, rpc
from stanchion_runtime.log import Outgoing
from stanchion_runtime.logs import logger

BRINGING_WORK: Final = frozenset({"trust.set", "trust.estimated", "policy.set", "claim.resolved"})
"""What makes claims due that it does not name: sources weigh otherwise, or values are worked out otherwise."""
_COMMAND: Final = "command:"
"""How the origin of what goes past fusion begins; fusion alone says what remains."""
_PATIENCE_S: Final = 60.0
_TRIES: Final = 5

Workspaces = Callable[[], Awaitable[Iterable[str]]]
"""Gives the workspaces there are."""


class Ticks:
    """Publishes one tick an hour for each workspace.

    Args:
        line: where they go.
        workspaces: gives those there are.
        now_us: the wall clock.
    """

    def __init__(self, line: Line, workspaces: Workspaces, now_us: Callable[[], int] = clock.now_us) -> None:
        self._line = line
        self._workspaces = workspaces
        self._now_us = now_us

    async def run(self) -> None:
        """Publish the ticks of this hour, and of each that comes, for ever."""
        while True:
            hour = self._now_us() // HOUR_US
            await self.publish(hour)
            await asyncio.sleep(max(1.0, ((hour + 1) * HOUR_US - self._now_us()) / 1_000_000))

    async def publish(self, hour: int) -> int:
        """Publish one hour's ticks.

        Args:
            hour: hours since the epoch.

        Returns:
            How many workspaces were told, durably.
        """
        names = sorted(set(await self._workspaces()) | set(self._line.last_seqs))
        batches: dict[int, list[Outgoing]] = {}
        for name in names:
            message = own_request(name, f"tick:{hour}", Body(tick=Tick(hour=hour)), self._now_us())
            batches.setdefault(self._line.partition(name), []).append(Outgoing(value=codec.encode(message)))
        told = 0
        for partition, batch in batches.items():
            try:
                await self._line.tell("requests", partition, batch)
                told += len(batch)
            except rpc.Refused as refused:
                logger().warning("ticks not told", partition=partition, workspaces=len(batch), why=refused.reason)
        logger().info("ticked", hour=hour, workspaces=told)
        return told


class Reassessments:
    """While a workspace's answers say that claims still have to be re-evaluated, asks for more of it.

    Args:
        line: what is listened to, and where requests go.
        now_us: the wall clock.
    """

    def __init__(self, line: Line, now_us: Callable[[], int] = clock.now_us) -> None:
        self._line = line
        self._now_us = now_us
        self._remaining: dict[str, int] = {}
        self._trust_seqs: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        line.listen(self.notice)

    def notice(self, changes: Changes) -> None:
        """Take in what was decided; begins to ask when it says that work remains. A command does not know."""
        if changes.meta.origin.startswith(_COMMAND):
            return
        workspace = changes.meta.workspace
        for change in changes.changes:
            if change.action in BRINGING_WORK:
                self._trust_seqs[workspace] = change.seq
                self._numbers[workspace] = 0
        if not changes.remaining:
            self._remaining.pop(workspace, None)
            return
        self._remaining[workspace] = changes.remaining
        self._trust_seqs.setdefault(workspace, changes.last_seq)
        if workspace not in self._running:
            self._running[workspace] = asyncio.get_running_loop().create_task(self._ask(workspace))

    async def stop(self) -> None:
        """Stop asking."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _ask(self, workspace: str) -> None:
        """Ask until nothing remains; an answer at a time, so that a busy workspace is not flooded."""
        try:
            await self._ask_all(workspace)
        finally:
            del self._running[workspace]  # at once: what is noticed from now on begins anew

    async def _ask_all(self, workspace: str) -> None:
        """Ask until nothing remains, or nobody answers."""
        misses = 0
        while workspace in self._remaining and misses < _TRIES:
            number = self._numbers.get(workspace, 0) + 1
            self._numbers[workspace] = number
            seq = self._trust_seqs[workspace]
            body = Body(reassess=Reassess(trust_seq=seq, n=number))
            message = own_request(workspace, f"reassess:{seq}:{number}", body, self._now_us())
            try:
                await self._line.ask("requests", workspace, message, _PATIENCE_S)
                misses = 0
            except rpc.Refused as refused:
                misses += 1
                logger().warning(
                    "reassessment not seen", workspace=workspace, errand=message.event_id, why=refused.reason
                )
