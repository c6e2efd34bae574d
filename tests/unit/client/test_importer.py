import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import Ref
from dulwich.repo import Repo

from stanchion import importer
from stanchion.writes import Event
from support.corpora import corpus
from support.history import Change, Line, event_of, make_repository, read_history

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def line(n: int, path: str, text: str | None, change: Change = "added", former: str = "") -> Line:
    """Give one line of a history; each is a commit of its own."""
    return Line(
        n=n,
        commit=f"c{n}",
        time=BEGIN + timedelta(days=n),
        author="maya",
        path=path,
        change=change,
        former=former,
        text=text,
    )


def told(events: Sequence[Event]) -> list[tuple[str, str, str | None]]:
    """Give uri, former uri and text of events."""
    found = [json.loads(event.data) for event in events]
    return [(each["uri"], each.get("former_uri", ""), each.get("text")) for each in found]


TEXT = "# A decision\n\n" + "\n".join(f"Line {n} of the reasoning." for n in range(20))


def test_a_real_history_comes_back_event_by_event(tmp_path: Path) -> None:
    """A repository made from 110 recorded changes gives the same 110 events, moves of the folder included, in order."""
    lines = read_history(corpus("adr-govuk-aws") / "history.jsonl")
    make_repository(tmp_path / "govuk", lines)
    found = importer.read(tmp_path / "govuk" / "docs/architecture/decisions")
    assert [(each.path, each.former, each.text) for each in lines] == told(found.events)
    assert [each.time.isoformat() for each in lines] == [event.time for event in found.events]
    assert (66, 38, ()) == (found.commits, found.files, found.uncommitted)
    assert {"author-1"} <= {json.loads(event.data)["author"] for event in found.events}


def test_ids_stay_the_same(tmp_path: Path) -> None:
    """Importing twice gives the same events, byte for byte, and no two share an id."""
    make_repository(tmp_path / "r", [line(1, "d/a.md", TEXT), line(2, "d/a.md", f"{TEXT}!", "modified")])
    first, again = importer.read(tmp_path / "r" / "d"), importer.read(tmp_path / "r" / "d")
    assert first == again
    assert len({event.id for event in first.events}) == 2
    assert first.source == "git:r"


def test_only_the_folder_and_the_kind_count(tmp_path: Path) -> None:
    """Other folders and other kinds of files are passed over."""
    lines = [line(1, "d/a.md", TEXT), line(2, "d/a.png", "x"), line(3, "other/b.md", TEXT)]
    make_repository(tmp_path / "r", lines)
    assert ["d/a.md"] == [uri for uri, _, _ in told(importer.read(tmp_path / "r" / "d").events)]


def test_a_file_that_leaves_the_folder_is_deleted(tmp_path: Path) -> None:
    """Seen from the folder, a file that moves out is gone."""
    make_repository(tmp_path / "r", [line(1, "d/a.md", TEXT), line(2, "e/a.md", TEXT, "renamed", "d/a.md")])
    (tmp_path / "r" / "d").mkdir(exist_ok=True)
    assert [("d/a.md", "", TEXT), ("d/a.md", "", None)] == told(importer.read(tmp_path / "r" / "d").events)


def test_uncommitted_changes_are_named(tmp_path: Path) -> None:
    """What differs from the head commit is named and not imported."""
    make_repository(tmp_path / "r", [line(1, "d/a.md", TEXT), line(2, "d/b.md", TEXT), line(3, "d/c.md", TEXT)])
    (tmp_path / "r/d/a.md").write_text("changed")
    (tmp_path / "r/d/b.md").unlink()
    (tmp_path / "r/d/new.md").write_text("new")
    found = importer.read(tmp_path / "r" / "d")
    assert ("d/a.md", "d/b.md", "d/new.md") == found.uncommitted
    assert 3 == len(found.events)


def test_side_branches_end_as_the_head_has_it(tmp_path: Path) -> None:
    """When the last word in time is not the last word of the merge, a last event settles it."""
    root = tmp_path / "r"
    make_repository(root, [line(1, "d/a.md", TEXT), line(5, "d/a.md", f"{TEXT} ours", "modified")])
    with Repo(str(root)) as repo:
        ours = repo[repo.head()]
        assert isinstance(ours, Commit)
        theirs = _commit(repo, ours, _tree(repo, f"{TEXT} theirs"), list(ours.parents), day=9)
        merge = _commit(repo, ours, ours.tree, [ours.id, theirs], day=20)
        repo.refs[Ref(b"HEAD")] = merge
    found = importer.read(root / "d").events
    assert [TEXT, f"{TEXT} ours", f"{TEXT} theirs", f"{TEXT} ours"] == [text for _, _, text in told(found)]
    assert found[-1].id == f"{merge.decode()}:d/a.md:settled"


def test_no_file_is_older_than_it_was(tmp_path: Path) -> None:
    """Where a clock was behind at a later commit the file keeps the time it had: nothing of it passes for old."""
    lines = [
        line(5, "d/a.md", TEXT),
        line(3, "d/a.md", f"{TEXT} one", "modified"),
        line(2, "d/b.md", f"{TEXT} one", "renamed", "d/a.md"),
        line(9, "d/b.md", f"{TEXT} two", "modified"),
    ]
    make_repository(tmp_path / "r", lines)
    events = importer.read(tmp_path / "r" / "d").events
    expected = [(BEGIN + timedelta(days=day)).isoformat() for day in (5, 5, 5, 9)]
    assert expected == [event.time for event in events]
    assert expected == [json.loads(event.data)["revised_at"] for event in events]


def _tree(repo: Repo, text: str) -> ObjectID:
    """Store a tree that holds a text at `d/a.md`."""
    blob, folder, top = Blob.from_string(text.encode()), Tree(), Tree()
    folder.add(b"a.md", 0o100644, blob.id)
    top.add(b"d", 0o040000, folder.id)
    for each in (blob, folder, top):
        repo.object_store.add_object(each)
    return top.id


def _commit(repo: Repo, like: Commit, tree: ObjectID, parents: list[ObjectID], *, day: int) -> ObjectID:
    """Store a commit."""
    made = Commit()
    made.tree, made.parents, made.message = tree, parents, b"made"
    made.author = made.committer = like.author
    made.commit_time = made.author_time = int((BEGIN + timedelta(days=day)).timestamp())
    made.commit_timezone = made.author_timezone = 0
    repo.object_store.add_object(made)
    return made.id


def test_without_git_files_come_as_they_lie(tmp_path: Path) -> None:
    """A folder outside git gives one event a file, named after its content."""
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text("one")
    (folder / "deep/b.md").write_text("two")
    (folder / "c.txt").write_text("three")
    found = importer.read(folder)
    assert [("notes/a.md", "", "one"), ("notes/deep/b.md", "", "two")] == told(found.events)
    assert ("dir:notes", 0) == (found.source, found.commits)
    assert found == importer.read(folder)


def test_a_repository_without_commits_counts_as_a_folder(tmp_path: Path) -> None:
    """Before the first commit the files count as they lie."""
    (tmp_path / "r").mkdir()
    Repo.init(str(tmp_path / "r")).close()
    (tmp_path / "r/a.md").write_text("one")
    assert [("r/a.md", "", "one")] == told(importer.read(tmp_path / "r").events)


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, and texts over the limit, are left out and named."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"\xff")
    (folder / "b.md").write_text("x" * 262_145)
    found = importer.read(folder)
    assert () == found.events
    assert [
        ("notes/a.md", "text is not UTF-8 at byte 0"),
        ("notes/b.md", "text has 262145 bytes; the limit is 262144"),
    ] == list(found.left_out)


def test_a_long_path_still_has_a_short_id(tmp_path: Path) -> None:
    """Ids keep to 128 characters and differ where paths do."""
    long = "d/" + "x" * 120
    make_repository(tmp_path / "r", [line(1, f"{long}/a.md", TEXT), line(2, f"{long}/b.md", TEXT + "b")])
    ids = [event.id for event in importer.read(tmp_path / "r" / "d").events]
    assert [128, 128] == [len(each) for each in ids]
    assert len(set(ids)) == 2


def test_a_line_of_a_history_is_the_importers_event() -> None:
    """The test helper that makes events of history lines says what the importer says."""
    event = event_of(line(1, "d/a.md", TEXT), "git:r", "docs")
    assert ("c1:d/a.md", "2026-01-02T00:00:00+00:00") == (event.id, event.time)
    assert {"uri", "text", "revision", "author", "revised_at"} == set(json.loads(event.data))


def test_no_folder_is_said(tmp_path: Path) -> None:
    """A path that is no folder is an error with the path in it."""
    with pytest.raises(NotADirectoryError, match="nowhere is no folder"):
        importer.read(tmp_path / "nowhere")


def test_history_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A shallow clone and a folder without git say that what moved before cannot be seen."""
    make_repository(tmp_path / "r", [line(1, "d/a.md", TEXT)])
    assert "whole" == importer.read(tmp_path / "r" / "d").history
    repo = Repo(str(tmp_path / "r"))
    repo.update_shallow({repo.head()}, set())
    repo.close()
    assert "shallow" == importer.read(tmp_path / "r" / "d").history
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.md").write_text(TEXT)
    assert "none" == importer.read(tmp_path / "plain").history
