"""The records page, row by row, over gRPC on the whole line: what moves, whether it still holds, and who says so."""

from typing import Any

import pytest
import pytest_asyncio
from msgspec import Struct

from stanchion.writes import Write
from support.team import Reasons, Team, cite, reasons, refused, write

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


# What moved


class Row(Struct, frozen=True):
    """A row: what is there, what is written, and what `top` then reads, empty for nothing."""

    there: list[Write]
    written: Write
    read: Reasons


def on_decision(**parts: Any) -> list[Write]:  # noqa: ANN401 - parts of a write
    """Give a rule `top` that is based on a decision `x`."""
    return [write("e", "decision"), write("x", "decision", **parts), write("top", "rule", links={"based_on": ["x"]})]


def on_rule(**parts: Any) -> list[Write]:  # noqa: ANN401 - parts of a write
    """Give a rule `top` that is an exception to a rule `x`."""
    return [write("x", "rule", **parts), write("top", "rule", links={"exception_to": ["x"]})]


def on_hypothesis(**parts: Any) -> list[Write]:  # noqa: ANN401 - parts of a write
    """Give a rule `top` that assumes a hypothesis `x`."""
    return [write("x", "hypothesis", **parts), write("top", "rule", links={"assumes": ["x"]})]


def on_document(**parts: Any) -> list[Write]:  # noqa: ANN401 - parts of a write
    """Give a rule `top` that cites a document `x` of the workspace."""
    return [write("x", "document", **parts), write("top", "rule", evidence=[cite("x")])]


def moved(link: str, kind: str, name: str = "", to: str = "") -> Reasons:
    """Give the one reason of a move at distance 1."""
    return [("input_changed", f"{link} x", kind, name, to)]


MOVES = {
    "body": Row(on_decision(body="one"), write("x", body="two"), moved("based_on", "body")),
    "citation added": Row(on_decision(), write("x", evidence=[cite("u")]), moved("based_on", "citation", "u")),
    "citation changed": Row(
        on_decision(evidence=[cite("u", "q1")]),
        write("x", evidence=[cite("u", "q2")]),
        moved("based_on", "citation", "u"),
    ),
    "citation dropped": Row(
        on_decision(evidence=[cite("u")]), write("x", evidence=[]), moved("based_on", "citation", "u")
    ),
    "citation left behind": Row(on_decision(evidence=[cite("u")]), write("x", owner="Ada"), []),
    "grounds link added": Row(
        on_decision(), write("x", links={"depends_on": ["e"]}), moved("based_on", "link", "depends_on", "e")
    ),
    "grounds link dropped": Row(
        on_decision(links={"refines": ["e"]}),
        write("x", links={"refines": []}),
        moved("based_on", "link", "refines", "e"),
    ),
    "other link added": Row(on_decision(), write("x", links={"amends": ["e"], "relates_to": ["e"]}), []),
    "deleted": Row(on_decision(), write("x", delete=True), moved("based_on", "deleted")),
    **{
        f"decision {word}": Row(on_decision(), write("x", status=word), moved("based_on", "field", "status", word))
        for word in ("superseded", "withdrawn", "rejected", "archived", "draft")
    },
    "decision draft to active": Row(on_decision(status="draft"), write("x", status="active"), []),
    "decision withdrawn to draft": Row(on_decision(status="withdrawn"), write("x", status="draft"), []),
    **{
        f"rule {word}": Row(on_rule(), write("x", status=word), moved("exception_to", "field", "status", word))
        for word in ("superseded", "withdrawn")
    },
    "rule withdrawn to active": Row(on_rule(status="withdrawn"), write("x", status="active"), []),
    "rule applies_to": Row(
        on_rule(), write("x", applies_to=["api"]), moved("exception_to", "field", "applies_to", '["api"]')
    ),
    **{
        f"hypothesis {word}": Row(on_hypothesis(), write("x", status=word), moved("assumes", "field", "status", word))
        for word in ("refuted", "abandoned")
    },
    "hypothesis supported": Row(on_hypothesis(), write("x", status="supported"), []),
    "hypothesis refuted to open": Row(on_hypothesis(status="refuted"), write("x", status="open"), []),
    "cited document, new text": Row(on_document(body="one"), write("x", body="two"), moved("cites", "pin", "x", "2")),
    "cited document, new label": Row(on_document(body="one"), write("x", label="L"), []),
    "cited document deleted": Row(on_document(), write("x", delete=True), moved("cites", "deleted")),
    "label": Row(on_decision(), write("x", label="L"), []),
    "owner": Row(on_decision(), write("x", owner="Ada"), []),
    "area": Row(on_decision(), write("x", area="api"), []),
    "any other field": Row(on_decision(), write("x", origin="correction", decided_on="2026-01-01"), []),
    "tags and dates": Row(on_decision(), write("x", tags=["t"], valid_from="2026-01-01"), []),
    "same value": Row(on_decision(body="one"), write("x", body="one", status="active"), []),
}


@pytest.mark.parametrize("case", MOVES)
async def test_what_counts_as_a_move(case: str, team: Team) -> None:
    """The row's write is one reason for what rests on the record, or none; the record itself it never reopens."""
    row = MOVES[case]
    await team.write(*row.there)
    await team.write(row.written)
    top, own = await team.read("top"), await team.read("x")
    assert row.read == reasons(top)
    assert [] == reasons(own)
    assert top.validity is not None
    assert "needs_review" if row.read else "current" == top.validity.state


async def test_new_record_is_no_move(team: Team) -> None:
    """Creating a record moves nothing, nor does linking to one that moved before."""
    await team.write(write("d", "decision", body="one"))
    await team.write(write("d", body="two"))
    await team.write(write("r", "rule", links={"based_on": ["d"]}))
    assert "current" == await team.state("r")


# Validity, the table of cases


@pytest_asyncio.fixture(loop_scope="session")
async def ruled(team: Team) -> Team:
    """R based_on D, D assumes H, all by a person."""
    await team.write(
        write("h", "hypothesis"),
        write("d", "decision", links={"assumes": ["h"]}, owner="Ada"),
        write("r", "rule", links={"based_on": ["d"]}, body="one"),
    )
    return team


async def test_case_refuted(ruled: Team) -> None:
    """H refuted: D reads it as its input, R as upstream, with the path."""
    await ruled.write(write("h", status="refuted"))
    rule, decision = await ruled.read("r"), await ruled.read("d")
    assert [("input_changed", "assumes h", "field", "status", "refuted")] == reasons(decision)
    assert [("upstream_changed", "based_on d assumes h", "field", "status", "refuted")] == reasons(rule)
    assert rule.validity is not None
    assert rule.validity.monitored is not None
    assert (2, 2, 0) == (
        rule.validity.monitored.records,
        rule.validity.monitored.links,
        rule.validity.monitored.citations,
    )
    assert ruled.seq == rule.validity.observed_through


async def test_case_back_to_open(ruled: Team) -> None:
    """H back to open: both stay reopened, with no second reason; D names H as in force again."""
    await ruled.write(write("h", status="refuted"))
    refuted = await ruled.read("d")
    await ruled.write(write("h", status="open"))
    decision = await ruled.read("d")
    assert [1, 1] == [len(reasons(await ruled.read(one))) for one in ("r", "d")]
    assert refuted.validity is not None
    assert decision.validity is not None
    assert [("h", "refuted")] == [(each.record_id, each.status) for each in refuted.validity.grounds_not_in_force]
    assert () == decision.validity.grounds_not_in_force


@pytest.mark.parametrize("cited", [False, True])
async def test_case_owner_edited(cited: bool, ruled: Team) -> None:  # noqa: FBT001 - the two halves of the row
    """The owner of D edited, D cited or not: both current."""
    if cited:
        await ruled.write(write("r", evidence=[cite("d")]))
    await ruled.write(write("d", owner="Bo"))
    assert ["current"] * 2 == [await ruled.state(one) for one in ("r", "d")]


async def test_case_superseded_by_a_reversal(ruled: Team) -> None:
    """R reads one reason; the new decision is current, and D says who superseded it."""
    await ruled.write(write("d2", "decision", links={"replaces": ["d"]}), write("d", status="superseded"))
    assert [("input_changed", "based_on d", "field", "status", "superseded")] == reasons(await ruled.read("r"))
    assert "current" == await ruled.state("d2")
    assert ("d2",) == (await ruled.read("d")).superseded_by


async def test_case_chain(team: Team) -> None:
    """R1 → … → R5, R5 moved: R2 reads it at distance 3, R1 has come to the bound of depth."""
    chain = [write(f"r{n}", "rule", links={"exception_to": [f"r{n + 1}"]} if n < 5 else {}) for n in range(1, 6)]
    await team.write(*chain)
    await team.write(write("r5", body="two"))
    path = "exception_to r3 exception_to r4 exception_to r5"
    assert [("upstream_changed", path, "body", "", "")] == reasons(await team.read("r2"))
    first = await team.read("r1")
    assert first.validity is not None
    assert ("monitoring_incomplete", ["depth"]) == (
        first.validity.state,
        [bound.kind for bound in first.validity.bounds],
    )


async def test_case_affirmed_then_abandoned(ruled: Team) -> None:
    """R affirmed, then H abandoned: one reason, of the abandoning."""
    await ruled.write(write("h", status="refuted"))
    await ruled.affirm("r")
    assert "current" == await ruled.state("r")
    await ruled.write(write("h", status="abandoned"))
    assert [("upstream_changed", "based_on d assumes h", "field", "status", "abandoned")] == reasons(
        await ruled.read("r")
    )


async def test_case_agent_rewrites_the_body(team: Team) -> None:
    """An agent rewrites R's body after D moved: R stays reopened, and nobody confirms it; it says who last did."""
    await team.write(write("d", "decision"), write("r", "rule", links={"based_on": ["d"]}, body="one"), by="agent")
    await team.affirm("r")
    await team.write(write("d", body="two"))
    await team.write(write("r", body="two"), by="agent")
    rule = await team.read("r")
    assert rule.last_confirmed is not None
    assert rule.last_confirmed.by is not None
    assert (True, False, "maya", "affirmed") == (
        rule.needs_review,
        rule.confirmed,
        rule.last_confirmed.by.id,
        rule.last_confirmed.how,
    )


async def test_case_agent_points_elsewhere(team: Team) -> None:
    """An agent points R from D to D2 after D moved: R is current, and not confirmed."""
    rule = write("r", "rule", links={"based_on": ["d"]})
    await team.write(write("d", "decision"), write("d2", "decision"), rule, by="agent")
    await team.affirm("r")
    await team.write(write("d", body="two"))
    await team.write(write("r", links={"based_on": ["d2"]}), by="agent")
    record = await team.read("r")
    assert (False, False) == (record.needs_review, record.confirmed)


# The walk


async def test_deleted_records_are_still_walked(ruled: Team) -> None:
    """D deleted, then H moved: R reads both, the second one through what is gone."""
    await ruled.write(write("d", delete=True))
    await ruled.write(write("h", status="refuted"))
    assert [
        ("input_changed", "based_on d", "deleted", "", ""),
        ("upstream_changed", "based_on d assumes h", "field", "status", "refuted"),
    ] == reasons(await ruled.read("r"))


async def test_a_cycle_ends_at_the_record_already_seen(team: Team) -> None:
    """Two rules that are exceptions to each other: a move of one reopens the other, and itself never."""
    await team.write(
        write("a", "rule", links={"exception_to": ["b"]}), write("b", "rule", links={"exception_to": ["a"]})
    )
    await team.write(write("b", body="two"))
    assert [("input_changed", "exception_to b", "body", "", "")] == reasons(await team.read("a"))
    assert [] == reasons(await team.read("b"))


async def test_each_record_once_by_its_shortest_path(team: Team) -> None:
    """What two ways lead to is one reason, by the shorter way; of two as short, by the vocabulary's order."""
    both = {"based_on": ["d"], "exception_to": ["other"]}
    await team.write(
        write("e", "decision"),
        write("d", "decision", links={"depends_on": ["e"], "refines": ["e"]}),
        write("other", "rule", links={"based_on": ["d"]}),
        write("r", "rule", links=both),
    )
    await team.write(write("d", body="two"))
    await team.write(write("e", body="two"))
    assert [
        ("input_changed", "based_on d", "body", "", ""),
        ("upstream_changed", "based_on d depends_on e", "body", "", ""),
    ] == reasons(await team.read("r"))


# Bounds


async def test_size_is_bounded(team: Team) -> None:
    """More than 200 records: what was looked at says so, and the bound is named."""
    hubs = [f"h{n}" for n in range(4)]
    leaves = {hub: [f"{hub}-{n}" for n in range(60)] for hub in hubs}
    every = [leaf for hub in hubs for leaf in leaves[hub]]
    await team.write(*(write(leaf, "rule") for leaf in every[:200]))
    await team.write(*(write(leaf, "rule") for leaf in every[200:]))
    await team.write(*(write(hub, "rule", links={"exception_to": leaves[hub]}) for hub in hubs))
    await team.write(write("top", "rule", links={"exception_to": hubs}))
    top = await team.read("top")
    assert top.validity is not None
    assert top.validity.monitored is not None
    assert ("monitoring_incomplete", ["size"], 200) == (
        top.validity.state,
        [bound.kind for bound in top.validity.bounds],
        top.validity.monitored.records,
    )


async def test_moved_and_bounded(team: Team) -> None:
    """A record that moved and also hit a bound needs review, with the bound beside its reasons."""
    chain = [write(f"r{n}", "rule", links={"exception_to": [f"r{n + 1}"]} if n < 5 else {}) for n in range(1, 6)]
    await team.write(*chain)
    await team.write(write("r2", body="two"))
    first = await team.read("r1")
    assert first.validity is not None
    assert ("needs_review", 1, ["depth"]) == (
        first.validity.state,
        len(first.validity.reasons),
        [bound.kind for bound in first.validity.bounds],
    )


# Still holds

NOT_AFFIRMED: dict[str, tuple[str, dict[str, Any], str]] = {
    "agent": ("agent", {}, "NOT_A_PERSON"),
    "agent's delegated session": ("delegate", {}, "NOT_A_PERSON"),
    "service": ("service", {}, "NOT_A_PERSON"),
    "person without the capability": ("reader", {}, "MISSING_CAPABILITY"),
    "moved since": ("maya", {"through": 3}, "MOVED_SINCE"),
    "another version": ("maya", {"if_match": 7}, "VERSION_CONFLICT"),
    "a seq that is to come": ("maya", {"through": 99}, "FIELD_VALUE"),
    "a note too long": ("maya", {"note": "x" * 501}, "TOO_LARGE"),
}


@pytest.mark.parametrize("case", NOT_AFFIRMED)
async def test_affirmation_refused(case: str, ruled: Team) -> None:
    """The row is refused with its reason, and the record stays reopened."""
    await ruled.write(write("h", status="refuted"))
    by, parts, reason = NOT_AFFIRMED[case]
    error = await refused(ruled.affirm("r", by=by, **parts))
    assert reason == error.reason
    assert "needs_review" == await ruled.state("r")


async def test_affirmation_of_nothing(ruled: Team) -> None:
    """A record that is not there, or deleted, cannot be affirmed."""
    await ruled.write(write("r", delete=True))
    assert ["NOT_FOUND"] * 2 == [(await refused(ruled.affirm(one))).reason for one in ("r", "nobody")]


async def test_cited_document_served_anew_since(team: Team) -> None:
    """A new text of a cited document after what was read: MOVED_SINCE, with what the record reads now."""
    await team.write(write("t", "document", body="one"), write("r", "rule", evidence=[cite("t")]))
    read = team.seq
    await team.write(write("t", body="two"))
    error = await refused(team.affirm("r", through=read))
    assert "MOVED_SINCE" == error.reason
    assert "needs_review" in error.detail


async def test_affirmation_takes_a_seq_and_nothing_on_watch(ruled: Team) -> None:
    """It changes no value, clears the review, is in the ledger with its note, and Watch only passes its seq by."""
    await ruled.write(write("h", status="refuted"))
    before = await ruled.read("r")
    answer = await ruled.affirm("r", note="checked with billing")
    after = await ruled.read("r")
    await ruled.write(write("last", "rule"))
    bo = ruled.clients["bo"]
    entries = [entry async for entry in bo.trace("r", workspace=ruled.workspace, min_seq=ruled.seq)]
    seen = []
    async for watched in bo.watch(workspace=ruled.workspace, from_seq=answer.first_seq):
        seen += [watched.event.kind] if watched.event else []
        if watched.through_seq >= ruled.seq:
            break
    assert ["record.created"] == seen
    assert ("record.affirmed", answer.first_seq) == (entries[-1].action, entries[-1].seq)
    assert after.last_affirmed is not None
    assert "checked with billing" == after.last_affirmed.note
    assert (before.version, before.fields, False) == (after.version, after.fields, after.needs_review)


CONFIRMED: dict[str, tuple[str, list[tuple[str, dict[str, Any]]], bool]] = {
    "created by a person": ("maya", [], True),
    "created by an agent": ("agent", [], False),
    "an agent changed the body": ("agent", [("affirm", {}), ("agent", {"body": "two"})], False),
    "an agent changed a ground": ("agent", [("affirm", {}), ("agent", {"links": {"based_on": []}})], False),
    "an agent changed a monitored field": ("agent", [("affirm", {}), ("agent", {"applies_to": ["api"]})], False),
    "an agent changed another field": ("agent", [("affirm", {}), ("agent", {"owner": "Bo"})], True),
    "citations left behind": ("agent", [("affirm", {}), ("agent", {"label": "L"})], True),
    "a person wrote the body": ("agent", [("maya", {"body": "two"})], True),
    "a person wrote the owner of an agent's": ("agent", [("maya", {"owner": "Bo"})], False),
}


@pytest.mark.parametrize("case", CONFIRMED)
async def test_confirmed(case: str, team: Team) -> None:
    """A person stands behind the version: created or affirmed it, and what it says has not changed since."""
    by, steps, confirmed = CONFIRMED[case]
    rule = write("r", "rule", body="one", links={"based_on": ["d"]}, evidence=[cite("u")])
    await team.write(write("d", "decision"), rule, by=by)
    for who, parts in steps:
        if who == "affirm":
            await team.affirm("r")
        else:
            await team.write(write("r", **parts), by=who)
    assert confirmed == (await team.read("r")).confirmed
