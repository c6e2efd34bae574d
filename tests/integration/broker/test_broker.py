"""The real broker: start, stop, restart with its data, and what can be in the way."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from stanchion_broker import probe
from stanchion_broker.broker import Broker
from stanchion_broker.errors import AlreadyRunning, DataUnusable, PortTaken, StartFailed
from support.broker import LIB, free_ports, new_broker


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Broker]:
    """A broker of the test's own, stopped afterwards whatever happened."""
    broker = new_broker(tmp_path / "home")
    yield broker
    broker.stop()


def test_session_broker_serves(broker: Broker) -> None:
    """The session's broker answers with the cluster it was formatted as, itself the one node and the controller."""
    answer = probe.ask("127.0.0.1", broker.port)
    assert probe.Cluster(cluster_id=broker.cluster_id() or "", controller=1, brokers=(1,)) == answer
    assert broker.is_ready()


def test_life(own: Broker) -> None:
    """A broker starts, refuses a second one on its home, stops cleanly, outlives a kill, and keeps its cluster."""
    own.start()
    first = own.cluster_id()
    with pytest.raises(AlreadyRunning, match=f"pid {own.pid}.*stanchion down"):
        Broker(own.home, free_ports(), lib=LIB).start()
    assert own.stop()
    assert (None, False) == (own.pid, own.is_ready())

    own.start()
    pid = own.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    psutil.Process(pid).wait(10)
    assert own.pid is None

    own.start()
    assert first == own.cluster_id()
    assert own.is_ready()


def test_taken_port_is_said(own: Broker) -> None:
    """A port in use is named in one sentence with its holder and what to do, before anything else is done."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", own.port))
        other.listen()
        with pytest.raises(PortTaken) as caught:
            own.start()
    text = str(caught.value)
    assert f"Port {own.port} of 127.0.0.1" in text
    assert f"(pid {os.getpid()})" in text
    assert "STANCHION_BROKER_PORT" in text
    assert not own.data.exists()


def test_taken_controller_port_is_said(own: Broker) -> None:
    """The controller's port is looked at too."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", own.port + 1))
        other.listen()
        with pytest.raises(PortTaken, match="the broker's controller"):
            own.start()


def test_stale_pid_file(own: Broker) -> None:
    """A pid file that names a process of another kind is no broker, and goes."""
    pid_file = own.home / "broker" / "pid"
    pid_file.parent.mkdir(parents=True)
    pid_file.write_text(str(os.getpid()))
    assert own.pid is None
    assert not pid_file.exists()


def test_foreign_data_folder_is_left_alone(own: Broker) -> None:
    """A data folder with files that are no broker's is refused and not touched."""
    own.data.mkdir(parents=True)
    (own.data / "letter.txt").write_text("mine")
    with pytest.raises(DataUnusable, match="move it away"):
        own.start()
    assert "mine" == (own.data / "letter.txt").read_text()


def test_broken_metadata_is_said_with_kafkas_words(own: Broker) -> None:
    """When Kafka itself refuses its folder, the message holds what it said, and no process stays."""
    own.data.mkdir(parents=True)
    (own.data / "meta.properties").write_text("version=1\nnode.id=7\ncluster.id=nobody\n")
    with pytest.raises(StartFailed, match="ended with code"):
        own.start()
    assert own.pid is None


def test_command_line(tmp_path: Path) -> None:
    """`stanchion-broker` says when it is ready, and ends with 0 when it is told to stop."""
    home, port = tmp_path / "home", free_ports()
    (home / "broker").mkdir(parents=True)
    (home / "broker" / "lib").symlink_to(LIB)
    script = Path(sys.executable).with_name("stanchion-broker")
    arguments = [str(script), "--home", str(home), "--port", str(port)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as command:  # noqa: S603 - our own command
        assert command.stdout is not None
        said = [command.stdout.readline(), command.stdout.readline()]
        command.terminate()
        code = command.wait(60)
    assert ["broker: making the data folder\n", f"broker: ready on 127.0.0.1:{port}\n"] == said
    assert 0 == code
