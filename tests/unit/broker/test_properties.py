"""The broker's configuration."""

from pathlib import Path

import pytest

from stanchion_broker import properties
from stanchion_contracts import topics


def test_loopback_only() -> None:
    """Both listeners are on loopback, the controller one port above the clients'."""
    lines = dict(line.split("=", 1) for line in properties.render(log_dir=Path("/d"), port=5000).splitlines())
    assert "PLAINTEXT://127.0.0.1:5000,CONTROLLER://127.0.0.1:5001" == lines["listeners"]
    assert "1@127.0.0.1:5001" == lines["controller.quorum.voters"]


def test_nothing_is_deleted_or_made_by_itself() -> None:
    """Logs are the state: no retention unless a topic says so, and no topic by accident."""
    lines = dict(line.split("=", 1) for line in properties.render(log_dir=Path("/d"), port=5000).splitlines())
    assert ("-1", "false") == (lines["log.retention.ms"], lines["auto.create.topics.enable"])
    assert "log.flush.interval.messages" not in lines


def test_flush_is_asked_for() -> None:
    """`flush_messages` becomes Kafka's setting."""
    text = properties.render(log_dir=Path("/d"), port=5000, flush_messages=1)
    assert "log.flush.interval.messages=1\n" in text


def test_largest_message_is_the_topics() -> None:
    """The broker takes messages as large as the register of topics allows."""
    assert topics.MAX_MESSAGE_BYTES == properties.MAX_MESSAGE_BYTES


@pytest.mark.parametrize("port", [0, 65535])
def test_port_without_room(port: int) -> None:
    """A port that leaves none for the controller is refused."""
    with pytest.raises(ValueError, match="controller"):
        properties.render(log_dir=Path("/d"), port=port)


def test_extra_settings_win_and_lines_are_kept_whole() -> None:
    """Further settings replace ours; a value of several lines, as a key in PEM form, stays one property."""
    extra = {"num.io.threads": "8", "ssl.keystore.key": "-----BEGIN\nA\\B\n"}
    lines = properties.render(log_dir=Path("/d"), port=5000, extra=extra).splitlines()
    assert ["num.io.threads=8"] == [line for line in lines if line.startswith("num.io")]
    assert r"ssl.keystore.key=-----BEGIN\nA\\B\n" in lines
