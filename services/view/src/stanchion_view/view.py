"""The running view: catches up with the ledger, then follows it and serves, until told to stop or it cannot go on."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2_grpc
from stanchion_core.errors import Transient
from stanchion_runtime import lag, rpc
from stanchion_runtime.log import Bounds, Log
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.settings import ServerSettings
from stanchion_runtime.tail import Start, Tail
from stanchion_view.receipts import Receipts
from stanchion_view.replica import STAGE, TOPIC, Replica
from stanchion_view.rpc import NAME, ViewServicer
from stanchion_view.store import StoreError


class View:
    """A replica that follows the ledger, and the server that answers from it.

    Args:
        replica: what is kept.
        log: where the ledger is.
        servicer: answers from the replica.
        receipts: appends what agents were served.
        settings: where to listen.
        authenticator: whose tokens are believed.
        metrics: where to count.

    Attributes:
        ready: set once the view has caught up and serves.
        server: the gRPC server.
    """

    def __init__(  # noqa: PLR0913 - each a part that is chosen outside
        self,
        replica: Replica,
        log: Log,
        *,
        servicer: ViewServicer,
        receipts: Receipts,
        settings: ServerSettings,
        authenticator: rpc.Authenticator,
        metrics: Metrics,
    ) -> None:
        self._replica = replica
        self._log = log
        self._receipts = receipts
        self._metrics = metrics
        self._tail = Tail(log, TOPIC, replica.positions)
        self._gaps = 0
        self.ready = asyncio.Event()
        self._lag = 0
        self.server = rpc.Server(STAGE, settings, authenticator, self.health, metrics)
        self.server.add(NAME, view_pb2_grpc.add_ViewServiceServicer_to_server, servicer)

    def health(self) -> Mapping[str, object]:
        """Give what `/healthz` shows; `ready` means that it had caught up and serves."""
        return {
            "ok": True,
            "ready": self.ready.is_set(),
            "stage": STAGE,
            "partitions": self._replica.partitions,
            "positions": {f"{TOPIC}:{number}": at.position for number, at in sorted(self._replica.positions.items())},
            "lag": self._lag,
            "gaps": len(self._tail.gaps),
        }

    async def run(self, stop: asyncio.Event) -> None:
        """Catch up, then follow and serve until `stop` is set.

        Raises:
            StoreError: the file and the topic do not belong together.
            SeqGap: the ledger does not continue where the file stands.
            Transient: the log could not be reached.
            OSError: the port is taken.
        """
        tasks = [asyncio.create_task(stop.wait()), asyncio.create_task(self._work())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[1].done():
                tasks[1].result()  # it only ends by an error
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self) -> None:
        """Catch up, serve, follow."""
        bounds = await self._log.bounds(TOPIC, self._replica.partitions)
        check_positions(self._replica.positions, bounds)
        ends = {partition: bound.end for partition, bound in bounds.items()}
        logger().info("catching up", records=_missing(self._replica.positions, bounds))
        await self._replica.follow(self._tail.through(ends))
        following = self._replica.follow(self._tail.batches())
        working = [asyncio.create_task(work) for work in (following, self._observe(), self._receipts.run())]
        try:
            async with self.server:
                self.ready.set()
                done, _ = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()  # each only ends by an error, and then nothing it should have done is done
        finally:  # the server has drained
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)
            await self._receipts.flush()

    async def _observe(self) -> None:
        """Put the lag and the gaps where operators see them, once a second."""
        while True:
            await asyncio.sleep(lag.EVERY_S)
            with suppress(Transient):  # the tail itself says when Kafka is away for good
                await self._measure()

    async def _measure(self) -> None:
        """Put the lag and the gaps where operators see them.

        Raises:
            Transient: the log could not be reached.
        """
        positions = {partition: at.position for partition, at in self._replica.positions.items()}
        self._lag = await lag.measure(self._log, self._metrics, stage=STAGE, topic=TOPIC, positions=positions)
        for gap in self._tail.gaps[self._gaps :]:
            logger().error("gap in the ledger", topic=gap.topic, partition=gap.partition, offset=gap.offset)
        self._gaps = len(self._tail.gaps)


def check_positions(positions: Mapping[int, Start], bounds: Mapping[int, Bounds]) -> None:
    """See that what the file stands at is in the topic.

    Raises:
        StoreError: it is not; the text says what to do.
    """
    for partition, bound in bounds.items():
        at = positions[partition].position
        if at > bound.end:
            raise StoreError(
                f"the view's file stands at {TOPIC}:{partition}:{at} and the topic ends at {bound.end}: the topic was "
                "made anew, or this is another cluster. Remove the file: the view makes it anew from the ledger"
            )
        if at < bound.begin:
            raise StoreError(
                f"the view's file stands at {TOPIC}:{partition}:{at} and the topic begins at {bound.begin}: records "
                "were deleted that a ledger never deletes; see the topic's retention"
            )


def _missing(positions: Mapping[int, Start], bounds: Mapping[int, Bounds]) -> int:
    """Count the records that are in the topic and not here."""
    return sum(max(0, bound.end - positions[partition].position) for partition, bound in bounds.items())
