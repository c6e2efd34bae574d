import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from stanchion.cli.app import build


def commands(group: Any, *path: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - typer's own
    """Give each command of the command line, as it is typed, with its help."""
    for name, each in group.commands.items():
        if hasattr(each, "commands"):
            yield from commands(each, *path, name)
        if each.help and (each.callback is not None and not getattr(each, "no_args_is_help", False)):
            yield " ".join(["stanchion", *path, name]), each.help


ALL = dict(commands(get_command(build())))


@pytest.mark.parametrize("typed", sorted(ALL))
def test_help_teaches(typed: str) -> None:
    """Every command's help begins with one sentence and has an example of that very command."""
    first, *_ = ALL[typed].split("\n")
    assert first.endswith(".")
    assert re.search(rf"\b{typed}(\s|$)", ALL[typed].partition("Example")[2])


def test_every_command_is_there() -> None:
    """What Review, settings, the graph and beliefs need can be typed."""
    assert {
        "stanchion review",
        "stanchion review show",
        "stanchion review publish",
        "stanchion review edit",
        "stanchion review reject",
        "stanchion workspace show",
        "stanchion workspace set",
        "stanchion workspace vocabulary",
        "stanchion relate",
        "stanchion relation",
        "stanchion traverse",
        "stanchion import git",
        "stanchion believe",
        "stanchion believe show",
        "stanchion believe add",
        "stanchion observe",
        "stanchion trust",
        "stanchion trust set",
        "stanchion trust unset",
        "stanchion policy",
        "stanchion policy set",
        "stanchion resolve",
        "stanchion reopen",
        "stanchion findings",
        "stanchion intents",
        "stanchion calibration",
    } <= ALL.keys()
