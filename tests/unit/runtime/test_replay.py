from pathlib import Path

import pytest
from structlog.testing import capture_logs

from stanchion_runtime.log import Outgoing, Record
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.replay import Difference, Replayed, differences, in_recorded_order, read, replay, write
from support.stages import front


async def recording() -> dict[str, tuple[Record, ...]]:
    """Give what two owners of a line recorded."""
    log = MemoryLog(partitions=2)
    for text in (b"a", b"bad", b"none"):
        log.write("inbox", 0, [Outgoing(value=text)])
        log.write("requests", 1, [Outgoing(value=text * 2, headers=(("correlation_id", b"c"),))])
        with capture_logs():
            owner = Processor(front(), log, Options(partitions=2, owner="x"), Metrics())
            places = await owner.adopt([0, 1])
            await owner.process([
                record for (topic, n), place in places.items() for record in log.records(topic, n, place)
            ])
    return {
        topic: tuple(record for n in range(2) for record in log.records(topic, n))
        for topic in ("inbox", "requests", "observations")
    }


async def test_a_recording_replays_to_the_same_bytes() -> None:
    """The same inputs in the recorded order give the outputs that count, byte for byte."""
    found = await recording()
    inputs = found["inbox"] + found["requests"]
    assert [] == list(differences(front(), inputs, found["observations"], 2))
    pairs = list(in_recorded_order(inputs, found["observations"]))
    answers = list(replay(front(), (record for record, _ in pairs), 2))
    assert [output.value for _, output in pairs] == [answer.value for answer in answers]
    assert "FIELD_VALUE" == answers[1].code
    assert (("correlation_id", b"c"),) == answers[3].headers[1:]


async def test_another_answer_is_named() -> None:
    """A version that answers otherwise shows at the first input where it does, with both outputs."""
    found = await recording()
    changed = list(differences(front(lambda: "new"), found["inbox"] + found["requests"], found["observations"], 2))
    assert ["inbox:0:0", "requests:1:0"] == [difference.cause.encode().decode() for difference in changed][:2]
    assert isinstance(changed[0], Difference)
    assert changed[0].recorded != changed[0].replayed


async def test_a_recording_without_an_input_is_refused() -> None:
    """An output whose input is not there cannot be replayed."""
    found = await recording()
    with pytest.raises(LookupError, match="requests:1:0"):
        list(in_recorded_order(found["inbox"], found["observations"]))


async def test_a_recording_is_kept_in_a_file(tmp_path: Path) -> None:
    """What was written is read again, every byte of it."""
    found = await recording()
    write(tmp_path / "front.msgpack", found)
    assert found == read(tmp_path / "front.msgpack")


async def test_an_input_given_twice_is_replayed_once() -> None:
    """A replay answers like an owner: what has its answer is passed over."""
    found = await recording()
    answers: list[Replayed] = list(replay(front(), found["inbox"] + found["inbox"], 2))
    assert 3 == len(answers)
