"""The command line, put together."""

from collections.abc import Callable
from importlib import metadata
from typing import Annotated

import typer

from stanchion.cli import (
    believing,
    gate,
    importing,
    local,
    outcomes,
    reading,
    relations,
    reviewing,
    weighing,
    workspaces,
    writing,
)

_HELP = """What your team has decided, and whether it still stands.

\b
Begin here:
  stanchion up --import-dir docs/decisions    start everything, import a folder of decisions
  stanchion stale                             which of them no longer stand, and why
  stanchion show 0007                         everything about one of them
  stanchion review                            what agents and imports propose, and wait for you to decide
"""

_EPILOG = """\b
Exit codes: 0 done · 1 `--fail` found something · 2 wrong command line · 3 refused or not there ·
4 no token, or it may not · 5 nobody answers, or not in time · 6 the server failed · 130 interrupted

\b
Environment: STANCHION_HOME, STANCHION_WORKSPACE, STANCHION_TOKEN, STANCHION_TOKEN_NAME, STANCHION_GATEWAY,
STANCHION_VIEW, STANCHION_AUDIT, STANCHION_TLS, STANCHION_TLS_CA, STANCHION_TIMEOUT_S, NO_COLOR
"""

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer's call
    """Show the version and end.

    Raises:
        Exit: it was wanted.
    """
    if wanted:
        typer.echo(f"stanchion {metadata.version('stanchion')}")
        raise typer.Exit


def build() -> typer.Typer:
    """Give the command line."""
    app = typer.Typer(
        name="stanchion",
        help=_HELP,
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=_CONTEXT,
    )
    app.callback()(_options)
    imports = typer.Typer(no_args_is_help=True, help="Import documents with their history.", rich_markup_mode=None)
    imports.command("git", context_settings=_CONTEXT)(importing.import_git)
    tokens = typer.Typer(no_args_is_help=True, help="Tokens of a local run: list, show and mint them.")
    tokens.command("list", context_settings=_CONTEXT)(local.token_list)
    tokens.command("show", context_settings=_CONTEXT)(local.token_show)
    tokens.command("mint", context_settings=_CONTEXT)(local.token_mint)
    _add(app, gate.stale, reading.show, reading.query, reading.trace, reading.watch)
    _add(app, writing.affirm, writing.publish)
    strange = {"ignore_unknown_options": True, "allow_extra_args": True}  # it says itself what it does not know
    app.command(context_settings={**_CONTEXT, **strange})(writing.write)
    app.add_typer(imports, name="import")
    app.add_typer(_review(), name="review")
    app.add_typer(_believe(), name="believe")
    _add(app, believing.observe, outcomes.resolve, outcomes.reopen)
    app.add_typer(_group(weighing.trust, set=weighing.trust_set, unset=weighing.trust_unset), name="trust")
    app.add_typer(_group(weighing.policy, set=weighing.policy_set), name="policy")
    _add(app, outcomes.findings, outcomes.intents, outcomes.calibration)
    _add(app, relations.relate, relations.relation, relations.traverse)
    app.add_typer(_workspace(), name="workspace")
    _add(app, local.up, local.down, local.status, local.dead_letters)
    app.add_typer(tokens, name="token")
    return app


def _review() -> typer.Typer:
    """Give the commands of Review; alone it lists what waits."""
    group = _group(reviewing.review)
    _add(group, reviewing.show, reviewing.publish, reviewing.edit, reviewing.reject)
    return group


def _believe() -> typer.Typer:
    """Give the commands of beliefs; alone it lists them."""
    group = _group(believing.believe)
    _add(group, believing.show, believing.add)
    return group


def _group(alone: Callable[..., None], **commands: Callable[..., None]) -> typer.Typer:
    """Give a group of commands.

    Args:
        alone: what its name does without a command.
        **commands: by name.
    """
    group = typer.Typer(invoke_without_command=True, rich_markup_mode=None, context_settings=_CONTEXT)
    group.callback()(alone)
    for name, command in commands.items():
        group.command(name, context_settings=_CONTEXT)(command)
    return group


def _workspace() -> typer.Typer:
    """Give the commands of a workspace's settings."""
    group = typer.Typer(no_args_is_help=True, help="How a workspace works, and its vocabulary.", rich_markup_mode=None)
    _add(group, workspaces.show)
    group.command("set", context_settings=_CONTEXT)(workspaces.change)
    _add(group, workspaces.vocabulary)
    return group


def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take what stands before a command."""


def _add(app: typer.Typer, *commands: Callable[..., None]) -> None:
    """Add commands under their functions' names."""
    for command in commands:
        app.command(context_settings=_CONTEXT)(command)
