"""A person says that a record still holds."""

from typing import Any

import msgspec
import pytest

from stanchion_contracts.meta import Actor
from support.validity import AGENT, MAYA, UPSTREAM, Line, actions, cite, refused, write


@pytest.fixture
def line() -> Line:
    """Give R based_on D by an agent, D's body changed at seq 3."""
    one = Line()
    one.write(write("d", "decision", body="one"), write("r", "rule", links={"based_on": ["d"]}), actor=AGENT)
    one.write(write("d", body="two"), actor=AGENT)
    return one


def test_affirmation_clears_and_confirms(line: Line) -> None:
    """It takes a seq, changes no value, clears needs_review until something moves again, and says who stands behind."""
    assert "needs_review" == line.read("r").state
    output = line.affirm("r", 3, note="still right")
    assert ["record.affirmed"] == actions(output)
    assert ("current", 1) == (line.read("r").state, line.held("r").version)
    head = line.head("r")
    assert head.stood is not None
    assert (True, 4, "affirmed", MAYA.id) == (head.confirmed, head.baseline, head.stood.how, head.stood.actor_id)
    line.write(write("d", body="three"), actor=AGENT)
    assert [5] == [reason.seq for reason in line.read("r").reasons]


@pytest.mark.parametrize(
    ("reason", "actor"),
    [
        ("NOT_A_PERSON", AGENT),
        ("NOT_A_PERSON", UPSTREAM),
        ("MISSING_CAPABILITY", Actor(kind="person", id="guest", capabilities=("read", "write"))),
    ],
)
def test_only_persons_who_may_review(line: Line, reason: str, actor: Actor) -> None:
    """An agent or a service never affirms, whatever its capabilities; a person only with `review`."""
    able = actor if actor.kind == "person" else msgspec.structs.replace(actor, capabilities=("review",))
    assert reason == refused(line.affirm("r", 3, able))


def test_moved_since_says_what_moved(line: Line) -> None:
    """What landed after the person looked is told with the version that stands."""
    output = line.affirm("r", 2)
    assert output.refusal is not None
    assert ("MOVED_SINCE", 1) == (output.refusal.reason, output.refusal.current_version)
    assert "needs_review: d body at seq 3" in output.refusal.detail


def test_moved_since_an_affirmation_by_another(line: Line) -> None:
    """Somebody else's affirmation in between does not hide a move from who did not see it."""
    line.affirm("r", 3)
    assert "MOVED_SINCE" == refused(line.affirm("r", 2))
    assert "" == refused(line.affirm("r", 3))


def test_other_records_moves_do_not_matter(line: Line) -> None:
    """A move of what the record does not rest on refuses nothing."""
    line.write(write("x", "decision", body="one"), actor=AGENT)
    line.write(write("x", body="two"), actor=AGENT)
    assert "" == refused(line.affirm("r", 3))


def test_own_text_that_the_person_did_not_see(line: Line) -> None:
    """A record rewritten after the person looked is not affirmed unseen."""
    line.write(write("r", body="other"), actor=AGENT)
    assert "MOVED_SINCE" == refused(line.affirm("r", 3))


def test_a_record_that_the_person_cannot_have_seen(line: Line) -> None:
    """A record created after the person looked is not affirmed unseen, nor one that went and came back since."""
    line.write(write("n", "decision"), actor=AGENT)
    output = line.affirm("n", 3)
    assert output.refusal is not None
    assert ("MOVED_SINCE", True) == (output.refusal.reason, "came at seq 4" in output.refusal.detail)
    assert "" == refused(line.affirm("n", 4))
    assert "" == refused(line.affirm("n", 4))


def test_absent_quote_after_the_person_looked(line: Line) -> None:
    """A report of an absent quote counts as a move of the record that cites it."""
    line.write(write("r", evidence=(cite("u", "q"),)), actor=AGENT)
    seen = line.workspace.seq
    line.report("u", absent="q")
    assert "MOVED_SINCE" == refused(line.affirm("r", seen))
    assert "" == refused(line.affirm("r", seen + 1))
    assert "current" == line.read("r").state


@pytest.mark.parametrize(
    ("reason", "record_id", "through", "parts"),
    [
        ("NOT_FOUND", "x", 3, {}),
        ("VERSION_CONFLICT", "r", 3, {"if_match": 2}),
        ("FIELD_VALUE", "r", 4, {}),
        ("FIELD_VALUE", "r", -1, {}),
        ("TOO_LARGE", "r", 3, {"note": "n" * 501}),
    ],
)
def test_wrong_affirmations(line: Line, reason: str, record_id: str, through: int, parts: dict[str, Any]) -> None:
    """A record that is not there, another version, a seq that is not there yet, a long note."""
    assert reason == refused(line.affirm(record_id, through, **parts))


def test_deleted_records_are_not_affirmed(line: Line) -> None:
    """A tombstone does not hold."""
    line.write(write("r", delete=True), actor=AGENT)
    assert "NOT_FOUND" == refused(line.affirm("r", line.workspace.seq))
