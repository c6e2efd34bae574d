"""A proposal's writes in a person's own editor; what cannot be read or is refused is not lost."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
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
    editor = _editor()
    text = edits.text_of(found)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", prefix="stanchion-", delete=False, encoding="utf-8") as file:
        file.write(text)
    draft = Path(file.name)
    while True:
        try:
            _open(editor, draft)
            edited = draft.read_text(encoding="utf-8")
            if edited == text and not found.outdated:
                draft.unlink()
                note("nothing was changed")
                raise typer.Exit(0)
            return Made(edit=edits.read(edited, found), draft=draft)
        except OSError as error:
            usage(f"{draft}, where your edit was, cannot be read: {error.strerror}")
        except ValueError as error:
            note(f"stanchion: {error}", "red")
            if not typer.confirm("Edit it again?", default=True, err=True):
                usage(f"your edit is kept in {draft}")


def _editor() -> list[str]:
    """Give the command of the person's editor; the command ends where there is none, or nobody to edit."""
    steps = "take it in two steps, stanchion review show ID --yaml > FILE and stanchion review edit ID FILE"
    try:
        editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError as error:
        usage(f"the editor that VISUAL or EDITOR names cannot be read: {str(error).lower()}; mend it, or {steps}")
    if not editor:
        usage(f"there is no editor here: set EDITOR, or {steps}")
    if not sys.stdin.isatty():
        usage(f"there is no terminal here for an editor: {steps}")
    return editor


def _open(editor: Sequence[str], draft: Path) -> None:
    """Open the editor, and wait until it is closed; the command ends where it fails."""
    kept = f"your edit is in {draft}"
    try:
        code = subprocess.run([*editor, str(draft)], check=False).returncode  # noqa: S603 - the person's own editor
    except OSError as error:
        usage(f"the editor {editor[0]} cannot be started: {error.strerror}; {kept}")
    if code:
        usage(f"the editor {editor[0]} failed with exit code {code}; {kept}")


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
