# ruff: noqa: D301, PLR0913, PLR0917 - typer prints docstrings, ends by Exit, takes an argument an option
"""`believe` and `observe`: what is held to be true, why, and what is added to it."""

from datetime import datetime
from typing import Annotated, Any, Final

import typer
from msgspec import structs

from stanchion.believed import BeliefPage, learned_of
from stanchion.cli.moments import moment
from stanchion.cli.options import Json, Room, Workspace
from stanchion.cli.session import FOUND, given_text, run, usage, where_of, workspace_of
from stanchion.cli.terminal import console, say, write_json
from stanchion.client import PAGE, Client
from stanchion.show import belief as show_belief
from stanchion.show import beliefs as show_beliefs
from stanchion.values import typed
from stanchion_core.voice import BASE_WEIGHT

Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="What it is about; as anybody wrote it.")]
Predicate = Annotated[str, typer.Argument(metavar="PREDICATE", help="What is said of it; `is` for a plain statement.")]
Source = Annotated[str, typer.Option(help="What it rests on; left out: you.")]
ObservedAt = Annotated[
    str, typer.Option("--observed-at", metavar="TIME", help="When, a date or RFC 3339; now when left out.")
]
Key = Annotated[str, typer.Option("--key", help="Idempotency key: the same again counts once.")]
_WORDS: Final = ", ".join(BASE_WEIGHT)
_PATHS: Final = ("explicit-add", "user-message", "agent-output", "tool-result")


def believe(
    context: typer.Context,
    about: Annotated[str, typer.Option(help="Has one of these words; best match first.")] = "",
    subject: Annotated[str, typer.Option(help="Exactly of this subject.")] = "",
    predicate: Annotated[str, typer.Option(help="Exactly of this predicate.")] = "",
    workspace: Workspace = "",
    *,
    stale: Annotated[bool, typer.Option("--stale", help="Only those whose evidence is old.")] = False,
    contradicted: Annotated[bool, typer.Option("--contradicted", help="Only those in conflict.")] = False,
    resolved: Annotated[bool, typer.Option("--resolved", help="Only those that turned out.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="How many at most.")] = 50,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 1 when one is listed.")] = False,
    as_json: Json = False,
) -> None:
    """List what is held to be true; show one, and add to it.

    `P` is how likely the value is, `open` how much of that no evidence backs. Filters narrow each other.

    \b
    Examples:
      stanchion believe
      stanchion believe --about "market size"
      stanchion believe --stale --fail                       # a gate: exit code 1 while any evidence is old
      stanchion believe show "enterprise market" size        # with every voice, and why it weighs what it does
      stanchion believe add "The TAM is \\$5B" --source gartner
      stanchion believe --contradicted --json | jq -r '.beliefs[].subject'
    """
    context.obj = workspace
    if context.invoked_subcommand is not None:
        return
    wanted: dict[str, Any] = {
        "about": about,
        "subject": subject,
        "predicate": predicate,
        "stale": stale,
        "contradicted": contradicted,
        "resolved": resolved,
    }

    async def work(client: Client) -> int:
        whose = await workspace_of(client, workspace)
        page = await _listed(client, {**wanted, "workspace": whose}, limit)
        if as_json:
            write_json(page)
        else:
            more = f"--limit {page.total} for all of them" if page.cursor else ""
            say(show_beliefs.table(page, whose, console().width, more))
        return FOUND if fail and page.beliefs else 0

    run(work)


async def _listed(client: Client, wanted: dict[str, Any], limit: int) -> BeliefPage:
    """Give so many beliefs that match, as one page."""
    page = await client.beliefs_page(limit=min(limit, PAGE), **wanted)
    found, cursor = list(page.beliefs), page.cursor
    while cursor and len(found) < limit:
        more = await client.beliefs_page(limit=min(limit - len(found), PAGE), cursor=cursor, **wanted)
        found += more.beliefs
        cursor = more.cursor
    return structs.replace(page, beliefs=tuple(found), cursor=cursor)


def show(
    context: typer.Context, subject: Subject, predicate: Predicate, workspace: Workspace = "", *, as_json: Json = False
) -> None:
    """Show a belief, and why it stands as it does.

    Its values with their evidence; every voice with its weight and what that is made of; who is trusted how far, and on
    what that rests. A voice that a later word of the same source displaced says so.

    \b
    Examples:
      stanchion believe show "enterprise market" size
      stanchion believe show tam is --json | jq '.contributions[] | {source, weight, rule}'
    """

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj)
        held = await client.belief(subject, predicate, workspace=whose)
        write_json(held) if as_json else say(show_belief.render(held))

    run(work)


def add(
    context: typer.Context,
    words: Annotated[
        list[str], typer.Argument(metavar="TEXT | SUBJECT PREDICATE VALUE", help="A text (- for stdin), or a claim.")
    ],
    evidence: Annotated[str, typer.Option(help=f"Its type: {_WORDS}. Left out: a citation with --source.")] = "",
    source: Source = "",
    strength: Annotated[float | None, typer.Option(min=0, max=1, help="How much of its weight counts.")] = None,
    sample: Annotated[str, typer.Option(help="Names one of several independent readings of the source.")] = "",
    observed_at: ObservedAt = "",
    key: Key = "",
    room: Room = "",
    workspace: Workspace = "",
    *,
    assume: Annotated[bool, typer.Option("--assume", help="It is only an assumption.")] = False,
    deny: Annotated[bool, typer.Option("--not", help="With a claim: it is not so.")] = False,
    as_json: Json = False,
) -> None:
    """Add what you hold to be true.

    A text is read by rules: what it states moves beliefs, what it wants becomes an intent, and what it asks or supposes
    is left out. A claim is taken as it stands; VALUE is `true`, `12`, `12%`, `5,000,000 EUR`, `>= 3 GiB`, `3..5`,
    `2026-03-31`, or any text.

    \b
    Examples:
      stanchion believe add "The TAM is \\$5B" --source gartner
      stanchion believe add churn is "5%" --evidence measurement --source billing
      stanchion believe add churn is "5%" --not --source survey
      stanchion believe add "The TAM is \\$5B" --assume
    """
    if len(words) not in {1, 3}:
        usage("add takes one text, or a subject, a predicate and a value: quote what has spaces")
    if not all(word.strip() for word in words):
        usage("a text, subject, predicate or value is empty: there is nothing to hold")
    if deny and len(words) == 1:
        usage("--not goes with a claim; a text says itself what is not so")
    if evidence not in {"", *BASE_WEIGHT}:
        usage(f"there is no evidence of type {evidence}; there are {_WORDS}")
    if assume and evidence not in {"", "assumption"}:
        usage("--assume is evidence of its own: leave --evidence out")
    told: dict[str, Any] = {
        "type": "assumption" if assume else "claim",
        "evidence": evidence,
        "source": source,
        "strength": strength,
        "sample": sample,
        "observed_at": _time(observed_at),
        "room": room,
        "idempotency_key": key,
    }
    if len(words) == 1:
        told["text"] = _said(words[0])
    else:
        told |= {"subject": words[0], "predicate": words[1], "value": typed(words[2]), "denial": deny}

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace or context.obj, first=True)
        found = await client.add(workspace=whose, **told)
        write_json(found) if as_json else say(show_beliefs.learned(found, await where_of(client, whose)))

    run(work)


def observe(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said or found; - for stdin.")],
    path: Annotated[str, typer.Option(help=f"How it came: {', '.join(_PATHS)}.")] = "explicit-add",
    source: Source = "",
    observed_at: ObservedAt = "",
    key: Key = "",
    room: Room = "",
    workspace: Workspace = "",
    *,
    as_json: Json = False,
) -> None:
    """Tell what a user said, an agent put out, or a tool gave.

    The way it came says how much it counts: a tool's result most, an agent's own output least. A user's message comes
    from a person, or from an agent whose token says for whom it acts.

    \b
    Examples:
      stanchion observe "Gartner reports 34% growth" --path tool-result
      stanchion observe "I want to target enterprise" --path user-message     # an intent: no belief moves
      curl -s https://crm/deals.json | stanchion observe - --path tool-result --source crm
    """
    if path not in _PATHS:
        usage(f"there is no path {path}; there are {', '.join(_PATHS)}")
    said = _said(text)
    at = _time(observed_at)

    async def work(client: Client) -> None:
        whose = await workspace_of(client, workspace, first=True)
        observed = await client.observe(
            path=path, text=said, source=source, observed_at=at, room=room, workspace=whose, idempotency_key=key
        )
        found = learned_of(observed)
        write_json(found) if as_json else say(show_beliefs.learned(found, await where_of(client, whose)))

    run(work)


def _said(text: str) -> str:
    """Give the text of an observation, `-` for stdin; an empty one ends the command."""
    said = given_text(text) if text == "-" else text
    return said if said.strip() else usage("the text is empty: there is nothing to read")


def _time(text: str) -> datetime | None:
    """Give the time of an observation; None for now."""
    return moment(text, "--observed-at") if text else None
