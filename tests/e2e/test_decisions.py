"""The main job on real input: a team's decision folder, change by change, and what stands at six times on the way."""

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stanchion import Client
from stanchion.results import Record
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_local.settings import LocalSettings
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.settings import KafkaSettings
from support.corpora import corpus

WORKSPACE = "govuk"
# The oracle's words, and the words records have for them.
STATUS = {
    "accepted": "active",
    "partly superseded": "active",
    "superseded": "superseded",
    "pending": "draft",
    "proposed": "draft",
}
Connect = Callable[..., Client]


def change_event(change: dict[str, Any]) -> Outgoing:
    """Give one line of the history as an upstream system would publish it: a CloudEvent, structured."""
    data = {
        "uri": change["path"],
        "revision": change["commit"],
        "author": change["author"],
        "revised_at": change["time"],
    }
    data |= {"former_uri": change["from"]} if "from" in change else {}
    data |= {"text": change["text"]} if "text" in change else {"deleted": True}
    event = {
        "specversion": "1.0",
        "id": f"{change['commit']}:{change['path']}",
        "source": "git:govuk-aws",
        "type": "stanchion.document.revised.v1",
        "time": change["time"],
        "workspace": WORKSPACE,
        "datacontenttype": "application/json",
        "data": data,
    }
    headers = (("content-type", b"application/cloudevents+json; charset=utf-8"),)
    return Outgoing(value=json.dumps(event).encode(), headers=headers)


@pytest.fixture(scope="module")
def history() -> list[dict[str, Any]]:
    """110 changes by 66 commits."""
    lines = (corpus("adr-govuk-aws") / "history.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def oracle() -> list[dict[str, Any]]:
    """What a careful reader finds in the folder at five times and as it ends, oldest first."""
    found = json.loads((corpus("adr-govuk-aws") / "oracle.json").read_text())
    return [*found["at"], found["final"]]


async def live(client: Client) -> dict[str, Record]:
    """Give the decisions that are there, by where their document lives."""
    return {
        record.upstream.uri: record
        async for record in client.query(workspace=WORKSPACE, kinds=["decision"], min_seq=1)
        if record.upstream is not None
    }


def revisions_of(records: dict[str, Record]) -> dict[str, str]:
    """Give the revision each document stands at."""
    return {uri: record.upstream.revision for uri, record in records.items() if record.upstream}


async def until_there(client: Client, revisions: dict[str, str]) -> dict[str, Record]:
    """Wait until each document stands at its last revision, and no other is left."""
    records: dict[str, Record] = {}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(60):
            while revisions_of(records) != revisions:
                await asyncio.sleep(0.3)
                records = await live(client)
    assert revisions_of(records) == revisions
    return records


@pytest.mark.timeout(240)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_folders_history_stands_at_six_times_as_a_careful_reader_finds(
    history: list[dict[str, Any]], oracle: list[dict[str, Any]], local: LocalSettings, connect: Connect
) -> None:
    """Change events put into the inbox become decisions with the statuses, titles and edges of each time."""
    revisions: dict[str, str] = {}
    told = 0
    async with connect() as client, KafkaLog(KafkaSettings(bootstrap=local.bootstrap), "upstream") as log:
        for state in oracle:
            line = state["after_history_line"]
            batch = [change_event(change) for change in history[told:line]]
            await log.append("inbox", partition_of(WORKSPACE, PARTITIONS), batch)
            for change in history[told:line]:
                _revise(revisions, change)
            told = line
            check(state, await until_there(client, revisions))
    assert len(history) == told


def _revise(revisions: dict[str, str], change: dict[str, Any]) -> None:
    """Keep which revision each document of the folder stands at."""
    revisions.pop(change.get("from", ""), None)
    revisions[change["path"]] = change["commit"]
    if change["change"] == "deleted":
        del revisions[change["path"]]


def check(state: dict[str, Any], records: dict[str, Record]) -> None:
    """Compare what is read with what a careful reader found."""
    assert Counter(state["statuses"]) == Counter(_word(record) for record in records.values())
    expected = {row["path"]: STATUS[row["status"]] for row in state["records"]}
    assert expected == {uri: record.status for uri, record in records.items()}
    assert {row["path"]: row["title"] for row in state["records"]} == {
        uri: record.label for uri, record in records.items()
    }
    assert _oracle_edges(state) == _edges(records)
    dangling = {edge["old_path"] for edge in state["edges"] if edge["new_path"] is None}
    assert dangling == {uri for uri, record in records.items() if record.upstream and record.upstream.unresolved}
    over = {edge["old_path"]: Path(edge["new_path"]).stem for edge in state["edges"] if _whole(edge)}
    stem = {record.id: Path(uri).stem for uri, record in records.items()}
    assert {uri: [new] for uri, new in over.items()} == {
        uri: [stem[one] for one in record.superseded_by] for uri, record in records.items() if record.superseded_by
    }


def _whole(edge: dict[str, Any]) -> bool:
    """Tell whether an edge is a supersession, and not in part only."""
    return edge["kind"] == "supersedes" and not edge["partial"]


def _word(record: Record) -> str:
    """Give the text's own word for a record's status, as the oracle normalises it."""
    assert record.upstream is not None
    word = record.upstream.status.lower()
    for stem in ("partly superseded", "superseded", "accepted", "pending", "proposed"):
        if stem in word:
            return stem
    return {"approved": "accepted"}[word]


def _oracle_edges(state: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    """Give (link, new, old, stated by which end) for each edge whose both ends exist, by path."""
    end = {"new": "from", "old": "to", "both": "both"}
    return {
        (
            "replaces" if _whole(edge) else "amends",
            Path(edge["new_path"]).stem,
            Path(edge["old_path"]).stem,
            end[edge["stated_by"]],
        )
        for edge in state["edges"]
        if edge["new_path"] is not None
    }


def _edges(records: dict[str, Record]) -> set[tuple[str, str, str, str]]:
    """Give the same of the records' confirmed links."""
    stem = {record.id: Path(uri).stem for uri, record in records.items()}
    return {
        (link.name, stem[record.id], stem[link.to], link.stated_by)
        for record in records.values()
        for link in record.links
        if link.name in {"replaces", "amends"}
    }
