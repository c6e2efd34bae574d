"""Wiring: `inbox` and `requests` in, `observations` out."""

import functools
from collections.abc import Callable

from stanchion_contracts.observation import Observation
from stanchion_ingest.handler import Arrival, State, decide, evolve
from stanchion_ingest.settings import IngestSettings
from stanchion_runtime import clock, worker
from stanchion_runtime.settings import KafkaSettings, read
from stanchion_runtime.stage import Record, Stage


def build(
    partitions: int, now_us: Callable[[], int] = clock.now_us, new_seed: Callable[[], bytes] = clock.new_seed
) -> Stage[State, Arrival, Observation]:
    """Give the stage.

    Args:
        partitions: how many every topic has.
        now_us: stamps what arrives.
        new_seed: gives 16 random bytes.
    """

    def arrive(record: Record) -> Arrival:
        """Stamp a record; its bytes are read by `decide`."""
        return Arrival(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            value=record.value,
            headers=record.headers,
            received_at_us=now_us(),
            seed=new_seed(),
        )

    return Stage(
        name="ingest",
        inputs=("inbox", "requests"),
        output="observations",
        initial=State,
        decode={"inbox": arrive, "requests": arrive},
        decide=functools.partial(decide, partitions=partitions),
        evolve=evolve,
        dead_letters=True,
    )


def main() -> None:
    """Run until told to stop."""
    with worker.prepared("ingest"):
        kafka, settings = read(KafkaSettings), read(IngestSettings)
    worker.run(build(kafka.partitions), settings, kafka)
