import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_contracts import codec
from stanchion_contracts.change import Move
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.receipt import Receipt, Served
from stanchion_contracts.record import Citation, Link
from stanchion_core.ids import partition_of
from stanchion_runtime.log import Record
from stanchion_runtime.memory import MemoryLog
from stanchion_view import question, receipts
from stanchion_view.core import cursor
from support.ledgers import BOT, Scribe, field_moved, observed, proposed, said, trusted
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


async def record(serving: Serving, name: str, *, min_seq: int = 0) -> types_pb2.Record:
    """Read one record."""
    request = pb.GetRecordRequest(workspace=WORKSPACE, id=name, min_seq=min_seq)
    response: pb.GetRecordResponse = await serving.stub.GetRecord(request, metadata=serving.me)
    return response.record


async def test_rule_two_links_away_says_why(serving: Serving) -> None:
    """A refuted hypothesis shows on the rule above the decision, with the path and when."""
    scribe = Scribe()
    serving.append(
        scribe.message(scribe.write("h", "hypothesis", status="open")),
        scribe.message(scribe.write("d", status="active", body="# D", links=[Link(name="assumes", to="h")])),
        scribe.message(scribe.write("r", "rule", status="active", links=[Link(name="based_on", to="d")])),
        scribe.message(scribe.write("h", status="refuted", moves=[field_moved("status", "refuted")]), actor=BOT),
    )
    rule = await record(serving, "r", min_seq=4)
    assert rule.validity.state == types_pb2.VALIDITY_STATE_NEEDS_REVIEW
    assert [
        ("based_on", "d"),
        ("assumes", "h"),
    ] == [(step.link, step.record_id) for step in rule.validity.reasons[0].path]
    assert "refuted" == rule.validity.reasons[0].change.to
    assert scribe.now_us == rule.validity.reasons[0].recorded_at.ToMicroseconds()
    assert (rule.validity.observed_through, rule.confirmed) == (4, True)
    decision = await record(serving, "d")
    assert "# D" == decision.body
    assert ["refuted"] == [ground.status for ground in decision.validity.grounds_not_in_force]


async def test_who_stood_behind_a_record_before_a_change(serving: Serving) -> None:
    """`last_confirmed` names the person once a change dropped it, and an affirmation brings it back."""
    scribe = Scribe()
    serving.append(
        scribe.message(scribe.write("d", status="active", body="one")),
        scribe.message(scribe.write("d", body="two", confirmation="dropped"), actor=BOT),
    )
    dropped = await record(serving, "d", min_seq=2)
    assert (dropped.body, dropped.version, dropped.confirmed) == ("two", 2, False)
    assert (dropped.last_confirmed.by.id, dropped.last_confirmed.how, dropped.last_confirmed.seq) == (
        "maya",
        "created",
        1,
    )
    assert not dropped.HasField("last_affirmed")
    serving.append(scribe.message(scribe.affirm("d", note="still so")))
    affirmed = await record(serving, "d", min_seq=3)
    assert affirmed.confirmed
    assert not affirmed.HasField("last_confirmed")
    last = affirmed.last_affirmed
    assert ("maya", "still so", 3, 2) == (last.by.id, last.note, last.seq, last.version)
    assert scribe.now_us == last.at.ToMicroseconds()


async def test_a_field_that_is_none_is_refused(serving: Serving) -> None:
    """A mistyped field is an error that names the fields there are, never an empty page."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d")))
    await record(serving, "d", min_seq=1)
    typed = types_pb2.Field(name="onwer", value_json='"maya"')
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(pb.QueryRequest(workspace=WORKSPACE, fields=[typed]), metadata=serving.me)
    assert (grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_FIELD") == (caught.value.code(), reason_of(caught.value).reason)
    assert "owner" in (caught.value.details() or "")
    typed.name = "intent_kind"
    known = pb.QueryRequest(workspace=WORKSPACE, fields=[typed], kinds=["decision"])
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(known, metadata=serving.me)
    assert "UNKNOWN_FIELD" == reason_of(caught.value).reason


async def test_a_kind_that_is_none_is_refused(serving: Serving) -> None:
    """A mistyped kind is an error that names the kinds there are, never an empty page."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d", status="active")))
    await record(serving, "d", min_seq=1)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(pb.QueryRequest(workspace=WORKSPACE, kinds=["decisoin"]), metadata=serving.me)
    assert grpc.StatusCode.INVALID_ARGUMENT == caught.value.code()
    assert "UNKNOWN_KIND" == reason_of(caught.value).reason
    assert "decision, document" in (caught.value.details() or "")


async def test_supersession_reads_from_both_ends(serving: Serving) -> None:
    """A superseded record names what took its place, and who else would; one still in force only who claims to."""
    scribe = Scribe()
    serving.append(
        scribe.message(scribe.write("old", status="superseded"), scribe.write("kept", status="active")),
        scribe.message(
            scribe.write("new", status="active", links=[Link(name="replaces", to="old", stated_by="to")]),
            scribe.write("draft", status="draft", links=[Link(name="replaces", to="kept")]),
            proposed("p1", "other", replaces="kept"),
            proposed("p2", "third", replaces="old"),
        ),
    )
    old = await record(serving, "old", min_seq=6)
    assert (["new"], ["third"]) == (list(old.superseded_by), list(old.replacement_claimed_by))
    assert ["old"] == (await record(serving, "new")).supersedes
    assert [] == (await record(serving, "draft")).supersedes
    kept = await record(serving, "kept")
    assert [] == kept.superseded_by
    assert ["draft", "other"] == kept.replacement_claimed_by


async def test_citations_say_when_they_were_last_observed(serving: Serving) -> None:
    """A report renews the date of the quotes it names, and of no others; an absent quote puts the record at risk."""
    scribe = Scribe()
    cited = [Citation(uri="https://example.org/a", quote=quote) for quote in ("it holds", "and more")]
    serving.append(scribe.message(scribe.write("d", status="active", evidence=cited)))
    written_us = scribe.now_us
    serving.append(scribe.message(observed("https://example.org/a", "it holds")))
    fresh = await record(serving, "d", min_seq=2)
    assert [scribe.now_us, written_us] == [each.last_observed.ToMicroseconds() for each in fresh.evidence]
    serving.append(scribe.message(observed("https://example.org/a", "it holds", "absent")))
    risky = await record(serving, "d", min_seq=3)
    assert ["support_at_risk"] == [reason.kind for reason in risky.validity.reasons]


async def test_missing_record_is_helpful(serving: Serving) -> None:
    """NOT_FOUND names the position and what looks like the id."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("decision-0007")))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await record(serving, "decision-007", min_seq=1)
    assert grpc.StatusCode.NOT_FOUND == caught.value.code()
    assert "at seq 1; did you mean decision-0007?" in (caught.value.details() or "")


async def test_belief_is_worked_out_at_the_readers_now(serving: Serving) -> None:
    """Trust counts at once, a displaced voice says so, and the key may be written as one likes."""
    scribe = Scribe()
    now = serving.now_us()
    said_first = said("5", at_us=now - 2_000_000)
    serving.append(scribe.message(scribe.believe(said_first, half_life_s=0)))
    serving.append(scribe.message(scribe.believe(said("7", at_us=now - 1_000_000), half_life_s=0)))
    request = pb.GetBeliefRequest(workspace=WORKSPACE, subject=" ACME ", predicate="TAM", min_seq=2)
    belief = (await serving.stub.GetBelief(request, metadata=serving.me)).belief
    assert [("7", 0.868421)] == [(state.value.text, round(state.probability, 6)) for state in belief.values]
    assert [("7", False), ("5", True)] == [(each.value.text, each.displaced) for each in belief.contributions]
    serving.append(scribe.message(trusted("crm", 0.35)))
    request.min_seq = 3
    halved = (await serving.stub.GetBelief(request, metadata=serving.me)).belief
    assert halved.contributions[0].weight == pytest.approx(belief.contributions[0].weight / 2)
    assert (halved.seq, halved.stale) == (2, False)


async def test_pages_hold_each_match_once_while_others_write(serving: Serving) -> None:
    """Records written between pages neither repeat nor hide any that was there."""
    scribe = Scribe()
    names = [f"d{at:02}" for at in range(7)]
    serving.append(*(scribe.message(scribe.write(name, status="active")) for name in names))
    seen: list[str] = []
    request = pb.QueryRequest(workspace=WORKSPACE, kinds=["decision"], limit=3, min_seq=7)
    while True:
        response = await serving.stub.Query(request, metadata=serving.me)
        seen += [found.id for found in response.records]
        if not response.next_cursor:
            break
        request.cursor = response.next_cursor
        serving.append(scribe.message(scribe.write(names[0], label="again"), scribe.write(f"c{len(seen)}")))
        request.min_seq = scribe.seq
    assert names == seen
    assert 9 == response.total


async def test_a_page_of_large_bodies_is_shorter(serving: Serving) -> None:
    """A page never outgrows a message: the rest comes with the next ones."""
    scribe = Scribe()
    names = [f"d{at:02}" for at in range(40)]
    for name in names:
        serving.append(scribe.message(scribe.write(name, body="x" * 256 * 1024)))
    request = pb.QueryRequest(workspace=WORKSPACE, with_bodies=True, limit=200, min_seq=40)
    seen: list[str] = []
    pages = 0
    while pages == 0 or request.cursor:
        response = await serving.stub.Query(request, metadata=serving.me)
        seen += [found.id for found in response.records]
        request.cursor = response.next_cursor
        pages += 1
    assert names == seen
    assert 2 == pages


async def test_query_filters(serving: Serving) -> None:
    """Kind, room and those below it, field values in any JSON spelling, and validity states."""
    scribe = Scribe()
    serving.append(
        scribe.message(
            scribe.write("h", "hypothesis", status="open", room="pay/cards"),
            scribe.write("d1", status="active", room="pay", fields={"area": "é"}, links=[Link(name="assumes", to="h")]),
            scribe.write("d2", status="active", room="payroll"),
            scribe.write("e", room="caf\u00e9"),
        ),
        scribe.message(scribe.write("h", status="refuted", room="pay/cards", moves=[field_moved("status", "refuted")])),
        scribe.message(scribe.write("d2", room="payroll", delete=True)),
    )

    async def ids(**filters: Any) -> list[str]:  # noqa: ANN401 - as the message takes them
        request = pb.QueryRequest(workspace=WORKSPACE, min_seq=6, **filters)
        return [found.id for found in (await serving.stub.Query(request, metadata=serving.me)).records]

    assert ["d1", "e", "h"] == await ids()
    assert ["d1", "d2", "e", "h"] == await ids(include_deleted=True)
    assert ["d1", "h"] == await ids(room="pay", include_deleted=True)
    assert ["e"] == await ids(room="cafe\u0301")
    assert ["h"] == await ids(kinds=["hypothesis"])
    assert ["d1"] == await ids(fields=[types_pb2.Field(name="area", value_json='"\\u00e9"')])
    assert ["d1"] == await ids(states=[types_pb2.VALIDITY_STATE_NEEDS_REVIEW])
    assert ["e", "h"] == await ids(states=[types_pb2.VALIDITY_STATE_CURRENT])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"limit": 201}, "FIELD_VALUE"),
        ({"limit": -1}, "FIELD_VALUE"),
        ({"min_seq": -1}, "FIELD_VALUE"),
        ({"cursor": "nonsense"}, "BAD_CURSOR"),
        ({"states": [0]}, "FIELD_VALUE"),
        ({"fields": [types_pb2.Field(name="area", value_json="payments")]}, "FIELD_VALUE"),
        ({"workspace": ""}, "FIELD_VALUE"),
    ],
)
async def test_a_wrong_question_is_refused(serving: Serving, change: dict[str, Any], reason: str) -> None:
    """What is wrong with the question is told by reason, as INVALID_ARGUMENT."""
    request = pb.QueryRequest(**{"workspace": WORKSPACE, **change})
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(request, metadata=serving.me)
    assert (grpc.StatusCode.INVALID_ARGUMENT, reason) == (caught.value.code(), reason_of(caught.value).reason)


async def test_a_cursor_answers_only_its_own_question(serving: Serving) -> None:
    """A cursor used with other filters is refused."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("a"), scribe.write("b")))
    first = await serving.stub.Query(pb.QueryRequest(workspace=WORKSPACE, limit=1, min_seq=2), metadata=serving.me)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(
            pb.QueryRequest(workspace=WORKSPACE, kinds=["rule"], cursor=first.next_cursor), metadata=serving.me
        )
    assert "BAD_CURSOR" == reason_of(caught.value).reason


async def test_a_next_page_is_no_older_than_the_one_before(serving: Serving) -> None:
    """A cursor of another view that is further waits until this one has what the page before was answered from."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("a"), scribe.write("b")))
    request = pb.QueryRequest(workspace=WORKSPACE, limit=1, min_seq=2)
    asked = question.question_of(WORKSPACE, question.filters(request))
    request.cursor = cursor.encode(cursor.Cursor(after="a", as_of_seq=3, question=asked))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.Query(request, metadata=serving.me, timeout=0.2)
    assert "NOT_YET_VISIBLE" == reason_of(caught.value).reason
    serving.append(scribe.message(scribe.write("c")))
    assert ["b"] == [each.id for each in (await serving.stub.Query(request, metadata=serving.me)).records]


async def test_a_seq_not_reached_in_time_says_where_the_view_is(serving: Serving) -> None:
    """`min_seq` waits within the deadline; then UNAVAILABLE with the position."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d")))
    await record(serving, "d", min_seq=1)
    request = pb.GetRecordRequest(workspace=WORKSPACE, id="d", min_seq=2)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.GetRecord(request, metadata=serving.me, timeout=0.2)
    info = reason_of(caught.value)
    assert (caught.value.code(), info.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_YET_VISIBLE")
    assert ("1", "2") == (info.metadata["position"], info.metadata["min_seq"])


async def test_a_waiting_read_is_answered_when_the_write_arrives(serving: Serving) -> None:
    """Read your writes, also in a workspace that does not exist yet."""
    scribe = Scribe()
    waiting = asyncio.ensure_future(record(serving, "d", min_seq=1))
    await asyncio.sleep(0)
    serving.append(scribe.message(scribe.write("d", label="Here")))
    assert "Here" == (await waiting).label


async def test_what_an_agent_reads_leaves_a_receipt(serving: Serving) -> None:
    """A record served to an agent is on `receipts` with version, validity and position; a person leaves none."""
    scribe = Scribe()
    links = [Link(name="depends_on", to="e")]
    serving.append(scribe.message(scribe.write("e"), scribe.write("d", status="active", links=links)))
    serving.append(scribe.message(scribe.write("d", label="D"), scribe.write("e", body="2", moves=[Move(kind="body")])))
    await record(serving, "d", min_seq=4)
    agent = serving.token("bot", kind="agent", on_behalf_of="maya")
    for name in ("d", "e"):
        await serving.stub.GetRecord(pb.GetRecordRequest(workspace=WORKSPACE, id=name), metadata=agent)
    home = partition_of(WORKSPACE, PARTITIONS)
    found: list[Record] = []
    async with asyncio.timeout(5):
        async for records in serving.log.follow("receipts", {home: 0}):
            found += records
            if len(found) > 1:
                break
    first, second = [codec.decode(each.value, Receipt) for each in found]
    assert (first.meta.actor.id, first.meta.actor.on_behalf_of, first.method) == ("bot", "maya", "GetRecord")
    assert (first.as_of_seq, first.served) == (4, (Served(record_id="d", version=2, validity="needs_review"),))
    assert (Served(record_id="e", version=2, validity="current"),) == second.served


async def test_no_agent_is_served_without_a_trace(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """When no further receipt can wait, an agent is told to come again; a person is served."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d", label="Here")))
    await record(serving, "d", min_seq=1)
    monkeypatch.setattr(receipts, "MOST", 0)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.GetRecord(
            pb.GetRecordRequest(workspace=WORKSPACE, id="d"), metadata=serving.token("bot", kind="agent")
        )
    assert (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED") == (caught.value.code(), reason_of(caught.value).reason)
    assert "Here" == (await record(serving, "d")).label


async def test_only_who_may_read_a_workspace_does(serving: Serving) -> None:
    """A token for another workspace or without `read` is refused, and workspaces are listed accordingly."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("d")), Scribe("other").message(scribe.write("x")))
    await record(serving, "d", min_seq=1)
    request = pb.GetRecordRequest(workspace=WORKSPACE, id="d")
    for token, reason in (
        (serving.token(workspaces=["other"]), "WRONG_WORKSPACE"),
        (serving.token(capabilities=["write"]), "MISSING_CAPABILITY"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await serving.stub.GetRecord(request, metadata=token)
        assert (caught.value.code(), reason_of(caught.value).reason) == (grpc.StatusCode.PERMISSION_DENIED, reason)
    listed = await serving.stub.ListWorkspaces(pb.ListWorkspacesRequest(), metadata=serving.token(workspaces=["other"]))
    assert [("other", 1, 1)] == [(each.name, each.last_seq, each.records) for each in listed.workspaces]
