"""Asks a broker who it is, in Kafka's own protocol: one metadata request over a plain socket.

An open port says little: Kafka opens it before it can serve, and it may be another program's. A metadata answer that
names brokers, a controller and the cluster we formatted says that clients will be served, and by whom.
"""

import socket
import struct
from typing import Final

import msgspec

METADATA: Final = 3
METADATA_VERSION: Final = 4
CORRELATION: Final = 7
MAX_ANSWER_BYTES: Final = 1024 * 1024


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """What a broker says of its cluster."""

    cluster_id: str
    controller: int
    brokers: tuple[int, ...]

    @property
    def serves(self) -> bool:
        """Whether there is a broker and a controller to lead it."""
        return self.controller >= 0 and bool(self.brokers)


def ask(host: str, port: int, timeout_s: float = 1.0) -> Cluster | None:
    """The cluster that answers at the address, or None when nobody answers, or not as Kafka does."""
    client = b"stanchion-broker"
    head = struct.pack(f">hhih{len(client)}s", METADATA, METADATA_VERSION, CORRELATION, len(client), client)
    request = head + struct.pack(">i?", 0, False)  # no topics; create none  # noqa: FBT003 - a wire field
    try:
        with socket.create_connection((host, port), timeout_s) as connection:
            connection.settimeout(timeout_s)
            connection.sendall(struct.pack(">i", len(request)) + request)
            (size,) = struct.unpack(">i", _exactly(connection, 4))
            if not 0 < size <= MAX_ANSWER_BYTES:
                return None
            return parse(_exactly(connection, size))
    except (OSError, struct.error, ValueError):
        return None


def parse(answer: bytes) -> Cluster:
    """Reads a metadata answer of version 4 that holds no topics.

    Raises:
        ValueError: it is not the answer to our request, or ends too early.
    """
    reader = _Reader(answer)
    if reader.int32() != CORRELATION:
        raise ValueError("the answer belongs to another request")
    reader.int32()  # throttle time
    brokers = []
    for _ in range(reader.int32()):
        brokers.append(reader.int32())
        reader.text()  # host
        reader.int32()  # port
        reader.text()  # rack
    cluster_id = reader.text()
    return Cluster(cluster_id=cluster_id, controller=reader.int32(), brokers=tuple(brokers))


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _take(self, count: int) -> bytes:
        if count < 0 or self._at + count > len(self._data):
            raise ValueError("the answer ends too early")
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece

    def int32(self) -> int:
        return int.from_bytes(self._take(4), "big", signed=True)

    def text(self) -> str:
        size = int.from_bytes(self._take(2), "big", signed=True)
        return self._take(max(size, 0)).decode()


def _exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise ConnectionResetError("the connection ended within an answer")
        data += piece
    return data
