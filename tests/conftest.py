"""Fixtures that every suite may use. A broker that can't be had fails the tests that need it; nothing is skipped."""

import os
import secrets
from collections.abc import Iterator

import pytest

from stanchion_broker.broker import Broker
from support.broker import shared_broker


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
