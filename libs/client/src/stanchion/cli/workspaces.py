# ruff: noqa: D301, PLR0913 - typer prints docstrings, takes an argument an option
"""`workspace`: how a workspace works, and its vocabulary."""

from typing import Annotated

import typer

from stanchion.cli.options import Json, Workspace
from stanchion.cli.session import given_text, run, usage, where_of, workspace_of
from stanchion.cli.terminal import say, write_json
from stanchion.client import Client
from stanchion.show import tables
from stanchion.show import workspace as show_workspace
from stanchion_core.errors import InvalidMessage
from stanchion_core.vocabulary_text import read


def show(workspace: Workspace = "", *, as_json: Json = False) -> None:
    """Show how a workspace works.

    Whether agents only propose, what may be written, and how much waits for a person.

    \b
    Examples:
      stanchion workspace show
      stanchion workspace show --json | jq .approval_only
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        found = await client.workspace(workspace=whose)
        write_json(found) if as_json else say(show_workspace.render(found, whose, await where_of(client, whose)))

    run(work)


def change(
    workspace: Workspace = "",
    approval_only: Annotated[
        bool | None,
        typer.Option("--approval-only/--no-approval-only", help="Every write of an agent waits for a person, or not."),
    ] = None,
    file: Annotated[
        str, typer.Option("--vocabulary", metavar="FILE", help="Kinds, fields and links in YAML or JSON; - for stdin.")
    ] = "",
    if_match: Annotated[
        int | None, typer.Option("--if-match", help="Only while the settings are at this version.")
    ] = None,
    *,
    base: Annotated[bool, typer.Option("--base-vocabulary", help="Back to the vocabulary that ships.")] = False,
    as_json: Json = False,
) -> None:
    """Change how a workspace works, as a person who administers it.

    A vocabulary is read here first, so that a slip in it is said with its place. It is refused where a record that is
    there would not fit it: nothing that was written becomes wrong by it.

    \b
    Examples:
      stanchion workspace set --approval-only
      stanchion workspace vocabulary > legal.yaml; $EDITOR legal.yaml; stanchion workspace set --vocabulary legal.yaml
      stanchion workspace set --base-vocabulary
    """
    if file and base:
        usage("--vocabulary sets one, and --base-vocabulary takes it back: leave one of them out")
    if approval_only is None and not file and not base:
        usage("nothing to set: --approval-only, --no-approval-only, --vocabulary FILE or --base-vocabulary")
    vocabulary = _checked(file) if file else "" if base else None

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        answer = await client.set_workspace(
            approval_only=approval_only, vocabulary=vocabulary, if_match=if_match, workspace=whose
        )
        if as_json:
            write_json(answer)
            return
        say(tables.answer(answer))
        found = await client.workspace(workspace=whose)
        say(show_workspace.render(found, whose, await where_of(client, whose)))

    run(work)


def vocabulary(workspace: Workspace = "", *, as_json: Json = False) -> None:
    """Print what may be written in a workspace: kinds, fields, words, links, and what counts as a move.

    \b
    Examples:
      stanchion workspace vocabulary
      stanchion workspace vocabulary --json | jq '.kinds | keys'
    """

    async def work(client: Client) -> None:
        found = await client.workspace(workspace=await workspace_of(client, workspace))
        write_json(found.vocabulary) if as_json else typer.echo(show_workspace.vocabulary(found.vocabulary), nl=False)

    run(work)


def _checked(file: str) -> str:
    """Give the text of a vocabulary; one that is none ends the command, with the place."""
    text = given_text(file)
    try:
        read(text)
    except InvalidMessage as error:
        usage(f"{file} is no vocabulary: {error.detail}")
    return text
