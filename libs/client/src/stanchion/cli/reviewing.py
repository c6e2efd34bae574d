# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""`review`: what waits for a person, shown as a diff, and then published, edited or rejected."""

import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, NoReturn

import typer
from msgspec import structs
from rich.text import Text

from stanchion import edit as edits
from stanchion.cli import editor
from stanchion.cli.options import Json, Workspace
from stanchion.cli.proposed import find
from stanchion.cli.session import INTERRUPTED, Work, given_text, run, subject_id, usage, where_of, workspace_of
from stanchion.cli.terminal import console, note, say, write_json
from stanchion.client import Client
from stanchion.errors import Conflict, NotFound
from stanchion.names import named as named_records
from stanchion.proposals import OPEN, Proposal
from stanchion.show import review as show_review
from stanchion.show import tables
from stanchion.show.text import lines

Named = Annotated[str, typer.Argument(metavar="ID", help="Of the proposal, as `review` lists it, or more of it.")]
Digest = Annotated[
    str,
    typer.Option(
        "--digest", help="As `review show` printed it: only what you saw there counts, and nobody is asked again."
    ),
]

_SEEN = 8  # digits of a digest that somebody must have seen


def review(
    context: typer.Context,
    record: Annotated[str, typer.Option("--record", help="Only what would write this record.")] = "",
    workspace: Workspace = "",
    *,
    closed: Annotated[bool, typer.Option("--all", help="What waits no longer, too.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 50,
    as_json: Json = False,
) -> None:
    """List what waits for a person, and decide on it.

    A proposal is a write that may not land by itself: it would change what a person set, agents only propose here, or a
    rule refused a part of an import. A person who may approve publishes it, edits it first, or rejects it.

    \b
    Examples:
      stanchion review
      stanchion review show 3fa9c1d2
      stanchion review publish 3fa9c1d2 --note "as we said on Monday"
      stanchion review reject 3fa9c1d2 --reason "0011 stands as it is"
      stanchion review --record 0007 --all --json | jq -r .id
    """
    context.obj = workspace
    if context.invoked_subcommand is not None:
        return

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        about = await subject_id(client, whose, record)
        found = [each async for each in client.proposals(record_id=about, include_closed=closed, workspace=whose)]
        if as_json:
            for each in found[:limit]:
                write_json(_plain(each), indent=0)
        else:
            where = await where_of(client, whose)
            say(show_review.table(found, whose, console().width, where=where, limit=limit))

    run(work)


def show(
    context: typer.Context,
    proposal: Named,
    workspace: Workspace = "",
    *,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="What it would write, as `review edit` takes it.")] = False,
    as_json: Json = False,
) -> None:
    """Show a proposal as a diff against the records as they stand.

    Fields, links and citations by what goes and what comes, texts line by line.

    \b
    Examples:
      stanchion review show 3fa9c1d2
      stanchion review show 3fa9c1d2 --json | jq '.writes[].parts'
      stanchion review show 3fa9c1d2 --yaml > writes.yaml
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj)
        found, short = await find(client, whose, proposal)
        if as_json:
            write_json(_plain(found))
        elif as_yaml:
            typer.echo(edits.text_of(found), nl=False)
        else:
            say(show_review.whole(found, short, where=await where_of(client, whose)))

    run(work)


def publish(
    context: typer.Context,
    proposal: Named,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="RECORD", help="Only this write of it; may be given again.")
    ] = None,
    note_text: Annotated[str, typer.Option("--note", help="Why; at most 500 characters.")] = "",
    digest: Digest = "",
    workspace: Workspace = "",
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: what it says now is what I want.")] = False,
    as_json: Json = False,
) -> None:
    """Have a proposal come into force, exactly as it is shown.

    It shows the diff and asks. If somebody edits the proposal, or writes one of its records, after it was shown, the
    publication is refused: look again. What --only leaves out stays in the proposal.

    \b
    Examples:
      stanchion review publish 3fa9c1d2
      stanchion review publish 3fa9c1d2 --only annual-only --note "the rest next week"
      stanchion review publish 3fa9c1d2 --digest 9c0e55d1a2b3     # no question: what `review show` showed, or nothing
    """
    if as_json and not (yes or digest):
        usage("with --json nobody sees what is published: say --yes, or name what you saw with --digest")

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj)
        found, short = await find(client, whose, proposal)
        _must_be_open(found, short)
        _must_be_seen(found, short, digest)
        chosen = _chosen(found, only or ())
        if not as_json:
            shown = structs.replace(found, writes=tuple(each for each in found.writes if each.record_id in chosen))
            say(lines([*show_review.diff(shown)[1:], Text()]))
        _must_be_up_to_date(found, short, chosen)
        if not (yes or digest):
            _ask(len(chosen))
        records = chosen if len(chosen) < len(found.writes) else ()
        answer = await client.publish_proposal(
            found.id, digest=found.digest, record_ids=records, note=note_text, workspace=whose
        )
        if as_json:
            write_json(answer)
            return
        say(tables.answer(answer))
        if records:
            note(f"the rest stays in proposal {short}: stanchion review show {short}{await where_of(client, whose)}")

    run(_hinted(work, proposal))


def edit(
    context: typer.Context,
    proposal: Named,
    file: Annotated[
        str,
        typer.Argument(metavar="[FILE]", help="As `review show --yaml` prints it, or -. Else $EDITOR opens."),
    ] = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Change what a proposal would write, before anybody publishes it.

    It opens your editor on the writes, in YAML. An edit is made against the records as they stand, so it also brings an
    outdated proposal up to date.

    \b
    Examples:
      stanchion review edit 3fa9c1d2
      stanchion review show 3fa9c1d2 --yaml > writes.yaml; stanchion review edit 3fa9c1d2 writes.yaml
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj)
        found, short = await find(client, whose, proposal)
        _must_be_open(found, short)
        made = editor.read_edit(given_text(file), found) if file else editor.in_editor(found)
        with editor.kept(made, short):
            answer = await client.edit_proposal(found.id, made.edit.writes, digest=made.edit.digest, workspace=whose)
        if as_json:
            write_json(answer)
            return
        after, _ = await find(client, whose, found.id)
        say(show_review.whole(after, short, where=await where_of(client, whose)))

    run(_hinted(work, proposal))


def reject(
    context: typer.Context,
    proposal: Named,
    reason: Annotated[str, typer.Option("--reason", help="Why; at most 500 characters.")] = "",
    digest: Digest = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Say no to a proposal.

    The same is not proposed again while what proposed it says the same.

    \b
    Example:
      stanchion review reject 3fa9c1d2 --reason "0011 stands as it is"
    """
    if not reason.strip():
        usage(f'--reason is missing: say why not, as stanchion review reject {proposal} --reason "…"')

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj)
        found, short = await find(client, whose, proposal)
        _must_be_open(found, short)
        _must_be_seen(found, short, digest)
        answer = await client.reject_proposal(found.id, digest=found.digest, reason=reason, workspace=whose)
        write_json(answer) if as_json else say(show_review.rejected(found, short, answer.last_seq))

    run(_hinted(work, proposal))


def _must_be_open(found: Proposal, short: str) -> None:
    """Say how a proposal was closed where it was.

    Raises:
        NotFound: it is closed.
    """
    if found.state != OPEN:
        raise NotFound("CLOSED", f"proposal {short} does not wait any more: {show_review.closed(found)}")


def _must_be_seen(found: Proposal, short: str, digest: str) -> None:
    """Check a proposal against the digest that somebody saw.

    Raises:
        Conflict: it is another by now.
    """
    if not digest:
        return
    if len(digest) < _SEEN:
        usage(f"--digest takes at least {_SEEN} digits of what `stanchion review show {short}` printed")
    if not found.digest.hex().startswith(digest.casefold()):
        raise Conflict(
            "REVISION_CONFLICT", f"proposal {short} was edited since: its digest is {found.digest.hex()[:12]}"
        )


def _must_be_up_to_date(found: Proposal, short: str, chosen: Sequence[str]) -> None:
    """Say before anybody is asked that what was chosen cannot be published as it stands.

    Raises:
        Conflict: a record of it was written since.
    """
    old = [each.record_id for each in found.writes if each.outdated and each.record_id in chosen]
    if old:
        detail = f"proposal {short} is outdated: {', '.join(old)} {'was' if len(old) == 1 else 'were'} written since"
        raise Conflict("VERSION_CONFLICT", detail)


def _chosen(found: Proposal, only: Sequence[str]) -> tuple[str, ...]:
    """Give the records of the writes that were chosen, all of them where none was."""
    there = {each.record_id: each.record_id for each in found.writes}
    chosen = {record: None for typed in only for record in named_records(typed, there) or [_no_write(typed, there)]}
    return tuple(chosen or there)


def _no_write(typed: str, there: Iterable[str]) -> NoReturn:
    """End the command: nothing of the proposal is called so."""
    usage(f"--only {typed} is no write of it; there are {', '.join(there)}")


def _ask(count: int) -> None:
    """Ask whether to go on; anything but a yes ends the command.

    Raises:
        Exit: it was no yes.
    """
    if not sys.stdin.isatty():
        usage("nobody is here to ask: say --yes, or name what you saw with --digest")
    if not typer.confirm(f"Publish {'this write' if count == 1 else f'these {count} writes'}?", err=True):
        note("nothing was published")
        raise typer.Exit(INTERRUPTED)


def _hinted(work: Work, typed: str) -> Work:
    """Give work that says, where something has moved, what to do next."""

    async def hinted(client: Client) -> int | None:
        try:
            return await work(client)
        except Conflict as error:
            step = "edit" if error.reason == "VERSION_CONFLICT" else "show"
            error.detail = f"{error.detail.rstrip('.')}; {_HINTS[step].format(typed)}"
            raise

    return hinted


_HINTS: Final = {
    "edit": "`stanchion review edit {0}` makes it anew against what stands",
    "show": "`stanchion review show {0}` shows it as it is now",
}


def _plain(found: Proposal) -> dict[str, Any]:
    """Give a proposal for machines; its digest as people have it."""
    return {**structs.asdict(found), "digest": found.digest.hex()}
