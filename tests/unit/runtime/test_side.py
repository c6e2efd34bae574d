"""Work beside the line, over a log in memory: what counts, what is committed, what is seen ahead."""

import asyncio
from collections.abc import Sequence

import pytest

from stanchion_core.errors import Transient
from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.side import Addressed, Side, Stall, Worked

CLAIM = Outgoing(value=b"", headers=(("claim", b"x"),))


def output(epoch: int, cause: int, value: bytes = b"v") -> Outgoing:
    """Give an output of ingest."""
    return Outgoing(value=value, headers=(("cause", b"inbox:0:%d" % cause), ("epoch", b"%d" % epoch)))


class Bench:
    """Work that a test lets finish, on the records of one partition.

    Attributes:
        log: the log.
        worked: under test.
        seen: offsets seen ahead.
        begun: offsets whose work began.
        errors: of the work.
    """

    def __init__(self, at_once: int = 2) -> None:
        self.log = MemoryLog(partitions=1)
        self.seen: list[int] = []
        self.begun: list[int] = []
        self.errors: list[BaseException] = []
        self._gates: dict[int, asyncio.Event] = {}
        side = Side(
            name="bench",
            group="bench",
            topic="observations",
            outputs=("requests",),
            at_once=at_once,
            begin="first",
            adopted=lambda _: self.seen.clear(),
            ahead=lambda record: self.seen.append(record.offset),
            work=self._work,
            facts=dict,
        )
        self.worked = Worked(side, self.log, self.errors.append)

    def write(self, *records: Outgoing) -> None:
        """Append to the topic that is read."""
        self.log.write("observations", 0, records)

    async def take(self, *offsets: int) -> list[int | None]:
        """Have records taken, as they were read."""
        records = self.log.records("observations", 0)
        return [await self.worked.take(records[offset]) for offset in offsets]

    async def finish(self, *offsets: int) -> None:
        """Let the work on records finish."""
        for offset in offsets:
            self._gates[offset].set()
        for _ in range(10):
            await asyncio.sleep(0)

    def published(self) -> list[bytes]:
        """Give what was published."""
        return [record.value for record in self.log.records("requests", 0)]

    async def _work(self, record: Record) -> Sequence[Addressed]:
        self.begun.append(record.offset)
        self._gates[record.offset] = asyncio.Event()
        await self._gates[record.offset].wait()
        if record.value == b"bad":
            raise Transient("away")
        return [("requests", Outgoing(value=b"%d" % record.offset))]


async def begun(bench: Bench, offset: int) -> None:
    """Begin at an offset that the group committed, and let tasks run."""
    bench.worked.begin({0: offset})
    await asyncio.sleep(0)


async def test_only_what_counts_is_worked_on() -> None:
    """Claims and a superseded owner's late outputs are passed over, also where reading begins behind the claims."""
    bench = Bench(at_once=9)
    bench.write(CLAIM, output(0, 0), output(0, 1), CLAIM, output(0, 2), output(3, 2), output(0, 3), output(3, 3))
    await begun(bench, 2)
    await bench.take(2, 3, 4, 5, 6, 7)
    await bench.finish()
    assert [2, 5, 7] == bench.begun
    assert [2, 5, 7] == bench.seen
    await bench.finish(2, 5, 7)
    assert ([b"2", b"5", b"7"], {0: 8}) == (bench.published(), bench.worked.committable())


async def test_nothing_is_committed_before_all_before_it_is_published() -> None:
    """Work ends in any order; what is committed is up to the first that has not ended."""
    bench = Bench(at_once=9)
    bench.write(CLAIM, *(output(0, cause) for cause in range(4)))
    await begun(bench, 1)
    await bench.take(1, 2, 3, 4)
    await bench.finish()
    assert {0: 1} == bench.worked.committable()
    await bench.finish(3, 2)
    assert ({0: 1}, [b"3", b"2"]) == (bench.worked.committable(), bench.published())
    await bench.finish(1)
    assert {0: 4} == bench.worked.committable()


async def test_so_many_at_once() -> None:
    """The next record waits for a place."""
    bench = Bench(at_once=2)
    bench.write(CLAIM, *(output(0, cause) for cause in range(3)))
    await begun(bench, 0)
    await bench.take(0, 1, 2)
    third = asyncio.ensure_future(bench.take(3))
    await bench.finish()
    assert ([1, 2], 2) == (bench.begun, bench.worked.in_flight)
    await bench.finish(2)
    await third
    await bench.finish()
    assert [1, 2, 3] == bench.begun


async def test_records_that_do_not_follow() -> None:
    """One from before is let go; one from past what is committed has its partition read again, once."""
    bench = Bench(at_once=9)
    bench.write(CLAIM, *(output(0, cause) for cause in range(4)))
    assert [None] == await bench.take(1)  # nothing is assigned yet
    await begun(bench, 1)
    assert [1, None] == await bench.take(3, 4)
    assert [None, None, None] == await bench.take(1, 1, 2)
    await bench.finish()
    assert [1, 2] == bench.begun
    assert [3] == await bench.take(4)


async def test_records_that_are_gone_are_told() -> None:
    """Where the log begins past what is committed nothing can follow: it is said instead of read again for ever."""
    bench = Bench()
    bench.write(CLAIM, *(output(0, cause) for cause in range(4)))
    await begun(bench, 1)
    (kept,) = bench.log.records("observations", 0, 4)
    bench.log.expire("observations", 0, 3)
    with pytest.raises(Inconsistent, match="offset 1 is next and the log begins at 3"):
        await bench.worked.take(kept)


async def test_another_assignment_ends_the_work() -> None:
    """What others may have begun is not published any more, and is done again where it is assigned again."""
    bench = Bench()
    bench.write(CLAIM, output(0, 0), output(0, 1))
    await begun(bench, 1)
    await bench.take(1, 2)
    await bench.finish()
    await bench.finish(2)
    bench.worked.release()
    await bench.finish(1)
    assert ([b"2"], {}, 0) == (bench.published(), bench.worked.committable(), bench.worked.in_flight)
    await begun(bench, 1)
    await bench.take(1, 2)
    await bench.finish()
    await bench.finish(1, 2)
    assert ([1, 2, 1, 2], {0: 3}, []) == (bench.begun, bench.worked.committable(), bench.errors)


async def test_what_is_there_already_is_seen_ahead() -> None:
    """From the first uncommitted record to the end of the partition when it is adopted, then each as it comes, once."""
    bench = Bench(at_once=9)
    bench.write(CLAIM, *(output(0, cause) for cause in range(3)))
    await begun(bench, 2)
    await bench.take(2)
    assert [2, 3] == bench.seen
    bench.write(output(0, 3))
    await bench.take(3, 4)
    assert [2, 3, 4] == bench.seen


async def test_an_error_of_the_work_is_told() -> None:
    """It ends the process: going on would pass over the record."""
    bench = Bench()
    bench.write(CLAIM, output(0, 0, b"bad"))
    await begun(bench, 1)
    await bench.take(1)
    await bench.finish()
    await bench.finish(1)
    assert ["away"] == [str(error) for error in bench.errors]
    assert {0: 1} == bench.worked.committable()


@pytest.mark.parametrize("ends", [True, False])
async def test_a_stop_waits_for_the_work_in_hand(*, ends: bool) -> None:
    """It is waited for within a time; what takes longer is done again after the next start. Nothing new is begun."""
    bench = Bench()
    bench.write(CLAIM, output(0, 0), output(0, 1))
    await begun(bench, 1)
    await bench.take(1)
    await bench.finish()
    draining = asyncio.ensure_future(bench.worked.drain(60.0 if ends else 0.0))
    await asyncio.sleep(0)
    await bench.take(2)
    await bench.finish(*([1] if ends else []))
    await draining
    expected: tuple[dict[int, int], list[bytes]] = ({0: 2}, [b"1"]) if ends else ({0: 1}, [])
    assert expected == (bench.worked.committable(), bench.published())
    assert [1] == bench.begun


def test_a_process_that_reads_nothing_is_noticed() -> None:
    """Records wait, nothing is worked on and nothing moves; or nothing is assigned. Anything else is no stall."""

    def told(times: list[float], **facts: object) -> str:
        stall = Stall(10)
        given = {"ready": True, "busy": False, "lag": 3, "done": {0: 1}, **facts}
        return [stall.look(now_s, **given) for now_s in times][-1]  # type: ignore[arg-type] # made to measure

    assert "3 records wait and none is read for 10 s" == told([0, 5, 11, 16])
    assert "no partitions were given to read for 10 s" == told([0, 11], ready=False, lag=0)
    assert "" == told([0, 9])
    assert "" == told([0, 11, 22], busy=True)
    assert "" == told([0, 11, 22], lag=0)
    stall = Stall(10)
    looks = [stall.look(now_s, ready=True, busy=False, lag=3, done={0: int(now_s)}) for now_s in (0.0, 11.0, 22.0)]
    assert ["", "", ""] == looks
