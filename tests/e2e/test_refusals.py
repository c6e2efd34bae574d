"""The contracts' table of errors, reason by reason, as a caller of the whole line meets them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from msgspec import Struct

from stanchion import Client, ClientSettings
from stanchion.results import Link
from stanchion.writes import Write
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2, view_pb2_grpc
from stanchion_core.errors import FIELD_VALUE
from stanchion_local.keys import Grant, mint
from stanchion_runtime import clock
from support.calls import AsyncStub, bearer, detail, reason, refused

Connect = Callable[..., Client]

WORKSPACE = "refusals"
INVALID, MISSING = "INVALID_ARGUMENT", "FAILED_PRECONDITION"
CAPABLE = ("approve", "read", "review", "write")
RELATIONS = b'{"relations": [{"from": {"name": "Maya"}, "name": "works_at", "to": {"name": "Platform"}}]}'
OTHER = "name: other\nkinds:\n  note: {}\n"


class Case(Struct, frozen=True):
    """What is asked, and how it is refused.

    Attributes:
        method: of the gateway.
        request: as it is sent.
        reason: stable.
        code: canonical.
        where: the field of the request in BadRequest, or the subject of PreconditionFailure; empty for neither.
        facts: what else a program finds in ErrorInfo.
    """

    method: str
    request: Any
    reason: str
    code: str
    where: str = ""
    facts: dict[str, str] = {}


def batch(*writes: pb.Write, key: str = "") -> pb.WriteBatchRequest:
    """Give a batch."""
    return pb.WriteBatchRequest(workspace=WORKSPACE, idempotency_key=key, writes=writes)


def field(name: str, value: str) -> list[types_pb2.Field]:
    """Give a field."""
    return [types_pb2.Field(name=name, value_json=f'"{value}"')]


def link(name: str, to: str) -> list[pb.LinkSet]:
    """Give a link."""
    return [pb.LinkSet(name=name, links=[types_pb2.Link(to=to)])]


def cases() -> Iterator[Case]:
    """Give every reason that a write can be refused for."""
    ok = pb.Write(id="n-1", kind="decision", label="n")
    place = "writes[1].links[0].links[0]"
    wrong = pb.Write(id="d-2", kind="decision", label="d", links=link("assumes", "h-9"))
    yield Case("WriteBatch", batch(ok, wrong), "LINK_TARGET_MISSING", INVALID, place, {"record_id": "d-2"})
    wrong = pb.Write(id="r-2", kind="rule", label="r", links=link("based_on", "h-1"))
    yield Case("WriteBatch", batch(ok, wrong), "LINK_END_KIND", INVALID, place, {"record_id": "r-2"})
    wrong = pb.Write(id="d-2", kind="decision", label="d", links=link("refines", "d-2"))
    yield Case("WriteBatch", batch(ok, wrong), "LINK_SELF", INVALID, "writes[1].links[0]", {"record_id": "d-2"})
    yield Case("WriteBatch", batch(ok, pb.Write(id="x", kind="verdict")), "UNKNOWN_KIND", INVALID, "writes[1].kind")
    wrong = pb.Write(id="d-1", fields=field("hue", "red"))
    yield Case("WriteBatch", batch(ok, wrong), "UNKNOWN_FIELD", INVALID, "writes[1].fields[0]", {"field": "hue"})
    wrong = pb.Write(id="d-1", fields=field("status", "done"))
    yield Case("WriteBatch", batch(ok, wrong), FIELD_VALUE, INVALID, "writes[1].fields[0]", {"field": "status"})
    yield Case("WriteBatch", batch(ok, ok), "DUPLICATE_IN_BATCH", INVALID, "writes[1]", {"record_id": "n-1"})
    yield Case("WriteBatch", batch(ok, pb.Write(id="n-2", label="l" * 301)), "TOO_LARGE", INVALID, "writes[1].label")
    yield Case("WriteBatch", batch(*[ok] * 201), "TOO_MANY", INVALID, "writes")
    active = [*field("status", "active")]
    half = pb.Write(id="d-2", kind="decision", label="d", fields=active, links=link("replaces", "d-1"))
    yield Case(
        "WriteBatch", batch(half), "HALF_WRITTEN_REVERSAL", MISSING, "d-1", {"record_id": "d-1", "field": "status"}
    )
    stale = pb.Write(id="d-1", label="other", if_match=7)
    yield Case("WriteBatch", batch(ok, stale), "VERSION_CONFLICT", "ABORTED", facts={"current_version": "1"})
    unborn = pb.Write(id="n-3", kind="rule", label="n", if_match=3)
    yield Case("WriteBatch", batch(unborn), "VERSION_CONFLICT", "ABORTED", facts={"current_version": "0"})
    yield Case("WriteBatch", batch(pb.Write(id="gone", delete=True)), "NOT_FOUND", "NOT_FOUND")
    reused = batch(pb.Write(id="h-1", label="other"), key="first")
    yield Case("WriteBatch", reused, "IDEMPOTENCY_KEY_REUSED", "ALREADY_EXISTS")
    moved = pb.AffirmRequest(workspace=WORKSPACE, record_id="d-1", observed_through=2)
    yield Case("Affirm", moved, "MOVED_SINCE", "ABORTED", facts={"current_version": "1"})
    ahead = pb.AffirmRequest(workspace=WORKSPACE, record_id="d-1", observed_through=999)
    yield Case("Affirm", ahead, FIELD_VALUE, INVALID, "observed_through")
    claim = pb.StatedClaim(subject="s", predicate="p", value=types_pb2.Value(type="number", text="many"))
    said = pb.ObserveRequest(workspace=WORKSPACE, claims=[claim])
    yield Case("Observe", said, FIELD_VALUE, INVALID, "claims[0].value")
    unknown = pb.RejectProposalRequest(workspace=WORKSPACE, proposal_id="none", digest=bytes(32), reason="no")
    yield Case("RejectProposal", unknown, "NOT_FOUND", "NOT_FOUND")
    other = pb.SetWorkspaceRequest(workspace=WORKSPACE, vocabulary=OTHER)
    yield Case("SetWorkspace", other, "VOCABULARY_IN_USE", MISSING)
    nowhere = pb.SetWorkspaceRequest(workspace=WORKSPACE, vocabulary="name: a\nkinds: {note: {fields: {due: day}}}")
    yield Case("SetWorkspace", nowhere, FIELD_VALUE, INVALID, "vocabulary.kinds.note.fields.due")


def where(error: grpc.aio.AioRpcError) -> str:
    """Give the one place that a refusal names."""
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
        (violation,) = detail(error, error_details_pb2.BadRequest).field_violations
        return str(violation.field)
    (missing,) = detail(error, error_details_pb2.PreconditionFailure).violations
    return str(missing.subject)


@pytest.mark.timeout(180)
@pytest.mark.asyncio(loop_scope="session")
async def test_every_reason(connect: Connect, home: Path) -> None:
    """Each has its code, its place in the request and its facts; nothing of what was refused has landed."""
    settings = ClientSettings(home=home)
    writes = [
        Write(id="h-1", kind="hypothesis", label="h", fields={"status": "open"}),
        Write(
            id="d-1",
            kind="decision",
            label="d",
            fields={"status": "active"},
            links={"assumes": [Link(name="assumes", to="h-1")]},
        ),
    ]
    async with (
        connect(workspace=WORKSPACE) as client,
        grpc.aio.insecure_channel(settings.address("gateway")) as channel,
    ):
        stub: AsyncStub = ingest_pb2_grpc.IngestServiceStub(channel)
        await client.write_batch(writes, idempotency_key="first")
        await client.write_batch([Write(id="h-1", fields={"status": "refuted"})])
        metadata = bearer(settings.bearer())
        for case in cases():
            error = await refused(getattr(stub, case.method)(case.request, metadata=metadata, timeout=20))
            assert (case.reason, grpc.StatusCode[case.code]) == reason(error), case
            assert error.details(), case
            if case.where:
                assert case.where == where(error), case
            facts = detail(error, error_details_pb2.ErrorInfo).metadata
            assert case.facts.items() <= dict(facts).items(), (case, facts)
        answer = await client.write_batch([Write(id="d-1", label="and on")])
    assert (4, 4) == (answer.first_seq, answer.min_seq)


@pytest.mark.timeout(120)
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.usefixtures("line")
async def test_who_may_and_when(home: Path) -> None:
    """Who may not is told who may; what was shown before it changed, and a read of what is to come, are refused."""
    settings, workspace = ClientSettings(home=home), f"{WORKSPACE}-who"
    now_us = clock.now_us()
    maya, elsewhere, scout = (
        bearer(mint(home, Grant(**grant), now_us=now_us, days=1))
        for grant in (
            {"sub": "maya", "kind": "person", "capabilities": CAPABLE},
            {"sub": "maya", "kind": "person", "workspaces": ("beta",)},
            {"sub": "scout", "kind": "agent", "on_behalf_of": "maya"},
        )
    )
    gateway, view = settings.address("gateway"), settings.address("view")
    async with grpc.aio.insecure_channel(gateway) as channel, grpc.aio.insecure_channel(view) as reading:
        stub: AsyncStub = ingest_pb2_grpc.IngestServiceStub(channel)
        reads: AsyncStub = view_pb2_grpc.ViewServiceStub(reading)
        first = pb.WriteBatchRequest(workspace=workspace, writes=[pb.Write(id="r", kind="rule", label="r")])
        await stub.WriteBatch(first, metadata=maya, timeout=20)
        over = pb.WriteBatchRequest(workspace=workspace, writes=[pb.Write(id="r", label="s")])
        (proposal,) = (await stub.WriteBatch(over, metadata=scout, timeout=20)).answer.proposals
        shown = {"workspace": workspace, "proposal_id": proposal, "digest": b"\x01" * 32}
        publish, reject = pb.PublishProposalRequest(**shown), pb.RejectProposalRequest(**shown, reason="no")
        later = view_pb2.GetRecordRequest(workspace=workspace, id="r", min_seq=10**6)
        for call, expected, code in (
            (stub.PublishProposal(publish, metadata=maya, timeout=20), "REVISION_CONFLICT", "ABORTED"),
            (stub.PublishProposal(publish, metadata=scout, timeout=20), "NOT_A_PERSON", "PERMISSION_DENIED"),
            (stub.RejectProposal(reject, metadata=maya, timeout=20), "MISSING_CAPABILITY", "PERMISSION_DENIED"),
            (stub.PublishProposal(publish, metadata=elsewhere, timeout=20), "WRONG_WORKSPACE", "PERMISSION_DENIED"),
            (reads.GetRecord(later, metadata=maya, timeout=1), "NOT_YET_VISIBLE", "UNAVAILABLE"),
            (stub.PublishProposal(publish, timeout=20), "TOKEN_MISSING", "UNAUTHENTICATED"),
        ):
            assert (expected, grpc.StatusCode[code]) == reason(await refused(call))


async def published(
    stub: AsyncStub, metadata: object, event_id: str, data: bytes, kind: str = "stanchion.measurement.v1"
) -> pb.Answer:
    """Publish one event and wait for its answer."""
    event = pb.PublishRequest(
        workspace=f"{WORKSPACE}-told", id=event_id, source="/crm", type=kind, data=data, await_answer=True
    )
    (response,) = [each async for each in stub.Publish(iter([event]), metadata=metadata, timeout=20)]
    answer: pb.Answer = response.answer
    return answer


@pytest.mark.timeout(120)
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.usefixtures("line")
async def test_whoever_waits_is_told(home: Path) -> None:
    """What was not taken and why, that it came before, that it can never be taken; and what a read must wait for."""
    settings = ClientSettings(home=home)
    metadata = bearer(settings.bearer())
    reading = b'{"subject": "TAM", "predicate": "size", "value": 5, "type": "number"}'
    crowd = b'{"claims": [%s]}' % b",".join([reading] * 201)
    async with grpc.aio.insecure_channel(settings.address("gateway")) as channel:
        stub: AsyncStub = ingest_pb2_grpc.IngestServiceStub(channel)
        unknown = await published(stub, metadata, "e-1", b"{}", "crm.account.updated")
        assert (0, ["crm.account.updated: no mapping is declared for this type of event"]) == (
            unknown.first_seq,
            list(unknown.left_out),
        )
        landed = await published(stub, metadata, "e-2", reading)
        again = await published(stub, metadata, "e-2", reading)
        assert (1, 1, 1, False) == (landed.first_seq, landed.last_seq, landed.min_seq, landed.repeated_command)
        assert (0, 0, 1, True) == (again.first_seq, again.last_seq, again.min_seq, again.repeated_command)
        for event_id, data, expected, code in (
            ("e-2", b"{}", "EVENT_ID_REUSED", "ALREADY_EXISTS"),
            ("e-3", crowd, "TOO_MANY", "INVALID_ARGUMENT"),  # extraction's dead letter
        ):
            error = await refused(published(stub, metadata, event_id, data))
            assert (expected, grpc.StatusCode[code]) == reason(error)
        stated = await published(stub, metadata, "e-4", RELATIONS, "stanchion.relations.stated.v1")
        assert (2, 2, []) == (stated.first_seq, stated.min_seq, list(stated.left_out))
        text = pb.ObserveRequest(workspace=f"{WORKSPACE}-told", idempotency_key="k", text="the TAM is $5B")
        for repeated in (False, True):
            answer = (await stub.Observe(text, metadata=metadata, timeout=20)).answer
            assert (0, 2, repeated) == (answer.first_seq, answer.min_seq, answer.repeated_command)
            assert repeated is not any("free text is not read yet" in sentence for sentence in answer.left_out)
