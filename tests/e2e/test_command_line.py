"""What a person does at a terminal, through the whole line: review, settings, and a folder that is followed."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stanchion_local.supervisor import Supervisor
from support.command_line import Ran, command, run
from support.history import Line, commit, make_repository


class Terminal:
    """The command line of one workspace of the run, as one of its tokens."""

    def __init__(self, home: Path, workspace: str) -> None:
        self.home = home
        self.environment = {
            "PATH": os.environ["PATH"],
            "STANCHION_HOME": str(home),
            "STANCHION_WORKSPACE": workspace,
            "STANCHION_TIMEOUT_S": "30",
        }

    async def __call__(self, *arguments: str, given: str = "", who: str = "person") -> Ran:
        """Run a command."""
        return await run(*arguments, given=given, cwd=self.home, env={**self.environment, "STANCHION_TOKEN_NAME": who})

    async def answer(self, *arguments: str, who: str = "person") -> str:
        """Run a command that succeeds; give its answer."""
        ran = await self(*arguments, who=who)
        assert (0, "") == (ran.code, ran.err)
        return ran.out


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_published_is_what_was_shown(home: Path, line: Supervisor) -> None:  # noqa: ARG001 - the line is up
    """An agent's write over a person's value waits, is edited and published by its digest, and not by an older one."""
    terminal = Terminal(home, "reviewed")
    await terminal.answer(
        *("write", "annual-only", "--kind", "decision", "--status", "active", "--label", "Bill once a year"),
        *("--body", "# Bill\n\nOnce a year.\n"),
    )
    ran = await terminal("write", "annual-only", "--status", "withdrawn", "--body", "# Bill\n\nMonthly.\n", who="agent")
    assert (0, True) == (ran.code, ran.out.startswith("not written  it became proposal prop_"))
    found = json.loads(await terminal.answer("review", "--json"))
    shown = await terminal.answer("review", "show", found["id"])
    assert "  status         active → withdrawn\n" in shown
    assert "    -Once a year.\n    +Monthly.\n" in shown
    text = await terminal.answer("review", "show", found["id"], "--yaml")
    edited = await terminal("review", "edit", found["id"], "-", given=text.replace("Monthly.", "Each month."))
    assert (0, True) == (edited.code, "    +Each month.\n" in edited.out)
    late = await terminal("review", "publish", found["id"], "--digest", found["digest"])
    assert (3, True) == (late.code, "was edited since" in late.err)
    late = await terminal("review", "edit", found["id"], "-", given=text)
    assert (3, True) == (late.code, "shows it as it is now" in late.err)
    now = json.loads(await terminal.answer("review", "--json"))
    await terminal.answer("review", "publish", found["id"], "--digest", now["digest"][:12], "--note", "as we said")
    record = json.loads(await terminal.answer("show", "annual-only", "--json"))
    assert ("withdrawn", "# Bill\n\nEach month.\n", True, []) == (
        record["fields"]["status"],
        record["body"],
        record["confirmed"],
        record["proposals"],
    )
    assert "who approved it on" in await terminal.answer("show", "annual-only")
    assert "nothing waits for a person" in await terminal.answer("review")


@pytest.mark.asyncio(loop_scope="session")
async def test_how_a_workspace_works_is_set(home: Path, line: Supervisor) -> None:  # noqa: ARG001 - the line is up
    """Agents only propose once it is said; a vocabulary that what is there fits is in force, another one is refused."""
    terminal = Terminal(home, "settled")
    await terminal.answer("workspace", "set", "--approval-only")
    ran = await terminal("write", "r1", "--kind", "rule", "--room", "eu", "--label", "Round up", who="agent")
    assert "not written" in ran.out
    proposal = json.loads(await terminal.answer("review", "--json"))["id"]
    await terminal.answer("review", "publish", proposal, "--yes")
    assert "eu" == json.loads(await terminal.answer("show", "r1", "--json"))["room"]
    shipped = await terminal.answer("workspace", "vocabulary")
    own, without = home / "own.yaml", home / "without.yaml"
    own.write_text(shipped.replace("name: base", "name: own"))
    without.write_text(shipped.replace("rule", "norm"))
    await terminal.answer("workspace", "set", "--vocabulary", str(own), "--no-approval-only")
    assert "vocabulary     own\n" in await terminal.answer("workspace", "show")
    refused = await terminal("workspace", "set", "--vocabulary", str(without))
    assert (3, True) == (refused.code, "r1" in refused.err)
    assert 4 == (await terminal("workspace", "set", "--approval-only", who="agent")).code


@asynccontextmanager
async def following(terminal: Terminal, root: Path) -> AsyncIterator[asyncio.StreamReader]:
    """Follow a folder; give its answers, one a line. In the end it is killed."""
    process = await asyncio.create_subprocess_exec(
        *command("import", "git", str(root), "--dir", "d", "--follow", "--interval", "0.2", "--json"),
        stdout=asyncio.subprocess.PIPE,
        cwd=terminal.home,
        env=terminal.environment,
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def counted(answers: asyncio.StreamReader) -> tuple[int, int]:
    """Give how many events the next answer is about, and how many of them were new."""
    async with asyncio.timeout(60):
        told = json.loads(await answers.readline())
    return told["count"], told["new"]


def decision(n: int, path: str, text: str, change: str = "added") -> Line:
    """Give one change of one document, a commit of its own."""
    time = datetime(2026, 1, n, tzinfo=UTC)
    return Line(n=n, commit=f"c{n}", time=time, author="Jo", path=path, change=change, text=text)  # type: ignore[arg-type]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_folder_is_followed_through_a_kill(home: Path, line: Supervisor, tmp_path: Path) -> None:  # noqa: ARG001 - the line is up
    """Each commit is taken up once, whatever ended the follower in between and whatever was committed meanwhile."""
    terminal = Terminal(home, "followed")
    first, second, third = (
        f"# {title}\n\n{ground}## Status\n\nAccepted\n"
        for title, ground in (("1. Use Kafka", ""), ("1. Use it", ""), ("2. Tail", "Depends on: 0001\n\n"))
    )
    make_repository(tmp_path / "r", [decision(1, "d/0001-use-kafka.md", first)])
    async with following(terminal, tmp_path / "r") as answers:
        assert (1, 1) == await counted(answers)
        commit(tmp_path / "r", [decision(2, "d/0001-use-kafka.md", second, "modified")])
        assert (1, 1) == await counted(answers)
    commit(tmp_path / "r", [decision(3, "d/0002-tail.md", third)])
    async with following(terminal, tmp_path / "r") as answers:
        assert (3, 1) == await counted(answers)
    records = json.loads(await terminal.answer("query", "--json"))["records"]
    assert [("Use it", 2), ("Tail", 1)] == [(each["label"], each["version"]) for each in records]
    shown = await terminal.answer("show", "0001")
    assert "written by     person Jo · sent by person" in shown
    assert "depends on → 0001-use-kafka  Use it" in await terminal.answer("traverse", "0002")
