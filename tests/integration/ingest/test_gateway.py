"""The gateway as its callers have it: messages out, answers back, in time or not."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from stanchion_broker.broker import Broker
from stanchion_contracts import codec
from stanchion_contracts.change import Changes, Landed
from stanchion_contracts.command import Command
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.observation import Request
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import Transient
from stanchion_core.ids import partition_of
from stanchion_ingest.gateway import Gateway
from stanchion_ingest.settings import GatewayServerSettings, GatewaySettings
from stanchion_runtime import rpc
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Record, Span
from support.calls import TRACE, AsyncStub, bearer, reason
from support.decider import Decider, Message
from support.kafka_logs import PARTITIONS, kafka_settings
from support.tokens import Issuer


def landed(message: Message, seq: int) -> Changes:
    """Say that a message made a record."""
    return Changes(
        meta=message.meta,
        recorded_at_us=message.meta.time_us,
        last_seq=seq + 1,
        landed=(Landed(record_id="d-1", version=1),),
    )


async def test_command_and_answer(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """A write lands on `commands` with who wrote it and the caller's trace, and its answer comes back with the seq."""
    decider.decide = landed
    batch = pb.WriteBatchRequest(workspace="acme", idempotency_key="k", writes=[pb.Write(id="d-1", kind="decision")])
    response = await stub.WriteBatch(batch, metadata=bearer(issuer.token("maya")), timeout=20)
    assert (1, "d-1") == (response.answer.min_seq, response.answer.records[0].record_id)
    (message,) = decider.seen
    assert isinstance(message, Command)
    assert ("maya", "person", "k") == (message.meta.actor.id, message.meta.actor.kind, message.key)
    assert TRACE.encode() == dict(decider.headers[0])["traceparent"]


async def test_refusals(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """Each refusal has its canonical code and a stable reason, whether the gateway or validity refuses."""

    def decide(message: Message, seq: int) -> Changes:
        refusal = Refusal(reason="MOVED_SINCE", detail="d-1 moved at 7", record_id="d-1")
        return Changes(meta=message.meta, recorded_at_us=message.meta.time_us, last_seq=seq, refusal=refusal)

    decider.decide = decide
    affirm = pb.AffirmRequest(workspace="acme", record_id="d-1")
    cases = [
        (stub.Affirm(affirm, metadata=bearer(issuer.token()), timeout=20), "MOVED_SINCE", "ABORTED"),
        (
            stub.Affirm(affirm, metadata=bearer(issuer.token("bot", kind="agent")), timeout=20),
            "NOT_A_PERSON",
            "PERMISSION_DENIED",
        ),
        (
            stub.Affirm(affirm, metadata=bearer(issuer.token(capabilities=["write"])), timeout=20),
            "MISSING_CAPABILITY",
            "PERMISSION_DENIED",
        ),
        (
            stub.Affirm(affirm, metadata=bearer(issuer.token(workspaces=["other"])), timeout=20),
            "WRONG_WORKSPACE",
            "PERMISSION_DENIED",
        ),
        (
            stub.Observe(pb.ObserveRequest(workspace="acme"), metadata=bearer(issuer.token()), timeout=20),
            "FIELD_VALUE",
            "INVALID_ARGUMENT",
        ),
        (stub.Affirm(affirm, timeout=20), "TOKEN_MISSING", "UNAUTHENTICATED"),
    ]
    for call, expected, code in cases:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert (expected, grpc.StatusCode[code]) == reason(caught.value)


async def test_field_is_named(stub: AsyncStub, issuer: Issuer) -> None:
    """A write that is wrong names its field, as a program can read it."""
    wrong = pb.WriteBatchRequest(workspace="acme", writes=[pb.Write(id="a"), pb.Write(id="b", label="l" * 301)])
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.WriteBatch(wrong, metadata=bearer(issuer.token()), timeout=20)
    bad = error_details_pb2.BadRequest()
    assert any(detail.Unpack(bad) for detail in rpc_status.from_call(caught.value).details)
    (violation,) = bad.field_violations
    assert ("writes[1].label", "writes[1].label has 301 characters; the limit is 300") == (
        violation.field,
        violation.description,
    )


class _BrokenLog(KafkaLog):
    """A log whose `changes` cannot be followed."""

    async def follow(self, topic: str, starts: Mapping[int, int]) -> AsyncGenerator[Sequence[Record]]:
        """Fail.

        Raises:
            Transient: always.
        """
        raise Transient(f"{topic} is away from {starts}")
        yield []


async def test_gateway_that_cannot_hear_ends(broker: Broker, topic_prefix: str, issuer: Issuer) -> None:
    """A gateway that cannot follow its answers stops serving and ends, rather than to let callers wait for nothing."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    async with _BrokenLog(settings, "test-gateway") as log:
        server = GatewayServerSettings(port=0, http_port=-1, drain_s=0)
        gateway = Gateway(log, PARTITIONS, GatewaySettings(view=""), server, rpc.Authenticator.of(issuer.settings()))
        with pytest.RaisesGroup(Transient):
            await gateway.run(asyncio.Event())


async def test_unanswered(stub: AsyncStub, issuer: Issuer, gateway: Gateway, decider: Decider) -> None:
    """Without an answer the caller learns, just before its deadline, that the outcome is unknown; nothing is kept."""
    silent = asyncio.Event()

    async def say_nothing(record: object) -> None:  # noqa: ARG001 - the shape of an answer
        silent.set()

    decider.answer = say_nothing  # type: ignore[method-assign] # a line that is stuck
    call = stub.Observe(pb.ObserveRequest(workspace="acme", text="hi"), metadata=bearer(issuer.token()), timeout=1)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    assert ("OUTCOME_UNKNOWN", grpc.StatusCode.DEADLINE_EXCEEDED) == reason(caught.value)
    assert silent.is_set()
    assert {"waiting": 0, "bytes": 0} == gateway.line.load()


async def test_publish_stream(stub: AsyncStub, log: KafkaLog, issuer: Issuer) -> None:
    """Events of a stream are durable in order once acknowledged, each on its workspace's partition."""
    before = {partition: each.end for partition, each in (await log.bounds("requests", range(PARTITIONS))).items()}
    events = [
        pb.PublishRequest(
            id=f"p-{number}", workspace=f"w-{number % 5}", source="/crm", type="t", data=b'{"n":%d}' % number
        )
        for number in range(3_000)
    ]
    call = stub.Publish(iter(events), metadata=bearer(issuer.token("scout", kind="agent")))
    assert [event.id for event in events] == [response.id async for response in call]
    after = {partition: each.end for partition, each in (await log.bounds("requests", range(PARTITIONS))).items()}
    spans = [Span(topic="requests", partition=at, start=before[at], stop=after[at]) for at in before]
    found: dict[int, list[str]] = {}
    async for records in log.read(spans):
        for record in records:
            message = codec.decode(record.value, Request)
            if message.publisher == "/crm":
                found.setdefault(record.partition, []).append(message.event_id)
                assert "scout" == message.meta.actor.id
    for partition, ids in found.items():
        assert [each.id for each in events if partition_of(each.workspace, PARTITIONS) == partition] == ids
    assert 3_000 == sum(map(len, found.values()))


async def test_publish_acknowledges_an_id_as_it_was_sent(stub: AsyncStub, issuer: Issuer) -> None:
    """An id is stored in NFC, but its publisher looks for the one it sent: a path from a Mac, for example."""
    sent = "docs/Zu\u0308rich.md"
    event = pb.PublishRequest(id=sent, workspace="acme", source="/crm", type="t", data=b"{}")
    responses = [response async for response in stub.Publish(iter([event]), metadata=bearer(issuer.token()))]
    assert [sent] == [response.id for response in responses]


async def test_publish_refused_in_the_middle(stub: AsyncStub, issuer: Issuer) -> None:
    """A wrong event ends the stream after what came before it is acknowledged."""
    good = pb.PublishRequest(id="a", workspace="acme", source="/crm", type="t", data=b"{}")
    bad = pb.PublishRequest(id="b", workspace="acme", source="/crm", type="t", data=b"{")
    responses = aiter(stub.Publish(iter([good, bad, good]), metadata=bearer(issuer.token())))
    assert "a" == (await anext(responses)).id
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await anext(responses)
    assert ("FIELD_VALUE", grpc.StatusCode.INVALID_ARGUMENT) == reason(caught.value)


async def test_awaited_event(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """An event whose answer is awaited comes back with it."""
    decider.decide = landed
    event = pb.PublishRequest(id="aw", workspace="acme", source="/crm", type="t", data=b"{}", await_answer=True)
    call = stub.Publish(iter([event]), metadata=bearer(issuer.token()), timeout=20)
    (response,) = [response async for response in call]
    assert ("aw", "d-1") == (response.id, response.answer.records[0].record_id)


async def test_overload(stub: AsyncStub, issuer: Issuer, gateway: Gateway) -> None:
    """One awaited answer more than the gateway keeps is refused, with when to come again."""
    waiting = [gateway.line.expect("acme") for _ in range(4)]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Observe(pb.ObserveRequest(workspace="acme", text="hi"), metadata=bearer(issuer.token()), timeout=5)
    assert ("OVERLOADED", grpc.StatusCode.RESOURCE_EXHAUSTED) == reason(caught.value)
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in rpc_status.from_call(caught.value).details)
    assert 500_000_000 == retry.retry_delay.nanos
    for each in waiting:
        gateway.line.forget(each)
