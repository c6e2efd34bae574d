"""The processor as it is wired, over the log in memory."""

import hashlib
import subprocess
import sys
from collections.abc import Sequence

import pytest

from stanchion_audit.app import build
from stanchion_audit.handler import SeqGap
from stanchion_contracts import codec
from stanchion_contracts.change import Change, Changes
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.topics import REGISTER
from stanchion_core.ids import partition_of
from stanchion_runtime.log import CAUSE, EPOCH, Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from support.changes import CLAIM_RECORD, belief_moved, changes, notarised, receipt, record_written

PARTITIONS = 2
HOME = partition_of("docs", PARTITIONS)


def on_changes(messages: Sequence[Changes], first: int = 0) -> list[Outgoing]:
    """Give messages as validity appends them after its claim."""
    return [
        Outgoing(
            value=codec.encode(message),
            headers=((CAUSE, f"beliefs:{HOME}:{first + at}".encode()), (EPOCH, b"0")),
        )
        for at, message in enumerate(messages)
    ]


async def run(log: MemoryLog) -> Processor:
    """Adopt the partition and answer everything that waits."""
    processor = Processor(build(), log, Options(partitions=PARTITIONS, owner="test"), Metrics())
    places = await processor.adopt([HOME])
    for topic in ("changes", "receipts"):
        await processor.process(log.records(topic, HOME, places[topic, HOME]))
    return processor


def ledger(log: MemoryLog) -> list[bytes]:
    """Give what was written, without claims and empty outputs."""
    values = [record.value for record in log.records("ledger", HOME) if dict(record.headers).get(CAUSE)]
    return [value for value in values if value]


def history() -> list[Changes]:
    """Give a history of changes, one message without any."""
    return [
        changes(1, record_written(1), belief_moved(2)),
        changes(2, last_seq=2),
        changes(3, belief_moved(3)),
        changes(4, record_written(4)),
    ]


def fresh() -> MemoryLog:
    """Give a log whose changes have an owner."""
    log = MemoryLog(partitions=PARTITIONS)
    log.write("changes", HOME, [CLAIM_RECORD])
    return log


async def test_changes_and_receipts_go_into_the_ledger() -> None:
    """Each message with changes, and each receipt, has its output; a message without changes an empty one."""
    log = fresh()
    log.write("changes", HOME, on_changes(history()))
    log.write("receipts", HOME, [Outgoing(value=codec.encode(receipt(9)))])
    await run(log)
    outputs = [codec.decode(value, Ledger) for value in ledger(log)]
    assert [("changes", 2), ("changes", 3), ("changes", 4), ("receipts", 1)] == [
        (output.tree, output.size) for output in outputs
    ]
    causes = [dict(record.headers).get(CAUSE) for record in log.records("ledger", HOME)]
    assert f"changes:{HOME}:2".encode() in causes


async def test_a_crash_anywhere_gives_the_same_ledger_byte_for_byte() -> None:
    """Whichever message a process dies after, the next one folds what is written and goes on to the same bytes."""
    undisturbed = fresh()
    undisturbed.write("changes", HOME, on_changes(history()))
    await run(undisturbed)
    for crash in range(len(history())):
        log = fresh()
        log.write("changes", HOME, on_changes(history()[:crash]))
        await run(log)
        log.write("changes", HOME, on_changes(history()[crash:], first=crash))
        processor = await run(log)
        assert ledger(undisturbed) == ledger(log)
        assert 4 == processor.owned[HOME].state.heads["docs", "changes"].tree.size


async def test_a_gap_stops_the_process_and_names_the_record() -> None:
    """A change that does not follow ends the process before anything of its batch is written."""
    log = fresh()
    parts: tuple[Change, ...] = (record_written(7),)
    log.write("changes", HOME, on_changes([changes(1, *parts)]))
    with pytest.raises(SeqGap) as caught:
        await run(log)
    assert any(f"changes:{HOME}:1" in note for note in caught.value.__notes__)
    assert [] == ledger(log)


def test_the_wiring_is_what_the_register_says() -> None:
    """Inputs and output are the topics whose consumer or producer audit is."""
    stage = build()
    consumed = {key for key, topic in REGISTER.items() if "audit" in topic.consumers}
    produced = {key for key, topic in REGISTER.items() if "audit" in topic.producers}
    assert (consumed, produced) == (set(stage.inputs), {stage.output})


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    """Interpreters with other hash seeds write the same ledger as this one."""
    outputs = notarised(changes(1, record_written(1), belief_moved(2)), receipt(2))
    here = hashlib.sha256(b"".join(codec.encode(output) for output in outputs)).hexdigest()
    program = (
        "import hashlib; from support.changes import *; from stanchion_contracts import codec;"
        "print(hashlib.sha256(b''.join(codec.encode(o) for o in notarised("
        "changes(1, record_written(1), belief_moved(2)), receipt(2)))).hexdigest())"
    )
    for seed in ("0", "4711"):
        env = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)  # noqa: S603 - our own text
        assert here == done.stdout.strip()
