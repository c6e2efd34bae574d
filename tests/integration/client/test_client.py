from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion import (
    Claim,
    Client,
    Conflict,
    Entity,
    Event,
    NotAllowed,
    NotFound,
    NotInTime,
    NotSignedIn,
    NotYetVisible,
    OutcomeUnknown,
    QuoteSeen,
    Refused,
    Relation,
    Unreachable,
    Write,
)
from stanchion.results import Published, Value
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2
from stanchion_runtime import rpc

if TYPE_CHECKING:
    from integration.client.conftest import World


def events(*ids: str) -> list[Event]:
    """Give events of those ids."""
    return [Event(id=each, source="git:x", type="stanchion.document.revised.v1", data=b"{}") for each in ids]


async def drain(published: AsyncIterator[Published], into: list[str]) -> None:
    """Put the ids of acknowledgements into a list, for as long as they come."""
    async for each in published:
        into.append(each.id)  # noqa: PERF401 - what came before an error counts


async def test_a_record_comes_back_typed(client: Client, world: "World") -> None:
    """Times are aware, fields are JSON values, words of enums are plain, and the position is beside them."""
    world.view.seq = 7
    world.view.records["r1"] = types_pb2.Record(
        id="r1",
        kind="decision",
        fields=[types_pb2.Field(name="status", value_json='"active"')],
        written_at=Timestamp(seconds=1),
        written_by=types_pb2.Actor(kind=types_pb2.ACTOR_KIND_PERSON, id="maya"),
        validity=types_pb2.Validity(
            state=types_pb2.VALIDITY_STATE_NEEDS_REVIEW,
            reasons=[
                types_pb2.Reason(
                    kind="input_changed",
                    record_id="r2",
                    path=[types_pb2.Step(link="depends_on", record_id="r2")],
                    change=types_pb2.Moved(kind="field", name="status", to="superseded"),
                    seq=5,
                )
            ],
        ),
    )
    record = await client.get_record("r1")
    assert (record.status, record.needs_review, record.as_of_seq) == ("active", True, 7)
    assert record.written_at == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert record.written_by is not None
    assert record.written_by.kind == "person"
    assert record.validity is not None
    assert record.validity.reasons[0].path[0].link == "depends_on"


async def test_a_write_is_tried_again_with_the_same_key(client: Client, world: "World") -> None:
    """Two failures that pass by themselves and one success carry one key."""
    world.ingest.trouble.coming.extend([rpc.Refused("TRANSIENT", "away"), TimeoutError()])
    answer = await client.write_batch([Write(id="r1", kind="decision", label="Use it")])
    keys = {call.idempotency_key for call in world.ingest.trouble.calls}
    assert (len(world.ingest.trouble.calls), len(keys)) == (3, 1)
    assert answer.records[0].record_id == "r1"
    assert len(world.waits) == 2


async def test_a_refusal_is_not_tried_again(client: Client, world: "World") -> None:
    """A conflict comes once, as a Conflict with the version that stands."""
    refused = rpc.Refused("VERSION_CONFLICT", "it is at version 7", metadata={"current_version": "7"})
    world.ingest.trouble.coming.append(refused)
    with pytest.raises(Conflict) as caught:
        await client.write_batch([Write(id="r1", if_match=6)])
    assert (caught.value.reason, caught.value.current_version) == ("VERSION_CONFLICT", 7)
    assert len(world.ingest.trouble.calls) == 1


async def test_an_overloaded_server_says_when_to_come_again(client: Client, world: "World") -> None:
    """A wait is at least as long as the server asked for."""
    world.ingest.trouble.coming.append(rpc.Refused("OVERLOADED", "full", retry_after_s=7.5))
    await client.set_trust("crm", 0.5)
    assert world.waits == [7.5]


async def test_it_gives_up_in_the_end(client: Client, world: "World") -> None:
    """After as many tries as told the last failure comes out."""
    world.ingest.trouble.coming.extend([rpc.Refused("TRANSIENT", "away")] * 9)
    with pytest.raises(Unreachable):
        await client.affirm("r1", observed_through=3)
    assert len(world.ingest.trouble.calls) == 4


async def test_a_client_reads_its_own_writes(client: Client, world: "World") -> None:
    """After a write, reads of that workspace wait for it, and no more when told not to."""
    world.view.records["r1"] = types_pb2.Record(id="r1", kind="decision")
    await client.write_batch([Write(id="r1")])
    await client.get_record("r1")
    await client.get_record("r1", min_seq=0)
    assert [call.min_seq for call in world.view.trouble.calls] == [1, 0]


async def test_a_view_that_lags_is_not_asked_again(client: Client, world: "World") -> None:
    """NOT_YET_VISIBLE says how far the view is, once: the server has waited already."""
    world.view.trouble.coming.append(rpc.Refused("NOT_YET_VISIBLE", "at 3", metadata={"position": "3"}))
    with pytest.raises(NotYetVisible) as caught:
        await client.get_record("r1", min_seq=9)
    assert caught.value.position == 3
    assert len(world.view.trouble.calls) == 1


async def test_no_such_record(client: Client) -> None:
    """What is not there is NotFound, which is a refusal."""
    with pytest.raises(NotFound) as caught:
        await client.get_record("nope")
    assert isinstance(caught.value, Refused)


async def test_tokens_are_for_workspaces(world: "World") -> None:
    """A token that does not name the workspace is NotAllowed; none at all is NotSignedIn."""
    async with world.client(token=world.issuer.token(workspaces=["docs"])) as stranger:
        with pytest.raises(NotAllowed):
            await stranger.get_record("r1", workspace="other")
    async with world.client(token="a.b.c") as nobody:  # noqa: S106 - no secret
        with pytest.raises(NotSignedIn):
            await nobody.get_record("r1")


async def test_publishing_keeps_order(client: Client, world: "World") -> None:
    """Acknowledgements come in the order of the events, and the data goes unchanged."""
    ids = [f"e{n}" for n in range(50)]
    acknowledged = [each.id async for each in client.publish(events(*ids), window=4)]
    assert acknowledged == ids
    assert [each.id for each in world.ingest.published] == ids
    assert world.ingest.published[0].workspace == "docs"


async def test_publishing_goes_on_after_a_break(client: Client, world: "World") -> None:
    """Streams that break in the middle lose nothing; only what had no acknowledgement is sent again."""
    world.ingest.break_after.extend([3, 0, 5])

    async def drawn() -> AsyncIterator[Event]:
        for event in events(*(f"e{n}" for n in range(20))):
            yield event

    acknowledged = [each.id async for each in client.publish(drawn(), window=4)]
    assert acknowledged == [f"e{n}" for n in range(20)]
    assert len(world.waits) == 3


async def test_an_event_without_an_id_gets_one_before_it_is_sent(client: Client, world: "World") -> None:
    """A retry sends the same id again; one that the gateway made would make each retry an event of its own."""
    acknowledged: list[str] = []
    await drain(client.publish(events("", "")), acknowledged)
    sent = [each.id for each in world.ingest.published]
    assert sent == acknowledged
    assert 2 == len({*sent} - {""})


async def test_publishing_names_the_refused_event(client: Client, world: "World") -> None:
    """What came before a refused event is durable; the refusal says which event it is."""
    world.ingest.refuse_event = "e2"
    acknowledged: list[str] = []
    with pytest.raises(Refused) as caught:
        await drain(client.publish(events("e0", "e1", "e2", "e3")), acknowledged)
    assert acknowledged == ["e0", "e1"]
    assert caught.value.metadata["event_id"] == "e2"
    assert caught.value.violations[0][0] == "data"


async def test_publishing_passes_on_what_the_caller_raises(client: Client) -> None:
    """An iterator that fails ends publishing with its own error, after what it gave is durable."""

    async def failing() -> AsyncIterator[Event]:
        for event in events("e0", "e1"):
            yield event
        raise LookupError("the caller's own")

    acknowledged: list[str] = []
    with pytest.raises(LookupError, match="the caller's own"):
        await drain(client.publish(failing()), acknowledged)
    assert acknowledged == ["e0", "e1"]


async def test_publishing_can_wait_for_answers(client: Client) -> None:
    """An awaited answer says what the event changed."""
    published = [each async for each in client.publish(events("e0"), await_answer=True)]
    assert published[0].answer is not None
    assert published[0].answer.last_seq == 1


async def test_a_query_pages_by_itself(client: Client, world: "World") -> None:
    """All that match come, page after page."""
    for n in range(5):
        world.view.records[f"r{n}"] = types_pb2.Record(id=f"r{n}", kind="decision" if n % 2 == 0 else "rule")
    found = [record.id async for record in client.query(kinds=["decision"], limit=2)]
    assert found == ["r0", "r2", "r4"]
    assert len(world.view.trouble.calls) == 2


async def test_a_watch_goes_on_after_a_break(client: Client, world: "World") -> None:
    """A broken watch is taken up after the last seq it gave: none twice, none missing."""
    world.view.events = [types_pb2.ChangeEvent(seq=seq, kind="record.written") for seq in (2, 3, 5)]
    world.view.break_watch_at.extend([3, 5])
    seen: list[int] = []
    async for each in client.watch(from_seq=1):
        seen.append(each.through_seq)
        if each.through_seq == 5:
            break
    assert seen == [2, 3, 5]
    assert world.view.trouble.calls == [1, 3, 4]


async def test_a_trace_pages_by_itself(client: Client, world: "World") -> None:
    """Entries come oldest first; what changed is read as JSON."""
    world.audit.entries = [
        audit_pb2.LedgerEntry(seq=n, subject_id="r1", action="record.written", after_json='{"label":"x"}')
        for n in range(1, 6)
    ]
    entries = [entry async for entry in client.trace("r1")]
    assert [entry.seq for entry in entries] == [1, 2, 3, 4, 5]
    assert (entries[0].before, entries[0].after) == (None, {"label": "x"})


async def test_the_other_calls_arrive_whole(client: Client, world: "World") -> None:
    """Observe, report and checkpoint carry what they were given."""
    claim = Claim(subject="TAM", predicate="is", value=Value(type="money", text="5", unit="USD"), denial=True)
    observed = await client.observe(claims=[claim], observed_at=datetime(2026, 1, 1, tzinfo=UTC), idempotency_key="k")
    await client.report_observations("file:a", [QuoteSeen(quote="q", present=False)], version_token="v2")  # noqa: S106 - no secret
    sent, report = world.ingest.trouble.calls
    assert observed.observation_id == "obs_1"
    assert (sent.claims[0].denial, sent.claims[0].HasField("strength"), sent.idempotency_key) == (True, False, "k")
    assert (report.uri, report.quotes[0].present) == ("file:a", False)
    assert (await client.checkpoint()).size == 9
    assert [each.name for each in await client.workspaces()] == ["docs"]


async def test_review_comes_back_typed_and_goes_out_whole(client: Client, world: "World") -> None:
    """A proposal's parts are JSON values; what is decided about it carries the digest that was shown, and a key."""
    world.view.proposals = {f"prop_{n}": proposal(f"prop_{n}", state="open" if n else "rejected") for n in range(300)}
    shown = await client.proposal("prop_1")
    assert ("prop_1", b"\x01\x02", True) == (shown.id, shown.digest, shown.writes[0].outdated)
    assert [("field:status", "active", "superseded"), ("label", None, "New")] == [
        (each.part, each.before, each.after) for each in shown.writes[0].parts
    ]
    assert 299 == len([each async for each in client.proposals()])
    assert 300 == len([each async for each in client.proposals(include_closed=True, record_id="r1")])
    await client.publish_proposal("prop_1", digest=shown.digest, record_ids=["r1"], note="so be it")
    await client.reject_proposal("prop_1", digest=shown.digest, reason="no", idempotency_key="k")
    await client.edit_proposal("prop_1", [Write(id="r1", label="Newer")], digest=shown.digest)
    published, rejected, edited = world.ingest.trouble.calls
    assert (b"\x01\x02", ["r1"], "so be it", 32) == (
        published.digest,
        list(published.record_ids),
        published.note,
        len(published.idempotency_key),
    )
    assert (b"\x01\x02", "no", "k") == (rejected.digest, rejected.reason, rejected.idempotency_key)
    assert (b"\x01\x02", "Newer") == (edited.digest, edited.writes[0].label)


def proposal(proposal_id: str, **given: object) -> types_pb2.Proposal:
    """Give a proposal that would write one record."""
    parts = [
        types_pb2.PartDiff(part="field:status", before_json='"active"', after_json='"superseded"'),
        types_pb2.PartDiff(part="label", after_json='"New"'),
    ]
    write = types_pb2.ProposedWrite(record_id="r1", kind="decision", base_version=2, current_version=3, parts=parts)
    return types_pb2.Proposal(id=proposal_id, digest=b"\x01\x02", writes=[write], **given)  # type: ignore[arg-type]


async def test_settings_leave_what_is_left_out(client: Client, world: "World") -> None:
    """What is not set is absent on the wire, an empty vocabulary is not; the vocabulary comes back as plain values."""
    await client.set_workspace(approval_only=False)
    await client.set_workspace(vocabulary="", if_match=4)
    first, second = world.ingest.trouble.calls
    assert (True, False, False) == (
        first.HasField("approval_only"),
        first.HasField("vocabulary"),
        first.HasField("if_match"),
    )
    assert (False, True, 4) == (second.HasField("approval_only"), second.HasField("vocabulary"), second.if_match)
    settings = await client.workspace()
    assert ("base", 2) == (settings.vocabulary["name"], world.view.trouble.calls[-1].min_seq)


async def test_relations_go_out_and_ways_come_back(client: Client, world: "World") -> None:
    """Both ends, the window and the direction of each hop are as they were stated."""
    maya, crew = Entity(name="Maya", type="person"), Entity(name="crew")
    since = datetime(2026, 1, 1, tzinfo=UTC)
    await client.observe(relations=[Relation(from_=maya, name="leads", to=crew, valid_at=since)])
    sent = world.ingest.trouble.calls[0].relations[0]
    assert ("Maya", "leads", "crew", True, False) == (
        getattr(sent, "from").name,
        sent.name,
        sent.to.name,
        sent.HasField("valid_at"),
        sent.HasField("invalid_at"),
    )
    hop = view_pb2.Hop(name="leads", to=types_pb2.Entity(name="crew"), backwards=True)
    getattr(hop, "from").CopyFrom(types_pb2.Entity(name="Maya", type="person"))
    world.view.graph = view_pb2.TraverseResponse(
        reached=[view_pb2.Reached(entity=types_pb2.Entity(name="Maya", type="person"), path=[hop])], as_of_seq=3
    )
    world.view.windows = [view_pb2.RelationWindow(valid_at=Timestamp(seconds=1), created_seq=2, stated_by="r1")]
    found = await client.traverse(crew, hops=3, names=["leads"], at=since, both_directions=True)
    assert (maya, crew, True) == (
        found.reached[0].entity,
        found.reached[0].path[0].to,
        found.reached[0].path[0].backwards,
    )
    assert maya == found.reached[0].path[0].from_
    asked = world.view.trouble.calls[-1]
    assert (3, ["leads"], True, 1) == (asked.hops, list(asked.names), asked.both_directions, asked.min_seq)
    windows = await client.relation_history(maya, "leads", crew)
    assert [(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), None, "r1")] == [
        (each.valid_at, each.superseded_at, each.stated_by) for each in windows
    ]


async def test_a_late_read_is_no_question_of_outcome(client: Client, world: "World") -> None:
    """A read that is not answered in time says so; a write says that it may have landed, and under which key."""
    world.view.trouble.coming.extend([TimeoutError()] * 4)
    with pytest.raises(NotInTime, match="the read was not answered in time"):
        await client.get_record("r1")
    world.ingest.trouble.coming.extend([TimeoutError()] * 4)
    with pytest.raises(OutcomeUnknown, match="may still land") as caught:
        await client.write_batch([Write(id="r1")], idempotency_key="k")
    assert "k" == caught.value.metadata["idempotency_key"]


async def test_nobody_there(world: "World") -> None:
    """Where nothing listens the error is Unreachable, after the retries."""
    async with world.client(view="127.0.0.1:1") as lost:
        with pytest.raises(Unreachable):
            await lost.get_record("r1")


async def test_a_silent_gateway_is_given_up(world: "World") -> None:
    """An event that waits too long for its acknowledgement ends publishing with an unknown outcome."""
    world.ingest.hang_on = "e1"
    acknowledged: list[str] = []
    async with world.client(timeout_s=0.1) as lost:
        with pytest.raises(OutcomeUnknown):
            await drain(lost.publish(events("e0", "e1")), acknowledged)
    assert acknowledged == ["e0"]
