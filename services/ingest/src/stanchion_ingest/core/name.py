"""Names of workspaces, rooms, publishers and records, as everything from outside must write them."""

import functools
import re
from typing import Final

from stanchion_contracts.meta import OURSELVES
from stanchion_core.errors import FIELD_VALUE, WORKSPACE_MISSING, InvalidMessage
from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import NAME_CHARS, WORKSPACE_CHARS
from stanchion_core.text import clean, required

_WORKSPACE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]*")
_ROOM: Final = re.compile(r"\w[\w.:-]*(?:/\w[\w.:-]*)*")


@functools.lru_cache(maxsize=16_384)  # a process sees the same few names all day
def workspace_name(text: str) -> str:
    """Give a workspace's name as it is kept.

    Args:
        text: as it came: ASCII letters and digits, then also `.`, `_`, `:` and `-`; at most 128 characters.

    Raises:
        InvalidMessage: `WORKSPACE_MISSING` when empty, `FIELD_VALUE` for other characters, `TOO_LARGE` over the limit.
    """
    if not text:
        raise InvalidMessage(
            WORKSPACE_MISSING,
            "no workspace; name it as CloudEvents attribute `workspace` or as Kafka header `workspace`",
            "workspace",
        )
    name = clean(text, "workspace", chars=WORKSPACE_CHARS)
    if _WORKSPACE.fullmatch(name) is None:
        raise InvalidMessage(
            FIELD_VALUE, f"workspace {name!r} has other characters than letters, digits and . _ : -", "workspace"
        )
    return name


@functools.lru_cache(maxsize=16_384)
def room_name(text: str, field: str = "room") -> str:
    """Give a room's name as it is kept, empty for the workspace's root.

    Args:
        text: as it came: letters and digits of any script, `.`, `_`, `:`, `-`, and `/` between the rooms of a path; at
            most 256 characters.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `FIELD_VALUE` for other characters, `TOO_LARGE` over the limit.
    """
    name = clean(text, field, chars=NAME_CHARS)
    if name and _ROOM.fullmatch(name) is None:
        raise InvalidMessage(
            FIELD_VALUE, f"{field} {name!r} has other characters than letters, digits and . _ : - / inside", field
        )
    return name


def publisher_name(text: str, field: str) -> str:
    """Give the name of a source or principal, whose event ids are its own.

    Args:
        text: as it came, 1 to 256 characters.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `FIELD_VALUE` when it is empty or ours, `TOO_LARGE` over the limit.
    """
    name = required(text, field, chars=NAME_CHARS)
    if name == OURSELVES:  # they could take a tick's id first
        raise InvalidMessage(FIELD_VALUE, f"{field} {OURSELVES!r} is reserved; name the system that publishes", field)
    return name


def record_id(text: str, field: str) -> str:
    """Give a record's id.

    Raises:
        InvalidMessage: `FIELD_VALUE` when it has not the form of one.
    """
    if RECORD_ID.fullmatch(text) is None:
        raise InvalidMessage(
            FIELD_VALUE,
            f"{field} {text[:40]!r} is no id: lower-case letters and digits, then also . _ : -, at most 128",
            field,
        )
    return text
