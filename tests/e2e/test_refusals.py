"""Bad input to records, over gRPC on the whole line: refused with its code and reason, and nothing half applied."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from stanchion.settings import ClientSettings
from stanchion.writes import Write, write_message
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2_grpc
from stanchion_local.supervisor import Supervisor
from support.calls import AsyncStub, bearer, reason, refused
from support.team import Team, cite, tokens_of, write

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

Tokens = dict[str, str]
INVALID = grpc.StatusCode.INVALID_ARGUMENT
FORBIDDEN = grpc.StatusCode.PERMISSION_DENIED
WRITE_BATCH = "/stanchion.ingest.v1.IngestService/WriteBatch"
NUL = "a\x00b"
SURROGATE = '"\\ud800"'


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def channel(home: Path, line: Supervisor) -> AsyncIterator[grpc.aio.Channel]:  # noqa: ARG001 - the line has to be up
    """A channel to the gateway."""
    async with grpc.aio.insecure_channel(ClientSettings(home=home).address("gateway")) as opened:
        yield opened


@pytest.fixture
def stub(channel: grpc.aio.Channel) -> AsyncStub:
    """What calls the gateway."""
    return ingest_pb2_grpc.IngestServiceStub(channel)


@pytest.fixture(scope="module")
def tokens(home: Path) -> dict[str, str]:
    """A token for each of the team."""
    return tokens_of(home)


@pytest_asyncio.fixture(loop_scope="session")
async def there(team: Team) -> Team:
    """A decision, a rule based on it, and a deleted decision."""
    await team.write(
        write("d", "decision", label="D"), write("r", "rule", links={"based_on": ["d"]}), write("gone", "decision")
    )
    await team.write(write("gone", delete=True))
    return team


def batch(team: Team, *writes: Write, key: str = "") -> pb.WriteBatchRequest:
    """Give a batch as it is sent."""
    return pb.WriteBatchRequest(
        workspace=team.workspace, idempotency_key=key, writes=[write_message(one) for one in writes]
    )


async def stands(team: Team) -> tuple[int, dict[str, tuple[int, str, bool]]]:
    """Give the workspace's last seq, and version, label and deletion of all its records."""
    bo = team.clients["bo"]
    page = await bo.query_page(workspace=team.workspace, include_deleted=True, min_seq=team.seq)
    return page.as_of_seq, {record.id: (record.version, record.label, record.deleted) for record in page.records}


def nested(levels: int) -> Any:  # noqa: ANN401 - arrays inside each other
    """Give arrays inside each other."""
    return [nested(levels - 1)] if levels else []


WRONG: dict[str, tuple[Write, str]] = {
    "wrong from end": (write("x", "decision", links={"based_on": ["d"]}), "LINK_END_KIND"),
    "wrong to end": (write("x", "rule", links={"based_on": ["r"]}), "LINK_END_KIND"),
    "missing target": (write("x", "rule", links={"based_on": ["nobody"]}), "LINK_TARGET_MISSING"),
    "deleted target": (write("x", "rule", links={"based_on": ["gone"]}), "LINK_TARGET_MISSING"),
    "self link": (write("x", "rule", links={"exception_to": ["x"]}), "LINK_SELF"),
    "unknown link": (write("x", "rule", links={"believes": ["d"]}), "UNKNOWN_FIELD"),
    "unknown kind": (write("x", "theory"), "UNKNOWN_KIND"),
    "no kind": (write("x", label="X"), "UNKNOWN_KIND"),
    "another kind": (write("r", "decision"), "FIELD_VALUE"),
    "unknown field": (write("x", "decision", mood="good"), "UNKNOWN_FIELD"),
    "field of another kind": (write("x", "rule", decided_on="2026-01-01"), "UNKNOWN_FIELD"),
    "unknown status": (write("x", "decision", status="maybe"), "FIELD_VALUE"),
    "status of another kind": (write("x", "rule", status="draft"), "FIELD_VALUE"),
    "unknown word": (write("x", "decision", origin="chance"), "FIELD_VALUE"),
    "word that is no text": (write("x", "decision", status=7), "FIELD_VALUE"),
    "no date": (write("x", "decision", decided_on="soon"), "FIELD_VALUE"),
    "no list": (write("x", "rule", applies_to={"team": "api"}), "FIELD_VALUE"),
    "no condition": (write("x", "hypothesis", condition={"op": "like"}), "FIELD_VALUE"),
    "no principal": (write("x", "decision", decided_by="model:"), "FIELD_VALUE"),
    "no id": (write("Not An Id", "decision"), "FIELD_VALUE"),
    "a time without offset": (write("x", "decision", valid_from="2026-01-01T10:00:00"), "FIELD_VALUE"),
    "delete and write": (write("r", delete=True, label="L"), "FIELD_VALUE"),
    "delete of nothing": (write("x", delete=True), "NOT_FOUND"),
    "label too long": (write("x", "decision", label="é" * 301), "TOO_LARGE"),
    "body too long": (write("x", "decision", body="x" * (256 * 1024 + 1)), "TOO_LARGE"),
    "quote too long": (write("x", "decision", evidence=[cite("u", "q" * 2001)]), "TOO_LARGE"),
    "field too long": (write("x", "decision", owner="o" * 65_537), "TOO_LARGE"),
    "too many links": (write("x", "rule", links={"based_on": [f"d{n}" for n in range(65)]}), "TOO_MANY"),
    "too many citations": (write("x", "rule", evidence=[cite(f"u{n}") for n in range(65)]), "TOO_MANY"),
    "nested too deep": (write("x", "rule", applies_to=nested(33)), "FIELD_VALUE"),
    "NUL in a label": (write("x", "decision", label=NUL), "FIELD_VALUE"),
    "NUL in a body": (write("x", "decision", body=NUL), "FIELD_VALUE"),
    "NUL in a field": (write("x", "decision", owner=NUL), "FIELD_VALUE"),
    "id twice in a batch": (write("beside", "decision"), "DUPLICATE_IN_BATCH"),
}
THERE = (4, {"d": (1, "D", False), "gone": (2, "", True), "r": (1, "", False)})
CODES = {"NOT_FOUND": grpc.StatusCode.NOT_FOUND}


@pytest.mark.parametrize("case", WRONG)
async def test_a_wrong_write_refuses_the_whole_batch(
    case: str, stub: AsyncStub, there: Team, tokens: dict[str, str]
) -> None:
    """Good writes before and after it do not land either, nothing takes a seq, and the next batch does land."""
    wrong, expected = WRONG[case]
    request = batch(there, write("beside", "decision"), write("d", label="changed"), wrong, write("after", "rule"))
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert (expected, CODES.get(expected, INVALID)) == reason(error)
    assert error.details()
    assert THERE == await stands(there)
    await there.write(write("after", "rule"))


@pytest.mark.parametrize(
    ("field", "raw"), [("label", b"\xff\xfeA"), ("label", b"\xed\xa0\x80"), ("body", b"\xc3("), ("id", b"d\xff")]
)
async def test_bytes_that_are_no_utf8(
    channel: grpc.aio.Channel, field: str, raw: bytes, there: Team, tokens: dict[str, str]
) -> None:
    """Bytes that are no text in a text field: the call is refused with a reason, whatever client sent them."""
    mark = "m" * len(raw)
    content = {"id": "x", "kind": "decision"} | {field: mark}
    request = pb.WriteBatchRequest(
        workspace=there.workspace,
        writes=[pb.Write(id="beside", kind="rule"), pb.Write(**content)],  # type: ignore[arg-type] # made to measure
    )
    value = request.SerializeToString().replace(mark.encode(), raw)
    call = channel.unary_unary(WRITE_BATCH, request_serializer=bytes, response_deserializer=bytes)
    error = await refused(call(value, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("FIELD_VALUE", INVALID) == reason(error)
    assert THERE == await stands(there)


async def test_a_lone_surrogate_in_a_field(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """JSON can say what no text can hold: refused."""
    request = batch(there, write("x", "decision", owner="o"))
    request.writes[0].fields[0].value_json = SURROGATE
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("FIELD_VALUE", INVALID) == reason(error)
    assert THERE == await stands(there)


async def test_a_half_written_reversal(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """It is a precondition that fails; the missing write is named, and what would have been written is not there."""
    request = batch(there, write("new", "decision", links={"replaces": ["d"]}), write("beside", "rule"))
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("HALF_WRITTEN_REVERSAL", grpc.StatusCode.FAILED_PRECONDITION) == reason(error)
    assert THERE == await stands(there)


async def test_a_stale_version(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """A write based on another version is in conflict, and learns the version that stands."""
    request = batch(there, write("beside", "rule"), write("d", label="changed", if_match=7))
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("VERSION_CONFLICT", grpc.StatusCode.ABORTED) == reason(error)
    assert "version 1" in (error.details() or "")
    assert THERE == await stands(there)


@pytest.mark.parametrize(
    ("count", "size", "expected"), [(201, 1, "TOO_MANY"), (10, 230_000, "TOO_LARGE"), (0, 0, "FIELD_VALUE")]
)
async def test_a_batch_too_large_or_empty(  # noqa: PLR0913, PLR0917 - a row's parts
    count: int, size: int, expected: str, stub: AsyncStub, there: Team, tokens: Tokens
) -> None:
    """201 writes, more than 2 MiB, or none at all."""
    request = batch(there, *(write(f"x{n}", "rule", body="b" * size) for n in range(count)))
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert (expected, INVALID) == reason(error)
    assert THERE == await stands(there)


async def test_a_reused_key(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """The same key with other content is refused; with the same content it is answered as the first time."""
    first = await there.write(write("x", "rule"), key="k")
    request = batch(there, write("x", label="other"), key="k")
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("IDEMPOTENCY_KEY_REUSED", grpc.StatusCode.ALREADY_EXISTS) == reason(error)
    again = await there.write(write("x", "rule"), key="k")
    assert (True, first.first_seq, 1) == (again.repeated_command, again.first_seq, (await there.read("x")).version)


async def test_a_key_too_long(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """A key of more than 128 characters is refused."""
    request = batch(there, write("x", "rule"), key="k" * 129)
    error = await refused(stub.WriteBatch(request, metadata=bearer(tokens["maya"]), timeout=20))
    assert ("TOO_LARGE", INVALID) == reason(error)
    assert THERE == await stands(there)


@pytest.mark.parametrize("who", ["agent", "delegate", "service"])
async def test_an_agent_that_affirms(who: str, stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """Whatever capabilities it holds, and whoever it acts for."""
    request = pb.AffirmRequest(workspace=there.workspace, record_id="r", observed_through=there.seq)
    error = await refused(stub.Affirm(request, metadata=bearer(tokens[who]), timeout=20))
    assert ("NOT_A_PERSON", FORBIDDEN) == reason(error)
    assert THERE == await stands(there)


async def test_a_token_of_another_workspace(stub: AsyncStub, there: Team, tokens: Tokens) -> None:
    """It writes, affirms and reports nothing here, and reads nothing either."""
    of_eve = bearer(tokens["stranger"])
    calls = [
        stub.WriteBatch(batch(there, write("x", "rule")), metadata=of_eve, timeout=20),
        stub.Affirm(pb.AffirmRequest(workspace=there.workspace, record_id="r"), metadata=of_eve, timeout=20),
        stub.ReportObservations(
            pb.ReportObservationsRequest(workspace=there.workspace, uri="u", quotes=[pb.QuoteSeen(quote="q")]),
            metadata=of_eve,
            timeout=20,
        ),
    ]
    assert [("WRONG_WORKSPACE", FORBIDDEN)] * 3 == [reason(await refused(call)) for call in calls]
    eve = there.clients["stranger"]
    names = {workspace.name for workspace in await eve.workspaces()}
    assert there.workspace not in names
    assert THERE == await stands(there)


async def test_no_token_and_a_wrong_one(stub: AsyncStub, there: Team) -> None:
    """Nobody, or somebody whom this line did not sign, writes nothing."""
    request = batch(there, write("x", "rule"))
    nobody = await refused(stub.WriteBatch(request, timeout=20))
    forged = await refused(stub.WriteBatch(request, metadata=bearer("e30.e30.e30"), timeout=20))
    assert [("TOKEN_MISSING", grpc.StatusCode.UNAUTHENTICATED), ("TOKEN_INVALID", grpc.StatusCode.UNAUTHENTICATED)] == [
        reason(nobody),
        reason(forged),
    ]
    assert THERE == await stands(there)
