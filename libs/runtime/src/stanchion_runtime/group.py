"""A processor's place in its consumer group: which partitions it owns, and the loop that feeds it.

Learnt the hard way (measured on Kafka 4.4 with aiokafka 0.14):

- Nothing is folded inside `on_partitions_assigned`: heartbeats start only after it returns, and a longer fold gets the
  member expelled. The callback only notes that something changed; the loop adopts.
- `getmany` may return records read from committed offsets between an assignment and our seek: they are discarded.
- The committed offsets are for lag monitoring only; where the line goes on, the fold of the output says.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import KafkaError

from stanchion_core.errors import Transient
from stanchion_runtime import clock
from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.header_names import read_any
from stanchion_runtime.kafka import FETCH_MS, MAX_FETCH_BYTES, Names, connection, let_go, reach, record, transient
from stanchion_runtime.logs import logger
from stanchion_runtime.processor import Places, Processor
from stanchion_runtime.settings import KafkaSettings

MAX_BATCH: Final = 1000
"""Records taken from the log at once."""

_IDLE_MS: Final = 5_000  # how long one wait for records lasts; records, a stop or a rebalance end it
_MAX_POLL_MS: Final = 3_600_000  # a fold may take that long
_REBALANCE_MS: Final = 60_000  # how long others wait for us in a rebalance
_COMMIT_EVERY_S: Final = 1.0
_UNREADY_S: Final = 180.0  # longer than any rebalance takes; a fold under way does not count


class _Changes(ConsumerRebalanceListener):  # type: ignore[misc] # aiokafka ships no types
    """Notes that the assignment changed, and waits for the batch in hand before it does."""

    def __init__(self, member: "Member") -> None:
        self._member = member

    async def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:  # noqa: ARG002 - aiokafka's signature
        """Give up everything, once the batch in hand is acknowledged."""
        await self._member.give_up()

    async def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:  # noqa: ARG002 - aiokafka's signature
        """Let the loop adopt what is assigned now."""
        self._member.take_up()


class Member:
    """One member of a stage's group.

    Attributes:
        pending: whether an assignment waits to be adopted.
        ready: whether an assignment has been adopted and none is pending.
    """

    def __init__(self, processor: Processor, settings: KafkaSettings, *, instance: str, client_id: str) -> None:
        """Join nothing yet.

        Args:
            processor: what is fed.
            settings: where the cluster is.
            instance: the `group.instance.id`, the same after a restart; empty for a member that nobody waits for.
            client_id: names us in the broker's logs and quotas.
        """
        self.pending = False
        self.ready = False
        self._processor = processor
        self._settings = settings
        self._names = Names(settings.topic_prefix)
        self._instance = instance
        self._client_id = client_id
        self._consumer: Any = None
        self._busy = asyncio.Lock()
        self._adopting: asyncio.Task[Any] | None = None
        self._waiting: asyncio.Task[Any] | None = None
        self._committing: asyncio.Task[None] | None = None
        self._changes = 0  # of the assignment
        self._stopping = False
        self._committed_s = 0.0
        self._ready_s = 0.0

    @property
    def group(self) -> str:
        """The group's name on the cluster."""
        return f"{self._settings.topic_prefix}.{self._processor.stage.name}"

    async def run(self) -> None:
        """Join, and feed the processor until `stop`; then leave with nothing in flight.

        Raises:
            Superseded: a partition has another owner.
            Unanswerable: an input past the edge cannot be answered.
            Inconsistent: the topics do not fit.
            Transient: the cluster could not be reached.
        """
        if self._stopping:
            return
        joining = await self._unless_cancelled(reach(self._start))
        if joining is None:
            return
        joining.result()
        self._ready_s = clock.monotonic_s()
        try:
            while not self._stopping:
                if self.pending:
                    await self._adopt()
                else:
                    await self._step()
        finally:
            self.ready = False
            if self._committing is not None:
                self._committing.cancel()  # aiokafka tries for as long as the coordinator is away
            await let_go(self._consumer)

    def stop(self) -> None:
        """End `run` once the batch in hand is acknowledged."""
        self._stopping = True
        self._processor.halt()
        for task in (self._waiting, self._adopting):
            if task is not None:
                task.cancel()

    async def give_up(self) -> None:
        """Own nothing, once the batch in hand is acknowledged; a fold under way is abandoned."""
        self.ready = self.pending = False
        self._changes += 1
        if self._adopting is not None:
            self._adopting.cancel()
        self._processor.halt()
        async with self._busy:
            self._processor.release()

    def take_up(self) -> None:
        """Have the loop adopt what is assigned now."""
        self.pending = True
        self._changes += 1
        if self._waiting is not None:
            self._waiting.cancel()

    def lag(self) -> dict[tuple[str, int], int]:
        """Give how many records wait in each owned partition of each input, as far as the last fetches tell."""
        found: dict[tuple[str, int], int] = {}
        if not self.ready:  # the consumer may stand elsewhere, or be stopped
            return found
        for (topic, number), place in self._processor.places().items():
            highwater = self._consumer.highwater(self._place(topic, number))
            found[topic, number] = max(0, (highwater or place) - place)
        return found

    async def _start(self) -> None:
        """Connect and subscribe.

        Raises:
            Transient: the cluster was not there.
        """
        session_ms = self._settings.session_timeout_ms
        self._consumer = AIOKafkaConsumer(
            client_id=self._client_id,
            group_id=self.group,
            group_instance_id=self._instance or None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            partition_assignment_strategy=[RangePartitionAssignor],
            session_timeout_ms=session_ms,
            heartbeat_interval_ms=min(3000, session_ms // 4),
            max_poll_interval_ms=_MAX_POLL_MS,
            rebalance_timeout_ms=_REBALANCE_MS,
            max_poll_records=MAX_BATCH,
            fetch_max_wait_ms=FETCH_MS,
            fetch_max_bytes=MAX_FETCH_BYTES,
            check_crcs=False,
            **connection(self._settings),
        )
        with transient(f"joining {self.group}"):
            try:
                await self._consumer.start()
            except BaseException:
                await let_go(self._consumer)
                raise
        topics = [self._names.name_of[topic] for topic in self._processor.stage.inputs]
        self._consumer.subscribe(topics, listener=_Changes(self))

    async def _adopt(self) -> None:
        """Adopt what is assigned, again if it changes meanwhile, and stand where the fold says."""
        self.pending = False
        changes = self._changes
        self._adopting = asyncio.ensure_future(self._processor.adopt(self._assigned()))
        await asyncio.wait([self._adopting])
        task, self._adopting = self._adopting, None
        self._ready_s = clock.monotonic_s()
        if task.cancelled() and (self._stopping or changes != self._changes):
            return
        with transient(f"adopting partitions of {self.group}"):
            places = task.result()
        if changes != self._changes:  # in the very moment the fold was done
            self._processor.release()
            return
        self._stand(places)
        self.ready = True

    def _stand(self, places: Places) -> None:
        """Read on from these places; what was fetched already is dropped."""
        for (topic, number), offset in places.items():
            self._consumer.seek(self._place(topic, number), offset)

    def _assigned(self) -> list[int]:
        """Give the assigned partition numbers.

        Raises:
            Inconsistent: not the same of every input: then nobody could keep the order of a workspace.
        """
        by_topic: dict[str, set[int]] = {self._names.name_of[topic]: set() for topic in self._processor.stage.inputs}
        for place in self._consumer.assignment():
            by_topic[place.topic].add(place.partition)
        if len({frozenset(numbers) for numbers in by_topic.values()}) != 1:
            raise Inconsistent(f"{self.group} was assigned unlike partitions of its inputs: {by_topic}")
        return sorted(next(iter(by_topic.values())))

    async def _step(self) -> None:
        """Wait for records and have them answered.

        Raises:
            Transient: the cluster could not be reached, says that another member has our name, or assigns us nothing.
            UnicodeDecodeError: a record cannot be read whatever its headers are called.
        """
        polling = await self._unless_cancelled(self._consumer.getmany(timeout_ms=_IDLE_MS, max_records=MAX_BATCH))
        if polling is None:
            return
        try:
            with transient(f"reading as a member of {self.group}"):
                found = polling.result()
        except UnicodeDecodeError:
            if not read_any() and self.ready:
                raise
            logger().warning("a header's name is no UTF-8; this process reads the slow way from here")
            async with self._busy:
                self._stand(self._processor.places())
            return
        async with self._busy:
            if not self.ready:  # read from committed offsets, before the fold said where to stand
                self._check_patience()
                return
            self._ready_s = clock.monotonic_s()
            if not found:
                return
            key_of = self._names.key_of
            await self._processor.process([
                record(key_of[place.topic], raw) for place, raws in found.items() for raw in raws
            ])
        self._commit()

    def _check_patience(self) -> None:
        """See that the group has not forgotten us.

        Raises:
            Transient: it has assigned us nothing for too long, not even no partition.
        """
        waited_s = clock.monotonic_s() - self._ready_s
        if not self.pending and waited_s > _UNREADY_S:
            raise Transient(f"{self.group} has assigned nothing to this member for {waited_s:.0f} s")

    async def _unless_cancelled(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any] | None:
        """Give the done task of what a stop or a new assignment cancels; None when one did.

        A client whose own parts were cancelled raises that too: then the task is given, and its result raises.
        """
        changes = self._changes
        self._waiting = asyncio.ensure_future(work)
        await asyncio.wait([self._waiting])
        task, self._waiting = self._waiting, None
        return None if task.cancelled() and (self._stopping or changes != self._changes) else task

    def _commit(self) -> None:
        """Let monitoring know where we are, about once a second; nothing depends on it."""
        now_s = clock.monotonic_s()
        if now_s - self._committed_s < _COMMIT_EVERY_S or not (self._committing is None or self._committing.done()):
            return
        self._committed_s = now_s
        offsets = {self._place(topic, number): offset for (topic, number), offset in self._processor.places().items()}
        self._committing = asyncio.ensure_future(self._committed(offsets))

    async def _committed(self, offsets: dict[Any, int]) -> None:
        """Commit offsets, or not."""
        try:
            await self._consumer.commit(offsets)
        except KafkaError as error:
            logger().info("offsets not committed", error=repr(error))

    def _place(self, topic: str, number: int) -> Any:  # noqa: ANN401 - aiokafka ships no types
        """Give a partition as aiokafka names it."""
        return TopicPartition(self._names.name_of[topic], number)
