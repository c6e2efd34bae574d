# ruff: noqa: D301, PLR0913 - typer prints docstrings, ends by Exit, takes an argument an option
"""What turned out, and what follows: resolve, reopen, calibration; and findings and intents."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, get_args

import typer

from stanchion.believed import FindingKind
from stanchion.cli.believing import Predicate, Subject
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.session import FOUND, run, usage, workspace_of
from stanchion.cli.terminal import console, note, say, write_json
from stanchion.client import Client
from stanchion.diagram import CannotDraw, draw
from stanchion.errors import NotFound
from stanchion.results import Answer
from stanchion.show import belief as show_belief
from stanchion.show import beliefs as show_beliefs
from stanchion.show import calibration as show_calibration
from stanchion.show import tables
from stanchion.values import typed

_KINDS: Final[tuple[FindingKind, ...]] = get_args(FindingKind)


def resolve(
    subject: Subject,
    predicate: Predicate,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What turned out, as `believe add` takes it.")],
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Say what turned out to be true of a claim.

    Every source that spoke on it is judged by it (an agent, where it named none): that is how trust is earned. How sure
    they and the agents were is what `calibration` measures. Another value takes the place of this one, and `reopen`
    takes it back.

    \b
    Examples:
      stanchion resolve "enterprise market" size "5,200,000,000 USD"
      stanchion resolve "release 12" "is late" true
    """
    held = typed(value)

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        answer = await client.resolve(subject, predicate, held, workspace=whose)
        await _told(client, whose, subject, predicate, answer, as_json=as_json)

    run(work)


def reopen(subject: Subject, predicate: Predicate, workspace: Workspace = "", *, as_json: Json = False) -> None:
    """Take back what turned out to be true of a claim.

    It is open again, and nobody is judged by it any more.

    \b
    Example:
      stanchion reopen "release 12" "is late"
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        answer = await client.reopen(subject, predicate, workspace=whose)
        await _told(client, whose, subject, predicate, answer, as_json=as_json)

    run(work)


async def _told(client: Client, workspace: str, subject: str, predicate: str, answer: Answer, *, as_json: bool) -> None:
    """Say what was decided of a claim, and how it had been held."""
    if as_json:
        write_json(answer)
        return
    say(tables.answer(answer))
    with suppress(NotFound):  # reopened before anybody said anything of it
        say(show_belief.outcome(await client.belief(subject, predicate, workspace=workspace)))


def calibration(
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the diagram, as a PNG file.")] = None,
    most: Annotated[int, typer.Option("--limit", "-n", min=1, max=1_000, help="Sources and agents at most.")] = 100,
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Show how well stated confidence met what turned out.

    A bar that ends at its mark was as right as it said; a shorter one was too sure. `error` is how far apart
    they are on average, `Brier` the mean squared error; 0 is best of both.

    \b
    Examples:
      stanchion calibration
      stanchion calibration --png reliability.png
      stanchion calibration --json | jq '.calibrations[] | select(.by == "source") | {name, brier}'
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        told = await client.calibration(limit=most, workspace=whose)
        write_json(told) if as_json else say(show_calibration.render(told, whose))
        if png is not None:
            try:
                draw(told.calibrations, png, f"Reliability of beliefs, workspace {whose}")
            except CannotDraw as error:
                usage(str(error))
            except OSError as error:
                usage(f"{png} cannot be written: {error.strerror or error}")
            note(f"drawn to {png}")

    run(work)


def findings(
    kind: Annotated[
        list[str] | None, typer.Option("--kind", "-k", help=f"{', '.join(_KINDS)}; may be given again.")
    ] = None,
    subject: Annotated[str, typer.Option(help="Only of this subject.")] = "",
    predicate: Annotated[str, typer.Option(help="Only of this predicate.")] = "",
    workspace: Workspace = "",
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 50,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 when there is one.")] = False,
    as_json: Json = False,
) -> None:
    """List what the looks over all beliefs found, latest first.

    Every hour, on the hour: beliefs whose values contradict each other, whose evidence is old, that go together, and
    sources in which trust has moved. What holds no longer is not listed; `stanchion trace` has it all.
    `stanchion believe --contradicted` and `--stale` need no look.

    \b
    Examples:
      stanchion findings
      stanchion findings --kind contradiction --fail
      stanchion findings --subject "enterprise market" --json
    """
    kinds = [each.replace("-", "_").replace(" ", "_") for each in kind or ()]
    wanted: list[FindingKind] = [each for each in _KINDS if each in kinds]
    if strange := [each for each in kinds if each not in _KINDS]:
        usage(f"there is no finding {strange[0]}; there are {', '.join(_KINDS)}")

    async def work(client: Client) -> int:
        whose = await workspace_of(client, workspace)
        found = []
        async for each in client.findings(kinds=wanted, subject=subject, predicate=predicate, workspace=whose):
            found.append(each)
            if len(found) == limit:
                break
        if as_json:
            for each in found:
                write_json(each, indent=0)
        else:
            say(show_beliefs.findings(found, console().width))
        return FOUND if fail and found else 0

    run(work)


def intents(
    room: Room = "",
    workspace: Workspace = "",
    *,
    dropped: Annotated[bool, typer.Option("--all", help="What nobody wants any more, too.")] = False,
    as_json: Json = False,
) -> None:
    """List what is wanted, decided or forbidden.

    Goals, constraints and preferences were said where facts are said, too, and are kept apart: none of them ever moves
    a belief. Each is a record: `stanchion write ID --status dropped` ends it, `stanchion show ID` has it whole.

    \b
    Examples:
      stanchion intents
      stanchion intents --json | jq -r 'select(.kind == "constraint") | .gist'
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace)
        found = [each async for each in client.intents(dropped=dropped, room=room, workspace=whose)]
        if as_json:
            for each in found:
                write_json(each, indent=0)
        else:
            say(show_beliefs.intents(found, console().width))

    run(work)
