"""A proposal's writes in a person's own editor; what cannot be read or is refused is not lost."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from msgspec import Struct

from stanchion import edit as edits
from stanchion.cli.session import usage
from stanchion.cli.terminal import note
from stanchion.errors import StanchionError
from stanchion.proposals import Proposal


class Made(Struct, frozen=True, kw_only=True):
    """An edit, and the file it was made in where that is ours."""

    edit: edits.Edit
    draft: Path | None = None


def read_edit(text: str, found: Proposal) -> Made:
    """Read an edit; one that cannot be read ends the command."""
    try:
        return Made(edit=edits.read(text, found))
    except ValueError as error:
        usage(str(error))


def in_editor(found: Proposal) -> Made:
    """Have the writes edited until they can be read.

    Raises:
        Exit: they were left as they are.
    """
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not editor or not sys.stdin.isatty():
        usage(
            "there is no editor here: set EDITOR, or take it in two steps, "
            "stanchion review show ID --yaml > FILE and stanchion review edit ID FILE"
        )
    text = edits.text_of(found)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", prefix="stanchion-", delete=False, encoding="utf-8") as file:
        file.write(text)
    draft = Path(file.name)
    while True:
        try:
            subprocess.run([*editor, str(draft)], check=True)  # noqa: S603 - the person's own editor
            edited = draft.read_text(encoding="utf-8")
            if edited == text and not found.outdated:
                draft.unlink()
                note("nothing was changed")
                raise typer.Exit(0)
            return Made(edit=edits.read(edited, found), draft=draft)
        except (OSError, subprocess.CalledProcessError) as error:
            usage(f"the editor failed: {error}; what there is of your edit is in {draft}")
        except ValueError as error:
            note(f"stanchion: {error}", "red")
            if not typer.confirm("Edit it again?", default=True, err=True):
                usage(f"your edit is kept in {draft}")


@contextmanager
def kept(made: Made, short: str) -> Iterator[None]:
    """Keep a draft that was refused, and say where; else take it away.

    Raises:
        StanchionError: it was refused.
    """
    try:
        yield
    except StanchionError:
        if made.draft is not None:
            note(f"your edit is kept: mend it, then stanchion review edit {short} {made.draft}")
        raise
    if made.draft is not None:
        made.draft.unlink()
