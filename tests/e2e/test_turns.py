"""What an agent says, hears and finds in a turn, through the whole line: beliefs move, wishes do not, rules fall."""

import asyncio
import json
import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest

from stanchion import Client, Event, SyncClient, Value, Write
from stanchion.believed import Belief
from stanchion.results import Link
from stanchion.settings import ClientSettings
from stanchion_local.supervisor import Supervisor

LOG = logging.getLogger(__name__)
Connect = Callable[..., Client]

FIVE = Value(type="money", text="5000000000", unit="USD")

FIREWALL = (
    ("tool", "The TAM is $5B", ("tam", "is", FIVE), ""),
    (
        "tool",
        "Customer X reported a SOC2 audit failure on 2025-09-12",
        ("customer x soc2 audit failure", "reported", Value(type="date", text="2025-09-12")),
        "",
    ),
    ("user", "I want to target enterprise", None, "goal"),
    ("user", "We've decided to target SOC2-compliant buyers", None, "constraint"),
    ("tool", "Gartner reports 34% growth", ("growth", "is", Value(type="percent", text="34")), ""),
)
"""Who says what, and what becomes of it: a claim with its value, or an intent of a kind."""


@pytest.fixture
def workspace() -> str:
    """A workspace of the test's own."""
    return f"turns-{secrets.token_hex(4)}"


def state(belief: Belief) -> list[tuple[Value, float]]:
    """Give what of a belief only evidence moves: its values, with their evidence to the bit at a time."""
    return [(each.value, round(each.evidence, 4)) for each in belief.values]


@pytest.mark.timeout(60)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_turn_sees_what_it_learned(connect: Connect, workspace: str) -> None:
    """A wish is an intent and moves nothing; a finding moves a belief, and the next call of the turn sees it."""
    waits_ms = []
    async with connect(workspace=workspace) as client, client.turn("What is the TAM of enterprise?") as turn:
        assert () == turn.briefing.beliefs
        wished = await turn.after(user_message="I want to target enterprise")
        assert ((), 1) == (wished.moved, len(wished.intents))
        begun = perf_counter()
        learned = await turn.after(tool_result="The TAM is $5B", source="crunchbase")
        held = await client.belief("TAM", "is")
        waits_ms.append((perf_counter() - begun) * 1_000)
        (moved,) = learned.moved
        assert ("tam", "is", None, FIVE) == (moved.subject, moved.predicate, moved.value_before, moved.value)
        assert (FIVE, 0.831) == (held.value, round(held.probability, 3))
        (voice,) = held.contributions
        assert ("measurement", "crunchbase", "level", (4, 14)) == (
            voice.evidence,
            voice.source,
            voice.rule,
            (voice.begin, voice.end),
        )
        for number in range(10):
            begun = perf_counter()
            await turn.after(tool_result=f"Churn is {number}%", source=f"crm-{number}")
            found = await client.belief("churn", "is")
            waits_ms.append((perf_counter() - begun) * 1_000)
            assert number + 1 == len(found.contributions)
        before = state(await client.belief("tam", "is"))
        for _ in range(5):
            again = await turn.after(user_message="I want the TAM to be $9B. I want to target enterprise.")
            assert () == again.moved
        assert before == state(await client.belief("tam", "is"))
        told = await turn.refresh()
    assert ["tam"] == [each.subject for each in told.beliefs]
    assert "target enterprise" in [each.gist for each in told.intents]
    assert "- tam · is: 5,000,000,000 USD (P 0.83); 34% of it open" in told.text
    middle_ms = median(waits_ms)
    LOG.info("from telling to seeing: %.0f ms in the middle, %.0f to %.0f", middle_ms, min(waits_ms), max(waits_ms))
    assert middle_ms < 2_000


@pytest.mark.timeout(60)
@pytest.mark.asyncio(loop_scope="session")
async def test_facts_move_beliefs_and_wishes_do_not(connect: Connect, workspace: str) -> None:
    """Each row of the firewall's table: what it moves, to which value; what it notes, of which kind."""
    async with connect(workspace=workspace) as client:
        await client.write_batch([Write(id="d1", kind="document", label="Begins the workspace")])
        for said, text, claim, kind in FIREWALL:
            known = {each.id for each in [each async for each in client.intents()]}
            if said == "user":
                learned = await client.after(user_message=text)
            else:
                learned = await client.after(tool_result=text)
            moved = [(each.subject, each.predicate, each.value) for each in learned.moved]
            noted = [each.kind async for each in client.intents() if each.id not in known]
            assert ([claim] if claim else [], [kind] if kind else []) == (moved, noted), text
            assert len(noted) == len(learned.intents)
        growth = await client.belief("growth", "is")
    assert [("Gartner", "citation")] == [(each.source, each.evidence) for each in growth.contributions]


@pytest.mark.timeout(60)
@pytest.mark.asyncio(loop_scope="session")
async def test_an_event_refutes_and_a_rule_two_links_away_says_so(connect: Connect, workspace: str) -> None:
    """One structured event refutes a hypothesis; the next read of the rule needs review, with the path."""
    claim = {"subject": "annual plan", "predicate": "share of revenue"}
    condition = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%"}}
    writes = [
        Write(
            id="annual-sells",
            kind="hypothesis",
            label="Buyers pay once a year",
            fields={"status": "open", "claim": claim, "condition": condition},
        ),
        Write(
            id="annual-only",
            kind="decision",
            label="Bill once a year only",
            fields={"status": "active"},
            links={"assumes": [Link(name="assumes", to="annual-sells")]},
        ),
        Write(
            id="no-monthly-quotes",
            kind="rule",
            label="Quote no monthly price",
            fields={"status": "active"},
            links={"based_on": [Link(name="based_on", to="annual-only")]},
        ),
    ]
    data = {"subject": "Annual plan", "predicate": "share of revenue", "value": 12, "unit": "%"}
    event = Event(id="e1", source="billing", type="stanchion.measurement.v1", data=json.dumps(data).encode())
    async with connect(workspace=workspace) as client:
        await client.write_batch(writes)
        await client.trust.set("billing", 1.0)
        assert not (await client.get_record("no-monthly-quotes")).needs_review
        begun = perf_counter()
        (published,) = [each async for each in client.publish([event], await_answer=True)]
        rule = await client.get_record("no-monthly-quotes")
        LOG.info("from publishing to a rule that needs review: %.0f ms", (perf_counter() - begun) * 1_000)
        told = await client.before("Quote a price for the annual plan")
    assert published.answer is not None
    assert [("annual plan", "12")] == [
        (each.subject, each.value and each.value.text) for each in published.answer.beliefs
    ]
    assert rule.validity is not None
    (reason,) = rule.validity.reasons
    assert ("needs_review", [("based_on", "annual-only"), ("assumes", "annual-sells")]) == (
        rule.validity.state,
        [(step.link, step.record_id) for step in reason.path],
    )
    assert {"annual-sells", "annual-only", "no-monthly-quotes"} == {each.id for each in told.doubtful}
    assert "based on annual-only → assumes annual-sells (Buyers pay once a year): refuted" in told.text


@pytest.mark.timeout(60)
@pytest.mark.asyncio(loop_scope="session")
async def test_sources_earn_trust_by_what_turns_out(
    home: Path,
    line: Supervisor,  # noqa: ARG001 - the line is up
    workspace: str,
) -> None:
    """Two sources differ, one was right: trust follows at once, and calibration knows; without an event loop."""
    settings = ClientSettings.model_validate({"home": home, "workspace": workspace})

    def work() -> None:
        with SyncClient(settings) as client:
            client.add(subject="launch", predicate="is late", value=True, source="pessimist", evidence="measurement")
            client.add(subject="launch", predicate="is late", value=False, source="optimist", evidence="measurement")
            even = client.belief("launch", "is late")
            assert (0.5, True) == (round(even.probability, 3), even.contradicted)
            client.resolve("launch", "is late", value=True)
            trust = {each.name: (each.basis, each.hits, each.judged) for each in client.trust.list()}
            assert {"pessimist": ("outcomes", 1, 1), "optimist": ("outcomes", 0, 1)} == trust
            told = client.calibration()
            assert (1, {"pessimist": 1, "optimist": 0}) == (
                told.resolved,
                {each.name: each.hits for each in told.calibrations if each.by == "source"},
            )
            held = client.belief("launch", "is late")
            assert (True, held.probability > even.probability) == (held.resolved is not None, True)
            client.reopen("launch", "is late")
            assert () == client.trust.list()

    await asyncio.to_thread(work)
