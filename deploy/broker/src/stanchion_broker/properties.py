"""The broker's configuration: one node, broker and controller in one, made for a log that is the state.

Two settings want a word. `log.retention.ms=-1`: nothing is ever deleted unless a topic says so, for the services' state
is the fold of their topics. `log.flush.interval.messages` is left to Kafka's default, which writes to the page cache
and lets the system flush: an acknowledged record outlives a crash or a kill of the broker, but on this one node not a
power failure. `flush_messages=1` closes that at the price of one disk flush a batch.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"
MAX_MESSAGE_BYTES: Final = 8 * 1024 * 1024


def render(
    *, log_dir: Path, port: int, flush_messages: int | None = None, extra: Mapping[str, str] | None = None
) -> str:
    """The text of `server.properties`.

    Args:
        log_dir: the folder of Kafka's logs, absolute.
        port: of the clients' listener, on loopback; the controller listens on the next one.
        flush_messages: flush to disk after so many records of a partition; None leaves it to the system.
        extra: further settings, and others for those here.

    Raises:
        ValueError: the port leaves no room for the controller's.
    """
    if not 0 < port < 65535:  # noqa: PLR2004 - the last port, less the controller's
        raise ValueError(
            f"the broker's port must be from 1 to 65534, for the controller listens on the next one; got {port}"
        )
    lines = {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.voters": f"1@{HOST}:{port + 1}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://{HOST}:{port},CONTROLLER://{HOST}:{port + 1}",
        "advertised.listeners": f"PLAINTEXT://{HOST}:{port}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(log_dir),
        "log.retention.ms": "-1",
        "message.max.bytes": str(MAX_MESSAGE_BYTES),
        "replica.fetch.max.bytes": str(MAX_MESSAGE_BYTES),
        "auto.create.topics.enable": "false",
        "default.replication.factor": "1",
        "offsets.topic.replication.factor": "1",
        "offsets.topic.num.partitions": "4",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "transaction.state.log.num.partitions": "4",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
        "group.min.session.timeout.ms": "3000",
        "num.network.threads": "2",
        "num.io.threads": "2",
        "num.recovery.threads.per.data.dir": "2",
        "log.cleaner.dedupe.buffer.size": "8388608",
    }
    if flush_messages is not None:
        lines["log.flush.interval.messages"] = str(flush_messages)
    lines.update(extra or {})
    return "".join(f"{key}={_escaped(value)}\n" for key, value in lines.items())


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n")
