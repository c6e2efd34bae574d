"""A workspace in which agents only propose."""

import pytest

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Change, Changes, WorkspaceChange, WorkspaceSettings
from stanchion_contracts.claim import Intent
from support.validity import AGENT, MAYA, UPSTREAM, Line, actions, refused, write


@pytest.fixture
def line() -> Line:
    """Give a workspace that chose so, with a rule of an agent's from before and a decision of Maya's."""
    one = Line()
    one.write(write("r", "rule", label="R"), actor=AGENT)
    one.write(write("d", "decision", label="D"))
    choose(one, approval_only=True)
    return one


def choose(line: Line, *, approval_only: bool) -> None:
    """Fold what the workspace chose."""
    before = line.workspace.settings
    after = WorkspaceSettings(version=before.version + 1, approval_only=approval_only)
    change = Change(
        seq=line.workspace.seq + 1,
        action="workspace.set",
        subject_kind="workspace",
        subject_id=line.name,
        reason="agents only propose" if approval_only else "agents write",
        workspace=WorkspaceChange(before=before, after=after),
    )
    meta = line.meta(MAYA)
    line.evolve(line.state, Changes(meta=meta, recorded_at_us=meta.time_us, last_seq=change.seq, changes=(change,)))


def test_every_write_of_an_agent_waits(line: Line) -> None:
    """A new record, and one that only agents wrote; the proposal says why."""
    for one in (write("n", "rule"), write("r", label="Other"), write("r", delete=True)):
        assert ["proposal.opened"] == actions(line.write(one, actor=AGENT))
    assert [("approval_only", "n"), ("approval_only", "r"), ("approval_only", "r")] == [
        (proposal.why, proposal.record_id) for proposal in line.proposals()
    ]
    assert ("R", False) == (line.held("r").label, "n" in line.workspace.held)


def test_what_a_person_set_is_told_first(line: Line) -> None:
    """Where the write would change a person's value, the proposal says which."""
    line.write(write("d", label="E"), actor=AGENT)
    assert ["person_set"] == [proposal.why for proposal in line.proposals()]


def test_persons_and_services_write_as_before(line: Line) -> None:
    """The level is about agents alone."""
    for actor in (MAYA, UPSTREAM):
        assert ["record.created"] == actions(line.write(write(f"by-{actor.id}", "rule"), actor=actor))
    assert ["record.created"] == actions(line.revise("a/1.md", author=""))


def test_a_write_that_changes_nothing_waits_for_nobody(line: Line) -> None:
    """Nor does one that is refused."""
    assert () == line.write(write("r", label="R"), actor=AGENT).changes
    assert "UNKNOWN_KIND" == refused(line.write(write("n"), actor=AGENT))


def test_wishes_of_an_agent_wait_once(line: Line) -> None:
    """An intent that an agent brings becomes a proposal, however often it is said; published it is a record."""
    for _ in range(2):
        wish = Intent(kind="goal", gist="Target enterprise")
        line.feed(Beliefs(meta=line.meta(AGENT, "observation"), intents=(wish,)))
    (proposal,) = line.proposals()
    assert ("approval_only", AGENT.id) == (proposal.why, proposal.by.id if proposal.by else "")
    line.publish(proposal)
    assert "intent" == line.held(proposal.record_id).kind


def test_documents_that_an_agent_brings_are_refused(line: Line) -> None:
    """No text waits as it is: an agent that brings one is told to write its record, and what stands stays."""
    line.revise("a/1.md", author="")
    for uri, parts in (("a/1.md", {"text": "other"}), ("a/2.md", {}), ("a/1.md", {"deleted": True})):
        output = line.revise(uri, actor=AGENT, **parts)
        assert ("NOT_A_PERSON", (), ()) == (refused(output), output.changes, output.imported)
    choose(line, approval_only=False)
    assert ["record.created"] == actions(line.revise("a/2.md", actor=AGENT))


def test_a_kind_of_consequence_is_only_proposed_by_agents() -> None:
    """Whatever they write of it waits, with what else they would write, and says so; what anybody else writes lands."""
    line = Line()
    line.set(
        "name: own\nkinds: {order: {consequence: true, fields: {to: text}}, note: {}, intent: {consequence: true}}"
    )
    line.write(write("o", "order"), actor=UPSTREAM)
    for writes in ((write("p", "order"),), (write("n", "note"), write("o", to="ada")), (write("o", delete=True),)):
        assert ["proposal.opened"] == actions(line.write(*writes, actor=AGENT))
    assert {("consequence", "agents only propose order")} == {(one.why, one.reason) for one in line.proposals()}
    wish = Intent(kind="goal", gist="Ship it")
    assert ["proposal.opened"] == actions(line.feed(Beliefs(meta=line.meta(AGENT, "observation"), intents=(wish,))))
    assert "NOT_A_PERSON" == refused(line.revise("a/1.md", kind="order", actor=AGENT))
    assert ["record.created"] == actions(line.revise("a/2.md", kind="order"))
    assert ["record.created"] == actions(line.write(write("m", "note"), actor=AGENT))


def test_a_workspace_that_chooses_otherwise(line: Line) -> None:
    """Agents write again, and what waited waits on."""
    line.write(write("n", "rule"), actor=AGENT)
    choose(line, approval_only=False)
    assert ["record.created"] == actions(line.write(write("m", "rule"), actor=AGENT))
    assert 1 == len(line.proposals())
