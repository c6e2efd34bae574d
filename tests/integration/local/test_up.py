"""A whole run, as a person has it: up, looked at, disturbed, ended; up again on the same data."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pytest

from stanchion_broker.broker import Broker
from stanchion_local import down, state, status
from stanchion_local.services import BY_NAME, TABLE
from stanchion_local.status import Status
from support.broker import LIB, REPOSITORY, free_ports

DECISIONS = REPOSITORY / "docs" / "decisions"
COUNT = len(list(DECISIONS.glob("*.md")))
CODE = """
import sys
from pathlib import Path
from stanchion_local import up
sys.exit(up.run(Path(sys.argv[1]), Path(sys.argv[2]), once=sys.argv[3] == "once"))
"""
AT_REST_MB = 250
VIEW_AT_REST_MB = 450


@pytest.fixture
def environment() -> dict[str, str]:
    """Ports of the test's own, and the shared jars."""
    base = free_ports(30)
    own = {
        "STANCHION_BROKER_PORT": str(base + 24),
        "STANCHION_LOCAL_PORT_BASE": str(base),
        "STANCHION_LOCAL_BROKER_LIB": str(LIB),
    }
    return {**{key: value for key, value in os.environ.items() if not key.startswith("STANCHION_")}, **own}


def command(home: Path, *, once: bool) -> list[str]:
    """The command line of a run."""
    return [sys.executable, "-c", CODE, str(home), str(DECISIONS), "once" if once else "stay"]


@contextmanager
def standing(home: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A run that has given its first answer; ended afterwards, whatever happened."""
    with subprocess.Popen(  # noqa: S603 - our own command
        command(home, once=False), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stderr is not None
            told = wait_for(run.stderr, "first answer after")
            assert run.poll() is None, told
            yield run
        finally:
            run.terminate()
            run.communicate(timeout=120)


def wait_for(stream: IO[str], words: str) -> str:
    """Reads lines until one has the words, or the stream ends."""
    told = ""
    for line in stream:
        told += line
        if words in line:
            break
    return told


def settled(home: Path) -> Status:
    """The status once every process is ready and nothing waits."""
    while True:
        found = status.collect(home)
        if found.ready == len(TABLE) + 1 and found.lag == 0:
            return found


@pytest.mark.timeout(600)
def test_a_home_over_two_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    """A run answers, heals, refuses a second one and ends cleanly; the next finds its data and outlives a kill -9."""
    answer = first_run(tmp_path, environment)
    second_run(tmp_path, environment, answer)


def first_run(home: Path, environment: dict[str, str]) -> str:
    """Up, looked at, disturbed, ended by Ctrl-C; gives its answer's position."""
    with standing(home, environment) as run:
        found = settled(home)
        assert run.pid == found.pid
        memory = {each.name: each.memory_bytes / 2**20 for each in found.processes if each.name != "broker"}
        assert {} == {
            name: mb for name, mb in memory.items() if mb > (VIEW_AT_REST_MB if name == "view" else AT_REST_MB)
        }

        second = subprocess.run(  # noqa: S603 - our own command
            command(home, once=True), env=environment, capture_output=True, text=True, check=False
        )
        assert 1 == second.returncode
        assert "already running on" in second.stderr
        assert "stanchion down" in second.stderr.replace("\n", " ")

        fusion = next(each.pid for each in found.processes if each.name == "fusion")
        os.kill(fusion, signal.SIGKILL)
        psutil.Process(fusion).wait(20)
        while (after := settled(home)).processes == found.processes:
            pass
        assert {"fusion": 1} == {each.name: each.restarts for each in after.processes if each.restarts}

        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGINT)  # a wrapper passes it on
        out, told = run.communicate(timeout=120)
    assert 0 == run.returncode
    assert "ended; the data stays" in told
    first = re.search(r"workspace docs · checked through seq (\d+)", out)
    assert first is not None, out
    assert COUNT <= int(first[1])
    assert [] == [each.name for each in after.processes if psutil.pid_exists(each.pid)]
    assert state.read(home) is None
    return first[0]


def second_run(home: Path, environment: dict[str, str], answer: str) -> None:
    """Up on the same data, its supervisor killed; `down` ends what that left."""
    with standing(home, environment) as run:
        assert run.stdout is not None
        assert answer in wait_for(run.stdout, "checked through")
        before = settled(home)
        run.kill()
        run.wait(20)
        found = status.collect(home)
        assert (False, ("broker", *(service.name for service in TABLE))) == (found.up, found.left_behind)
        assert 0 == down.run(home)
    assert [] == [each.name for each in before.processes if psutil.pid_exists(each.pid)]
    assert not status.collect(home).left_behind


def test_a_folder_that_is_not_there(tmp_path: Path, environment: dict[str, str]) -> None:
    """A mistyped folder is said at once, before anything is started."""
    arguments = [*command(tmp_path, once=True)]
    arguments[4] = str(tmp_path / "none")
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert 1 == done.returncode
    assert "there is no folder" in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_a_taken_port(tmp_path: Path, environment: dict[str, str]) -> None:
    """A port that another program has is said before anything is started: whose, by whom, and what to do."""
    port = int(environment["STANCHION_LOCAL_PORT_BASE"]) + BY_NAME["fusion"].http
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        done = subprocess.run(  # noqa: S603 - our own command
            command(tmp_path, once=True), env=environment, capture_output=True, text=True, check=False
        )
    assert 1 == done.returncode
    said = done.stderr.replace("\n", " ")
    assert f"Port {port} of 127.0.0.1, for fusion, is taken by" in said
    assert f"(pid {os.getpid()})" in said
    assert "STANCHION_LOCAL_PORT_BASE" in said
    assert not (tmp_path / "broker").exists()


@pytest.mark.timeout(600)
def test_an_existing_cluster(tmp_path: Path, environment: dict[str, str], broker: Broker, topic_prefix: str) -> None:
    """With a cluster in the settings no broker is started, and the run answers from that cluster's topics."""
    cluster = {"STANCHION_KAFKA_BOOTSTRAP": broker.bootstrap, "STANCHION_KAFKA_TOPIC_PREFIX": topic_prefix}
    done = subprocess.run(  # noqa: S603 - our own command
        command(tmp_path, once=True), env={**environment, **cluster}, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    assert f"the cluster at {broker.bootstrap}" in done.stderr
    assert "workspace docs · checked through seq" in done.stdout
    assert not (tmp_path / "broker").exists()
    assert broker.is_ready()
