import pytest

from stanchion_runtime.log import Log, Outgoing
from stanchion_runtime.memory import MemoryLog
from support.log_suite import LogSuite, read_all, span


class TestMemoryLog(LogSuite):
    """The memory log passes the suite of logs."""

    @pytest.fixture
    def log(self) -> Log:
        """A log of its own for each test."""
        return MemoryLog(partitions=6)


async def test_what_expired_cannot_be_read() -> None:
    """Offsets stay when retention takes the first records away."""
    log = MemoryLog(partitions=1)
    log.write("inbox", 0, [Outgoing(value=b"%d" % n) for n in range(5)])
    log.expire("inbox", 0, 3)
    assert [b"3", b"4"] == [record.value for record in await read_all(log, span("inbox", 0, 3, 5))]
    with pytest.raises(LookupError):
        await read_all(log, span("inbox", 0, 2, 5))
