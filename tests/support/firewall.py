"""What extraction makes of labelled texts, in the words of the corpus's own scorer, and that scorer."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from stanchion_contracts.claim import Contribution
from stanchion_contracts.observation import Body, Observation, TextEvidence
from stanchion_contracts.value import Path as Way
from stanchion_contracts.value import Value
from stanchion_extraction.core.mapping import Mappings
from stanchion_extraction.handler import decider
from support.observations import observation

_WHO: Final = "somebody"
_DECIDE: Final = decider(Mappings())
_WAYS: Final[dict[str, Way]] = {
    "tool_result": "tool-result",
    "user_message": "user-message",
    "agent_output": "agent-output",
    "explicit_add": "explicit-add",
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


def observed(row: Row) -> Observation:
    """Give one labelled text as an observation of its path, with what the caller passed beside it."""
    add = row.get("add") or {}
    evidence = add.get("evidence") or add.get("type")
    how = TextEvidence(evidence=evidence) if evidence else None
    body = Body(text=row["text"], text_evidence=how)
    return observation(body, path=_WAYS[row["path"]], source=add.get("source") or _WHO, agent=_WHO)


def predicted(row: Row) -> Row:
    """Give what extraction makes of a labelled text; a preference counts as a goal, for labels know only two kinds."""
    claims = _DECIDE(None, observed(row))
    return {
        "id": row["id"],
        "contributions": [_claim(made) for made in claims.contributions],
        "intents": [
            {
                "kind": "goal" if intent.kind == "preference" else intent.kind,
                "holder": intent.holder or None,
                "gist": intent.gist,
            }
            for intent in claims.intents
        ],
    }


def _claim(made: Contribution) -> Row:
    """Give one contribution as the labels write it."""
    return {
        "subject": made.subject,
        "predicate": made.predicate,
        "value": _value(made.value),
        "polarity": made.positive,
        "source": None if made.source == _WHO else made.source,
        "evidence": made.evidence,
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
