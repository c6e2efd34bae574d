"""The first answer: a folder of decisions imported with its history, and what no longer stands."""

import asyncio
from pathlib import Path
from typing import Final

from msgspec import Struct
from pydantic import SecretStr
from rich.console import Console

from stanchion import Client, ClientSettings, gaps, importer
from stanchion.cli.terminal import styles
from stanchion.follow import ahead
from stanchion.importer import Import
from stanchion.show import imported
from stanchion.show.stale import render
from stanchion.stale import Stale, assess
from stanchion_local.errors import WrongAnswer
from stanchion_local.services import BY_NAME, HOST
from stanchion_local.settings import LocalSettings
from stanchion_local.show import Steps

WORKSPACE: Final = "docs"
WHERE: Final = f" -w {WORKSPACE}"
"""What the commands named next need: in a later shell there may be other workspaces, too."""
TIMEOUT_S: Final = 60.0


class First(Struct, frozen=True, kw_only=True):
    """What came of an import.

    Attributes:
        events: how many changes the folder has seen.
        files: how many documents stand in the folder in the end.
        missing: those of them that no record stands for, sorted.
        stale: the answer.
    """

    events: int
    files: int
    missing: tuple[str, ...]
    stale: Stale


async def answer(settings: LocalSettings, import_dir: Path, steps: Steps) -> First:
    """Imports the folder and asks what no longer stands.

    Raises:
        StanchionError: something was refused, or nobody answers.
        NotADirectoryError: there is no such folder.
    """
    plan = await asyncio.to_thread(importer.read, import_dir)
    async with Client(client_settings(settings)) as client:
        events = await ahead(client, WORKSPACE, plan)
        count = new = 0
        async for each in client.publish(events, workspace=WORKSPACE, await_answer=True):
            count += 1
            new += each.changed
            steps.doing(f"importing change {count} of {len(events)} from {import_dir}", often=count % 50 != 0)
        stale = await assess(client, WORKSPACE)
        lacking = await gaps.ask(client, WORKSPACE, importer.standing(plan.events))
    steps.done("import", f"{plan.files} documents, {len(plan.events)} changes, {new} new, from {import_dir}")
    _tell_what_is_not_in(plan, steps)
    for text in [*imported.beware(plan), *imported.lacking(lacking, WHERE)]:
        steps.line("", text.plain)
    return First(events=len(plan.events), files=plan.files, missing=lacking.no_record, stale=stale)


def _tell_what_is_not_in(plan: Import, steps: Steps) -> None:
    if plan.uncommitted:
        steps.line("", f"not committed, so not imported: {', '.join(plan.uncommitted)}")
    for what, why in plan.left_out:
        steps.line("", f"left out: {what}: {why}")


def show(first: First) -> None:
    """Prints the answer to stdout, as `stanchion stale` does."""
    console = Console(highlight=False, color_system=styles())
    console.print()
    console.print(render(first.stale, console.width, where=WHERE), soft_wrap=True)
    console.print()


def check(first: First) -> None:
    """Holds the answer against the folder.

    Raises:
        WrongAnswer: a document has no record, or nothing was asked about.
    """
    if first.missing:
        raise WrongAnswer(f"{len(first.missing)} of {first.files} documents have no record: {', '.join(first.missing)}")
    stale = first.stale
    if not sum(count.in_force for count in stale.counts) + len(stale.past) or stale.checked_through <= 0:
        raise WrongAnswer(f"the answer is empty: {first.files} documents were imported, and no decision is known")


def client_settings(settings: LocalSettings) -> ClientSettings:
    """Where the run's own servers are, and the person's token; whatever else the environment says of other servers."""
    home = settings.home.absolute()
    address = {
        name: f"{HOST}:{settings.port_base + BY_NAME[name].grpc}" for name in ("gateway", "audit-reader", "view")
    }
    return ClientSettings(
        home=home,
        gateway=address["gateway"],
        audit=address["audit-reader"],
        view=address["view"],
        token=SecretStr((home / "tokens" / "person.jwt").read_text(encoding="ascii")),
        tls=False,
        tls_ca=None,
        workspace=WORKSPACE,
        timeout_s=TIMEOUT_S,
    )
