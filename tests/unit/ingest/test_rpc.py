"""What each method of IngestService puts on the line, and what it refuses."""

from typing import Any

import grpc
import msgspec
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.belief import Belief, BeliefUpdate, Likeliest, ValueState
from stanchion_contracts.change import Change, Changes, Imported, Landed
from stanchion_contracts.command import (
    Affirm,
    Command,
    PublishProposal,
    QuoteSeen,
    RejectProposal,
    ReportObservations,
    SetWorkspace,
)
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.observation import (
    Body,
    InboxEvent,
    Request,
    Resolution,
    StatedClaim,
    TextEvidence,
    TrustSetting,
)
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.relation import Entity, Relation
from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import observation_id
from stanchion_ingest.handler import State
from stanchion_ingest.line import Line
from stanchion_ingest.rpc import IngestServicer
from stanchion_ingest.settings import GatewaySettings
from stanchion_runtime import rpc
from stanchion_runtime.auth import CAPABILITIES
from support.arrivals import NOW_US, asked, observed
from support.callers import MAYA, SCOUT, calling
from support.decider import Decider, Message

NO_CONTEXT: Any = None  # the servicer does not look at gRPC's context
CLAIM = pb.StatedClaim(
    subject="tam", predicate="size", value=types_pb2.Value(type="money", text="5", unit="USD"), denial=True
)


@pytest.fixture
def servicer(line: Line) -> IngestServicer:
    """The servicer, at a fixed time."""
    return IngestServicer(line, GatewaySettings(), lambda: NOW_US)


def only(decider: Decider) -> Message:
    """Give the one message that went onto the line."""
    (message,) = decider.seen
    return message


async def test_observe(servicer: IngestServicer, decider: Decider) -> None:
    """An observation of claims goes onto the line as its caller's request, and its id is told."""
    calling()
    request = pb.ObserveRequest(
        workspace="acme",
        room="growth",
        idempotency_key="k-1",
        source="crm",
        path="tool-result",
        observed_at=Timestamp(seconds=5, nanos=7_000),
        claims=[CLAIM],
    )
    response = await servicer.Observe(request, NO_CONTEXT)
    message = only(decider)
    assert isinstance(message, Request)
    claim = StatedClaim(
        subject="tam", predicate="size", value=Value(type="money", text="5", unit="USD"), positive=False
    )
    assert Body(claims=(claim,)) == message.body
    assert ("k-1", "maya", "crm", "tool-result", 5_000_007) == (
        message.event_id,
        message.publisher,
        message.source,
        message.path,
        message.observed_at_us,
    )
    assert ("acme", "growth", MAYA.actor()) == (message.meta.workspace, message.meta.room, message.meta.actor)
    assert observation_id("acme", "maya", "k-1") == response.observation_id


async def test_observe_relations(servicer: IngestServicer, decider: Decider) -> None:
    """Relations stand beside claims or alone."""
    calling()
    relation = pb.StatedRelation(name="works_at", to=types_pb2.Entity(name="acme"), valid_at=Timestamp(seconds=5))
    getattr(relation, "from").name = "maya"
    await servicer.Observe(pb.ObserveRequest(workspace="acme", relations=[relation]), NO_CONTEXT)
    await servicer.Observe(pb.ObserveRequest(workspace="acme", claims=[CLAIM], relations=[relation]), NO_CONTEXT)
    alone, beside = [message.body for message in decider.seen if isinstance(message, Request)]
    assert alone is not None
    assert beside is not None
    expected = Relation(
        from_entity=Entity(name="maya"), name="works_at", to_entity=Entity(name="acme"), valid_at_us=5_000_000
    )
    assert Body(relations=(expected,)) == alone
    assert (1, alone.relations) == (len(beside.claims), beside.relations)


async def test_what_the_gateway_lets_through_ingest_takes(servicer: IngestServicer, decider: Decider) -> None:
    """A request that the gateway screened makes an observation, with the id that the caller was told."""
    calling()
    response = await servicer.Observe(pb.ObserveRequest(workspace="acme", text="the TAM is $5B"), NO_CONTEXT)
    message = only(decider)
    assert isinstance(message, Request)
    found = observed(State(), asked(message))
    assert response.observation_id == found.meta.id == message.meta.id
    assert (NOW_US, "maya", "explicit-add") == (found.observed_at_us, found.source, found.path)


async def test_users_message_needs_a_person(servicer: IngestServicer, decider: Decider) -> None:
    """An agent may submit a user's message only on somebody's behalf."""
    request = pb.ObserveRequest(workspace="acme", text="hi", path="user-message")
    calling(SCOUT)
    with pytest.raises(rpc.Refused) as caught:
        await servicer.Observe(request, NO_CONTEXT)
    assert ("NOT_A_PERSON", grpc.StatusCode.PERMISSION_DENIED) == (caught.value.reason, caught.value.code)
    calling(msgspec.structs.replace(SCOUT, on_behalf_of="maya"))
    await servicer.Observe(request, NO_CONTEXT)
    calling(MAYA)
    await servicer.Observe(request, NO_CONTEXT)
    assert 2 == len(decider.seen)


async def test_set_trust(servicer: IngestServicer, decider: Decider) -> None:
    """A trust setting is a request; no value takes it back."""
    calling()
    await servicer.SetTrust(pb.SetTrustRequest(workspace="acme", name="crm", value=0.0), NO_CONTEXT)
    await servicer.SetTrust(pb.SetTrustRequest(workspace="acme", name="crm"), NO_CONTEXT)
    bodies = [message.body for message in decider.seen if isinstance(message, Request)]
    assert [
        Body(trust=TrustSetting(name="crm", value=0.0)),
        Body(trust=TrustSetting(name="crm", value=None)),
    ] == bodies


async def test_resolve(servicer: IngestServicer, decider: Decider) -> None:
    """What turned out is a request under its caller's key; without a value the claim is open again."""
    calling()
    value = types_pb2.Value(type="money", text="5", unit="USD")
    resolve = pb.ResolveRequest(workspace="acme", idempotency_key="k-1", subject="TAM", predicate="size", value=value)
    await servicer.Resolve(resolve, NO_CONTEXT)
    await servicer.Resolve(pb.ResolveRequest(workspace="acme", subject="TAM", predicate="size"), NO_CONTEXT)
    first, second = [message for message in decider.seen if isinstance(message, Request)]
    known = Value(type="money", text="5", unit="USD")
    assert Body(resolution=Resolution(subject="TAM", predicate="size", value=known)) == first.body
    assert ("k-1", "maya") == (first.event_id, first.publisher)
    assert Body(resolution=Resolution(subject="TAM", predicate="size", value=None)) == second.body


async def test_set_belief_policy(servicer: IngestServicer, decider: Decider) -> None:
    """What is absent is left as it is; what is empty, false or nothing is set."""
    calling()
    everything = pb.SetBeliefPolicyRequest(
        workspace="acme", idempotency_key="k-1", half_life="", multi_valued=False, tolerance=0.0, consensus=False
    )
    some = pb.SetBeliefPolicyRequest(workspace="acme", predicate="size", half_life="fast", tolerance=0.5)
    await servicer.SetBeliefPolicy(everything, NO_CONTEXT)
    await servicer.SetBeliefPolicy(some, NO_CONTEXT)
    assert [
        Body(policy=PolicySetting(half_life="", multi_valued=False, tolerance=0.0, consensus=False)),
        Body(policy=PolicySetting(predicate="size", half_life="fast", tolerance=0.5)),
    ] == [message.body for message in decider.seen if isinstance(message, Request)]
    assert "k-1" == next(message.event_id for message in decider.seen if isinstance(message, Request))


async def test_observe_with_what_the_text_says_of_itself(servicer: IngestServicer, decider: Decider) -> None:
    """A claim carries the words it was read from, and a text that is added outright how it counts."""
    calling()
    quoted = pb.StatedClaim(subject="tam", predicate="size", value=CLAIM.value, quote="the TAM is $5B")
    await servicer.Observe(pb.ObserveRequest(workspace="acme", claims=[quoted]), NO_CONTEXT)
    counts = pb.ObserveRequest(workspace="acme", text="hi", evidence="assumption", sample="a", strength=0.0)
    await servicer.Observe(counts, NO_CONTEXT)
    claims, text = [message.body for message in decider.seen if isinstance(message, Request)]
    assert claims is not None
    assert ["the TAM is $5B"] == [claim.quote for claim in claims.claims]
    counted = TextEvidence(evidence="assumption", sample="a", strength=0.0)
    assert Body(text="hi", text_evidence=counted) == text


async def test_affirm_and_report(servicer: IngestServicer, decider: Decider) -> None:
    """An affirmation and a report are commands, each with its key and a digest of its content."""
    calling()
    affirm = pb.AffirmRequest(
        workspace="acme", idempotency_key="k", record_id="d-1", observed_through=9, note="e\u0301"
    )
    report = pb.ReportObservationsRequest(
        workspace="acme", uri="https://a/b", quotes=[pb.QuoteSeen(quote="yes", present=True)]
    )
    await servicer.Affirm(affirm, NO_CONTEXT)
    await servicer.Affirm(affirm, NO_CONTEXT)
    await servicer.ReportObservations(report, NO_CONTEXT)
    first, again, last = [message for message in decider.seen if isinstance(message, Command)]
    assert Affirm(record_id="d-1", observed_through=9, note="é") == first.affirm
    assert ("k", first.digest) == (again.key, again.digest)
    assert first.meta.id != again.meta.id
    assert f"command:{first.meta.id}" == first.meta.origin
    assert ReportObservations(uri="https://a/b", quotes=(QuoteSeen(quote="yes", seen="present"),)) == last.report
    assert 32 == len(last.digest)


async def test_minted_ids_are_the_same_when_retried(servicer: IngestServicer, decider: Decider) -> None:
    """A record without an id gets one; a retry with the same key is the same command."""
    calling()
    request = pb.WriteBatchRequest(
        workspace="acme",
        idempotency_key="k",
        writes=[pb.Write(kind="rule", label="a"), pb.Write(kind="rule", label="b")],
    )
    await servicer.WriteBatch(request, NO_CONTEXT)
    await servicer.WriteBatch(request, NO_CONTEXT)
    first, again = [message for message in decider.seen if isinstance(message, Command)]
    assert first.write_batch == again.write_batch
    assert first.digest == again.digest
    assert first.write_batch is not None
    assert 2 == len({write.id for write in first.write_batch.writes})


async def test_answer(servicer: IngestServicer, decider: Decider) -> None:
    """Landed records, proposals, seqs, the mark of a repeat and what was left out reach the caller."""

    def decide(message: Message, seq: int) -> Changes:
        return Changes(
            meta=message.meta,
            recorded_at_us=NOW_US,
            last_seq=seq + 9,
            landed=(Landed(record_id="d-1", version=2, decided_by_normalized="person:maya"),),
            proposals=("p-1",),
            first_seq=3,
            last_seq_answered=4,
            repeated=True,
            remaining=3,
            left_out=("text: not read",),
        )

    decider.decide = decide
    calling()
    response = await servicer.Affirm(pb.AffirmRequest(workspace="acme", record_id="d-1"), NO_CONTEXT)
    assert (
        pb.Answer(
            first_seq=3,
            last_seq=4,
            min_seq=9,
            records=[pb.LandedRecord(record_id="d-1", version=2, decided_by_normalized="person:maya")],
            proposals=["p-1"],
            repeated_command=True,
            remaining=3,
            left_out=["text: not read"],
        )
        == response.answer
    )


def moved(number: int, before: Likeliest | None = None) -> Change:
    """Give a belief that moved."""
    after = Belief(
        subject="tam",
        predicate=f"size {number}",
        values=(ValueState(value=Value(type="number", text="5"), evidence=5.6, millionths=868_421),),
        unnamed=0.0,
        undecayed=5.6,
        vacuity_millionths=263_158,
        dissonance_millionths=0,
        half_life_s=0,
        time_us=NOW_US,
        contributions=1,
    )
    return Change(
        seq=number,
        action="belief.moved",
        subject_kind="belief",
        subject_id=f"tam/size {number}",
        reason="it moved",
        belief=BeliefUpdate(before=before, after=after),
    )


@pytest.mark.parametrize("method", ["Observe", "Resolve", "SetTrust", "SetBeliefPolicy"])
async def test_answer_says_what_moved(servicer: IngestServicer, decider: Decider, method: str) -> None:
    """The first 200 beliefs that moved are told with what they held before, and the records that wishes became."""
    held = Likeliest(
        value=Value(type="number", text="7"), millionths=500_000, vacuity_millionths=500_000, contributions=1
    )

    def decide(message: Message, seq: int) -> Changes:
        changes = (moved(1), *(moved(number, held) for number in range(2, 203)))
        landed = (Landed(record_id="intent-1", version=1),)
        return Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq + 202, changes=changes, landed=landed)

    decider.decide = decide
    calling()
    answer = (await getattr(servicer, method)(dict(LACKING)[method], NO_CONTEXT)).answer
    five, seven = types_pb2.Value(type="number", text="5"), types_pb2.Value(type="number", text="7")
    parts: dict[str, Any] = {"subject": "tam", "value": five, "probability": 0.868421, "vacuity": 0.263158}
    assert [
        pb.MovedBelief(predicate="size 1", seq=1, **parts),
        pb.MovedBelief(predicate="size 2", seq=2, value_before=seven, probability_before=0.5, **parts),
    ] == list(answer.beliefs[:2])
    assert (200, ["intent-1"], 202) == (len(answer.beliefs), list(answer.intents), answer.last_seq)


async def test_what_moved_with_a_repeat_is_not_its_own(servicer: IngestServicer, decider: Decider) -> None:
    """Claims that were due may move with a repeat: what it changed itself is not known any more."""

    def decide(message: Message, seq: int) -> Changes:
        return Changes(
            meta=message.meta, recorded_at_us=NOW_US, last_seq=seq + 2, changes=(moved(seq + 2),), repeated=True
        )

    decider.decide = decide
    calling()
    answer = (await servicer.Observe(dict(LACKING)["Observe"], NO_CONTEXT)).answer
    assert pb.Answer(min_seq=2, repeated_command=True) == answer


async def test_a_write_of_a_wish_is_no_wish_in_a_text(servicer: IngestServicer, decider: Decider) -> None:
    """What a command lands is told among the records only."""

    def decide(message: Message, seq: int) -> Changes:
        landed = (Landed(record_id="intent-1", version=1),)
        return Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq, landed=landed)

    decider.decide = decide
    calling()
    answer = (await servicer.WriteBatch(dict(LACKING)["WriteBatch"], NO_CONTEXT)).answer
    assert ([], ["intent-1"]) == (list(answer.intents), [each.record_id for each in answer.records])


async def test_a_document_is_no_wish_in_a_text(servicer: IngestServicer, decider: Decider) -> None:
    """The record that a revision became is told among the records only, though an observation brought it."""

    def decide(message: Message, seq: int) -> Changes:
        landed = (Landed(record_id="adr-1", version=1),)
        imported = (Imported(uri="docs/1.md", record_id="adr-1"),)
        return Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq, landed=landed, imported=imported)

    decider.decide = decide
    calling()
    answer = (await servicer.Observe(dict(LACKING)["Observe"], NO_CONTEXT)).answer
    assert ([], ["adr-1"]) == (list(answer.intents), [each.record_id for each in answer.records])


async def test_refusal_reaches_the_caller(servicer: IngestServicer, decider: Decider) -> None:
    """A refusal from down the line keeps its reason, its sentence and the version that stands."""

    def decide(message: Message, seq: int) -> Changes:
        refusal = Refusal(reason="VERSION_CONFLICT", detail="d-1 is at 7", record_id="d-1", current_version=7)
        return Changes(meta=message.meta, recorded_at_us=NOW_US, last_seq=seq, refusal=refusal)

    decider.decide = decide
    calling()
    with pytest.raises(rpc.Refused) as caught:
        await servicer.Affirm(pb.AffirmRequest(workspace="acme", record_id="d-1"), NO_CONTEXT)
    assert ("VERSION_CONFLICT", grpc.StatusCode.ABORTED) == (caught.value.reason, caught.value.code)
    assert {"record_id": "d-1", "current_version": "7"} == caught.value.metadata


async def test_publish(servicer: IngestServicer, decider: Decider) -> None:
    """A published event goes onto the line whole, as its source's, named where it has no id."""
    calling(SCOUT)
    events = [
        pb.PublishRequest(workspace="acme", source="/crm", type="t", id="e-1", data=b"{}", await_answer=True),
        pb.PublishRequest(workspace="acme", source="/crm", type="t", data=b"1", await_answer=True),
    ]

    async def send() -> Any:  # noqa: ANN401 - an asynchronous generator
        for each in events:
            yield each

    responses = [response async for response in servicer.Publish(send(), NO_CONTEXT)]
    messages = [message for message in decider.seen if isinstance(message, Request)]
    assert [message.event_id for message in messages] == [response.id for response in responses]
    assert InboxEvent(id="e-1", source="/crm", type="t", workspace="acme", data=b"{}") == messages[0].event
    assert 32 == len(responses[1].id)
    assert all(response.HasField("answer") for response in responses)


SHOWN = bytes(32)
REVIEWS: dict[str, Any] = {
    "PublishProposal": pb.PublishProposalRequest(workspace="acme", idempotency_key="k", proposal_id="p", digest=SHOWN),
    "RejectProposal": pb.RejectProposalRequest(
        workspace="acme", idempotency_key="k", proposal_id="p", digest=SHOWN, reason="no"
    ),
    "EditProposal": pb.EditProposalRequest(
        workspace="acme", idempotency_key="k", proposal_id="p", digest=SHOWN, writes=[pb.Write(kind="rule", label="a")]
    ),
    "SetWorkspace": pb.SetWorkspaceRequest(workspace="acme", idempotency_key="k", approval_only=True),
}
HOLDING = {
    "Observe": "write",
    "WriteBatch": "write",
    "Affirm": "review",
    "ReportObservations": "write",
    "SetTrust": "calibrate",
    "Resolve": "calibrate",
    "SetBeliefPolicy": "calibrate",
    "PublishProposal": "approve",
    "RejectProposal": "reject",
    "EditProposal": "approve",
    "SetWorkspace": "admin",
}
LACKING: list[tuple[str, Any]] = [
    ("Observe", pb.ObserveRequest(workspace="acme", text="hi")),
    ("WriteBatch", pb.WriteBatchRequest(workspace="acme", writes=[pb.Write(id="a", kind="rule")])),
    ("Affirm", pb.AffirmRequest(workspace="acme", record_id="a")),
    ("ReportObservations", pb.ReportObservationsRequest(workspace="acme", uri="u", quotes=[pb.QuoteSeen(quote="q")])),
    ("SetTrust", pb.SetTrustRequest(workspace="acme", name="crm")),
    ("Resolve", pb.ResolveRequest(workspace="acme", subject="tam", predicate="size")),
    ("SetBeliefPolicy", pb.SetBeliefPolicyRequest(workspace="acme", consensus=True)),
    *REVIEWS.items(),
]


@pytest.mark.parametrize("method", ["Affirm", "PublishProposal", "EditProposal", "SetWorkspace"])
async def test_only_a_person_may(servicer: IngestServicer, decider: Decider, method: str) -> None:
    """Agents and services are told so before anything else, whatever they hold and whoever they act for."""
    request = {**REVIEWS, "Affirm": pb.AffirmRequest(workspace="acme", record_id="d-1")}[method]
    service = msgspec.structs.replace(SCOUT, kind="service")
    delegated = msgspec.structs.replace(SCOUT, on_behalf_of="maya", capabilities=frozenset())
    for caller in (SCOUT, service, delegated):
        calling(caller)
        with pytest.raises(rpc.Refused, match="NOT_A_PERSON"):
            await getattr(servicer, method)(request, NO_CONTEXT)
    assert [] == decider.seen


async def test_review_and_settings(servicer: IngestServicer, decider: Decider) -> None:
    """What becomes of a proposal or workspace is a command like a write: keyed, digested, its minted ids repeatable."""
    calling()
    for method, request in 2 * list(REVIEWS.items()):
        await getattr(servicer, method)(request, NO_CONTEXT)
    commands = [message for message in decider.seen if isinstance(message, Command)]
    first, again = commands[:4], commands[4:]
    assert [("k", command.digest) for command in first] == [(command.key, command.digest) for command in again]
    publish, reject, edit, workspace = first
    assert PublishProposal(proposal_id="p", digest=SHOWN) == publish.publish
    assert RejectProposal(proposal_id="p", digest=SHOWN, reason="no") == reject.reject
    assert SetWorkspace(approval_only=True) == workspace.workspace
    assert edit.edit is not None
    assert edit.edit.writes[0].id.startswith("rec_")


async def test_an_agent_may_reject(servicer: IngestServicer, decider: Decider) -> None:
    """Saying no takes the capability only."""
    calling(SCOUT)
    await servicer.RejectProposal(REVIEWS["RejectProposal"], NO_CONTEXT)
    assert 1 == len(decider.seen)


@pytest.mark.parametrize(("method", "request_"), LACKING)
async def test_capability_and_workspace(
    servicer: IngestServicer,
    decider: Decider,
    method: str,
    request_: Any,  # noqa: ANN401 - one of nine messages
) -> None:
    """Each method wants one capability and no other, and a token that names the workspace."""
    call = getattr(servicer, method)
    calling(msgspec.structs.replace(MAYA, capabilities=CAPABILITIES - {HOLDING[method]}))
    with pytest.raises(rpc.Refused, match="MISSING_CAPABILITY"):
        await call(request_, NO_CONTEXT)
    calling(msgspec.structs.replace(MAYA, workspaces=frozenset({"beta"})))
    with pytest.raises(rpc.Refused, match="WRONG_WORKSPACE"):
        await call(request_, NO_CONTEXT)
    assert [] == decider.seen
    calling(msgspec.structs.replace(MAYA, capabilities=frozenset({HOLDING[method]})))
    await call(request_, NO_CONTEXT)
    assert 1 == len(decider.seen)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (pb.ObserveRequest(text="hi"), "WORKSPACE_MISSING"),
        (pb.ObserveRequest(workspace="acme"), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", text="hi", claims=[CLAIM]), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", text="hi", relations=[pb.StatedRelation()]), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", relations=[pb.StatedRelation()]), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", text="hi", path="system-event"), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", text="hi", room="a b"), "FIELD_VALUE"),
        (pb.ObserveRequest(workspace="acme", text="hi", idempotency_key="k" * 129), "TOO_LARGE"),
        (pb.ObserveRequest(workspace="acme", text="a" * 262_145), "TOO_LARGE"),
        (pb.ObserveRequest(workspace="acme", claims=[CLAIM] * 201), "TOO_MANY"),
        (pb.ObserveRequest(workspace="acme", claims=[pb.StatedClaim(subject="a", predicate="b")]), "FIELD_VALUE"),
        (
            pb.ObserveRequest(workspace="acme", text="hi", observed_at=Timestamp(seconds=NOW_US // 10**6 + 301)),
            "FIELD_VALUE",
        ),
    ],
)
async def test_bad_observation(
    servicer: IngestServicer, decider: Decider, request_: pb.ObserveRequest, code: str
) -> None:
    """An observation that is wrong as it stands never reaches the line."""
    calling()
    with pytest.raises(InvalidMessage) as caught:
        await servicer.Observe(request_, NO_CONTEXT)
    assert code == caught.value.code
    assert [] == decider.seen


RESOLVE: dict[str, Any] = {"workspace": "acme", "subject": "tam", "predicate": "size"}
NUMBER = types_pb2.Value(type="number", text="5")


@pytest.mark.parametrize(
    ("method", "request_", "expected"),
    [
        ("Resolve", pb.ResolveRequest(**RESOLVE | {"workspace": ""}), ("WORKSPACE_MISSING", "workspace")),
        ("Resolve", pb.ResolveRequest(**RESOLVE | {"subject": " "}), ("FIELD_VALUE", "subject")),
        ("Resolve", pb.ResolveRequest(**RESOLVE | {"predicate": "p" * 257}), ("TOO_LARGE", "predicate")),
        ("Resolve", pb.ResolveRequest(**RESOLVE, idempotency_key="k" * 129), ("TOO_LARGE", "idempotency_key")),
        ("Resolve", pb.ResolveRequest(**RESOLVE, value=types_pb2.Value()), ("FIELD_VALUE", "value.type")),
        ("Resolve", pb.ResolveRequest(**RESOLVE, value=types_pb2.Value(type="number")), ("FIELD_VALUE", "value.text")),
        (
            "Resolve",
            pb.ResolveRequest(**RESOLVE, value=types_pb2.Value(type="number", text="5", op="!")),
            ("FIELD_VALUE", "value.op"),
        ),
        (
            "Resolve",
            pb.ResolveRequest(**RESOLVE, value=types_pb2.Value(type="string", text="s" * 4_097)),
            ("TOO_LARGE", "value.text"),
        ),
        ("SetBeliefPolicy", pb.SetBeliefPolicyRequest(workspace="acme"), ("FIELD_VALUE", "")),
        ("SetBeliefPolicy", pb.SetBeliefPolicyRequest(workspace="acme", predicate="tam"), ("FIELD_VALUE", "")),
        *(
            ("SetBeliefPolicy", pb.SetBeliefPolicyRequest(workspace="acme", **parts), ("FIELD_VALUE", field))
            for field, parts in (
                ("half_life", {"half_life": "quick"}),
                ("tolerance", {"tolerance": 0.500001}),
                ("tolerance", {"tolerance": -0.1}),
                ("tolerance", {"tolerance": float("nan")}),
                ("tolerance", {"tolerance": float("inf")}),
                ("consensus", {"consensus": False, "predicate": "tam"}),
                ("predicate", {"predicate": "\u00a0\u200b", "tolerance": 0.1}),
                ("predicate", {"predicate": "a\x00", "tolerance": 0.1}),
            )
        ),
        ("SetTrust", pb.SetTrustRequest(workspace="acme", name="crm", value=float("nan")), ("FIELD_VALUE", "value")),
        ("Observe", pb.ObserveRequest(workspace="acme", text="hi", evidence="hearsay"), ("FIELD_VALUE", "evidence")),
        ("Observe", pb.ObserveRequest(workspace="acme", text="hi", strength=1.1), ("FIELD_VALUE", "strength")),
        ("Observe", pb.ObserveRequest(workspace="acme", claims=[CLAIM], sample="a"), ("FIELD_VALUE", "text")),
        (
            "Observe",
            pb.ObserveRequest(workspace="acme", text="hi", sample="a", path="tool-result"),
            ("FIELD_VALUE", "evidence"),
        ),
        (
            "Observe",
            pb.ObserveRequest(
                workspace="acme",
                claims=[pb.StatedClaim(subject="a", predicate="b", value=NUMBER, quote="q" * 2_001)],
            ),
            ("TOO_LARGE", "claims[0].quote"),
        ),
    ],
)
async def test_what_calibrates_is_screened(
    servicer: IngestServicer,
    decider: Decider,
    method: str,
    request_: Any,  # noqa: ANN401 - one of four messages
    expected: tuple[str, str],
) -> None:
    """A wrong resolution, policy, setting or observation is refused before it reaches the line, its field named."""
    calling()
    with pytest.raises(InvalidMessage) as caught:
        await getattr(servicer, method)(request_, NO_CONTEXT)
    assert expected == (caught.value.code, caught.value.field)
    assert [] == decider.seen
