import pytest
from aiokafka.consumer import fetcher
from aiokafka.record import default_records
from aiokafka.record.memory_records import MemoryRecords

from stanchion_runtime.header_names import AnyNames, read_any


class _Raw(str):
    """A header's name as another client writes it."""

    __slots__ = ()

    def encode(self, *_: str) -> bytes:
        """Give bytes that are no UTF-8."""
        return b"k\xff"


def fetched() -> bytes:
    """Give what a broker serves: two batches, the second with a header whose name is no UTF-8."""
    batches = []
    for offset, headers in enumerate(([("plain", b"1")], [("plain", None), (_Raw("k"), b"2")])):
        builder = default_records._DefaultRecordBatchBuilderPy(
            magic=2,
            compression_type=0,
            is_transactional=0,
            producer_id=-1,
            producer_epoch=-1,
            base_sequence=-1,
            batch_size=10_000,
        )
        builder.append(0, timestamp=5, key=b"key", value=b"v%d" % offset, headers=headers)
        batch = builder.build()
        batch[:8] = offset.to_bytes(8, "big")
        batches.append(bytes(batch))
    return b"".join(batches)


def test_a_name_that_is_no_utf_8_is_replaced() -> None:
    """The library's own reader fails on the record; ours reads it, and everything else as aiokafka does."""
    data = fetched()
    plain = MemoryRecords(data)
    expected = next(iter(plain.next_batch()))
    with pytest.raises(UnicodeDecodeError):
        next(iter(plain.next_batch()))
    records = AnyNames(data)
    first, second = (next(iter(records.next_batch())) for _ in range(2))
    assert (False, None) == (records.has_next(), records.next_batch())
    assert [getattr(expected, name) for name in ("offset", "timestamp", "key", "value", "headers")] == [
        getattr(first, name) for name in ("offset", "timestamp", "key", "value", "headers")
    ]
    assert (1, b"v1", [("plain", None), ("k\ufffd", b"2")]) == (second.offset, second.value, second.headers)


def test_a_process_changes_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time there is nothing to change, so whatever fails then is something else."""
    monkeypatch.setattr(fetcher, "MemoryRecords", MemoryRecords)
    assert (True, False) == (read_any(), read_any())
