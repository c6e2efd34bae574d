"""What a log must do: one suite for the memory log and for Kafka. A test class mixes it in; `log` is its fixture."""

import asyncio

import pytest

from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_runtime.log import Bounds, Log, Outgoing, Record, Span
from stanchion_runtime.partition import MAX_VALUE_BYTES

HEADERS = (("cause", b"inbox:0:1"), ("again", b""), ("again", b"\xff"))


def batch(*values: bytes) -> list[Outgoing]:
    """Give what is appended, without headers."""
    return [Outgoing(value=value) for value in values]


async def read_all(log: Log, *spans: Span) -> list[Record]:
    """Read spans whole."""
    return [record async for records in log.read(spans) for record in records]


def span(topic: str, partition: int, start: int, stop: int) -> Span:
    """Give a span in one line."""
    return Span(topic=topic, partition=partition, start=start, stop=stop)


class LogSuite:
    """Tests of the port; each uses partitions and topics of its own, for the log lives as long as the module."""

    async def test_offsets_are_those_of_the_records(self, log: Log) -> None:
        """An append answers with the offset that each record is then read at, values and headers unchanged."""
        outgoing = [Outgoing(value=b"one", headers=HEADERS), Outgoing(value=b""), Outgoing(value=b"three")]
        first = await log.append("claims", 0, outgoing)
        second = await log.append("claims", 0, batch(b"four"))
        read = await read_all(log, span("claims", 0, 0, 4))
        assert list(first) + list(second) == [record.offset for record in read] == [0, 1, 2, 3]
        assert [(o.value, o.headers) for o in outgoing] == [(record.value, record.headers) for record in read[:3]]
        assert [("claims", 0)] * 4 == [(record.topic, record.partition) for record in read]

    async def test_only_the_span_is_read(self, log: Log) -> None:
        """A span gives its start and not its stop; an empty one gives nothing."""
        await log.append("beliefs", 0, batch(*(b"%d" % n for n in range(10))))
        read = await read_all(log, span("beliefs", 0, 3, 7), span("beliefs", 1, 0, 0))
        assert [b"3", b"4", b"5", b"6"] == [record.value for record in read]

    async def test_spans_of_several_partitions_are_read_together(self, log: Log) -> None:
        """Each partition comes whole and in its order, in batches of one partition."""
        for partition in (2, 3):
            await log.append("claims", partition, batch(*(b"%d" % n for n in range(1500))))
        found: dict[int, list[bytes]] = {2: [], 3: []}
        async for records in log.read([span("claims", 2, 0, 1500), span("claims", 3, 100, 1500)]):
            assert len({record.partition for record in records}) == 1
            found[records[0].partition].extend(record.value for record in records)
        assert [b"%d" % n for n in range(1500)] == found[2]
        assert [b"%d" % n for n in range(100, 1500)] == found[3]

    async def test_a_span_outside_the_partition_is_refused(self, log: Log) -> None:
        """What is not there is an error, not a silent wait."""
        with pytest.raises(LookupError):
            await read_all(log, span("changes", 0, 0, 1))

    async def test_bounds_grow_with_the_log(self, log: Log) -> None:
        """Bounds begin at nothing and end behind the last record."""
        assert {5: Bounds(begin=0, end=0)} == await log.bounds("claims", [5])
        await log.append("claims", 5, batch(b"a", b"b"))
        assert {5: Bounds(begin=0, end=2)} == await log.bounds("claims", [5])
        assert {} == await log.bounds("claims", [])

    async def test_partitions_are_counted(self, log: Log) -> None:
        """A topic of the register has as many partitions as it was made with."""
        assert await log.partitions("claims") == 6

    async def test_writers_do_not_tear_each_others_order(self, log: Log) -> None:
        """Two writers of one partition may interleave; each keeps its own order and learns its own offsets."""
        left, right = await asyncio.gather(*[
            log.append("ledger", 0, batch(*(b"%s%d" % (who, n) for n in range(50)))) for who in (b"l", b"r")
        ])
        values = {record.offset: record.value for record in await read_all(log, span("ledger", 0, 0, 100))}
        assert [b"l%d" % n for n in range(50)] == [values[offset] for offset in left]
        assert [b"r%d" % n for n in range(50)] == [values[offset] for offset in right]
        assert sorted(left) == list(left)

    async def test_the_largest_messages_pass(self, log: Log) -> None:
        """The largest output fits its topic, among small ones too, and so does a dead letter that holds one."""
        largest = bytes(MAX_VALUE_BYTES)
        assert len(await log.append("ledger", 1, [*batch(b"a", largest, b"b"), Outgoing(value=largest)])) == 4
        await log.append("deadletters", 1, batch(bytes(MAX_MESSAGE_BYTES + 1000)))
        read = await read_all(log, span("ledger", 1, 0, 4), span("deadletters", 1, 0, 1))
        assert [1, len(largest), 1, len(largest)] == [len(record.value) for record in read if record.topic == "ledger"]
        assert [MAX_MESSAGE_BYTES + 1000] == [len(record.value) for record in read if record.topic == "deadletters"]

    async def test_following_gives_what_is_there_and_what_comes(self, log: Log) -> None:
        """A follower gets the records from its start on, then new ones as they are appended."""
        await log.append("receipts", 4, batch(b"0", b"1", b"2"))
        following = log.follow("receipts", {4: 1, 5: 0})
        found = [record.value for record in await anext(following)]
        while len(found) < 2:
            found += [record.value for record in await anext(following)]
        coming = asyncio.ensure_future(anext(following))
        await log.append("receipts", 5, batch(b"3"))
        found += [record.value for record in await coming]
        assert [b"1", b"2", b"3"] == found
        await following.aclose()

    async def test_a_follower_can_be_cancelled(self, log: Log) -> None:
        """A waiting follower ends when its task is cancelled."""
        waiting = asyncio.ensure_future(anext(log.follow("receipts", {0: 0})))
        await asyncio.wait([waiting], timeout=0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    async def test_a_follower_does_not_start_outside_the_partition(self, log: Log) -> None:
        """A start behind the end is an error: the topic is not the one the position is of."""
        with pytest.raises(LookupError):
            await anext(log.follow("receipts", {3: 7}))
