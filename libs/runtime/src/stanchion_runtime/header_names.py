"""Header names that are no UTF-8: Kafka takes them from any publisher, and aiokafka cannot read a record that has one.

Whoever may write to the inbox could stop ingest with one record. So a member that meets one has this process read the
slow way from then on: aiokafka's own reader in Python, about a tenth as fast, with what is no UTF-8 replaced.
"""

from typing import Any, SupportsIndex

from aiokafka.consumer import fetcher
from aiokafka.record import default_records, memory_records


class _Bytes(bytearray):
    """Bytes that are decoded whatever they are; so are the slices of them."""

    def __getitem__(self, where: SupportsIndex | slice) -> Any:  # noqa: ANN401 - int or bytes
        """Give one byte or a slice."""
        found = super().__getitem__(where)
        return _Bytes(found) if isinstance(found, bytearray) else found

    def decode(self, encoding: str = "utf-8", errors: str = "replace") -> str:
        """Give the text."""
        return super().decode(encoding, errors)


class AnyNames(memory_records._MemoryRecordsPy):  # type: ignore[misc] # noqa: SLF001 - aiokafka ships no types; pinned
    """The records of one fetch, whatever their headers are called."""

    def next_batch(self, *_: int) -> Any:  # noqa: ANN401 - aiokafka's own
        """Give the next batch, None after the last."""
        whole = self._next_slice
        if whole is None or whole[self.MAGIC_OFFSET] < 2:  # noqa: PLR2004 - older records have no headers
            return super().next_batch()
        self._cache_next()
        batch = default_records._DefaultRecordBatchPy(whole)  # noqa: SLF001 - as above
        batch._buffer = _Bytes(batch._buffer)  # noqa: SLF001 - as above
        return batch


def read_any() -> bool:
    """Have what this process fetches from now on read with any header names; False when it is already."""
    if fetcher.MemoryRecords is AnyNames:
        return False
    fetcher.MemoryRecords = AnyNames
    return True
