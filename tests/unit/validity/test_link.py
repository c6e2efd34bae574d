"""A reversal is one change."""

from typing import Literal

import pytest

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.record import Link
from support.validity import AGENT, Line, actions, refused, write


@pytest.fixture
def line() -> Line:
    """Give a decision in force."""
    one = Line()
    one.write(write("old", "decision"))
    return one


def test_half_written_reversal_names_the_missing_write(line: Line) -> None:
    """An active record that replaces an active one is refused: the target and its status are named."""
    output = line.write(write("new", "decision", links={"replaces": ["old"]}))
    assert output.refusal is not None
    assert ("HALF_WRITTEN_REVERSAL", "old", "status") == (
        output.refusal.reason,
        output.refusal.record_id,
        output.refusal.field,
    )
    assert "old with status superseded" in output.refusal.detail


@pytest.mark.parametrize("status", ["withdrawn", "draft"])
def test_the_other_half_is_superseded_and_nothing_else(line: Line, status: str) -> None:
    """A target that is in force must become superseded in the same batch, not something else."""
    both = (write("new", "decision", links={"replaces": ["old"]}), write("old", status=status))
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(*both))


@pytest.mark.parametrize("state", ["proposed", "revoked"])
def test_only_confirmed_links_bind(line: Line, state: Literal["proposed", "revoked"]) -> None:
    """A link that is not confirmed supersedes nothing and asks for no other half, nor claims to while it waits."""
    line.write(write("new", "decision", label="New"), write("s1", "statement"), write("s2", "statement"))
    binding = Write(id="new", links=(LinkSet(name="replaces", links=(Link(name="replaces", to="old", state=state),)),))
    assert ["proposal.opened"] == actions(line.write(binding, write("s1", status="superseded"), actor=AGENT))
    assert {} == line.workspace.heads.claimed
    said = Link(name="supersedes_statement", to="s1", state=state)
    output = line.write(binding, Write(id="s2", links=(LinkSet(name="supersedes_statement", links=(said,)),)))
    assert ["record.written", "record.written"] == actions(output)
    assert ("active", "accepted") == (line.held("old").status, line.held("s1").status)
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(write("new", links={"replaces": ["old"]})))
    line.write(write("s2", links={"supersedes_statement": ["s1"]}))
    assert "superseded" == line.held("s1").status


def test_whole_reversal_lands_in_any_order(line: Line) -> None:
    """Both halves in one batch land, whichever comes first."""
    output = line.write(write("old", status="superseded"), write("new", "decision", links={"replaces": ["old"]}))
    assert ["record.written", "record.created"] == actions(output)


@pytest.mark.parametrize("status", ["superseded", "withdrawn"])
def test_target_already_out_of_force_is_accepted(line: Line, status: str) -> None:
    """A target superseded or withdrawn before needs no further write."""
    line.write(write("old", status=status))
    assert "" == refused(line.write(write("new", "decision", links={"replaces": ["old"]})))


def test_draft_may_carry_replaces_until_it_becomes_active(line: Line) -> None:
    """A draft may say what it will replace; what makes it active must supersede its target."""
    assert "" == refused(line.write(write("new", "decision", status="draft", links={"replaces": ["old"]})))
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(write("new", status="active")))
    assert "" == refused(line.write(write("new", status="active"), write("old", status="superseded")))


def test_a_target_that_is_deleted_in_the_same_batch(line: Line) -> None:
    """A draft becomes active while what it would replace goes altogether: nothing is left half written."""
    line.write(write("new", "decision", status="draft", links={"replaces": ["old"]}))
    output = line.write(write("new", status="active"), write("old", delete=True))
    assert ["record.written", "record.deleted"] == actions(output)
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(write("old", "decision")))


def test_bringing_the_old_one_back_is_a_reversal_too(line: Line) -> None:
    """A superseded decision does not become active again while what replaced it is in force."""
    line.write(write("old", status="superseded"), write("new", "decision", links={"replaces": ["old"]}))
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(write("old", status="active")))
    assert "" == refused(line.write(write("old", status="active"), write("new", status="withdrawn")))


def test_an_agents_half_is_refused_before_it_is_proposed(line: Line) -> None:
    """What a rule refuses is no proposal; a whole reversal by an agent of what a person set is one."""
    half = write("new", "decision", links={"replaces": ["old"]})
    assert "HALF_WRITTEN_REVERSAL" == refused(line.write(half, actor=AGENT))
    assert ["proposal.opened"] == actions(line.write(half, write("old", status="superseded"), actor=AGENT))
