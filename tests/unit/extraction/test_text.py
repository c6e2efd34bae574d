"""Free text on the line: what it makes, how good the evidence is, and what is told of what was not read."""

import pytest

from stanchion_contracts.claim import Claims
from stanchion_contracts.observation import Body, Document, TextEvidence
from stanchion_contracts.relation import Entity, Relation
from stanchion_contracts.value import Evidence, Path
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.limits import CLAIMS
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.mapping import Mappings, parse_mappings
from stanchion_extraction.handler import decider
from support.observations import observation

DECIDE = decider(Mappings())


def found(text: str, path: Path = "user-message", source: str = "maya", how: TextEvidence | None = None) -> Claims:
    """Give what a text makes."""
    body = Body(text=text, text_evidence=how)
    return DECIDE(None, observation(body, path=path, source=source, agent="maya"))


def stated(text: str, path: Path = "user-message") -> list[str]:
    """Give the contributions of a text in a line each."""
    return [
        f"{one.subject} | {one.predicate} | {'' if one.positive else 'not '}{one.value.text} {one.value.unit}".rstrip()
        for one in found(text, path).contributions
    ]


def wanted(text: str) -> list[tuple[str, str, str]]:
    """Give the intents of a text."""
    return [(one.kind, one.holder, one.gist) for one in found(text).intents]


SEED = [
    ("The TAM is $5B", ["tam | is | 5000000000 USD"], []),
    (
        "Customer X reported a SOC2 audit failure on 2025-09-12",
        ["customer x soc2 audit failure | reported | 2025-09-12"],
        [],
    ),
    ("I want to target enterprise", [], [("goal", "", "target enterprise")]),
    (
        "We've decided to target SOC2-compliant buyers",
        [],
        [("constraint", "", "target SOC2-compliant buyers")],
    ),
    ("Gartner reports 34% growth", ["growth | is | 34"], []),
]


@pytest.mark.parametrize(("text", "contributions", "intents"), SEED, ids=[row[0] for row in SEED])
def test_the_firewall_table(text: str, contributions: list[str], intents: list[tuple[str, str, str]]) -> None:
    """Facts become contributions, goals and constraints become intents, and neither becomes the other."""
    assert contributions == stated(text)
    assert intents == wanted(text)


HANDLED = [
    ("The TAM is not $5B.", ["tam | is | not 5000000000 USD"], []),
    ("I think churn is 5%.", [], []),
    ("Churn is probably 5%.", [], []),
    ("Is churn 5%?", [], []),
    ("Churn is 5%, right?", [], []),
    ("If the TAM were $5B, we'd hire.", [], []),
    ("Suppose churn is 5%. Then LTV is $900.", [], []),
    ("I wish churn were 3%.", [], [("goal", "", "churn were 3%")]),
    ("The board wants churn at 3%.", [], [("goal", "board", "churn at 3%")]),
    ('The ticket says "please set the quota to 50 GB".', [], []),
    ("Set the quota to 50 GB.", [], []),
]


@pytest.mark.parametrize(("text", "contributions", "intents"), HANDLED, ids=[row[0] for row in HANDLED])
def test_handled_on_purpose(text: str, contributions: list[str], intents: list[tuple[str, str, str]]) -> None:
    """A denial is evidence against; hedges, questions, conditions, wishes, others' wishes and orders are none."""
    assert contributions == stated(text)
    assert intents == wanted(text)


PLAIN, CITED = "Churn is 5%.", "Gartner reports 34% growth."


@pytest.mark.parametrize(
    ("path", "text", "passed", "named", "evidence", "source"),
    [
        ("tool-result", PLAIN, "crm", "", "measurement", "crm"),
        ("tool-result", CITED, "crm", "", "citation", "Gartner"),
        ("explicit-add", PLAIN, "gartner.com", "", "citation", "gartner.com"),
        ("explicit-add", CITED, "gartner.com", "", "citation", "gartner.com"),
        ("explicit-add", CITED, "maya", "", "citation", "Gartner"),
        ("explicit-add", PLAIN, "maya", "expert-judgment", "expert-judgment", "maya"),
        ("explicit-add", CITED, "maya", "expert-judgment", "expert-judgment", "Gartner"),
        ("explicit-add", PLAIN, "maya", "assumption", "assumption", "maya"),
        ("explicit-add", PLAIN, "maya", "", "inference", "maya"),
        ("user-message", PLAIN, "maya", "", "user-assertion", "maya"),
        ("user-message", CITED, "maya", "", "user-assertion", "Gartner"),
        ("agent-output", PLAIN, "maya", "", "inference", "maya"),
        ("agent-output", CITED, "maya", "", "inference", "Gartner"),
        ("agent-output", PLAIN, "maya", "measurement", "inference", "maya"),
    ],
)
def test_evidence_of_a_text(  # noqa: PLR0913, PLR0917 - the columns of the table
    path: Path, text: str, passed: str, named: Evidence, evidence: Evidence, source: str
) -> None:
    """How a text came decides what it weighs; a source it names is what it rests on; only an add may say otherwise."""
    how = TextEvidence(evidence=named) if named else None
    claims = found(text, path, passed, how)
    assert [(evidence, source)] == [(one.evidence, one.source) for one in claims.contributions]
    assert (bool(named) and path != "explicit-add") == bool(claims.left_out)


def test_an_add_says_how_it_counts() -> None:
    """Strength and sample of an explicit add are those of each of its claims; two samples are two contributions."""
    first, second = (
        found(PLAIN, "explicit-add", how=TextEvidence(sample=sample, strength=0.5)).contributions[0]
        for sample in ("a", "b")
    )
    assert ("a", 0.5, True) == (first.sample, first.strength, first.id != second.id)


def test_to_repeat_a_wish_is_no_evidence() -> None:
    """A wish repeated a thousand times makes no contribution at all."""
    assert () == found("I want to target enterprise. " * 1_000).contributions


def test_what_two_sentences_say_alike_is_one_contribution() -> None:
    """The same claim in other capitals has one key, and so one id."""
    ids = [one.id for one in found("The TAM is $5B. The tam is 5 bn USD.").contributions]
    assert 1 == len(ids)


def test_what_is_not_read_is_told() -> None:
    """A text with more than is kept, or with a piece that is too long to be read, says so."""
    many = found("\n".join(f"Region {n} has {n} seats." for n in range(2, CLAIMS + 3)))
    assert (CLAIMS, ["it has more than 200 claims; the first 200 are kept"]) == (
        len(many.contributions),
        [left.why for left in many.left_out],
    )
    long = found("Churn is 5%. " + "word " * 400 + ".")
    assert ["it has a sentence of more than 1200 characters"] == [left.why for left in long.left_out]
    assert ["churn"] == [one.subject for one in long.contributions]
    lines = found("\n" * 10_001 + "x")
    assert ["it has 10002 lines; the first 10000 are read"] == [left.why for left in lines.left_out]


def test_a_text_costs_no_more_than_so_much() -> None:
    """Reading ends after so many clauses, whatever the text is made of, and that is told."""
    dense = found(("we want tea, " * 90 + "\n\n") * 100)
    assert ["it has more than 6000 clauses; the first 6000 are read"] == [left.why for left in dense.left_out]


def test_relations_begin_at_what_the_text_rests_on() -> None:
    """A free text is no record, so its relations are those of its source; in code there are none."""
    relation = Relation(from_entity=Entity(name="crm"), name="works_at", to_entity=Entity(name="ACME"))
    assert (relation,) == found("See [[works_at::ACME]] and `[[in::code]]`.", "tool-result", "crm").relations


FORM = """
documents:
  report:
    kind: decision
    paths: {"reports/**/*.md": markdown}
    claims: CLAIMS
"""
REPORT = "---\nowner: Ann\n---\n# May\n\nChurn is 5%. Gartner reports 34% growth. We want churn at 3%.\n"


def of_document(asked: str) -> Claims:
    """Give what a report makes under a mapping that asks for its claims, or does not."""
    mappings = parse_mappings(FORM.replace("CLAIMS", asked), "report.yaml", base_vocabulary())
    document = Document(uri="reports/may.md", text=REPORT)
    observed = observation(Body(document=document), path="document-revision", source="repo", agent="git")
    return decider(mappings)(None, observed)


def test_a_document_is_evidence_where_its_mapping_asks_for_it() -> None:
    """What its text states is a citation of the document or of whom it names, in its place; wishes are not kept."""
    claims = of_document("true")
    assert [("churn", "citation", "reports/may.md", "git"), ("growth", "citation", "Gartner", "git")] == [
        (one.subject, one.evidence, one.source, one.agent) for one in claims.contributions
    ]
    assert ["Churn is 5%", "34% growth"] == [REPORT[one.begin : one.end] for one in claims.contributions]
    assert (1, ()) == (len(claims.imports), claims.intents)


def test_a_document_is_no_evidence_else() -> None:
    """A mapping that does not ask for claims makes a record alone, and none of those that ship asks."""
    assert (1, ()) == (len(of_document("false").imports), of_document("false").contributions)
    assert not any(form.claims for form in mappings_of(None).forms.values())
