"""Relations as callers and upstream systems state them."""

import json
from typing import Any

import msgspec
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts import codec
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.observation import Body, InboxEvent
from stanchion_contracts.relation import Entity, Relation
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.content import event_content
from stanchion_ingest.core.relation import RELATIONS_STATED, observed_relations, screened_relations
from stanchion_ingest.handler import State
from support.arrivals import ANNOUNCED, NOW_US, arrival, cloud_event, inbox_event, observed

MAYA = Entity(name="Maya Okafor", type="person")
PLATFORM = Entity(name="platform", type="team")
PLAIN = {"from": {"name": "Maya Okafor", "type": "person"}, "name": "works_at", "to": {"name": "platform"}}


def stated(**window: Timestamp) -> pb.StatedRelation:
    """Give a relation as a caller states it."""
    relation = pb.StatedRelation(name="works_at", to=types_pb2.Entity(name="platform", type="team"), **window)
    getattr(relation, "from").CopyFrom(types_pb2.Entity(name="Maya Okafor", type="person"))
    return relation


def relation(**parts: Any) -> Relation:  # noqa: ANN401 - parts of the struct
    """Give a relation as a request carries it."""
    return msgspec.structs.replace(Relation(from_entity=MAYA, name="works_at", to_entity=PLATFORM), **parts)


def event(*relations: dict[str, Any]) -> InboxEvent:
    """Give the event of an upstream system that states relations."""
    return inbox_event(type=RELATIONS_STATED, data=json.dumps({"relations": relations}).encode())


def test_what_a_caller_states() -> None:
    """Both ends, name and window are kept; a time that is not said is 0, one far ahead is fine."""
    window = {"valid_at": Timestamp(seconds=-1), "invalid_at": Timestamp(seconds=253_402_300_799, nanos=999_999_999)}
    first, second = observed_relations(pb.ObserveRequest(relations=[stated(), stated(**window)]))
    assert relation() == first
    assert relation(valid_at_us=-1_000_000, invalid_at_us=253_402_300_799_999_999) == second


def test_an_entity_is_one_of_the_observations_room() -> None:
    """A room may be repeated; an entity of another room is refused rather than moved."""
    at_home, away = stated(), stated()
    at_home.to.room, away.to.room = "growth", "legal"
    assert (relation(),) == observed_relations(pb.ObserveRequest(room="growth", relations=[at_home]))
    with pytest.raises(InvalidMessage) as caught:
        observed_relations(pb.ObserveRequest(room="growth", relations=[at_home, away]))
    assert ("FIELD_VALUE", "relations[1].to.room") == (caught.value.code, caught.value.field)


def test_names_are_kept_in_nfc() -> None:
    """Ends, types and names are stored composed; a record is named by its id."""
    decomposed = relation(
        from_entity=Entity(name="Zoe\u0301", type="cafe\u0301"),
        name="e\u0301",
        to_entity=Entity(name="d-1", type="record"),
    )
    expected = relation(
        from_entity=Entity(name="Zoé", type="café"), name="é", to_entity=Entity(name="d-1", type="record")
    )
    assert (expected,) == screened_relations((decomposed,))


@pytest.mark.parametrize(
    ("parts", "code", "field"),
    [
        ({"name": " "}, "FIELD_VALUE", "name"),
        ({"name": "n" * 257}, "TOO_LARGE", "name"),
        ({"from_entity": None}, "FIELD_VALUE", "from"),
        ({"from_entity": Entity(name="")}, "FIELD_VALUE", "from.name"),
        ({"to_entity": Entity(name="a\x00")}, "FIELD_VALUE", "to.name"),
        ({"to_entity": Entity(name="n" * 257)}, "TOO_LARGE", "to.name"),
        ({"to_entity": Entity(name="a", type="t" * 257)}, "TOO_LARGE", "to.type"),
        ({"to_entity": Entity(name="No Id", type="record")}, "FIELD_VALUE", "to.name"),
        ({"valid_at_us": 5, "invalid_at_us": 5}, "FIELD_VALUE", "invalid_at"),
        ({"valid_at_us": 6, "invalid_at_us": 5}, "FIELD_VALUE", "invalid_at"),
        ({"valid_at_us": 253_402_300_800_000_000}, "FIELD_VALUE", "valid_at"),
        ({"invalid_at_us": -62_135_596_800_000_001}, "FIELD_VALUE", "invalid_at"),
    ],
)
def test_bad_relation(parts: dict[str, Any], code: str, field: str) -> None:
    """A relation that is wrong is refused, and the refusal names which and where."""
    with pytest.raises(InvalidMessage) as caught:
        screened_relations((relation(), relation(**parts)))
    assert (code, f"relations[1].{field}") == (caught.value.code, caught.value.field)


def test_relations_are_bounded() -> None:
    """An observation states at most 200."""
    assert 200 == len(screened_relations((relation(),) * 200))
    with pytest.raises(InvalidMessage) as caught:
        screened_relations((relation(),) * 201)
    assert "TOO_MANY" == caught.value.code


def test_upstream_states_relations_in_any_form() -> None:
    """An event of their type is relations, whether it came as our own Avro or as a CloudEvent, times with offset."""
    said = PLAIN | {"valid_at": "1970-01-01T01:00:01+01:00", "invalid_at": None}
    own = observed(State(), arrival(codec.encode(event(said))))
    cloud = observed(State(), arrival(cloud_event(type=RELATIONS_STATED, data={"relations": [said]}), ANNOUNCED))
    expected = relation(to_entity=Entity(name="platform"), valid_at_us=1_000_000)
    assert Body(relations=(expected,)) == own.body == cloud.body
    assert ("system-event", own.digest) == (own.path, cloud.digest)


def test_relations_make_the_content() -> None:
    """Another window is other content under the same id; how the JSON was laid out is not."""
    one = event_content(event(PLAIN), "", NOW_US)
    other = event_content(event(PLAIN | {"valid_at": "2026-01-01T00:00:00Z"}), "", NOW_US)
    spaced = event_content(event(dict(reversed(PLAIN.items()))), "", NOW_US)
    assert one.digest == spaced.digest
    assert one.digest != other.digest


@pytest.mark.parametrize(
    "relations",
    [
        [],
        [{"name": "works_at", "to": {"name": "a"}}],
        [PLAIN | {"name": ""}],
        [PLAIN | {"to": {"name": 5}}],
        [PLAIN | {"valid_at": "2026-01-01"}],
        [PLAIN | {"valid_at": "1970-01-01T00:00:00Z"}],
    ],
)
def test_bad_upstream_relations(relations: list[dict[str, Any]]) -> None:
    """An event without relations, or with one that is wrong, is refused."""
    with pytest.raises(InvalidMessage) as caught:
        event_content(event(*relations), "", NOW_US)
    assert "FIELD_VALUE" == caught.value.code
