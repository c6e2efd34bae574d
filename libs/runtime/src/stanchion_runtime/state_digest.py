"""A digest of a processor's state, the same in every process that holds the same state.

For operators and tests: two owners that folded the same output must agree.
"""

import hashlib
from collections import deque
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct


def state_digest(state: object) -> str:
    """Give the SHA-256 of a state in hex. It reads the whole state once; no order of maps or sets shows.

    Args:
        state: structs, maps, sets, sequences and plain values, nested as they like.

    Raises:
        TypeError: there is something else in it.
    """
    digest = hashlib.sha256()
    for part in _parts(state):
        digest.update(part)
    return digest.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:  # noqa: ANN401 - walks whatever a state holds
    """Give the bytes a value stands for, in an order of its own."""
    if isinstance(value, str | bytes | bool | int | float | type(None)):
        yield f"{type(value).__name__}:{value!r};".encode()
    elif isinstance(value, Mapping):
        yield b"{"
        yield from sorted(b"".join(_parts(key)) + b"=" + b"".join(_parts(held)) for key, held in value.items())
        yield b"}"
    elif isinstance(value, AbstractSet):
        yield b"<"
        yield from sorted(b"".join(_parts(held)) for held in value)
        yield b">"
    elif isinstance(value, tuple | list | deque):
        yield b"["
        for held in value:
            yield from _parts(held)
        yield b"]"
    else:
        yield from _named_parts(value)


def _named_parts(value: object) -> Iterator[bytes]:
    """Give the bytes of an object by its named parts.

    Raises:
        TypeError: it has none.
    """
    if isinstance(value, Struct):
        names = value.__struct_fields__
    elif hasattr(value, "__slots__"):
        names = tuple(value.__slots__)
    elif hasattr(value, "__dict__"):
        names = tuple(sorted(vars(value)))
    else:
        raise TypeError(f"a state holds a {type(value).__name__}, which has no digest")
    yield f"{type(value).__name__}(".encode()
    for name in names:
        yield f"{name}=".encode()
        yield from _parts(getattr(value, name))
    yield b")"
