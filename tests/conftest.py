"""Fixtures that every suite may use. A broker that can't be had fails the tests that need it; nothing is skipped."""

import os
import secrets
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from stanchion_broker.broker import Broker
from support.broker import shared_broker

# No test asserts a time, and a machine may be busy. CI tries the same examples each time, so that what it gates is the
# change; everywhere else new ones are tried with every run.
settings.register_profile("busy", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("busy"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "busy")


def pytest_configure() -> None:
    """Let processes that the tests start hear Ctrl-C: a shell that runs a job in the background has them ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """The session's one real broker; its address is `broker.bootstrap`."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with shared_broker(root) as running:
        yield running


@pytest.fixture(scope="module")
def topic_prefix() -> str:
    """A prefix for topic names that no other test module uses."""
    return f"test-{secrets.token_hex(4)}"
