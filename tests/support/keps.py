"""The Kubernetes enhancement proposals of the corpus: each line as the kep.yaml it came from, and what is true."""

import json
from functools import cache
from typing import Any, ClassVar, Final

import yaml

from support.corpora import corpus

Row = dict[str, Any]
_ADDED: Final = frozenset({"path", "kind", "sig", "dir", "yaml_comments"})
"""What the corpus says about a line beside the fields of its file."""


class _Plain(yaml.SafeDumper):  # type: ignore[misc]  # yaml has no types
    """Writes texts as the authors did: without quotes where YAML does not need them to be texts for us."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


@cache
def rows() -> tuple[Row, ...]:
    """Give the lines of the corpus: 654 proposals, two templates, 23 files of test data."""
    lines = (corpus("kep-enhancements") / "keps.jsonl").read_text().splitlines()
    return tuple(json.loads(line) for line in lines)


def proposals() -> tuple[Row, ...]:
    """Give the 654 proposals."""
    return tuple(row for row in rows() if row["kind"] == "kep")


@cache
def oracle() -> dict[str, Any]:
    """Give what is true of the proposals."""
    found: dict[str, Any] = json.loads((corpus("kep-enhancements") / "oracle.json").read_text())
    return found


def text_of(row: Row) -> str:
    """Give the kep.yaml that a line came from, with the comments that the corpus keeps."""
    fields = {key: value for key, value in row.items() if key not in _ADDED}
    text: str = yaml.dump(fields, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=10_000)
    for key, comment in row.get("yaml_comments", {}).items():
        before, _, after = text.partition(f"\n{key}: ")
        value, _, rest = after.partition("\n")
        text = f"{before}\n{key}: {value} # {comment}\n{rest}"
    return text


def markdown_of(row: Row) -> str:
    """Give a proposal in the form before kep.yaml: markdown with the same as front matter."""
    return f"---\n{text_of(row)}---\n\n# {row['title']}\n"
