"""How tokens look, and how they are kept: what they say, never whether they hold (the servers check that)."""

import base64
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from rich.text import Text

from stanchion.show.text import BAD, DIM, GAP, columns, line, lines, one_line, pad

_HEAD: Final = ("name", "kind", "names", "for", "workspaces", "good for")
_DAY_S: Final = 86_400
_HOUR_S: Final = 3_600
_ALL: Final = 12  # capabilities there are
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Token(Struct, frozen=True, kw_only=True):
    """What one token says.

    Attributes:
        expires_s: seconds since the epoch.
    """

    name: str
    kind: str = ""
    sub: str = ""
    on_behalf_of: str = ""
    workspaces: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    expires_s: int = 0


def read(folder: Path) -> list[Token]:
    """Give the tokens of a folder; what cannot be read is passed over."""
    found = []
    for path in sorted(folder.glob("*.jwt")):
        claims = _claims(path)
        if claims is not None:
            found.append(
                Token(
                    name=path.stem,
                    kind=str(claims.get("kind", "")),
                    sub=str(claims.get("sub", "")),
                    on_behalf_of=str(claims.get("on_behalf_of", "")),
                    workspaces=tuple(claims.get("workspaces", ())),
                    capabilities=tuple(claims.get("capabilities", ())),
                    expires_s=int(claims.get("exp", 0)),
                )
            )
    return found


def place(folder: Path, name: str) -> Path:
    """Give where a token of this name lies, or would.

    Raises:
        ValueError: the name is none, but might lead elsewhere.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a token: letters, digits, dots, - and _, at most 64")
    return folder / f"{name}.jwt"


def keep(path: Path, text: str, *, replace: bool = False) -> None:
    """Write a token where only its owner reads it.

    Args:
        path: from `place`.
        text: the token.
        replace: another one that lies there goes.

    Raises:
        FileExistsError: there is one, and it is not to go.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if replace:
        path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def render(tokens: Sequence[Token], now_s: int) -> Text:
    """Give tokens as a table.

    Args:
        tokens: which.
        now_s: seconds since the epoch.
    """
    rows = [
        (
            each.name,
            each.kind,
            one_line(each.sub),
            one_line(each.on_behalf_of),
            "every one" if "*" in each.workspaces else ", ".join(each.workspaces),
            _left(each.expires_s - now_s),
        )
        for each in tokens
    ]
    widths = columns([_HEAD, *rows])
    parts = [line((GAP.join([*map(pad, _HEAD, widths), "may"]), DIM))]
    for row, each in zip(rows, tokens, strict=True):
        expired = BAD if each.expires_s <= now_s else ""
        parts.append(line((GAP.join(map(pad, row, widths)), expired), GAP, _may(each.capabilities)))
    return lines(parts)


def minted(path: Path, grant: Mapping[str, Any], days: int) -> Text:
    """Give what was minted."""
    parts = [line(f"{path}{GAP}", (f"good for {days} days", DIM))]
    parts.append(line((f"{grant['kind']} {grant['sub']} may {_may(grant['capabilities'])}", DIM)))
    return lines([*parts, line(("Next: ", DIM), f"export STANCHION_TOKEN=$(stanchion token show {path.stem})")])


def _may(capabilities: Sequence[str]) -> str:
    """Give what a token may do."""
    return "everything" if len(set(capabilities)) == _ALL else ", ".join(capabilities) or "nothing"


def _left(seconds: int) -> str:
    """Give how long something is still good."""
    if seconds <= 0:
        return "expired"
    return f"{seconds // _DAY_S} days" if seconds >= 2 * _DAY_S else f"{max(seconds // _HOUR_S, 1)} hours"


def _claims(path: Path) -> dict[str, Any] | None:
    """Give what a token says, without checking it; None for what is no token."""
    try:
        body = path.read_text(encoding="ascii").split(".")[1]
        found = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    except (OSError, ValueError, IndexError):
        return None
    return found if isinstance(found, dict) else None
