"""What a processor tells of itself: metrics, and one line of log an adoption or an incident, never one a message."""

from collections.abc import Mapping
from typing import Any, Final

from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.partition import AnyStage, Aside, Partition
from stanchion_runtime.reader_rule import Verdict

_WHY: Final = {Verdict.STALE: "epoch", Verdict.SEEN: "seen", Verdict.GAP: "gap", Verdict.CLAIM: "claim"}


class Observer:
    """Turns what happens to one stage into metrics and log lines."""

    def __init__(self, stage: AnyStage, metrics: Metrics) -> None:
        self._stage = stage
        self._metrics = metrics
        self._batch_size = metrics.batch_size.labels(stage.name)
        self._handler_seconds = metrics.handler_seconds.labels(stage.name)
        self._batch_seconds = metrics.batch_seconds.labels(stage.name)
        self._counters: dict[tuple[str, int], tuple[Any, Any, Any]] = {}

    def released(self) -> None:
        """Nothing is owned any more: what was said of single partitions is for others to say."""
        self._counters.clear()
        for gauge in (self._metrics.position, self._metrics.lag, self._metrics.epoch):
            gauge.clear()
        self._metrics.owned.labels(self._stage.name).set(0)

    def adopted(self, claims: Mapping[int, int], took_s: float) -> None:
        """Partitions are owned, under claims with these offsets."""
        name, records = self._stage.name, sum(claims.values()) + len(claims)
        self._metrics.owned.labels(name).set(len(claims))
        self._metrics.fold_records.labels(name).inc(records)
        for number, claim in claims.items():
            self.claimed(number, claim)
            self._metrics.fold_seconds.labels(name, str(number)).set(took_s)
        logger().info("adopted", partitions=sorted(claims), records=records, seconds=round(took_s, 3))

    def claimed(self, number: int, claim: int) -> None:
        """A partition has a new epoch."""
        self._metrics.epoch.labels(self._stage.name, str(number)).set(claim)

    def answered(
        self,
        owned: Mapping[int, Partition],
        counts: Mapping[tuple[str, int], int],
        aside: Aside,
        decided_s: float,
        took_s: float,
    ) -> None:
        """A batch is acknowledged.

        Args:
            owned: the partitions.
            counts: inputs answered, by topic and partition.
            aside: what was set aside and dropped.
            decided_s: time in the handler.
            took_s: time altogether.
        """
        total = 0
        for (topic, number), count in counts.items():
            total += count
            inputs, outputs, position = self._counters.get((topic, number)) or self._make_counters(topic, number)
            inputs.inc(count)
            outputs.inc(count)
            position.set(owned[number].rule.next_of(topic))
        self._batch_size.observe(total)
        self._handler_seconds.observe(decided_s)
        self._batch_seconds.observe(took_s)
        for verdict, count in aside.dropped.items():
            self._metrics.dropped.labels(self._stage.name, self._stage.owned_input, _WHY[verdict]).inc(count)
        if Verdict.GAP in aside.dropped:
            logger().error("gap in the causes of the input; everything up to its next claim is dropped")

    def set_aside(self, aside: Aside) -> None:
        """Dead letters are written."""
        for letter in aside.letters:
            self._metrics.dead_letters.labels(self._stage.name, letter.error.code).inc()
        if aside.letters:
            record, error = aside.letters[0].record, aside.letters[0].error
            first = f"{record.topic}:{record.partition}:{record.offset}"
            logger().warning("dead letters", n=len(aside.letters), first=first, code=error.code)

    def _make_counters(self, topic: str, number: int) -> tuple[Any, Any, Any]:
        """Give the counters of one input partition and keep them: looking them up costs more than counting."""
        name, metrics = self._stage.name, self._metrics
        made = (
            metrics.inputs.labels(name, topic, str(number)),
            metrics.outputs.labels(name, self._stage.output, str(number)),
            metrics.position.labels(name, topic, str(number)),
        )
        self._counters[topic, number] = made
        return made
