"""Causes: which input record an output answers. They make duplicates, gaps and late owners visible."""

from msgspec import Struct


class Cause(Struct, frozen=True, kw_only=True, order=True):
    """The place of one input record on the line.

    Attributes:
        topic: the topic's key in the register (`claims`), never its name on a cluster.
        partition: from 0.
        offset: from 0.
    """

    topic: str
    partition: int
    offset: int

    def encode(self) -> bytes:
        """Give `topic:partition:offset`, as it stands in the `cause` header."""
        return f"{self.topic}:{self.partition}:{self.offset}".encode()

    @classmethod
    def decode(cls, header: bytes) -> "Cause":
        """Read what `encode` gave.

        Raises:
            ValueError: the header is not of that form.
        """
        topic, partition, offset = header.decode().split(":")
        return cls(topic=topic, partition=int(partition), offset=int(offset))
