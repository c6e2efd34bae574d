"""The decision records of a real project, at six times, against what was worked out by hand and from git."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from stanchion_contracts.claim import Import, LeftOut, Reference
from stanchion_contracts.observation import Document
from stanchion_core.uri import numbered
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from support.corpora import corpus

Oracle = dict[str, Any]
FORMS = mappings_of(None).forms
SAME_WORD = {"approved": "accepted"}


@cache
def oracle(folder: Path) -> list[Oracle]:
    """Give the six states that were worked out."""
    whole = json.loads((folder / "oracle.json").read_text())
    return [*whole["at"], whole["final"]]


@cache
def replayed(folder: Path) -> list[tuple[dict[str, Import], list[LeftOut]]]:
    """Give, at each of the six times, the records that the history's revisions make, by path, and what is left out."""
    states = {state["after_history_line"] for state in oracle(folder)}
    records: dict[str, Import] = {}
    left_out: list[LeftOut] = []
    at = []
    for line in (folder / "history.jsonl").read_text().splitlines():
        change = json.loads(line)
        read = read_document(
            FORMS,
            Document(
                uri=change["path"],
                former_uri=change.get("from", ""),
                deleted=change["change"] == "deleted",
                text=change.get("text", ""),
                revision=change["commit"],
                author=change["author"],
            ),
        )
        assert read.record is not None
        left_out += read.left_out
        records.pop(read.record.former_uri, None)
        records.pop(read.record.uri, None)
        if not read.record.deleted:
            records[read.record.uri] = read.record
        if change["n"] in states:
            at.append((dict(records), list(left_out)))
    return at


@pytest.fixture(params=range(6))
def state(request: pytest.FixtureRequest) -> tuple[Oracle, dict[str, Import]]:
    """Give one of the six states and what we make of it."""
    folder = corpus("adr-govuk-aws")
    return oracle(folder)[request.param], replayed(folder)[request.param][0]


def field(record: Import, name: str) -> str:
    """Give a field's text."""
    return next((json.loads(field.value) for field in record.fields if field.name == name), "")


def number_of(target: str) -> int:
    """Give the number a target's file name begins with."""
    return int(numbered(target).rpartition("#")[2])


def test_records(state: tuple[Oracle, dict[str, Import]]) -> None:
    """Titles, dates and statuses are the texts' own, and nothing is a record that is none."""
    truth, records = state
    expected = {row["path"]: (row["title"], row["date"], row["status"]) for row in truth["records"]}
    found = {
        path: (
            record.label,
            field(record, "decided_on"),
            SAME_WORD.get(word := field(record, "upstream_status").casefold(), word),
        )
        for path, record in records.items()
    }
    assert expected == found


def test_statuses_in_our_words(state: tuple[Oracle, dict[str, Import]]) -> None:
    """Accepted is active, pending and proposed are drafts, superseded in part is still in force."""
    truth, records = state
    ours = {"accepted": "active", "pending": "draft", "proposed": "draft", "superseded": "superseded"}
    expected = {row["path"]: ours.get(row["status"], "active") for row in truth["records"]}
    assert expected == {path: field(record, "status") for path, record in records.items()}


def test_references(state: tuple[Oracle, dict[str, Import]]) -> None:
    """Each record says of others what its own text says, in part where it says so, and nothing more."""
    truth, records = state

    def relation(ref: Reference) -> tuple[str, int, bool]:
        name = "supersedes" if ref.partial or ref.name == "replaces" else ref.name
        passive = {"supersedes": "superseded_by", "amends": "amended_by"}
        return (passive[name] if ref.direction == "in" else name), number_of(ref.target), ref.partial

    names = ("supersedes", "superseded_by", "amends", "amended_by")
    expected = {
        row["path"]: sorted((name, number, row["partial"]) for name in names for number in row[name])
        for row in truth["records"]
    }
    assert expected == {path: sorted(map(relation, record.references)) for path, record in records.items()}


def test_edges(state: tuple[Oracle, dict[str, Import]]) -> None:
    """The edges between records, and which end states them, are those found by hand, dangling ones included."""
    truth, records = state
    stated: dict[tuple[str, str, str], set[str]] = {}
    for path, record in records.items():
        for ref in record.references:
            kind = "supersedes" if ref.partial or ref.name == "replaces" else ref.name
            new, old = (path, ref.target) if ref.direction == "out" else (ref.target, path)
            stated.setdefault((kind, new, old), set()).add("new" if ref.direction == "out" else "old")
    expected = {
        (edge["kind"], edge["new_path"], edge["old_path"]): {"new", "old"}
        if edge["stated_by"] == "both"
        else {edge["stated_by"]}
        for edge in truth["edges"]
    }
    found = {(kind, new if new in records else None, old): ends for (kind, new, old), ends in stated.items()}
    assert expected == found


def test_ids_can_be_typed(state: tuple[Oracle, dict[str, Import]]) -> None:
    """Each record's id is its file's name, and no two share one."""
    _, records = state
    assert {Path(path).stem for path in records} == {record.record_id for record in records.values()}


def test_nothing_is_left_out() -> None:
    """On these texts the mapping places everything it meets."""
    assert [[]] * 6 == [left_out for _, left_out in replayed(corpus("adr-govuk-aws"))]
