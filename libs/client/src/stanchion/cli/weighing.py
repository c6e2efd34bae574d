# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""`trust` and `policy`: how far sources are trusted, and how beliefs are worked out."""

from typing import Annotated, Final, Literal, cast, get_args

import typer

from stanchion.cli.options import Json, Workspace
from stanchion.cli.session import run, usage, workspace_of
from stanchion.cli.terminal import say, write_json
from stanchion.client import Client
from stanchion.show import beliefs as show_beliefs
from stanchion.show import tables
from stanchion_core.limits import TOLERANCE

Name = Annotated[str, typer.Argument(metavar="NAME", help="Of the source or agent.")]
HalfLife = Literal["fast", "standard", "slow", "none", "unset"]
_HALF_LIVES: Final = get_args(HalfLife)


def trust(context: typer.Context, workspace: Workspace = "", *, as_json: Json = False) -> None:
    """List how far sources are trusted, and why; set it.

    What a person set goes before what came out of a source's claims, that before how far it agrees with others, and
    that before the default of 0.7.

    \b
    Examples:
      stanchion trust
      stanchion trust set crm 0.9
      stanchion trust unset crm
      stanchion trust --json | jq -r '.[] | select(.basis == "outcomes") | .name'
    """
    context.obj = workspace
    if context.invoked_subcommand is not None:
        return

    async def work(client: Client) -> None:
        found = await client.trust.list(workspace=await workspace_of(client, workspace))
        write_json(found) if as_json else say(show_beliefs.trust(found))

    run(work)


def trust_set(
    context: typer.Context,
    name: Name,
    value: Annotated[float, typer.Argument(metavar="VALUE", min=0, max=1, help="From 0 to 1.")],
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Set how far a source or agent is trusted.

    Halving it halves its weight, and touches nobody else.

    \b
    Examples:
      stanchion trust set crm 0.9
      stanchion trust set scraper 0
    """
    _set(name, value, workspace or context.obj, as_json=as_json)


def trust_unset(context: typer.Context, name: Name, workspace: Workspace = "", *, as_json: Json = False) -> None:
    """Take a setting back: what is known of the source counts again.

    \b
    Example:
      stanchion trust unset crm
    """
    _set(name, None, workspace or context.obj, as_json=as_json)


def _set(name: str, value: float | None, workspace: str, *, as_json: bool) -> None:
    """Set trust, or take it back; then say how it stands."""

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        answer = await client.trust.set(name, value, workspace=whose)
        if as_json:
            write_json(answer)
            return
        say(tables.answer(answer))
        say(show_beliefs.trust([await client.trust.get(name, workspace=whose)]))

    run(work)


def policy(context: typer.Context, workspace: Workspace = "", *, as_json: Json = False) -> None:
    """List how beliefs are worked out, and set it.

    Of the workspace, and of single predicates.

    \b
    Examples:
      stanchion policy
      stanchion policy set --half-life fast
      stanchion policy set "departure time" --tolerance 0.01
    """
    context.obj = workspace
    if context.invoked_subcommand is not None:
        return

    async def work(client: Client) -> None:
        found = await client.policy.list(workspace=await workspace_of(client, workspace))
        write_json(found) if as_json else say(show_beliefs.policies(found))

    run(work)


def policy_set(
    context: typer.Context,
    predicate: Annotated[str, typer.Argument(metavar="[PREDICATE]", help="Left out: of the whole workspace.")] = "",
    half_life: Annotated[
        str,
        typer.Option(
            help="How fast evidence ages: fast (14 days), standard (90), slow (365), none; unset takes it back."
        ),
    ] = "",
    multi_valued: Annotated[
        bool | None, typer.Option("--multi-valued/--one-value", help="Several values may be true at once, or one.")
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0, max=TOLERANCE, help="Numbers that differ by no more than this share are one value; 0 for none."
        ),
    ] = None,
    consensus: Annotated[
        bool | None,
        typer.Option("--consensus/--no-consensus", help="Sources nobody resolved are trusted as they agree, or not."),
    ] = None,
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Set how beliefs are worked out; what is left out stays as it is.

    \b
    Examples:
      stanchion policy set --half-life slow
      stanchion policy set --consensus
      stanchion policy set tag --multi-valued
      stanchion policy set "departure time" --tolerance 0.01 --half-life unset
    """
    if half_life and half_life not in _HALF_LIVES:
        usage(f"there is no half-life {half_life}; there are {', '.join(_HALF_LIVES)}")
    if not half_life and multi_valued is None and tolerance is None and consensus is None:
        usage("nothing to set: --half-life, --multi-valued, --one-value, --tolerance, --consensus or --no-consensus")
    if predicate and consensus is not None:
        usage("consensus is the whole workspace's: leave PREDICATE out")
    ages = None
    if half_life:
        ages = cast("Literal['', 'fast', 'standard', 'slow', 'none']", "" if half_life == "unset" else half_life)

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj, first=True)
        answer = await client.policy.set(
            predicate,
            half_life=ages,
            multi_valued=multi_valued,
            tolerance=tolerance,
            consensus=consensus,
            workspace=whose,
        )
        if as_json:
            write_json(answer)
            return
        say(tables.answer(answer))
        say(show_beliefs.policies(await client.policy.list(workspace=whose)))

    run(work)
