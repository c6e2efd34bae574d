"""A claim's typed value, and the words of evidence."""

from typing import Literal

from msgspec import Struct

ValueType = Literal["boolean", "number", "money", "percent", "duration", "date", "range", "string"]
Evidence = Literal["measurement", "citation", "expert-judgment", "user-assertion", "inference", "assumption"]
Path = Literal["tool-result", "user-message", "agent-output", "explicit-add", "document-revision", "system-event"]


class Value(Struct, frozen=True, kw_only=True, order=True):
    """One value of one claim; two values are the same exactly when all four parts are equal.

    Attributes:
        type: what kind of value.
        text: its canonical text: `true`, `5000000000`, `2026-03`, `3..5`, or the string itself.
        unit: the canonical unit or ISO 4217 code, empty where there is none.
        op: `~`, `<`, `<=`, `>`, `>=`, or empty for exactly.
    """

    type: ValueType
    text: str
    unit: str = ""
    op: str = ""
