"""What is proposed waits once, and a workspace keeps no more waiting than it may."""

from typing import Any

import pytest

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Change, Changes, Proposal
from stanchion_contracts.claim import Intent
from stanchion_contracts.command import WriteBatch
from stanchion_contracts.meta import Actor
from stanchion_validity.core.opening import MOST_OPEN
from support.validity import AGENT, MAYA, UPSTREAM, Line, actions, ref, refused, write

OTHER = Actor(kind="agent", id="other")
TEST: dict[str, Any] = {
    "claim": {"subject": "checkout", "predicate": "p99-latency"},
    "condition": {"op": "true", "value": {"type": "boolean", "text": "true"}},
}


@pytest.fixture
def line() -> Line:
    """Give a decision and a rule of Maya's."""
    one = Line()
    one.write(write("d", "decision", label="D"), write("r", "rule", label="R"))
    return one


def crowd(line: Line, *, room: int = 0) -> None:
    """Have as many proposals wait as may, but for so many."""
    meta, seq = line.meta(AGENT), line.workspace.seq
    changes = tuple(
        Change(
            seq=seq + number,
            action="proposal.opened",
            subject_kind="proposal",
            subject_id=f"p{number}",
            reason="crowd",
            proposal=Proposal(id=f"p{number}", reason="crowd", batch=WriteBatch(writes=(write(f"x{number}", "rule"),))),
        )
        for number in range(1, MOST_OPEN - room + 1)
    )
    line.evolve(line.state, Changes(meta=meta, recorded_at_us=meta.time_us, last_seq=changes[-1].seq, changes=changes))


def left_out(line: Line, record_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give what was left out of a document's record, and which of its references wait."""
    upstream = line.held(record_id).upstream
    assert upstream is not None
    return upstream.left_out, upstream.unresolved


def test_the_same_write_again_names_what_waits(line: Line) -> None:
    """However often an agent repeats it, one proposal waits, which each answer names; a repeat takes no seq."""
    first = line.write(write("d", label="E", if_match=1), write("n", "rule"), actor=AGENT)
    for key in ("", "k", "k"):
        again = line.write(write("d", label="E"), write("n", "rule"), actor=AGENT, key=key)
        assert (first.proposals, (), first.last_seq) == (again.proposals, again.changes, again.last_seq)
    assert 1 == len(line.proposals())


def test_what_is_not_the_same_waits_beside_it(line: Line) -> None:
    """Other words, another proposer, or versions that moved on make another proposal."""
    line.write(write("d", label="E"), actor=AGENT)
    assert ["proposal.opened"] == actions(line.write(write("d", label="F"), actor=AGENT))
    assert ["proposal.opened"] == actions(line.write(write("d", label="E"), actor=OTHER))
    line.write(write("d", area="api"))
    again = line.write(write("d", label="E"), actor=AGENT)
    assert (["proposal.opened"], 4) == (actions(again), len(line.proposals()))
    assert (again.proposals, ()) == (
        line.write(write("d", label="E"), actor=AGENT).proposals,
        line.outputs[-1].changes,
    )


def test_what_was_rejected_may_be_proposed_again(line: Line) -> None:
    """Only what waits is the same; an agent may ask anew."""
    line.write(write("d", label="E"), actor=AGENT)
    line.reject(line.proposals()[0])
    assert ["proposal.opened"] == actions(line.write(write("d", label="E"), actor=AGENT))


def test_an_agents_write_that_would_be_one_too_many_is_refused(line: Line) -> None:
    """The limit is named; what needs no person lands, what waits is still named, and one that closes makes room."""
    crowd(line, room=1)
    last = line.write(write("d", label="E"), actor=AGENT)
    assert (["proposal.opened"], MOST_OPEN) == (actions(last), len(line.proposals()))
    for actor in (AGENT, UPSTREAM):
        output = line.write(write("d", label="F"), actor=actor)
        assert output.refusal is not None
        assert ("TOO_MANY", "writes", True) == (
            output.refusal.reason,
            output.refusal.field,
            f"the limit is {MOST_OPEN} a workspace" in output.refusal.detail,
        )
    assert last.proposals == line.write(write("d", label="E"), actor=AGENT).proposals
    assert ["record.created"] == actions(line.write(write("n", "rule"), actor=AGENT))
    assert ["record.written"] == actions(line.write(write("r", label="S")))
    line.reject(line.proposals()[0])
    assert ["proposal.opened"] == actions(line.write(write("d", label="F"), actor=AGENT))


def test_what_a_text_may_not_change_is_left_out_with_a_word(line: Line) -> None:
    """With no room for a proposal the rest of the text lands, and answer and record say what did not."""
    line.revise("a/1.md", "one", author="", label="one")
    line.write(write("1", label="ours"))
    crowd(line)
    output = line.revise("a/1.md", "two", author="", label="two")
    assert ("ours", MOST_OPEN) == (line.held("1").label, len(line.proposals()))
    assert ((f"label: waits for a person, and {MOST_OPEN} proposals wait already",), ()) == left_out(line, "1")
    assert any(f"{MOST_OPEN} proposals wait already" in one for one in output.left_out)
    line.reject(line.proposals()[0])
    line.revise("a/1.md", "two", author="", label="three")
    assert (((), ()), "1") == (left_out(line, "1"), line.proposals()[-1].record_id)


def test_a_reversal_that_a_text_states_waits_for_room(line: Line) -> None:
    """It is a reference that waits, and a tick proposes it as soon as there is room."""
    line.revise("a/1.md", "old")
    crowd(line)
    line.revise("a/2.md", "new", references=(ref("replaces", "a/1.md"),))
    assert ((), ("replaces a/1.md",)) == left_out(line, "2")
    before = line.workspace.seq
    assert before == line.tick().last_seq
    room(line)
    assert "proposal.opened" in actions(line.tick())
    assert (((), ()), "import_refused") == (left_out(line, "2"), line.proposals()[-1].why)
    line.publish(line.proposals()[-1])
    assert ("superseded", [("replaces", "1", "from")]) == (line.held("1").status, line.linked("2"))


def room(line: Line) -> None:
    """Make room for what a tick may bring about."""
    meta = line.meta(MAYA)
    changes = tuple(
        Change(
            seq=line.workspace.seq + number,
            action="proposal.closed",
            subject_kind="proposal",
            subject_id=proposal.id,
            reason="room",
            proposal=proposal,
        )
        for number, proposal in enumerate(line.proposals()[:600], start=1)
    )
    line.evolve(line.state, Changes(meta=meta, recorded_at_us=meta.time_us, last_seq=changes[-1].seq, changes=changes))


def test_evidence_and_wishes_wait_for_room(line: Line) -> None:
    """What evidence disagrees with, and what an agent wishes where it only proposes, is told as not proposed."""
    line.set(approval_only=True)
    line.write(write("h", "hypothesis", status="supported", **TEST))
    crowd(line)
    output = line.believe(0.05, mass=200.0)
    told = f"h: not proposed, {MOST_OPEN} proposals wait already"
    assert (["belief.moved"], (told,)) == (actions(output), output.left_out)
    wish = Intent(kind="goal", gist="Ship it")
    output = line.feed(Beliefs(meta=line.meta(AGENT, "observation"), intents=(wish,)))
    assert ((), 1) == (output.changes, len(output.left_out))
    assert (told,) == line.write(write("h", status="open"), write("h2", "rule")).left_out[:1]
    line.reject(line.proposals()[0])
    assert ["proposal.opened"] == actions(line.tick())
    assert "" == refused(line.publish(line.proposals()[-1]))
