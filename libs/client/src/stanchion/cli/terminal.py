"""Where output goes: answers to stdout, everything else to stderr; text for people, JSON for machines."""

import os
import sys
from typing import Any, Final, Literal, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.text import Text

_PIPED: Final = 1_000  # cells: nothing says how wide the other end is, and a program there wants whole texts


class _Answers(Console):
    """The console of answers; rich itself would end the process with 1, which says `found` here."""

    def on_broken_pipe(self) -> None:
        """End the command: nobody reads on, so there is nothing more to say."""
        leave_unread()


def leave_unread() -> NoReturn:
    """End the command well, when nobody reads its answer on.

    Raises:
        Exit: always.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in its buffer goes nowhere
    raise typer.Exit(0)


def console() -> Console:
    """Give the console of answers."""
    return _Answers(
        highlight=False, markup=False, emoji=False, width=_width(sys.stdout.isatty()), color_system=styles()
    )


def beside() -> Console:
    """Give the console of everything that is no answer."""
    return Console(
        highlight=False,
        markup=False,
        emoji=False,
        stderr=True,
        width=_width(sys.stderr.isatty()),
        color_system=styles(),
    )


def styles() -> Literal["auto"] | None:
    """Give how a console styles text: not at all where NO_COLOR is set, for rich would keep bold and dim."""
    return None if os.environ.get("NO_COLOR") else "auto"


def say(text: Text) -> None:
    """Print an answer for a person; lines are never broken by us."""
    console().print(text, no_wrap=True, overflow="ignore", crop=False)


def note(text: str, style: str = "") -> None:
    """Print a word beside the answer."""
    beside().print(Text(text, style=style), no_wrap=True, overflow="ignore", crop=False)


def write_json(value: Any, *, indent: int = 2) -> None:  # noqa: ANN401 - whatever msgspec encodes
    """Print an answer for a machine.

    Args:
        value: a Struct, or plain values.
        indent: 0 for one line.
    """
    encoded = msgspec.json.encode(value)
    try:
        sys.stdout.write((msgspec.json.format(encoded, indent=indent) if indent else encoded).decode() + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        leave_unread()


def _width(terminal: bool) -> int | None:  # noqa: FBT001 - a fact about one stream
    """Give a width where rich would guess wrong."""
    return None if terminal or "COLUMNS" in os.environ else _PIPED
