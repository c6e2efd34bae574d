"""The examples of docs/beliefs.md, and the README's about beliefs: they run as they stand and print what is said."""

import asyncio
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from stanchion.cli.app import build
from stanchion_local.supervisor import Supervisor

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    "guide": (ROOT / "docs" / "beliefs.md").read_text(encoding="utf-8"),
    "readme": (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Beliefs\n")[2].partition("\n## ")[0],
}
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A program of the guide, and what it prints there; None where the guide does not say."""

    language: str
    program: str
    prints: str | None


def examples(text: str) -> Iterator[Example]:
    """Give the programs of a text in order, each with the output that stands below it."""
    blocks = _BLOCK.findall(text)
    for number, (language, program) in enumerate(blocks):
        if language in {"python", "sh"}:
            below = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
            yield Example(language, program, below[1] if below[0] == "text" else None)


def printed(example: Example) -> str:
    """Run a program, or the commands of a shell; give what they print. One that fails fails the test."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        if example.language == "python":
            exec(compile(example.program, "<example>", "exec"), {"__name__": "__main__"})  # noqa: S102 - our own text
        else:
            for typed in example.program.splitlines():
                run(typed)
    return out.getvalue()


def run(typed: str) -> None:
    """Run one command as it is typed; an environment of its own would take a second each."""
    name, *arguments = shlex.split(typed, comments=True)
    assert "stanchion" == name
    with pytest.raises(SystemExit) as ended:
        build()(arguments)
    assert 0 == ended.value.code, typed


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.asyncio(loop_scope="session")
async def test_the_examples_do_what_is_said(
    name: str,
    home: Path,
    line: Supervisor,  # noqa: ARG001 - the line is up
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every program runs as it stands, and its output is, to the letter, the one that stands below it."""
    for variable, value in (("HOME", str(home)), ("WORKSPACE", name)):
        monkeypatch.setenv(f"STANCHION_{variable}", value)
    monkeypatch.chdir(tmp_path)
    found = list(examples(TEXTS[name]))
    assert {"python", "sh"} == {each.language for each in found}
    for example in found:
        said = await asyncio.to_thread(printed, example)
        if example.prints is not None:
            assert plain(example.prints) == plain(said), example.program


def plain(text: str) -> list[str]:
    """Give the lines of an output without space at their ends."""
    return [each.rstrip() for each in text.rstrip().splitlines()]
