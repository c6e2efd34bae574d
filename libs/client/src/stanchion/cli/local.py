# ruff: noqa: D301, DOC501, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""Commands of a local run: up, down, status, token. The work is `stanchion_local`'s, imported when it is needed."""

from importlib import import_module
from pathlib import Path
from time import time_ns
from typing import Annotated, Any

import typer
from msgspec import structs

from stanchion.cli.options import HOME, Home, Json
from stanchion.cli.session import REFUSED, UNREACHABLE, USAGE, usage
from stanchion.cli.terminal import console, note, say, write_json
from stanchion.show import letters as show_letters
from stanchion.show import run as show_run
from stanchion.show import tokens as show_tokens


def up(
    home: Home = HOME,
    import_dir: Annotated[
        Path | None, typer.Option("--import-dir", help="A folder of decisions to import, as `import git` does.")
    ] = None,
    *,
    once: Annotated[bool, typer.Option("--once", help="Give the first answer, check it, and end everything.")] = False,
) -> None:
    """Start everything on this machine.

    A broker, the six services, a key and tokens. It stays in the foreground; Ctrl-C ends everything, data stays.

    \b
    Examples:
      stanchion up
      stanchion up --import-dir docs/decisions
    """
    raise typer.Exit(_local("up").run(home, import_dir, once))


def down(home: Home = HOME) -> None:
    """End what `up` left running; data stays.

    \b
    Example:
      stanchion down
    """
    raise typer.Exit(_local("down").run(home))


def status(home: Home = HOME, *, as_json: Json = False) -> None:
    """Show what runs and how far it has come.

    Exits with 5 when nothing runs.

    \b
    Examples:
      stanchion status
      stanchion status --json | jq '.processes[] | {name, lag}'
    """
    found = _local("status").collect(home)
    write_json(found) if as_json else say(show_run.render(found))
    raise typer.Exit(0 if found.up else UNREACHABLE)


def dead_letters(
    home: Home = HOME,
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="How many at most.")] = 20,
    cause: Annotated[
        str, typer.Option("--show", metavar="CAUSE", help="One of them whole: the topic:partition:offset it came at.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List what could not be processed, newest first, and why.

    Nothing is lost: each was kept whole, with its headers. It is read from the cluster that STANCHION_KAFKA_BOOTSTRAP
    and its companions name, else from the local run's.

    \b
    Examples:
      stanchion dead-letters
      stanchion dead-letters --show inbox:3:41
      stanchion dead-letters --show inbox:3:41 --json | jq -r .raw | base64 -d
    """
    letters = _local("deadletters")
    try:
        found = letters.one(home, cause) if cause else letters.newest(home, limit)
    except (import_module("stanchion_local.errors").LocalError, ValueError) as error:
        note(f"stanchion: {error}", "red")
        raise typer.Exit(UNREACHABLE) from error
    if found is None:
        note(f"stanchion: there is no dead letter of {cause}: `stanchion dead-letters` lists what there is", "red")
        raise typer.Exit(REFUSED)
    if as_json:
        write_json(found)
    else:
        say(show_letters.whole(found) if cause else show_letters.render(found, console().width))


def token_list(home: Home = HOME, *, as_json: Json = False) -> None:
    """List tokens: whom each names, what it may do.

    \b
    Example:
      stanchion token list
    """
    found = show_tokens.read(home / "tokens")
    if not found and not as_json:
        note(f"there are no tokens in {home / 'tokens'}: `stanchion up` makes some, `stanchion token mint` one more")
        raise typer.Exit(REFUSED)
    write_json(found) if as_json else say(show_tokens.render(found, time_ns() // 1_000_000_000))


def token_show(
    name: Annotated[str, typer.Argument(help="Of the token, as `token list` has it.")] = "person", home: Home = HOME
) -> None:
    """Print a token, for other programs.

    Whoever has it can do what it says.

    \b
    Example:
      export STANCHION_TOKEN=$(stanchion token show agent)
    """
    path = _token_place(home, name)
    try:
        typer.echo(path.read_text(encoding="ascii").strip())
    except (OSError, UnicodeDecodeError) as error:
        note(
            f"stanchion: there is no token {name} in {home / 'tokens'}: `stanchion token list` shows what there is",
            "red",
        )
        raise typer.Exit(REFUSED) from error


def token_mint(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    sub: Annotated[str, typer.Option(help="Whom it names; its own name when left out.")] = "",
    kind: Annotated[str, typer.Option(help="person, agent or service.")] = "agent",
    on_behalf_of: Annotated[str, typer.Option("--on-behalf-of", help="The person an agent or service acts for.")] = "",
    workspace: Annotated[
        list[str] | None, typer.Option("--workspace", "-w", help="May be given again; every one when left out.")
    ] = None,
    may: Annotated[
        list[str] | None,
        typer.Option("--may", help="A capability, as read or write; may be given again. read when left out."),
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=366, help="How long it is good.")] = 30,
    home: Home = HOME,
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Whatever token is called so goes.")] = False,
) -> None:
    """Mint a token with the local run's key.

    A name that is taken is refused, be it one of those that `up` makes: person, agent and service.

    \b
    Examples:
      stanchion token mint ci --kind service --may read
      stanchion token mint helper --on-behalf-of maya --may read --may write --workspace docs
      stanchion token mint ci --kind service --may read --days 90 --replace
    """
    if kind not in {"person", "agent", "service"}:
        usage(f"there is no kind {kind}: person, agent or service")
    path = _token_place(home, name)
    keys = _local("keys")
    grant = keys.Grant(
        sub=sub or name,
        kind=kind,
        on_behalf_of=on_behalf_of,
        workspaces=tuple(workspace or ("*",)),
        capabilities=tuple(sorted(may or ("read",))),
    )
    try:
        minted = keys.mint(home, grant, now_us=time_ns() // 1000, days=days)
    except (ValueError, import_module("stanchion_local.errors").LocalError) as error:
        note(f"stanchion: {error}", "red")
        raise typer.Exit(USAGE) from error
    try:
        show_tokens.keep(path, minted, replace=replace)
    except FileExistsError as error:
        note(f"stanchion: there is a token {name} already: take another name, or --replace it", "red")
        raise typer.Exit(REFUSED) from error
    say(show_tokens.minted(path, structs.asdict(grant), days))


def _token_place(home: Path, name: str) -> Path:
    """Give where a token of this name lies; what is no name ends the command."""
    try:
        return show_tokens.place(home / "tokens", name)
    except ValueError as error:
        usage(str(error))


def _local(module: str) -> Any:  # noqa: ANN401 - a module of a package this one must not depend on
    """Give a module of `stanchion_local`.

    Raises:
        Exit: it is not installed.
    """
    try:
        return import_module(f"stanchion_local.{module}")
    except ModuleNotFoundError as error:
        note("stanchion: local runs need the distribution stanchion-local: install it beside this one", "red")
        raise typer.Exit(USAGE) from error
