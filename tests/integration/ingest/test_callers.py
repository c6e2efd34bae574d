"""Who may do what, as the contracts' page on callers says, over real gRPC with real tokens."""

from typing import Any

import pytest

from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.observation import Request
from stanchion_runtime.auth import CAPABILITIES
from support.calls import AsyncStub, bearer, reason, refused
from support.decider import Decider
from support.tokens import Issuer

SHOWN: dict[str, Any] = {"workspace": "acme", "proposal_id": "p", "digest": bytes(32)}
EVENT = pb.PublishRequest(workspace="acme", id="e", source="/crm", type="t", data=b"{}", await_answer=True)
CALLS: dict[str, tuple[str, Any]] = {
    "Publish": ("write", EVENT),
    "Observe": ("write", pb.ObserveRequest(workspace="acme", text="hi")),
    "WriteBatch": ("write", pb.WriteBatchRequest(workspace="acme", writes=[pb.Write(id="a", kind="rule")])),
    "ReportObservations": (
        "write",
        pb.ReportObservationsRequest(workspace="acme", uri="u", quotes=[pb.QuoteSeen(quote="q")]),
    ),
    "Affirm": ("review", pb.AffirmRequest(workspace="acme", record_id="a")),
    "SetTrust": ("calibrate", pb.SetTrustRequest(workspace="acme", name="crm", value=0.5)),
    "Resolve": ("calibrate", pb.ResolveRequest(workspace="acme", subject="tam", predicate="size")),
    "SetBeliefPolicy": ("calibrate", pb.SetBeliefPolicyRequest(workspace="acme", half_life="fast")),
    "PublishProposal": ("approve", pb.PublishProposalRequest(**SHOWN)),
    "RejectProposal": ("reject", pb.RejectProposalRequest(**SHOWN, reason="no")),
    "EditProposal": ("approve", pb.EditProposalRequest(**SHOWN, writes=[pb.Write(id="a", label="b")])),
    "SetWorkspace": ("admin", pb.SetWorkspaceRequest(workspace="acme", approval_only=True)),
}
PERSONS = ("Affirm", "PublishProposal", "EditProposal", "SetWorkspace")


async def ask(stub: AsyncStub, method: str, token: str) -> None:
    """Call a method, as a stream where it is one."""
    call, request = getattr(stub, method), CALLS[method][1]
    if method == "Publish":
        responses = call(iter([request]), metadata=bearer(token), timeout=20)
        assert ["e"] == [response.id async for response in responses]
    else:
        await call(request, metadata=bearer(token), timeout=20)


async def test_each_method_wants_its_capability(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """The one capability opens a method, all the others do not, and no capability opens another workspace."""
    for method, (capability, _) in CALLS.items():
        lacking = issuer.token(capabilities=CAPABILITIES - {capability})
        elsewhere = issuer.token(workspaces=["beta"])
        for token, expected in ((lacking, "MISSING_CAPABILITY"), (elsewhere, "WRONG_WORKSPACE")):
            error = await refused(ask(stub, method, token))
            assert (expected, "PERMISSION_DENIED") == (reason(error)[0], error.code().name), method
        assert [] == decider.seen
        await ask(stub, method, issuer.token(capabilities={capability}))
        assert 1 == len(decider.seen), method
        decider.seen.clear()


@pytest.mark.parametrize("claims", [{"kind": "agent"}, {"kind": "service"}, {"kind": "agent", "on_behalf_of": "maya"}])
async def test_what_only_a_person_may(
    stub: AsyncStub, issuer: Issuer, decider: Decider, claims: dict[str, Any]
) -> None:
    """Neither agent nor service, nor an agent's delegated session, whatever its capabilities; it is told who may."""
    for method in PERSONS:
        error = await refused(ask(stub, method, issuer.token("scout", **claims)))
        assert ("NOT_A_PERSON", "PERMISSION_DENIED") == (reason(error)[0], error.code().name)
        assert f"a person with `{CALLS[method][0]}` may" in (error.details() or "")
    assert [] == decider.seen


async def test_who_observes(stub: AsyncStub, issuer: Issuer, decider: Decider) -> None:
    """The agent of an observation is the token's subject; a user's message needs a person, or somebody to speak for."""
    message = pb.ObserveRequest(workspace="acme", text="hi", path="user-message")
    error = await refused(stub.Observe(message, metadata=bearer(issuer.token("scout", kind="agent")), timeout=20))
    assert "NOT_A_PERSON" == reason(error)[0]
    delegated = issuer.token("scout", kind="agent", on_behalf_of="maya")
    await stub.Observe(message, metadata=bearer(delegated), timeout=20)
    (asked,) = decider.seen
    assert isinstance(asked, Request)
    actor = asked.meta.actor
    assert ("scout", "agent", "maya") == (actor.id, actor.kind, actor.on_behalf_of)
