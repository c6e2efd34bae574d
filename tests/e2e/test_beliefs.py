"""From an upstream event to a decision that says it needs review, and why."""

import asyncio
import json
from collections.abc import Callable

import pytest

from stanchion import Client
from stanchion.results import Link, Record
from stanchion.writes import Event, Write

Connect = Callable[..., Client]


def reading(number: int, value: int, source: str = "billing") -> Event:
    """Give one measurement of a number that a decision rests on."""
    data = {"subject": "Annual plan", "predicate": "share of revenue", "value": value, "unit": "%"}
    return Event(
        id=f"reading-{number}",
        source=source,
        type="stanchion.measurement.v1",
        data=json.dumps(data).encode(),
    )


async def reads(client: Client, record_id: str, state: str) -> Record:
    """Wait until a record reads so."""
    async with asyncio.timeout(30):
        while True:
            record = await client.get_record(record_id)
            if record.validity is not None and record.validity.state == state:
                return record
            await asyncio.sleep(0.1)


@pytest.mark.timeout(120)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_moved_number_reopens_the_rule_two_links_away(connect: Connect) -> None:
    """Events refute a hypothesis; the decision that assumes it and the rule based on that say so, with their paths."""
    claim = {"subject": "annual plan", "predicate": "share of revenue"}
    condition = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%"}}
    writes = [
        Write(
            id="buyers-prefer-annual",
            kind="hypothesis",
            label="Buyers prefer to pay once a year",
            fields={"status": "open", "claim": claim, "condition": condition},
        ),
        Write(
            id="annual-billing-only",
            kind="decision",
            label="Bill once a year only",
            fields={"status": "active"},
            links={"assumes": [Link(name="assumes", to="buyers-prefer-annual")]},
        ),
        Write(
            id="no-monthly-quotes",
            kind="rule",
            label="Quote no monthly price",
            fields={"status": "active"},
            links={"based_on": [Link(name="based_on", to="annual-billing-only")]},
        ),
    ]
    async with connect(workspace="pricing") as client:
        await client.write_batch(writes)
        rule = await client.get_record("no-monthly-quotes")
        assert rule.validity is not None
        assert rule.validity.state == "current"
        sources = ["billing", "ledger", "survey"]
        events = [reading(number, 12, source) for number, source in enumerate(sources)]
        async for _ in client.publish(events):
            pass
        rule = await reads(client, "no-monthly-quotes", "needs_review")
        decision = await client.get_record("annual-billing-only")
        hypothesis = await client.get_record("buyers-prefer-annual")
        belief = await client.get_belief("annual plan", "share of revenue")
    assert hypothesis.status == "refuted"
    assert belief.values[0].value.text == "12"
    assert rule.validity is not None
    assert decision.validity is not None
    (reason,) = rule.validity.reasons
    assert ("upstream_changed", "buyers-prefer-annual") == (reason.kind, reason.record_id)
    assert [("based_on", "annual-billing-only"), ("assumes", "buyers-prefer-annual")] == [
        (step.link, step.record_id) for step in reason.path
    ]
    assert reason.change is not None
    assert ("field", "status", "refuted") == (reason.change.kind, reason.change.name, reason.change.to)
    assert ["input_changed"] == [reason.kind for reason in decision.validity.reasons]
