"""What extraction does with a message."""

from typing import Any

import pytest
from msgspec.structs import replace

from stanchion_contracts.claim import Claims, Contribution, Import, Intent, LeftOut
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.finding import Finding
from stanchion_contracts.observation import Body, Document, Reassess, Resolution, StatedClaim, Tick, TrustSetting
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.record import FieldValue
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Entity, Relation
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Evidence, Path, Value
from stanchion_extraction.app import build, mappings_of
from stanchion_extraction.handler import decider, evolve
from stanchion_extraction.settings import ExtractionSettings
from support.observations import NOW_US, event, observation

DECIDE = decider(mappings_of(None))
FIVE = Value(type="number", text="5")


def test_golden_event() -> None:
    """A measurement becomes this contribution, id and all."""
    found = DECIDE(None, event("stanchion.measurement.v1", {"subject": "Pump", "predicate": "t", "value": 5}))
    made = Contribution(
        id="con_71d4c27d006c9dd40732f9a9afedfc61",
        subject="pump",
        predicate="t",
        value=FIVE,
        evidence="measurement",
        source="urn:plant",
        agent="urn:plant",
        observed_at_us=NOW_US - 1,
    )
    assert Claims(meta=observation(Body()).meta, contributions=(made,)) == found


def test_golden_document() -> None:
    """A revision becomes this import."""
    text = "# 4. Use X\n\nDate: 2020-01-02\n\n## Status\n\nAccepted\n"
    document = Document(uri="adr/0004-x.md", text=text, revision="abc", author="jane")
    record = Import(
        uri="adr/0004-x.md",
        record_id="0004-x",
        kind="decision",
        label="Use X",
        body="# 4. Use X\n\nDate: 2020-01-02\n",
        fields=(
            FieldValue(name="decided_on", value='"2020-01-02"'),
            FieldValue(name="status", value='"active"'),
            FieldValue(name="upstream_status", value='"Accepted"'),
        ),
        revision="abc",
        author="jane",
        revised_at_us=1_799_999_999_999_999,
    )
    observed = observation(Body(document=document), path="document-revision")
    assert Claims(meta=observed.meta, imports=(record,)) == DECIDE(None, observed)


def test_a_stamp_is_no_time_of_a_revision() -> None:
    """An event that does not say when the revision was made has the stamp of its coming, which orders nothing."""
    document = Document(uri="adr/1.md", text="# X\n\n## Status\n\nAccepted\n")
    observed = observation(Body(document=document), path="document-revision")
    stamped = replace(observed, observed_at_us=observed.meta.time_us)
    assert [0] == [made.revised_at_us for made in DECIDE(None, stamped).imports]


def test_relations_of_documents_and_of_callers() -> None:
    """What a text states begins at its record; what a caller states passes on as it is, beside claims or alone."""
    text = "# X [[owned_by::Ops]]\n\n## Status\n\nAccepted\n"
    document = observation(Body(document=Document(uri="adr/1.md", text=text)), path="document-revision")
    assert (Relation(name="owned_by", to_entity=Entity(name="Ops")),) == DECIDE(None, document).relations
    stated = (Relation(from_entity=Entity(name="a"), name="r", to_entity=Entity(name="b"), valid_at_us=1),)
    claims = (StatedClaim(subject="s", predicate="p", value=FIVE),)
    for body, made in ((Body(relations=stated), 0), (Body(claims=claims, relations=stated), 1)):
        found = DECIDE(None, observation(body, path="explicit-add"))
        assert (stated, made) == (found.relations, len(found.contributions))


ALL = [
    event("stanchion.claims.v1", {"claims": [{"subject": "s", "predicate": "p", "value": True}]}),
    event("unknown.type", {}),
    observation(Body(document=Document(uri="a/1.md", text="# X\n\n## Status\n\nAccepted\n")), path="document-revision"),
    observation(Body(text="The TAM is $5B."), path="agent-output"),
    observation(Body(claims=(StatedClaim(subject="s", predicate="p", value=FIVE),)), path="explicit-add"),
    observation(Body(tick=Tick(hour=1))),
]


@pytest.mark.parametrize("observed", ALL)
def test_delivered_twice(observed: Any) -> None:  # noqa: ANN401 - an observation
    """The same observation gives the same claims to the byte, through the wire as well."""
    first = DECIDE(None, observed)
    assert encode(first) == encode(DECIDE(None, observed))
    assert first == decode(encode(first), Claims)


def test_order_and_state() -> None:
    """There is no state that an output could change, so order cannot matter."""
    outputs = [DECIDE(None, observed) for observed in ALL]
    for output in outputs:
        evolve(None, output)
    assert outputs[::-1] == [DECIDE(None, observed) for observed in ALL[::-1]]


def test_passes_on() -> None:
    """Trust settings, ticks, reassessments, estimates, findings and refusals go down the line."""
    estimates = (Estimate(name="a", trust=0.5, accuracy=0.9, claims=3),)
    findings = (Finding(kind="stale", subject="s", predicate="p", detail="why"),)
    trust, tick, reassess = TrustSetting(name="a", value=0.5), Tick(hour=1), Reassess(trust_seq=1, n=2)
    meta = observation(Body()).meta
    assert [
        Claims(meta=meta, trust=trust),
        Claims(meta=meta, tick=tick),
        Claims(meta=meta, reassess=reassess),
        Claims(meta=meta, estimates=estimates),
        Claims(meta=meta, findings=findings),
        Claims(meta=meta, refusal=Refusal(reason="TOO_LARGE", detail="why")),
    ] == [
        DECIDE(None, observation(Body(trust=trust))),
        DECIDE(None, observation(Body(tick=tick))),
        DECIDE(None, observation(Body(reassess=reassess))),
        DECIDE(None, observation(Body(estimates=estimates))),
        DECIDE(None, observation(Body(findings=findings))),
        DECIDE(None, observation(Body(), refusal="TOO_LARGE")),
    ]


def test_resolution_has_the_claims_key() -> None:
    """What turned out to be true meets the claim it is about."""
    found = DECIDE(None, observation(Body(resolution=Resolution(subject=" PUMP", predicate="T ", value=FIVE))))
    assert Resolution(subject="pump", predicate="t", value=FIVE) == found.resolution
    wrong = Resolution(subject="a", predicate="b", value=Value(type="number", text="x"))
    refused = DECIDE(None, observation(Body(resolution=wrong)))
    assert refused.refusal is not None
    assert ("FIELD_VALUE", "value") == (refused.refusal.reason, refused.refusal.field)


def test_golden_text() -> None:
    """A sentence that says what is and what is wanted makes one contribution and one intent, each with its place."""
    text = "The TAM is $5B, so I want to target enterprise. [[works_at::ACME]]"
    found = DECIDE(None, observation(Body(text=text), path="user-message", source="maya", agent="maya"))
    made = Contribution(
        id="con_385983f062604fdb0e158a426287c466",
        subject="tam",
        predicate="is",
        value=Value(type="money", text="5000000000", unit="USD"),
        evidence="user-assertion",
        source="maya",
        agent="maya",
        observed_at_us=NOW_US - 1,
        rule="level",
        begin=4,
        end=14,
    )
    wanted = Intent(kind="goal", gist="target enterprise", rule="own-wish", begin=19, end=47)
    relation = Relation(from_entity=Entity(name="maya"), name="works_at", to_entity=Entity(name="ACME"))
    meta = observation(Body()).meta
    meta = replace(meta, actor=replace(meta.actor, id="maya"))
    assert Claims(meta=meta, contributions=(made,), intents=(wanted,), relations=(relation,)) == found


def test_policies_have_the_claims_key() -> None:
    """A policy for a predicate meets the claims it is about; one without is the workspace's."""
    policies = [PolicySetting(predicate=" Monthly  CHURN", half_life="fast"), PolicySetting(consensus=True)]
    assert [replace(policies[0], predicate="monthly churn"), policies[1]] == [
        DECIDE(None, observation(Body(policy=policy))).policy for policy in policies
    ]
    refused = DECIDE(None, observation(Body(policy=PolicySetting(predicate="\u200b")))).refusal
    assert refused is not None
    assert ("FIELD_VALUE", "predicate") == (refused.reason, refused.field)


def test_unknown_event_is_left_out() -> None:
    """An event without a mapping is named."""
    expected = (LeftOut(what="unknown.type", why="no mapping is declared for this type of event"),)
    assert expected == DECIDE(None, event("unknown.type", {})).left_out


@pytest.mark.parametrize(
    ("path", "source", "stated", "expected"),
    [
        ("tool-result", "db", "", "measurement"),
        ("user-message", "maya", "", "user-assertion"),
        ("agent-output", "maya", "", "inference"),
        ("explicit-add", "maya", "", "inference"),
        ("explicit-add", "gartner", "", "citation"),
        ("explicit-add", "maya", "expert-judgment", "expert-judgment"),
        ("explicit-add", "maya", "assumption", "assumption"),
        ("user-message", "maya", "measurement", "user-assertion"),
        ("document-revision", "repo", "", "citation"),
        ("system-event", "plant", "", "measurement"),
    ],
)
def test_evidence_by_path(path: Path, source: str, stated: Evidence, expected: Evidence) -> None:
    """How it came decides what it weighs; only an explicit add may say otherwise, and what is ignored is reported."""
    claim = StatedClaim(subject="s", predicate="p", value=FIVE, evidence=stated)
    found = DECIDE(None, observation(Body(claims=(claim,)), path=path, source=source, agent="maya"))
    assert [expected] == [made.evidence for made in found.contributions]
    assert bool(stated and stated != expected) == bool(found.left_out)


def test_wrong_value_refuses_all() -> None:
    """A caller that states a wrong value gets the claim's number and the reason; nothing lands."""
    claims = (
        StatedClaim(subject="s", predicate="p", value=FIVE),
        StatedClaim(subject="s", predicate="p", value=Value(type="date", text="soon")),
    )
    found = DECIDE(None, observation(Body(claims=claims), path="explicit-add"))
    assert found.refusal is not None
    assert ((), "FIELD_VALUE", "claims[1].value", True) == (
        found.contributions,
        found.refusal.reason,
        found.refusal.field,
        found.refusal.detail.startswith("claim 2: "),
    )


@pytest.mark.parametrize(
    ("reason", "subject"), [("FIELD_VALUE", "\u200b \u2060"), ("TOO_LARGE", "\ufdfa" * 15), ("TOO_LARGE", "s" * 257)]
)
def test_names_that_give_no_key_are_refused(reason: str, subject: str) -> None:
    """A name that nobody can see, or that its key makes longer than a name may be, is refused and named."""
    claim = StatedClaim(subject=subject, predicate="p", value=FIVE)
    resolution = Resolution(subject=subject, predicate="p", value=None)
    for body, field in ((Body(claims=(claim,)), "claims[0].subject"), (Body(resolution=resolution), "subject")):
        found = DECIDE(None, observation(body, path="explicit-add"))
        assert found.refusal is not None
        assert ((), None, reason, field) == (
            found.contributions,
            found.resolution,
            found.refusal.reason,
            found.refusal.field,
        )


def test_text_values_are_bounded_in_bytes() -> None:
    """A text value of up to 4,096 bytes in UTF-8 is kept; a longer one, though of fewer characters, is refused."""
    for text, reason in (("\u6c34" * 1_365, ""), ("\u6c34" * 1_366, "FIELD_VALUE")):
        claim = StatedClaim(subject="s", predicate="p", value=Value(type="string", text=text))
        refusal = DECIDE(None, observation(Body(claims=(claim,)), path="explicit-add")).refusal
        assert reason == (refusal.reason if refusal else "")


def test_samples_are_contributions_of_their_own() -> None:
    """Two independent readings of one value do not collapse into one."""
    claims = tuple(StatedClaim(subject="s", predicate="p", value=FIVE, sample=sample) for sample in ("", "a", "b"))
    found = DECIDE(None, observation(Body(claims=claims), path="tool-result"))
    assert 3 == len({made.id for made in found.contributions})


def test_stage() -> None:
    """The wiring is of the line, and this is an edge: what cannot be read goes to the dead letters."""
    stage = build(ExtractionSettings())
    assert (("observations",), "claims", True) == (stage.inputs, stage.output, stage.dead_letters)
    assert stage.dead_letters_of("observations")
