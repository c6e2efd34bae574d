"""The way onto the line and back."""

import asyncio

import pytest

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.refusal import Refusal
from stanchion_ingest.line import Line
from stanchion_ingest.rpc import answered
from stanchion_runtime import rpc
from stanchion_runtime.log import CAUSE, EPOCH, Outgoing
from stanchion_runtime.memory import MemoryLog
from support.arrivals import request
from support.callers import calling
from support.decider import Decider, Message

MESSAGE = request()


def landed(message: Message, seq: int) -> Changes:
    """Say that a message changed something."""
    return Changes(meta=message.meta, recorded_at_us=message.meta.time_us, last_seq=seq + 1)


async def test_answer_comes_back(line: Line, decider: Decider) -> None:
    """What is asked lands on its workspace's partition, and what was decided about it comes back with its seq."""
    decider.decide = landed
    calling()
    answer = await line.ask("requests", "acme", MESSAGE, 5.0)
    assert (1, MESSAGE.meta) == (answer.min_seq, answer.changes and answer.changes.meta)
    assert [MESSAGE] == decider.seen
    assert {"waiting": 0, "bytes": 0} == line.load()


async def test_empty_answer_says_the_last_seq_seen(line: Line, decider: Decider) -> None:
    """An empty output is answered by the workspace's last seq, so that a read sees what came before."""
    decider.decide = landed
    await line.ask("requests", "acme", MESSAGE, 5.0)
    decider.decide = lambda message, seq: None  # noqa: ARG005 - the shape of a mind
    answer = await line.ask("requests", "acme", MESSAGE, 5.0)
    assert (None, 1) == (answer.changes, answer.min_seq)


async def test_min_seq_of_a_workspace_never_seen(line: Line, decider: Decider) -> None:
    """A gateway that has just begun answers a repeat with the seq that validity says, not with what it saw itself."""
    decider.decide = lambda message, _seq: Changes(meta=message.meta, recorded_at_us=1, last_seq=7, repeated=True)
    answer = answered(await line.ask("requests", "acme", MESSAGE, 5.0))
    assert (0, 7, True) == (answer.first_seq, answer.min_seq, answer.repeated_command)


async def test_what_was_set_aside_is_a_refusal(line: Line, decider: Decider) -> None:
    """A message that became a dead letter on its way answers its caller with why, not with success."""
    waiting = line.expect("acme")
    why = "TOO_MANY claim 3 of orders: 201 claims"
    headers = (("dead_letter", why.encode()), *line.headers(waiting))
    await decider.write(line.partition("acme"), b"", headers)
    answer = await waiting.answer
    assert Refusal(reason="TOO_MANY", detail="claim 3 of orders: 201 claims") == answer.refusal
    with pytest.raises(rpc.Refused, match="TOO_MANY: claim 3"):
        answered(answer)


async def test_answers_of_others_are_left_alone(line: Line, log: MemoryLog, decider: Decider) -> None:
    """An answer to another gateway, or under an epoch that is over, resolves nobody here."""
    waiting = line.expect("acme")
    partition = line.partition("acme")
    stolen = tuple(pair if pair[0] != "reply_to" else ("reply_to", b"another") for pair in line.headers(waiting))
    value = codec.encode(landed(MESSAGE, 4))
    await decider.write(partition, value, stolen)
    stale = ((CAUSE, f"beliefs:{partition}:1".encode()), (EPOCH, b"77"), *line.headers(waiting))
    log.write("changes", partition, [Outgoing(value=value, headers=stale)])
    await line.ask("requests", "acme", MESSAGE, 5.0)  # comes behind them on the same partition
    assert not waiting.answer.done()
    line.forget(waiting)


async def test_time_is_up(line: Line) -> None:
    """A deadline that passes says that the outcome is unknown and to try the same again; nothing stays in hand."""
    with pytest.raises(rpc.Refused) as caught:
        await line.ask("receipts", "acme", MESSAGE, 0.0)  # nobody answers there
    assert "OUTCOME_UNKNOWN" == caught.value.reason
    assert "same id or idempotency key" in caught.value.detail
    assert {"waiting": 0, "bytes": 0} == line.load()


async def test_too_many_wait(line: Line) -> None:
    """One caller more than may wait is refused, and told when to come again."""
    waiting = [line.expect("acme") for _ in range(8)]
    with pytest.raises(rpc.Refused) as caught:
        line.expect("acme")
    assert ("OVERLOADED", 0.5) == (caught.value.reason, caught.value.retry_after_s)
    line.forget(waiting[0])
    line.forget(line.expect("acme"))


async def test_too_many_bytes(line: Line) -> None:
    """More bytes than may be in hand are refused."""
    with line.held(999_999), pytest.raises(rpc.Refused, match="OVERLOADED"), line.held(2):
        pass
    assert 0 == line.load()["bytes"]


async def test_restart_knows_the_last_seqs(log: MemoryLog, decider: Decider) -> None:
    """A gateway that starts reads back to the last claim, so it knows the seqs and lets only live answers count."""
    await decider.claim()
    for seq in range(3):
        await decider.write(0, codec.encode(landed(MESSAGE, seq)))
    again = Line(log, 4, most_waiting=1, most_bytes=1)
    await again.catch_up()
    assert {"acme": 3} == again.last_seqs


async def test_trace_goes_along(line: Line, decider: Decider) -> None:
    """Correlation and reply-to are on what is asked, and another gateway's name after each start."""
    await line.ask("requests", "acme", MESSAGE, 5.0)
    names = {name for name, _ in decider.headers[0]}
    assert {"correlation_id", "reply_to"} <= names
    assert line.name != Line(MemoryLog(), 12, most_waiting=1, most_bytes=1).name


async def test_following_needs_catching_up(log: MemoryLog) -> None:
    """A line that did not catch up refuses to follow."""
    with pytest.raises(RuntimeError, match="catch_up"):
        await Line(log, 4, most_waiting=1, most_bytes=1).follow()


async def test_listeners_hear_everything(line: Line, decider: Decider) -> None:
    """What was decided for anybody reaches the listeners."""
    heard: list[Changes] = []
    done = asyncio.Event()

    def hear(changes: Changes) -> None:
        heard.append(changes)
        done.set()

    line.listen(hear)
    await decider.write(0, codec.encode(landed(MESSAGE, 6)))
    await done.wait()
    assert [7] == [changes.last_seq for changes in heard]
