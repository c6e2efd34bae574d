import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest
from msgspec.structs import replace

from stanchion_contracts.change import Base, Proposal
from stanchion_contracts.command import LinkSet, Write, WriteBatch
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.proposal import digest_of
from stanchion_contracts.record import FieldValue, Link
from stanchion_runtime.memory import MemoryLog
from stanchion_view import review
from stanchion_view.core.card import Card
from stanchion_view.core.filed import brief
from support.ledgers import BOT, Scribe, closed, opened, proposal
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


async def read(serving: Serving, name: str, min_seq: int = 0) -> types_pb2.Proposal:
    """Read one proposal."""
    request = pb.GetProposalRequest(workspace=WORKSPACE, id=name, min_seq=min_seq)
    response: pb.GetProposalResponse = await serving.stub.GetProposal(request, metadata=serving.me)
    return response.proposal


async def listed(serving: Serving, **parts: Any) -> pb.ListProposalsResponse:  # noqa: ANN401 - as the message takes them
    """Read one page."""
    request = pb.ListProposalsRequest(workspace=WORKSPACE, **parts)
    response: pb.ListProposalsResponse = await serving.stub.ListProposals(request, metadata=serving.me)
    return response


async def record(serving: Serving, name: str, min_seq: int) -> types_pb2.Record:
    """Read one record."""
    request = pb.GetRecordRequest(workspace=WORKSPACE, id=name, min_seq=min_seq)
    response: pb.GetRecordResponse = await serving.stub.GetRecord(request, metadata=serving.me)
    return response.record


def parts(write: types_pb2.ProposedWrite) -> dict[str, tuple[Any, ...]]:
    """The parts that differ, as values; None where there is nothing."""
    return {
        part.part: tuple(json.loads(text) if text else None for text in (part.before_json, part.after_json))
        for part in write.parts
    }


REVERSAL = proposal(
    "p1",
    Write(
        id="new",
        kind="decision",
        room="pay",
        label="New",
        body="because\n",
        links=(LinkSet(name="replaces", links=(Link(name="replaces", to="old"),)),),
    ),
    Write(id="old", fields=(FieldValue(name="status", value='"superseded"'),), body="was why"),
    base={"new": 0, "old": 1},
    by=BOT,
)


async def test_a_proposal_is_shown_against_what_stands(serving: Serving) -> None:
    """Every part that differs of every write, who proposed it, and the digest that publishing carries."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("old", label="Old", body="why", status="active")))
    serving.append(scribe.message(opened(REVERSAL)))
    shown = await read(serving, "p1", 2)
    assert (shown.state, shown.proposed_by.id, shown.seq, shown.outdated) == ("open", "bot", 2, False)
    assert digest_of(REVERSAL) == shown.digest
    new, old = shown.writes
    assert (new.record_id, new.kind, new.room, new.label, new.base_version) == ("new", "decision", "pay", "New", 0)
    expected = {"label": (None, "New"), "body": (None, "because\n"), "link:replaces": (None, [{"to": "old"}])}
    assert expected == parts(new)
    assert (old.kind, old.label, old.base_version, old.current_version) == ("decision", "Old", 1, 1)
    assert {"body": ("why", "was why"), "field:status": ("active", "superseded")} == parts(old)


async def test_a_proposal_whose_base_moved_on_says_so(serving: Serving) -> None:
    """A version that stands now and is not the one it was made against; the diff is against what stands."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("old", body="why", status="active")))
    serving.append(scribe.message(opened(REVERSAL)), scribe.message(scribe.write("old", body="was why")))
    shown = await read(serving, "p1", 3)
    assert (True, 1, 2) == (shown.outdated, shown.writes[1].base_version, shown.writes[1].current_version)
    assert {"field:status": ("active", "superseded")} == parts(shown.writes[1])


async def test_a_closed_proposal_shows_what_it_was(serving: Serving) -> None:
    """Once published nothing would differ any more: it is shown against its base, with who closed it, when and why."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.write("old", label="Old", body="why", status="active")))
    serving.append(scribe.message(opened(REVERSAL)))
    before = await read(serving, "p1", 2)
    serving.append(
        scribe.message(
            scribe.write("new", label="New", body="because\n", status="active"),
            scribe.write("old", status="superseded", body="was why"),
            closed(REVERSAL, "published", note="agreed"),
        )
    )
    shown = await read(serving, "p1", 5)
    assert ("published", "maya", "agreed") == (shown.state, shown.closed_by.id, shown.note)
    assert scribe.now_us == shown.closed_at.ToMicroseconds()
    assert [parts(write) for write in before.writes] == [parts(write) for write in shown.writes]
    assert [(0, 1), (1, 2)] == [(write.base_version, write.current_version) for write in shown.writes]
    assert ("bot", 2, False) == (shown.proposed_by.id, shown.seq, shown.outdated)


async def test_records_say_what_waits_about_them(serving: Serving) -> None:
    """A record names its open proposals, oldest first, and where evidence points until a person decides."""
    scribe = Scribe()
    refuted = Write(id="h", fields=(FieldValue(name="status", value='"refuted"'),))
    said = proposal("p-evidence", refuted, base={"h": 1}, why="evidence_disagrees")
    edited = proposal("a-label", Write(id="h", label="Other"), base={"h": 1})
    serving.append(scribe.message(scribe.write("h", "hypothesis", status="supported"), opened(said), opened(edited)))
    found = await record(serving, "h", 3)
    assert ["p-evidence", "a-label"] == found.proposals
    disagrees = found.evidence_disagrees
    assert ("refuted", "p-evidence", 2) == (disagrees.status, disagrees.proposal_id, disagrees.since_seq)
    page = await serving.stub.Query(pb.QueryRequest(workspace=WORKSPACE), metadata=serving.me)
    assert disagrees == page.records[0].evidence_disagrees
    moved = replace(edited, batch=WriteBatch(writes=(Write(id="other", label="O", kind="decision"),)))
    serving.append(scribe.message(closed(said, "rejected", "no"), opened(moved, "proposal.edited")))
    found = await record(serving, "h", 5)
    assert ([], False) == (list(found.proposals), found.HasField("evidence_disagrees"))


async def test_pages_of_proposals_hold_each_once_while_others_open_and_close(serving: Serving) -> None:
    """Oldest first, open and closed, none twice and none missed whatever happens between pages."""
    scribe = Scribe()
    waiting = [proposal(f"p{9 - at}", Write(id=f"d{at % 2}", kind="decision", label="D")) for at in range(7)]
    serving.append(*(scribe.message(opened(each)) for each in waiting))
    serving.append(scribe.message(closed(waiting[1], "rejected", "no"), closed(waiting[5])))
    request: dict[str, Any] = {"include_closed": True, "limit": 2, "min_seq": 9}
    seen: list[tuple[str, str]] = []
    for step in range(4):
        page = await listed(serving, **request)
        seen += [(each.id, each.state) for each in page.proposals]
        assert 7 + step == page.total
        assert all(not write.parts for each in page.proposals for write in each.writes)
        serving.append(scribe.message(opened(proposal(f"q{step}", Write(id="d0", kind="decision")))))
        if step == 1:
            serving.append(scribe.message(closed(waiting[0], "rejected", "no"), closed(waiting[6], "overtaken")))
        request |= {"cursor": page.next_cursor, "min_seq": scribe.seq}
    expected = [("p9", "open"), ("p8", "rejected"), ("p7", "open"), ("p6", "open"), ("p5", "open"), ("p4", "in_force")]
    assert [*expected, ("p3", "overtaken"), ("q0", "open")] == seen
    mine = await listed(serving, record_id="d1")
    assert (["p6"], 1) == ([each.id for each in mine.proposals], mine.total)


async def test_what_does_not_fit_a_message_is_named_by_its_size(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text before that would outgrow the message gives its size; what is proposed is always there."""
    monkeypatch.setattr(review, "PROPOSAL_BYTES", 200)
    scribe = Scribe()
    names = ("d0", "d1")
    serving.append(scribe.message(*(scribe.write(name, body="x" * 90) for name in names)))
    serving.append(scribe.message(opened(proposal("p", *(Write(id=name, body="y" * 40) for name in names)))))
    shown = await read(serving, "p", 3)
    assert [{"body": ("x" * 90, "y" * 40)}, {"body": ({"bytes": 92}, "y" * 40)}] == [
        parts(write) for write in shown.writes
    ]


@pytest.mark.parametrize(
    ("call", "parts", "reason"),
    [
        ("GetProposal", {"id": "p9"}, "NOT_FOUND"),
        ("GetProposal", {}, "FIELD_VALUE"),
        ("GetProposal", {"id": "x" * 257}, "TOO_LARGE"),
        ("ListProposals", {"record_id": "x" * 257}, "TOO_LARGE"),
        ("ListProposals", {"limit": 201}, "FIELD_VALUE"),
        ("ListProposals", {"cursor": "nonsense"}, "BAD_CURSOR"),
    ],
)
async def test_a_wrong_question_about_proposals_is_refused(
    serving: Serving, call: str, parts: dict[str, Any], reason: str
) -> None:
    """What is wrong with the question is told by reason."""
    scribe = Scribe()
    serving.append(scribe.message(opened(REVERSAL)))
    await read(serving, "p1", 1)
    request = getattr(pb, f"{call}Request")(workspace=WORKSPACE, **parts)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await getattr(serving.stub, call)(request, metadata=serving.me)
    assert reason == reason_of(caught.value).reason


async def test_of_many_proposals_only_a_page_is_made(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait, a page costs what it shows, and one more that says whether there is another."""
    scribe = Scribe()
    made: list[str] = []

    def counted(waits: Proposal, cards: Mapping[str, Card]) -> Proposal:
        made.append(waits.id)
        return brief(waits, cards)

    monkeypatch.setattr(review, "brief", counted)
    serving.append(scribe.message(*(opened(proposal(f"p{at}", Write(id="d", label=f"{at}"))) for at in range(9))))
    await read(serving, "p0", 9)
    made.clear()
    page = await listed(serving, limit=2)
    assert (["p0", "p1"], 9, ["p0", "p1", "p2"]) == ([each.id for each in page.proposals], page.total, made)


async def test_everything_is_the_same_after_a_restart(tmp_path: Path) -> None:
    """Open and closed proposals, their digests and what records say of them come back from the file."""
    scribe, log = Scribe(), MemoryLog(partitions=PARTITIONS)
    other = proposal("p2", Write(id="old", label="Older"), base={"old": 1})
    messages = [
        scribe.message(scribe.write("old", body="why", status="active"), opened(REVERSAL), opened(other)),
        scribe.message(opened(replace(other, base=(Base(record_id="old", version=2),)), "proposal.edited")),
        scribe.message(closed(REVERSAL, "rejected", note="no")),
    ]

    async def everything(serving: Serving) -> list[Any]:
        whole = [await read(serving, name, scribe.seq) for name in ("p1", "p2")]
        return [*whole, await listed(serving, include_closed=True), await record(serving, "old", scribe.seq)]

    async with Serving(tmp_path, log) as first:
        first.append(*messages)
        before = await everything(first)
    async with Serving(tmp_path, log) as second:
        assert before == await everything(second)
