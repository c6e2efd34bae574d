"""Review: what waits is published, edited or rejected, exactly as it was shown."""

from typing import Any

import msgspec
import pytest

from stanchion_contracts.change import Changes, Proposal
from stanchion_contracts.command import PublishProposal
from stanchion_contracts.meta import Actor
from stanchion_contracts.proposal import digest_of
from support.validity import AGENT, MAYA, ROSA, UPSTREAM, Line, actions, cite, refused, write

AGENT_THAT_MAY = msgspec.structs.replace(AGENT, capabilities=("approve", "reject"))
SERVICE_THAT_MAY = msgspec.structs.replace(UPSTREAM, capabilities=("approve", "reject"))


@pytest.fixture
def line() -> Line:
    """Give a decision and a rule of Maya's, and an agent's proposal that changes both and adds a rule."""
    return waiting()


def waiting() -> Line:
    """Give a decision and a rule of Maya's, and an agent's proposal that changes both and adds a rule."""
    one = Line()
    one.write(write("d", "decision", label="D"), write("r", "rule", label="R", links={"based_on": ["d"]}))
    one.write(write("d", label="E"), write("r", body="two"), write("n", "rule"), actor=AGENT)
    return one


def open_one(line: Line) -> Proposal:
    """Give the proposal that is open."""
    (proposal,) = line.proposals()
    return proposal


def closed_one(output: Changes) -> Proposal:
    """Give the proposal that an output closed."""
    (proposal,) = [change.proposal for change in output.changes if change.action == "proposal.closed"]
    assert proposal is not None
    return proposal


def test_opened_by_whom(line: Line) -> None:
    """A proposal says who proposed it, without what their token allowed, and that it is open."""
    proposal = open_one(line)
    assert (Actor(kind="agent", id="coder", on_behalf_of="maya"), None, "open", "") == (
        proposal.by,
        proposal.edited_by,
        proposal.state,
        proposal.note,
    )


def test_published_whole(line: Line) -> None:
    """Everything lands as the publisher's, with the proposal's id, and the proposal closes with her words."""
    proposal = open_one(line)
    output = line.publish(proposal, note="agreed on Monday")
    assert ["record.written", "record.written", "record.created", "proposal.closed"] == actions(output)
    assert [proposal.id] * 3 == [change.record.proposal_id for change in output.changes if change.record]
    closed = closed_one(output)
    assert ("published", "agreed on Monday", proposal.by) == (closed.state, closed.note, closed.by)
    assert ["d", "r", "n"] == [landed.record_id for landed in output.landed]
    assert ("E", ()) == (line.held("d").label, line.proposals())
    assert "rosa published d, r, n: agreed on Monday" == output.changes[-1].reason


def test_links_come_into_force_by_other_means_as_they_were_proposed() -> None:
    """An agent would have a rule rest on another decision instead: it waits while the rule rests on both."""
    line = Line()
    decisions = (write("d1", "decision"), write("d2", "decision"))
    line.write(*decisions, write("r", "rule", links={"based_on": ["d1"]}))
    line.write(write("r", links={"based_on": ["d2"]}), actor=AGENT)
    assert ["record.written"] == actions(line.write(write("r", links={"based_on": ["d1", "d2"]})))
    output = line.write(write("r", links={"based_on": ["d2"]}))
    assert ("in_force", ()) == (closed_one(output).state, line.proposals())


def test_a_publication_is_the_publishers_write(line: Line) -> None:
    """She stands behind the versions, they are her baselines, and what she set an agent changes no more."""
    line.publish(open_one(line))
    for record_id, seq in (("d", 4), ("r", 5), ("n", 6)):
        head = line.head(record_id)
        assert head.stood is not None
        assert (True, seq, "approved", "rosa") == (head.confirmed, head.baseline, head.stood.how, head.stood.actor_id)
    assert ["proposal.opened"] == actions(line.write(write("n", status="withdrawn"), actor=AGENT))


def test_an_approval_is_a_baseline_though_it_changes_no_ground() -> None:
    """Whoever approves a version stands behind it: what moved before is behind it."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule", owner="Ada", links={"based_on": ["d"]}))
    line.write(write("d", body="other"))
    line.write(write("r", owner="Bo"), actor=AGENT)
    assert "needs_review" == line.read("r").state
    line.publish(open_one(line))
    assert ("current", "Bo") == (line.read("r").state, line.held("r").fields["owner"].strip('"'))


def test_published_in_part_the_rest_waits(line: Line) -> None:
    """A selection lands; the rest waits in the same proposal, made against what stands now."""
    proposal = open_one(line)
    output = line.publish(proposal, "r", "n", note="first these")
    assert ["record.written", "record.created", "proposal.edited"] == actions(output)
    rest = open_one(line)
    assert (proposal.id, ["d"], "open", [("d", 1)]) == (
        rest.id,
        [one.id for one in rest.batch.writes],
        rest.state,
        [(base.record_id, base.version) for base in rest.base],
    )
    assert Actor(kind="person", id="rosa") == rest.edited_by
    assert "rosa published r, n; d waits: first these" == output.changes[-1].reason
    assert {"d"} == line.workspace.proposals_on.keys()
    assert "REVISION_CONFLICT" == refused(line.publish(proposal, "d"))
    assert "published" == closed_one(line.publish(rest)).state


def test_a_rest_that_has_come_true_closes_at_once() -> None:
    """When the selection brings about what is left, too, nothing waits any more."""
    line = Line()
    line.write(write("s1", "statement"), write("s2", "statement"))
    line.write(write("s2", links={"supersedes_statement": ["s1"]}), write("s1", status="superseded"), actor=AGENT)
    output = line.publish(open_one(line), "s2")
    assert ["record.written", "record.written", "proposal.edited", "proposal.closed"] == actions(output)
    assert ("in_force", "superseded") == (closed_one(output).state, line.held("s1").status)


def test_what_was_edited_is_not_what_was_shown(line: Line) -> None:
    """Another digest is refused whatever is asked, and says who edited it; nothing happens."""
    shown = open_one(line)
    assert ["proposal.edited"] == actions(line.edit(shown, write("d", label="F")))
    for output in (line.publish(shown), line.reject(shown), line.edit(shown, write("d", label="G"))):
        assert output.refusal is not None
        assert ("REVISION_CONFLICT", "digest", True) == (
            output.refusal.reason,
            output.refusal.field,
            "was edited by rosa" in output.refusal.detail,
        )
    wrong = PublishProposal(proposal_id=shown.id, digest=b"")
    assert "REVISION_CONFLICT" == refused(line.command(ROSA, publish=wrong))


def test_an_edit_replaces_the_writes_and_is_made_against_what_stands(line: Line) -> None:
    """It keeps why and by whom it was proposed, and says who edited it; the conditions of its writes are not kept."""
    proposal = open_one(line)
    line.write(write("d", area="api"))
    output = line.edit(proposal, write("d", label="F", if_match=2))
    assert ["proposal.edited"] == actions(output)
    edited = open_one(line)
    assert (proposal.id, proposal.by, proposal.why, proposal.reason) == (
        edited.id,
        edited.by,
        edited.why,
        edited.reason,
    )
    assert ((write("d", label="F"),), [("d", 2)], "rosa") == (
        edited.batch.writes,
        [(base.record_id, base.version) for base in edited.base],
        edited.edited_by.id if edited.edited_by else "",
    )
    line.publish(edited)
    assert ("F", '"api"') == (line.held("d").label, line.held("d").fields["area"])


def test_an_edit_that_changes_nothing_takes_no_seq(line: Line) -> None:
    """The same writes against the same versions are the same proposal; against newer ones they are not."""
    proposal = open_one(line)
    assert () == line.edit(proposal, *proposal.batch.writes).changes
    line.write(write("d", area="api"))
    assert ["proposal.edited"] == actions(line.edit(proposal, *proposal.batch.writes))


@pytest.mark.parametrize(
    ("reason", "writes"),
    [
        ("FIELD_VALUE", ()),
        ("FIELD_VALUE", (write("d", label="D"),)),
        ("DUPLICATE_IN_BATCH", (write("d", label="F"), write("d", area="x"))),
        ("UNKNOWN_FIELD", (write("d", colour="red"),)),
        ("LINK_TARGET_MISSING", (write("r", links={"based_on": ["x"]}),)),
        ("HALF_WRITTEN_REVERSAL", (write("e", "decision", links={"replaces": ["d"]}),)),
        ("VERSION_CONFLICT", (write("d", label="F", if_match=7),)),
        ("TOO_MANY", tuple(write(f"x{n}", "rule") for n in range(201))),
        ("TOO_LARGE", tuple(write(f"x{n}", "rule", body="b" * 250_000) for n in range(9))),
    ],
)
def test_edits_keep_the_rules_of_writes(line: Line, reason: str, writes: tuple[Any, ...]) -> None:
    """What no batch may write no proposal waits with; one that would change nothing is to be rejected."""
    proposal = open_one(line)
    assert reason == refused(line.edit(proposal, *writes))
    assert proposal == open_one(line)


def test_rejected_with_a_reason(line: Line) -> None:
    """The proposal closes with the reason; nothing of it lands."""
    output = line.reject(open_one(line), "not ours to say", actor=AGENT_THAT_MAY)
    assert ["proposal.closed"] == actions(output)
    closed = closed_one(output)
    assert ("rejected", "not ours to say", "coder rejected it: not ours to say") == (
        closed.state,
        closed.note,
        output.changes[0].reason,
    )
    assert ("D", (), {}) == (line.held("d").label, line.proposals(), line.workspace.proposals_on)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_a_no_has_its_reason(line: Line, reason: str) -> None:
    """Without one, or with one that is too long, it is refused."""
    assert {"": "FIELD_VALUE", "  ": "FIELD_VALUE"}.get(reason, "TOO_LARGE") == refused(
        line.reject(open_one(line), reason)
    )


@pytest.mark.parametrize(
    ("publishing", "editing", "rejecting", "actor"),
    [
        ("NOT_A_PERSON", "NOT_A_PERSON", "", AGENT_THAT_MAY),
        ("NOT_A_PERSON", "NOT_A_PERSON", "", SERVICE_THAT_MAY),
        ("NOT_A_PERSON", "NOT_A_PERSON", "MISSING_CAPABILITY", AGENT),
        ("MISSING_CAPABILITY", "MISSING_CAPABILITY", "MISSING_CAPABILITY", MAYA),
        ("MISSING_CAPABILITY", "MISSING_CAPABILITY", "", msgspec.structs.replace(MAYA, capabilities=("reject",))),
        ("", "", "MISSING_CAPABILITY", msgspec.structs.replace(MAYA, capabilities=("approve",))),
    ],
)
def test_who_may(publishing: str, editing: str, rejecting: str, actor: Actor) -> None:
    """A person with approve publishes and edits, whoever holds reject rejects; an agent never has its way."""
    one, two, three = waiting(), waiting(), waiting()
    assert publishing == refused(one.publish(open_one(one), actor=actor))
    assert editing == refused(two.edit(open_one(two), write("d", label="F"), actor=actor))
    assert rejecting == refused(three.reject(open_one(three), actor=actor))


@pytest.mark.parametrize(
    ("state", "how"),
    [
        ("published", "was published at seq 7, 2026-11-30T"),
        ("rejected", "was rejected at seq 4, 2026-11-30T"),
        ("in_force", "came into force by other means at seq 7, 2026-11-30T"),
    ],
)
def test_what_is_closed_is_not_found_and_says_how(line: Line, state: str, how: str) -> None:
    """A proposal that is closed cannot be published, edited or rejected any more; the refusal says how, and when."""
    proposal = open_one(line)
    if state == "published":
        line.publish(proposal)
    elif state == "rejected":
        line.reject(proposal)
    else:
        line.write(*proposal.batch.writes)
    for output in (line.publish(proposal), line.edit(proposal, write("d", label="x")), line.reject(proposal)):
        assert output.refusal is not None
        assert ("NOT_FOUND", "proposal_id", True) == (
            output.refusal.reason,
            output.refusal.field,
            how in output.refusal.detail,
        )


def test_what_never_was_is_not_found(line: Line) -> None:
    """An id that names nothing is refused."""
    proposal = msgspec.structs.replace(open_one(line), id="prop_nothing")
    assert {"NOT_FOUND"} == {refused(line.publish(proposal)), refused(line.reject(proposal))}


def test_wrong_selections_and_long_notes(line: Line) -> None:
    """A record that the proposal does not write is named; a note is at most 500 characters."""
    output = line.publish(open_one(line), "r", "x")
    assert output.refusal is not None
    assert ("FIELD_VALUE", "record_ids", True) == (
        output.refusal.reason,
        output.refusal.field,
        "'x'" in output.refusal.detail,
    )
    assert "TOO_LARGE" == refused(line.publish(open_one(line), note="x" * 501))


def test_published_twice_with_its_key(line: Line) -> None:
    """A retry with its key is answered from the first success, with no change."""
    asked = PublishProposal(proposal_id=open_one(line).id, digest=digest_of(open_one(line)))
    first = line.command(ROSA, "k", publish=asked)
    again = line.command(ROSA, "k", publish=asked)
    assert (True, (), first.landed, 4, 7) == (
        again.repeated,
        again.changes,
        again.landed,
        again.first_seq,
        again.last_seq_answered,
    )


def test_outdated_by_a_persons_own_write(line: Line) -> None:
    """A version that moved on is named, for a selection that leaves it out as well; edited anew it can be published."""
    proposal = open_one(line)
    line.write(write("d", area="api"))
    for output in (line.publish(proposal), line.publish(proposal, "r")):
        assert output.refusal is not None
        assert ("VERSION_CONFLICT", "d", 2) == (
            output.refusal.reason,
            output.refusal.record_id,
            output.refusal.current_version,
        )
    line.edit(proposal, *proposal.batch.writes)
    assert "" == refused(line.publish(open_one(line)))
    assert ("E", '"api"') == (line.held("d").label, line.held("d").fields["area"])


def test_two_on_the_same_record(line: Line) -> None:
    """Publishing one outdates the other, which can be edited, and rejected."""
    line.write(write("d", area="api", label="Other"), actor=AGENT)
    first, second = line.proposals()
    line.publish(first)
    assert (second,) == line.proposals()
    assert "VERSION_CONFLICT" == refused(line.publish(second))
    line.edit(second, write("d", area="api"))
    assert ["proposal.closed"] == actions(line.reject(open_one(line)))


def test_a_record_deleted_meanwhile(line: Line) -> None:
    """What would write it cannot be published; without that write it can, and it can be rejected."""
    proposal = open_one(line)
    line.write(write("r", links={"based_on": []}), write("d", delete=True))
    assert "VERSION_CONFLICT" == refused(line.publish(proposal))
    assert "UNKNOWN_KIND" == refused(line.edit(proposal, write("d", label="E")))
    line.edit(proposal, write("r", body="two"))
    assert ["record.written", "proposal.closed"] == actions(line.publish(open_one(line)))
    other = waiting()
    other.write(write("r", links={"based_on": []}), write("d", delete=True))
    assert ["proposal.closed"] == actions(other.reject(open_one(other)))


def test_a_link_target_deleted_meanwhile() -> None:
    """What a proposal only points at is no base; publishing it keeps the rules of a write all the same."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule"), write("r2", "rule", label="R2"))
    line.write(write("r2", label="x", links={"based_on": ["d"]}), actor=AGENT)
    line.write(write("d", delete=True))
    output = line.publish(open_one(line))
    assert ("LINK_TARGET_MISSING", ()) == (refused(output), output.changes)


def test_a_proposed_deletion_is_published() -> None:
    """It makes a tombstone that nobody stands behind."""
    line = waiting()
    line.write(write("r", delete=True), actor=AGENT)
    (_, deletion) = line.proposals()
    output = line.publish(deletion)
    assert ["record.deleted", "proposal.closed"] == actions(output)
    record = output.changes[0].record
    assert record is not None
    assert ("kept", False, deletion.id) == (record.confirmation, record.baseline, record.proposal_id)
    assert ["d"] == [one.id for one in open_one(line).batch.writes if one.id == "d"]


def test_citations_of_an_agents_write_are_left_behind() -> None:
    """Published without citations it has none, as if the person had written it; validity rests on the last list."""
    line = Line()
    line.write(write("d", "decision", label="D", evidence=(cite("u", "q"),)))
    line.write(write("d", label="E"), actor=AGENT)
    line.publish(open_one(line))
    assert ((), 1) == (line.held("d").evidence, len(line.held("d").resting))


def test_citations_survive_what_a_text_proposed() -> None:
    """A text says nothing of citations, whatever it waits for: what a person set, or the other half of a reversal."""
    line = Line()
    line.revise("a/1.md", "one", author="", label="one")
    line.write(write("1", label="ours", evidence=(cite("u", "q"),)))
    line.revise("a/1.md", "one", author="", label="two")
    assert "person_set" == open_one(line).why
    line.publish(open_one(line))
    assert ("two", (cite("u", "q"),)) == (line.held("1").label, line.held("1").evidence)
    line.revise("a/1.md", "one", author="", label="three")
    line.edit(open_one(line), write("1", label="four"))
    line.publish(open_one(line))
    assert ("four", (cite("u", "q"),)) == (line.held("1").label, line.held("1").evidence)


def test_publications_that_do_not_fit_are_refused() -> None:
    """More than a message can carry is refused with the limit, and lands in parts."""
    line = Line()
    words = [f"{'w' * 60_000}{n}" for n in range(2)]
    for number in range(60):
        line.write(write(f"r{number}", "rule", area=words[0], owner=words[1]))
    line.write(*(write(f"r{n}", area=None, owner=None) for n in range(60)), actor=AGENT)
    output = line.publish(open_one(line))
    assert output.refusal is not None
    assert ("TOO_LARGE", "record_ids") == (output.refusal.reason, output.refusal.field)
    assert "" == refused(line.publish(open_one(line), *(f"r{n}" for n in range(30))))
    assert "" == refused(line.publish(open_one(line)))
    assert ((), {"status": '"active"'}) == (line.proposals(), dict(line.held("r59").fields))
