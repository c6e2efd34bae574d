# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""Commands that read: show, query, trace, watch."""

import asyncio
import json
from collections import deque
from typing import Annotated, Any

import msgspec
import typer
from msgspec import structs

from stanchion import stale as staleness
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.proposed import find
from stanchion.cli.session import record_id, run, usage, where_of, workspace_of
from stanchion.cli.terminal import console, say, write_json
from stanchion.client import PAGE, Client
from stanchion.errors import NotFound, Refused, Unreachable
from stanchion.filters import unknown
from stanchion.proposals import Proposal
from stanchion.results import LedgerEntry, Page, Record
from stanchion.show import belief as show_belief
from stanchion.show import record as show_record
from stanchion.show import review as show_review
from stanchion.show import tables
from stanchion.story import Story, story_of

_STATES = {
    "current": "current",
    "unmoved": "current",
    "needs_review": "needs_review",
    "monitoring_incomplete": "monitoring_incomplete",
    "incomplete": "monitoring_incomplete",
}
"""The words that `--state` takes, with `-` or a space for `_`, too."""


def show(
    names: Annotated[list[str], typer.Argument(metavar="RECORD | SUBJECT PREDICATE", help="What to show.")],
    workspace: Workspace = "",
    *,
    belief: Annotated[bool, typer.Option("--belief", help="Show what is held of a claim: SUBJECT PREDICATE.")] = False,
    body: Annotated[bool, typer.Option("--body/--no-body", help="With the record's text.")] = True,
    as_json: Json = False,
) -> None:
    """Show everything about a record or a belief.

    A record is named by its id, or by its number or beginning where that says which.

    \b
    Examples:
      stanchion show 0007
      stanchion show 0007-tail-the-ledger --json | jq .validity
      stanchion show --belief "enterprise market" size
    """
    if belief and len(names) != 2:  # noqa: PLR2004 - subject and predicate
        usage("--belief takes a subject and a predicate: stanchion show --belief SUBJECT PREDICATE")
    if not belief and len(names) != 1:
        usage("show takes one record; quote a name with spaces, or say --belief SUBJECT PREDICATE")

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        if belief:
            held = await client.get_belief(names[0], names[1], workspace=whose)
            write_json(held) if as_json else say(show_belief.render(held))
            return
        record = await client.get_record(await record_id(client, whose, names[0]), workspace=whose)
        if as_json:
            write_json(record)
            return
        say(show_record.render(record, await _around(client, whose, record), console().width, body=body))

    run(work)


async def _around(client: Client, workspace: str, record: Record) -> show_record.Around:
    """Give what one needs to know to show a record; all of it is asked for at once."""
    known, vocabulary, proposals, story, where = await asyncio.gather(
        staleness.fetch(client, workspace, sorted(_near(record))),
        staleness.vocabulary_of(client, workspace),
        _proposals(client, workspace, record),
        _story(client, workspace, record),
        where_of(client, workspace),
    )
    return show_record.Around(
        known={each.id: each for each in known}, vocabulary=vocabulary, proposals=proposals, story=story, where=where
    )


async def _proposals(client: Client, workspace: str, record: Record) -> list[Proposal]:
    """Give the open proposals that would write a record."""
    if not record.proposals:
        return []
    return [each async for each in client.proposals(record_id=record.id, workspace=workspace)]


async def _story(client: Client, workspace: str, record: Record) -> Story:
    """Give what the ledger says of a record; nothing where its reader does not answer: the record is shown anyway."""
    if not record.confirmed and record.upstream is None:
        return Story()
    try:
        return story_of(record, [each async for each in client.trace(record.id, workspace=workspace, min_seq=0)])
    except (Unreachable, NotFound):
        return Story()


def _near(record: Record) -> set[str]:
    """Give the ids of the records one needs to know to show a record."""
    reasons = record.validity.reasons if record.validity else ()
    linked = {link.to for link in record.links}
    on_the_way = {step.record_id for reason in reasons for step in reason.path}
    moved = {reason.record_id for reason in reasons}
    return (linked | on_the_way | moved | set(record.superseded_by)) - {record.id, ""}


def query(
    kind: Annotated[list[str] | None, typer.Option("--kind", "-k", help="Of this kind; may be given again.")] = None,
    status: Annotated[str, typer.Option(help="With this status.")] = "",
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="In this state: current, needs review or incomplete; may be given again."),
    ] = None,
    field: Annotated[list[str] | None, typer.Option("--field", "-f", help="NAME=VALUE; may be given again.")] = None,
    room: Room = "",
    workspace: Workspace = "",
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="How many at most.")] = 50,
    deleted: Annotated[bool, typer.Option("--deleted", help="Deleted ones, too.")] = False,
    bodies: Annotated[bool, typer.Option("--bodies", help="With --json: the records' texts, too.")] = False,
    as_json: Json = False,
) -> None:
    """List records, and whether they still hold.

    \b
    Examples:
      stanchion query --kind decision --status active
      stanchion query --state "needs review"
      stanchion query --field owner=person:maya-okafor --json
      stanchion query --kind rule --json --bodies | jq -r '.records[].body'
    """
    if bodies and not as_json:
        usage("--bodies goes with --json: `stanchion show` shows the text of one record")
    states = [_STATES.get(each.strip().casefold().replace("-", "_").replace(" ", "_"), "") for each in state or ()]
    if "" in states:
        usage(f"there is no state {(state or [])[states.index('')]}; there are current, needs review, incomplete")
    fields = dict(field_of(each) for each in field or ())
    if status:
        fields["status"] = status
    criteria: dict[str, Any] = {
        "kinds": kind or [],
        "room": room,
        "fields": fields,
        "states": states,
        "include_deleted": deleted,
        "with_bodies": bodies,
    }

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        vocabulary = await staleness.vocabulary_of(client, whose)
        if slip := unknown(vocabulary, kind or (), fields):
            raise Refused("FIELD_UNKNOWN", slip)
        page = await client.query_page(workspace=whose, limit=min(limit, PAGE), **criteria)
        found, cursor = list(page.records), page.cursor
        while cursor and len(found) < limit:
            more = await client.query_page(
                workspace=whose, limit=min(limit - len(found), PAGE), cursor=cursor, **criteria
            )
            found += more.records
            cursor = more.cursor
        whole = structs.replace(page, records=tuple(found), cursor=cursor)
        rest = f"--limit {page.total} for all of them" if cursor else ""
        if as_json:
            write_json(whole if bodies else _without_bodies(whole))
            return
        say(tables.records(whole, whose, console().width, vocabulary=vocabulary, more=rest))

    run(work)


def _without_bodies(page: Page) -> dict[str, Any]:
    """Give a page for machines when texts were not asked for: an empty one would say that there is none."""
    plain: dict[str, Any] = msgspec.to_builtins(page)
    for each in plain["records"]:
        del each["body"]
    return plain


def field_of(text: str) -> tuple[str, Any]:
    """Give name and value of `NAME=VALUE`; a value that reads as JSON is JSON, any other is text."""
    name, found, value = text.partition("=")
    if not found or not name:
        usage(f"{text} is no field: write NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def trace(
    subject: Annotated[
        str, typer.Argument(metavar="[RECORD]", help="Of this record, proposal or subject; left out: of all.")
    ] = "",
    workspace: Workspace = "",
    *,
    last: Annotated[int, typer.Option("--last", "-n", min=1, help="Only the last so many.")] = 50,
    receipts: Annotated[bool, typer.Option("--receipts", help="Who was served what, instead of what changed.")] = False,
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Show the signed head of the ledger instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how something came to be.

    These are the ledger's entries, oldest first; under those of a record what was ever proposed for it.

    \b
    Examples:
      stanchion trace 0007
      stanchion trace 3fa9c1d2              # a proposal: made, edited, closed
      stanchion trace tam/is                # a claim: how what is held of it moved
      stanchion trace --last 10
      stanchion trace --checkpoint          # a signed note, in C2SP tlog-checkpoint form
      stanchion trace --json | jq -r .reason
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        if checkpoint:
            head = await client.checkpoint(workspace=whose, receipts=receipts)
            write_json(head) if as_json else typer.echo(head.checkpoint, nl=not head.checkpoint.endswith("\n"))
            return
        about, known = await _subject(client, whose, subject)
        kept: deque[LedgerEntry] = deque(maxlen=last)
        async for entry in client.trace(about, workspace=whose, receipts=receipts):
            kept.append(entry)
        if not kept and not known:
            named = "`stanchion query` lists the records, `stanchion review --all` the proposals; a claim is tam/is"
            raise NotFound("NOT_FOUND", f"the ledger of workspace {whose} has nothing of {subject}: {named}")
        if as_json:
            for entry in kept:
                write_json(entry, indent=0)
        else:
            say(tables.entries(tuple(kept), console().width))
            proposed = client.proposals(record_id=about, include_closed=True, workspace=whose)
            if about and not receipts and (found := [each async for each in proposed]):
                say(show_review.history(found, console().width, where=await where_of(client, whose)))

    run(work)


async def _subject(client: Client, workspace: str, typed: str) -> tuple[str, bool]:
    """Give what a typed name means in the ledger, and whether it is known to be there.

    Raises:
        Refused: it may mean several.
    """
    if not typed:
        return "", True
    for named in (record_id, _proposal_id):
        try:
            return await named(client, workspace, typed), True
        except NotFound:
            continue
    return typed, False


async def _proposal_id(client: Client, workspace: str, typed: str) -> str:
    """Give the id of the proposal that a typed name means."""
    found, _ = await find(client, workspace, typed)
    return found.id


def watch(
    from_seq: Annotated[int, typer.Option("--from-seq", min=0, help="From this seq on; 0 means from now on.")] = 0,
    workspace: Workspace = "",
    *,
    count: Annotated[int, typer.Option("--count", "-n", min=0, help="End after so many; 0 means never.")] = 0,
    as_json: Json = False,
) -> None:
    """Show changes as they come.

    None twice, none missing, until Ctrl-C.

    \b
    Examples:
      stanchion watch
      stanchion watch --from-seq 1 --count 10
      stanchion watch --json | jq -r 'select(.kind == "needs_review.opened") | .record_ids[]'
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        seen = 0
        async for each in client.watch(workspace=whose, from_seq=from_seq):
            if each.event is not None:
                write_json(each.event, indent=0) if as_json else say(tables.change(each.event, console().width))
                seen += 1
                if seen == count:
                    return

    run(work)
