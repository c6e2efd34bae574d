"""Receipts: who was served what, on their way to the `receipts` topic.

A read does not wait for its receipt: it lies here for up to 100 ms, and a kill may lose it. It does wait for room: when
the topic has been away for long, agents are no longer served without a trace.
"""

import asyncio
from typing import Final

from stanchion_contracts import codec
from stanchion_contracts.meta import Meta
from stanchion_contracts.receipt import Receipt, Served
from stanchion_core.errors import Transient
from stanchion_core.ids import partition_of
from stanchion_runtime import clock
from stanchion_runtime.auth import Principal
from stanchion_runtime.log import Log, Outgoing
from stanchion_runtime.logs import logger

TOPIC: Final = "receipts"
EVERY_S: Final = 0.05
"""How long receipts gather; with the append, below 100 ms."""
MOST: Final = 10_000
"""Receipts that may wait; a read that would add another is refused."""
_AGAIN_S: Final = 1.0


class Receipts:
    """Gathers receipts and appends them.

    Args:
        log: where to.
        partitions: how many the topic has.
    """

    def __init__(self, log: Log, partitions: int) -> None:
        self._log = log
        self._partitions = partitions
        self._waiting: dict[int, list[Outgoing]] = {}
        self._count = 0
        self._some = asyncio.Event()

    @property
    def full(self) -> bool:
        """Whether there is no room for another."""
        return self._count >= MOST

    def give(self, caller: Principal, workspace: str, method: str, as_of_seq: int, served: tuple[Served, ...]) -> None:
        """Leave a receipt for a read.

        Args:
            caller: who read.
            workspace: where.
            method: the read's name.
            as_of_seq: the position it was answered from.
            served: what was served, in order.
        """
        made = clock.new_id()
        meta = Meta(
            id=made,
            workspace=workspace,
            time_us=clock.now_us(),
            seed=clock.new_seed(),
            origin=f"receipt:{made}",
            actor=caller.actor(),
        )
        receipt = Receipt(meta=meta, method=method, as_of_seq=as_of_seq, served=served)
        partition = partition_of(workspace, self._partitions)
        self._waiting.setdefault(partition, []).append(Outgoing(value=codec.encode(receipt)))
        self._count += 1
        self._some.set()

    async def run(self) -> None:
        """Append what comes, for ever; what cannot be appended waits and is tried again."""
        while True:
            await self._some.wait()
            await asyncio.sleep(EVERY_S)
            try:
                await self.flush()
            except Transient as error:
                logger().warning("receipts wait", count=self._count, detail=str(error))
                await asyncio.sleep(_AGAIN_S)

    async def flush(self) -> None:
        """Append everything that waits.

        Raises:
            Transient: the log could not be reached; what was not acknowledged still waits, and may be there twice.
        """
        self._some.clear()
        try:
            for partition in list(self._waiting):
                batch = self._waiting[partition]
                sent = len(batch)
                await self._log.append(TOPIC, partition, batch[:sent])
                del batch[:sent]
                self._count -= sent
                if not batch:
                    del self._waiting[partition]
        finally:
            if self._waiting:
                self._some.set()
