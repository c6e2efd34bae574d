import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_contracts.command import Write
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.record import Link
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary_text import json_text, stored
from stanchion_runtime.memory import MemoryLog
from support.ledgers import Scribe, field_moved, opened, proposal
from support.view_steps import other_vocabulary
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"
OWN = json_text(other_vocabulary())


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


async def workspace(serving: Serving, min_seq: int = 0) -> pb.GetWorkspaceResponse:
    """How the workspace works."""
    request = pb.GetWorkspaceRequest(workspace=WORKSPACE, min_seq=min_seq)
    response: pb.GetWorkspaceResponse = await serving.stub.GetWorkspace(request, metadata=serving.me)
    return response


async def states(serving: Serving, min_seq: int) -> dict[str, int]:
    """Whether each record still holds."""
    request = pb.QueryRequest(workspace=WORKSPACE, min_seq=min_seq)
    response = await serving.stub.Query(request, metadata=serving.me)
    return {record.id: record.validity.state for record in response.records}


async def test_a_workspace_begins_with_the_base_vocabulary(serving: Serving) -> None:
    """Also one that nothing was written to yet says how it will work."""
    found = await workspace(serving)
    assert (0, 0, False, 0) == (found.version, found.as_of_seq, found.approval_only, found.open_proposals)
    assert base_vocabulary() == stored(found.vocabulary_json)


async def test_settings_are_read_as_they_were_set(tmp_path: Path) -> None:
    """Version, approval and vocabulary, and how many proposals wait; the same from the file after a restart."""
    scribe, log = Scribe(), MemoryLog(partitions=PARTITIONS)
    waits = opened(proposal("p", Write(id="d", label="D", kind="decision")))
    async with Serving(tmp_path, log) as first:
        first.append(scribe.message(scribe.settle(OWN, approval_only=True), waits))
        found = await workspace(first, 2)
    assert (1, 2, True, 1) == (found.version, found.as_of_seq, found.approval_only, found.open_proposals)
    assert OWN == found.vocabulary_json
    async with Serving(tmp_path, log) as second:
        assert found == await workspace(second)
        second.append(scribe.message(scribe.settle("")))
        assert (2, "base") == (
            (again := await workspace(second, 3)).version,
            json.loads(again.vocabulary_json)["name"],
        )


async def test_reads_go_by_the_workspaces_own_vocabulary(tmp_path: Path) -> None:
    """What rests on what, and which kinds there are, changes with the vocabulary, and stays so after a restart."""
    scribe, log = Scribe(), MemoryLog(partitions=PARTITIONS)
    review, current = types_pb2.VALIDITY_STATE_NEEDS_REVIEW, types_pb2.VALIDITY_STATE_CURRENT
    messages = [
        scribe.message(
            scribe.write("d", status="active"),
            scribe.write("by-depends", status="active", links=[Link(name="depends_on", to="d")]),
            scribe.write("by-relates", status="active", links=[Link(name="relates_to", to="d")]),
        ),
        scribe.message(scribe.write("d", status="withdrawn", moves=[field_moved("status", "withdrawn")])),
    ]
    async with Serving(tmp_path, log) as first:
        first.append(*messages)
        assert {"d": current, "by-depends": review, "by-relates": current} == await states(first, 4)
        first.append(scribe.message(scribe.settle(OWN)))
        own = await states(first, 5)
        assert {"d": current, "by-depends": current, "by-relates": review} == own
    async with Serving(tmp_path, log) as second:
        assert own == await states(second, 5)


async def test_a_kind_of_its_own_may_be_asked_for(serving: Serving) -> None:
    """The workspace's kinds are known there, and the base ones are no longer."""
    scribe = Scribe()
    text = json.dumps({"name": "own", "kinds": {"runbook": {"fields": {"owner": "text"}}}})
    serving.append(scribe.message(scribe.settle(text), scribe.write("r", "runbook", fields={"owner": "ada"})))

    async def asked(kind: str) -> Any:  # noqa: ANN401 - a gRPC response
        request = pb.QueryRequest(workspace=WORKSPACE, kinds=[kind], min_seq=2)
        return await serving.stub.Query(request, metadata=serving.me)

    assert ["r"] == [record.id for record in (await asked("runbook")).records]
    with pytest.raises(grpc.aio.AioRpcError, match="it has runbook") as caught:
        await asked("decision")
    assert "UNKNOWN_KIND" == reason_of(caught.value).reason
