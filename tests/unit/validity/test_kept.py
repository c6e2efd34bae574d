"""Records of a workspace, packed and unpacked."""

import pytest

from stanchion_contracts.change import Upstream
from stanchion_contracts.record import Citation, Link
from stanchion_validity.core import kept
from stanchion_validity.core.held import Held
from stanchion_validity.core.kept import Kept
from support.validity import AGENT, Line, cite, write

PLAIN = Link(name="depends_on", to="e")
ODD = Link(name="replaces", to="e", state="proposed", mandatory=False, priority=3, priority_source="set", note="n")
CITED = Citation(uri="u", quote="q", version_token="v")  # noqa: S106 - of a source
UPSTREAM = Upstream(uri="a.md", former_uris=("b.md",), revision="r", left_out=("x",), unresolved=("amends c.md",))
RECORDS = {
    "bare": Held(id="d", kind="decision"),
    "whole": Held(
        id="d",
        kind="decision",
        room="platform",
        version=7,
        deleted=True,
        label="Länge",
        body_digest=bytes(range(32)),
        fields={"area": '"api"', "status": '"active"'},
        links=(PLAIN, ODD),
        evidence=(CITED,),
        resting=(CITED,),
        tags=("t",),
        valid_from="2026-01-01",
        valid_to="2027-01-01",
        upstream=UPSTREAM,
        person_set=frozenset({"label", "field:area", "link:replaces"}),
    ),
    "citations left behind": Held(id="d", kind="rule", resting=(CITED,), person_set=frozenset({"evidence"})),
    "all a person's": Held(
        id="d",
        kind="rule",
        label="L",
        body_digest=b"d" * 32,
        fields={"owner": '"Ada"'},
        links=(PLAIN,),
        evidence=(CITED,),
        resting=(CITED,),
        person_set=frozenset({"label", "body", "evidence", "field:owner", "link:depends_on"}),
    ),
    "all but one": Held(id="d", kind="rule", label="L", tags=("t",), person_set=frozenset({"label"})),
}


@pytest.mark.parametrize("case", RECORDS)
def test_what_is_unpacked_is_what_was_packed(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a record is lost, and a record that was not looked at for long reads as it did."""
    monkeypatch.setattr(kept, "RECENT", 1)
    held, records = RECORDS[case], Kept()
    records["d"] = held
    records["other"] = Held(id="other", kind="rule")
    assert held == records["d"]
    assert held.person_set == records["d"].person_set
    assert ["d", "other"] == list(records)


def test_kept_as_a_map() -> None:
    """It says what it has and has not, and equals another that was filled the same way."""
    first, second = Kept(), Kept()
    first["d"] = second["d"] = RECORDS["whole"]
    assert first == second
    assert ("d" in first, "e" in first, first.get("e"), len(first)) == (True, False, None, 1)
    del first["d"]
    assert {} == first


def test_who_set_what_survives() -> None:
    """An agent's write over a person's value waits, though the record was packed meanwhile."""
    line = Line()
    line.write(write("d", "decision", label="L", owner="Ada", evidence=(cite("u"),)))
    for number in range(0, kept.RECENT, 200):
        line.write(*(write(f"r{number + place}", "rule") for place in range(200)))
    assert () == line.write(write("d", area="api"), actor=AGENT).proposals
    assert 1 == len(line.write(write("d", owner="Bo"), actor=AGENT).proposals)
