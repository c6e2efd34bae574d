"""Identities derived from content, so that a retry is the same thing again."""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

RECORD_ID: Final = re.compile(r"[a-z0-9][a-z0-9._:-]{0,127}")
_HEX_DIGITS: Final = 32  # 128 bits: collisions by accident are out of reach
_SIZED: Final = 256
_SIZES: Final = tuple(size.to_bytes(8, "big") for size in range(_SIZED))  # most parts are short


def content_digest(parts: Iterable[bytes]) -> bytes:
    """Give the SHA-256 of the parts, each prefixed by its length, so that no two lists of parts share bytes."""
    pieces: list[bytes] = []
    for part in parts:
        size = len(part)
        pieces.append(_SIZES[size] if size < _SIZED else size.to_bytes(8, "big"))
        pieces.append(part)
    return hashlib.sha256(b"".join(pieces)).digest()


def derived_id(prefix: str, *parts: str) -> str:
    """Give `<prefix>_<32 hex digits>`, the same for the same parts on every machine."""
    return f"{prefix}_{content_digest([part.encode() for part in parts]).hex()[:_HEX_DIGITS]}"


def observation_id(workspace: str, publisher: str, event_id: str) -> str:
    """Give the id of the observation that one event of one publisher makes in one workspace."""
    return derived_id("obs", workspace, publisher, event_id)


def partition_of(workspace: str, partitions: int) -> int:
    """Give the partition that handles a workspace: Kafka's own murmur2 partitioner, as in Java's client.

    Args:
        workspace: the workspace's name.
        partitions: how many partitions the topic has, at least 1.
    """
    return (_murmur2(workspace.encode()) & 0x7FFFFFFF) % partitions


def _murmur2(data: bytes) -> int:
    """Give Kafka's 32-bit murmur2 of the bytes (org.apache.kafka.common.utils.Utils.murmur2)."""
    mask, multiplier, shift = 0xFFFFFFFF, 0x5BD1E995, 24
    value = (0x9747B28C ^ len(data)) & mask
    whole = len(data) & ~3
    for start in range(0, whole, 4):
        word = int.from_bytes(data[start : start + 4], "little")
        word = (word * multiplier) & mask
        word ^= word >> shift
        word = (word * multiplier) & mask
        value = ((value * multiplier) & mask) ^ word
    if whole != len(data):
        value ^= int.from_bytes(data[whole:], "little")
        value = (value * multiplier) & mask
    value ^= value >> 13
    value = (value * multiplier) & mask
    return value ^ (value >> 15)
