"""A deterministic simulation of two stages over the memory log: crashes, zombies, duplicates and late claims, by seed.

Every append is held until the schedule lands it, in parts, or loses it; an owner that another one replaces is not told.
At the end everything is answered by fresh owners, and what the log holds is checked record by record.
"""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from structlog.testing import capture_logs

from stanchion_contracts import codec
from stanchion_contracts.claim import Claims
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.observation import Observation
from stanchion_runtime import partition as partition_module
from stanchion_runtime.errors import Superseded
from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.reader_rule import ReaderRule, Verdict
from stanchion_runtime.stage import Stage
from stanchion_runtime.tail import Batch, Start, Tail, from_the_end
from support.stages import Chain, back, front, workspace_on

PARTITIONS = 2
INPUTS = 24
ACTIONS = 160
CLAIM_EVERY = 7
METRICS = Metrics()
WORDS = ("none", "bad", "drop", f"move {workspace_on(0, PARTITIONS)}", f"move {workspace_on(1, PARTITIONS)}")


class WrongError(AssertionError):
    """What the simulation found."""


class Held:
    """A part of an append that is on its way."""

    def __init__(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> None:
        self.topic = topic
        self.partition = partition
        self.batch = batch
        self.landed: asyncio.Future[Sequence[int]] = asyncio.get_running_loop().create_future()


class Owner:
    """A process that owns all partitions of a stage, or believes so. It is its own log port: appends are held."""

    def __init__(self, log: MemoryLog, stage: Stage[Any, Any, Any], rnd: random.Random, name: str) -> None:
        self.held: list[Held] = []
        self.dead = False
        self.adopted = False
        self.task: asyncio.Task[Any] | None = None
        self._log = log
        self._rnd = rnd
        options = Options(
            partitions=PARTITIONS, owner=name, now_us=lambda: 0, monotonic_s=lambda: 0.0, claim_every=CLAIM_EVERY
        )
        self.partitions = log.partitions
        self.bounds = log.bounds
        self.read = log.read
        self.follow = log.follow
        self.processor = Processor(stage, self, options, METRICS)

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Hold a batch in parts, and wait until the schedule has landed all of them."""
        parts, rest = [], list(batch)
        while rest:
            size = self._rnd.randint(1, len(rest))
            parts.append(Held(topic, partition, rest[:size]))
            rest = rest[size:]
        self.held.extend(parts)
        return [offset for part in parts for offset in await part.landed]

    def begin(self, most: int) -> None:
        """Adopt, or take up to so many inputs of each topic and partition; now and then some that were taken before."""
        if not self.adopted:
            self.adopted = True
            self.task = asyncio.ensure_future(self.processor.adopt(range(PARTITIONS)))
            return
        records: list[Record] = []
        for (topic, number), place in self.processor.places().items():
            start = max(0, place - self._rnd.choice((0, 0, 0, 3)))
            records.extend(self._log.records(topic, number, start)[:most])
        self.task = asyncio.ensure_future(self.processor.process(records))

    @property
    def idle(self) -> bool:
        """Whether it can begin something."""
        return not self.dead and (self.task is None or self.task.done())

    def notice(self) -> None:
        """Die of being superseded.

        Raises:
            WrongError: it died of something else.
        """
        if self.task is not None and self.task.done() and not self.dead and self.task.exception() is not None:
            self.dead = True
            if not isinstance(self.task.exception(), Superseded):
                raise WrongError(repr(self.task.exception())) from self.task.exception()

    def crash(self) -> None:
        """Stop at once; what is held stays on its way."""
        self.dead = True
        if self.task is not None and not self.task.done():
            self.task.cancel()


class Simulation:
    """One schedule."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)  # noqa: S311 - a schedule must be the same every time
        self.log = MemoryLog(partitions=PARTITIONS)
        self.stages = (front(self._nonce, PARTITIONS), back(self._nonce))
        self.owners: tuple[list[Owner], list[Owner]] = ([], [])
        self.published = 0
        self.tail = Tail(self.log, "observations", {n: Start() for n in range(PARTITIONS)})
        self.tailed: dict[int, list[Record]] = {n: [] for n in range(PARTITIONS)}

    def _nonce(self) -> str:
        """Make every decision different from any other of the same input."""
        return str(self.rnd.random())

    def run(self) -> int:
        """Run the schedule and check what it left; give how many outputs the readers dropped.

        Raises:
            WrongError: something is wrong.
        """
        with capture_logs():
            return asyncio.run(self._run())

    async def _run(self) -> int:
        for _ in range(ACTIONS):
            await self._act()
            await self._settle()
        await self._finish()
        return sum([await self._check(side) for side in (0, 1)])

    async def _act(self) -> None:
        """Do one thing of the schedule."""
        side = self.rnd.randrange(2)
        owners = self.owners[side]
        chance = self.rnd.random()
        if chance < 0.2:
            self._publish()
        elif chance < 0.24 or not any(not owner.dead for owner in owners):
            self._replace(side)
        elif chance < 0.27:
            self.rnd.choice(owners).crash()
        elif chance < 0.6:
            owner = self._choose(owners)
            if owner.idle:
                owner.begin(self.rnd.randint(1, 6))
        elif chance < 0.97:
            self._land(self._choose(owners))
        else:
            await self._resume_tail()

    def _choose(self, owners: list[Owner]) -> Owner:
        """Give the current owner more often than one that was replaced."""
        return owners[-1] if self.rnd.random() < 0.7 else self.rnd.choice(owners)

    def _publish(self) -> None:
        """Write one input."""
        if self.published >= INPUTS:
            return
        self.published += 1
        text = self.rnd.choice(WORDS) if self.rnd.random() < 0.2 else f"event {self.published}"
        value = b"\xff" if self.rnd.random() < 0.05 else text.encode()
        self.log.write(self.rnd.choice(("inbox", "requests")), self.rnd.randrange(PARTITIONS), [Outgoing(value=value)])

    def _replace(self, side: int) -> None:
        """Start a new owner; the old one is not told."""
        owners = self.owners[side]
        owners.append(Owner(self.log, self.stages[side], self.rnd, f"{side}-{len(owners)}"))
        owners[-1].begin(0)

    def _land(self, owner: Owner) -> None:
        """Land the first part that an owner holds for some partition; of a dead one, now and then lose it instead.

        Kafka's sequence numbers let nothing land behind a lost part. The reader rule needs that where causes are of an
        open topic, and copes without it where they are of an owned one; so what goes to `claims` may lose the middle.
        """
        if not owner.held:
            return
        wanted = self.rnd.choice(owner.held)
        held = next(held for held in owner.held if held.topic == wanted.topic and held.partition == wanted.partition)
        owner.held.remove(held)
        if owner.dead and self.rnd.random() < 0.3:
            if held.topic != "claims":
                owner.held = [h for h in owner.held if (h.topic, h.partition) != (held.topic, held.partition)]
            return
        offsets = self.log.write(held.topic, held.partition, held.batch)
        if not held.landed.done():
            held.landed.set_result(offsets)

    async def _settle(self) -> None:
        """Let everybody go on as far as they get."""
        for _ in range(6):
            await asyncio.sleep(0)
        for owners in self.owners:
            for owner in owners:
                owner.notice()

    async def _resume_tail(self) -> None:
        """Read on, as a reader that was started again from what it stored."""
        ends = {n: bounds.end for n, bounds in (await self.log.bounds("observations", range(PARTITIONS))).items()}
        stops = {n: self.rnd.randint(min(self.tail._positions[n], end), end) for n, end in ends.items()}
        starts = {n: Start(position=self.tail._positions[n], up=self.tail._rules[n].encode()) for n in stops}
        async for batch in self.tail.through(stops):
            self.tailed[batch.partition].extend(batch.records)
            starts[batch.partition] = Start(position=batch.position, up=batch.up)
        self.tail = Tail(self.log, "observations", starts)

    async def _finish(self) -> None:
        """End everybody, land or lose what is on its way, and let a fresh owner answer everything.

        Raises:
            WrongError: the fresh owner ended.
        """
        for side in (0, 1):
            for owner in self.owners[side]:
                owner.crash()
                while owner.held:
                    self._land(owner)
            self._replace(side)
            owner = self.owners[side][-1]
            while not self._answered(owner):
                while owner.held:
                    self._land(owner)
                    await self._settle()
                await self._settle()
                if owner.dead:
                    raise WrongError(f"the last owner of {self.stages[side].name} ended")
                if owner.idle and not self._answered(owner):
                    owner.begin(50)

    def _answered(self, owner: Owner) -> bool:
        """Tell whether an owner has answered everything there is."""
        if not owner.idle or not owner.processor.owned:
            return False
        return all(not self.log.records(topic, n, place) for (topic, n), place in owner.processor.places().items())

    async def _check(self, side: int) -> int:
        """Hold one stage's output against its inputs; give how many records its readers dropped.

        Raises:
            WrongError: they do not fit.
        """
        stage, dropped = self.stages[side], 0
        for number in range(PARTITIONS):
            records = self.log.records(stage.output, number)
            accepted = accept(records)
            dropped += len(records) - len(accepted)
            self._check_causes(stage, number, accepted)
            chain = check_decisions(side, accepted)
            owned = self.owners[side][-1].processor.owned[number]
            if chain.digest != owned.state.digest:
                raise WrongError(f"{stage.name}:{number}: the owner's state is not the fold of its output")
        if side == 0:
            self._check_letters()
            await self._check_tails()
        else:
            self._check_passed_on()
        return dropped

    def _check_causes(self, stage: Stage[Any, Any, Any], number: int, accepted: Sequence[Record]) -> None:
        """See that each input has one output that counts, in order.

        Raises:
            WrongError: one has not.
        """
        for topic in stage.inputs:
            found = [int(at) for name, _, at in map(cause_of, accepted) if name == topic]
            if found != list(range(len(self.log.records(topic, number)))):
                raise WrongError(f"{stage.name}:{number}: answers {topic} {found}")

    def _check_letters(self) -> None:
        """See that every invalid input has a dead letter, and nothing else has.

        Raises:
            WrongError: it is not so.
        """
        letters: set[str] = set()
        invalid: set[str] = set()
        for number in range(PARTITIONS):
            letters |= {codec.decode(r.value, DeadLetter).cause for r in self.log.records("deadletters", number)}
            for topic in ("inbox", "requests"):
                for record in self.log.records(topic, number):
                    if record.value in {b"bad", b"\xff"}:
                        invalid.add(f"{topic}:{number}:{record.offset}")
        if letters != invalid:
            raise WrongError(f"dead letters {sorted(letters)}, invalid {sorted(invalid)}")

    async def _check_tails(self) -> None:
        """See that readers agree: one resumed at odd moments, one that starts from the end at any time.

        Raises:
            WrongError: they do not.
        """
        ends = {n: bounds.end for n, bounds in (await self.log.bounds("observations", range(PARTITIONS))).items()}
        async for batch in self.tail.through(ends):
            self.tailed[batch.partition].extend(batch.records)
        for number in range(PARTITIONS):
            accepted = accept(self.log.records("observations", number))
            if self.tailed[number] != accepted:
                raise WrongError(f"observations:{number}: a resumed reader took other records")
            late = await self._from_the_end(number)
            if late.records != tuple(accepted[len(accepted) - len(late.records) :]):
                raise WrongError(f"observations:{number}: a reader from the end took other records")

    async def _from_the_end(self, number: int) -> Batch:
        """Read a partition as a gateway that starts when it had some length, up to its end now."""
        end = self.rnd.randint(0, len(self.log.records("observations", number)))
        younger = MemoryLog(partitions=PARTITIONS)
        for record in self.log.records("observations", number)[:end]:
            younger.write("observations", number, [Outgoing(value=record.value, headers=record.headers)])
        starts = await from_the_end(younger, "observations", [number])
        tail = Tail(self.log, "observations", starts)
        batches = [batch async for batch in tail.through({number: len(self.log.records("observations", number))})]
        records = tuple(record for batch in batches for record in batch.records)
        return Batch(partition=number, records=records, position=0, up="")

    def _check_passed_on(self) -> None:
        """See that the second stage got exactly what counts of the first, in order.

        Raises:
            WrongError: it did not.
        """
        for number in range(PARTITIONS):
            sent = [
                f"{message.event_id}/{message.agent}"
                for record in accept(self.log.records("observations", number))
                if record.value and (message := codec.decode(record.value, Observation)).event_id != "drop"
            ]
            got = [
                codec.decode(record.value, Claims).left_out[0].what
                for record in accept(self.log.records("claims", number))
                if record.value
            ]
            if sent != got:
                raise WrongError(f"claims:{number}: {len(sent)} sent, {len(got)} passed on, or in another order")


def accept(records: Sequence[Record]) -> list[Record]:
    """Give the records that count, from the start."""
    rule: ReaderRule = vars(partition_module)["ReaderRule"]()  # which a test may have replaced
    return [record for record in records if rule.judge(record) is Verdict.ACCEPTED]


def cause_of(record: Record) -> tuple[str, str, str]:
    """Give a record's cause in its three parts."""
    topic, number, at = dict(record.headers)["cause"].decode().split(":")
    return topic, number, at


def check_decisions(side: int, accepted: Sequence[Record]) -> Chain:
    """See that each output that counts was decided on the fold of those before it; give the whole fold.

    Raises:
        WrongError: one was not.
    """
    chain = Chain()
    for record in accepted:
        if not record.value:
            continue
        if side == 0:
            output = codec.decode(record.value, Observation)
            seen, text, nonce = output.publisher, output.event_id, output.agent
        else:
            claims = codec.decode(record.value, Claims)
            seen, text, nonce = claims.meta.workspace, claims.left_out[0].what, claims.left_out[0].why
        if seen != chain.digest.hex():
            raise WrongError(
                f"{record.topic}:{record.partition}:{record.offset} was decided on a state that is no fold"
            )
        chain.fold(text, nonce)
    return chain
