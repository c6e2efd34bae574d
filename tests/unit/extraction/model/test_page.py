"""docs/model-extraction.md says what there is."""

import re
from pathlib import Path

from stanchion_extraction.model.settings import ModelSettings
from stanchion_runtime.metrics import Metrics

PAGE = (Path(__file__).parents[4] / "docs" / "model-extraction.md").read_text()


def test_every_setting_is_on_the_page() -> None:
    """The table has each setting, and no other."""
    table = PAGE.split("## Settings")[1].split("Kafka:")[0]
    named = {
        name for line in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", line)
    }
    assert {name.upper() for name in ModelSettings.model_fields} == named


def test_every_metric_on_the_page_is_one() -> None:
    """Whoever copies a name into a rule gets figures."""
    shown = Metrics().text().decode()
    named = re.findall(r"^\| `(stanchion_\w+?)(?:_total)?` \|", PAGE, re.MULTILINE)
    assert len(named) == 7
    assert [] == [name for name in named if f"# TYPE {name}" not in shown]
