"""Work beside the line, on what an owned topic holds, in a group of its own. It may take long, fail and run twice.

A real Faust agent carries it. The line does not know of it and waits for nothing of it. Which records count says the
reader rule; a record's work is committed only when what came of it is published, and that of all before it: at least
once. `beside.py` has the process around it.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from itertools import groupby
from typing import Literal

from msgspec import Struct

from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.log import Log, Outgoing, Record
from stanchion_runtime.reader_rule import ReaderRule, Verdict
from stanchion_runtime.tail import Start, Tail, before

Addressed = tuple[str, Outgoing]
"""A record, and the register key of the topic it goes to."""


class Side(Struct, frozen=True, kw_only=True):
    """What runs beside the line.

    Attributes:
        name: of the process.
        group: its consumer group, behind the topics' prefix.
        topic: register key of the owned topic that it reads.
        outputs: register keys of what it writes.
        at_once: how many records are worked on at a time.
        begin: where a group that never committed begins: `now`, or the `first` record there is.
        adopted: a partition is read anew.
        ahead: sees each record that counts once, in order, before its work; from the first uncommitted one to the end
            of the partition when it is adopted, then as they come.
        work: gives what is published of a record that counts, to its own partition.
        facts: what `/healthz` says beside the rest.
    """

    name: str
    group: str
    topic: str
    outputs: tuple[str, ...]
    at_once: int
    begin: Literal["now", "first"]
    adopted: Callable[[int], None]
    ahead: Callable[[Record], None]
    work: Callable[[Record], Awaitable[Sequence[Addressed]]]
    facts: Callable[[], Mapping[str, object]]


class _Job:
    """The work on one record."""

    __slots__ = ("done", "offset")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.done = False


class _Place:
    """Where one partition stands."""

    def __init__(self, begin: int) -> None:
        self.following = begin  # the offset of the next record to take
        self.safe = begin  # everything before it is done
        self.told = begin  # everything before it was seen ahead
        self.rule: ReaderRule | None = None
        self.jobs: deque[_Job] = deque()
        self.tasks: set[asyncio.Task[None]] = set()
        self.sought = -1

    def settle(self) -> None:
        """Move up to the first record whose work is not done."""
        while self.jobs and self.jobs[0].done:
            self.jobs.popleft()
        self.safe = self.jobs[0].offset if self.jobs else self.following


class Worked:
    """The partitions that this process works on, each from where its group had committed.

    Records come as they may: from before a rebalance, twice, or past what was committed. Only the one that follows is
    taken; what must be read again is asked for.
    """

    def __init__(self, side: Side, log: Log, ended: Callable[[BaseException], None]) -> None:
        """Own nothing yet.

        Args:
            side: what is done.
            log: where is read ahead and written.
            ended: takes an error of the work, which ends the process.
        """
        self._side = side
        self._log = log
        self._ended = ended
        self._slots = asyncio.Semaphore(side.at_once)
        self._places: dict[int, _Place] = {}
        self._stopping = False
        self._adopting = 0

    def begin(self, offsets: Mapping[int, int]) -> None:
        """Begin with these partitions, each at what its group committed; work for earlier assignments ends."""
        self.release()
        self._places = {partition: _Place(offset) for partition, offset in offsets.items()}

    def release(self) -> None:
        """Work on nothing any more: others may have begun. What is being published may still land."""
        for place in self._places.values():
            for task in place.tasks:
                task.cancel()
        self._places = {}

    def committable(self) -> dict[int, int]:
        """Give by partition the offset before which everything is done."""
        return {partition: place.safe for partition, place in self._places.items()}

    @property
    def in_flight(self) -> int:
        """How many records are worked on."""
        return sum(len(place.tasks) for place in self._places.values())

    @property
    def busy(self) -> bool:
        """Whether records are worked on, or a partition is being learnt."""
        return self._adopting > 0 or self.in_flight > 0

    async def take(self, record: Record) -> int | None:
        """Take a record that was read, when it is the one that follows; wait while too many are worked on.

        Returns:
            The offset from which its partition must be read again, None where it need not.

        Raises:
            Inconsistent: what follows is gone from the log.
            Transient: the log could not be reached.
            ValueError: the record is of no owner's making.
        """
        place = self._places.get(record.partition)
        if self._stopping or place is None or record.offset < place.following:
            return None
        if record.offset > place.following:
            if place.sought == place.following:
                return None
            place.sought = place.following
            await self._check_kept(record.partition, place.following)
            return place.following
        if place.rule is None:
            self._adopting += 1
            try:
                await self._adopt(record.partition, place)
            finally:
                self._adopting -= 1
        await self._slots.acquire()
        if self._stopping or self._places.get(record.partition) is not place:
            self._slots.release()
            return None
        self._start(place, record)
        return None

    async def _check_kept(self, partition: int, offset: int) -> None:
        """See that what is to be read again is there: a consumer that finds it gone goes on behind it, without a word.

        Raises:
            Inconsistent: it is gone.
            Transient: the log could not be reached.
        """
        topic = self._side.topic
        begin = (await self._log.bounds(topic, [partition]))[partition].begin
        if begin > offset:
            raise Inconsistent(
                f"{topic}:{partition}: offset {offset} is next and the log begins at {begin}: what was not yet done is "
                "gone. An owned topic needs retention.ms=-1; restore it, or move the group's offset to go on without"
            )

    def _start(self, place: _Place, record: Record) -> None:
        """Start the work on a record that counts; anything else is done at once."""
        assert place.rule is not None  # noqa: S101 - `take` adopts first
        counts = place.rule.judge(record) is Verdict.ACCEPTED
        place.following = record.offset + 1
        if not counts:
            self._slots.release()
            place.settle()
            return
        if record.offset >= place.told:
            self._side.ahead(record)
        job = _Job(record.offset)
        place.jobs.append(job)
        task = asyncio.ensure_future(self._work(place, job, record))
        place.tasks.add(task)
        task.add_done_callback(lambda done: self._finished(place, done))

    async def _work(self, place: _Place, job: _Job, record: Record) -> None:
        """Do the work on one record and publish what comes of it.

        Raises:
            Transient: it could not be published.
        """
        made = await self._side.work(record)
        for topic, addressed in groupby(made, key=lambda each: each[0]):
            batch = [outgoing for _, outgoing in addressed]
            await asyncio.shield(self._log.append(topic, record.partition, batch))
        job.done = True
        place.settle()

    def _finished(self, place: _Place, task: "asyncio.Task[None]") -> None:
        """Let the next one in; an error of the work ends the process."""
        place.tasks.discard(task)
        self._slots.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._ended(error)

    async def drain(self, within_s: float) -> None:
        """Wait for what is worked on, then end what is left: it is done again after the next start."""
        self._stopping = True
        tasks = [task for place in self._places.values() for task in place.tasks]
        if tasks:
            _, left = await asyncio.wait(tasks, timeout=within_s)
            for task in left:
                task.cancel()

    async def _adopt(self, partition: int, place: _Place) -> None:
        """Learn which records of a partition count, and see ahead what it holds already.

        Raises:
            Transient: the log could not be reached.
        """
        topic, begin = self._side.topic, place.following
        start = (await before(self._log, topic, {partition: begin}))[partition]
        upto = Tail(self._log, topic, {partition: start})
        rule = start.up
        async with aclosing(upto.through({partition: begin})) as reading:
            async for batch in reading:
                rule = batch.up
        self._side.adopted(partition)
        end = (await self._log.bounds(topic, [partition]))[partition].end
        ahead = Tail(self._log, topic, {partition: Start(position=begin, up=rule)})
        async with aclosing(ahead.through({partition: end})) as reading:
            async for batch in reading:
                for record in batch.records:
                    self._side.ahead(record)
        place.told = max(end, begin)
        place.rule = ReaderRule.decode(rule)


class Stall:
    """Notices a process that lives on and reads nothing: a client of Kafka may stop without a sign.

    Args:
        after_s: how long nothing may move, seconds.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._since_s: float | None = None
        self._done: Mapping[int, int] = {}

    def look(self, now_s: float, *, ready: bool, busy: bool, lag: int, done: Mapping[int, int]) -> str:
        """Give why the process should be started again, empty while it should not.

        Args:
            now_s: a clock that never goes back.
            ready: whether what is assigned was begun.
            busy: whether something is worked on.
            lag: records that wait.
            done: by partition, up to where all is done.
        """
        moves = ready and (busy or not lag or done != self._done)
        self._done = dict(done)
        if moves or self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s < self._after_s:
            return ""
        what = f"{lag} records wait and none is read" if ready else "no partitions were given to read"
        return f"{what} for {self._after_s:g} s"
