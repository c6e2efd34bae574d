"""The conditions of docs/hypotheses.md, as they stand there."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from stanchion_contracts.value import Value, ValueType
from stanchion_core.condition import MOST_VACUITY, OPEN_BELOW, SUPPORTED_FROM, Operator, satisfies
from stanchion_validity.core.field_value import condition_of
from support.validity import Line, refused, write

PAGE = (Path(__file__).parents[3] / "docs" / "hypotheses.md").read_text(encoding="utf-8")
(CONDITIONS,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("example", "met", "unmet"),
    list(
        zip(
            CONDITIONS.splitlines(),
            [
                Value(type="boolean", text="true"),
                Value(type="string", text="postgres"),
                Value(type="duration", text="0.2", unit="s"),
                Value(type="money", text="1200000", unit="EUR"),
                Value(type="date", text="2026-06-30"),
                Value(type="number", text="4096", unit="MiB"),
            ],
            [
                Value(type="boolean", text="false"),
                Value(type="string", text="mysql"),
                Value(type="duration", text="1", unit="s"),
                Value(type="money", text="1200000", unit="USD"),
                Value(type="date", text="2026-07"),
                Value(type="range", text="4..6", unit="GiB"),
            ],
            strict=True,
        )
    ),
)
def test_the_examples_are_conditions(example: str, met: Value, unmet: Value) -> None:
    """Each is taken as it stands there, met by what should meet it and by nothing else."""
    line = Line()
    assert "" == refused(line.write(write("h", "hypothesis", condition=json.loads(example))))
    condition = condition_of(line.held("h").fields["condition"])
    assert (True, False) == (satisfies(met, condition), satisfies(unmet, condition))


def test_the_tables_are_whole() -> None:
    """Every operator, type of value and threshold stands there."""
    rows = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert {*get_args(Operator), *get_args(ValueType)} <= set(rows)
    said = {float(number) for number in re.findall(r"\b0\.\d\d\b", PAGE)}
    assert {SUPPORTED_FROM, MOST_VACUITY, OPEN_BELOW} == said
