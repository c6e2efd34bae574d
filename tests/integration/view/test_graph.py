from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.record import Link
from stanchion_runtime.memory import MemoryLog
from stanchion_view import relations
from support.ledgers import START_US, STEP_US, Scribe, related
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"
YEAR_US = 365 * 86_400 * 1_000_000


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


def entity(text: str) -> types_pb2.Entity:
    """An entity written as `room/type:name`; room and type may be left out."""
    room, _, rest = text.rpartition("/")
    kind, _, name = rest.rpartition(":")
    return types_pb2.Entity(name=name, type=kind, room=room)


def written(found: types_pb2.Entity) -> str:
    """The same the other way round."""
    kind = f"{found.type}:{found.name}" if found.type else found.name
    return f"{found.room}/{kind}" if found.room else kind


async def near(serving: Serving, start: str, *, at_us: int | None = None, **parts: Any) -> pb.TraverseResponse:  # noqa: ANN401 - as the message takes them
    """What is near."""
    whole: dict[str, Any] = {"from": entity(start), **parts}
    if at_us is not None:
        whole["at"] = Timestamp(seconds=at_us // 1_000_000)
    request = pb.TraverseRequest(workspace=WORKSPACE, **whole)
    response: pb.TraverseResponse = await serving.stub.Traverse(request, metadata=serving.me)
    return response


async def past(serving: Serving, source: str, name: str, target: str) -> pb.RelationHistoryResponse:
    """Every window."""
    ends: dict[str, Any] = {"from": entity(source), "to": entity(target)}
    request = pb.RelationHistoryRequest(workspace=WORKSPACE, name=name, **ends)
    response: pb.RelationHistoryResponse = await serving.stub.RelationHistory(request, metadata=serving.me)
    return response


def ways(response: pb.TraverseResponse) -> list[str]:
    """What was reached, each with its way."""
    return [
        " ".join([
            written(each.entity),
            *(
                f"<-{hop.name}-{written(getattr(hop, 'from'))}" if hop.backwards else f"-{hop.name}->{written(hop.to)}"
                for hop in each.path
            ),
        ])
        for each in response.reached
    ]


async def told(serving: Serving) -> Scribe:
    """Two records, a person with two teams one after the other, and the same name in another room."""
    scribe = Scribe()
    serving.append(
        scribe.message(
            scribe.write("d1", label="Bill yearly", status="active"),
            scribe.write("r1", "rule", label="No quotes", status="active", links=[Link(name="based_on", to="d1")]),
            related("record:d1", "decided_by", "person:ada", stated_by="d1"),
            related("person:ada", "works_at", "team:pay", since_us=START_US, until_us=START_US + YEAR_US),
            related("person:ada", "works_at", "team:risk", since_us=START_US + YEAR_US),
            related("person:ada", "knows", "person:bo", room="hr"),
            related("team:pay", "owns", "service:billing"),
        )
    )
    await serving.stub.Query(pb.QueryRequest(workspace=WORKSPACE, min_seq=7), metadata=serving.me)
    return scribe


async def test_a_traversal_goes_over_links_and_relations_and_says_how(serving: Serving) -> None:
    """From a rule to the decision, the person, the teams: nearest first, with the whole way, and labels of records."""
    await told(serving)
    found = await near(serving, "record:r1", hops=4)
    to_ada = "-based_on->record:d1 -decided_by->person:ada"
    expected = [
        "record:d1 -based_on->record:d1",
        f"person:ada {to_ada}",
        f"team:pay {to_ada} -works_at->team:pay",
        f"team:risk {to_ada} -works_at->team:risk",
        f"service:billing {to_ada} -works_at->team:pay -owns->service:billing",
    ]
    assert expected == ways(found)
    assert ("Bill yearly", 7, False) == (found.reached[0].label, found.as_of_seq, found.truncated)
    assert expected[:2] == ways(await near(serving, "record:r1"))


async def test_a_traversal_keeps_to_names_time_and_direction(serving: Serving) -> None:
    """Only named hops, only what holds at a time, and against the direction only where asked for."""
    await told(serving)
    assert ["team:pay -works_at->team:pay"] == ways(await near(serving, "person:ada", hops=1, at_us=START_US))
    later = await near(serving, "person:ada", hops=1, at_us=START_US + YEAR_US)
    assert ["team:risk -works_at->team:risk"] == ways(later)
    assert [] == ways(await near(serving, "person:ada", names=["owns"]))
    back = await near(serving, "record:d1", hops=1, both_directions=True)
    assert ["person:ada -decided_by->person:ada", "record:r1 <-based_on-record:r1"] == ways(back)


async def test_deleted_records_are_not_walked(serving: Serving) -> None:
    """Neither reached nor passed through, nor begun from."""
    scribe = await told(serving)
    serving.append(scribe.message(scribe.write("d1", delete=True)))
    assert [] == ways(await near(serving, "record:r1", hops=4, min_seq=8))
    with pytest.raises(grpc.aio.AioRpcError, match="d1 was deleted") as caught:
        await near(serving, "d1")
    assert "NOT_FOUND" == reason_of(caught.value).reason


async def test_what_is_left_out_is_found_where_only_one_fits(serving: Serving) -> None:
    """A type or room may be left out; several are named; exactly what was said goes before what fits."""
    scribe = await told(serving)
    assert ["service:billing -owns->service:billing"] == ways(await near(serving, "pay", min_seq=7))
    assert ["hr/person:bo -knows->hr/person:bo"] == ways(await near(serving, "hr/ada"))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await near(serving, "ada")
    info = reason_of(caught.value)
    assert (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_VALUE") == (caught.value.code(), info.reason)
    assert "2 have the name ada: type person in the root, type person in room hr" in (caught.value.details() or "")
    serving.append(scribe.message(related("ada", "is", "name")))
    assert ["name -is->name"] == ways(await near(serving, "ada", min_seq=8))


async def test_the_history_of_a_relation_has_every_window(serving: Serving) -> None:
    """From when to when, in the world and in the ledger, and whose text says so; the current one has no end yet."""
    scribe = Scribe()
    serving.append(
        scribe.message(related("person:ada", "works_at", "team:pay", since_us=START_US, stated_by="d1")),
        scribe.message(related("person:ada", "works_at", "team:pay", until_us=START_US + YEAR_US)),
        scribe.message(related("person:ada", "works_at", "team:pay", ended=True)),
        scribe.message(related("person:ada", "works_at", "team:pay", room="hr")),
        scribe.message(related("person:ada", "works_at", "team:pay")),
    )
    await near(serving, "team:pay", min_seq=5)
    found = await past(serving, "person:ada", "works_at", "team:pay")
    at = [START_US + seq * STEP_US for seq in range(6)]
    expected = [
        {"valid_at": START_US, "created_at": at[1], "superseded_at": at[2]},
        {"invalid_at": START_US + YEAR_US, "created_at": at[2], "superseded_at": at[3]},
        {"created_at": at[5]},
    ]
    shown = [
        {field.name: value.ToMicroseconds() for field, value in window.ListFields() if isinstance(value, Timestamp)}
        for window in found.windows
    ]
    assert expected == shown
    assert [(1, 2, "d1"), (2, 3, ""), (5, 0, "")] == [
        (window.created_seq, window.superseded_seq, window.stated_by) for window in found.windows
    ]
    assert (3, 5) == (found.total, found.as_of_seq)
    assert [4] == [window.created_seq for window in (await past(serving, "hr/ada", "works_at", "pay")).windows]


async def test_of_a_long_history_the_latest_windows_are_told(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as an answer holds, each with its end, and how many there are in all."""
    monkeypatch.setattr(relations, "MOST_WINDOWS", 2)
    scribe = Scribe()
    for until in range(1, 5):
        serving.append(scribe.message(related("a", "is", "b", until_us=START_US + until)))
        serving.append(scribe.message(related("a", "is", "b", ended=True)))
    with pytest.raises(grpc.aio.AioRpcError, match="neither a record nor an end"):
        await near(serving, "a", min_seq=8)
    found = await past(serving, "a", "is", "b")
    assert [(5, 6), (7, 8)] == [(window.created_seq, window.superseded_seq) for window in found.windows]
    assert 4 == found.total


@pytest.mark.parametrize(
    ("start", "parts", "reason"),
    [
        ("nobody", {}, "NOT_FOUND"),
        ("", {}, "FIELD_VALUE"),
        ("x" * 257, {}, "TOO_LARGE"),
        ("record:d1", {"hops": 5}, "FIELD_VALUE"),
        ("record:d1", {"hops": -1}, "FIELD_VALUE"),
        ("record:d1", {"names": ["a"] * 65}, "TOO_MANY"),
        ("record:d1", {"names": [""]}, "FIELD_VALUE"),
        ("record:d1", {"at_us": 300_000_000_000_000_000}, "FIELD_VALUE"),
    ],
)
async def test_a_wrong_way_is_refused(serving: Serving, start: str, parts: dict[str, Any], reason: str) -> None:
    """What is wrong with the question is told by reason."""
    await told(serving)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await near(serving, start, **parts)
    assert reason == reason_of(caught.value).reason


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        (("ada", "works_at", "nowhere"), "NOT_FOUND"),
        (("ada", "", "pay"), "FIELD_VALUE"),
        (("hr/ada", "knows", "pay/bo"), "FIELD_VALUE"),
        (("a", "is", "b"), "FIELD_VALUE"),
    ],
)
async def test_a_wrong_relation_is_refused(serving: Serving, ends: tuple[str, str, str], reason: str) -> None:
    """Unknown, without a name, of two rooms, or one of several."""
    scribe = await told(serving)
    serving.append(scribe.message(related("x:a", "is", "b"), related("y:a", "is", "b")))
    await near(serving, "b", min_seq=9)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await past(serving, *ends)
    assert reason == reason_of(caught.value).reason
