"""The records page, row by row, over gRPC on the whole line: citations, what age does, dates, and words of texts."""

import asyncio
import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from stanchion.results import Value
from stanchion.writes import Claim, Event
from stanchion_contracts import codec
from stanchion_contracts.command import Command, WriteBatch
from stanchion_contracts.command import Write as Stored
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import HOUR_US, Body, Tick, own_request
from stanchion_contracts.record import Citation as StoredCitation
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_ingest.core.command import digest_of
from stanchion_local.settings import LocalSettings
from stanchion_runtime import clock
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.settings import KafkaSettings
from support.team import Team, cite, reasons, write

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

CLAIM = {"subject": "annual plan", "predicate": "share of revenue"}
CONDITION = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%", "op": ""}}
DAY_US = 86_400 * 1_000_000


# Citations


async def test_absent_reopens_who_cites_and_nobody_else(team: Team) -> None:
    """Each record that cites the quote is at risk, what rests on it is not; present clears nothing, a person does."""
    await team.write(
        write("a", "rule", evidence=[cite("u", "q", "v1")]),
        write("b", "rule", evidence=[cite("u", "q", "v0")]),
        write("c", "rule", evidence=[cite("u", "other")]),
        write("top", "rule", links={"exception_to": ["a"]}),
    )
    await team.report("u", absent=["q"], version="v2")
    states = [await team.state(one) for one in ("a", "b", "c", "top")]
    assert ["needs_review", "needs_review", "current", "current"] == states
    assert [("support_at_risk", "", "citation", "u", "absent")] == reasons(await team.read("a"))
    await team.report("u", present=["q"], version="v3")
    assert "needs_review" == await team.state("a")
    await team.affirm("a")
    assert ["current", "needs_review"] == [await team.state(one) for one in ("a", "b")]


@pytest.mark.parametrize(
    ("again", "state"),
    [
        (cite("u", "q", "v2"), "needs_review"),
        (cite("u", "q", "v3"), "current"),
        (cite("u", "another", "v2"), "current"),
    ],
)
async def test_cited_again(again: Any, state: str, team: Team) -> None:  # noqa: ANN401 - a citation
    """A quote that is present in the version read clears the risk; the version it was missed in does not."""
    await team.write(write("a", "rule", evidence=[cite("u", "q", "v1")]), by="agent")
    await team.report("u", absent=["q"], version="v2")
    await team.write(write("a", evidence=[again]), by="agent")
    assert state == await team.state("a")


async def test_silence_leaves_citations_behind(team: Team) -> None:
    """The new version has none, and validity goes on resting on the last explicit list; an empty list ends that."""
    await team.write(write("t", "document", body="one"), write("a", "rule", evidence=[cite("t")]), by="agent")
    await team.write(write("a", owner="Ada"), by="agent")
    await team.write(write("t", body="two"), by="agent")
    silent = await team.read("a")
    await team.write(write("a", evidence=[]), by="agent")
    assert ((), True) == (silent.evidence, silent.needs_review)
    assert "current" == await team.state("a")


# Age


async def test_thirty_days_unobserved(team: Team, local: LocalSettings) -> None:
    """A source that nobody wrote or re-read for 30 days is named; a report makes it known again."""
    wrote = Stored(id="r", kind="rule", evidence=(StoredCitation(uri="u", quote="q"), StoredCitation(uri="t")))
    await _old_batch(team, local, WriteBatch(writes=(Stored(id="t", kind="document"), wrote)), days=31)
    team.seq = 2
    record = await team.read("r")
    assert record.validity is not None
    assert ("monitoring_incomplete", [("unobserved", "u")]) == (
        record.validity.state,
        [(bound.kind, bound.name) for bound in record.validity.bounds],
    )
    await team.report("u", present=["q"])
    again = await team.read("r")
    assert again.validity is not None
    assert "current" == again.validity.state
    assert again.evidence[0].last_observed is not None
    assert again.evidence[0].last_observed > record.evidence[0].last_observed  # type: ignore[operator]


async def _old_batch(team: Team, local: LocalSettings, batch: WriteBatch, *, days: int) -> None:
    """Put a batch on the line that a gateway stamped so many days ago."""
    name = f"cmd_{team.workspace}"
    actor = Actor(kind="person", id="maya", capabilities=("write",))
    meta = Meta(
        id=name,
        workspace=team.workspace,
        time_us=clock.now_us() - days * DAY_US,
        seed=bytes(16),
        origin=f"command:{name}",
        actor=actor,
    )
    await _put(local, "commands", team, codec.encode(Command(meta=meta, digest=digest_of(batch), write_batch=batch)))


async def _put(local: LocalSettings, topic: str, team: Team, value: bytes) -> None:
    """Put a message on a topic, as a gateway does."""
    async with KafkaLog(KafkaSettings(bootstrap=local.bootstrap), "rows") as log:
        await log.append(topic, partition_of(team.workspace, PARTITIONS), [Outgoing(value=value)])


async def test_stale_evidence(team: Team) -> None:
    """A hypothesis whose belief rests on evidence more than two half-lives old bounds what rests on it."""
    await team.write(
        write("h", "hypothesis", claim=CLAIM, condition=CONDITION), write("r", "rule", links={"assumes": ["h"]})
    )
    claim = Claim(
        subject=CLAIM["subject"],
        predicate=CLAIM["predicate"],
        value=Value(type="percent", text="60", unit="%"),
        evidence="measurement",
    )
    long_ago = dt.datetime.fromtimestamp(clock.now_us() / 1e6, dt.UTC) - dt.timedelta(days=200)
    observed = await team.clients["maya"].observe(claims=[claim], observed_at=long_ago, workspace=team.workspace)
    team.took(observed.answer)
    record = await team.read("r")
    assert record.validity is not None
    assert ("monitoring_incomplete", [("stale_evidence", "h")]) == (
        record.validity.state,
        [(bound.kind, bound.name) for bound in record.validity.bounds],
    )


# Dates


async def test_date_reached_two_weeks_before_once_per_value(team: Team, local: LocalSettings) -> None:
    """A tick tells of a review_by that comes within two weeks, once; a later value is told of again when it comes."""
    today = dt.datetime.fromtimestamp(clock.now_us() / 1e6, dt.UTC).date()
    near, next_one, far = (str(today + dt.timedelta(days=days)) for days in (13, 12, 16))
    await team.write(write("near", "rule", review_by=near), write("far", "rule", review_by=far))
    await _tick(local, team, 1)
    await _tick(local, team, 2)
    await team.write(write("near", review_by=next_one))
    await _tick(local, team, 3)
    reached = []
    async with asyncio.timeout(30):
        async for watched in team.clients["bo"].watch(workspace=team.workspace, from_seq=1):
            reached += [watched.event] if watched.event and watched.event.kind == "date.reached" else []
            if len(reached) == 2:
                break
    assert ["near", "near"] == [event.subject_id for event in reached]
    assert [near in reached[0].reason, next_one in reached[1].reason] == [True, True]


async def _tick(local: LocalSettings, team: Team, ahead: int) -> None:
    """Tell the workspace of an hour, and wait until that is decided."""
    now_us = clock.now_us()
    hour = now_us // HOUR_US + ahead
    request = own_request(team.workspace, f"tick:{hour}", Body(tick=Tick(hour=hour)), now_us)
    await _put(local, "requests", team, codec.encode(request))
    claim = Claim(subject="s", predicate="p", value=Value(type="number", text=str(ahead)))
    team.took((await team.clients["maya"].observe(claims=[claim], workspace=team.workspace)).answer)


# Imports

TEXTS = {
    **dict.fromkeys(("Proposed", "Pending", "Provisional", "Draft"), "draft"),
    **dict.fromkeys(("Accepted", "Approved", "Implementable", "Implemented", "Final"), "active"),
    **dict.fromkeys(("Deprecated", "Withdrawn", "Retracted"), "withdrawn"),
    **dict.fromkeys(("Replaced", "Superseded", "Obsolete"), "superseded"),
    **dict.fromkeys(("Rejected", "Declined"), "rejected"),
    "Partly superseded": "active",
    "Resting": "draft",
}


async def test_words_of_texts(team: Team) -> None:
    """Each word that a text has for its status becomes ours, its own is kept; one without a place is reported."""
    events = [
        _revision(
            f"adr/{n:04d}-{word.split()[0].lower()}.md", f"# {n}. {word}\n\n## Status\n\n{word}\n\n## Context\n\nC.\n"
        )
        for n, word in enumerate(TEXTS, start=1)
    ]
    async for published in team.clients["maya"].publish(events, workspace=team.workspace, await_answer=True):
        team.took(published.answer) if published.answer else None
    page = await team.clients["bo"].query_page(workspace=team.workspace, kinds=["decision"], min_seq=team.seq)
    records = {record.label: record for record in page.records}
    assert TEXTS == {label: record.status for label, record in records.items()}
    assert {word: word for word in TEXTS} == {
        label: record.upstream.status for label, record in records.items() if record.upstream
    }
    resting = records["Resting"].upstream
    assert resting is not None
    assert any("Resting" in sentence for sentence in resting.left_out)


async def test_what_texts_say_of_each_other(team: Team) -> None:
    """Either side states a link, once; in part it amends; ordinary grounds rest; a claim to replace waits."""
    texts = {
        "1-old": "Superseded by [2](2-new.md)",
        "2-new": "Accepted",
        "3-half": "Accepted\n\nPartly supersedes [2](2-new.md)",
        "4-resting": "Accepted\n\nDepends on: [2](2-new.md)",
        "5-live": "Accepted",
        "6-claims": "Accepted\n\nSupersedes [5](5-live.md)",
    }
    events = [
        _revision(f"adr/{name}.md", f"# {name}\n\n## Status\n\n{status}\n\n## Context\n\nC.\n")
        for name, status in texts.items()
    ]
    async for published in team.clients["maya"].publish(events, workspace=team.workspace, await_answer=True):
        team.took(published.answer) if published.answer else None
    page = await team.clients["bo"].query_page(workspace=team.workspace, kinds=["decision"], min_seq=team.seq)
    stem = {record.id: Path(record.upstream.uri).stem for record in page.records if record.upstream}
    links = {
        (stem[record.id], link.name, stem[link.to], link.stated_by) for record in page.records for link in record.links
    }
    expected = {
        ("2-new", "replaces", "1-old", "to"),
        ("3-half", "amends", "2-new", "from"),
        ("4-resting", "depends_on", "2-new", "from"),
    }
    assert expected == links
    claimed = {stem[record.id]: [stem[one] for one in record.replacement_claimed_by] for record in page.records}
    assert ["6-claims"] == claimed["5-live"]


def _revision(uri: str, text: str) -> Event:
    """Give a document's revision as a change event."""
    data = {"uri": uri, "text": text, "revision": "r1", "author": "ada", "revised_at": "2026-11-01T10:00:00Z"}
    return Event(id=uri, source="git:rows", type="stanchion.document.revised.v1", data=json.dumps(data).encode())
