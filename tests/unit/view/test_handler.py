import json

import msgspec
import pytest
from msgspec.structs import replace

from stanchion_contracts.change import Move
from stanchion_contracts.command import Write, WriteBatch
from stanchion_contracts.policy import BeliefPolicy
from stanchion_contracts.proposal import digest_of
from stanchion_contracts.record import Citation, Link
from stanchion_contracts.relation import Entity, Triple, Window
from stanchion_contracts.value import Value
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_core.trust import Outcome
from stanchion_core.vocabulary_text import json_text
from stanchion_view import handler
from stanchion_view.core.output import Output
from stanchion_view.core.output import rows as rows_of
from stanchion_view.core.policy import in_order
from stanchion_view.core.relation import Stated
from stanchion_view.core.state import Draft, Workspace, key_of
from support.ledgers import (
    BOT,
    CRM,
    MAYA,
    START_US,
    STEP_US,
    Scribe,
    closed,
    estimated,
    field_moved,
    found,
    judged,
    opened,
    proposal,
    related,
    resolved,
    ruled,
    said,
    trusted,
)
from support.view_steps import other_vocabulary

BASE = base_vocabulary()


def folded(base: Workspace, *messages: object) -> tuple[Draft, Output]:
    """Messages folded into a draft."""
    draft, output = Draft(base), Output()
    for message in messages:
        handler.apply(draft, output, BASE, message)  # type: ignore[arg-type]  # the scribe's messages
    return draft, output


def test_a_record_becomes_a_version_a_head_and_a_change() -> None:
    """The rows of one written record, column by column."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d1", label="One", body="why", status="active", room="pay", fields={"area": "x"})),
    )
    rows = rows_of({"acme": draft}, [output])
    at_us = START_US + STEP_US
    (version,) = rows["versions"]
    assert version[:12] == (
        *("acme", key_of("acme", "d1"), "d1", 1, 1, at_us, "decision", "pay", "One", "active", False),
        '{"area":"x","status":"active"}',
    )
    assert "why" == version[13]
    (head,) = rows["heads"]
    assert ("acme", key_of("acme", "d1"), "d1", 1) == head[:4]
    (change,) = rows["changes"]
    assert ("acme", 1, 0, at_us) == change[:4]
    assert "record.created" == json.loads(str(change[4]))["kind"]
    assert rows["beliefs"] == rows["notes"] == rows["proposals"] == rows["windows"] == []


def test_a_belief_brings_its_contributions() -> None:
    """A moved belief is one row with what was added."""
    scribe = Scribe()
    draft, output = folded(Workspace.empty(BASE), scribe.message(scribe.believe(said("5"), said("7", source="erp"))))
    (row,) = rows_of({"acme": draft}, [output])["beliefs"]
    assert ("acme", key_of("acme", "acme", "tam"), "acme", "tam", 1) == row[:5]
    assert ["crm", "erp"] == [each["source"] for each in json.loads(str(row[6]))]


def test_an_affirmation_leaves_its_seq_and_puts_nothing_on_watch() -> None:
    """The change's row has a time and no event, and the head is stood behind."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE), scribe.message(scribe.write("d1"), actor=BOT), scribe.message(scribe.affirm("d1"))
    )
    assert output.changes[1] == ("acme", 2, 0, START_US + 2 * STEP_US, "")
    assert ["record.created"] == [event.kind for event in output.events]
    assert 2 == draft.records["d1"].baseline


def test_a_draft_leaves_its_base_alone_until_it_settles() -> None:
    """Readers see nothing of a batch before it is committed, whatever it changes."""
    scribe = Scribe()
    base = Workspace.empty(BASE)
    cited = [Citation(uri="https://example.org/a", quote="q")]
    first, _ = folded(
        base,
        scribe.message(
            scribe.write("h", "hypothesis", status="open"),
            scribe.write("d", status="active", links=[Link(name="assumes", to="h")], evidence=cited),
            trusted("crm", 0.9),
        ),
    )
    first.settle()
    before = msgspec.json.encode((
        base.heads.records,
        base.heads.linked_from,
        base.heads.citing,
        base.cards,
        base.trust,
    ))
    second, _ = folded(
        base,
        scribe.message(
            scribe.write("h", status="refuted", moves=[field_moved("status", "refuted")]),
            scribe.write("d", links=[], evidence=[]),
            scribe.write("d", delete=True, moves=[Move(kind="deleted")]),
            trusted("crm", None, 0.9),
        ),
    )
    after = msgspec.json.encode((base.heads.records, base.heads.linked_from, base.heads.citing, base.cards, base.trust))
    assert before == after
    second.settle()
    assert (base.last_seq, base.trust, base.cards["d"].deleted) == (7, {}, True)


def test_what_a_write_leaves_out_stays() -> None:
    """Merge semantics of a card: absent stays, empty clears, a body comes from the version that brought it."""
    scribe = Scribe()
    draft, _ = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d", label="One", body="b", fields={"area": "x", "owner": "me"})),
        scribe.message(scribe.write("d", fields={"area": None})),
    )
    card = draft.cards["d"]
    assert (card.label, card.version, card.body_seq, card.body_at_us) == ("One", 2, 1, START_US + STEP_US)
    assert ["owner"] == [field.name for field in card.fields]


def test_a_payload_that_cannot_be_read_stops_the_view() -> None:
    """Past the edge, bytes that cannot be read are a bug: an error, not a row."""
    scribe = Scribe()
    message = scribe.message(scribe.write("d"))
    broken = msgspec.structs.replace(message, payloads=(message.payloads[0][:-3],))
    with pytest.raises(InvalidMessage):
        folded(Workspace.empty(BASE), broken)


def test_a_proposal_is_filed_until_it_is_closed() -> None:
    """Opened by whom it names, edited with another digest, then only its row knows who closed it, when and why."""
    scribe = Scribe()
    waits = proposal("p", Write(id="d", label="Two"), base={"d": 1}, by=BOT)
    other = replace(waits, batch=WriteBatch(writes=(Write(id="e", label="Three"),)), edited_by=MAYA)
    draft, output = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d", label="One"), opened(waits), actor=CRM),
        scribe.message(opened(other, "proposal.edited")),
    )
    filed = draft.filed["p"]
    assert (2, START_US + STEP_US, BOT, ("e",)) == (filed.seq, filed.at_us, filed.by, filed.records)
    assert digest_of(other) == filed.digest
    assert {"e": {"p": 2}} == draft.workspace.waiting
    last, output = folded(draft.workspace, scribe.message(closed(other, "rejected", "no", "maya said no")))
    assert ({}, {}, {}) == (dict(last.filed), dict(last.workspace.waiting), dict(last.workspace.heads.proposals))
    (row,) = rows_of({"acme": last}, [output])["proposals"]
    at_us = START_US + 3 * STEP_US
    assert row[:11] == ("acme", key_of("acme", "p"), "p", 4, at_us, 2, 4, "rejected", "person_set", "d", " e ")
    kept = json.loads(str(row[11]))
    assert (4, at_us, "maya", "maya said no") == (
        *(kept["closed_seq"], kept["closed_at_us"], kept["closed_by"]["id"], kept["closed_reason"]),
    )


def test_a_relation_has_one_current_window() -> None:
    """A new window takes the place of the old one, an end takes it away, and each is a row; rooms are apart."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE),
        scribe.message(related("person:ada", "works_at", "team:pay", since_us=5, stated_by="d1")),
        scribe.message(related("person:ada", "works_at", "team:pay", since_us=7)),
        scribe.message(related("person:ada", "works_at", "team:pay", room="hr")),
        scribe.message(related("person:ada", "works_at", "team:pay", room="hr", ended=True)),
    )
    ada, pay = Entity(name="ada", type="person"), Entity(name="pay", type="team")
    triple = Triple("", ada, "works_at", pay)
    window = Stated(window=Window(valid_at_us=7), seq=2, at_us=START_US + 2 * STEP_US)
    assert {triple: window} == dict(draft.relations)
    assert {"ada": {triple: None}, "pay": {triple: None}} == dict(draft.workspace.named)
    rows = rows_of({"acme": draft}, [output])["windows"]
    assert [(1, True, 5), (2, True, 7), (3, True, 0), (4, False, 0)] == [(row[8], row[10], row[11]) for row in rows]
    ends = ("ada", "person", "works_at", "pay", "team")
    assert ("acme", key_of("acme", "ada", "works_at", "pay"), "", *ends) == rows[0][:8]


def test_a_workspaces_own_vocabulary_is_in_force_from_its_change_on() -> None:
    """Links of records that exist rest by the new vocabulary, by the base one again when it goes; a note keeps it."""
    scribe = Scribe()
    own = other_vocabulary()
    first, _ = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("d"), scribe.write("e", links=[Link(name="depends_on", to="d")])),
    )
    assert ["d"] == [ground.to for ground in first.records["e"].grounds]
    first.settle()
    second, output = folded(first.base, scribe.message(scribe.settle(json_text(own), approval_only=True)))
    assert (own, True) == (second.workspace.vocabulary, second.workspace.settings.approval_only)
    assert ((), ["d"]) == (second.records["e"].grounds, [link.to for link in second.records["e"].others])
    assert BASE == first.base.vocabulary
    rows = rows_of({"acme": second}, [output])
    assert [("acme", "settings", "", 3)] == [row[:4] for row in rows["notes"]]
    assert ["e"] == [row[2] for row in rows["heads"]]
    third, _ = folded(second.workspace, scribe.message(scribe.settle("")))
    assert ["d"] == [ground.to for ground in third.records["e"].grounds]


def test_a_hub_that_moves_names_a_thousand_and_counts_the_rest() -> None:
    """One event, its records by id; tombstones and what needed review before are not among them."""
    scribe = Scribe()
    above = [f"r{number:04}" for number in range(1_004)]
    links = [Link(name="based_on", to="hub")]
    _, output = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.write("hub"), *(scribe.write(name, "rule", links=links) for name in above)),
        scribe.message(scribe.write("r0000", "rule", delete=True)),
        scribe.message(scribe.write("hub", body="two", moves=[Move(kind="body")])),
        scribe.message(scribe.write("late", "rule", links=links)),
        scribe.message(scribe.write("hub", body="three", moves=[Move(kind="body")])),
    )
    first, second = [event for event in output.events if event.kind == "needs_review.opened"]
    assert (tuple(above[1:1_001]), 3) == (first.record_ids, first.more)
    assert first.reason.startswith("1003 records need review: ")
    assert (("late",), 0) == (second.record_ids, second.more)


def test_what_beliefs_are_worked_out_by_is_kept() -> None:
    """Settings, estimates and policies hold from their change on, each a note, and what is taken back is gone."""
    scribe = Scribe()
    first, _ = folded(
        Workspace.empty(BASE),
        scribe.message(trusted("crm", 0.9), estimated(crm=0.4, erp=0.5, web=0.6), ruled("tam", tolerance=0.1)),
    )
    assert 0.7 == first.workspace.trusts.of("erp").value
    first.settle()
    second, output = folded(
        first.base,
        scribe.message(trusted("crm", None, 0.9), estimated(web=None), ruled(consensus=True), ruled("tam")),
    )
    assert {"crm": 0.4, "erp": 0.5} == second.workspace.trusts.effective()
    notes = {row[1:3]: row[4] for row in rows_of({"acme": second}, [output])["notes"]}
    assert {("trust", "crm"), ("estimate", "web"), ("policy", ""), ("policy", "tam")} == set(notes)
    assert {""} == {notes[key] for key in (("trust", "crm"), ("estimate", "web"), ("policy", "tam"))}
    assert [BeliefPolicy(consensus=True)] == list(in_order(second.workspace.policies))


def test_how_beliefs_age_that_no_policy_speaks_of_is_learnt_from_them() -> None:
    """A belief of a predicate with a half-life of its own says nothing of the others."""
    scribe = Scribe()
    draft, output = folded(
        Workspace.empty(BASE),
        scribe.message(scribe.believe(said("5"), half_life_s=86_400)),
        scribe.message(ruled("tam", half_life="slow")),
        scribe.message(scribe.believe(said("6"), half_life_s=365 * 86_400)),
    )
    assert 86_400 == draft.workspace.half_life_s
    notes = rows_of({"acme": draft}, [output])["notes"]
    assert ("acme", "half_life", "", 3, "86400") in notes


def test_a_resolution_says_how_sure_the_belief_was_just_before() -> None:
    """The likeliest value's probability, aged to the resolution's time, and whether that value is what turned out."""
    scribe = Scribe()
    believed = scribe.message(scribe.believe(said("5")))
    scribe.now_us += 90 * 86_400_000_000 - 2 * STEP_US
    five = Value(type="number", text="5")
    draft, output = folded(Workspace.empty(BASE), believed, scribe.message(resolved(five, judged(hit=True))))
    kept = draft.resolved["acme", "tam"]
    assert (5.6 / 2 + 1) / (5.6 / 2 + 2) == kept.confidence
    assert (five, True, 2, scribe.now_us) == (kept.value, kept.hit, kept.seq, kept.at_us)
    (row,) = rows_of({"acme": draft}, [output])["resolutions"]
    assert ("acme", key_of("acme", "acme", "tam"), "acme", "tam", 2, scribe.now_us) == row[:6]
    assert {"crm": Outcome(hits=1, judged=1)} == dict(draft.workspace.outcomes)


def test_another_resolution_takes_the_place_of_what_was_judged_before() -> None:
    """Outcomes are those of the claims that are resolved now: judged anew, and nothing when the claim is open again."""
    scribe = Scribe()
    five, seven = Value(type="number", text="5"), Value(type="number", text="7")
    first, _ = folded(
        Workspace.empty(BASE),
        scribe.message(resolved(five, judged("crm", hit=True), judged("crm", hit=False), judged("erp", hit=False))),
        scribe.message(resolved(five, judged("crm", hit=True), subject="other")),
    )
    assert {"crm": Outcome(hits=2, judged=3), "erp": Outcome(hits=0, judged=1)} == dict(first.workspace.outcomes)
    first.settle()
    second, _ = folded(first.base, scribe.message(resolved(seven, judged("crm", hit=False))))
    assert {"crm": Outcome(hits=1, judged=2)} == dict(second.workspace.outcomes)
    assert (None, False) == (second.resolved["acme", "tam"].confidence, second.resolved["acme", "tam"].hit)
    third, output = folded(second.workspace, scribe.message(resolved(None)))
    assert {"crm": Outcome(hits=1, judged=1)} == dict(third.workspace.outcomes)
    assert {("other", "tam")} == set(third.resolved)
    assert ("", "") == rows_of({"acme": third}, [output])["resolutions"][-1][6:]


def test_a_finding_is_kept_until_it_is_closed() -> None:
    """Found again with other words it is told anew; closed it is gone, and both are rows and events."""
    scribe = Scribe()
    first, _ = folded(
        Workspace.empty(BASE),
        scribe.message(found("stale"), found("stale", "other")),
        scribe.message(found("stale", detail="staler")),
    )
    assert {("stale", "acme", "tam"): 3, ("stale", "other", "tam"): 2} == {
        key: noted.seq for key, noted in first.findings.items()
    }
    assert "staler" == first.findings["stale", "acme", "tam"].finding.detail
    second, output = folded(first.workspace, scribe.message(found("stale", closed=True)))
    assert {("stale", "other", "tam")} == set(second.findings)
    assert ["finding.closed"] == [event.kind for event in output.events]
    (row,) = rows_of({"acme": second}, [output])["findings"]
    assert ("stale", "acme", "tam", 4, scribe.now_us, True) == row[2:8]
