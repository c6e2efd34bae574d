"""The history of one folder of a git repository: which files changed, commit by commit, parents before children.

Moves are followed: when the folder, or a file in it, lived elsewhere before, that part of its history counts, too. A
merge counts where it says something that none of its parents says. Since commits of side branches are put in one line,
the last word may differ from what stands in the end; then a last change of the head commit settles it.
"""

import heapq
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Final, Literal

from dulwich.diff_tree import (
    CHANGE_DELETE,
    CHANGE_RENAME,
    RenameDetector,
    TreeChange,
    tree_changes,
    tree_changes_for_merge,
)
from dulwich.errors import NotGitRepository
from dulwich.objects import Blob, Commit, ObjectID, Tree, TreeEntry
from dulwich.objectspec import parse_commit
from dulwich.refs import Ref
from dulwich.repo import Repo
from msgspec import Struct

_SIMILAR: Final = 50  # percent from which git itself calls it a rename

Kind = Literal["added", "modified", "deleted", "renamed"]


class Change(Struct, frozen=True, kw_only=True):
    """One file changed by one commit.

    Attributes:
        kind: what happened; a rename may change the text, too.
        path: from the repository's root; where the file is after the change, or was before its deletion.
        former: where it was before a rename, else empty.
        blob: the id of the text after the change, empty after a deletion.
        commit: 40 hexadecimal digits.
        time: the committer's, with the committer's offset.
        author: name as in the commit.
        settles: the change is nobody's: it settles what side branches left open.
    """

    kind: Kind
    path: str
    former: str = ""
    blob: str = ""
    commit: str
    time: datetime
    author: str
    settles: bool = False


class Followed:
    """Where files of the folder were before: single files, and folders that moved as a whole."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.folders: set[str] = set()

    def holds(self, path: str) -> bool:
        """Tell whether a path is followed."""
        return path in self.paths or any(path.startswith(f"{folder}/") for folder in self.folders)


class GitFolder:
    """A folder in a git repository, on one branch.

    Attributes:
        branch: its name, as it was given or is checked out; empty for a commit that is checked out as it is.

    Args:
        repo: opened.
        folder: from the repository's root, without slashes at its ends; empty for the root.
        suffixes: which files count.
        branch: a branch, tag or commit; empty for what is checked out.

    Raises:
        LookupError: there is no such branch.
    """

    def __init__(self, repo: Repo, folder: str, suffixes: Sequence[str], branch: str = "") -> None:
        self._repo = repo
        self._folder = folder
        self._suffixes = tuple(suffixes)
        self.branch, self._head = _head(repo, branch)

    def close(self) -> None:
        """Close the repository."""
        self._repo.close()

    @property
    def is_unborn(self) -> bool:
        """Whether nothing was ever committed."""
        return self._head is None

    @property
    def head(self) -> str:
        """The branch's last commit, 40 hexadecimal digits; empty where nothing was ever committed."""
        return self._head.decode() if self._head is not None else ""

    @property
    def is_checked_out(self) -> bool:
        """Whether the files on disk are this branch's."""
        return not self._repo.bare and self._head == _head(self._repo, "")[1]

    @property
    def is_shallow(self) -> bool:
        """Whether the clone lacks the beginning of its history."""
        return bool(self._repo.get_shallow())

    @property
    def name(self) -> str:
        """The repository's name: the last part of its origin, else of its folder."""
        try:
            origin = self._repo.get_config().get((b"remote", b"origin"), b"url").decode()
        except (KeyError, UnicodeDecodeError):
            origin = ""
        last = origin.rstrip("/").replace(":", "/").rsplit("/", 1)[-1].removesuffix(".git")
        return last or Path(self._repo.path).resolve().name.removesuffix(".git")

    def history(self, progress: Callable[[int, int], None] = lambda _done, _all: None) -> list[Change]:
        """Give every change, oldest first.

        Args:
            progress: told how many commits of how many have been looked at.
        """
        commits = list(_parents_first(self._repo, self._head))
        followed = Followed()
        backwards: list[list[Change]] = []
        for done, commit in enumerate(reversed(commits), start=1):
            backwards.append(self._changes(commit, followed))
            progress(done, len(commits))
        changes = [change for of_one in reversed(backwards) for change in of_one]
        return changes + (self._settling(commits[-1], changes, followed) if commits else [])

    def text(self, change: Change) -> bytes:
        """Give the whole text after a change, empty after a deletion."""
        if not change.blob:
            return b""
        blob = self._repo.object_store[ObjectID(change.blob.encode())]
        return blob.data if isinstance(blob, Blob) else b""

    def uncommitted(self) -> list[str]:
        """Give the files on disk that differ from the head commit, new and missing ones included, sorted.

        None where another branch is checked out.
        """
        if not self.is_checked_out:
            return []
        root = Path(self._repo.path)
        committed = dict(self._head_files())
        on_disk = {
            path.relative_to(root).as_posix(): path
            for path in (root / self._folder).rglob("*")
            if path.is_file() and not path.is_symlink() and self._inside(path.relative_to(root).as_posix())
        }
        changed = [name for name, path in on_disk.items() if committed.get(name) not in _blob_ids(path)]
        return sorted([*changed, *(committed.keys() - on_disk.keys())])

    def _changes(self, commit: Commit, followed: Followed) -> list[Change]:
        """Give the changes of one commit inside; note where renamed files were before."""
        store = self._repo.object_store
        trees = [self._tree(parent) for parent in self._repo.get_parents(commit.id, commit)]
        if len(trees) > 1:
            merged = (each for each in tree_changes_for_merge(store, trees, commit.tree))
            found = [change for changes in merged if (change := next(filter(None, changes), None)) is not None]
        else:
            found = self._renames_found(trees[0] if trees else None, commit.tree, followed)
        changes = [made for change in found if (made := self._change(change, commit, followed)) is not None]
        self._follow(changes, commit, followed)
        return _in_order(changes)

    def _follow(self, changes: Iterable[Change], commit: Commit, followed: Followed) -> None:
        """Follow each renamed file to where it was before, and a folder that moved as a whole with all it ever held."""
        for change in changes:
            if change.former:
                followed.paths.add(change.former)
                before, _, name = change.former.rpartition("/")
                if change.path.endswith(f"/{name}") and before and not self._holds(commit.tree, before):
                    followed.folders.add(before)

    def _holds(self, tree: ObjectID, folder: str) -> bool:
        """Tell whether a tree has a folder."""
        try:
            found = self._repo.object_store[tree]
            assert isinstance(found, Tree), "a commit has a tree"  # noqa: S101 - git's own promise
            found.lookup_path(self._repo.object_store.__getitem__, folder.encode())
        except KeyError:
            return False
        return True

    def _renames_found(self, before: ObjectID | None, after: ObjectID, followed: Followed) -> list[TreeChange]:
        """Give what differs between two trees; renames are looked for only where a file inside appeared."""
        store = self._repo.object_store
        plain = [
            change
            for change in tree_changes(store, before, after)
            if any(side and _path(side).endswith(self._suffixes) for side in (change.old, change.new))
        ]
        appeared = any(
            change.old is None and change.new and self._inside(_path(change.new), followed) for change in plain
        )
        gone = any(change.type == CHANGE_DELETE for change in plain)
        if not (appeared and gone):
            return plain
        detector = RenameDetector(store, rename_threshold=_SIMILAR, max_files=None if len(plain) < _MANY else _MANY)
        return detector.changes_with_renames(before, after)

    def _change(self, change: TreeChange, commit: Commit, followed: Followed) -> Change | None:
        """Give one change inside; None for what does not concern the folder, or changes no text."""
        old = _path(change.old) if change.old and _is_file(change.old) else ""
        new = _path(change.new) if change.new and _is_file(change.new) else ""
        inside_new = new and self._inside(new, followed)
        inside_old = old and (self._inside(old, followed) or (inside_new and change.type == CHANGE_RENAME))
        if inside_new and change.new is not None:
            same = change.old is not None and change.old.sha == change.new.sha and old == new
            moved = old != new and change.type == CHANGE_RENAME  # of a copy, the source lives on
            kind: Kind = "modified" if old == new else ("renamed" if moved else "added")
            return None if same else _made(kind, new, commit, former=old if moved else "", blob=change.new)
        if inside_old and change.type in {CHANGE_DELETE, CHANGE_RENAME}:
            return _made("deleted", old, commit)
        return None

    def _settling(self, head: Commit, changes: Iterable[Change], followed: Followed) -> list[Change]:
        """Give what is still to change so that the replay ends as the head commit has it."""
        standing: dict[str, str] = {}
        for change in changes:
            standing.pop(change.former, None)
            if change.kind == "deleted":
                standing.pop(change.path, None)
            else:
                standing[change.path] = change.blob
        committed = dict(self._head_files())
        gone = [
            _settled("deleted", path, head)
            for path in sorted(standing.keys() - committed.keys())
            if self._inside(path, followed)
        ]
        differing = [
            _settled("modified" if path in standing else "added", path, head, blob)
            for path, blob in sorted(committed.items())
            if standing.get(path) != blob
        ]
        return gone + differing

    def _head_files(self) -> Iterator[tuple[str, str]]:
        """Give path and blob id of each file of the head commit inside the folder."""
        head = self._repo[self._head] if self._head is not None else None
        if isinstance(head, Commit):
            for entry in self._repo.object_store.iter_tree_contents(head.tree):
                path = entry.path.decode(errors="replace") if entry.path else ""
                if entry.mode and stat.S_ISREG(entry.mode) and entry.sha and self._inside(path):
                    yield path, entry.sha.decode()

    def _tree(self, commit: ObjectID) -> ObjectID:
        """Give the tree of a commit."""
        found = self._repo[commit]
        assert isinstance(found, Commit), "a parent is a commit"  # noqa: S101 - git's own promise
        tree: ObjectID = found.tree
        return tree

    def _inside(self, path: str, followed: "Followed | None" = None) -> bool:
        """Tell whether a path counts: of the right kind, and in the folder or followed from there."""
        in_folder = not self._folder or path.startswith(f"{self._folder}/")
        return path.endswith(self._suffixes) and (in_folder or (followed is not None and followed.holds(path)))


_MANY: Final = 400  # adds or deletions in one commit from which only equal texts count as renames


def open_folder(path: Path, suffixes: Sequence[str], branch: str = "") -> GitFolder | None:
    """Give the folder at a path, or None when it is not in a git repository.

    Args:
        path: a folder on disk.
        suffixes: which files count.
        branch: a branch, tag or commit; empty for what is checked out.

    Raises:
        LookupError: there is no such branch.
    """
    where = path.resolve()
    try:
        repo = Repo.discover(where)
    except NotGitRepository:
        return None
    if repo.bare:
        return GitFolder(repo, "", suffixes, branch)
    inside = where.relative_to(Path(repo.path).resolve()).as_posix()
    return GitFolder(repo, "" if inside == "." else inside, suffixes, branch)


_BRANCHES: Final = b"refs/heads/"


def _head(repo: Repo, branch: str) -> tuple[str, ObjectID | None]:
    """Give a branch's name and its last commit; none where nothing was ever committed.

    Raises:
        LookupError: there is no such branch.
    """
    if not branch:
        names, head = repo.refs.follow(Ref(b"HEAD"))
        on_branch = names[-1].startswith(_BRANCHES)
        return names[-1].removeprefix(_BRANCHES).decode(errors="replace") if on_branch else "", head
    for name in (branch, f"origin/{branch}"):
        with suppress(KeyError, ValueError):
            return branch, parse_commit(repo, name).id
    raise LookupError(f"{repo.path} has no branch {branch}")


def _parents_first(repo: Repo, head: ObjectID | None) -> Iterator[Commit]:
    """Give every commit the head has grown from: parents before children, else by commit time, else by id."""
    if head is None:
        return
    commits: dict[ObjectID, Commit] = {}
    children: dict[ObjectID, list[ObjectID]] = {}
    waiting: dict[ObjectID, int] = {}
    to_visit = [head]
    while to_visit:
        sha = to_visit.pop()
        commit = repo[sha] if sha not in commits else None
        if not isinstance(commit, Commit):
            continue
        commits[sha] = commit
        parents = [parent for parent in repo.get_parents(sha, commit) if parent in repo.object_store]
        waiting[sha] = len(parents)
        for parent in parents:
            children.setdefault(parent, []).append(sha)
        to_visit.extend(parents)
    ready = [(commits[sha].commit_time, sha) for sha, count in waiting.items() if count == 0]
    heapq.heapify(ready)
    while ready:
        _, sha = heapq.heappop(ready)
        yield commits[sha]
        for child in children.get(sha, ()):
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, (commits[child].commit_time, child))


def begun_at(changes: Sequence[Change], since: datetime) -> list[Change]:
    """Give a history that begins at a time: of each file that stood then, first only its last change before it.

    Args:
        changes: oldest first.
        since: aware.
    """
    standing: dict[str, Change] = {}
    for change in changes:
        if change.time < since:
            standing.pop(change.former, None)
            standing.pop(change.path, None)
            if change.kind != "deleted":
                standing[change.path] = change
    kept = set(map(id, standing.values()))
    return [change for change in changes if change.time >= since or id(change) in kept]


def _in_order(changes: Iterable[Change]) -> list[Change]:
    """Give the changes of one commit so that they can be replayed one by one.

    Deletions come first, then renames, each before whatever takes the path it leaves; the rest follows by path.
    """
    by_path = sorted(changes, key=lambda change: change.path)
    renames = [change for change in by_path if change.kind == "renamed"]
    ordered = [change for change in by_path if change.kind == "deleted"]
    while renames:
        left_behind = {change.former for change in renames}
        free = next((change for change in renames if change.path not in left_behind), renames[0])
        renames.remove(free)
        ordered.append(free)
    return ordered + [change for change in by_path if change.kind in {"added", "modified"}]


def _made(kind: Kind, path: str, commit: Commit, *, former: str = "", blob: TreeEntry | None = None) -> Change:
    """Give a change of a commit."""
    return Change(
        kind=kind,
        path=path,
        former=former,
        blob=blob.sha.decode() if blob is not None and blob.sha is not None else "",
        commit=commit.id.decode(),
        time=_time(commit),
        author=_author(commit),
    )


def _settled(kind: Kind, path: str, head: Commit, blob: str = "") -> Change:
    """Give a change that settles what side branches left open."""
    return Change(
        kind=kind, path=path, blob=blob, commit=head.id.decode(), time=_time(head), author=_author(head), settles=True
    )


def _time(commit: Commit) -> datetime:
    """Give the committer's time with the committer's offset; an offset out of range counts as UTC."""
    offset = timedelta(seconds=commit.commit_timezone)
    zone = timezone(offset) if abs(offset) < timedelta(hours=24) else UTC
    return datetime.fromtimestamp(commit.commit_time, zone)


def _author(commit: Commit) -> str:
    """Give the author's name, or the address where there is none."""
    author: str = commit.author.decode(errors="replace")
    name, _, rest = author.partition("<")
    return name.strip() or rest.rstrip(">").strip()


def _path(entry: TreeEntry) -> str:
    """Give an entry's path as text."""
    return entry.path.decode(errors="replace") if entry.path else ""


def _is_file(entry: TreeEntry) -> bool:
    """Tell whether an entry is a plain file, no link and no submodule."""
    return entry.mode is not None and stat.S_ISREG(entry.mode)


def _blob_ids(path: Path) -> set[str]:
    """Give the ids that a file's text has, as it lies on disk and with the line ends git keeps."""
    data = path.read_bytes()
    return {Blob.from_string(each).id.decode() for each in (data, data.replace(b"\r\n", b"\n"))}
