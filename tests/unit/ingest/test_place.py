"""Where in a request a refusal has its cause."""

import pytest

from stanchion_contracts.command import Affirm, EditProposal, LinkSet, Write, WriteBatch
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.refusal import Refusal
from stanchion_ingest.core.place import place_of

WRITES = (
    Write(id="d-1", label="a"),
    Write(
        id="d-2",
        kind="decision",
        fields=(FieldValue(name="owner", value='"ada"'), FieldValue(name="hue", value='"red"')),
        links=(
            LinkSet(name="assumes", links=(Link(name="assumes", to="h-1"), Link(name="assumes", to="h-2"))),
            LinkSet(name="befriends"),
        ),
    ),
    Write(id="d-1", label="b"),
)


@pytest.mark.parametrize(
    ("reason", "record_id", "field", "expected"),
    [
        ("UNKNOWN_FIELD", "d-2", "hue", "writes[1].fields[1]"),
        ("UNKNOWN_FIELD", "d-2", "befriends", "writes[1].links[1]"),
        ("LINK_TARGET_MISSING", "d-2", "assumes h-2", "writes[1].links[0].links[1]"),
        ("LINK_SELF", "d-2", "assumes", "writes[1].links[0]"),
        ("UNKNOWN_KIND", "d-2", "kind", "writes[1].kind"),
        ("TOO_MANY", "d-2", "links", "writes[1].links"),
        ("FIELD_VALUE", "d-2", "status", "writes[1]"),
        ("DUPLICATE_IN_BATCH", "d-1", "", "writes[2]"),
        ("HALF_WRITTEN_REVERSAL", "d-9", "status", "status"),
        ("TOO_LARGE", "", "writes", "writes"),
        ("REVISION_CONFLICT", "", "digest", "digest"),
    ],
)
def test_place(reason: str, record_id: str, field: str, expected: str) -> None:
    """A record, field, link or part of a batch is named as the request has it; what is not in it keeps its word."""
    refusal = Refusal(reason=reason, detail="no", record_id=record_id, field=field)
    assert expected == place_of(refusal, WriteBatch(writes=WRITES))
    assert expected == place_of(refusal, EditProposal(proposal_id="p", digest=bytes(32), writes=WRITES))


def test_other_commands() -> None:
    """What has no writes keeps the word of the refusal, which is its own field."""
    refusal = Refusal(reason="FIELD_VALUE", detail="no", record_id="d-1", field="observed_through")
    assert (
        "observed_through" == place_of(refusal, Affirm(record_id="d-1", observed_through=9)) == place_of(refusal, None)
    )
