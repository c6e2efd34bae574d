"""A recorded partition gives the same bytes whenever it is replayed, by whatever version comes."""

import base64
import hashlib

import msgspec

from stanchion_contracts import codec
from stanchion_contracts.observation import Body, Observation, StatedClaim, Tick, TrustSetting
from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_core.rerouted import Rerouted
from stanchion_ingest.core.content import DOCUMENT_REVISED
from stanchion_ingest.handler import Arrival, State
from support.arrivals import (
    ACME,
    ANNOUNCED,
    NOW_US,
    PARTITIONS,
    Outcome,
    arrival,
    asked,
    binary_headers,
    cloud_event,
    inbox_event,
    request,
    run,
)

REVISION = {"uri": "docs/1.md", "text": "# 1. Go\u0301\n", "revised_at": "2017-06-30T14:13:33+01:00", "author": "a"}
CHANGE = {
    "op": "c",
    "before": None,
    "after": {"id": 7, "plan": "pro"},
    "source": {"connector": "postgresql", "name": "crm", "schema": "public", "table": "accounts", "lsn": 5},
}
CLAIM = StatedClaim(subject="tam", predicate="size", value=Value(type="money", text="5", unit="USD"), strength=0.5)

RECORDED = [
    (cloud_event(room="growth", time="2026-11-30T10:00:00+01:00", subject="acc/7"), ANNOUNCED),
    (cloud_event(id=None, data=None, data_base64=base64.b64encode(b"[1,2.50]").decode()), ANNOUNCED),
    (b"caf\xc3\xa9", (*binary_headers(id="e-2"), ("content-type", b"text/plain"))),
    (codec.encode(inbox_event(id="e-3")), ()),
    (msgspec.json.encode({"b": 1, "a": "e\u0301"}), (("type", b"t"), ("source", b"/s"), ("workspace", b"acme"))),
    (msgspec.json.encode(CHANGE), (("workspace", b"acme"),)),
    (cloud_event(id="e-4", type=DOCUMENT_REVISED, data=REVISION), ANNOUNCED),
    (cloud_event(id="e-4", type=DOCUMENT_REVISED, data=REVISION | {"text": "other"}), ANNOUNCED),
    (cloud_event(room="growth", time="2026-11-30T09:00:00Z", subject="acc/7"), ANNOUNCED),
    (cloud_event(workspace=None), ANNOUNCED),
]
ASKED = [
    request(Body(text="the TAM is $5B")),
    request(Body(claims=(CLAIM,)), event_id="key-2", observed_at_us=5, source="crm", path="tool-result"),
    request(Body(trust=TrustSetting(name="crm", value=0.5)), event_id="key-3"),
    request(Body(tick=Tick(hour=498_900)), event_id="tick:498900", publisher="stanchion"),
    request(event=inbox_event(id="e-3"), event_id="e-3"),
    request(Body(text="the TAM is $6B")),
]


def recorded() -> list[Arrival]:
    """Give the recording: every form of input, a repeat, a reused id of each kind, one of no workspace, one astray."""
    inbox = [
        arrival(value, headers, offset=offset, at_us=NOW_US + offset)
        for offset, (value, headers) in enumerate(RECORDED)
    ]
    requests = [
        asked(message, offset=offset, waiting=True, at_us=NOW_US + 100 + offset) for offset, message in enumerate(ASKED)
    ]
    astray = arrival(cloud_event(id=None), ANNOUNCED, partition=(ACME + 1) % PARTITIONS, offset=99)
    return [*inbox, *requests, astray]


def shown(outcome: Outcome) -> bytes:
    """Give an outcome as bytes."""
    match outcome:
        case Observation():
            return codec.encode(outcome)
        case Rerouted():
            return msgspec.json.encode(outcome)
        case InvalidMessage():
            return outcome.code.encode()
        case None:
            return b"absorbed"


def kind(outcome: Outcome) -> str:
    """Name what a record became."""
    if isinstance(outcome, Observation):
        return outcome.refusal_code or ("repeated" if outcome.repeated else "observed")
    return shown(outcome).decode()[:20]


def test_recording() -> None:
    """What each record became, and every byte of it."""
    outcomes = run(State(), *recorded())
    kinds = [kind(outcome) for outcome in outcomes]
    assert ["observed"] * 7 == kinds[:7]
    assert ["EVENT_ID_REUSED", "absorbed", "WORKSPACE_MISSING"] == kinds[7:10]
    assert [*["observed"] * 4, "repeated", "EVENT_ID_REUSED"] == kinds[10:16]
    assert isinstance(outcomes[16], Rerouted)
    digest = hashlib.sha256(b"\n".join(map(shown, outcomes))).hexdigest()
    assert "7a9fb9edfaaa2d3509df1459377e1f62dfbf643fde6f046d01e43392ddfc2406" == digest
