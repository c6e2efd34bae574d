"""How changes read in a trace."""

import json
from typing import Any

import msgspec
import pytest

from stanchion_audit.core.before_after import _SIDES, before_after
from stanchion_contracts.change import (
    Action,
    Affirmation,
    Change,
    DateReached,
    Proposal,
    RecordChange,
    RecordPart,
    ResolutionChange,
    TrustChange,
    Upstream,
    WorkspaceChange,
    WorkspaceSettings,
)
from stanchion_contracts.command import QuoteSeen, ReportObservations, Write, WriteBatch
from stanchion_contracts.finding import ClaimName, Finding
from stanchion_contracts.meta import Actor
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.relation import Entity, RelationChange, Window
from stanchion_contracts.trust import Estimate, EstimateChange, Judgement
from stanchion_contracts.value import Value
from support.changes import TIME_US, belief_moved, latency, record_written


def sides(change: Change) -> tuple[object, object]:
    """Give both sides, parsed; None for empty text."""
    before, after = before_after(change)
    return (json.loads(before) if before else None), (json.loads(after) if after else None)


def test_a_written_record_shows_what_changed() -> None:
    """Fields by name with their own JSON, the new body whole, the old one by its digest."""
    assert (
        {
            "version": 1,
            "label": "Tail the ledger",
            "fields": {"status": "proposed"},
            "body_sha256": "01" * 32,
        },
        {
            "version": 2,
            "label": "Tail the ledger from the view",
            "fields": {"status": "accepted"},
            "body": "# Tail the ledger\n",
        },
    ) == sides(record_written(4))


def test_a_new_record_has_no_before() -> None:
    """Creation shows everything as after, links by name, an import's source and whose write it counts as."""
    part = RecordPart(
        label="One topic per service",
        fields=(FieldValue(name="cost", value="12345678901234567890.10"), FieldValue(name="owner", value="")),
        links=(Link(name="depends_on", to="adr-1"), Link(name="depends_on", to="adr-2", state="proposed", note="see")),
        link_names=("depends_on", "replaces"),
        evidence=(Citation(uri="https://a.example/x", quote="so it is"),),
        tags=("kafka",),
        valid_from="2026-01-01",
        upstream=Upstream(uri="docs/4.md", former_uris=("docs/04.md",)),
    )
    change = Change(
        seq=1,
        action="record.created",
        subject_kind="decision",
        subject_id="adr-4",
        reason="imported",
        record=RecordChange(
            id="adr-4",
            kind="decision",
            version=1,
            before=None,
            after=part,
            confirmation="given",
            by=Actor(kind="person", id="author-1"),
            proposal_id="prop_1",
        ),
    )
    before, after = before_after(change)
    assert "" == before
    assert '"fields":{"cost":12345678901234567890.10,"owner":null}' in after
    shown = json.loads(after)
    assert {
        "depends_on": [{"to": "adr-1"}, {"to": "adr-2", "state": "proposed", "note": "see"}],
        "replaces": [],
    } == shown["links"]
    assert ([{"uri": "https://a.example/x", "quote": "so it is"}], ["kafka"], "2026-01-01") == (
        shown["evidence"],
        shown["tags"],
        shown["valid_from"],
    )
    assert {"uri": "docs/4.md", "former_uris": ["docs/04.md"]} == shown["upstream"]
    assert ("given", {"kind": "person", "id": "author-1"}) == (shown["confirmation"], shown["by"])
    assert "prop_1" == shown["proposal_id"]


def test_a_moved_belief_shows_value_probability_vacuity_and_what_was_added() -> None:
    """Both opinions are there in millionths, and the contribution that moved them."""
    before, after = sides(belief_moved(3, before=latency(600_000, TIME_US)))
    value = {"type": "number", "text": "500", "unit": "ms"}
    assert {
        "value": value,
        "probability_millionths": 600_000,
        "vacuity_millionths": 400_000,
        "contributions": 1,
    } == before
    assert isinstance(after, dict)
    assert (value, 820_000) == (after["value"], after["probability_millionths"])
    assert ["prometheus"] == [contribution["source"] for contribution in after["added"]]


ACME = {"name": "acme", "type": "company"}
TRIPLE: dict[str, Any] = {
    "from_entity": Entity(name="maya"),
    "name": "works_at",
    "to_entity": Entity(name="acme", type="company"),
}
FINDING = Finding(
    kind="related",
    subject="tam",
    predicate="size",
    related=(ClaimName(subject="tam", predicate="growth"),),
    detail="one claim goes with it",
)
FOUND = {
    "kind": "related",
    "subject": "tam",
    "predicate": "size",
    "related": [{"subject": "tam", "predicate": "growth"}],
    "detail": "one claim goes with it",
}
PROPOSAL = Proposal(
    id="prop_1",
    why="consequence",
    reason="a person set it",
    record_id="adr-1",
    batch=WriteBatch(writes=(Write(id="adr-1"),)),
)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (
            {"affirmation": Affirmation(record_id="adr-1", version=2, observed_through=7)},
            (None, {"record_id": "adr-1", "version": 2, "observed_through": 7}),
        ),
        ({"trust": TrustChange(name="blog", before=None, after=0.5)}, ({"trust": None}, {"trust": 0.5})),
        (
            {"resolution": ResolutionChange(subject="s", predicate="p", value=Value(type="boolean", text="true"))},
            ({"resolved_to": None}, {"resolved_to": {"type": "boolean", "text": "true"}}),
        ),
        (
            {
                "resolution": ResolutionChange(
                    subject="s",
                    predicate="p",
                    value=Value(type="boolean", text="true"),
                    before=Value(type="boolean", text="false"),
                    judged=(
                        Judgement(source="crm", agent="bot", evidence="citation", millionths=868_421, hit=True),
                        Judgement(source="erp", agent="erp", evidence="measurement", millionths=131_579, hit=False),
                    ),
                )
            },
            (
                {"resolved_to": {"type": "boolean", "text": "false"}},
                {
                    "resolved_to": {"type": "boolean", "text": "true"},
                    "judged": [
                        {"source": "crm", "agent": "bot", "evidence": "citation", "millionths": 868_421, "hit": True},
                        {
                            "source": "erp",
                            "agent": "erp",
                            "evidence": "measurement",
                            "millionths": 131_579,
                            "hit": False,
                        },
                    ],
                },
            ),
        ),
        (
            {
                "resolution": ResolutionChange(
                    subject="s", predicate="p", value=None, before=Value(type="boolean", text="true")
                )
            },
            ({"resolved_to": {"type": "boolean", "text": "true"}}, {"resolved_to": None}),
        ),
        (
            {"policy": PolicyChange(before=BeliefPolicy(), after=BeliefPolicy(half_life="fast", consensus=True))},
            ({"half_life": "", "consensus": False}, {"half_life": "fast", "consensus": True}),
        ),
        (
            {
                "policy": PolicyChange(
                    before=BeliefPolicy(predicate="size"), after=BeliefPolicy(predicate="size", tolerance=0.05)
                )
            },
            ({"predicate": "size", "tolerance": 0.0}, {"predicate": "size", "tolerance": 0.05}),
        ),
        (
            {
                "estimated": EstimateChange(
                    estimates=(
                        Estimate(name="crm", trust=0.42, accuracy=0.6, claims=12),
                        Estimate(name="erp", trust=None, accuracy=0.0, claims=0),
                    )
                )
            },
            (None, {"crm": {"trust": 0.42, "accuracy": 0.6, "claims": 12}, "erp": None}),
        ),
        ({"finding": FINDING}, (None, FOUND)),
        ({"finding": msgspec.structs.replace(FINDING, closed=True)}, (FOUND, None)),
        (
            {"observed": ReportObservations(uri="u", quotes=(QuoteSeen(quote="q", seen="absent"),))},
            (None, {"uri": "u", "quotes": [{"quote": "q", "seen": "absent"}]}),
        ),
        (
            {"date": DateReached(record_id="adr-1", field="review_by", date="2026-12-01")},
            (None, {"record_id": "adr-1", "field": "review_by", "date": "2026-12-01"}),
        ),
        (
            {"relation": RelationChange(**TRIPLE, before=None, after=Window(valid_at_us=7))},
            (None, {"from": {"name": "maya"}, "name": "works_at", "to": ACME, "valid_at_us": 7}),
        ),
        (
            {"relation": RelationChange(**TRIPLE, before=Window(stated_by="adr-1"), after=None)},
            ({"from": {"name": "maya"}, "name": "works_at", "to": ACME, "stated_by": "adr-1"}, None),
        ),
        (
            {
                "workspace": WorkspaceChange(
                    before=WorkspaceSettings(), after=WorkspaceSettings(version=1, approval_only=True)
                )
            },
            ({"version": 0, "approval_only": False}, {"version": 1, "approval_only": True}),
        ),
        (
            {
                "workspace": WorkspaceChange(
                    before=WorkspaceSettings(version=1, vocabulary='{"name":"own"}'), after=WorkspaceSettings(version=2)
                )
            },
            ({"version": 1, "vocabulary": {"name": "own"}}, {"version": 2, "vocabulary": None}),
        ),
    ],
)
def test_other_changes(part: dict[str, object], expected: tuple[object, object]) -> None:
    """Every kind of change says what it did."""
    change = Change(seq=1, action="trust.set", subject_kind="k", subject_id="i", reason="r", **part)  # type: ignore[arg-type]  # one part at a time
    assert expected == sides(change)


def proposed(action: Action, proposal: Proposal) -> tuple[object, object]:
    """Give both sides of a proposal's change."""
    return sides(
        Change(seq=1, action=action, subject_kind="proposal", subject_id="prop_1", reason="r", proposal=proposal)
    )


def test_a_proposal_is_after_its_opening_and_before_its_closing() -> None:
    """An opened or edited proposal is what waits from now on; a closed one is gone, and what came of it is there."""
    closed = msgspec.structs.replace(PROPOSAL, state="rejected", note="not now")
    shown = {
        "id": "prop_1",
        "why": "consequence",
        "reason": "a person set it",
        "record_id": "adr-1",
        "batch": {"writes": [{"id": "adr-1"}]},
    }
    assert [(None, shown)] * 2 == [proposed("proposal.opened", PROPOSAL), proposed("proposal.edited", PROPOSAL)]
    assert (shown, {"state": "rejected", "note": "not now"}) == proposed("proposal.closed", closed)


def test_every_part_of_a_change_reads() -> None:
    """No part that a change may have is left without words in a trace."""
    parts = {field.name for field in msgspec.structs.fields(Change) if field.default is None}
    assert parts == set(_SIDES)


def test_a_change_without_parts_says_nothing() -> None:
    """Nothing is made up where a message of a later version carries a part that is not known here."""
    assert ("", "") == before_after(Change(seq=1, action="trust.set", subject_kind="k", subject_id="i", reason="r"))
