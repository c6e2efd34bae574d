"""What the gateway publishes by itself."""

import asyncio
from collections.abc import Callable, Iterable
from typing import cast

import msgspec
import pytest

from stanchion_contracts import codec
from stanchion_contracts.change import Action, Change, Changes
from stanchion_contracts.observation import HOUR_US, Reassess, Request, Tick
from stanchion_ingest.errands import Reassessments, Ticks
from stanchion_ingest.line import Line
from stanchion_runtime.memory import MemoryLog
from support.arrivals import NOW_US, request
from support.decider import Decider, Message

HOUR = NOW_US // HOUR_US


async def test_tick_for_each_workspace(line: Line, log: MemoryLog) -> None:
    """One hour's ticks go to the workspaces that the view knows and to those seen here, under one id everywhere."""
    line.last_seqs["seen"] = 4

    async def workspaces() -> Iterable[str]:
        return ["acme", "beta"]

    ticks = Ticks(line, workspaces, lambda: NOW_US)
    assert 3 == await ticks.publish(HOUR)
    records = [record for partition in range(4) for record in log.records("requests", partition)]
    requests = sorted((codec.decode(each.value, Request) for each in records), key=lambda each: each.meta.workspace)
    assert ["acme", "beta", "seen"] == [each.meta.workspace for each in requests]
    for each in requests:
        assert each.body is not None
        assert (f"tick:{HOUR}", "stanchion", Tick(hour=HOUR)) == (each.event_id, each.publisher, each.body.tick)
        assert ("system", "stanchion") == (each.meta.actor.kind, each.meta.actor.id)


@pytest.mark.parametrize("action", ["trust.set", "trust.estimated", "policy.set", "claim.resolved"])
async def test_rest_of_the_work(line: Line, decider: Decider, action: Action) -> None:
    """While answers say that work remains, more is asked for, one request at a time, numbered from one."""
    remaining = [3, 2, 0]
    done = asyncio.Event()

    def decide(message: Message, seq: int) -> Changes | None:
        if isinstance(message, Request) and message.body is not None and message.body.trust is None:
            if message.body.reassess is not None and message.body.reassess.n == 2:
                return None  # a gateway that started earlier had asked this already
            left = remaining.pop(0) if remaining else 0
            if not left:
                done.set()
            return Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq, remaining=left)
        return None

    decider.decide = decide
    reassessments = Reassessments(line, lambda: NOW_US)
    brings = Change(seq=7, action=action, subject_kind="trust", subject_id="crm", reason="weighs otherwise")
    reassessments.notice(Changes(meta=request().meta, recorded_at_us=NOW_US, last_seq=3))
    reassessments.notice(
        Changes(meta=request().meta, recorded_at_us=NOW_US, last_seq=7, changes=(brings,), remaining=400)
    )
    async with asyncio.timeout(10):
        await done.wait()
    await reassessments.stop()
    asked = [each.body.reassess for each in decider.seen if isinstance(each, Request) and each.body is not None]
    assert [Reassess(trust_seq=7, n=n) for n in (1, 2, 3, 4)] == asked
    assert [f"reassess:7:{n}" for n in (1, 2, 3, 4)] == [
        each.event_id for each in decider.seen if isinstance(each, Request)
    ]


async def test_a_command_says_nothing_of_what_remains(line: Line, decider: Decider) -> None:
    """A write that is decided in between ends no errand: it went past the one who knows."""
    told = asyncio.Event()

    def decide(message: Message, seq: int) -> Changes | None:
        if isinstance(message, Request) and message.body is not None and message.body.reassess is not None:
            left = 2 - message.body.reassess.n
            if not left:
                told.set()
            answer = Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq, remaining=left)
            reassessments.notice(answer)
            reassessments.notice(written)
            return answer
        return None

    decider.decide = decide
    reassessments = Reassessments(line, lambda: NOW_US)
    meta = request().meta
    written = Changes(
        meta=msgspec.structs.replace(meta, origin="command:cmd_1"), recorded_at_us=NOW_US, last_seq=8, remaining=0
    )
    reassessments.notice(Changes(meta=meta, recorded_at_us=NOW_US, last_seq=7, remaining=400))
    reassessments.notice(written)
    async with asyncio.timeout(10):
        await told.wait()
    await reassessments.stop()


class Prompt:
    """A line that answers every question at once: nothing remains."""

    def __init__(self) -> None:
        self.asked = 0
        self.notice: Callable[[Changes], None] = lambda _: None

    def listen(self, notice: Callable[[Changes], None]) -> None:
        """Tell somebody of every answer."""
        self.notice = notice

    async def ask(self, *_: object) -> None:
        """Answer."""
        self.asked += 1
        self.notice(Changes(meta=request().meta, recorded_at_us=NOW_US, last_seq=8))


async def test_work_that_is_noticed_as_the_last_question_ends_is_asked_for() -> None:
    """An errand that has just ended, and not yet been cleared away, hides no new one."""
    line = Prompt()
    reassessments = Reassessments(cast("Line", line), lambda: NOW_US)
    for expected in (1, 2):
        reassessments.notice(Changes(meta=request().meta, recorded_at_us=NOW_US, last_seq=7, remaining=400))
        await asyncio.sleep(0)  # the errand runs to its end; what is called back then has not run yet
        assert expected == line.asked


async def test_nothing_remains(line: Line, decider: Decider) -> None:
    """An answer without remaining work asks for nothing."""
    reassessments = Reassessments(line, lambda: NOW_US)
    reassessments.notice(Changes(meta=request().meta, recorded_at_us=NOW_US, last_seq=7))
    await reassessments.stop()
    assert [] == decider.seen
