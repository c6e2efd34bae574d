"""A large set of real proposals, through the whole line: what it says of itself, one-sided and broken as it is."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final

import pytest
import pytest_asyncio

from stanchion import Client, StanchionError
from stanchion.proposals import Proposal
from stanchion.results import Record
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_local.settings import LocalSettings
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.settings import KafkaSettings
from support.keps import Row, markdown_of, oracle, proposals, rows, text_of

Connect = Callable[..., Client]
Edges = dict[tuple[str, str], str]
"""Which end states an edge, by the paths of its ends."""

AS_IT_IS, WITH_RENAMES = "keps", "keps-with-renames"
UNKNOWN: Final = {
    "deferred",
    "removed",
    "implemented (alpha)",
    "imlpemented",
    "provisional|implementable|implemented|deferred|rejected|withdrawn|replaced",
}
"""Status words that mean none of ours."""
STATUS: Final = {
    "provisional": "draft",
    "implementable": "active",
    "implemented": "active",
    "withdrawn": "withdrawn",
    "rejected": "rejected",
    "replaced": "superseded",
    "superseded": "superseded",
    **dict.fromkeys(UNKNOWN, "draft"),
}
LINK_OF: Final = {"see-also": "relates_to", "replaces": "replaces", "superseded-by": "replaces"}
END: Final = {"from": "new", "to": "old", "both": "both"}
"""Of a link `replaces`: which record the end is."""


def revision(workspace: str, uri: str, text: str, former_uri: str = "") -> Outgoing:
    """Give a revision of a document as an upstream system would publish it: a CloudEvent, structured."""
    event = {
        "specversion": "1.0",
        "id": f"{former_uri}>{uri}",
        "source": "git:enhancements",
        "type": "stanchion.document.revised.v1",
        "workspace": workspace,
        "data": {"uri": uri, "former_uri": former_uri, "text": text, "revision": oracle()["commit"], "author": "sig"},
    }
    headers = (("content-type", b"application/cloudevents+json; charset=utf-8"),)
    return Outgoing(value=json.dumps(event).encode(), headers=headers)


def former_paths() -> dict[str, list[str]]:
    """Give where the files lived that others still look for there, by where they live now."""
    found: dict[str, dict[str, None]] = {}
    for row in oracle()["through_a_former_path"]:
        path = re.sub(r"^.*?(?=keps/)|^/|(?<=\.md)\)$", "", row["ref"], count=2)
        there = path if path.startswith("keps/") else f"{row['from'].rsplit('/', 2)[0]}/{path}"
        found.setdefault(row["to"], {})[there] = None
    return {now: list(before) for now, before in found.items()}


def looking() -> set[str]:
    """Give the files that look for another at a former path, and those they look for."""
    return {row[end] for row in oracle()["through_a_former_path"] for end in ("from", "to")}


def moved(row: Row, before: Iterable[str]) -> list[Outgoing]:
    """Give a proposal's way as git shows it: markdown at each place it had, then a README beside a new kep.yaml."""
    events, was = [], ""
    for path in before:
        events.append(revision(WITH_RENAMES, path, markdown_of(row), was))
        was = path
    if was:
        events.append(revision(WITH_RENAMES, f"{row['dir']}/README.md", f"# {row['title']}\n", was))
    return [*events, revision(WITH_RENAMES, row["path"], text_of(row))]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def client(local: LocalSettings, connect: Connect) -> AsyncIterator[Client]:
    """A client, once both workspaces have everything: the set as it is, and with the renames that git knows."""
    renamed, ends = former_paths(), looking()
    published = {
        AS_IT_IS: [revision(AS_IT_IS, row["path"], text_of(row)) for row in rows()],
        WITH_RENAMES: [
            event for row in proposals() if row["path"] in ends for event in moved(row, renamed.get(row["path"], ()))
        ],
    }
    async with KafkaLog(KafkaSettings(bootstrap=local.bootstrap), "upstream") as log:
        for workspace, events in published.items():
            last = revision(workspace, "docs/adr/0001-last.md", "# 1. Last\n\n## Status\n\nAccepted\n")
            await log.append("inbox", partition_of(workspace, PARTITIONS), [*events, last])
    async with connect() as reader:
        for workspace in published:
            await until_there(reader, workspace)
        yield reader


async def until_there(client: Client, workspace: str) -> None:
    """Wait for the last document; one workspace's come in order."""
    async with asyncio.timeout(60):
        while True:
            try:
                await client.get_record("0001-last", workspace=workspace, min_seq=0)
            except StanchionError:
                await asyncio.sleep(0.2)
            else:
                return


async def live(client: Client, workspace: str) -> dict[str, Record]:
    """Give the proposals that are there, by where they live."""
    return {
        record.upstream.uri: record
        async for record in client.query(workspace=workspace, min_seq=1)
        if record.upstream is not None and record.id != "0001-last"
    }


def links(records: dict[str, Record], name: str) -> Edges:
    """Give the links of a name, by path."""
    path = {record.id: uri for uri, record in records.items()}
    return {
        (uri, path[link.to]): link.stated_by
        for uri, record in records.items()
        for link in record.links
        if link.name == name
    }


async def claims(client: Client, workspace: str, records: dict[str, Record]) -> Edges:
    """Give the supersessions that wait for a person, by path."""
    path = {record.id: uri for uri, record in records.items()}
    found: Edges = {}
    async for listed in client.proposals(workspace=workspace, min_seq=0):
        proposal = await client.proposal(listed.id, workspace=workspace, min_seq=0)
        assert "import_refused" == proposal.why
        (old,) = (write for write in proposal.writes if any(part.part == "field:status" for part in write.parts))
        for by, link in _replacing(proposal):
            if link["to"] == old.record_id:
                found[path[by], path[link["to"]]] = link.get("stated_by", "from")
    return found


def _replacing(proposal: Proposal) -> Iterable[tuple[str, dict[str, Any]]]:
    """Give the links that a proposal would write, with the record of each."""
    for write in proposal.writes:
        for part in write.parts:
            if part.part == "link:replaces":
                yield from ((write.record_id, link) for link in part.after)


def unresolved_of(records: dict[str, Record]) -> Counter[tuple[str, str, str]]:
    """Count the references that find nothing, by path, link and kind: what speaks of a proposal is missing."""
    return Counter(
        (uri, name, "missing" if "keps/" in target else "external")
        for uri, record in records.items()
        if record.upstream
        for name, target in (reference.split(" ", 1) for reference in record.upstream.unresolved)
    )


def truly_unresolved() -> Counter[tuple[str, str, str]]:
    """Count the same as the oracle has it."""
    kinds = {key: key.split(":") for key in oracle()["unresolved"]}
    return Counter(
        (row["path"], LINK_OF[field], kind)
        for key, (field, kind) in kinds.items()
        for row in oracle()["unresolved"][key]
        if kind in {"missing", "external"}
    )


def paths(edges: Iterable[dict[str, Any]], *ends: str) -> set[tuple[Any, ...]]:
    """Give the oracle's rows as tuples of some of their values."""
    return {tuple(edge[end] for end in ends) for edge in edges}


@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_the_set_as_it_is(client: Client) -> None:
    """679 files are 654 decisions with the statuses and edges that the texts state, and nothing made up."""
    records = await live(client, AS_IT_IS)
    truth = oracle()
    assert {row["path"]: (row["title"], row["status"], STATUS[row["status"]]) for row in proposals()} == {
        uri: (record.label, record.upstream.status, record.status) for uri, record in records.items() if record.upstream
    }
    assert truth["status_as_written"] == Counter(row.upstream.status for row in records.values() if row.upstream)
    see_also = links(records, "relates_to")
    assert (truth["see_also_edges"], truth["see_also_mutual_pairs"]) == (
        len(see_also),
        sum((new, old) in see_also for old, new in see_also) / 2,
    )
    assert {"from"} == set(see_also.values())
    dead = paths(truth["live_with_see_also_to_a_dead_record"], "live", "dead")
    assert dead <= see_also.keys()
    assert {"current"} == {record.validity.state for record in records.values() if record.validity}


@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_supersessions_stated_by_one_side(client: Client) -> None:
    """Nine edges, each stated by one end: where both are in force it waits in Review, and the old one says so."""
    records = await live(client, AS_IT_IS)
    waiting = await claims(client, AS_IT_IS, records)
    landed = links(records, "replaces")
    truth = {(edge["new"], edge["old"]): edge["stated_by"] for edge in oracle()["supersession_edges"]}
    assert truth == {ends: END[by] for ends, by in (landed | waiting).items()}
    in_force = {uri for uri, record in records.items() if record.status == "active"}
    assert {ends for ends in truth if set(ends) <= in_force} == waiting.keys()
    assert landed.keys() == truth.keys() - waiting.keys()
    for new, old in truth:
        told = records[old].replacement_claimed_by if old in in_force else records[old].superseded_by
        assert records[new].id in told
    named = {records[old].id for _, old in truth if old not in in_force}
    assert named == {record.id for record in records.values() if record.superseded_by}


@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_what_points_nowhere_is_said(client: Client) -> None:
    """References that find nothing wait under their names; what means nothing is none; what is odd is told."""
    records = await live(client, AS_IT_IS)
    assert truly_unresolved() == unresolved_of(records)
    told = {
        (uri, *sentence.split(": ", 1))
        for uri, record in records.items()
        if record.upstream
        for sentence in record.upstream.left_out
    }
    unknown = {(row["path"], row["status"]) for row in proposals() if row["status"] in UNKNOWN}
    comments = {(row["path"], f"# {text}") for row in proposals() for text in row.get("yaml_comments", {}).values()}
    examples = {(row["path"], row["ref"]) for row in oracle()["unresolved"]["replaces:template"]}
    assert unknown | comments | examples == {(uri, what.rsplit(": ", 1)[0]) for uri, _, what in told}
    (itself,) = oracle()["self_references"]
    assert records[itself["path"]].id not in {link.to for link in records[itself["path"]].links}


@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_former_paths(client: Client) -> None:
    """Where the renames are known, what points at a former path finds its record; two ends may state one link."""
    records = await live(client, WITH_RENAMES)
    truth = oracle()["through_a_former_path"]
    assert looking() == records.keys()
    assert former_paths() == {
        uri: list(record.upstream.former_uris)
        for uri, record in records.items()
        if record.upstream and record.upstream.former_uris
    }
    found = {(row["from"], row["to"]) for row in truth if row["field"] == "see-also" and not row.get("itself")}
    assert found <= links(records, "relates_to").keys()
    stated = links(records, "replaces") | await claims(client, WITH_RENAMES, records)
    expected = {(edge["new"], edge["old"]): edge["stated_by"] for edge in oracle()["supersession_edges"]}
    for row in oracle()["supersessions_through_a_former_path"]:  # it is the new one that says so
        ends = (row["new"], row["old"])
        expected[ends] = "both" if ends in expected else "new"
    there = {ends: by for ends, by in expected.items() if set(ends) <= records.keys()}
    assert there == {ends: END[by] for ends, by in stated.items()}
    missing = Counter({
        key: count for key, count in truly_unresolved().items() if key[0] in records and key[2] == "missing"
    })
    still = missing - Counter((row["from"], LINK_OF[row["field"]], "missing") for row in truth)
    assert still <= unresolved_of(records)
