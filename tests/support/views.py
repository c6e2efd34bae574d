"""A view's replica over a DuckDB file, and the batches it is fed."""

from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

from stanchion_contracts.ledger import Ledger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.tail import Batch
from stanchion_view.app import base_vocabulary
from stanchion_view.replica import Replica
from stanchion_view.store import Store
from support.ledgers import records

PARTITIONS = 4


def store_at(path: Path) -> Store:
    """A store with small memory."""
    return Store(path, memory_mb=128, threads=1, checkpoint_mb=16)


def replica_at(path: Path, *, recent: int = 1_000, batch: int = 500) -> Replica:
    """A replica of every partition."""
    return Replica(
        store_at(path),
        base_vocabulary(),
        partitions=range(PARTITIONS),
        partition_count=PARTITIONS,
        batch=batch,
        recent=recent,
        metrics=Metrics(),
    )


def batch_of(messages: Sequence[Ledger], *, partition: int = 0, first: int = 1) -> Batch:
    """Messages as they come from a partition, from an offset on."""
    read = tuple(records(messages, partition=partition, first=first))
    after = first + len(messages)
    return Batch(partition=partition, records=read, position=after, up=f"0|changes={after - 1}")


async def stream(batches: Iterable[Batch]) -> AsyncIterator[Batch]:
    """Batches as a tail gives them, then the end."""
    for batch in batches:
        yield batch
