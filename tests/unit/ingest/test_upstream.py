"""What ingest reads of a record of the inbox, and what it says of one it cannot read."""

import base64
import json

import pytest

from stanchion_contracts import codec
from stanchion_contracts.observation import InboxEvent
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.upstream import Read, read_inbox
from support.arrivals import ANNOUNCED, Headers, binary_headers, cloud_event, inbox_event, request

PLACE = "inbox:3:42"
EXPECTED = Read(event=inbox_event(), named=True)


def read(value: bytes, headers: Headers = ()) -> Read:
    """Read a record that stands at `PLACE`."""
    return read_inbox(value, headers, PLACE)


def refusal(value: bytes, headers: Headers = ()) -> tuple[str, str]:
    """Give code and sentence of a record that cannot be read."""
    with pytest.raises(InvalidMessage) as caught:
        read(value, headers)
    return caught.value.code, caught.value.detail


def test_formats_agree() -> None:
    """The same event is the same whichever of the formats it came in."""
    plain = {name: member for name, member in json.loads(cloud_event()).items() if name != "specversion"}
    bare = (("event_id", b"e-1"), ("source", b"/crm"), ("type", b"crm.account.updated"), ("workspace", b"acme"))
    unpacked = cloud_event(data=None, data_base64=base64.b64encode(b'{"plan":"pro"}').decode())
    found = [
        read(cloud_event(), ANNOUNCED),
        read(cloud_event()),
        read(unpacked, ANNOUNCED),
        read(b'{"plan":"pro"}', binary_headers()),
        read(codec.encode(inbox_event())),
        read(json.dumps(plain, separators=(",", ":")).encode()),
        read(b'{"plan":"pro"}', bare),
    ]
    assert [EXPECTED] * 7 == found


def test_every_attribute_is_read() -> None:
    """Subject, time, room and content type arrive in binary and structured mode."""
    attributes = {"subject": "acc/7", "time": "2026-11-30T10:00:00Z", "room": "growth/pricing"}
    expected = inbox_event(**attributes)
    assert expected == read(cloud_event(**attributes), ANNOUNCED).event
    assert expected == read(b'{"plan":"pro"}', binary_headers(**attributes)).event
    text = read(b"hello", (*binary_headers(**attributes), ("content-type", b"text/plain"))).event
    assert ("text/plain", b"hello") == (text.content_type, text.data)


def test_headers_fill_in_what_the_format_leaves_unsaid() -> None:
    """Kafka headers name workspace, room, source and id where a CloudEvent, an object or our Avro does not."""
    headers = (("workspace", b"acme"), ("room", b"growth"), ("source", b"/crm"), ("event_id", b"e-1"))
    expected = inbox_event(room="growth")
    bare = {"workspace": None, "source": None, "id": None}
    assert expected == read(cloud_event(**bare), headers).event
    assert expected == read(cloud_event(**bare, specversion=None), headers).event
    assert expected == read(codec.encode(inbox_event(workspace="", source="", id="")), headers).event


def test_attributes_outrank_headers() -> None:
    """A CloudEvent's own workspace and room stand; headers do not override them."""
    headers = (*ANNOUNCED, ("workspace", b"other"), ("room", b"other"), ("event_id", b"other"))
    assert inbox_event(room="growth") == read(cloud_event(room="growth"), headers).event


def test_nameless_event_is_named_after_its_place() -> None:
    """An event without id takes its first topic, partition and offset, and says that nobody named it."""
    assert Read(event=inbox_event(id=PLACE), named=False) == read(cloud_event(id=None), ANNOUNCED)
    assert Read(event=inbox_event(id=PLACE), named=False) == read(b'{"plan":"pro"}', binary_headers(id=None))


def test_of_a_repeated_header_the_last_counts() -> None:
    """Kafka's own clients give the last header of a name; so do we, whatever its case."""
    headers = (("Workspace", b"first"), ("workspace", b"acme"))
    assert "acme" == read(cloud_event(workspace=None), headers).event.workspace


@pytest.mark.parametrize(
    ("value", "headers", "code"),
    [
        pytest.param(b"", (), "UNREADABLE", id="empty"),
        pytest.param(b"\x00\x01\xff", (), "UNREADABLE", id="noise"),
        pytest.param(b'{"a":', (), "UNREADABLE", id="cut off"),
        pytest.param(b'{"source":"\xff"}', (), "UNREADABLE", id="not UTF-8"),
        pytest.param('{"source":"é"}'.encode("utf-16"), (), "UNREADABLE", id="UTF-16"),
        pytest.param(b'{"source":"\\ud800"}', (), "UNREADABLE", id="lone surrogate"),
        pytest.param(b"[" * 100_000, (), "FIELD_VALUE", id="cut off, deep"),
        pytest.param(b'{"data":' + b"[" * 5_000 + b"]" * 5_000 + b"}", (), "FIELD_VALUE", id="deep"),
        pytest.param(b"[1,2]", (), "FIELD_VALUE", id="no object"),
        pytest.param(b'{"id":7}', (), "FIELD_VALUE", id="id is a number"),
        pytest.param(b'{"source":{"a":1}}', (), "FIELD_VALUE", id="source is an object"),
        pytest.param(
            cloud_event(), (("content-type", b"application/cloudevents-batch+json"),), "UNREADABLE", id="batch"
        ),
        pytest.param(cloud_event(), (("content-type", b"application/cloudevents+avro"),), "UNREADABLE", id="CE Avro"),
        pytest.param(cloud_event(specversion="0.3"), ANNOUNCED, "UNREADABLE", id="specversion 0.3"),
        pytest.param(cloud_event(specversion=None), ANNOUNCED, "UNREADABLE", id="no specversion"),
        pytest.param(b"{}", binary_headers(specversion=None), "UNREADABLE", id="binary without specversion"),
        pytest.param(b"{}", binary_headers(workspace=None), "WORKSPACE_MISSING", id="no workspace"),
        pytest.param(cloud_event(workspace=""), ANNOUNCED, "WORKSPACE_MISSING", id="empty workspace"),
        pytest.param(cloud_event(workspace="../etc"), ANNOUNCED, "FIELD_VALUE", id="bad workspace"),
        pytest.param(cloud_event(workspace="a" * 129), ANNOUNCED, "TOO_LARGE", id="long workspace"),
        pytest.param(cloud_event(room="a//b"), ANNOUNCED, "FIELD_VALUE", id="bad room"),
        pytest.param(cloud_event(room="a b"), ANNOUNCED, "FIELD_VALUE", id="room with space"),
        pytest.param(cloud_event(room="r" * 257), ANNOUNCED, "TOO_LARGE", id="long room"),
        pytest.param(cloud_event(source=None), ANNOUNCED, "FIELD_VALUE", id="no source"),
        pytest.param(cloud_event(source=" "), ANNOUNCED, "FIELD_VALUE", id="blank source"),
        pytest.param(cloud_event(source="s" * 257), ANNOUNCED, "TOO_LARGE", id="long source"),
        pytest.param(cloud_event(id="i" * 1_025), ANNOUNCED, "TOO_LARGE", id="long id"),
        pytest.param(cloud_event(id="a\x00b"), ANNOUNCED, "FIELD_VALUE", id="NUL in id"),
        pytest.param(cloud_event(data_base64="AAAA"), ANNOUNCED, "FIELD_VALUE", id="data twice"),
        pytest.param(cloud_event(data=None, data_base64="A*"), ANNOUNCED, "UNREADABLE", id="bad Base64"),
        pytest.param(b"{}", (*binary_headers(), ("ce_room", b"\xff")), "FIELD_VALUE", id="header not UTF-8"),
        pytest.param(b"{}", binary_headers(subject="s" * 5_000), "TOO_LARGE", id="long header"),
        pytest.param(b"<a/>", (("content-type", b"application/xml"),), "UNREADABLE", id="XML, type unsaid"),
        pytest.param(codec.encode(inbox_event())[:-1], (), "UNREADABLE", id="Avro cut off"),
        pytest.param(codec.encode(inbox_event()) + b"x", (), "UNREADABLE", id="Avro too long"),
        pytest.param(codec.encode(request()), (), "UNREADABLE", id="Avro of another topic"),
        pytest.param(b"\xc3\x01" + b"\x07" * 20, (), "UNREADABLE", id="unknown Avro schema"),
        pytest.param(b'"' + b"a" * 2_097_152 + b'"', (), "TOO_LARGE", id="over 2 MiB"),
    ],
)
def test_unreadable(value: bytes, headers: Headers, code: str) -> None:
    """Whatever cannot be read is refused with its stable code, and by nothing but `InvalidMessage`."""
    assert code == refusal(value, headers)[0]


def test_refusals_say_what_to_do() -> None:
    """The sentences name the field, the limit and the way out."""
    assert "tombstones" in refusal(b"")[1]
    assert "workspace" in refusal(cloud_event(workspace=None), ANNOUNCED)[1]
    assert "1024" in refusal(cloud_event(id="i" * 1_025), ANNOUNCED)[1]
    assert "one by one" in refusal(b"[]", (("content-type", b"application/cloudevents-batch+json"),))[1]


def test_names_are_kept_in_nfc() -> None:
    """A room and a source written with combining marks are the composed ones."""
    found = read(cloud_event(room="cafe\u0301", source="cafe\u0301"), ANNOUNCED).event
    assert ("café", "café") == (found.room, found.source)


def test_own_avro_keeps_every_field() -> None:
    """Our own Avro is read whole."""
    whole = InboxEvent(
        id="1",
        source="/s",
        type="t",
        subject="u",
        time="2026-11-30T10:00:00Z",
        workspace="acme",
        room="r",
        content_type="text/plain",
        data=b"hi",
    )
    assert Read(event=whole, named=True) == read(codec.encode(whole))
