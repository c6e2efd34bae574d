"""Following a branch: what is new of it since the last look, as events.

Nothing is kept on disk. Who starts anew asks at which revision each document stands and goes on from there, on any
machine. What goes out twice all the same, because a reader lags or a document became no record, is taken up once:
events carry the same ids each time. A revision that comes to the branch late, by a merge, and is older in its
document's line than what was told, is passed over: telling it would set the document back.

A branch that is set back or rewritten says less than it said before. Then each document that no longer stands as it was
told is told once more, as the branch has it now.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from stanchion.client import Client
from stanchion.errors import NotFound
from stanchion.importer import Import, Wanted, event_id, head_of, payload, read
from stanchion.writes import Event


class Told(Struct, frozen=True, kw_only=True):
    """A document as it was last told."""

    data: dict[str, Any]
    event: Event


class Follower:
    """What has been told of a branch of a folder.

    Args:
        path: of the folder, in a git repository.
        wanted: which of its documents; a branch that is not named is the one that was read first.
    """

    def __init__(self, path: Path, wanted: Wanted) -> None:
        self._path = path
        self._wanted = wanted
        self._ids: set[str] = set()
        self._told: dict[str, Told] = {}
        self._left_out: set[tuple[str, str]] = set()
        self.head = ""

    @property
    def branch(self) -> str:
        """Which branch is followed; empty for a commit that is checked out as it is."""
        return self._wanted.branch

    def begin(self, found: Import) -> None:
        """Take a whole import as told: its branch is followed from its last commit on."""
        self._wanted = structs.replace(self._wanted, source=found.source, branch=found.branch or self._wanted.branch)
        self.told(found)

    def told(self, found: Import) -> None:
        """Note that events were acknowledged."""
        self._ids.update(event.id for event in found.events)
        self._told = standing(found.events, self._told)
        self._left_out.update(found.left_out)
        self.head = found.head

    def look(self) -> Import | None:
        """Give what is new; None where the branch is where it was.

        Raises:
            LookupError: the branch is gone, or the repository.
        """
        if head_of(self._path, self._wanted) == self.head:
            return None
        whole = read(self._path, self._wanted)
        if not whole.head:
            raise LookupError(f"{self._path} is in no git repository any more")
        known = self._ids | passed(whole.events, {(uri, each.data["revision"]) for uri, each in self._told.items()})
        new = [event for event in whole.events if event.id not in known]
        new += set_back(standing(new, self._told), standing(whole.events), whole.head)
        commits = {json.loads(event.data).get("revision") for event in new}
        left_out = tuple(each for each in whole.left_out if each not in self._left_out)
        return structs.replace(whole, events=tuple(new), commits=len(commits), left_out=left_out)


async def ahead(client: Client, workspace: str, found: Import) -> tuple[Event, ...]:
    """Give the events of an import that are ahead of where its documents stand in a workspace.

    Raises:
        StanchionError: it was refused, or nobody answers.
    """
    try:
        records = [each async for each in client.query(workspace=workspace, include_deleted=True)]
    except NotFound:  # there is no such workspace yet
        return found.events
    stood = {(each.upstream.uri, each.upstream.revision) for each in records if each.upstream}
    behind = passed(found.events, stood)
    return tuple(event for event in found.events if event.id not in behind)


def passed(events: Iterable[Event], stood: Collection[tuple[str, str]]) -> set[str]:
    """Give the ids of events that were passed: a document stands at them, or at a later one of its line.

    Args:
        events: of a whole history, oldest first.
        stood: uri and revision at which documents stand.
    """
    lines: dict[str, list[tuple[str, bool]]] = {}
    for event in events:
        data: dict[str, Any] = json.loads(event.data)
        uri = data["uri"]
        before = lines.pop(data.get("former_uri", ""), [])
        lines[uri] = [*lines.get(uri, []), *before, (event.id, (uri, data.get("revision", "")) in stood)]
    ids: set[str] = set()
    for line in lines.values():
        last = max((index for index, (_, here) in enumerate(line) if here), default=-1)
        ids.update(event_id for event_id, _ in line[: last + 1])
    return ids


def standing(events: Iterable[Event], before: Mapping[str, Told] = {}) -> dict[str, Told]:
    """Give the documents that stand after these events, by uri, each as it was last told."""
    found = dict(before)
    for event in events:
        data: dict[str, Any] = json.loads(event.data)
        found.pop(data.get("former_uri", ""), None)
        if data.get("deleted"):
            found.pop(data["uri"], None)
        else:
            found[data["uri"]] = Told(data=data, event=event)
    return found


def set_back(told: Mapping[str, Told], stands: Mapping[str, Told], head: str) -> list[Event]:
    """Give what tells a reader of `told` how documents stand on a branch that has gone back.

    Args:
        told: as they were told.
        stands: as they stand.
        head: the branch's last commit.
    """
    gone = [_again(each, {"deleted": True}, head, each) for uri, each in sorted(told.items()) if uri not in stands]
    differing = [
        _again(each, {"text": each.data["text"]}, head, told.get(uri, each))
        for uri, each in sorted(stands.items())
        if uri not in told or told[uri].data["text"] != each.data["text"]
    ]
    return gone + differing


def _again(each: Told, content: dict[str, Any], head: str, last: Told) -> Event:
    """Give a document told once more, later than it was told last."""
    uri = each.data["uri"]
    time = max(_after(last), datetime.fromisoformat(each.event.time)).isoformat()
    facts = {"revision": head, "author": each.data["author"], "revised_at": time}
    return structs.replace(
        each.event,
        id=event_id(head, f"{uri}:set-back:{last.event.id}"),
        time=time,
        data=payload({"uri": uri, **content, **facts}),
    )


def _after(last: Told) -> datetime:
    """Give a time after a document was told."""
    return datetime.fromisoformat(last.event.time) + timedelta(seconds=1)
