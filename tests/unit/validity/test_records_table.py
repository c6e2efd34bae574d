"""The rows of the records page, each through the handler."""

from typing import Any, Literal

import pytest

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.record import Link
from stanchion_core.walk import Bound, Step
from support.validity import AGENT, CLAIM, MAYA, UPSTREAM, Line, actions, cite, refused, write

CONDITION = {"op": "true"}


@pytest.fixture
def line() -> Line:
    """Give R based_on D, D assumes H, all by a person; H at seq 1, D at 2, R at 3."""
    one = Line()
    claim = {"subject": CLAIM[0], "predicate": CLAIM[1]}
    one.write(write("h", "hypothesis", claim=claim, condition=CONDITION))
    one.write(write("d", "decision", links={"assumes": ["h"]}, owner="Maya"))
    one.write(write("r", "rule", links={"based_on": ["d"]}, body="Keep it below 500 ms."))
    return one


def reasons(line: Line, record_id: str) -> list[tuple[str, str, str]]:
    """Give kind, what changed, and to what, of each reason."""
    return [(reason.kind, reason.change.kind, reason.change.to) for reason in line.read(record_id).reasons]


def test_refuted_hypothesis_reopens_what_rests_on_it(line: Line) -> None:
    """From a belief to a rule two links away: needs review, and why."""
    output = line.believe(0.1)
    assert ["belief.moved", "record.written"] == actions(output)
    decision, rule = line.read("d"), line.read("r")
    assert ("needs_review", "needs_review") == (decision.state, rule.state)
    assert [("input_changed", "field", "refuted")] == reasons(line, "d")
    assert [("upstream_changed", "field", "refuted")] == reasons(line, "r")
    assert (Step("based_on", "d"), Step("assumes", "h")) == rule.reasons[0].path


def test_back_to_open_leaves_it_reopened(line: Line) -> None:
    """The move happened: evidence that swings back adds no second reason and takes none away."""
    line.believe(0.1)
    line.believe(0.5)
    assert "open" == line.held("h").status
    assert [("input_changed", "field", "refuted")] == reasons(line, "d")


@pytest.mark.parametrize("cited", [False, True])
def test_owner_is_not_monitored(line: Line, cited: bool) -> None:  # noqa: FBT001 - the two rows of the table
    """The owner of D edited, D cited or not: R and D stay current."""
    if cited:
        line.write(write("r", evidence=(cite("d"),)))
    line.write(write("d", owner="Ada"))
    assert ("current", "current") == (line.read("d").state, line.read("r").state)


def test_reversal_is_one_reason_and_the_new_decision_is_current(line: Line) -> None:
    """D superseded by a reversal: R reads it once; the new decision is current."""
    output = line.write(write("d2", "decision", links={"replaces": ["d"]}), write("d", status="superseded"))
    assert "" == refused(output)
    assert [("input_changed", "field", "superseded")] == reasons(line, "r")
    assert "current" == line.read("d2").state


def test_chain_is_seen_at_three_and_bounded_at_four() -> None:
    """R1 → … → R5 by exception_to, R5 moved: R2 at distance 3, R1 with bound depth."""
    line = Line()
    line.write(write("r5", "rule", body="one"))
    for number in range(4, 0, -1):
        line.write(write(f"r{number}", "rule", links={"exception_to": [f"r{number + 1}"]}))
    line.write(write("r5", body="two"))
    assert [("upstream_changed", "body", "")] == reasons(line, "r2")
    assert 3 == len(line.read("r2").reasons[0].path)
    first = line.read("r1")
    assert ("monitoring_incomplete", (Bound("depth"),)) == (first.state, first.bounds)


def test_only_what_moves_after_an_affirmation_counts(line: Line) -> None:
    """R affirmed, then H abandoned: one reason, of the abandoning."""
    line.believe(0.1)
    line.affirm("r", line.workspace.seq)
    assert "current" == line.read("r").state
    line.write(write("h", status="abandoned"))
    assert [("upstream_changed", "field", "abandoned")] == reasons(line, "r")


def test_agents_rewrite_clears_nothing() -> None:
    """An agent rewrites R's body after D moved: R stays needs_review and is not confirmed."""
    line = Line()
    line.write(
        write("d", "decision", body="one"), write("r", "rule", body="one", links={"based_on": ["d"]}), actor=AGENT
    )
    line.affirm("r", line.workspace.seq)
    assert line.head("r").confirmed
    line.write(write("d", body="two"), actor=AGENT)
    line.write(write("r", body="two"), actor=AGENT)
    assert "needs_review" == line.read("r").state
    assert not line.head("r").confirmed
    stood = line.head("r").stood
    assert stood is not None
    assert ("affirmed", 3, MAYA.id) == (stood.how, stood.seq, stood.actor_id)


def test_agents_own_link_to_what_moved_clears_nothing(line: Line) -> None:
    """An agent has R assume H itself after H was refuted: R rests on it as before, and stays needs_review."""
    line.believe(0.1)
    line.write(write("r", links={"assumes": ["h"]}), actor=AGENT)
    read = line.read("r")
    assert ("needs_review", [("input_changed", "field", "refuted")]) == (read.state, reasons(line, "r"))
    assert (Step("assumes", "h"),) == read.reasons[0].path
    line.write(write("r", links={"assumes": []}), actor=AGENT)
    assert [("upstream_changed", "field", "refuted")] == reasons(line, "r")
    line.write(write("r", links={"assumes": ["h"]}))
    assert "current" == line.read("r").state  # a person who links it has looked


def test_agent_may_stop_resting_on_what_moved() -> None:
    """An agent points R from D to D2 after D moved: R is current, and not confirmed."""
    line = Line()
    line.write(
        write("d", "decision", body="one"),
        write("d2", "decision"),
        write("r", "rule", links={"based_on": ["d"]}),
        actor=AGENT,
    )
    line.affirm("r", line.workspace.seq)
    line.write(write("d", body="two"), actor=AGENT)
    line.write(write("r", links={"based_on": ["d2"]}), actor=AGENT)
    assert "current" == line.read("r").state
    assert not line.head("r").confirmed


def test_persons_rewrite_is_a_new_baseline(line: Line) -> None:
    """A person who changes the body after D moved stands behind it anew."""
    line.write(write("d", body="two"))
    line.write(write("r", body="Keep it below 300 ms."))
    assert "current" == line.read("r").state
    assert line.head("r").confirmed


@pytest.mark.parametrize(
    ("parts", "state"),
    [
        ({"links": {"assumes": ["h"]}}, "current"),
        ({"evidence": (cite("u"),)}, "current"),
        ({"links": {"relates_to": ["h"]}}, "needs_review"),
        ({"label": "R", "area": "api"}, "needs_review"),
        ({"applies_to": ["api"]}, "needs_review"),
        ({"status": "withdrawn"}, "needs_review"),
    ],
)
def test_a_baseline_is_body_and_grounds(line: Line, parts: dict[str, Any], state: str) -> None:
    """A person who changes what the record rests on stands behind it anew; other links and fields are no baseline."""
    line.write(write("d", body="two"))
    line.write(write("r", **parts))
    assert state == line.read("r").state


def test_links_that_are_not_confirmed_move_nothing(line: Line) -> None:
    """Nobody stands on one: it comes and goes without a move; confirmed it is one, and no more confirmed, too."""
    line.write(write("top", "rule", links={"exception_to": ["r"]}))
    states: tuple[Literal["proposed", "confirmed", "revoked"], ...] = ("proposed", "revoked", "confirmed", "proposed")
    moved = []
    for state in states:
        links = LinkSet(name="assumes", links=(Link(name="assumes", to="h", state=state),))
        (change,) = line.write(Write(id="r", links=(links,)), actor=UPSTREAM).changes
        moved.append([(move.kind, move.name, move.to) for move in change.record.moves] if change.record else None)
    assert [[], [], [("link", "assumes", "h")], [("link", "assumes", "h")]] == moved
    assert [("input_changed", "link", "h")] * 2 == reasons(line, "top")


def test_deleting_a_ground_is_a_move(line: Line) -> None:
    """A deleted decision reopens the rule, and is named among the grounds that are not in force."""
    line.write(write("d", delete=True))
    assert [("input_changed", "deleted", "")] == reasons(line, "r")
    assert ["deleted"] == [ground.status for ground in line.read("r").grounds_not_in_force]


def test_rewriting_what_it_is_moves_nothing(line: Line) -> None:
    """A write that changes nothing makes no version and no seq, and the answer says where it stands."""
    output = line.write(write("r", body="Keep it below 500 ms."), write("d", owner="Maya"))
    assert () == output.changes
    assert [("r", 1), ("d", 1)] == [(landed.record_id, landed.version) for landed in output.landed]
    assert (3, 0, 0) == (output.last_seq, output.first_seq, output.last_seq_answered)
