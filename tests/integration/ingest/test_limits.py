"""The contracts' limits as callers meet them: over one the call is refused with the limit named, at it it passes."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message as Proto
from google.rpc import error_details_pb2

from stanchion_contracts.command import Command
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.observation import Request
from stanchion_ingest.rpc import NAME
from support.calls import AsyncStub, bearer, detail, reason, refused
from support.decider import Decider
from support.tokens import Issuer

SHOWN: dict[str, Any] = {"workspace": "acme", "proposal_id": "p", "digest": bytes(32)}
MIB = 1024 * 1024


def write(**parts: object) -> pb.WriteBatchRequest:
    """Give a batch of one write."""
    return pb.WriteBatchRequest(workspace="acme", writes=[pb.Write(**({"id": "a"} | parts))])  # type: ignore[arg-type] # made to measure


def links(count: int) -> dict[str, object]:
    """Give so many links of a write."""
    return {"links": [pb.LinkSet(name="assumes", links=[types_pb2.Link(to=f"h-{n}") for n in range(count)])]}


def citations(count: int, chars: int) -> dict[str, object]:
    """Give so many citations with a quote of so many characters."""
    return {"evidence": pb.CitationList(citations=[types_pb2.Citation(uri="u", quote="q" * chars)] * count)}


def nested(levels: int) -> dict[str, object]:
    """Give a field of so many arrays inside each other."""
    return {"fields": [types_pb2.Field(name="applies_to", value_json="[" * levels + "]" * levels)]}


def affirm(**parts: object) -> pb.AffirmRequest:
    """Give an affirmation."""
    return pb.AffirmRequest(workspace="acme", record_id="a", **parts)  # type: ignore[arg-type] # made to measure


def observation(text: str) -> pb.ObserveRequest:
    """Give an observation of a text."""
    return pb.ObserveRequest(workspace="acme", text=text)


def ahead(seconds: float) -> pb.ObserveRequest:
    """Give an observation of a time to come."""
    request = observation("hi")
    request.observed_at.FromDatetime(datetime.now(UTC) + timedelta(seconds=seconds))  # noqa: TID251 - the gateway's own clock is asked
    return request


def claims(chars: int) -> pb.ObserveRequest:
    """Give 200 claims, each with so many characters of three bytes."""
    value = types_pb2.Value(type="string", text="\u6c34" * chars)
    return pb.ObserveRequest(workspace="acme", claims=[pb.StatedClaim(subject="s", predicate="p", value=value)] * 200)


def batch(count: int, size: int = 1) -> pb.WriteBatchRequest:
    """Give a batch of so many writes with bodies of a size."""
    writes = [pb.Write(id=f"r-{n}", kind="rule", label="l", body="b" * size) for n in range(count)]
    return pb.WriteBatchRequest(workspace="acme", writes=writes)


def limits() -> Iterator[tuple[str, Proto, Proto, str, str, str]]:
    """Give method, what passes, what does not, and then the reason, the field and the limit that the refusal names."""
    large, many = "TOO_LARGE", "TOO_MANY"
    yield "WriteBatch", write(body="é" * 131_072), write(body="é" * 131_073), large, "writes[0].body", "262144"
    yield "WriteBatch", write(label="é" * 300), write(label="é" * 301), large, "writes[0].label", "300"
    yield "WriteBatch", write(**links(64)), write(**links(65)), many, "writes[0].links", "64"
    yield "WriteBatch", write(**citations(64, 9)), write(**citations(65, 9)), many, "writes[0].evidence", "64"
    over = write(**citations(1, 2_001))
    yield "WriteBatch", write(**citations(1, 2_000)), over, large, "writes[0].evidence[0].quote", "2000"
    yield "WriteBatch", batch(200), batch(201), many, "writes", "200"
    yield "WriteBatch", batch(7, 262_144), batch(9, 262_144), large, "writes", str(2 * MIB)
    yield "WriteBatch", write(**nested(32)), write(**nested(33)), "FIELD_VALUE", "writes[0].fields[0].value_json", "32"
    yield "Affirm", affirm(note="n" * 500), affirm(note="n" * 501), large, "note", "500"
    key = "idempotency_key"
    yield "Affirm", affirm(idempotency_key="k" * 128), affirm(idempotency_key="k" * 129), large, key, "128"
    yield "Observe", ahead(250), ahead(350), "FIELD_VALUE", "observed_at", "5 minutes"
    yield "Observe", observation("t" * 262_144), observation("t" * 262_145), large, "text", "262144"
    yield "Observe", claims(1_000), claims(4_000), large, "", str(2 * MIB)
    reject = pb.RejectProposalRequest(**SHOWN, reason="n" * 500)
    yield "RejectProposal", reject, pb.RejectProposalRequest(**SHOWN, reason="n" * 501), large, "reason", "500"
    publish = pb.PublishProposalRequest(**SHOWN, note="n" * 500)
    yield "PublishProposal", publish, pb.PublishProposalRequest(**SHOWN, note="n" * 501), large, "note", "500"
    chosen = [f"r-{n}" for n in range(201)]
    some, more = (pb.PublishProposalRequest(**SHOWN, record_ids=chosen[:n]) for n in (200, 201))
    yield "PublishProposal", some, more, many, "record_ids", "200"


async def test_limits(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """Each is refused at once, with its field in BadRequest and the limit in the sentence; what is just at it lands."""
    metadata = bearer(issuer.token())
    for method, at, over, expected, field, limit in limits():
        error = await refused(getattr(stub, method)(over, metadata=metadata, timeout=20))
        assert (expected, grpc.StatusCode.INVALID_ARGUMENT) == reason(error)
        assert limit in (error.details() or "").replace(",", ""), (method, field, error.details())
        if field:
            named = detail(error, error_details_pb2.BadRequest).field_violations
            assert [field] == [violation.field for violation in named]
        assert [] == decider.seen
        await getattr(stub, method)(at, metadata=metadata, timeout=20)
        assert 1 == len(decider.seen), (method, field)
        decider.seen.clear()


async def test_text(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """Text is stored composed; NUL, lone surrogates, invalid UTF-8 and a time without offset are refused."""
    metadata = bearer(issuer.token())
    await stub.WriteBatch(write(label="Zu\u0308rich"), metadata=metadata, timeout=20)
    await stub.Observe(observation("Zu\u0308rich"), metadata=metadata, timeout=20)
    command, asked = sorted(decider.seen, key=lambda message: isinstance(message, Request))
    assert isinstance(command, Command)
    assert command.write_batch is not None
    assert isinstance(asked, Request)
    assert asked.body is not None
    assert "Zürich" == command.write_batch.writes[0].label
    decider.seen.clear()

    for wrong, field in (
        (write(label="a\x00"), "writes[0].label"),
        (write(valid_from="2026-11-30T10:00:00"), "writes[0].valid_from"),
        (write(fields=[types_pb2.Field(name="n", value_json='"\\ud800"')]), "writes[0].fields[0].value_json"),
    ):
        error = await refused(stub.WriteBatch(wrong, metadata=metadata, timeout=20))
        assert [field] == [each.field for each in detail(error, error_details_pb2.BadRequest).field_violations]
    assert [] == decider.seen


@pytest.mark.parametrize("label", [b"\xc3\x28", b"a\xed\xa0\x80"])
async def test_bytes_that_are_no_text(gateway_channel: grpc.aio.Channel, issuer: Issuer, label: bytes) -> None:
    """Invalid UTF-8 and a lone surrogate on the wire are refused with a reason, also in the middle of a stream."""
    channel: Any = gateway_channel  # without serializers it takes and gives bytes
    metadata = bearer(issuer.token())
    message = write(label="?" * len(label)).SerializeToString().replace(b"?" * len(label), label)
    error = await refused(channel.unary_unary(f"/{NAME}/WriteBatch")(message, metadata=metadata, timeout=20))
    assert ("FIELD_VALUE", grpc.StatusCode.INVALID_ARGUMENT) == reason(error)
    event = pb.PublishRequest(id="e", workspace="acme", source="/crm", type="t", data=b"{}").SerializeToString()
    sent = iter([event, event.replace(b"/crm", b"\xc3\x28rm")])
    responses = aiter(channel.stream_stream(f"/{NAME}/Publish")(sent, metadata=metadata, timeout=20))
    assert "e" == pb.PublishResponse.FromString(await anext(responses)).id
    assert ("FIELD_VALUE", grpc.StatusCode.INVALID_ARGUMENT) == reason(await refused(anext(responses)))
