import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.refusal import Refusal
from stanchion_runtime.refused import CODES, Refused, refuse, refuse_as, status_of

TABLE = {
    "INVALID_ARGUMENT": "LINK_TARGET_MISSING LINK_END_KIND LINK_SELF UNKNOWN_KIND UNKNOWN_FIELD FIELD_VALUE "
    "DUPLICATE_IN_BATCH TOO_LARGE TOO_MANY",
    "FAILED_PRECONDITION": "HALF_WRITTEN_REVERSAL READ_ONLY LEGAL_HOLD DECISION_REQUIRED PUBLICATION_IN_PROGRESS "
    "VOCABULARY_IN_USE",
    "ABORTED": "VERSION_CONFLICT MOVED_SINCE REVISION_CONFLICT",
    "PERMISSION_DENIED": "NOT_A_PERSON NOT_RESPONSIBLE MISSING_CAPABILITY WRONG_WORKSPACE",
    "RESOURCE_EXHAUSTED": "OVERLOADED",
    "UNAVAILABLE": "NOT_YET_VISIBLE",
    "ALREADY_EXISTS": "IDEMPOTENCY_KEY_REUSED EVENT_ID_REUSED",
}
"""The contracts' table of errors."""


def details(refused: Refused) -> tuple[status_pb2.Status, list[Message]]:
    """Give the status a caller receives, and its details."""
    sent = status_of(refused)
    status = status_pb2.Status.FromString(dict(sent.trailing_metadata)["grpc-status-details-bin"])
    kinds = {
        each.DESCRIPTOR.full_name: each
        for each in (
            error_details_pb2.ErrorInfo,
            error_details_pb2.BadRequest,
            error_details_pb2.PreconditionFailure,
            error_details_pb2.RetryInfo,
            types_pb2.Validity,
        )
    }
    found = []
    for packed in status.details:
        message = kinds[packed.type_url.rpartition("/")[2]]()
        packed.Unpack(message)
        found.append(message)
    return status, found


def test_the_table_of_errors() -> None:
    """Each reason of the contracts has the code of the contracts."""
    expected = {reason: code for code, reasons in TABLE.items() for reason in reasons.split()}
    assert expected == {reason: CODES[reason].name for reason in expected}


def test_an_unknown_reason_is_a_failed_precondition() -> None:
    """A reason that a newer service made up still reaches the caller."""
    assert grpc.StatusCode.FAILED_PRECONDITION is Refused("NEW_ONE", "new").code


def test_what_only_dead_letters_say() -> None:
    """Over gRPC what could not be read, or names no workspace, is a field's value, as the contracts' table has it."""
    for reason in ("UNREADABLE", "WORKSPACE_MISSING"):
        with pytest.raises(Refused) as caught:
            refuse_as(Refusal(reason=reason, detail="data is not JSON"))
        assert ("FIELD_VALUE", grpc.StatusCode.INVALID_ARGUMENT) == (caught.value.reason, caught.value.code)


def test_a_wrong_field_is_a_bad_request() -> None:
    """The field and the sentence stand in BadRequest, the facts in ErrorInfo."""
    with pytest.raises(Refused) as caught:
        refuse("FIELD_VALUE", "status has no word `done`", field="fields.status", record_id="r1", limit=7)
    status, (info, request) = details(caught.value)
    assert (3, "status has no word `done`") == (status.code, status.message)
    assert (
        error_details_pb2.ErrorInfo(
            reason="FIELD_VALUE",
            domain="stanchion",
            metadata={"record_id": "r1", "field": "fields.status", "limit": "7"},
        )
        == info
    )
    assert isinstance(request, error_details_pb2.BadRequest)
    assert "fields.status" == request.field_violations[0].field


def test_what_is_missing_is_a_precondition() -> None:
    """A half-written reversal names the missing write: which record must be written, and what of it."""
    with pytest.raises(Refused) as caught:
        refuse_as(Refusal(reason="HALF_WRITTEN_REVERSAL", detail="0004 stays active", record_id="0004", field="status"))
    _, (info, failure) = details(caught.value)
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert {"record_id": "0004", "field": "status"} == dict(info.metadata)
    violation = error_details_pb2.PreconditionFailure.Violation(
        type="HALF_WRITTEN_REVERSAL", subject="0004", description="0004 stays active"
    )
    assert error_details_pb2.PreconditionFailure(violations=[violation]) == failure


def test_a_place_is_the_violations_field() -> None:
    """Where the caller's request names the place it stands in BadRequest; the fact keeps the record's own word."""
    with pytest.raises(Refused) as caught:
        refuse_as(
            Refusal(reason="UNKNOWN_FIELD", detail="no field hue", record_id="d-2", field="hue"),
            place="writes[1].fields[0]",
        )
    _, (info, request) = details(caught.value)
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert isinstance(request, error_details_pb2.BadRequest)
    assert ("hue", ["writes[1].fields[0]"]) == (
        info.metadata["field"],
        [each.field for each in request.field_violations],
    )


def test_a_conflict_carries_what_stands() -> None:
    """The current version is a fact, the current validity a message."""
    validity = types_pb2.Validity(state=types_pb2.VALIDITY_STATE_NEEDS_REVIEW)
    refusal = Refusal(reason="MOVED_SINCE", detail="moved at 12", record_id="r1", current_version=4)
    with pytest.raises(Refused) as caught:
        refuse_as(refusal, extra=[validity])
    status, (info, extra) = details(caught.value)
    assert grpc.StatusCode.ABORTED.value[0] == status.code
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert {"record_id": "r1", "current_version": "4"} == dict(info.metadata)
    assert validity == extra


@pytest.mark.parametrize(("stands", "expected"), [(4, "4"), (0, "0")])
def test_a_version_conflict_always_carries_the_version(stands: int, expected: str) -> None:
    """Also where no version stands yet: the record does not exist."""
    with pytest.raises(Refused) as caught:
        refuse_as(Refusal(reason="VERSION_CONFLICT", detail="another stands", record_id="r1", current_version=stands))
    assert {"record_id": "r1", "current_version": expected} == caught.value.metadata
    with pytest.raises(Refused) as other:
        refuse_as(Refusal(reason="NOT_FOUND", detail="no record", record_id="r1"))
    assert {"record_id": "r1"} == other.value.metadata


def test_retry_says_when() -> None:
    """A refusal that passes by itself says when to come again, to the millisecond."""
    _, (_, retry) = details(Refused("OVERLOADED", "full", retry_after_s=1.25))
    assert isinstance(retry, error_details_pb2.RetryInfo)
    assert (1, 250_000_000) == (retry.retry_delay.seconds, retry.retry_delay.nanos)


def test_details_fit_a_trailer() -> None:
    """Whatever is said, code, reason and a beginning of the sentence arrive within what peers take."""
    long = Refused("FIELD_VALUE", "x" * 50_000, violations=[("f", "y" * 5_000)] * 50, extra=[types_pb2.Validity()])
    status, found = details(long)
    assert status.ByteSize() < 8_192
    assert isinstance(found[0], error_details_pb2.ErrorInfo)
    assert "FIELD_VALUE" == found[0].reason
    assert 1_000 == len(status.message)
