"""The register of topics, as `schemas/topics.yaml` states it (baked in by `make gen`)."""

from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.generated.topics import MAX_MESSAGE_BYTES, PARTITIONS, TOPICS

__all__ = ["MAX_MESSAGE_BYTES", "PARTITIONS", "REGISTER", "Topic", "is_owned", "topic_name"]


class Topic(Struct, frozen=True, kw_only=True):
    """One topic.

    Attributes:
        key: its name in the code and in causes.
        message: the name of its message class.
        version: of the topic's name.
        kind: `owned` (one writer a partition, dense causes, kept for ever) or `open` (many writers).
        retention_days: None keeps for ever.
        producers: who writes it.
        consumers: who reads it.
    """

    key: str
    message: str
    version: int
    kind: Literal["owned", "open"]
    retention_days: int | None
    producers: tuple[str, ...]
    consumers: tuple[str, ...]


REGISTER: Final[dict[str, Topic]] = {
    row[0]: Topic(
        key=row[0],
        message=row[1],
        version=row[2],
        kind=row[3],
        retention_days=row[4],
        producers=row[5],
        consumers=row[6],
    )
    for row in TOPICS
}
"""Every topic by its key, in the order of the line."""


def is_owned(key: str) -> bool:
    """Tell whether a topic has one writer a partition."""
    return REGISTER[key].kind == "owned"


def topic_name(key: str, prefix: str) -> str:
    """Give a topic's name on a cluster: `<prefix>.<key>.v<version>`."""
    return f"{prefix}.{key}.v{REGISTER[key].version}"
