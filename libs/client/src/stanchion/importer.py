"""Importing a folder of documents: its history as change events, in the order in which things happened.

Each change of each file is one event `stanchion.document.revised.v1`:

- `id`: `<commit>:<path>`, so that importing again changes nothing; without git `content:<digest>:<path>`. Where that is
  longer than an id may be, a digest of the path stands for its beginning.
- `source`: `git:<repository>` or what the caller says; without git `dir:<folder>`.
- `uri`: the file's path from the repository's root (without git: from the folder's parent).
- `data`: JSON with `uri`, `text` or `deleted`, and where they apply `former_uri`, `revision`, `author`, `revised_at`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from stanchion.githistory import Change, GitFolder, begun_at, open_folder
from stanchion.writes import Event
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import BODY_BYTES, KEY_CHARS
from stanchion_core.text import decode

REVISED: Final = "stanchion.document.revised.v1"
SUFFIXES: Final = (".md",)
Progress = Callable[[int, int], None]


class Import(Struct, frozen=True, kw_only=True):
    """What a folder's history comes to.

    Attributes:
        source: the events' source.
        events: oldest first.
        commits: how many commits they come from; 0 without git.
        files: how many files stand in the end.
        history: `whole`; `shallow` where the clone lacks its beginning; `none` without git, or before the first commit.
        branch: whose history it is; empty where no branch is checked out.
        head: its last commit; empty without git.
        uncommitted: files that differ from the head commit; they are not imported.
        left_out: (path and revision, why) of texts that cannot be imported.
    """

    source: str
    events: tuple[Event, ...]
    commits: int
    files: int
    history: Literal["whole", "shallow", "none"] = "whole"
    branch: str = ""
    head: str = ""
    uncommitted: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()


class Wanted(Struct, frozen=True, kw_only=True):
    """Which documents, and as whose.

    Attributes:
        source: the events' source; empty for the repository's or the folder's name.
        room: the room the events are for.
        suffixes: which files count.
        branch: whose history; empty for what is checked out.
        since: of what was before, only each file's last revision; aware, None for all of it.
    """

    source: str = ""
    room: str = ""
    suffixes: Sequence[str] = SUFFIXES
    branch: str = ""
    since: datetime | None = None


EVERYTHING: Final = Wanted()
"""All of what is checked out."""


def read(path: Path, wanted: Wanted = EVERYTHING, progress: Progress = lambda _done, _all: None) -> Import:
    """Give a folder's history as events; its files as they lie there when the folder is not under git.

    Args:
        path: of the folder.
        wanted: which of its documents.
        progress: told how many commits of how many have been looked at.

    Raises:
        NotADirectoryError: there is no such folder.
        LookupError: there is no such branch.
    """
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is no folder")
    folder = open_folder(path, wanted.suffixes, wanted.branch)
    if folder is None:
        return _plain(path, wanted)
    with closing(folder):
        if folder.is_unborn:
            return _plain(path, wanted)
        changes = folder.history(progress)
        return _versioned(folder, begun_at(changes, wanted.since) if wanted.since else changes, wanted)


def head_of(path: Path, wanted: Wanted) -> str:
    """Give the last commit of a branch; empty where nothing was ever committed.

    Raises:
        LookupError: there is no such branch, or no repository.
    """
    folder = open_folder(path, wanted.suffixes, wanted.branch)
    if folder is None:
        raise LookupError(f"{path} is in no git repository")
    with closing(folder):
        return folder.head


def standing(events: Iterable[Event]) -> set[str]:
    """Give the uris of the documents that stand after these changes."""
    uris: set[str] = set()
    for event in events:
        change: dict[str, Any] = json.loads(event.data)
        uris.discard(str(change.get("former_uri", "")))
        (uris.discard if change.get("deleted") else uris.add)(str(change["uri"]))
    return uris


def _versioned(folder: GitFolder, changes: Sequence[Change], wanted: Wanted) -> Import:
    """Give the events of a folder under git."""
    named = wanted.source or f"git:{folder.name}"
    events: list[Event] = []
    left_out: list[tuple[str, str]] = []
    there: set[str] = set()
    latest: dict[str, datetime] = {}
    for change in changes:
        time = max(change.time, *(latest.get(path, change.time) for path in (change.path, change.former)))
        latest[change.path] = time
        there.discard(change.former)
        (there.discard if change.kind == "deleted" else there.add)(change.path)
        try:
            events.append(_event(change, folder.text(change), named, wanted.room, time))
        except InvalidMessage as error:
            left_out.append((f"{change.path} at {change.commit[:12]}", error.detail))
    return Import(
        source=named,
        events=tuple(events),
        commits=len({change.commit for change in changes}),
        files=len(there),
        history="shallow" if folder.is_shallow else "whole",
        branch=folder.branch,
        head=folder.head,
        uncommitted=tuple(folder.uncommitted()),
        left_out=tuple(left_out),
    )


def _event(change: Change, text: bytes, source: str, room: str, at: datetime) -> Event:
    """Give the event of one change.

    Args:
        change: of one file.
        text: of the file after it.
        source: whose event it is.
        room: where it belongs.
        at: when it was made; no earlier than the file's change before it, whatever the clocks said.

    Raises:
        InvalidMessage: the text is too large, or no text.
    """
    moved = {"former_uri": change.former} if change.former else {}
    content: dict[str, Any] = (
        {"deleted": True} if change.kind == "deleted" else {"text": decode(text, "text", utf8_bytes=BODY_BYTES)}
    )
    time = at.isoformat()
    facts = {"revision": change.commit, "author": change.author, "revised_at": time}
    return Event(
        id=event_id(change.commit, f"{change.path}{':settled' if change.settles else ''}"),
        source=source,
        type=REVISED,
        room=room,
        subject=change.path,
        time=time,
        data=payload({"uri": change.path, **moved, **content, **facts}),
    )


def _plain(path: Path, wanted: Wanted) -> Import:
    """Give the events of a folder that is not under git: each file as it lies there."""
    root = path.resolve()
    source = wanted.source or f"dir:{root.name}"
    events: list[Event] = []
    left_out: list[tuple[str, str]] = []
    for name, file in _files(root, wanted.suffixes):
        data = file.read_bytes()
        try:
            text = decode(data, "text", utf8_bytes=BODY_BYTES)
        except InvalidMessage as error:
            left_out.append((name, error.detail))
            continue
        digest = hashlib.sha256(data).hexdigest()
        events.append(
            Event(
                id=event_id(f"content:{digest[:40]}", name),
                source=source,
                type=REVISED,
                room=wanted.room,
                subject=name,
                data=payload({"uri": name, "text": text, "revision": f"sha256:{digest}"}),
            )
        )
    return Import(
        source=source,
        events=tuple(events),
        commits=0,
        files=len(events),
        history="none",
        left_out=tuple(left_out),
    )


def _files(root: Path, suffixes: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Give name (from the folder's parent) and path of each file that counts, sorted, hidden folders passed over."""
    for file in sorted(root.rglob("*")):
        inside = file.relative_to(root)
        hidden = any(part.startswith(".") for part in inside.parts)
        if file.is_file() and not file.is_symlink() and not hidden and file.name.endswith(tuple(suffixes)):
            yield f"{root.name}/{inside.as_posix()}", file


def event_id(version: str, path: str) -> str:
    """Give an event's id, of bounded length."""
    whole = f"{version}:{path}"
    if len(whole) <= KEY_CHARS:
        return whole
    begin = f"{version}:~{hashlib.sha256(path.encode()).hexdigest()[:16]}~"
    return begin + path[len(begin) - KEY_CHARS :]


def payload(value: Mapping[str, Any]) -> bytes:
    """Give an event's data."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
