"""Records of the inbox and of requests as they reach ingest, made to measure."""

import msgspec

from stanchion_contracts import codec
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, InboxEvent, Observation, Request
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_core.rerouted import Rerouted
from stanchion_ingest.handler import Arrival, State, decide, evolve

PARTITIONS = 12
NOW_US = 1_796_042_000_000_000  # 2026-11-30T12:33:20Z
ACME = partition_of("acme", PARTITIONS)
SEED = bytes(range(16))
ANNA = Actor(kind="person", id="anna", capabilities=("read", "write"))

Headers = tuple[tuple[str, bytes], ...]
Outcome = Observation | Rerouted | InvalidMessage | None

ANNOUNCED: Headers = (("content-type", b"application/cloudevents+json; charset=utf-8"),)


def arrival(  # noqa: PLR0913 - a record's facts
    value: bytes,
    headers: Headers = (),
    *,
    offset: int = 0,
    partition: int = ACME,
    topic: str = "inbox",
    at_us: int = NOW_US,
) -> Arrival:
    """A record, received at a time."""
    return Arrival(
        topic=topic,
        partition=partition,
        offset=offset,
        value=value,
        headers=headers,
        received_at_us=at_us,
        seed=SEED,
    )


def cloud_event(**members: object) -> bytes:
    """A CloudEvent in structured mode; a member of None is left out."""
    whole = {
        "specversion": "1.0",
        "id": "e-1",
        "source": "/crm",
        "type": "crm.account.updated",
        "workspace": "acme",
        "data": {"plan": "pro"},
    }
    return msgspec.json.encode({name: member for name, member in (whole | members).items() if member is not None})


def binary_headers(**attributes: str | None) -> Headers:
    """The headers of a CloudEvent in binary mode; an attribute of None is left out."""
    whole = {"specversion": "1.0", "id": "e-1", "source": "/crm", "type": "crm.account.updated", "workspace": "acme"}
    return tuple((f"ce_{name}", text.encode()) for name, text in (whole | attributes).items() if text is not None)


def inbox_event(**parts: object) -> InboxEvent:
    """An event in our own form."""
    whole = InboxEvent(
        id="e-1", source="/crm", type="crm.account.updated", workspace="acme", data=b'{"plan":"pro"}', room=""
    )
    return msgspec.structs.replace(whole, **parts)


def request(body: Body | None = None, **parts: object) -> Request:
    """A request of Anna's in workspace acme."""
    whole = Request(
        meta=Meta(id="req-1", workspace="acme", time_us=NOW_US, seed=SEED, origin="request:req-1", actor=ANNA),
        event_id="key-1",
        publisher="anna",
        source="anna",
        observed_at_us=0,
        body=body,
    )
    return msgspec.structs.replace(whole, **parts)


def asked(message: Request, *, offset: int = 0, waiting: bool = False, at_us: int = NOW_US) -> Arrival:
    """A request as a record of acme's partition; `waiting` when a caller wants the answer."""
    headers = (("correlation_id", b"c-1"), ("reply_to", b"gateway-1")) if waiting else ()
    return arrival(codec.encode(message), headers, offset=offset, topic="requests", at_us=at_us)


def run(state: State, *arrivals: Arrival) -> list[Outcome]:
    """Decide and evolve as the runtime does; what is raised stands in the list."""
    return [_one(state, each) for each in arrivals]


def observed(state: State, each: Arrival) -> Observation:
    """Decide and evolve a record that must make an observation."""
    (outcome,) = run(state, each)
    assert isinstance(outcome, Observation), outcome
    return outcome


def _one(state: State, each: Arrival) -> Outcome:
    try:
        output = decide(state, each, partitions=PARTITIONS)
    except InvalidMessage as error:
        return error
    if isinstance(output, Observation):
        evolve(state, output)
    return output
