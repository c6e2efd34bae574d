"""Change events of databases."""

import json
from typing import Any

import msgspec
import pytest

from stanchion_contracts.observation import InboxEvent
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.upstream import read_inbox

HEADERS = (("workspace", b"acme"), ("room", b"growth"))
POSTGRES = {
    "version": "3.3.1.Final",
    "connector": "postgresql",
    "name": "crm",
    "ts_ms": 1_796_041_000_123,
    "snapshot": "false",
    "db": "crm",
    "sequence": '["1","2"]',
    "schema": "public",
    "table": "accounts",
    "txId": 555,
    "lsn": 24_023_128,
    "xmin": None,
}


def envelope(op: str = "u", source: dict[str, Any] | None = None, **members: object) -> dict[str, Any]:
    """A change of one account's plan, as a PostgreSQL connector writes it."""
    return {
        "before": {"id": 7, "plan": "free"},
        "after": {"id": 7, "plan": "pro"},
        "source": source or POSTGRES,
        "op": op,
        "ts_ms": 1_796_041_000_500,
        "transaction": None,
        **members,
    }


def read(value: object) -> InboxEvent:
    """Read an envelope from the inbox."""
    return read_inbox(json.dumps(value).encode(), HEADERS, "inbox:0:0").event


def test_golden_change() -> None:
    """A change becomes an event whose type tells table and operation, dated by the database."""
    found = read(envelope())
    expected = {
        "after": {"id": 7, "plan": "pro"},
        "before": {"id": 7, "plan": "free"},
        "op": "u",
        "position": "lsn=24023128",
        "table": "public.accounts",
    }
    assert expected == json.loads(found.data)
    assert ("/debezium/postgresql/crm", "debezium.public.accounts.updated") == (found.source, found.type)
    assert ("acme", "growth", "2026-11-30T12:16:40.123000+00:00") == (found.workspace, found.room, found.time)


def test_schema_and_payload() -> None:
    """An envelope beside its schema is the same event as one alone."""
    assert read(envelope()) == read({"schema": {"type": "struct"}, "payload": envelope()})


def test_sent_again_by_a_restarted_connector() -> None:
    """What a restarted connector sends again is the same event, though its own clock and transaction number differ."""
    again = envelope(source=POSTGRES | {"txId": 9, "xmin": 3}, ts_ms=1_796_042_999_999, transaction={"id": "x"})
    assert read(envelope()) == read(again)


def test_ids_differ_by_position_row_and_operation() -> None:
    """Another position, another row at one position, another operation and another table are other events."""
    ids = {
        read(each).id
        for each in (
            envelope(),
            envelope(source=POSTGRES | {"lsn": 24_023_129}),
            envelope(after={"id": 8, "plan": "pro"}),
            envelope(op="r"),
            envelope(source=POSTGRES | {"table": "plans"}),
        )
    }
    assert 5 == len(ids)
    assert all(len(each) <= 128 for each in ids)


def test_other_connectors() -> None:
    """MySQL's file and position and MongoDB's collection are read as well."""
    mysql = {
        "connector": "mysql",
        "name": "shop",
        "db": "shop",
        "table": "orders",
        "file": "bin.3",
        "pos": 154,
        "row": 0,
    }
    mongo = {"connector": "mongodb", "name": "m", "db": "app", "collection": "users", "ord": 1}
    assert "debezium.shop.orders.created" == read(envelope("c", mysql)).type
    assert "file=bin.3,pos=154,row=0" == json.loads(read(envelope("c", mysql)).data)["position"]
    assert "debezium.app.users.deleted" == read(envelope("d", mongo, after=None)).type


@pytest.mark.parametrize(
    "value",
    [
        envelope("x"),
        envelope(source={"connector": "mysql"}),
        envelope(source={"connector": "mysql", "name": "shop"}),
        envelope(source=POSTGRES | {"ts_ms": -5}),
        envelope(source=POSTGRES | {"ts_ms": 10**17}),
        {"schema": {}, "payload": {"ts_ms": 5}},
        {"schema": {}, "payload": None},
    ],
)
def test_what_is_no_change_is_refused(value: object) -> None:
    """An unknown operation, a source that names no table, an impossible time and a heartbeat are refused."""
    with pytest.raises(InvalidMessage) as caught:
        read(value)
    assert "FIELD_VALUE" == caught.value.code


def test_deep_row_is_refused() -> None:
    """A row that nests deeper than 32 is refused."""
    row: object = 1
    for _ in range(40):
        row = [row]
    with pytest.raises(InvalidMessage, match="nests deeper"):
        read(envelope(after=row))


def test_data_is_canonical() -> None:
    """The order in which a connector writes members does not show."""
    value = envelope()
    turned = json.loads(msgspec.json.encode(value), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert read(value) == read(turned)
