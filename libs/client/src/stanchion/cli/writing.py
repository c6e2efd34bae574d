# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""Commands that write: publish, write, affirm."""

import secrets
from collections.abc import AsyncIterator, Iterable
from time import monotonic
from typing import Annotated, Final

import typer
from msgspec import UNSET, UnsetType, structs

from stanchion import cloudevents, reversal
from stanchion.cli.lines import lines
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.reading import field_of
from stanchion.cli.session import given_text, named_id, run, usage, where_of, workspace_of
from stanchion.cli.terminal import say, write_json
from stanchion.client import Client
from stanchion.errors import Blocked
from stanchion.results import Citation, Link
from stanchion.show import imported as show_imported
from stanchion.show import tables
from stanchion.show.text import plural
from stanchion.writes import Event, Write


def publish(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="CloudEvents in JSON, one a line; - for stdin.")] = "",
    type_: Annotated[str, typer.Option("--type", help="One event by hand: what happened.")] = "",
    source: Annotated[str, typer.Option(help="Who publishes it; for a file: for events that name none.")] = "",
    id_: Annotated[str, typer.Option("--id", help="Unique within its source; made when left out.")] = "",
    subject: Annotated[str, typer.Option(help="What it happened to.")] = "",
    data: Annotated[str, typer.Option(help="The payload, JSON text.")] = "",
    time: Annotated[str, typer.Option(help="When, RFC 3339 with offset; now when left out.")] = "",
    room: Room = "",
    workspace: Workspace = "",
    *,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for what each event changed.")] = True,
    as_json: Json = False,
) -> None:
    """Publish change events.

    They come from a file, from stdin, or one by hand. An event is taken up once, however often it is sent: the same id
    of the same source is the same event.

    \b
    Examples:
      stanchion publish events.jsonl
      tail -f events.jsonl | stanchion publish - --no-wait
      stanchion publish --type crm.deal.lost --source crm --subject acme --data '{"reason": "price"}'
    """
    if bool(file) == bool(type_):
        usage("publish takes a file (- for stdin), or --type and --source for one event by hand")
    if type_ and not source:
        usage("--source is missing: who publishes the event?")
    one = Event(
        id=id_ or secrets.token_hex(16),
        source=source,
        type=type_,
        room=room,
        subject=subject,
        time=time,
        data=data.encode(),
    )
    events = _from_file(file, source, room) if file else [one]

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        begun, told = monotonic(), show_imported.Told()
        try:
            async for each in client.publish(events, workspace=whose, await_answer=wait):
                told = told.with_(each)
                if as_json:
                    write_json(each, indent=0)
        except _BadLine as error:
            before = plural(told.count, "event")
            usage(f"{error}; {before} before it {'is' if told.count == 1 else 'are'} published")
        if not as_json:
            where = await where_of(client, whose) if told.proposals else ""
            say(show_imported.published(told, whose, monotonic() - begun, waited=wait, where=where))

    run(work)


class _BadLine(Exception):
    """A line that is no event; all before it are taken."""


async def _from_file(file: str, source: str, room: str) -> AsyncIterator[Event]:
    """Give the events of a file or of stdin, as they come; the command ends where it cannot be read.

    Raises:
        _BadLine: a line is no event.
    """
    number = 0
    try:
        async for line in lines(file):
            number += 1
            event = cloudevents.parse(number, line, source)
            if event is not None:
                yield structs.replace(event, room=event.room or room)
    except UnicodeDecodeError as error:
        raise _BadLine(f"line {number + 1} is not UTF-8: {error.reason}") from error
    except ValueError as error:
        raise _BadLine(str(error)) from error
    except OSError as error:
        usage(f"{file} cannot be read: {error.strerror}")


def write(
    context: typer.Context,
    record: Annotated[str, typer.Argument(metavar="RECORD", help="The record's id.")],
    kind: Annotated[str, typer.Option("--kind", "-k", help="decision, rule, hypothesis …; needed to create.")] = "",
    label: Annotated[str | None, typer.Option(help="What the record says, in a line.")] = None,
    body: Annotated[str | None, typer.Option(help="Its text, markdown; @FILE reads it, @- from stdin.")] = None,
    status: Annotated[str, typer.Option(help="Its status.")] = "",
    field: Annotated[list[str] | None, typer.Option("--field", "-f", help="NAME=VALUE; an empty value clears.")] = None,
    link: Annotated[
        list[str] | None, typer.Option("--link", "-l", help="NAME=RECORD; all of one name replace.")
    ] = None,
    unlink: Annotated[list[str] | None, typer.Option("--unlink", help="NAME: takes all links of it away.")] = None,
    cite: Annotated[list[str] | None, typer.Option("--cite", help="URI, or URI=QUOTE; all of them replace.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="The whole list of tags.")] = None,
    room: Room = "",
    workspace: Workspace = "",
    if_match: Annotated[int | None, typer.Option("--if-match", help="Only while this version stands.")] = None,
    supersede: Annotated[
        list[str] | None,
        typer.Option("--supersede", metavar="OTHER", help="It replaces OTHER, which ends; both in one batch."),
    ] = None,
    key: Annotated[str, typer.Option("--key", help="Idempotency key: the same write again lands once.")] = "",
    *,
    delete: Annotated[bool, typer.Option("--delete", help="Make it a tombstone.")] = False,
    as_json: Json = False,
) -> None:
    """Write one record.

    What is given replaces, what is left out stays. With --supersede it is two in one batch: the record gets the link
    that replaces OTHER, and OTHER the status that this leaves it with.

    What an agent may only propose becomes a proposal, and the exit code is 0 as well: `--json` names it in `proposals`.

    \b
    Examples:
      stanchion write r-signed-releases --kind rule --label "Every release is signed" \\
          --status active --link based_on=0012
      stanchion write 0013-bill-monthly --kind decision --label "Bill monthly" --supersede 0012
      stanchion write 0012 --status withdrawn --if-match 3
      stanchion write 0012 --field owner=person:maya-okafor --field area=reads
      stanchion write h-market --kind hypothesis --status open --body @market.md
      stanchion write 0012 --status withdrawn --json | jq -r '.proposals[]'     # nothing: it has landed
    """
    _only_known(record, context.args)
    fields = {name: None if value == "" else value for name, value in map(field_of, field or ())}
    if status:
        fields["status"] = status

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        which = record if kind else await named_id(client, whose, record, _CREATE)
        links = await _links(client, whose, link or (), unlink or ())
        one = Write(
            id=which,
            kind=kind,
            room=room,
            label=UNSET if label is None else label,
            body=UNSET if body is None else _text(body),
            fields=fields,
            links=links,
            evidence=_citations(cite),
            tags=UNSET if tag is None else tag,
            delete=delete,
            if_match=if_match,
        )
        writes = [one]
        if supersede:
            others = [await named_id(client, whose, each) for each in supersede]
            writes = await reversal.both(client, whose, one, others)
        try:
            answer = await client.write_batch(writes, workspace=whose, idempotency_key=key)
        except Blocked as error:
            raise reversal.hinted(error, which, await where_of(client, whose)) from error
        write_json(answer) if as_json else say(tables.answer(answer, await where_of(client, whose)))

    run(work)


_CREATE: Final = "to create it, give its --kind, as --kind decision"


def _only_known(record: str, rest: Iterable[str]) -> None:
    """End the command where something was typed that it does not know: most often a field as if it were an option."""
    if not record.strip():
        usage("RECORD is empty: name the record to write")
    words = [record, *rest]
    if strange := next((each for each in words if each.startswith("-")), ""):
        name, _, value = strange.lstrip("-").partition("=")
        after = words[words.index(strange) + 1 : words.index(strange) + 2]
        if not value and "=" in "".join(after):
            name, _, value = after[0].partition("=")
        usage(f"write has no option {strange}: to set a field, write --field {name}={value or 'VALUE'}")
    if len(words) > 1:
        usage(f"write takes one record, and {words[1]} is one word too many: quote what has spaces")


def affirm(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="Which record still holds.")],
    through: Annotated[int | None, typer.Option("--through", help="The seq of the validity you have read.")] = None,
    note_text: Annotated[str, typer.Option("--note", help="Why it still holds; at most 500 characters.")] = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Say, as a person, that a record still holds.

    You have read why it needs review, and it stands all the same.

    --through is the seq that `stale` and `show` name ("checked through seq 61"). If something has moved after it, the
    affirmation is refused: look again first.

    \b
    Examples:
      stanchion affirm 0007 --through 61
      stanchion affirm 0007 --through 61 --note "0011 keeps one topic for reads"
    """
    if through is None:
        usage(f"--through is missing: read `stanchion show {record}`, and name the seq it was checked through")

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        which = await named_id(client, whose, record)
        answer = await client.affirm(which, observed_through=through, workspace=whose, note=note_text)
        write_json(answer) if as_json else say(tables.answer(answer))

    run(work)


def _text(given: str) -> str:
    """Give a text, from a file or stdin when it begins with `@`."""
    return given_text(given[1:]) if given.startswith("@") else given


async def _links(
    client: Client, workspace: str, given: Iterable[str], unlink: Iterable[str]
) -> dict[str, list[str | Link]]:
    """Give the links of `NAME=RECORD` texts, by name; names to take away have none."""
    links: dict[str, list[str | Link]] = {name: [] for name in unlink}
    for text in given:
        name, found, to = text.partition("=")
        if not found or not name or not to:
            usage(f"{text} is no link: write NAME=RECORD, as depends_on=0004")
        links.setdefault(name, []).append(await named_id(client, workspace, to))
    return links


def _citations(given: list[str] | None) -> list[Citation] | UnsetType:
    """Give the citations of `URI` or `URI=QUOTE` texts; nothing said says nothing about them."""
    if given is None:
        return UNSET
    pairs = (text.partition("=") for text in given)
    return [Citation(uri=uri, quote=quote) for uri, _, quote in pairs]
