# ruff: noqa: D301, PLR0913 - typer prints docstrings, takes an argument an option
"""`stale`: what no longer stands, for people and as a gate."""

from typing import Annotated

import typer

from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.session import FOUND, run, where_of, workspace_of
from stanchion.cli.terminal import console, say, write_json
from stanchion.client import Client
from stanchion.errors import NotFound
from stanchion.filters import unmatched
from stanchion.show import stale as show_stale
from stanchion.stale import Asked, assess, vocabulary_of


def stale(
    kind: Annotated[
        list[str] | None, typer.Option("--kind", "-k", help="Ask about this kind; may be given again.")
    ] = None,
    area: Annotated[str, typer.Option(help="Only of this area.")] = "",
    owner: Annotated[str, typer.Option(help="Only of this owner, as the field has it.")] = "",
    room: Room = "",
    workspace: Workspace = "",
    *,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 when something no longer stands.")] = False,
    as_json: Json = False,
) -> None:
    """Say what no longer stands, why, and who should look.

    A decision no longer stands when something it rests on has moved since a person last stood behind it, or when it
    rests on what is not in force: a draft, or something superseded, withdrawn or refuted. Only what is in force is
    asked about; what a person has affirmed as it is stands. Left out, --kind is every kind that can rest on something.

    Who should look is a record's owner, else who decided, affirmed or wrote it.

    \b
    As a gate (`--fail`) it exits with
      0  everything that was asked about stands
      1  something no longer does
      2  the command line is wrong
      3  refused: an unknown kind, or no record was asked about, such as of an area that there is not
      4  no token, or it may not
      5  nobody answers, or not in time       6  the server failed
    so that only 0 says that all is well.

    \b
    Examples:
      stanchion stale
      stanchion stale --kind rule --owner person:maya-okafor
      stanchion stale --area pricing --fail || echo "look before you build"
      stanchion stale --json | jq -r '.fallen[] | [.id, .look.who] | @tsv'
    """

    async def work(client: Client) -> int:
        whose = await workspace_of(client, workspace)
        asked = Asked(
            workspace=whose,
            vocabulary=await vocabulary_of(client, whose),
            kinds=tuple(kind or ()),
            area=area,
            owner=owner,
            room=room,
        )
        answer = await assess(client, whose, asked)
        if as_json:
            write_json(answer)
        else:
            say(show_stale.render(answer, console().width, where=await where_of(client, whose)))
        if fail and not answer.matched:
            there = [each async for each in client.query(workspace=whose, kinds=asked.about)]
            raise NotFound("NOTHING_ASKED", unmatched(asked, there))
        return FOUND if fail and answer.found else 0

    run(work)
