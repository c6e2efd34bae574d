"""Dead letters as they are read back from their topic."""

from stanchion_local.deadletters import read_newest, read_one
from stanchion_runtime.deadletter import TOPIC, letter
from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.memory import MemoryLog


def refused(log: MemoryLog, partition: int, offset: int, time_us: int) -> None:
    """Puts the dead letter of one input into the topic."""
    record = Record(
        topic="inbox",
        partition=partition,
        offset=offset,
        timestamp_us=0,
        value=b"\xffraw",
        headers=(("ce_id", b"7"),),
    )
    log.write(TOPIC, partition, [letter("ingest", record, "UNREADABLE", f"no event {offset}", time_us)])


async def test_the_newest_of_all_partitions() -> None:
    """The newest come first whatever their partition, one that was written twice comes once, without its bytes."""
    log = MemoryLog(partitions=3)
    for partition, offset, time_us in ((0, 1, 10), (2, 5, 30), (2, 5, 30), (1, 2, 20), (0, 9, 40)):
        refused(log, partition, offset, time_us)
    found = await read_newest(log, 3)
    assert ["inbox:0:9", "inbox:2:5", "inbox:1:2"] == [each.cause for each in found.letters]
    assert (5, {b""}, {()}) == (
        found.total,
        {each.raw for each in found.letters},
        {each.headers for each in found.letters},
    )


async def test_one_of_them_whole() -> None:
    """By its cause a dead letter comes with its headers and the message as it was; what is not there is None."""
    log = MemoryLog(partitions=2)
    refused(log, 1, 4, 10)
    found = await read_one(log, "inbox:1:4")
    assert found is not None
    assert (b"\xffraw", [("ce_id", b"7")]) == (found.raw, [(each.name, each.value) for each in found.headers])
    assert await read_one(log, "inbox:1:5") is None


async def test_what_is_no_dead_letter_is_listed() -> None:
    """Anybody may write to the topic: what is none of ours is listed by its own place, and can be shown."""
    log = MemoryLog(partitions=1)
    log.write(TOPIC, 0, [Outgoing(value=b"junk")])
    (found,) = (await read_newest(log, 9)).letters
    assert ("deadletters:0:0", "UNREADABLE") == (found.cause, found.code)
    whole = await read_one(log, "deadletters:0:0")
    assert whole is not None
    assert b"junk" == whole.raw


async def test_an_empty_topic() -> None:
    """No dead letter is an answer."""
    assert 0 == (await read_newest(MemoryLog(partitions=2), 5)).total
