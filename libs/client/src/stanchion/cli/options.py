"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Workspace = Annotated[
    str,
    typer.Option(
        "--workspace",
        "-w",
        envvar="STANCHION_WORKSPACE",
        show_envvar=True,
        help="Whose records. Left out: the only workspace there is.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="JSON for machines instead of a table for people.")]
Home = Annotated[
    Path,
    typer.Option(
        envvar="STANCHION_HOME", show_envvar=True, help="The folder of a local run: its keys, tokens and data."
    ),
]
Room = Annotated[str, typer.Option(help="The room inside the workspace.")]
HOME = Path(".stanchion")
