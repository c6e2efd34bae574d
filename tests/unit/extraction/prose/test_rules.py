"""Every rule by name: a text it reads, and one that is nearly so and that it leaves alone."""

import re
from pathlib import Path
from typing import Final

import pytest

from stanchion_contracts.value import Path as Way
from stanchion_extraction.core import prose
from stanchion_extraction.core.prose.found import Found
from stanchion_extraction.core.prose.reader import read

TOOL: Final = ("series", "table", "field", "metric", "summary", "count", "single", "log-field")

CLAIMS: Final[dict[str, tuple[str, str, str]]] = {
    # rule: text, what it finds, near miss
    "level": ("Churn is 6%.", "Churn | is | 6 percent", "Churn is 6% lower than in May."),
    "change": ("Revenue was $4M, up 19%.", "Revenue | up | 19 percent", "Revenue was $4M, up to $5M."),
    "share-at": (
        "Damp is present in 23% of the flats.",
        "Damp flats | is | 23 percent",
        "Damp is present in 23 flats.",
    ),
    "counted": ("Fabrikam has 1,250 seats.", "Fabrikam seats | is | 1250 number", "I compared the two tools."),
    "happened": (
        "The lease expires on 2027-03-31.",
        "lease | expires | 2027-03-31 date",
        "The lease does not expire on 2027-03-31.",
    ),
    "frequency": ("The hall lost power twice in May.", "hall power in May | lost | 2 number", "Ours is twice as big."),
    "part": ("9 of 40 lifts are broken.", "lifts broken | is | 9 number", "9 of the lifts are not broken."),
    "counted-subject": (
        "Three services write to the orders table.",
        "services write to the orders table | is | 3 number",
        "Three big red boats.",
    ),
    "reported-noun": ("Gartner reports 34% growth in Asia.", "growth in Asia | is | 34 percent", "34% growth in Asia."),
    "fragment": ("The budget is burned: 112% used.", "budget used | is | 112 percent", "112% used."),
    "row": ("61 customers, NRR of 118%", "NRR | is | 118 percent", "61 customers"),
    "told": (
        "Gate 4 admits 900 visitors.",
        "Gate 4 visitors | admits | 900 number",
        "Gate 4 proposes 900 visitors.",
    ),
    "fraction": (
        "Half of our vans are electric.",
        "vans electric | is | 50 percent",
        "Half of our vans.",
    ),
    "none-of": (
        "None of the vans has a tow bar.",
        "vans | has tow bar not | true boolean",
        "None of the vans came on 2 May 2026.",
    ),
    "of-whole": (
        "Of the 40 applicants, 12 were invited.",
        "applicants invited | is | 12 number",
        "Of the 40 applicants, most were invited.",
    ),
    "share-of-all": (
        "412 people answered, 8% had trouble logging in.",
        "people had trouble logging in | is | 8 percent",
        "412 people answered, 8% would have trouble.",
    ),
    "inverted": (
        "In our plant is the scrap rate 2.4%.",
        "scrap rate In our plant | is | 2.4 percent",
        "In our plant the scrap rate went.",
    ),
    "verbless": ("Note: error rate 7.4%", "error rate | is | 7.4 percent", "error rate 7.4%"),
    "taken-back": (
        "I take back what I said about the office having 60 desks.",
        "office desks | is not | 60 number",
        "I take the train to the office having 60 desks.",
    ),
    "retraction": (
        "The 40% gross margin figure is wrong.",
        "gross margin | is not | 40 percent",
        "The claim that margin is 40% is wrong.",
    ),
    "existence": ("There are 14 nodes in pool B.", "nodes in pool B | is | 14 number", "There is no need for a pool."),
    "denied-action": (
        "We do not store card numbers.",
        "card numbers | store not | true boolean",
        "We do not know any card numbers.",
    ),
    "state": ("The bucket is encrypted.", "bucket | encrypted | true boolean", "The bucket is beautiful."),
    "aside": (
        "Revenue was $12M in 2025 (2024: $9M).",
        "Revenue 2024 | is | 9000000 money",
        "Revenue was $12M in 2025 (2024: maybe $9M).",
    ),
    "pair": ("gross margin: 68%", "gross margin | is | 68 percent", "forecast margin: 68%"),
    "series": ("Spend: Jan 118k, Feb 121k (all USD)", "Spend Jan | is | 118000 money", "Spend: Jan 118k or so, maybe"),
    "table": (
        "| m | May |\n|---|---|\n| NPS | 31 |",
        "NPS May | is | 31 number",
        "| m | Target |\n|---|---|\n| NPS | 31 |",
    ),
    "field": ('{"name":"db","replicas":2}', "db replicas | is | 2 number", '{"name":"db","desiredReplicas":2}'),
    "metric": ('up_seconds{job="api"} 1.5', "up api | is | 1.5 duration", "chapter 1.5"),
    "summary": ("=== 318 passed, 4 failed ===", "tests passed | is | 318 number", "318 passed the old gate"),
    "count": ("13 vulnerabilities (2 low, 11 high)", "vulnerabilities | is | 13 number", "13 vulnerabilities (maybe)"),
    "single": (" count\n-------\n  8412\n(1 row)", "count | is | 8412 number", " count\n\n  8412"),
    "log-field": ("ts=1 queue=mail depth=12", "mail depth | is | 12 number", "depth=12"),
}

INTENTS: Final[dict[str, tuple[str, str, str]]] = {
    "own-wish": ("I want to target enterprise.", "goal || target enterprise", "I want you to target enterprise."),
    "proposal": ("Let's open a shop in Lyon.", "goal || open a shop in Lyon", "Let's say we open a shop in Lyon."),
    "would-be-good": ("It would be great if we had wifi.", "goal || we had wifi", "It would be late if we had wifi."),
    "stated-goal": ("Our goal is 95% by June.", "goal || Our goal is 95% by June", "Our goalkeeper is 95."),
    "wish-of-others": ("Maya wants a second kiln.", "goal | Maya | a second kiln", "Postgres needs 4 GB of memory."),
    "requested": ("We were asked by legal to keep logs.", "goal | legal | keep logs", "We were asked by legal."),
    "elided-wish": (
        "Fabrikam has 12 seats and would like a discount.",
        "goal | Fabrikam | a discount",
        "Fabrikam has 12 seats and 3 desks.",
    ),
    "decision": ("We've decided to close on Mondays.", "constraint || close on Mondays", "We've decided nothing."),
    "stated-limit": (
        "Hard limit from finance: 100k USD a month.",
        "constraint | finance | Hard limit from finance: 100k USD a month",
        "The limits were tested twice.",
    ),
    "binding-source": (
        "Rule R-12 forbids raw video.",
        "constraint | Rule R-12 | forbids raw video",
        "The caps are red.",
    ),
    "obligation": ("Visitors must sign in.", "constraint || Visitors must sign in", "We had to sign in."),
    "resolve": ("We will use PostgreSQL.", "constraint || use PostgreSQL", "We will probably use PostgreSQL."),
    "bare-rule": (
        "No smoking on site.",
        "constraint || No smoking on site",
        "No smoking was seen on site.",
    ),
    "standing-rule": (
        "From now on every image is signed.",
        "constraint || From now on every image is signed",
        "Every image was signed by the job.",
    ),
    "sealed": (
        "Laptops are encrypted. No exceptions.",
        "constraint || Laptops are encrypted",
        "Laptops are encrypted. No surprises.",
    ),
    "label": ("## Goals\n- less paper", "goal || less paper", "## Findings\n- less paper"),
    "field": ('{"name":"db","target":2}', "goal || db target 2", '{"name":"db","limit":2}'),
    "table": (
        "| m | Target |\n|---|---|\n| NPS | 31 |",
        "goal || NPS Target 31",
        "| m | May |\n|---|---|\n| NPS | 31 |",
    ),
    "pair": ("objective: 99.95%", "goal || objective 99.95%", "objection: 99.95%"),
    "aside": ("Uptime was 98.1% (target 99%).", "goal || target 99%", "Uptime was 98.1% (audited)."),
}


def way_of(rule: str, text: str) -> Way:
    """Give the path a rule's text comes by: what systems print comes from a tool."""
    return "tool-result" if rule in TOOL or text.startswith("{") else "user-message"


def claims_of(found: Found, rule: str) -> list[str]:
    """Give what one rule found, each in a line."""
    return [
        f"{one.subject} | {one.predicate}{'' if one.positive else ' not'} | {one.value.text} {one.value.type}"
        for one in found.claims
        if one.rule == rule
    ]


def intents_of(found: Found, rule: str) -> list[str]:
    """Give the intents one rule found, each in a line."""
    return [
        f"{one.kind} | {one.holder} | {one.gist}".replace("|  |", "||") for one in found.intents if one.rule == rule
    ]


@pytest.mark.parametrize("rule", CLAIMS)
def test_a_rule_finds_its_claim(rule: str) -> None:
    """The rule reads what it is for, in the text's own words and typed."""
    text, expected, _ = CLAIMS[rule]
    assert expected in claims_of(read(text, way_of(rule, text)), rule)


@pytest.mark.parametrize("rule", CLAIMS)
def test_a_rule_leaves_a_near_miss_alone(rule: str) -> None:
    """What only looks like it is not read by the rule."""
    near = CLAIMS[rule][2]
    assert [] == claims_of(read(near, way_of(rule, near)), rule)


@pytest.mark.parametrize("rule", INTENTS)
def test_a_rule_finds_its_intent(rule: str) -> None:
    """The rule keeps what is wanted, by whom, and no claim beside it that the text does not state."""
    text, expected, _ = INTENTS[rule]
    assert expected in intents_of(read(text, way_of(rule, text)), rule)


@pytest.mark.parametrize("rule", INTENTS)
def test_a_near_miss_is_no_intent(rule: str) -> None:
    """What only looks like a wish or a bond is none."""
    near = INTENTS[rule][2]
    assert [] == intents_of(read(near, way_of(rule, near)), rule)


def test_every_rule_is_in_the_tables() -> None:
    """A rule that the code names and nobody tried fails here."""
    folder = Path(prose.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    claims = set(re.findall(r"claim\(\s*\"([a-z-]+)\"", source))
    named = set(re.findall(r"rule=\"([a-z-]+)\"", source))
    wants = set(re.findall(r"Want\(\s*(?:kind|\"[a-z]+\"),\s*\"([a-z-]+)\"", source))
    assert claims | named | wants == set(CLAIMS) | set(INTENTS)
    assert claims <= set(CLAIMS)
    assert wants <= set(INTENTS)


@pytest.mark.parametrize(("heading", "found"), [("Q3", 1), ("Q3 2026", 1), ("2026-Q3", 1), ("Q", 0), ("Q17", 0)])
def test_a_quarter_above_a_text_is_no_question(heading: str, found: int) -> None:
    """A report of a quarter states what stands in it; below a question's number nothing is stated."""
    assert found == len(read(f"# {heading}\n\nChurn is 4%.\n", "tool-result").claims)


@pytest.mark.parametrize(
    ("unit", "kept"),
    [("MUSD", "MUSD"), ("MW", "MW"), ("°C", "°C"), ("requests", ""), ("", "")],
)
def test_a_unit_that_nobody_knows_stays_beside_its_number(unit: str, kept: str) -> None:
    """Three million dollars are no three: without its unit a number would be another value. What is counted is none."""
    (claim,) = read(f'{{"arr": {{"value": 3, "unit": "{unit}"}}}}', "tool-result").claims
    assert ("number", "3", kept) == (claim.value.type, claim.value.text, claim.value.unit)
