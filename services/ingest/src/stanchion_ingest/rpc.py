"""IngestService over gRPC: what callers publish, observe and write."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from stanchion_contracts import codec
from stanchion_contracts.command import Command
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_contracts.meta import Meta
from stanchion_contracts.observation import Body, Request
from stanchion_core.ids import observation_id
from stanchion_core.limits import KEY_CHARS
from stanchion_core.text import clean
from stanchion_ingest.core import command
from stanchion_ingest.core import request as asking
from stanchion_ingest.core.answer import answer_of
from stanchion_ingest.core.asked import asked_content
from stanchion_ingest.core.content import event_content
from stanchion_ingest.core.name import room_name, workspace_name
from stanchion_ingest.core.place import place_of
from stanchion_ingest.line import Answer, Line
from stanchion_ingest.publishing import Prepared, Publishing
from stanchion_ingest.settings import GatewaySettings
from stanchion_runtime import clock, rpc

NAME = "stanchion.ingest.v1.IngestService"


class IngestServicer(ingest_pb2_grpc.IngestServiceServicer):
    """What callers write through.

    Args:
        line: where messages go and answers come from.
        settings: window and patience of a stream.
        now_us: stamps messages.
    """

    def __init__(self, line: Line, settings: GatewaySettings, now_us: Callable[[], int] = clock.now_us) -> None:
        self._line = line
        self._settings = settings
        self._now_us = now_us

    async def Publish(  # noqa: N802 - the proto's name
        self, requests: AsyncIterator[pb.PublishRequest], _context: object
    ) -> AsyncIterator[pb.PublishResponse]:
        """Acknowledge each event once it is durable, in order."""
        stream = Publishing(
            self._line,
            self._prepared,
            window=self._settings.window,
            window_bytes=self._settings.window_bytes,
            answer_s=self._settings.answer_s,
        )
        async for event_id, answer in stream.responses(requests):
            yield pb.PublishResponse(id=event_id, answer=None if answer is None else answered(answer))

    async def Observe(self, request: pb.ObserveRequest, _context: object) -> pb.ObserveResponse:  # noqa: N802 - the proto's name
        """Submit one observation and wait until what it changed is decided."""
        workspace = workspace_name(request.workspace)
        caller = rpc.require("write", workspace)
        path = asking.observed_path(request.path)
        if path == "user-message" and caller.kind != "person" and not caller.on_behalf_of:
            rpc.refuse(
                "NOT_A_PERSON",
                f"{caller.named} submits a user's message and acts on nobody's behalf: a person may, or an "
                "agent whose token says on_behalf_of",
                field="path",
            )
        message = self._request(
            workspace,
            room_name(request.room),
            request.idempotency_key,
            asking.observed_body(request),
            source=request.source,
            path=path,
            observed_at_us=asking.observed_at_us(request),
        )
        return pb.ObserveResponse(answer=answered(await self._ask("requests", message)), observation_id=message.meta.id)

    async def WriteBatch(self, request: pb.WriteBatchRequest, _context: object) -> pb.WriteBatchResponse:  # noqa: N802 - the proto's name
        """Write records, all or nothing."""
        workspace = workspace_name(request.workspace)
        rpc.require("write", workspace)
        batch = command.write_batch(request, _mint_from(workspace, request.idempotency_key))
        return pb.WriteBatchResponse(answer=await self._command(workspace, request.idempotency_key, batch))

    async def Affirm(self, request: pb.AffirmRequest, _context: object) -> pb.AffirmResponse:  # noqa: N802 - the proto's name
        """Say that a record still holds; only a person may."""
        workspace = workspace_name(request.workspace)
        _require_person("affirm", "review", workspace)
        part = command.affirm(request)
        return pb.AffirmResponse(answer=await self._command(workspace, request.idempotency_key, part))

    async def ReportObservations(  # noqa: N802 - the proto's name
        self, request: pb.ReportObservationsRequest, _context: object
    ) -> pb.ReportObservationsResponse:
        """Say what a cited source was found to say."""
        workspace = workspace_name(request.workspace)
        rpc.require("write", workspace)
        part = command.report(request)
        return pb.ReportObservationsResponse(answer=await self._command(workspace, request.idempotency_key, part))

    async def SetTrust(self, request: pb.SetTrustRequest, _context: object) -> pb.SetTrustResponse:  # noqa: N802 - the proto's name
        """Set how far a source or agent is trusted."""
        workspace = workspace_name(request.workspace)
        rpc.require("calibrate", workspace)
        message = self._request(workspace, "", request.idempotency_key, asking.trust_body(request))
        return pb.SetTrustResponse(answer=answered(await self._ask("requests", message)))

    async def Resolve(self, request: pb.ResolveRequest, _context: object) -> pb.ResolveResponse:  # noqa: N802 - the proto's name
        """Say what turned out to be true of a claim, or that it is open again."""
        workspace = workspace_name(request.workspace)
        rpc.require("calibrate", workspace)
        message = self._request(workspace, "", request.idempotency_key, asking.resolution_body(request))
        return pb.ResolveResponse(answer=answered(await self._ask("requests", message)))

    async def SetBeliefPolicy(  # noqa: N802 - the proto's name
        self, request: pb.SetBeliefPolicyRequest, _context: object
    ) -> pb.SetBeliefPolicyResponse:
        """Set how the beliefs of a workspace, or of one predicate, are worked out."""
        workspace = workspace_name(request.workspace)
        rpc.require("calibrate", workspace)
        message = self._request(workspace, "", request.idempotency_key, asking.policy_body(request))
        return pb.SetBeliefPolicyResponse(answer=answered(await self._ask("requests", message)))

    async def PublishProposal(  # noqa: N802 - the proto's name
        self, request: pb.PublishProposalRequest, _context: object
    ) -> pb.PublishProposalResponse:
        """Have a proposal come into force; only a person may."""
        workspace = workspace_name(request.workspace)
        _require_person("publish a proposal", "approve", workspace)
        part = command.publish(request)
        return pb.PublishProposalResponse(answer=await self._command(workspace, request.idempotency_key, part))

    async def RejectProposal(  # noqa: N802 - the proto's name
        self, request: pb.RejectProposalRequest, _context: object
    ) -> pb.RejectProposalResponse:
        """Say no to a proposal."""
        workspace = workspace_name(request.workspace)
        rpc.require("reject", workspace)
        part = command.reject(request)
        return pb.RejectProposalResponse(answer=await self._command(workspace, request.idempotency_key, part))

    async def EditProposal(  # noqa: N802 - the proto's name
        self, request: pb.EditProposalRequest, _context: object
    ) -> pb.EditProposalResponse:
        """Change what a proposal would write; only a person may."""
        workspace = workspace_name(request.workspace)
        _require_person("edit a proposal", "approve", workspace)
        part = command.edit(request, _mint_from(workspace, request.idempotency_key))
        return pb.EditProposalResponse(answer=await self._command(workspace, request.idempotency_key, part))

    async def SetWorkspace(  # noqa: N802 - the proto's name
        self, request: pb.SetWorkspaceRequest, _context: object
    ) -> pb.SetWorkspaceResponse:
        """Change how a workspace works; only a person may."""
        workspace = workspace_name(request.workspace)
        _require_person("set how a workspace works", "admin", workspace)
        part = await asyncio.to_thread(command.set_workspace, request)  # 64 KiB of YAML can take a second
        return pb.SetWorkspaceResponse(answer=await self._command(workspace, request.idempotency_key, part))

    def _prepared(self, request: pb.PublishRequest) -> Prepared:
        """Screen one event and make it a request.

        Raises:
            Refused: the caller may not.
            InvalidMessage: the event is wrong.
        """
        event = asking.published_event(request, clock.new_id())
        rpc.require("write", event.workspace)
        meta = self._meta_of_observation(event.workspace, event.room, event.source, event.id)
        event_content(event, event.room, meta.time_us)
        message = Request(
            meta=meta,
            event_id=event.id,
            publisher=event.source,
            path="system-event",
            observed_at_us=0,
            event=event,
        )
        return Prepared(
            id=request.id or event.id,  # as it was sent, not as it is stored
            workspace=event.workspace,
            value=codec.encode(message),
            awaited=request.await_answer,
        )

    def _request(self, workspace: str, room: str, key: str, body: Body, **parts: Any) -> Request:  # noqa: ANN401 - further fields of a Request
        """Give a request of the caller, screened as ingest will.

        Raises:
            InvalidMessage: it is wrong.
        """
        caller = rpc.principal()
        event_id = clean(key, "idempotency_key", chars=KEY_CHARS) or clock.new_id()
        message = Request(
            meta=self._meta_of_observation(workspace, room, caller.sub, event_id),
            event_id=event_id,
            publisher=caller.sub,
            body=body,
            **({"observed_at_us": 0} | parts),
        )
        asked_content(message, message.meta.time_us)
        return message

    async def _command(self, workspace: str, key: str, part: command.Part) -> pb.Answer:
        """Have a command decided.

        Raises:
            Refused: the command was refused, or its outcome could not be known.
            InvalidMessage: the key is too long, or no text.
        """
        identity = f"cmd_{clock.new_id()}"
        meta = self._meta(workspace, "", identity, f"command:{identity}")
        message = command.command_of(meta, key, part)
        return answered(await self._ask("commands", message), part)

    async def _ask(self, topic: str, message: Request | Command) -> Answer:
        """Have a message decided within the caller's deadline.

        Raises:
            Refused: its outcome could not be known.
        """
        return await self._line.ask(topic, message.meta.workspace, message, rpc.remaining_s())

    def _meta_of_observation(self, workspace: str, room: str, publisher: str, event_id: str) -> Meta:
        """Give the head of a request: that of the observation it will be."""
        identity = observation_id(workspace, publisher, event_id)
        return self._meta(workspace, room, identity, f"observation:{identity}")

    def _meta(self, workspace: str, room: str, identity: str, origin: str) -> Meta:
        """Give the head of a message of the caller."""
        return Meta(
            id=identity,
            workspace=workspace,
            room=room,
            time_us=self._now_us(),
            seed=clock.new_seed(),
            origin=origin,
            actor=rpc.principal().actor(),
        )


def _require_person(to: str, capability: str, workspace: str) -> None:
    """Let only a person with a capability pass.

    Args:
        to: what they want to do.
        capability: that it takes.
        workspace: where.

    Raises:
        Refused: `NOT_A_PERSON` for an agent or service, whatever it holds and whoever it acts for; as `rpc.require`.
    """
    caller = rpc.principal()
    if caller.kind != "person":
        rpc.refuse("NOT_A_PERSON", f"{caller.named} cannot {to}: a person with `{capability}` may")
    rpc.require(capability, workspace)


def _mint_from(workspace: str, key: str) -> tuple[str, str, str]:
    """Give what ids of records without one derive from, the same when a call is retried with its key."""
    return (workspace, rpc.principal().sub, key or clock.new_id())


def answered(answer: Answer, asked: command.Part | None = None) -> pb.Answer:
    """Give an answer as callers see it.

    Args:
        answer: as it came.
        asked: the command it answers; a refusal names the place in it.

    Raises:
        Refused: it is a refusal.
    """
    changes = answer.changes
    refusal = changes.refusal if changes is not None else answer.refusal
    if refusal is not None:
        rpc.refuse_as(refusal, place=place_of(refusal, asked))
    return pb.Answer(min_seq=answer.min_seq) if changes is None else answer_of(changes, answer.min_seq)
