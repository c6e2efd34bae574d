"""One real broker for a test session, shared by its worker processes, and brokers of a test's own."""

import fcntl
import json
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stanchion_broker.broker import Broker

REPOSITORY = Path(__file__).resolve().parents[2]
LIB = REPOSITORY / ".stanchion" / "broker" / "lib"
FIRST_PORT, PORTS = 20_000, 10_000  # below the range that the system gives to outgoing connections


def free_ports(count: int = 2) -> int:
    """The first of `count` consecutive ports that are free just now."""
    while True:
        first = FIRST_PORT + secrets.randbelow(PORTS)
        if all(_is_free(port) for port in range(first, first + count)):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as candidate:
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def new_broker(home: Path) -> Broker:
    """A broker of a test's own, not started, on free ports, with the jars that everything here shares."""
    return Broker(home, free_ports(), lib=LIB)


@contextmanager
def shared_broker(root: Path) -> Iterator[Broker]:
    """The broker below `root`: the first to come starts it, the last to leave stops it.

    The count of users stands in a file under a lock, so that the worker processes of one session share the broker.
    """
    broker = _enter(root)
    try:
        yield broker
    finally:
        _leave(root, broker)


def _enter(root: Path) -> Broker:
    with _locked(root) as state_file:
        state = json.loads(state_file.read_text()) if state_file.exists() else {"users": 0, "port": free_ports()}
        broker = Broker(root / "broker-home", state["port"], lib=LIB)
        if state["users"] == 0:
            broker.start()
        state_file.write_text(json.dumps({**state, "users": state["users"] + 1}))
        return broker


def _leave(root: Path, broker: Broker) -> None:
    with _locked(root) as state_file:
        state = json.loads(state_file.read_text())
        state_file.write_text(json.dumps({**state, "users": state["users"] - 1}))
        if state["users"] == 1:
            broker.stop()


@contextmanager
def _locked(root: Path) -> Iterator[Path]:
    with (root / "broker.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield root / "broker.json"
