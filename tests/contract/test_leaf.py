"""What a Merkle tree commits to never changes its form."""

import json
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
FIELDS = [
    ("workspace", "string"),
    ("seq", "long"),
    ("recorded_at_us", "long"),
    ("actor_kind", "string"),
    ("actor_id", "string"),
    ("on_behalf_of", "string"),
    ("action", "string"),
    ("subject_kind", "string"),
    ("subject_id", "string"),
    ("origin", "string"),
    ("payload_digest", "bytes"),
]


def bare(kind: Any) -> str:  # noqa: ANN401 - a part of a schema
    """Give a primitive's name, whatever is said about its meaning."""
    return kind if isinstance(kind, str) else str(kind["type"])


def shape(schema: dict[str, Any]) -> list[tuple[str, str]]:
    """Give what decides the bytes of a record of primitives."""
    return [(field["name"], bare(field["type"])) for field in schema["fields"]]


def test_an_entry_has_one_schema_for_ever() -> None:
    """A second version of `entries` would break every signed root: what is new goes into the payload."""
    assert ["v1.avsc"] == [path.name for path in sorted((SCHEMAS / "entries").glob("v*.avsc"))]
    assert FIELDS == shape(json.loads((SCHEMAS / "entries" / "v1.avsc").read_text()))


def test_the_ledger_carries_the_same_entry() -> None:
    """In every version of `ledger` an entry has the fields of the leaf, in their order."""
    for path in (SCHEMAS / "ledger").glob("v*.avsc"):
        fields = {field["name"]: field for field in json.loads(path.read_text())["fields"]}
        assert FIELDS == shape(fields["entries"]["type"]["items"])
