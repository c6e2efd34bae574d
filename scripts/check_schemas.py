"""Check that every version of every Avro schema reads every other, and that the schema folders are whole.

Apache Avro's own checker misses changed logical types, so those are compared apart.
"""

import json
import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import avro.compatibility
import avro.schema

ROOT = Path(__file__).resolve().parent.parent


def logical_types(schema: Any, where: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - a JSON document
    """Give (path, logical type) of every place in a schema; the empty text where there is none."""
    if isinstance(schema, list):
        for branch in schema:
            yield from logical_types(branch, where)
    elif isinstance(schema, dict):
        if isinstance(schema["type"], str) and schema["type"] not in {"record", "array"}:
            yield where, schema.get("logicalType", "")
        for field in schema.get("fields", ()):
            yield from logical_types(field["type"], f"{where}.{field['name']}")
        if schema["type"] == "array":
            yield from logical_types(schema["items"], f"{where}[]")
    else:
        yield where, ""


def problems_between(reader: str, writer: str) -> list[str]:
    """Say why one schema cannot read what another wrote.

    Args:
        reader: schema text.
        writer: schema text.
    """
    checker = avro.compatibility.ReaderWriterCompatibilityChecker()  # type: ignore[no-untyped-call]  # avro has none
    result = checker.get_compatibility(avro.schema.parse(reader), avro.schema.parse(writer))
    problems = [] if result.compatibility.value == "compatible" else sorted(result.messages)
    old, new = set(logical_types(json.loads(writer))), set(logical_types(json.loads(reader)))
    old_places, new_places = {place for place, _ in old}, {place for place, _ in new}
    problems += [f"logical type changed at {p}" for p, _ in sorted(old ^ new) if p in old_places and p in new_places]
    return problems


def check_folder(folder: Path) -> list[str]:
    """Say what is wrong with one schema folder: gaps, missing examples, versions that cannot read each other."""
    versions = {int(path.stem[1:]): path for path in folder.glob("v*.avsc")}
    found = []
    if sorted(versions) != list(range(1, len(versions) + 1)):
        found.append(f"{folder.name}: versions {sorted(versions)} have a gap")
    for number, path in versions.items():
        found += [
            f"{folder.name}: v{number}{suffix} is missing (run `make pin`)"
            for suffix in (".json", ".hex")
            if not path.with_suffix(suffix).exists()
        ]
    for reader, writer in permutations(versions, 2):
        texts = versions[reader].read_text(), versions[writer].read_text()
        found += [f"{folder.name}: v{reader} cannot read v{writer}: {problem}" for problem in problems_between(*texts)]
    strays = [path.name for path in folder.iterdir() if not re.fullmatch(r"v\d+\.(avsc|json|hex)", path.name)]
    return found + [f"{folder.name}: nobody reads {name}" for name in strays]


def main() -> int:
    """Check every folder; 1 when something is wrong."""
    folders = sorted(path for path in (ROOT / "schemas").iterdir() if path.is_dir())
    found = [problem for folder in folders for problem in check_folder(folder)]
    print("\n".join(found) or f"{len(folders)} schemas: every version reads every other")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
