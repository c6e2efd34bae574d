"""The outline of a changes message is the message, as far as it goes."""

from pathlib import Path

import pytest

from stanchion_contracts import codec
from stanchion_contracts.change import (
    Affirmation,
    Change,
    Changes,
    DateReached,
    Proposal,
    RecordChange,
    RecordPart,
    ResolutionChange,
    TrustChange,
    Upstream,
)
from stanchion_contracts.command import LinkSet, QuoteSeen, ReportObservations, Write, WriteBatch
from stanchion_contracts.ledger import Payload
from stanchion_contracts.meta import Actor
from stanchion_contracts.outline import encode_payload, outline_of, read_outline
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from support.changes import belief_moved, changes, latency, record_written

PINNED = bytes.fromhex((Path(__file__).resolve().parents[2] / "schemas/changes/v1.hex").read_text())
LONG = "long " * 50
RECORD = RecordChange(
    id="adr-1",
    kind="decision",
    version=300,
    before=None,
    after=RecordPart(
        label=LONG,
        body=LONG,
        body_digest=b"\xff" * 32,
        fields=(FieldValue(name="a", value="1"),) * 70,
        links=(Link(name="depends_on", to="adr-2", proposal_confidence=0.5),),
        link_names=("depends_on",),
        evidence=(Citation(uri="u"),),
        tags=("é",),
        valid_from="",
        valid_to="2026-01-01",
        upstream=Upstream(uri="u", former_uris=("v",), deleted=True),
    ),
    by=Actor(kind="person", id="p", capabilities=("read",)),
)
WRITE = Write(id="adr-1", links=(LinkSet(name="replaces", links=(Link(name="replaces", to="x"),)),), if_match=-70)


def change(seq: int, **part: object) -> Change:
    """Give a change with one part."""
    return Change(seq=seq, action="date.reached", subject_kind="k", subject_id=LONG, reason="r", **part)  # type: ignore[arg-type]  # one part at a time


EVERY = changes(
    7,
    record_written(1),
    belief_moved(2, latency(1, -1)),
    change(3, record=RECORD),
    change(2**40, affirmation=Affirmation(record_id="adr-1", version=1, observed_through=2**62)),
    change(5, trust=TrustChange(name="blog", before=None, after=0.5)),
    change(6, resolution=ResolutionChange(subject="s", predicate="p", value=Value(type="boolean", text="true"))),
    change(7, observed=ReportObservations(uri="u", quotes=(QuoteSeen(quote="q", seen="absent"),))),
    change(8, proposal=Proposal(id="p", reason="r", batch=WriteBatch(writes=(WRITE,)))),
    change(9, date=DateReached(record_id="adr-1", field="f", date="2026-01-01")),
)
MESSAGES = [codec.decode(PINNED, Changes), changes(1, last_seq=4), EVERY]


@pytest.mark.parametrize("message", MESSAGES, ids=["pinned", "empty", "every-part"])
def test_an_outline_is_that_of_the_whole_message(message: Changes) -> None:
    """Stepped over, each change has the seq, words and bytes that it has when it is read."""
    assert outline_of(message) == read_outline(codec.encode(message))
    assert [part.seq for part in message.changes] == [part.seq for part in read_outline(codec.encode(message)).changes]


@pytest.mark.parametrize("message", MESSAGES, ids=["pinned", "empty", "every-part"])
def test_a_payload_made_of_an_outline_has_the_codec_s_bytes(message: Changes) -> None:
    """What audit puts together is byte for byte what the codec writes."""
    salt = bytes(range(16))
    payloads = [codec.encode(Payload(salt=salt, change=part)) for part in message.changes]
    assert payloads == [encode_payload(salt, part.data) for part in read_outline(codec.encode(message)).changes]


def test_cut_bytes_are_refused() -> None:
    """Bytes that end inside the changes are unreadable at every length, never half an outline."""
    bare = Changes(meta=EVERY.meta, recorded_at_us=1, last_seq=9, changes=EVERY.changes)
    whole = codec.encode(bare)
    behind = len(whole) - whole.rindex(b"2026-01-01") - len(b"2026-01-01") - 1
    for end in range(len(whole) - behind):
        with pytest.raises(InvalidMessage, match="UNREADABLE"):
            read_outline(whole[:end])


@pytest.mark.parametrize("data", [b"", b"\xc3\x01", b"\x00" * 40, codec.head_of(Payload) + b"\x00" * 9])
def test_other_messages_are_refused(data: bytes) -> None:
    """What is no changes message is unreadable here as for the codec."""
    with pytest.raises(InvalidMessage, match="UNREADABLE"):
        read_outline(data)
