"""The line is visible: the register, the services' wiring and the documents say the same."""

import re
from pathlib import Path

import pytest

import line
from stanchion_contracts.topics import REGISTER
from support.chaos import stages

ROOT = Path(__file__).resolve().parents[2]


def test_architecture_page_has_the_line_of_the_register() -> None:
    """The table in docs/architecture.md is the one `make line` prints."""
    page = (ROOT / "docs/architecture.md").read_text()
    shown = re.search(r"<!-- line -->\n(.*?)\n<!-- /line -->", page, re.DOTALL)
    assert shown is not None
    assert line.table() == shown[1]


@pytest.mark.parametrize("name", ["ingest", "extraction", "fusion", "validity", "audit"])
def test_each_stage_is_wired_as_the_register_says(name: str) -> None:
    """What an app.py consumes and emits is what topics.yaml has its service consume and produce."""
    stage = stages()[name]
    consumed = {key for key, topic in REGISTER.items() if name in topic.consumers}
    owned = {key for key, topic in REGISTER.items() if name in topic.producers and topic.kind == "owned"}
    assert (consumed, owned) == (set(stage.inputs), {stage.output})
    letters = name in REGISTER["deadletters"].producers
    assert letters == stage.dead_letters
