"""Writes as callers state them."""

import pytest

from stanchion_contracts.command import LinkSet, Write, WriteBatch
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.command import write_batch


def batch(*writes: pb.Write) -> WriteBatch:
    """Screen a batch."""
    return write_batch(pb.WriteBatchRequest(workspace="acme", writes=writes), ("acme", "maya", "k"))


def test_golden_write() -> None:
    """Every part of a write is kept, normalised: texts NFC, field values canonical JSON."""
    write = pb.Write(
        id="d-1",
        kind="decision",
        room="growth",
        label="e\u0301",
        body="why",
        fields=[
            types_pb2.Field(name="area", value_json=' {"b": 1, "a": "x"} '),
            types_pb2.Field(name="owner"),
            types_pb2.Field(name="until", value_json="null"),
        ],
        links=[
            pb.LinkSet(
                name="assumes",
                links=[
                    types_pb2.Link(to="h-1", note="so it says"),
                    types_pb2.Link(
                        name="assumes",
                        to="h-2",
                        state=types_pb2.LINK_STATE_PROPOSED,
                        optional=True,
                        stated_by="both",
                    ),
                ],
            ),
            pb.LinkSet(name="replaces"),
        ],
        evidence=pb.CitationList(citations=[types_pb2.Citation(uri="https://a/b", quote="q", version_token="v")]),  # noqa: S106 - a version
        tags=pb.TagList(tags=["t"]),
        valid_from="2026-11-30",
        valid_to="2026-12-01T00:00:00+01:00",
        if_match=3,
    )
    expected = Write(
        id="d-1",
        kind="decision",
        room="growth",
        label="é",
        body="why",
        fields=(
            FieldValue(name="area", value='{"a":"x","b":1}'),
            FieldValue(name="owner", value=""),
            FieldValue(name="until", value=""),
        ),
        links=(
            LinkSet(
                name="assumes",
                links=(
                    Link(name="assumes", to="h-1", note="so it says"),
                    Link(name="assumes", to="h-2", state="proposed", mandatory=False, stated_by="both"),
                ),
            ),
            LinkSet(name="replaces"),
        ),
        evidence=(Citation(uri="https://a/b", quote="q", version_token="v"),),  # noqa: S106 - a version
        tags=("t",),
        valid_from="2026-11-30",
        valid_to="2026-12-01T00:00:00+01:00",
        if_match=3,
    )
    assert WriteBatch(writes=(expected,)) == batch(write)


def test_absent_is_not_empty() -> None:
    """What is absent stays absent; an empty list of citations is explicit, an empty time clears."""
    absent, empty = batch(
        pb.Write(id="a"), pb.Write(id="b", evidence=pb.CitationList(), tags=pb.TagList(), valid_to="", body="")
    ).writes
    assert Write(id="a") == absent
    assert Write(id="b", evidence=(), tags=(), valid_to="", body="") == empty


def link(**parts: object) -> pb.Write:
    """Give a write with one link."""
    return pb.Write(id="a", links=[pb.LinkSet(name="assumes", links=[types_pb2.Link(**({"to": "b"} | parts))])])  # type: ignore[arg-type] # made to measure


def field(value: str, name: str = "n") -> pb.Write:
    """Give a write with one field."""
    return pb.Write(id="a", fields=[types_pb2.Field(name=name, value_json=value)])


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (pb.Write(id="A"), "FIELD_VALUE"),
        (pb.Write(id="a" * 129), "FIELD_VALUE"),
        (pb.Write(id="a", label=" "), "FIELD_VALUE"),
        (pb.Write(id="a", label="l" * 301), "TOO_LARGE"),
        (pb.Write(id="a", label="a\x00"), "FIELD_VALUE"),
        (pb.Write(id="a", body="é" * 131_073), "TOO_LARGE"),
        (pb.Write(id="a", room="../x"), "FIELD_VALUE"),
        (field("{"), "UNREADABLE"),
        (field('"\\u0000"'), "FIELD_VALUE"),
        (field("[" * 33 + "]" * 33), "FIELD_VALUE"),
        (field('"' + "a" * 65_536 + '"'), "TOO_LARGE"),
        (field("1", name=""), "FIELD_VALUE"),
        (pb.Write(id="a", fields=[types_pb2.Field(name="n", value_json="1")] * 65), "TOO_MANY"),
        (link(to=""), "FIELD_VALUE"),
        (link(name="replaces"), "FIELD_VALUE"),
        (link(stated_by="me"), "FIELD_VALUE"),
        (link(note="n" * 501), "TOO_LARGE"),
        (pb.Write(id="a", links=[pb.LinkSet(name="l", links=[types_pb2.Link(to="b")] * 65)]), "TOO_MANY"),
        (pb.Write(id="a", evidence=pb.CitationList(citations=[types_pb2.Citation(uri="u")] * 65)), "TOO_MANY"),
        (pb.Write(id="a", evidence=pb.CitationList(citations=[types_pb2.Citation()])), "FIELD_VALUE"),
        (
            pb.Write(id="a", evidence=pb.CitationList(citations=[types_pb2.Citation(uri="u", quote="q" * 2_001)])),
            "TOO_LARGE",
        ),
        (pb.Write(id="a", tags=pb.TagList(tags=["t"] * 65)), "TOO_MANY"),
        (pb.Write(id="a", valid_from="2026-11-30T10:00:00"), "FIELD_VALUE"),
        (pb.Write(id="a", valid_from="2026-13-30"), "FIELD_VALUE"),
        (pb.Write(id="a", delete=True, label="l"), "FIELD_VALUE"),
        (pb.Write(delete=True), "FIELD_VALUE"),
    ],
)
def test_bad_write(write: pb.Write, code: str) -> None:
    """A write that is wrong as it stands is refused, and the refusal names which and where."""
    with pytest.raises(InvalidMessage) as caught:
        batch(pb.Write(id="ok"), write)
    assert code == caught.value.code
    assert "writes[1]" in caught.value.detail


def test_batch_limits() -> None:
    """A batch has one to 200 writes and at most 2 MiB."""
    large = pb.Write(id="a", body="a" * 262_144)
    for writes, code in (((), "FIELD_VALUE"), ([pb.Write(id="a")] * 201, "TOO_MANY"), ([large] * 9, "TOO_LARGE")):
        with pytest.raises(InvalidMessage) as caught:
            batch(*writes)
        assert code == caught.value.code
    assert 200 == len(batch(*[pb.Write(id="a")] * 200).writes)
