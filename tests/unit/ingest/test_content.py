"""What an event says."""

import json

import pytest

from stanchion_contracts.observation import Document, Event
from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.content import DOCUMENT_REVISED, Content, event_content
from support.arrivals import NOW_US, inbox_event


def content(**parts: object) -> Content:
    """Screen an event received now."""
    return event_content(inbox_event(**parts), "", NOW_US)


def revision(**members: object) -> Content:
    """Screen a document's revision."""
    whole = {"uri": "docs/0001.md", "text": "# 1. Record decisions\n"} | members
    return content(type=DOCUMENT_REVISED, data=json.dumps(whole).encode())


def code(**parts: object) -> str:
    """Give why an event is refused."""
    with pytest.raises(InvalidMessage) as caught:
        content(**parts)
    return caught.value.code


def test_event_becomes_a_measurement_of_its_system() -> None:
    """An event of any type is kept as canonical JSON under its type and subject, dated by its own time."""
    found = content(data=b'{ "b": [1, 2.50], "a": "e\xcc\x81" }', subject="acc/7", time="2026-11-30T10:00:00+01:00")
    assert Event(type="crm.account.updated", subject="acc/7", data='{"a":"é","b":[1,2.5]}'.encode()) == found.body.event
    assert ("system-event", 1_796_029_200_000_000) == (found.path, found.observed_at_us)


def test_event_without_time_is_dated_by_the_stamp() -> None:
    """Nobody's time is the stamp, and does not enter the digest."""
    later = event_content(inbox_event(), "", NOW_US + 5)
    assert (NOW_US, NOW_US + 5) == (content().observed_at_us, later.observed_at_us)
    assert content().digest == later.digest


def test_digest_tells_contents_apart() -> None:
    """Room, type, subject, time and data each make another content; layout and member order do not."""
    events: list[dict[str, str | bytes]] = [
        {},
        {"room": "growth"},
        {"type": "crm.account.closed"},
        {"subject": "acc/7"},
        {"time": "2026-11-30T10:00:00Z"},
        {"data": b"{}"},
    ]
    digests = {event_content(inbox_event(**parts), str(parts.get("room", "")), NOW_US).digest for parts in events}
    assert len(events) == len(digests)
    assert content(data=b'{"a":1,"b":2}').digest == content(data=b' {"b": 2, "a": 1}').digest
    assert content(time="2026-11-30T10:00:00Z").digest == content(time="2026-11-30T11:00:00.0+01:00").digest


def test_text_and_nothing_become_json() -> None:
    """Text is a JSON string in NFC, no data is null."""
    text = content(content_type="text/markdown; charset=UTF-8", data=b"e\xcc\x81").body.event
    nothing = content(data=b"").body.event
    assert text is not None
    assert nothing is not None
    assert ('"é"'.encode(), b"null") == (text.data, nothing.data)


def test_golden_revision() -> None:
    """A revision is kept whole, dated by `revised_at`."""
    found = revision(
        former_uri="doc/0001.md",
        revision="4e56d27",
        author="author-1",
        format="adr-nygard",
        revised_at="2017-06-30T14:13:33+01:00",
        unknown="ignored",
    )
    expected = Document(
        uri="docs/0001.md",
        former_uri="doc/0001.md",
        text="# 1. Record decisions\n",
        revision="4e56d27",
        author="author-1",
        format="adr-nygard",
    )
    assert expected == found.body.document
    assert ("document-revision", 1_498_828_413_000_000) == (found.path, found.observed_at_us)


def test_deleted_revision_has_no_text() -> None:
    """A deletion keeps no text, whatever came with it; an empty text that is no deletion stands."""
    assert Document(uri="docs/0001.md", deleted=True) == revision(deleted=True, text="old").body.document
    assert Document(uri="docs/0001.md") == revision(text="").body.document


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"uri": ""}, "FIELD_VALUE"),
        ({"uri": None}, "FIELD_VALUE"),
        ({"uri": "u" * 2_049}, "TOO_LARGE"),
        ({"text": None}, "FIELD_VALUE"),
        ({"text": 5}, "FIELD_VALUE"),
        ({"text": "a\x00"}, "FIELD_VALUE"),
        ({"text": "é" * 131_073}, "TOO_LARGE"),
        ({"deleted": "yes"}, "FIELD_VALUE"),
        ({"revised_at": "2026-11-30"}, "FIELD_VALUE"),
        ({"revised_at": "2026-11-30T10:00:00"}, "FIELD_VALUE"),
        ({"revised_at": "2030-01-01T00:00:00Z"}, "FIELD_VALUE"),
        ({"author": "a" * 257}, "TOO_LARGE"),
    ],
)
def test_bad_revision(members: dict[str, object], expected: str) -> None:
    """A revision with a missing, wrong or overlong member is refused."""
    with pytest.raises(InvalidMessage) as caught:
        revision(**members)
    assert expected == caught.value.code


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"type": ""}, "FIELD_VALUE"),
        ({"type": "t" * 257}, "TOO_LARGE"),
        ({"subject": "s" * 2_049}, "TOO_LARGE"),
        ({"time": "yesterday"}, "FIELD_VALUE"),
        ({"time": "2026-11-30T10:00:00"}, "FIELD_VALUE"),
        ({"time": "2026-02-30T10:00:00Z"}, "FIELD_VALUE"),
        ({"time": "0001-01-01T00:00:00+14:00"}, "FIELD_VALUE"),
        ({"time": "2026-11-30T12:38:21Z"}, "FIELD_VALUE"),
        ({"data": b"{"}, "UNREADABLE"),
        ({"data": b'{"a":NaN}'}, "UNREADABLE"),
        ({"data": b'{"a":1e999}'}, "FIELD_VALUE"),
        ({"data": b'"\\u0000"'}, "FIELD_VALUE"),
        ({"data": b'{"\\u0000":1}'}, "FIELD_VALUE"),
        ({"data": b'"\xff"'}, "UNREADABLE"),
        ({"data": b"[" * 33 + b"]" * 33}, "FIELD_VALUE"),
        ({"data": b"9" * 5_000}, "FIELD_VALUE"),
        ({"content_type": "application/octet-stream"}, "UNREADABLE"),
        ({"content_type": "application/json; charset=latin-1"}, "UNREADABLE"),
        ({"content_type": "text/plain", "data": b"\xff"}, "FIELD_VALUE"),
        ({"content_type": "text/plain", "data": b"a" * 2_090_000}, "TOO_LARGE"),
    ],
)
def test_bad_event(parts: dict[str, object], expected: str) -> None:
    """An event with a wrong, overlong, too deep or unreadable part is refused."""
    assert expected == code(**parts)


def test_limits_are_inclusive() -> None:
    """Five minutes ahead and 32 levels are still accepted, and brackets in a text are no levels."""
    assert NOW_US + 300_000_000 == content(time="2026-11-30T12:38:20Z").observed_at_us
    assert content(data=b"[" * 32 + b"]" * 32)
    assert content(data=json.dumps({"text": "[" * 50}).encode())


def test_texts_are_made_nfc_one_by_one() -> None:
    """A combining mark after an escape does not eat the escape."""
    found = content(data='{"a":"\\n\u0303","e\u0301":1}'.encode()).body.event
    assert found is not None
    assert {"a": "\n\u0303", "é": 1} == json.loads(found.data)
