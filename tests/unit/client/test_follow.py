import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dulwich.refs import Ref
from dulwich.repo import Repo

from stanchion import importer
from stanchion.follow import Follower, passed
from stanchion.importer import Import, Wanted
from stanchion.writes import Event
from support.history import Change, Line, commit, make_repository

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def line(n: int, path: str, text: str | None, change: Change = "added", former: str = "") -> Line:
    """Give one line of a history; each is a commit of its own."""
    time = BEGIN + timedelta(days=n)
    return Line(n=n, commit=f"c{n}", time=time, author="maya", path=path, change=change, former=former, text=text)


def following(root: Path, wanted: Wanted = importer.EVERYTHING) -> Follower:
    """Give a follower that has told all there is."""
    follower = Follower(root / "d", wanted)
    follower.begin(importer.read(root / "d", wanted))
    return follower


def told(found: Import | None = None, events: Sequence[Event] = ()) -> list[tuple[str, str | None]]:
    """Give uri and text of what is new; no text for what is gone."""
    said = [json.loads(event.data) for event in (found.events if found is not None else events)]
    return [(data["uri"], data.get("text")) for data in said]


def set_back(root: Path, to: bytes) -> None:
    """Have the branch end at another commit."""
    with Repo(str(root)) as repo:
        repo.refs[Ref(b"refs/heads/master")] = repo[to].id


def check_out(root: Path, branch: str, begin: bytes = b"") -> None:
    """Have the next commit be on a branch, one that begins at a commit where one is named."""
    with Repo(str(root)) as repo:
        name = Ref(f"refs/heads/{branch}".encode())
        if begin:
            repo.refs[name] = repo[begin].id
        repo.refs.set_symbolic_ref(Ref(b"HEAD"), name)


def head(root: Path) -> bytes:
    """Give the branch's last commit."""
    with Repo(str(root)) as repo:
        return bytes(repo.head())


def test_only_what_is_new_is_given(tmp_path: Path) -> None:
    """A branch that stands gives nothing; new commits come once, under the ids that an import gives them."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", "one")])
    follower = following(root)
    assert follower.look() is None
    commit(root, [line(2, "d/a.md", "two", "modified"), line(3, "d/b.md", "three")])
    found = follower.look()
    assert [("d/a.md", "two"), ("d/b.md", "three")] == told(found)
    assert found is not None
    assert (2, importer.read(root / "d").events[1:]) == (found.commits, found.events)


def test_what_was_not_acknowledged_is_given_again(tmp_path: Path) -> None:
    """Only what was acknowledged counts as told: at least once, never not at all."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", "one")])
    follower = following(root)
    commit(root, [line(2, "d/a.md", "two", "modified")])
    found = follower.look()
    assert found is not None
    assert found == follower.look()
    follower.told(found)
    assert follower.look() is None


def test_the_branch_that_was_read_first_is_followed(tmp_path: Path) -> None:
    """Checking out another branch imports nothing of it; a commit that touches no document says nothing."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", "one")])
    follower = following(root)
    check_out(root, "other", head(root))
    commit(root, [line(2, "d/b.md", "theirs")])
    assert ("master", None) == (follower.branch, follower.look())
    assert [("d/a.md", "one"), ("d/b.md", "theirs")] == told(importer.read(root / "d", Wanted(branch="other")))
    with pytest.raises(LookupError, match="has no branch nope"):
        importer.read(root / "d", Wanted(branch="nope"))


def test_a_branch_that_goes_back_is_told(tmp_path: Path) -> None:
    """What a rewritten branch says no longer is told as it stands now, later than before, and again when it returns."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", "one")])
    first = head(root)
    follower = following(root)
    commit(root, [line(2, "d/a.md", "two", "modified"), line(3, "d/b.md", "three")])
    forward = follower.look()
    assert forward is not None
    follower.told(forward)
    set_back(root, first)
    back = follower.look()
    assert [("d/b.md", None), ("d/a.md", "one")] == told(back)
    assert back is not None
    assert all(later.time > before.time for later in back.events for before in forward.events[:1])
    follower.told(back)
    last = importer.read(root / "d", Wanted(branch=json.loads(forward.events[-1].data)["revision"]))
    set_back(root, last.head.encode())
    again = follower.look()
    assert [("d/a.md", "two"), ("d/b.md", "three")] == told(again)
    assert again is not None
    ids = [event.id for found in (forward, back, again) for event in found.events]
    assert len(ids) == len(set(ids))


def test_what_documents_stand_at_is_passed(tmp_path: Path) -> None:
    """Of each document only what comes after the revision it stands at is ahead, through renames; new ones whole."""
    root = tmp_path / "r"
    make_repository(
        root,
        [
            line(1, "d/a.md", "one"),
            line(2, "d/a.md", "two", "modified"),
            line(3, "d/c.md", "two", "renamed", "d/a.md"),
            line(4, "d/b.md", "b"),
            line(5, "d/c.md", "three", "modified"),
        ],
    )
    events = importer.read(root / "d").events
    revisions = [json.loads(event.data)["revision"] for event in events]

    def left(*stood: tuple[str, str]) -> list[tuple[str, str | None]]:
        behind = passed(events, set(stood))
        return told(events=[event for event in events if event.id not in behind])

    a, c = ("d/a.md", "one"), ("d/c.md", "three")
    assert [("d/c.md", "two"), ("d/b.md", "b"), c] == left(("d/a.md", revisions[1]))
    assert [("d/b.md", "b"), c] == left(("d/c.md", revisions[2]))
    assert [a, ("d/a.md", "two"), ("d/c.md", "two"), c] == left(("d/b.md", revisions[3]))
    assert [] == left(("d/c.md", revisions[4]), ("d/b.md", revisions[3]))
    assert 5 == len(left(("d/a.md", "v7")))


def test_a_revision_that_comes_late_sets_nothing_back(tmp_path: Path) -> None:
    """A merge brings an older revision of a document that was told as it is now: it is passed over."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", "one")])
    first = head(root)
    commit(root, [line(9, "d/a.md", "ours", "modified")])
    follower = following(root)
    check_out(root, "side", first)
    commit(root, [line(5, "d/a.md", "theirs", "modified"), line(6, "d/new.md", "new")])
    side = head(root)
    check_out(root, "master")
    commit(root, [line(10, "d/a.md", "ours", "modified"), line(10, "d/new.md", "new")], merging=side)
    assert ["one", "theirs", "new", "ours"] == [text for _, text in told(importer.read(root / "d"))]
    assert [("d/new.md", "new")] == told(follower.look())


def test_a_history_may_begin_late(tmp_path: Path) -> None:
    """Of what was before a time each file comes once, as it stood then, under the id it has in a whole import."""
    root = tmp_path / "r"
    make_repository(
        root,
        [
            line(1, "d/a.md", "one"),
            line(2, "d/a.md", "two", "modified"),
            line(3, "d/gone.md", "x"),
            line(4, "d/gone.md", None, "deleted"),
            line(5, "d/c.md", "two", "renamed", "d/a.md"),
            line(6, "d/b.md", "b"),
            line(7, "d/b.md", "b2", "modified"),
        ],
    )
    found = importer.read(root / "d", Wanted(since=BEGIN + timedelta(days=6)))
    assert [("d/c.md", "two"), ("d/b.md", "b"), ("d/b.md", "b2")] == told(found)
    assert {event.id for event in found.events} <= {event.id for event in importer.read(root / "d").events}
