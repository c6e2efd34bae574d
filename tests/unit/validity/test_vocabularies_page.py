"""The worked example of docs/vocabularies.md, as it stands there."""

import re
from pathlib import Path

import pytest

from stanchion_core.errors import InvalidMessage
from stanchion_core.vocabulary_text import read
from stanchion_core.walk import Step
from support.validity import AGENT, Line, actions, refused, write

PAGE = Path(__file__).parents[3] / "docs" / "vocabularies.md"


def vocabulary() -> str:
    """Give the vocabulary of the page."""
    (found,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_example_is_true() -> None:
    """What the page says happens with its vocabulary happens."""
    line = Line("compliance")
    assert ["workspace.set"] == actions(line.set(vocabulary()))
    line.write(write("gdpr-30", "obligation", status="binding", label="Keep a record of processing"))
    log = write("processing-log", "control", status="in use", label="One log", links={"answers": ["gdpr-30"]})
    assert "" == refused(line.write(log))
    line.write(write("gdpr-30", status="lapsed"))
    (reason,) = line.read("processing-log").reasons
    assert ((Step("answers", "gdpr-30"),), "lapsed") == (reason.path, reason.change.to)
    assert ["proposal.opened"] == actions(line.write(write("c2", "control", status="planned"), actor=AGENT))
    other = write("c3", "control", status="in use", links={"replaces": ["processing-log"]})
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(other))
    assert "" == refused(line.write(other, write("processing-log", status="retired")))


def test_its_refusals_read_so() -> None:
    """The sentences that the page shows are those of the program."""
    line = Line("compliance")
    line.set(vocabulary())
    line.write(write("gdpr-30", "obligation", status="binding"), write("dora-6", "obligation"))
    line.write(*(write(f"pci-{number}", "obligation", status="binding") for number in range(3, 7)))
    line.write(*(write(one, links={"see": ["pci-3" if one != "pci-3" else "dora-6"]}) for one in line.workspace.held))
    in_use = line.set(vocabulary().replace("[proposed, binding", "[binding").replace("  see: {}\n", "")).refusal
    assert in_use is not None
    assert in_use.detail in PAGE.read_text(encoding="utf-8")
    with pytest.raises(InvalidMessage) as mistake:
        read(vocabulary().replace("[must, should]", "[must, must]"))
    assert f"`{mistake.value.detail}`" in PAGE.read_text(encoding="utf-8")
