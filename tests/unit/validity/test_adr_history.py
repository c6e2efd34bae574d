"""A real folder of decisions, revision by revision, through extraction and validity."""

import datetime as dt
import json
from collections import Counter
from typing import Any

import pytest

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.meta import Meta
from stanchion_contracts.observation import Body, Document, Observation
from stanchion_extraction.app import mappings_of
from stanchion_extraction.handler import decider
from support.corpora import corpus
from support.validity import UPSTREAM, Line

TIMES = (29, 49, 58, 67, 107, 110)
WORDS = {"accepted": "active", "partly superseded": "active", "superseded": "superseded"}


def revision(line: dict[str, Any]) -> Observation:
    """Give one change of the history as ingest would observe it."""
    time_us = int(dt.datetime.fromisoformat(line["time"]).timestamp()) * 1_000_000
    document = Document(
        uri=line["path"],
        former_uri=line.get("from", ""),
        deleted=line["change"] == "deleted",
        text=line.get("text", ""),
        revision=line["commit"],
        author=line["author"],
    )
    name = f"obs_{line['n']:032x}"
    return Observation(
        meta=Meta(id=name, workspace="docs", time_us=time_us, seed=b"", origin=f"observation:{name}", actor=UPSTREAM),
        publisher="git",
        event_id=str(line["n"]),
        digest=b"",
        source="git",
        agent="git",
        path="document-revision",
        observed_at_us=time_us,
        body=Body(document=document),
    )


def states() -> dict[int, dict[str, Any]]:
    """Give the right answers at all six times, by the line of the history they follow."""
    oracle = json.loads((corpus("adr-govuk-aws") / "oracle.json").read_text())
    return {state["after_history_line"]: state for state in (*oracle["at"], oracle["final"])}


@pytest.fixture(scope="module")
def lines() -> dict[int, Line]:
    """Give the line as it stands at each of the six times."""
    decide, found = decider(mappings_of(None)), {}
    history = [json.loads(text) for text in (corpus("adr-govuk-aws") / "history.jsonl").read_text().splitlines()]
    for time in TIMES:
        line = Line()
        for change in history[:time]:
            claims = decide(None, revision(change))
            line.feed(Beliefs(meta=claims.meta, imports=claims.imports, left_out=claims.left_out))
        found[time] = line
    return found


@pytest.mark.parametrize("time", TIMES)
def test_statuses_and_edges_are_those_of_the_texts(lines: dict[int, Line], time: int) -> None:
    """At each time every file is one record with its text's status, and the links are those the texts state."""
    line, state = lines[time], states()[time]
    live = {held.upstream.uri: held for held in line.workspace.held.values() if held.upstream and not held.deleted}
    expected = {record["path"]: WORDS.get(record["status"], "draft") for record in state["records"]}
    assert expected == {uri: held.status for uri, held in live.items()}
    word = {uri: held.upstream.status.casefold() for uri, held in live.items() if held.upstream}
    assert {
        r["path"]: r["status_text"].split("[")[0].split(" by")[0].strip().casefold() for r in state["records"]
    } == word
    ids = {held.id: uri for uri, held in live.items()}
    sides = {"from": "new", "to": "old", "both": "both"}
    edges = {
        (link.name, uri, ids[link.to], sides[link.stated_by])
        for uri, held in live.items()
        for link in held.links
        if link.to in ids
    }
    assert edges == {
        (
            "replaces" if edge["kind"] == "supersedes" and not edge["partial"] else "amends",
            *ends(edge),
            edge["stated_by"],
        )
        for edge in state["edges"]
        if edge["new_path"] and edge["old_path"]
    }
    dangling = {edge["old_path"] for edge in state["edges"] if not edge["new_path"]}
    assert dangling == {held.upstream.uri for held in live.values() if held.upstream and held.upstream.unresolved}


def ends(edge: dict[str, Any]) -> tuple[str, str]:
    """Give where an edge begins and ends."""
    return edge["new_path"], edge["old_path"]


def test_moving_the_folder_reopens_and_counts_nothing(lines: dict[int, Line]) -> None:
    """37 renames with unchanged text are 37 renamed records: the same ids, versions and links, and nothing else."""
    before, after = lines[67], lines[107]
    moved = [change for output in after.outputs[70:107] for change in output.changes]
    assert {"record.renamed": 37} == Counter(change.action for change in moved)
    assert {held.id for held in before.workspace.held.values()} < set(after.workspace.held)
    assert all(not change.record.moves for change in moved if change.record)
    states = {record: after.read(record).state for record in after.workspace.held}
    assert states == {record: "current" for record in states}  # noqa: C420 - says what is expected of each
