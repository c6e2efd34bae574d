"""The reasons that services refuse with are those of the contracts."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from stanchion_runtime.refused import CODES, spoken

ROOT = Path(__file__).resolve().parents[2]
REFUSING = {"InvalidMessage", "Refusal", "Refused", "refuse"}
REASON = re.compile(r"[A-Z]+(?:_[A-Z]+)*")


def reasons(tree: ast.AST) -> Iterator[str]:
    """Give the reasons that stand in calls that refuse, as a text or as the constant of the same name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in REFUSING:
            continue
        given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg in {"reason", "code"})]
        for each in given:
            reason = each.value if isinstance(each, ast.Constant) else getattr(each, "id", "")
            if isinstance(reason, str) and REASON.fullmatch(reason):
                yield reason


def test_every_reason_has_a_code() -> None:
    """A reason that no code belongs to would reach its caller as a failed precondition, whatever it means."""
    found = {
        reason: path.relative_to(ROOT)
        for folder in ("libs/core", "libs/contracts", "libs/runtime", "services")
        for path in sorted((ROOT / folder).rglob("src/**/*.py"))
        if "generated" not in path.parts
        for reason in reasons(ast.parse(path.read_text()))
    }
    assert {"FIELD_VALUE", "HALF_WRITTEN_REVERSAL", "VERSION_CONFLICT", "OVERLOADED"} <= found.keys()
    assert {} == {reason: path for reason, path in found.items() if spoken(reason) not in CODES}
