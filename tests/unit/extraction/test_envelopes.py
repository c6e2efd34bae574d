"""Events in Debezium's and CloudEvents' envelopes, from what comes in to the claims a mapping makes of it."""

import json
from typing import Any

import pytest

from stanchion_contracts.claim import Claims
from stanchion_contracts.observation import Body, Event
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_extraction.core.mapping import Mappings, parse_mappings
from stanchion_extraction.handler import decider
from stanchion_ingest.core.debezium import change_event
from support.observations import event, observation

MAPPING = """
events:
  debezium.sales.accounts.*:
    - when: data.after
      subject: data.after.name
      predicate: "'monthly price'"
      value: data.after.price
      type: "'money'"
      unit: data.after.currency
    - when: data.after
      subject: data.after.name
      predicate: "'renews'"
      value: data.after.renews_on
      type: "'date'"
      unit: "'days'"
    - when: data.after || data.before
      subject: (data.after || data.before).name
      predicate: "'exists'"
      value: "`true`"
      positive: data.op != 'd'
  com.example.build.finished:
    - subject: event.subject
      predicate: "'build time'"
      value: data.took
      type: "'duration'"
    - each: data.suites
      subject: join(' ', [event.subject, item.name])
      predicate: "'coverage'"
      value: item.coverage
      type: "'percent'"
      source: item.tool
"""
DECIDE = decider(parse_mappings(MAPPING, "test.yaml", base_vocabulary()))


def changed(op: str, before: Any, after: Any) -> Claims:  # noqa: ANN401 - rows
    """Give the claims of a change as Debezium writes it."""
    source = {"connector": "postgresql", "name": "crm", "db": "crm", "schema": "sales", "table": "accounts", "lsn": 7}
    payload = {"op": op, "before": before, "after": after, "source": source}
    inbox = change_event(json.dumps(payload).encode(), "docs", "")
    body = Body(event=Event(type=inbox.type, subject=inbox.subject, data=inbox.data))
    return DECIDE(None, observation(body, source=inbox.source, agent=inbox.source))


def lines(claims: Claims) -> list[str]:
    """Give contributions in a line each."""
    return [
        f"{one.subject} | {one.predicate} | {'' if one.positive else 'not '}{one.value.text} {one.value.unit}".rstrip()
        for one in claims.contributions
    ]


ROW = {"name": "Fabrikam", "price": "1250.50", "currency": "eur", "renews_on": 20_513}


@pytest.mark.parametrize("op", ["c", "u", "r"])
def test_a_row_of_a_database(op: str) -> None:
    """One mapping reads created, changed and snapshotted rows, decimals as texts and dates as days, as measurements."""
    claims = changed(op, None, ROW)
    assert [
        "fabrikam | monthly price | 1250.5 EUR",
        "fabrikam | renews | 2026-03-01",
        "fabrikam | exists | true",
    ] == lines(claims)
    assert {("measurement", "/debezium/postgresql/crm")} == {(one.evidence, one.source) for one in claims.contributions}


def test_a_row_that_is_gone() -> None:
    """A deletion denies what its mapping says of it, and states nothing of the row that was."""
    assert ["fabrikam | exists | not true"] == lines(changed("d", ROW, None))


def test_an_event_of_cloudevents() -> None:
    """A mapping sees the event's subject beside its data; an item may name what it rests on."""
    data = {
        "took": "4m12s",
        "suites": [{"name": "api", "coverage": 84.6, "tool": "cov"}, {"name": "ui", "coverage": "n/a"}],
    }
    seen = event("com.example.build.finished", data).body.event
    assert seen is not None
    body = Body(event=Event(type=seen.type, subject="shop", data=seen.data))
    claims = DECIDE(None, observation(body))
    assert ["shop | build time | 252 s", "shop api | coverage | 84.6"] == lines(claims)
    assert ["urn:plant", "cov"] == [one.source for one in claims.contributions]
    assert ["'n/a' is no percent"] == [left.why for left in claims.left_out]


def test_the_nearest_mapping_reads_a_type() -> None:
    """A type's own mapping goes before a wider one, and the nearest of those before the others."""
    one = parse_mappings(MAPPING, "test.yaml", base_vocabulary()).events["com.example.build.finished"][0]
    own, near, far = (one, one, one), (one, one), (one,)
    mappings = Mappings(events={"a.b.c": own, "a.b.*": near, "a.*": far})
    found = [mappings.rules_for(kind) for kind in ("a.b.c", "a.b.d.e", "a.x", "a", "b.c")]
    assert [3, 2, 1, None, None] == [None if rules is None else len(rules) for rules in found]
