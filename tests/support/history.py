"""Histories of document folders in the form of `shared/data/adr-govuk-aws/history.jsonl`: read, as events, as git."""

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
from dulwich.objects import ObjectID
from dulwich.repo import Repo
from dulwich.worktree import WorkTree
from msgspec import Struct

from stanchion.importer import REVISED
from stanchion.writes import Event

Change = Literal["added", "modified", "deleted", "renamed"]


class Line(Struct, frozen=True, kw_only=True, rename={"former": "from"}):
    """One change of one file: a line of the history.

    Attributes:
        n: 1, 2, 3 …
        commit: which commit.
        time: the committer's, with offset.
        author: of the commit.
        path: of the file after the change.
        change: what happened.
        former: the path before a rename.
        text: the whole new text; None when deleted.
    """

    n: int
    commit: str
    time: datetime
    author: str
    path: str
    change: Change
    former: str = ""
    text: str | None = None


def read_history(path: Path) -> list[Line]:
    """Give the lines of a history."""
    return [msgspec.json.decode(line, type=Line) for line in path.read_bytes().splitlines()]


def event_of(line: Line, source: str, workspace: str) -> Event:
    """Give a line as the event that the importer would make of it."""
    moved = {"former_uri": line.former} if line.former else {}
    content = {"deleted": True} if line.text is None else {"text": line.text}
    time = line.time.isoformat()
    facts = {"revision": line.commit, "author": line.author, "revised_at": time}
    return Event(
        id=f"{line.commit}:{line.path}",
        source=source,
        type=REVISED,
        workspace=workspace,
        subject=line.path,
        time=time,
        data=json.dumps({"uri": line.path, **moved, **content, **facts}).encode(),
    )


def make_repository(root: Path, lines: Iterable[Line]) -> None:
    """Make a git repository with the history's changes, commit by commit, one after the other."""
    root.mkdir(parents=True)
    Repo.init(str(root)).close()
    commit(root, lines)


def commit(root: Path, lines: Iterable[Line], *, merging: bytes = b"") -> None:
    """Put more of a history into a repository; each commit merges another one where one is named."""
    by_commit: dict[str, list[Line]] = {}
    for line in lines:
        by_commit.setdefault(line.commit, []).append(line)
    with Repo(str(root)) as repo:
        for commit_lines in by_commit.values():
            _commit(repo, root, commit_lines, [ObjectID(merging)] if merging else [])


def _commit(repo: Repo, root: Path, lines: list[Line], merging: list[ObjectID]) -> None:
    """Make one commit of the lines of one commit."""
    touched: list[str] = []
    for line in lines:
        if line.former:
            (root / line.former).unlink(missing_ok=True)
            touched.append(line.former)
        if line.text is None:
            (root / line.path).unlink()
        else:
            (root / line.path).parent.mkdir(parents=True, exist_ok=True)
            (root / line.path).write_text(line.text, encoding="utf-8", newline="")
        touched.append(line.path)
    offset = lines[0].time.utcoffset()
    who = f"{lines[0].author} <{lines[0].author}@example.org>".encode()
    tree = WorkTree(repo, str(root))
    tree.stage(sorted(set(touched)))
    tree.commit(
        message=lines[0].commit.encode(),
        committer=who,
        author=who,
        commit_timestamp=lines[0].time.timestamp(),
        commit_timezone=int(offset.total_seconds()) if offset is not None else 0,
        author_timestamp=lines[0].time.timestamp(),
        author_timezone=0,
        merge_heads=merging,
    )
