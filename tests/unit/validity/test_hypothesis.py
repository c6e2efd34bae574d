"""Statuses that evidence sets."""

from typing import Any

import pytest

from stanchion_contracts.meta import Actor
from support.validity import AGENT, CLAIM, DAY_US, MAYA, Line, actions, write

FIELDS: dict[str, Any] = {"claim": {"subject": CLAIM[0], "predicate": CLAIM[1]}, "condition": {"op": "true"}}


@pytest.fixture
def line() -> Line:
    """Give an open hypothesis of a person on a claim."""
    one = Line()
    one.write(write("h", "hypothesis", **FIELDS))
    return one


@pytest.mark.parametrize(
    ("probabilities", "status"),
    [
        ([0.79], "open"),
        ([0.80], "supported"),
        ([0.85, 0.61], "supported"),
        ([0.85, 0.59], "open"),
        ([0.20], "refuted"),
        ([0.15, 0.39], "refuted"),
        ([0.15, 0.41], "open"),
        ([0.85, 0.15], "refuted"),
    ],
)
def test_thresholds(line: Line, probabilities: list[float], status: str) -> None:
    """Supported and refuted from 0.80 on, back to open only below 0.60."""
    for probability in probabilities:
        line.believe(probability)
    assert status == line.held("h").status


def test_too_little_evidence_decides_nothing(line: Line) -> None:
    """However one-sided, so little evidence is not 0.80 sure: that takes a vacuity of 0.40 at most."""
    line.believe(0.90, mass=2.9)
    assert "open" == line.held("h").status
    line.believe(0.80, mass=3.1)
    assert "supported" == line.held("h").status


def test_the_change_is_stanchions_own(line: Line) -> None:
    """A status that evidence set is no person's write and takes no baseline; what a person confirmed was `open`."""
    (_, change) = line.believe(0.9).changes
    assert change.record is not None
    assert Actor(kind="system", id="stanchion") == change.record.by
    assert not change.record.baseline
    assert "0.90" in change.reason
    head = line.head("h")
    assert head.stood is not None
    assert (False, "created", MAYA.id) == (head.confirmed, head.stood.how, head.stood.actor_id)
    line.believe(0.1)
    assert not line.head("h").confirmed


def test_written_after_the_belief(line: Line) -> None:
    """A hypothesis on a claim that is long known gets its status with its write, as a change of its own."""
    line.believe(0.9)
    output = line.write(write("h2", "hypothesis", **FIELDS))
    assert ["record.created", "record.written"] == actions(output)
    assert [("h2", 2)] == [(landed.record_id, landed.version) for landed in output.landed]
    assert "supported" == line.held("h2").status


def test_decay_crosses_at_a_tick(line: Line) -> None:
    """A belief that ages falls below the threshold at a tick, with no new word about it."""
    line.believe(0.82, mass=4.0, half_life_s=14 * 86_400)
    assert "supported" == line.held("h").status
    line.now_us += 10 * DAY_US
    assert [] == actions(line.tick())
    line.now_us += 40 * DAY_US
    assert ["record.written"] == actions(line.tick())
    assert "open" == line.held("h").status


def test_status_set_by_a_person_is_never_overwritten(line: Line) -> None:
    """The crossing becomes one proposal that says so; a second belief that says the same opens no second one."""
    line.write(write("h", status="supported"))
    (_, opened) = line.believe(0.1).changes
    assert opened.proposal is not None
    assert ("evidence_disagrees", "h") == (opened.proposal.why, opened.proposal.record_id)
    assert "supported" == line.held("h").status
    assert ["belief.moved"] == actions(line.believe(0.12))


def test_status_set_against_standing_evidence_stays(line: Line) -> None:
    """Whoever first sets a status that evidence speaks against hears so at once; it is not taken back."""
    line.believe(0.1)
    output = line.write(write("h", status="supported"))
    assert ["record.written", "proposal.opened"] == actions(output)
    assert "supported" == line.held("h").status
    assert ["record.created", "proposal.opened"] == actions(
        line.write(write("h2", "hypothesis", status="supported", **FIELDS))
    )


def test_evidence_that_swings_on_replaces_its_proposal(line: Line) -> None:
    """When evidence points elsewhere, the older proposal goes."""
    line.write(write("h", status="supported"))
    line.believe(0.1)
    line.write(write("h", status="refuted"))
    assert {} == line.workspace.heads.proposals
    assert ["belief.moved", "proposal.opened"] == actions(line.believe(0.5))
    assert ["belief.moved", "proposal.closed", "proposal.opened"] == actions(line.believe(0.9))
    assert ["record.written", "proposal.closed"] == actions(line.write(write("h", status="supported")))


def test_status_set_by_an_agent_follows_evidence(line: Line) -> None:
    """An agent's status is no person's: evidence sets it as it finds it."""
    line.write(write("h2", "hypothesis", status="supported", **FIELDS), actor=AGENT)
    line.believe(0.1)
    assert "refuted" == line.held("h2").status


def test_abandoned_is_left_alone(line: Line) -> None:
    """What a person abandoned evidence says nothing about."""
    line.write(write("h", status="abandoned"), actor=MAYA)
    assert ["belief.moved"] == actions(line.believe(0.9))


def test_another_claim_says_nothing(line: Line) -> None:
    """Only the claim that is named counts; a hypothesis that names another one from now on follows that."""
    line.believe(0.9, claim=("checkout", "errors"))
    assert "open" == line.held("h").status
    line.write(write("h", claim={"subject": "checkout", "predicate": "errors"}))
    assert "supported" == line.held("h").status
    line.write(write("h", claim=None))
    line.believe(0.1, claim=("checkout", "errors"))
    assert "supported" == line.held("h").status
