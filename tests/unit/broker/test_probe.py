"""Reading a metadata answer."""

import struct

import pytest

from stanchion_broker import probe


def answer(*, correlation: int = probe.CORRELATION, controller: int = 1) -> bytes:
    """A metadata answer of version 4 with one broker and no topics."""
    broker = struct.pack(">ih9sih", 1, 9, b"127.0.0.1", 19092, -1)
    cluster = struct.pack(">h3si", 3, b"abc", controller)
    return struct.pack(">iii", correlation, 0, 1) + broker + cluster + struct.pack(">i", 0)


def test_parse() -> None:
    """Brokers, cluster and controller are read; a missing rack is no trouble."""
    assert probe.Cluster(cluster_id="abc", controller=1, brokers=(1,)) == probe.parse(answer())


def test_no_controller_is_not_serving() -> None:
    """A broker that has not found its controller does not serve yet."""
    assert not probe.parse(answer(controller=-1)).serves


def test_cut_anywhere_is_an_error_not_a_guess() -> None:
    """An answer cut at any byte before its controller is refused with ValueError."""
    whole = answer()
    for size in range(len(whole) - 4):
        with pytest.raises(ValueError, match="too early"):
            probe.parse(whole[:size])


def test_answer_to_another_request() -> None:
    """An answer with another correlation id is refused."""
    with pytest.raises(ValueError, match="another request"):
        probe.parse(answer(correlation=8))
