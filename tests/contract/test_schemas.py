"""The wire: schemas, message classes, golden bytes, compatibility."""

import json
import re
import shutil
import typing
from collections.abc import Iterator
from pathlib import Path

import fastavro
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from check_schemas import check_folder, problems_between
from stanchion_contracts.codec import MESSAGE_OF, SCHEMA_OF, _read_other, decode, encode
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Observation
from stanchion_core.errors import InvalidMessage

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
VERSIONS = sorted(path.relative_to(SCHEMAS).with_suffix("").as_posix() for path in SCHEMAS.glob("*/v*.avsc"))
AVRO_OF = {str: "string", int: "long", float: "double", bool: "boolean", bytes: "bytes"}


def avro_type(kind: object, named: set[str]) -> object:
    """Give the Avro type a Python annotation stands for, records by their fields."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return {"array": avro_type(arguments[0], named)}
    if origin is typing.Literal:
        return "string"
    if type(None) in arguments:
        rest = {json.dumps(avro_type(part, named)) for part in arguments if part is not type(None)}
        return ["null", *map(json.loads, rest)]
    if arguments:
        return "string"  # a union of closed words
    if isinstance(kind, type) and issubclass(kind, Struct):
        return record_shape(kind, named)
    return AVRO_OF[typing.cast("type", kind)]


def record_shape(cls: type[Struct], named: set[str]) -> object:
    """Give the fields of a message class; the name alone where it stood before."""
    if cls.__name__ in named:
        return cls.__name__
    named.add(cls.__name__)
    return {cls.__name__: [[f.name, avro_type(f.type, named)] for f in msgspec.structs.fields(cls)]}


def schema_shape(schema: object) -> object:
    """Give the same of a schema."""
    if isinstance(schema, list):
        return [schema_shape(branch) for branch in schema]
    if isinstance(schema, dict) and schema["type"] == "record":
        return {schema["name"]: [[field["name"], schema_shape(field["type"])] for field in schema["fields"]]}
    if isinstance(schema, dict) and schema["type"] == "array":
        return {"array": schema_shape(schema["items"])}
    if isinstance(schema, dict):
        return schema["type"]  # a logical type
    return schema


@pytest.mark.parametrize("name", sorted(MESSAGE_OF))
def test_message_class_and_newest_schema_have_the_same_fields(name: str) -> None:
    """A field of a class is in its schema, and the other way round, in the same order with the same type."""
    newest = max((SCHEMAS / name).glob("v*.avsc"), key=lambda path: int(path.stem[1:]))
    assert schema_shape(json.loads(newest.read_text())) == record_shape(MESSAGE_OF[name], set())


@pytest.mark.parametrize("version", VERSIONS)
def test_pinned_bytes_never_change(version: str) -> None:
    """Each released version's example reads from its pinned bytes, and the newest writes them again."""
    folder, number = version.split("/")
    cls = MESSAGE_OF[folder]
    pinned = bytes.fromhex((SCHEMAS / f"{version}.hex").read_text())
    example = msgspec.json.decode((SCHEMAS / f"{version}.json").read_bytes(), type=cls)
    assert decode(pinned, cls) == example
    if number == f"v{len(list((SCHEMAS / folder).glob('v*.avsc')))}":
        assert encode(example) == pinned


@pytest.mark.parametrize("version", VERSIONS)
def test_fingerprint_is_that_of_avro(version: str) -> None:
    """The two marker bytes and the CRC-64-AVRO fingerprint lead the message, as the specification says."""
    pinned = bytes.fromhex((SCHEMAS / f"{version}.hex").read_text())
    canonical = fastavro.schema.to_parsing_canonical_form(json.loads((SCHEMAS / f"{version}.avsc").read_text()))
    expected = b"\xc3\x01" + bytes.fromhex(fastavro.schema.fingerprint(canonical, "CRC-64-AVRO"))
    assert expected == pinned[:10]


@pytest.mark.parametrize("folder", sorted(path.name for path in SCHEMAS.iterdir() if path.is_dir()))
def test_every_schema_folder_is_whole_and_compatible(folder: str) -> None:
    """No gaps, no strays, an example each, and every version reads every other."""
    assert check_folder(SCHEMAS / folder) == []


def test_times_say_what_they_are() -> None:
    """Every field of microseconds since the epoch is an Avro timestamp, so that any reader shows a time."""

    def longs(schema: object) -> Iterator[str]:
        for field in schema.get("fields", ()) if isinstance(schema, dict) else ():
            if field["name"].endswith("_us") and field["type"] == "long":
                yield field["name"]
            yield from longs(field["type"])
        for part in schema if isinstance(schema, list) else ():
            yield from longs(part)
        if isinstance(schema, dict) and schema["type"] == "array":
            yield from longs(schema["items"])

    assert [name for path in SCHEMAS.glob("*/v*.avsc") for name in longs(json.loads(path.read_text()))] == []


def test_no_maps_and_no_closed_words() -> None:
    """Bytes depend on no map's order, and a word that is new to a reader is a string that it can still read."""

    def kinds(schema: object) -> Iterator[object]:
        for part in schema if isinstance(schema, list) else ():
            yield from kinds(part)
        if isinstance(schema, dict):
            yield schema["type"]
            yield from (kind for field in schema.get("fields", ()) for kind in kinds(field["type"]))
            yield from kinds(schema.get("items"))

    found = {kind for path in SCHEMAS.glob("*/v*.avsc") for kind in kinds(json.loads(path.read_text()))}
    assert {"record", "array", "long"} == found


def test_another_version_reads_times_as_numbers() -> None:
    """What fastavro reads for us has its times as the message classes hold them."""
    message = MESSAGE_OF["receipts"]
    pinned = bytes.fromhex((SCHEMAS / "receipts/v1.hex").read_text())
    other, end = _read_other(pinned, message)
    assert (decode(pinned, message), len(pinned)) == (other, end)


def test_every_folder_has_a_message_class() -> None:
    """Nothing in schemas/ is unreferenced."""
    assert {path.name for path in SCHEMAS.iterdir() if path.is_dir()} == set(SCHEMA_OF.values())


def test_compatibility_check_finds_a_field_without_default(tmp_path: Path) -> None:
    """A new field that old messages cannot fill is found, whichever side deploys first."""
    folder = tmp_path / "receipts"
    shutil.copytree(SCHEMAS / "receipts", folder)
    schema = json.loads((folder / "v1.avsc").read_text())
    schema["fields"].append({"name": "extra", "type": "string"})
    (folder / "v2.avsc").write_text(json.dumps(schema))
    problems = "\n".join(check_folder(folder))
    assert "v2 cannot read v1" in problems
    assert "v2.hex is missing" in problems


def test_compatibility_check_finds_a_changed_logical_type() -> None:
    """What Apache Avro's checker misses is found: the same primitive, another meaning."""

    def schema(logical: str) -> str:
        kind = {"type": "long", "logicalType": logical}
        return json.dumps({"type": "record", "name": "R", "fields": [{"name": "at", "type": kind}]})

    assert problems_between(schema("timestamp-micros"), schema("timestamp-micros")) == []
    assert problems_between(schema("timestamp-millis"), schema("timestamp-micros")) != []


def test_version_gap_is_found(tmp_path: Path) -> None:
    """A folder with v1 and v3 says that it has a gap."""
    folder = tmp_path / "receipts"
    shutil.copytree(SCHEMAS / "receipts", folder)
    shutil.copy(folder / "v1.avsc", folder / "v3.avsc")
    assert any(re.search("have a gap", problem) for problem in check_folder(folder))


META = Meta(
    id="m", workspace="w", time_us=1, seed=b"0" * 16, origin="observation:m", actor=Actor(kind="service", id="crm")
)
OBSERVATION = Observation(
    meta=META,
    publisher="crm",
    event_id="1",
    digest=b"d",
    source="crm",
    agent="crm",
    path="system-event",
    observed_at_us=1,
    body=Body(text="plain"),
)


def refusal(data: bytes) -> str:
    """Give the code that decoding refuses with, empty when it reads."""
    try:
        decode(data, Observation)
    except InvalidMessage as error:
        return error.code
    return ""


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_with_a_reason(data: bytes) -> None:
    """Whatever the bytes, decode gives a message or says UNREADABLE; nothing else is raised."""
    assert refusal(data) in {"", "UNREADABLE"}


@given(st.data())
def test_damaged_messages_are_refused_or_read(data: st.DataObject) -> None:
    """A message with flipped or missing bytes never raises anything but UNREADABLE."""
    good = bytearray(encode(OBSERVATION))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    assert refusal(bytes(good[:cut])) in {"", "UNREADABLE"}


def test_trailing_bytes_are_refused() -> None:
    """A message with something after its end is not that message."""
    with pytest.raises(InvalidMessage, match="trailing"):
        decode(encode(OBSERVATION) + b"\0", Observation)


def test_another_messages_bytes_are_refused() -> None:
    """A message of another class is refused by name."""
    with pytest.raises(InvalidMessage, match="schema of observations; expected claims"):
        decode(encode(OBSERVATION), MESSAGE_OF["claims"])
