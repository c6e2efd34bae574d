import pytest

from stanchion import cloudevents
from stanchion.writes import Event


def test_a_line_is_an_event() -> None:
    """Attributes, workspace and room come over, data as compact JSON."""
    line = (
        '{"specversion": "1.0", "id": "1", "source": "crm", "type": "deal.lost", "workspace": "w", "room": "r", '
        '"subject": "acme", "time": "2026-01-01T00:00:00Z", "data": {"why": "Preis: 5 €"}}'
    )
    expected = Event(
        id="1",
        source="crm",
        type="deal.lost",
        workspace="w",
        room="r",
        subject="acme",
        time="2026-01-01T00:00:00Z",
        data='{"why":"Preis: 5 €"}'.encode(),
    )
    assert [None, expected, None] == [cloudevents.parse(n, each) for n, each in enumerate(["", line, "\n"])]


def test_bytes_and_texts() -> None:
    """`data_base64` is bytes; text of another content type stays text; no data is no bytes."""
    base = {"id": "1", "source": "s", "type": "t"}
    assert b"\x00\x01" == cloudevents.event({**base, "data_base64": "AAE="}).data
    assert b"plain" == cloudevents.event({**base, "data": "plain", "datacontenttype": "text/plain"}).data
    assert b'"json"' == cloudevents.event({**base, "data": "json"}).data
    assert b"" == cloudevents.event(base).data


def test_a_source_for_events_that_name_none() -> None:
    """A source given for a file counts where an event names none."""
    assert "mine" == cloudevents.event({"id": "1", "type": "t"}, "mine").source
    assert "own" == cloudevents.event({"id": "1", "type": "t", "source": "own"}, "mine").source


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[]", "line 1 is no event: not a JSON object"),
        ('{"id": "1"}', "line 1 is no event: source, type missing"),
        ('{"id": "1", "source": "s", "type": 3}', "line 1 is no event: type must be text"),
        ('{"id": "1", "source": "s", "type": "t", "data_base64": "!"}', "line 1 is no event: data_base64"),
        ('{"id": "1", "source": "s", "type": "t", "datacontenttype": 5, "data": "x"}', "datacontenttype must be text"),
        ("{", "line 1 is no event: Expecting"),
        ("[" * 100_000, "line 1 is no event: maximum recursion"),
    ],
)
def test_what_is_no_event_is_named(line: str, why: str) -> None:
    """The line and what it lacks are named."""
    with pytest.raises(ValueError, match=why):
        cloudevents.parse(1, line)
