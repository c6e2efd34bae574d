"""The supervisor over small real processes: readiness, restarts, giving up, ending, and what a dead one leaves."""

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from msgspec import structs
from rich.console import Console

from stanchion_local import down, orphans, state, status
from stanchion_local.child import Spec
from stanchion_local.errors import GaveUp, NotReady
from stanchion_local.state import RunState
from stanchion_local.supervisor import Supervisor

SLEEPER = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPER
FAILING = "print('no such topic: claims'); raise SystemExit(3)"
SAYING = """
import json
print(json.dumps({{"level": "{level}", "event": "{event}", "detail": "{detail}"}}))
print(json.dumps({{"level": "info", "event": "ended"}}))
raise SystemExit({code})
"""
UNUSABLE_SETTING = SAYING.format(level="critical", event="cannot run", detail="mapping rfc.yaml, rfc: no kind", code=78)
KAFKA_AWAY = SAYING.format(level="error", event="kafka away", detail="connecting to b:9092: refused", code=75)


def a_run() -> RunState:
    """A run whose supervisor is this process."""
    pid = os.getpid()
    return RunState(pid=pid, born=state.born(pid), started_at_us=1, bootstrap="b", own_broker=False)


def spec(home: Path, name: str, code: str = SLEEPER, stop_s: float = 20.0) -> Spec:
    """A process that runs `code`, ready once it has touched its mark."""
    mark = home / f"{name}.mark"

    async def ready() -> bool:
        return mark.exists()

    return Spec(
        name=name,
        command=(sys.executable, "-c", code, str(mark)),
        environment=dict(os.environ),
        log_file=home / "logs" / f"{name}.log",
        ready=ready,
        first_wait_s=0.01,
        stop_s=stop_s,
    )


async def until(condition: Callable[[], bool]) -> None:
    """Waits, at most 20 s, for something that another process does."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - no event tells us
            await asyncio.sleep(0.01)


async def test_ready_then_ended(tmp_path: Path) -> None:
    """Two processes become ready, stand in the state file, and are gone with it after the stop."""
    supervisor = Supervisor(tmp_path, a_run())
    counts: list[int] = []
    children = [supervisor.start(spec(tmp_path, name)) for name in ("fusion", "view")]
    await supervisor.ready(children, 20, counts.append)
    known = state.read(tmp_path)
    assert known is not None
    assert [("fusion", "ready"), ("view", "ready")] == [(each.name, each.state) for each in known.processes]
    assert 2 == counts[-1]
    shown = await status.gather(tmp_path)
    assert (True, 2, 0) == (shown.up, shown.ready, shown.lag)
    await supervisor.stop()
    assert [] == [each.pid for each in known.processes if psutil.pid_exists(each.pid)]
    assert state.read(tmp_path) is None
    assert not (await status.gather(tmp_path)).up


async def test_killed_is_started_again(tmp_path: Path) -> None:
    """A process that is killed comes back under another pid, and its restart is counted."""
    supervisor = Supervisor(tmp_path, a_run())
    child = supervisor.start(spec(tmp_path, "fusion"))
    await supervisor.ready([child], 20)
    first = child.shown().pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: child.shown().restarts == 1 and child.is_ready)
    assert first != child.shown().pid
    await supervisor.stop()


async def test_crash_loop_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    """A process that ends at once is given up after six times; the message holds its code and what it said."""
    supervisor = Supervisor(tmp_path, a_run())
    child = supervisor.start(spec(tmp_path, "fusion", FAILING))
    with pytest.raises(GaveUp) as caught:
        await supervisor.ready([child], 20)
    assert "fusion is given up: it ended 6 times in a row, last with code 3" in str(caught.value)
    assert 1 == str(caught.value).count("no such topic: claims")
    assert "given up" == child.shown().state
    await supervisor.stop()


async def test_what_runs_beside_the_line_may_be_given_up(tmp_path: Path) -> None:
    """Where nothing waits for a process, its crash loop is shown, and the others go on and end as ever."""
    supervisor = Supervisor(tmp_path, a_run())
    view = supervisor.start(spec(tmp_path, "view"))
    beside = supervisor.start(structs.replace(spec(tmp_path, "reassessment", FAILING), beside=True))
    await supervisor.ready([view], 20)
    standing = asyncio.create_task(supervisor.failed())
    await until(lambda: beside.shown().state == "given up")
    assert ("ready", False) == (view.shown().state, standing.done())
    standing.cancel()
    await supervisor.stop()
    assert ["ended", "ended"] == [each.state for each in supervisor.processes]


async def test_a_setting_that_is_no_use_is_said_in_its_own_sentence(tmp_path: Path) -> None:
    """A process that says that it cannot run is given up at once, with that sentence and no line of an earlier run."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "fusion.log").write_text('{"event": "cannot run", "detail": "of yesterday"}\n')
    supervisor = Supervisor(tmp_path, a_run())
    supervisor.start(spec(tmp_path, "fusion", UNUSABLE_SETTING))
    with pytest.raises(GaveUp) as caught:
        await supervisor.failed()
    what, to_do = str(caught.value).splitlines()
    assert "fusion cannot run: mapping rfc.yaml, rfc: no kind" == what
    assert (
        f"Mend that, then start again; starting again alone does not help. Its log: {tmp_path}/logs/fusion.log" == to_do
    )
    await supervisor.stop()


async def test_an_end_is_said_in_words(tmp_path: Path) -> None:
    """A process that logged why it ended is given up with its name, that reason and what to do, and no line of JSON."""
    supervisor = Supervisor(tmp_path, a_run())
    supervisor.start(spec(tmp_path, "audit-reader", KAFKA_AWAY))
    with pytest.raises(GaveUp) as caught:
        await supervisor.failed()
    what, to_do = str(caught.value).splitlines()
    ended = "audit-reader is given up: it ended 6 times in a row, last with code 75"
    assert f"{ended}: kafka away: connecting to b:9092: refused" == what
    assert to_do.startswith("See that Kafka runs and can be reached, then start again.")
    await supervisor.stop()


async def test_failure_after_the_start_is_noticed(tmp_path: Path) -> None:
    """While a run stands, a process that is given up ends the wait for it."""
    supervisor = Supervisor(tmp_path, a_run())
    supervisor.start(spec(tmp_path, "view"))
    supervisor.start(spec(tmp_path, "fusion", FAILING))
    with pytest.raises(GaveUp, match="fusion is given up"):
        async with asyncio.timeout(20):
            await supervisor.failed()
    await supervisor.stop()


async def test_never_ready_is_said(tmp_path: Path) -> None:
    """A process that runs but never becomes ready is named with what it said."""
    supervisor = Supervisor(tmp_path, a_run())
    code = "import time; print('waiting for Kafka', flush=True); time.sleep(600)"
    child = supervisor.start(spec(tmp_path, "fusion", code))
    await until(lambda: "waiting" in (tmp_path / "logs" / "fusion.log").read_text() if child.shown().pid else False)
    with pytest.raises(NotReady, match=r"(?s)fusion.*waiting for Kafka"):
        await supervisor.ready([child], 0.05)
    await supervisor.stop()


async def test_stopped_while_it_is_being_started(tmp_path: Path) -> None:
    """A stop that comes before the process is there ends it all the same."""
    supervisor = Supervisor(tmp_path, a_run())
    child = supervisor.start(spec(tmp_path, "fusion"))
    async with asyncio.timeout(20):
        await supervisor.stop()
    assert (0, "ended") == (child.shown().pid, child.shown().state)
    supervisor = Supervisor(tmp_path, a_run())
    child = supervisor.start(spec(tmp_path, "fusion"))
    await asyncio.sleep(0)  # the start is under way, the process not there yet
    async with asyncio.timeout(20):
        await supervisor.stop()
    assert (0, "ended") == (child.shown().pid, child.shown().state)


async def test_stubborn_is_killed(tmp_path: Path) -> None:
    """A process that does not heed SIGTERM is killed after its time."""
    supervisor = Supervisor(tmp_path, a_run())
    child = supervisor.start(spec(tmp_path, "fusion", STUBBORN, stop_s=0.2))
    await supervisor.ready([child], 20)
    pid = child.shown().pid
    await supervisor.stop()
    assert not psutil.pid_exists(pid)


def test_down_does_not_wait_for_whoever_collects_the_supervisor(tmp_path: Path) -> None:
    """A supervisor that has ended is ended, though what started it has not looked after it yet."""
    with subprocess.Popen([sys.executable, "-c", SLEEPER, str(tmp_path / "mark")]) as process:  # noqa: S603 - our own
        run = RunState(pid=process.pid, born=state.born(process.pid), started_at_us=1, bootstrap="b", own_broker=False)
        state.write(tmp_path, run)
        said = io.StringIO()
        assert 0 == down.run(tmp_path, Console(file=said, width=200), wait_s=10)
        assert psutil.STATUS_ZOMBIE == psutil.Process(process.pid).status()
    assert "ending 0 processes …\nended; the data stays\n" == said.getvalue()


def test_what_a_dead_supervisor_leaves_is_found_and_ended(tmp_path: Path) -> None:
    """Processes whose supervisor is gone show in the status, and `down` ends them; a second `down` finds nothing."""
    command = [sys.executable, "-c", SLEEPER, str(tmp_path / "mark")]
    with subprocess.Popen(command) as process:  # noqa: S603 - our own command
        left = state.ProcessState(name="fusion", state="ready", pid=process.pid, born=state.born(process.pid))
        gone = RunState(pid=1, born=1.0, started_at_us=1, bootstrap="b", own_broker=False, processes=(left,))
        state.write(tmp_path, gone)
        shown = status.collect(tmp_path)
        assert (False, ("fusion",)) == (shown.up, shown.left_behind)
        said = io.StringIO()
        console = Console(file=said, width=200)
        assert [0, 0] == [down.run(tmp_path, console), down.run(tmp_path, console)]
    assert not psutil.pid_exists(process.pid)
    assert f"ended fusion: an earlier run had left them\nnothing runs on {tmp_path}\n" == said.getvalue()
    assert () == orphans.end_left_behind(tmp_path, gone)
