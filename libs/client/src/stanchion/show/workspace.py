"""How a workspace's settings look, and its vocabulary as YAML."""

import json
from collections.abc import Mapping
from typing import Any, Final

from rich.text import Text

from stanchion.results import WorkspaceSettings
from stanchion.show.text import BAD, DIM, STRONG, line, lines, one_line, pad, plural
from stanchion.yaml_lines import yaml_lines
from stanchion_core.base_vocabulary import base_text, base_vocabulary
from stanchion_core.vocabulary_text import json_text

_NAME: Final = 15  # cells of the first column


def render(settings: WorkspaceSettings, workspace: str, where: str = "") -> Text:
    """Give how a workspace works.

    Args:
        settings: its own.
        workspace: its name.
        where: what the next command needs to be about the same workspace.
    """
    agents = "only propose; a person publishes what they write" if settings.approval_only else "write by themselves"
    name = "the one that ships" if is_base(settings.vocabulary) else str(settings.vocabulary.get("name", ""))
    parts = [
        line((one_line(workspace), STRONG), (f"  settings version {settings.version}", DIM)),
        _row("agents", agents),
        _row("vocabulary", one_line(name)),
        _row("kinds", one_line(", ".join(settings.vocabulary.get("kinds", ())))),
        _row("links", one_line(", ".join(settings.vocabulary.get("links", ())))),
    ]
    if settings.open_proposals:
        waits = "waits" if settings.open_proposals == 1 else "wait"
        said = f"{plural(settings.open_proposals, 'proposal')} {waits} for a person: stanchion review{where}"
        parts.append(_row("review", said, BAD))
    return lines(parts)


def vocabulary(plain: Mapping[str, Any]) -> str:
    """Give a vocabulary as YAML; the one that ships with its comments."""
    return base_text() if is_base(plain) else "\n".join(yaml_lines(plain)) + "\n"


def is_base(plain: Mapping[str, Any]) -> bool:
    """Tell whether a vocabulary is the one that ships."""
    shipped: object = json.loads(json_text(base_vocabulary()))
    return plain == shipped


def _row(name: str, text: str, style: str = "") -> Text:
    """Give one fact."""
    return line((pad(name, _NAME), DIM), (text, style))
