# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""`import git`: a folder's history as change events, once or for as long as its branch grows."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from stanchion import gaps, importer
from stanchion.cli.moments import moment
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.session import run, sentence, usage, where_of, workspace_of
from stanchion.cli.terminal import beside, note, say, write_json
from stanchion.client import Client
from stanchion.errors import Refused, Unreachable
from stanchion.follow import Follower, ahead
from stanchion.importer import Import, Wanted
from stanchion.show import imported as show_imported
from stanchion.show.imported import Sent
from stanchion.writes import Event

_INTERVAL_S = 5.0  # a look at a branch that has not moved reads one small file


def import_git(
    path: Annotated[Path, typer.Argument(help="The repository, or a folder in it.")] = Path(),
    folder: Annotated[str, typer.Option("--dir", help="The folder of documents, seen from PATH.")] = "",
    suffix: Annotated[list[str] | None, typer.Option("--suffix", help="Which files; .md when left out.")] = None,
    branch: Annotated[
        str, typer.Option(help="Whose history: a branch, tag or commit; what is checked out when left out.")
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Of what was before, only each file's last text; a date, or RFC 3339.")
    ] = "",
    source: Annotated[str, typer.Option(help="The events' source; git:<repository> when left out.")] = "",
    room: Room = "",
    workspace: Workspace = "",
    interval_s: Annotated[
        float, typer.Option("--interval", min=0.1, max=86_400, help="With --follow: seconds between two looks.")
    ] = _INTERVAL_S,
    *,
    follow: Annotated[
        bool, typer.Option("--follow", help="Stay, and import what is committed from then on; Ctrl-C ends it.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be imported, and import nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Import a folder with its whole git history.

    The history goes out as change events, in the order in which things happened.

    Importing again brings what is new: an event is taken up once. Changes that are not committed are named, not
    imported. A folder that is not under git is imported as it lies there.

    --follow goes on with each new commit of the branch. It may be ended and started anew at any time: what was taken up
    is not taken up twice. It looks at the repository on this machine; `git fetch` brings it what is pushed elsewhere.

    \b
    Examples:
      stanchion import git . --dir docs/decisions
      stanchion import git ~/src/service --dir doc/adr --workspace service
      stanchion import git . --dir docs/decisions --dry-run
      stanchion import git . --dir docs/decisions --branch main --follow
      stanchion import git . --dir docs/decisions --since 2026-01-01
    """
    if follow and dry_run:
        usage("--follow imports, and --dry-run does not: leave one of them out")
    wanted = Wanted(
        source=source,
        room=room,
        suffixes=tuple(suffix or importer.SUFFIXES),
        branch=branch,
        since=moment(since, "--since") if since else None,
    )

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        with _bar() as bar:
            found = _read(path / folder, wanted, bar)
            if follow and not found.head:
                usage(f"--follow needs a git repository with a commit in it, and {path / folder} is in none")
            if not (found.events or follow):
                raise Refused("NOTHING_TO_IMPORT", _nothing(path / folder, wanted, found))
            sent = None if dry_run else await _send(client, found, whose, bar)
        if as_json:
            write_json(_plain(found, whose, sent), indent=0 if follow else 2)
        else:
            say(show_imported.imported(found, whose, sent, where=await where_of(client, whose)))
        if follow:
            follower = Follower(path / folder, wanted)
            follower.begin(found)
            await _follow(client, follower, whose, interval_s, as_json=as_json)

    run(work)


async def _follow(client: Client, follower: Follower, workspace: str, interval_s: float, *, as_json: bool) -> None:
    """Import what is new, for as long as nobody ends it.

    Raises:
        CancelledError: somebody did.
    """
    told = ""
    try:
        with beside().status(show_imported.following(follower), spinner="dots") as status:
            while True:
                await asyncio.sleep(interval_s)
                trouble = await _round(client, follower, workspace, as_json=as_json)
                if trouble and trouble != told:
                    note(f"stanchion: {trouble}; trying again every {interval_s:g} s", "red")
                told = trouble
                status.update(show_imported.following(follower))
    except asyncio.CancelledError:
        note(f"ended at {follower.head[:12]}; started anew, it goes on from there")
        raise


async def _round(client: Client, follower: Follower, workspace: str, *, as_json: bool) -> str:
    """Look once, and import what is new; give what was in the way, empty for nothing."""
    try:
        found = await asyncio.to_thread(follower.look)
        if found is None:
            return ""
        sent = await _publish(client, found.events, workspace)
    except Unreachable as error:
        return sentence(error)
    except (LookupError, OSError) as error:  # somebody is at work in the repository
        return f"the branch cannot be read: {error}"
    follower.told(found)
    if as_json:
        write_json(_plain(found, workspace, sent), indent=0)
    elif found.events or found.left_out:
        say(show_imported.followed(found, sent, await where_of(client, workspace)))
    return ""


def _plain(found: Import, workspace: str, sent: Sent | None) -> dict[str, Any]:
    """Give what an import came to, for machines."""
    return {
        **structs.asdict(structs.replace(found, events=())),
        "workspace": workspace,
        "count": len(found.events),
        "through_seq": sent.through_seq if sent else 0,
        "new": sent.new if sent else 0,
        "proposals": sent.proposals if sent else 0,
        "gaps": sent.gaps if sent else None,
    }


def _read(path: Path, wanted: Wanted, bar: Progress) -> Import:
    """Read a folder's history."""
    task = bar.add_task("reading the history", total=None)
    try:
        return importer.read(path, wanted, lambda done, total: bar.update(task, completed=done, total=total))
    except NotADirectoryError:
        usage(f"{path} is no folder: name the repository, and the folder in it with --dir")
    except LookupError as error:
        usage(f"{error.args[0]}: `git branch --all` lists what there is")
    finally:
        bar.remove_task(task)


def _nothing(path: Path, wanted: Wanted, found: Import) -> str:
    """Say that there is nothing to import, and why."""
    if found.left_out:
        return f"nothing in {path} can be imported: " + "; ".join(f"{what}: {why}" for what, why in found.left_out)
    if found.uncommitted:
        return f"nothing in {path} was ever committed: commit {', '.join(found.uncommitted[:3])} first"
    return f"there is nothing to import in {path}: no file there ends in {', '.join(wanted.suffixes)}"


async def _send(client: Client, found: Import, workspace: str, bar: Progress) -> Sent:
    """Publish a history, wait until it is decided, and ask what its records lack."""
    events = await ahead(client, workspace, found)
    task = bar.add_task("importing", total=len(events))
    sent = await _publish(client, events, workspace, lambda: bar.advance(task))
    if not sent.through_seq:
        sent = structs.replace(sent, through_seq=(await client.workspace(workspace=workspace)).as_of_seq)
    lacking = await gaps.ask(client, workspace, importer.standing(found.events))
    return structs.replace(sent, gaps=lacking)


async def _publish(
    client: Client, events: Sequence[Event], workspace: str, acknowledged: Callable[[], None] = lambda: None
) -> Sent:
    """Publish events, and wait until each is decided."""
    through = new = proposals = 0
    if not events:
        return Sent(through_seq=0, new=0, proposals=0)
    async with aclosing(client.publish(events, workspace=workspace, await_answer=True)) as published:
        async for each in published:
            acknowledged()
            new += each.changed
            if each.answer is not None:
                through, proposals = max(through, each.answer.min_seq), proposals + len(each.answer.proposals)
    return Sent(through_seq=through, new=new, proposals=proposals)


@contextmanager
def _bar() -> Iterator[Progress]:
    """Give a bar for long work, on stderr; none where nobody watches."""
    target = beside()
    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        console=target,
        transient=True,
        disable=not target.is_terminal,
    )
    with shown:
        yield shown
