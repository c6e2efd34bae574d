"""What every read begins with: a workspace the caller may read, at the position asked for; and texts of the file."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from stanchion_runtime import rpc
from stanchion_view.core.card import Card
from stanchion_view.core.state import Workspace
from stanchion_view.replica import Replica

T = TypeVar("T")


class Reader:
    """Reads a replica; the file in threads of its own.

    Attributes:
        replica: what is read.

    Args:
        replica: what is read.
        readers: threads that read the file.
    """

    def __init__(self, replica: Replica, readers: int) -> None:
        self.replica = replica
        self._threads = ThreadPoolExecutor(readers, thread_name_prefix="view-read")

    def close(self) -> None:
        """End the reading threads; call it when no call is in hand."""
        self._threads.shutdown(wait=True)

    async def workspace(self, name: str, min_seq: int, seen_seq: int = 0) -> Workspace:
        """Give a workspace that the caller may read, once it has reached a seq.

        Args:
            name: of the workspace.
            min_seq: what the caller asks for.
            seen_seq: what the caller has seen already, perhaps from another view.

        Raises:
            Refused: as `position`; `NOT_FOUND` also for a workspace that nothing was written to.
        """
        space = await self.position(name, min_seq, seen_seq)
        if space is None:
            rpc.refuse("NOT_FOUND", f"workspace {name} is empty: nothing was written to it yet", workspace=name)
        return space

    async def position(self, name: str, min_seq: int, seen_seq: int = 0) -> Workspace | None:
        """Give a workspace that the caller may read, once it has reached a seq; None where nothing was written to it.

        Args:
            name: of the workspace.
            min_seq: what the caller asks for.
            seen_seq: what the caller has seen already, perhaps from another view.

        Raises:
            Refused: `WRONG_WORKSPACE`, `MISSING_CAPABILITY`, `FIELD_VALUE`, `NOT_FOUND`, `NOT_YET_VISIBLE`.
        """
        rpc.require("read", name)
        self.check_held(name)
        if min_seq < 0:
            rpc.refuse("FIELD_VALUE", "min_seq is below 0", field="min_seq")
        wanted = max(min_seq, seen_seq)
        if not await self.replica.reached(name, wanted, rpc.remaining_s()):
            at = self.replica.last_seq(name)
            rpc.refuse(
                "NOT_YET_VISIBLE",
                f"workspace {name} is at seq {at} here and {wanted} was asked for: ask again, or for less",
                retry_after_s=0.1,
                position=at,
                min_seq=wanted,
            )
        return self.replica.workspaces.get(name)

    def check_held(self, workspace: str) -> None:
        """Check that the workspace's partition is one of this view's.

        Raises:
            Refused: `NOT_FOUND`.
        """
        if not self.replica.holds(workspace):
            held = ", ".join(map(str, self.replica.partitions))
            rpc.refuse("NOT_FOUND", f"this view holds partitions {held} and workspace {workspace} is on another")

    async def read(self, what: Callable[..., T], *args: object) -> T:
        """Read the file in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, what, *args)

    async def changes(
        self, workspace: str, after: tuple[int, int], through: int, limit: int
    ) -> Sequence[tuple[int, int, str]]:
        """Read events from the file."""
        return await self.read(self.replica.store.changes, workspace, after, through, limit)

    async def bodies(self, workspace: str, cards: Iterable[Card]) -> dict[str, str]:
        """Give the bodies that cards have, by record."""
        store, texts = self.replica.store, self.replica.texts
        wanted = {(workspace, card.body_seq): card for card in cards}
        known = texts.bodies(wanted)
        missing = {card.body_seq: card.body_at_us for moment, card in wanted.items() if moment not in known}
        if missing:
            read = await self.read(store.bodies, workspace, missing)
            known |= {(workspace, seq): body for seq, body in read.items()}
            texts.keep_bodies(known)
        return {wanted[moment].id: body for moment, body in known.items()}

    async def times(self, workspace: str, seqs: Sequence[int]) -> dict[int, int]:
        """Give when changes were recorded, by seq, microseconds since the epoch."""
        store, texts = self.replica.store, self.replica.texts
        moments = [(workspace, seq) for seq in seqs]
        known = texts.times(moments)
        missing = [seq for moment, seq in zip(moments, seqs, strict=True) if moment not in known]
        if missing:
            read = await self.read(store.times, workspace, missing)
            known |= {(workspace, seq): at for seq, at in read.items()}
            texts.keep_times(known)
        return {seq: at for (_, seq), at in known.items()}
