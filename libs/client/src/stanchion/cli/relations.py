# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, takes an argument an option
"""Commands of the graph: relate, relation, traverse."""

from datetime import datetime
from typing import Annotated, Any

import typer

from stanchion.cli.moments import moment
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.session import named_id, record_id, run, usage, workspace_of
from stanchion.cli.terminal import say, write_json
from stanchion.client import Client
from stanchion.errors import NotFound
from stanchion.graph import RECORD, Entity, Relation
from stanchion.show import graph as show_graph
from stanchion.show import tables

From = Annotated[str, typer.Argument(metavar="FROM", help="A name; of a record its id, with --from-type record.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Of the relation, as works_at.")]
To = Annotated[str, typer.Argument(metavar="TO", help="The name at its other end.")]
FromType = Annotated[str, typer.Option("--from-type", help="As person or team; record for a record.")]
ToType = Annotated[str, typer.Option("--to-type", help="Likewise.")]

_MOST_HOPS = 4


def relate(
    start: From,
    name: Name,
    to: To,
    from_type: FromType = "",
    to_type: ToType = "",
    valid_at: Annotated[str, typer.Option("--valid-at", metavar="TIME", help="Since when; a date, or RFC 3339.")] = "",
    invalid_at: Annotated[str, typer.Option("--invalid-at", metavar="TIME", help="Until when, exclusive.")] = "",
    room: Room = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """State what holds between two names.

    One window of a relation is current. Another one takes its place whole: say --valid-at again when you add an end, or
    its beginning is gone. `relation` shows them all.

    \b
    Examples:
      stanchion relate "Maya Okafor" works_at Platform --from-type person --to-type team --valid-at 2026-03-01
      stanchion relate "Maya Okafor" works_at Platform --from-type person --to-type team --valid-at 2026-03-01 \\
          --invalid-at 2026-09-01
      stanchion relate 0007 concerns Platform --from-type record --to-type team
    """
    since, until = _window(valid_at, invalid_at)

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        stated = Relation(
            from_=await _end(client, whose, start, from_type),
            name=name,
            to=await _end(client, whose, to, to_type),
            valid_at=since,
            invalid_at=until,
        )
        observed = await client.observe(relations=[stated], room=room, workspace=whose)
        write_json(observed) if as_json else say(tables.answer(observed.answer))

    run(work)


def relation(
    start: From,
    name: Name,
    to: To,
    from_type: FromType = "",
    to_type: ToType = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Show every window of a relation.

    From when to when it holds, as it was ever stated, oldest first.

    \b
    Example:
      stanchion relation "Maya Okafor" works_at Platform --from-type person --to-type team
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        ends = [await _end(client, whose, each, type_) for each, type_ in ((start, from_type), (to, to_type))]
        found = await client.relation_history(ends[0], name, ends[1], workspace=whose)
        if as_json:
            for each in found:
                write_json(each, indent=0)
        else:
            say(show_graph.windows(found))

    run(work)


def traverse(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A record, as `show` takes it, or an entity's name.")],
    type_: Annotated[str, typer.Option("--type", help="The entity's type, where its name has several.")] = "",
    hops: Annotated[int, typer.Option("--hops", min=1, max=_MOST_HOPS, help="How far.")] = 2,
    names: Annotated[
        list[str] | None, typer.Option("--name", help="Only links and relations called so; may be given again.")
    ] = None,
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="Only relations that hold then.")] = "",
    room: Annotated[str, typer.Option(help="The entity's room, where its name is one of several.")] = "",
    workspace: Workspace = "",
    *,
    both: Annotated[bool, typer.Option("--both", help="Against their direction, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show what is near in the graph.

    From a record or an entity, over links and relations, nearest first; each thing once, by its shortest way.

    \b
    Examples:
      stanchion traverse 0007
      stanchion traverse Platform --both --hops 3
      stanchion traverse "Maya Okafor" --name works_at --at 2026-06-01
    """
    wanted: dict[str, Any] = {
        "hops": hops,
        "names": names or (),
        "at": moment(at, "--at") if at else None,
        "both_directions": both,
    }

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        start = Entity(name=name, type=type_, room=room)
        if type_ == RECORD:
            start = await _record(client, whose, name)
        try:
            found = await client.traverse(start, workspace=whose, **wanted)
        except NotFound:
            if type_:
                raise
            start = await _record(client, whose, name)
            found = await client.traverse(start, workspace=whose, **wanted)
        write_json(found) if as_json else say(show_graph.tree(start, found, whose))

    run(work)


def _window(valid_at: str, invalid_at: str) -> tuple[datetime | None, datetime | None]:
    """Give the times of a window; one that ends before it begins ends the command."""
    since = moment(valid_at, "--valid-at") if valid_at else None
    until = moment(invalid_at, "--invalid-at") if invalid_at else None
    if since is not None and until is not None and until <= since:
        usage(f"the relation would end at {invalid_at}, before it begins at {valid_at}")
    return since, until


async def _record(client: Client, workspace: str, typed: str) -> Entity:
    """Give the entity that a record is, to be read."""
    return Entity(name=await record_id(client, workspace, typed), type=RECORD)


async def _end(client: Client, workspace: str, typed: str, type_: str) -> Entity:
    """Give one end of a relation; a record by its whole name, for a beginning might be another's."""
    return Entity(name=await named_id(client, workspace, typed) if type_ == RECORD else typed, type=type_)
