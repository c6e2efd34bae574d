"""What one stage does on a broker, for benchmarks: run as a worker runs it, folded as after a restart, and a bare loop.

All are in this process, one after the other. Wall time says what a person gets; CPU time what it costs this process;
wall time without the time that this process waited for a core says what a person would get were the machine ours.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from msgspec import Struct

from stanchion_contracts import codec
from stanchion_runtime.group import Member
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import CLAIM, Record, Span, header
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.partition import AnyStage
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.settings import KafkaSettings

BATCH = 1000
SCHEDULER = Path("/proc/thread-self/schedstat")
BARE_OUTPUT = "deadletters"
"""Where a bare loop writes: none of the stages reads it."""


class Seconds(Struct, frozen=True):
    """How long something took.

    Attributes:
        wall: on the wall.
        cpu: of this process's CPU time.
        queued: that this thread could run and had no core, where the system tells (Linux); else 0.
    """

    wall: float
    cpu: float
    queued: float

    @property
    def undisturbed(self) -> float:
        """On the wall, had there been a core whenever one was wanted."""
        return self.wall - self.queued


class Clocks:
    """The clocks, from now on."""

    def __init__(self) -> None:
        self._begun = self._now()

    def seconds(self) -> Seconds:
        """Give what has passed."""
        return Seconds(*(now - begun for now, begun in zip(self._now(), self._begun, strict=True)))

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Give what each clock shows."""
        queued_ns = int(SCHEDULER.read_text().split()[1]) if SCHEDULER.exists() else 0
        return time.perf_counter(), time.process_time(), queued_ns / 1e9


class Counted(Processor):
    """Says when so many inputs are answered, and how long that took from the first one on."""

    def __init__(self, stage: AnyStage, log: KafkaLog, partitions: int, inputs: int) -> None:
        super().__init__(stage, log, Options(partitions=partitions, owner="bench"), Metrics())
        self.done: asyncio.Future[Seconds] = asyncio.get_running_loop().create_future()
        self._inputs = inputs
        self._clocks: Clocks | None = None

    async def process(self, records: Iterable[Record]) -> None:
        """Answer, and count by where the inputs go on: a rebalance may leave some of these to the next round."""
        self._clocks = self._clocks or Clocks()
        await super().process(records)
        if sum(self.places().values()) >= self._inputs and not self.done.done():
            self.done.set_result(self._clocks.seconds())


async def run(stage: AnyStage, settings: KafkaSettings, log: KafkaLog, inputs: int) -> Seconds:
    """Run a stage in its group as a worker does, until so many inputs are answered and acknowledged."""
    processor = Counted(stage, log, settings.partitions, inputs)
    member = Member(processor, settings, instance="", client_id="bench")
    running = asyncio.ensure_future(member.run())
    running.add_done_callback(lambda _: processor.done.cancel())  # which is nothing once it is done
    try:
        return await processor.done
    finally:
        member.stop()
        await running


async def fold(stage: AnyStage, settings: KafkaSettings, log: KafkaLog) -> Seconds:
    """Adopt all that a stage wrote, as after a restart."""
    clocks = Clocks()
    processor = Processor(stage, log, Options(partitions=settings.partitions, owner="bench"), Metrics())
    await processor.adopt(range(settings.partitions))
    return clocks.seconds()


async def outputs(topic: str, settings: KafkaSettings, log: KafkaLog) -> dict[int, list[Struct | None]]:
    """Give what a stage wrote by partition and by the offset of the input that it answers; None for what is empty."""
    cls, ends = codec.MESSAGE_OF[topic], await log.bounds(topic, range(settings.partitions))
    spans = [Span(topic=topic, partition=number, start=0, stop=bounds.end) for number, bounds in ends.items()]
    found: dict[int, list[Struct | None]] = {number: [] for number in ends}
    async for batch in log.read(spans):
        answers = [record for record in batch if header(record, CLAIM) is None]
        decoded = [codec.decode(record.value, cls) if record.value else None for record in answers]
        found[batch[0].partition].extend(decoded)
    return found


async def bare(
    stage: AnyStage, settings: KafkaSettings, log: KafkaLog, decode: Callable[[bytes], object], inputs: int
) -> Seconds:
    """Read what a stage read, decode each, encode what the stage answered, write it acknowledged, and nothing else.

    Args:
        stage: has answered its owned input, from offset 0 on.
        settings: where.
        log: the same, to look up the answers before the clocks run.
        decode: reads an input as the stage does.
        inputs: how many.
    """
    answers = await outputs(stage.output, settings, log)
    topic = f"{settings.topic_prefix}.{stage.owned_input}.v1"
    target = f"{settings.topic_prefix}.{BARE_OUTPUT}.v1"
    consumer = AIOKafkaConsumer(bootstrap_servers=settings.bootstrap, auto_offset_reset="earliest")
    producer = AIOKafkaProducer(bootstrap_servers=settings.bootstrap, acks="all", enable_idempotence=True)
    await consumer.start()
    await producer.start()
    consumer.assign([TopicPartition(topic, number) for number in range(settings.partitions)])
    clocks: Clocks | None = None
    while inputs > 0:
        found = await consumer.getmany(timeout_ms=1000, max_records=BATCH)
        clocks = clocks or Clocks()
        sent = []
        for place, raws in found.items():
            inputs -= len(raws)
            for raw in raws:
                answer = answers[place.partition][raw.offset]
                if raw.value and answer is not None:
                    decode(raw.value)
                    headers = [("cause", b"%s:%d:%d" % (place.topic.encode(), place.partition, raw.offset))]
                    value = codec.encode(answer)
                    sent.append(await producer.send(target, value, partition=place.partition, headers=headers))
        await asyncio.gather(*sent)
    took = (clocks or Clocks()).seconds()
    await consumer.stop()
    await producer.stop()
    return took


async def line_figures(
    stage: AnyStage, settings: KafkaSettings, log: KafkaLog, decode: Callable[[bytes], object]
) -> dict[str, float]:
    """Give what a stage does a second, beside a bare loop. All of its input is there; what claims it counts too."""
    assert stage.owned_input is not None
    ends = await log.bounds(stage.owned_input, range(settings.partitions))
    inputs = sum(bounds.end for bounds in ends.values())
    line = await run(stage, settings, log, inputs)
    loop = await bare(stage, settings, log, decode, inputs)
    return {
        "events_per_s": inputs / line.wall,
        "events_per_s_undisturbed": inputs / line.undisturbed,
        "events_per_cpu_s": inputs / line.cpu,
        "ratio_to_bare_loop": loop.wall / line.wall,
        "ratio_to_bare_loop_undisturbed": loop.undisturbed / line.undisturbed,
        "ratio_to_bare_loop_by_cpu": loop.cpu / line.cpu,
    }


async def fold_figures(stage: AnyStage, settings: KafkaSettings, log: KafkaLog, records: int) -> dict[str, float]:
    """Give what a stage folds a second. It writes claims: whoever reads its output has read it before."""
    folded = await fold(stage, settings, log)
    return {
        "fold_records_per_s_undisturbed": records / folded.undisturbed,
        "fold_records_per_cpu_s": records / folded.cpu,
    }


def medians(rounds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Give the median of each figure: ratios with two digits, the rest whole."""
    found = {name: statistics.median([figure[name] for figure in rounds]) for name in rounds[0]}
    return {name: round(value, 2) if "ratio" in name else round(value) for name, value in found.items()}
