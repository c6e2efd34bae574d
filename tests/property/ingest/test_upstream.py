"""Whatever comes on the inbox, ingest reads it or refuses it; nothing else ever happens."""

import base64
import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from stanchion_contracts import codec
from stanchion_contracts.observation import InboxEvent, Observation
from stanchion_core.errors import InvalidMessage
from stanchion_core.rerouted import Rerouted
from stanchion_ingest.core.content import DOCUMENT_REVISED
from stanchion_ingest.core.relation import RELATIONS_STATED
from stanchion_ingest.handler import State
from support.arrivals import ANNOUNCED, NOW_US, Headers, arrival, cloud_event, inbox_event, run

CODES = {"UNREADABLE", "WORKSPACE_MISSING", "FIELD_VALUE", "TOO_LARGE", "TOO_MANY"}
NAMES = [
    *(f"ce_{name}" for name in ("specversion", "id", "source", "type", "subject", "time", "workspace", "room", "x")),
    *("content-type", "workspace", "room", "event_id", "source", "type", "subject", "time", "Content-Type", ""),
]
MEMBERS = [
    *("specversion", "id", "source", "type", "subject", "time", "workspace", "room", "data", "data_base64"),
    *("op", "before", "after", "schema", "payload", "datacontenttype"),
]

texts = st.text(st.characters(codec=None), max_size=12)  # lone surrogates and NUL included
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
likely = st.sampled_from([
    b"1.0",
    b"acme",
    b"/crm",
    b"a.b",
    b"2026-11-30T10:00:00Z",
    b"2026-11-30T10:00:00",
    b"application/json",
    b"application/cloudevents+json",
    b"application/cloudevents-batch+json",
    b"text/plain; charset=latin-1",
    b"text/plain",
    DOCUMENT_REVISED.encode(),
])
headers = st.lists(st.tuples(st.sampled_from(NAMES) | texts, likely | st.binary(max_size=20)), max_size=12).map(tuple)
objects = st.dictionaries(st.sampled_from(MEMBERS), json_values | likely.map(bytes.decode), max_size=len(MEMBERS)).map(
    lambda value: json.dumps(value).encode()
)
revisions = st.dictionaries(
    st.sampled_from(["uri", "former_uri", "deleted", "text", "revision", "author", "format", "revised_at"]), json_values
).map(lambda data: cloud_event(type=DOCUMENT_REVISED, data=None)[:-1] + b',"data":' + json.dumps(data).encode() + b"}")
stated = st.dictionaries(st.sampled_from(["relations", "x"]), st.lists(json_values, max_size=2) | json_values).map(
    lambda data: cloud_event(type=RELATIONS_STATED, data=None)[:-1] + b',"data":' + json.dumps(data).encode() + b"}"
)
avro = st.tuples(st.just(codec.encode(inbox_event())[:10]), st.binary(max_size=60)).map(b"".join)
bent_avro = st.tuples(st.integers(10, 60), st.integers(0, 255)).map(
    lambda bend: bytes(
        bend[1] if at == bend[0] else byte for at, byte in enumerate(codec.encode(inbox_event(subject="s", time="t")))
    )
)
values = (
    st.binary(max_size=200)
    | objects
    | revisions
    | stated
    | avro
    | bent_avro
    | json_values.map(lambda value: json.dumps(value).encode())
)


@given(values, headers)
def test_nothing_but_invalid_message(value: bytes, each: Headers) -> None:
    """Any bytes under any headers become an observation, move, or are refused with a known code and a sentence."""
    (found,) = run(State(), arrival(value, each))
    if isinstance(found, InvalidMessage):
        assert found.code in CODES
        assert found.detail
    elif isinstance(found, Observation):
        assert found == codec.decode(codec.encode(found), Observation)
        assert NOW_US + 300_000_000 >= found.observed_at_us
    else:
        assert isinstance(found, Rerouted)
        assert value == found.value


@given(values, headers)
def test_nothing_but_invalid_message_on_requests(value: bytes, each: Headers) -> None:
    """Bytes that are no request are refused."""
    (found,) = run(State(), arrival(value, each, topic="requests"))
    assert isinstance(found, InvalidMessage)
    assert found.code in CODES


@given(json_values.filter(lambda value: "NaN" not in json.dumps(value) and "Infinity" not in json.dumps(value)))
def test_json_means_the_same_after_reading(value: object) -> None:
    """Data that is kept means what was sent, its texts in NFC; what cannot be kept is refused."""
    sent = json.dumps(value)
    (found,) = run(State(), arrival(cloud_event(data=None)[:-1] + b',"data":' + sent.encode() + b"}"))
    if isinstance(found, InvalidMessage):  # a NUL, a lone surrogate or deep nesting was drawn
        assert found.code in CODES
        return
    assert isinstance(found, Observation)
    assert found.body.event is not None
    assert normalized(json.loads(sent)) == json.loads(found.body.event.data)


def normalized(value: object) -> object:
    """Give a JSON value with each text in NFC, and each number as a double holds it where it is no small integer."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", name): normalized(inner) for name, inner in value.items()}
    return [normalized(inner) for inner in value] if isinstance(value, list) else value


@given(
    st.builds(InboxEvent, id=texts, source=texts, type=texts, workspace=texts, room=texts, data=st.binary(max_size=9))
)
def test_same_event_in_two_formats(event: InboxEvent) -> None:
    """What our own Avro and a structured CloudEvent say alike is read alike, or refused by both."""
    try:
        packed = codec.encode(event)
    except UnicodeEncodeError:  # a lone surrogate cannot be written as Avro at all
        return
    members = {name: getattr(event, name) or None for name in ("id", "source", "type", "workspace", "room")}
    assert outcome(packed) == outcome(
        cloud_event(**members, data=None)[:-1] + data_member(event.data) + b"}", ANNOUNCED
    )


def data_member(data: bytes) -> bytes:
    """Give the member that carries bytes as they are."""
    return b',"data_base64":' + json.dumps(base64.b64encode(data).decode()).encode()


def outcome(value: bytes, each: Headers = ()) -> object:
    """Give what becomes of a record, comparable."""
    (found,) = run(State(), arrival(value, each))
    if isinstance(found, InvalidMessage):
        return found.code
    return found if isinstance(found, Observation) else type(found)
