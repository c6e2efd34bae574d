"""Checkpoints: the head of one tree, as text to sign.

Source: C2SP tlog-checkpoint (https://c2sp.org/tlog-checkpoint). Origin and key name are one; a workspace's name stands
in it percent-encoded, so that it has neither space nor plus and `a/receipts` is never taken for the receipts of `a`.
"""

import base64
import re
from typing import Final, Literal
from urllib.parse import quote

from msgspec import Struct

from stanchion_audit.core.note import InvalidNote, decode_base64
from stanchion_core.merkle import HASH_BYTES

Tree = Literal["changes", "receipts"]

_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_LINES: Final = 3


class Checkpoint(Struct, frozen=True, kw_only=True):
    """A tree's head.

    Attributes:
        origin: names the tree.
        size: how many leaves.
        root: of the tree at this size, 32 bytes.
    """

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Give the note's text: origin, size, root in base64, a line each."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def origin_of(workspace: str, tree: Tree = "changes") -> str:
    """Give the origin of one of a workspace's trees: `stanchion/<workspace>`, then `/receipts` for receipts."""
    origin = f"stanchion/{quote(workspace, safe='')}"
    return origin if tree == "changes" else f"{origin}/{tree}"


def read_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint from a note's text; extension lines, which nobody can audit, are passed over.

    Args:
        text: of a note that has been opened.

    Raises:
        InvalidNote: it is no checkpoint.
    """
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < _LINES or not all(lines):
        raise InvalidNote(f"a checkpoint has three lines or more, none empty; this one: {text!r}")
    origin, size, root = lines[:_LINES]
    if _SIZE.fullmatch(size) is None:
        raise InvalidNote(f"{size!r} is no tree size")
    checkpoint = Checkpoint(origin=origin, size=int(size), root=decode_base64(root))
    if len(checkpoint.root) != HASH_BYTES:
        raise InvalidNote(f"a root of {len(checkpoint.root)} bytes; expected {HASH_BYTES}")
    return checkpoint
