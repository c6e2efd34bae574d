"""The line is visible: the register, the services' wiring and the documents say the same."""

import re
from pathlib import Path

import line

ROOT = Path(__file__).resolve().parents[2]


def test_architecture_page_has_the_line_of_the_register() -> None:
    """The table in docs/architecture.md is the one `make line` prints."""
    page = (ROOT / "docs/architecture.md").read_text()
    shown = re.search(r"<!-- line -->\n(.*?)\n<!-- /line -->", page, re.DOTALL)
    assert shown is not None
    assert line.table() == shown[1]
