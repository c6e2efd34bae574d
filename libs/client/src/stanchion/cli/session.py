"""One command's work: a client, a workspace, and an exit code for whatever happens.

| code | means |
|---|---|
| 0 | done |
| 1 | `stale --fail`: something no longer stands |
| 2 | the command line is wrong |
| 3 | refused: not there, wrong as it stands, or moved meanwhile |
| 4 | no token, or it may not do this |
| 5 | nobody answers, or not in time |
| 6 | the server failed |
| 130 | interrupted |
"""

import asyncio
import re
import shlex
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NoReturn

import typer
from pydantic import ValidationError

from stanchion.cli.terminal import note
from stanchion.client import Client
from stanchion.errors import (
    NotAllowed,
    NotFound,
    NotInTime,
    NotSignedIn,
    NotYetVisible,
    OutcomeUnknown,
    Refused,
    ServerFault,
    StanchionError,
    Unreachable,
)
from stanchion.names import called, matching, named
from stanchion.settings import ClientSettings

FOUND: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
NOT_ALLOWED: Final = 4
UNREACHABLE: Final = 5
FAULT: Final = 6
INTERRUPTED: Final = 130

_TRIED: Final = re.compile(r"ipv[46]:(\S+:\d+)")
_FIRST: Final = "docs"  # the workspace of a first write, where there is none yet


Work = Callable[[Client], Awaitable[int | None]]
"""What a command does with a client; it gives an exit code, None for 0."""


def run(work: Work) -> None:
    """Do a command's work with a client, and exit with its code.

    Args:
        work: what it does.

    Raises:
        Exit: with the code.
    """
    try:
        code = asyncio.run(_with_client(work))
    except StanchionError as error:
        note(f"stanchion: {sentence(error)}", "red")
        raise typer.Exit(code_of(error)) from error
    except ValidationError as error:
        wrong = error.errors()[0]
        note(f"stanchion: STANCHION_{str(wrong['loc'][0]).upper()} is wrong: {wrong['msg']}", "red")
        raise typer.Exit(USAGE) from error
    except UnicodeEncodeError as error:
        usage(f"a text is not {error.encoding.upper()}: convert it first, as `iconv -f latin1 -t utf-8` does")
    except KeyboardInterrupt as error:
        raise typer.Exit(INTERRUPTED) from error
    raise typer.Exit(code or 0)


async def _with_client(work: Work) -> int | None:
    """Do the work inside a client."""
    async with Client(ClientSettings()) as client:
        return await work(client)


def usage(text: str) -> NoReturn:
    """End the command: the command line is wrong.

    Raises:
        Exit: always.
    """
    note(f"stanchion: {text}", "red")
    raise typer.Exit(USAGE)


def given_text(file: str) -> str:
    """Give the text of a file, `-` for stdin; one that cannot be read ends the command."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        usage(f"{file} cannot be read: {error}")


async def workspace_of(client: Client, named: str, *, first: bool = False) -> str:
    """Give the workspace a command is about: the one named, else the only one there is.

    Args:
        client: asked for what there is.
        named: on the command line or in the environment, may be empty.
        first: the command may be the first to write at all.

    Raises:
        Refused: there is none, or more than one.
    """
    if named:
        return named
    there = sorted(each.name for each in await client.workspaces())
    if len(there) == 1:
        return there[0]
    if not there and first:
        return _FIRST
    if not there:
        raise Refused("WORKSPACE_MISSING", "there is no workspace yet: import or publish something first")
    raise Refused("WORKSPACE_MISSING", f"there are several workspaces, name one with --workspace: {', '.join(there)}")


async def record_id(client: Client, workspace: str, typed: str) -> str:
    """Give the id of the record that a typed name means, to be read.

    Args:
        client: asked.
        workspace: whose.
        typed: a whole id, or its beginning or number: `0007`, `7`.

    Raises:
        NotFound: there is none.
        Refused: it may mean several.
    """
    return await _resolved(client, workspace, typed, matching, _LISTS)


async def subject_id(client: Client, workspace: str, typed: str) -> str:
    """Give what a typed name means: a record's id where it is one, else as it was typed."""
    try:
        return await record_id(client, workspace, typed) if typed else ""
    except NotFound:
        return typed


async def named_id(client: Client, workspace: str, typed: str, otherwise: str = "") -> str:
    """Give the id of the record that a typed name names, to be written: a beginning is not enough.

    Args:
        client: asked.
        workspace: whose.
        typed: a whole id, or a number: `0007`, `7`.
        otherwise: what to do where there is none.

    Raises:
        NotFound: there is none.
        Refused: several are called so.
    """
    return await _resolved(client, workspace, typed, named, otherwise or _LISTS)


_LISTS: Final = "`stanchion query` lists what there is"


async def _resolved(
    client: Client, workspace: str, typed: str, choose: Callable[[str, Mapping[str, str]], list[str]], otherwise: str
) -> str:
    """Give the one id that a typed name stands for.

    Raises:
        NotFound: there is none.
        Refused: there are several.
    """
    try:
        return (await client.get_record(typed, workspace=workspace)).id
    except (NotFound, Refused) as error:
        records = called([each async for each in client.query(workspace=workspace, include_deleted=True)])
        found = choose(typed, records)
        if len(found) == 1:
            return found[0]
        if found:
            raise Refused("AMBIGUOUS", f"{typed} may mean {_listed(found)}: type more of it") from error
        begun = matching(typed, records)
        hints = [f"{_listed(begun)} begins so, type the whole name"] * bool(begun) + [otherwise]
        detail = f"there is no record {typed} in workspace {workspace}: {'; '.join(hints)}"
        raise NotFound("NOT_FOUND", detail) from error


async def where_of(client: Client, workspace: str) -> str:
    """Give what a next command needs to be about the same workspace: nothing where it goes without saying.

    Raises:
        StanchionError: nobody answers.
    """
    if [each.name for each in await client.workspaces()] == [workspace]:
        return ""
    return f" -w {shlex.quote(workspace)}"


def code_of(error: StanchionError) -> int:
    """Give the exit code of an error."""
    match error:
        case NotAllowed():
            return NOT_ALLOWED
        case Unreachable():
            return UNREACHABLE
        case ServerFault():
            return FAULT
        case _:
            return REFUSED


def sentence(error: StanchionError) -> str:
    """Give one sentence: what is wrong, and what to do."""
    match error:
        case NotSignedIn():
            return f"{error.detail} (`stanchion token list` shows the tokens of a local run)"
        case OutcomeUnknown() if key := error.metadata.get("idempotency_key"):
            return f"{error.detail} ({key})"
        case NotYetVisible() | NotInTime() | OutcomeUnknown():
            return error.detail
        case Unreachable() if error.reason in {"UNAVAILABLE", "CANCELLED"}:
            return (
                f"nobody answers at {_address(error)}: start Stanchion with `stanchion up`, see `stanchion status`, "
                "or say where it is with STANCHION_GATEWAY, STANCHION_VIEW and STANCHION_AUDIT"
                f"{ClientSettings().elsewhere()}"
            )
        case _:
            named = [f"{field}: {text}" for field, text in error.violations if text != error.detail]
            return "; ".join([error.detail, *named])


def _address(error: StanchionError) -> str:
    """Give where nobody answered: what gRPC says, else everywhere that the client looks."""
    if found := _TRIED.search(error.detail):
        return found[1]
    settings = ClientSettings()
    return ", ".join(dict.fromkeys([settings.address("view"), settings.address("gateway"), settings.address("audit")]))


def _listed(ids: Iterable[str], most: int = 5) -> str:
    """Give the first few of a list."""
    everything = list(ids)
    rest = f" and {len(everything) - most} more" if len(everything) > most else ""
    return ", ".join(everything[:most]) + rest
