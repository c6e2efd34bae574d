"""What the rules find in labelled texts, in the words of the corpus's own scorer, and that scorer."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from stanchion_contracts.value import Path as Way
from stanchion_contracts.value import Value
from stanchion_extraction.core.prose.found import FoundClaim
from stanchion_extraction.core.prose.reader import read

_WAYS: Final[dict[str, tuple[Way, str]]] = {
    "tool_result": ("tool-result", "measurement"),
    "user_message": ("user-message", "user-assertion"),
    "agent_output": ("agent-output", "inference"),
    "explicit_add": ("explicit-add", "inference"),
}

Row = dict[str, Any]


def scorer(folder: Path) -> ModuleType:
    """Give the corpus's `score.py` as a module."""
    spec = importlib.util.spec_from_file_location("firewall_score", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_of(path: Path) -> list[Row]:
    """Give the labelled texts of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def predicted(row: Row) -> Row:
    """Give what is found in one labelled text; a preference counts as a goal, for the labels know only two kinds."""
    way, evidence = _WAYS[row["path"]]
    found = read(row["text"], way)
    return {
        "id": row["id"],
        "contributions": [_claim(claim, row.get("add") or {}, evidence) for claim in found.claims],
        "intents": [
            {
                "kind": "goal" if intent.kind == "preference" else intent.kind,
                "holder": intent.holder or None,
                "gist": intent.gist,
            }
            for intent in found.intents
        ],
    }


def _claim(claim: FoundClaim, add: Row, evidence: str) -> Row:
    """Give one claim with the evidence its path gives it."""
    if "source" in add or (claim.source and evidence == "measurement"):
        evidence = "citation"
    return {
        "subject": claim.subject,
        "predicate": claim.predicate,
        "value": _value(claim.value),
        "polarity": claim.positive,
        "source": add.get("source") or claim.source or None,
        "evidence": add.get("evidence") or add.get("type") or evidence,
    }


def _value(value: Value) -> Row:
    """Give a value as the labels write it."""
    made: Row = {"type": value.type, "value": value.text, "unit": value.unit or None, "op": value.op or None}
    if value.type == "boolean":
        made["value"] = value.text == "true"
    elif value.type == "range":
        money = len(value.unit) == 3 and value.unit.isupper()
        made["type"] = "money" if money else "percent" if value.unit == "%" else "number"
        made["value"] = [float(end) for end in value.text.split("..")]
    elif value.type not in {"date", "string"}:
        made["value"] = float(value.text)
    return made
