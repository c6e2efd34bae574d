"""What texts and evidence propose, in Review: published as a person's, and a no that is remembered."""

from typing import Any

import pytest

from stanchion_contracts.change import Changes, Proposal
from stanchion_contracts.meta import Actor
from stanchion_validity.core import reviewed
from stanchion_validity.core.change import STANCHION
from support.validity import AGENT, CLAIM, DAY_US, UPSTREAM, Line, actions, cite, ref, refused, write

OLD, NEW = "docs/0001-a.md", "docs/0002-b.md"
REPLACES = (ref("replaces", OLD),)
TEST: dict[str, Any] = {"claim": {"subject": CLAIM[0], "predicate": CLAIM[1]}, "condition": {"op": "true"}}


@pytest.fixture
def texts() -> Line:
    """Give a text by Ada that replaces another one, which does not know: its reversal waits."""
    line = Line()
    line.revise(OLD)
    line.revise(NEW, references=REPLACES)
    return line


@pytest.fixture
def doubt() -> Line:
    """Give a hypothesis that Maya set supported and that evidence refutes: the status waits."""
    line = Line()
    line.write(write("h", "hypothesis", status="supported", evidence=(cite("u", "q"),), **TEST))
    line.believe(0.1)
    return line


def open_one(line: Line) -> Proposal:
    """Give the proposal that is open."""
    (proposal,) = line.proposals()
    return proposal


def closings(output: Changes) -> list[str]:
    """Give how an output closed proposals."""
    closed = [change.proposal for change in output.changes if change.action == "proposal.closed"]
    return [proposal.state for proposal in closed if proposal is not None]


def test_who_proposed(texts: Line, doubt: Line) -> None:
    """A text's proposal is its author's, one of evidence Stanchion's own."""
    assert Actor(kind="person", id="ada") == open_one(texts).by
    assert STANCHION == open_one(doubt).by


def test_what_another_text_brings_about_is_nobodys_own() -> None:
    """A reversal that an old text claims of one that only now appears is proposed by Stanchion itself."""
    line = Line()
    line.revise(NEW, references=REPLACES)
    line.revise(OLD)
    assert STANCHION == open_one(line).by


def test_a_service_proposes_what_an_unsigned_text_says() -> None:
    """A text that names no author speaks as the service that brought it."""
    line = Line()
    line.revise(OLD, author="")
    line.write(write("0001-a", label="Ours"))
    line.revise(OLD, author="", label="Theirs")
    assert Actor(kind="service", id="git") == open_one(line).by


def test_a_reversal_is_published_whole(texts: Line) -> None:
    """Link and status land in one change set as the publisher's, and the proposal closes with them."""
    texts.write(write("0002-b", evidence=(cite("u"),)))
    texts.edit(open_one(texts), *open_one(texts).batch.writes)
    output = texts.publish(open_one(texts))
    assert ["record.written", "record.written", "proposal.closed"] == actions(output)
    assert ["published"] == closings(output)
    assert ([("replaces", "0001-a", "from")], "superseded") == (texts.linked("0002-b"), texts.held("0001-a").status)
    assert 1 == len(texts.held("0002-b").evidence)
    assert {} == texts.workspace.heads.claimed
    assert () == texts.revise(NEW, references=REPLACES).changes


def test_half_a_reversal_is_not_published(texts: Line) -> None:
    """The link alone is refused, naming the missing write; the status alone lands, and the link comes with it."""
    output = texts.publish(open_one(texts), "0002-b")
    assert output.refusal is not None
    assert ("HALF_WRITTEN_REVERSAL", "0001-a") == (output.refusal.reason, output.refusal.record_id)
    output = texts.publish(open_one(texts), "0001-a")
    assert ["record.written", "proposal.edited", "record.written", "proposal.closed"] == actions(output)
    assert (["in_force"], [("replaces", "0001-a", "from")]) == (closings(output), texts.linked("0002-b"))


def test_a_reversal_that_comes_true_and_one_that_nobody_states(texts: Line) -> None:
    """It is in force when the old text says so, too; and overtaken when the new one does not any more."""
    assert ["overtaken"] == closings(texts.revise(NEW, "two"))
    texts.revise(NEW, "three", references=REPLACES)
    assert ["in_force"] == closings(texts.revise(OLD, status="superseded"))


@pytest.mark.parametrize("by", ["text", "person"])
@pytest.mark.parametrize(
    ("end", "status"),
    [(NEW, "draft"), (NEW, "rejected"), (NEW, ""), (OLD, "rejected"), (OLD, "withdrawn"), (OLD, "")],
)
def test_a_reversal_of_which_an_end_is_out_of_force_is_overtaken(texts: Line, end: str, status: str, by: str) -> None:
    """Nothing is left to reverse, whoever took it out of force, and the link lands; once both hold, it waits anew."""
    record_id, others = end[5:-3], REPLACES if end == NEW else ()

    def become(word: str) -> Changes:
        if by == "person":
            return texts.write(write(record_id, status=word) if word else write(record_id, delete=True))
        return texts.revise(end, status=word or None, deleted=not word, references=others if word else ())

    assert ["overtaken"] == closings(become(status))
    assert ((), {}) == (texts.proposals(), texts.workspace.heads.claimed)
    assert ([("replaces", "0001-a", "from")] if status else []) == texts.linked("0002-b")
    if by == "text":
        become("active")
        assert ("import_refused", []) == (open_one(texts).why, texts.linked("0002-b"))
    elif status:
        assert "HALF_WRITTEN_REVERSAL" == refused(become("active"))


def test_a_reversal_that_a_person_edited_is_theirs_to_close(texts: Line) -> None:
    """The text does not take away what a person has put work in."""
    texts.edit(open_one(texts), *open_one(texts).batch.writes, write("n", "decision"))
    assert ["record.written"] == actions(texts.revise(NEW, "two"))
    assert 3 == len(open_one(texts).batch.writes)


@pytest.mark.parametrize("end", ["landed", "unsaid", "gone", "deleted", "the old one deleted"])
def test_a_rejected_reversal_is_let_go(texts: Line, end: str) -> None:
    """Nothing is kept of a no when the link has landed, no text states it any more, or either record is gone."""
    texts.reject(open_one(texts))
    assert {"0001-a", "0002-b"} == texts.workspace.reviewed.links.keys()
    texts.revise(NEW, "again", references=(*REPLACES, ref("amends", "elsewhere.md")))
    assert {"0001-a", "0002-b"} == texts.workspace.reviewed.links.keys()
    if end == "landed":
        texts.write(write("0001-a", status="superseded"))
        assert [("replaces", "0001-a", "from")] == texts.linked("0002-b")
    elif end == "unsaid":
        texts.revise(NEW, "again", references=(ref("amends", "elsewhere.md"),))
    elif end == "gone":
        texts.revise(NEW, deleted=True)
    else:
        texts.write(write("0002-b" if end == "deleted" else "0001-a", delete=True))
    assert {} == texts.workspace.reviewed.links


def test_a_no_to_what_no_text_states_is_not_kept(texts: Line) -> None:
    """A proposal that a person edited outlives the text's word; rejected then, there is nothing to remember."""
    texts.edit(open_one(texts), *open_one(texts).batch.writes, write("n", "decision"))
    texts.revise(NEW, "two")
    texts.reject(open_one(texts))
    assert {} == texts.workspace.reviewed.links


def test_a_rejected_reversal_is_not_proposed_again(texts: Line) -> None:
    """While the text goes on saying it, whatever else changes; the claim is not read any more."""
    texts.reject(open_one(texts))
    texts.revise(NEW, "two", references=REPLACES)
    texts.revise(OLD, "two")
    texts.write(write("0001-a", owner="Ada"), write("0002-b", owner="Ada"))
    texts.revise("docs/0003-b.md", "two", former_uri=NEW, references=REPLACES, label="Label of 0002-b.md")
    texts.tick()
    assert ((), {}) == (texts.proposals(), texts.workspace.heads.claimed)
    assert ("active", []) == (texts.held("0001-a").status, texts.linked("0002-b"))


def test_a_rejected_reversal_that_the_text_states_anew(texts: Line) -> None:
    """What it stopped saying and says again is proposed again."""
    texts.reject(open_one(texts))
    texts.revise(NEW, "two")
    assert ["record.written", "proposal.opened"] == actions(texts.revise(NEW, "three", references=REPLACES))


def test_a_rejected_reversal_lands_once_nothing_is_in_its_way(texts: Line) -> None:
    """A link exists while a text states it: the no was to superseding the old one, which has come about since."""
    texts.reject(open_one(texts))
    assert ["record.written", "record.written"] == actions(texts.revise(OLD, status="superseded"))
    assert [("replaces", "0001-a", "from")] == texts.linked("0002-b")


def test_a_reversal_that_was_edited_away(texts: Line) -> None:
    """Somebody supersedes the old one without the link: that is a no to it, and what the text states lands then."""
    (link, status) = open_one(texts).batch.writes
    texts.edit(open_one(texts), status)
    assert () == texts.revise(NEW, references=REPLACES).changes
    texts.publish(open_one(texts))
    assert ([("replaces", "0001-a", "from")], ()) == (texts.linked("0002-b"), texts.proposals())
    assert "0002-b" == link.id


def test_a_rejected_reversal_that_stood_in_between(texts: Line) -> None:
    """When the old one comes back against a link that stood, that is new."""
    texts.reject(open_one(texts))
    texts.revise(OLD, status="superseded")
    output = texts.revise(OLD, "two")
    assert ["record.written", "record.written", "proposal.opened"] == actions(output)


def test_a_link_that_an_agent_proposes_as_well_is_not_lost() -> None:
    """The text's own claim waits beside the agent's, and lands when it can though the agent's was rejected."""
    line = Line()
    line.revise(OLD)
    line.revise(NEW)
    line.write(write("0002-b", links={"replaces": ["0001-a"]}), write("0001-a", status="superseded"), actor=AGENT)
    line.revise(NEW, references=REPLACES)
    (agents, _) = line.proposals()
    line.reject(agents)
    line.revise(OLD, status="superseded")
    assert ([("replaces", "0001-a", "from")], ()) == (line.linked("0002-b"), line.proposals())


def test_a_rejected_deletion_is_not_proposed_again() -> None:
    """A file that is gone and is said to be gone again says nothing new; back and gone again, it does."""
    line = Line()
    line.revise(OLD, author="")
    line.write(write("0001-a", label="Ours"))
    line.revise(OLD, deleted=True, author="")
    line.reject(open_one(line))
    line.revise(OLD, deleted=True, author="")
    assert () == line.proposals()
    line.revise(OLD, author="")
    for proposal in line.proposals():
        line.reject(proposal)
    line.revise(OLD, deleted=True, author="")
    assert [True] == [one.delete for one in open_one(line).batch.writes]


def test_the_latest_word_of_a_text_waits() -> None:
    """What a text says anew overtakes what it said; what it still says of other parts waits on with it."""
    line = Line()
    line.revise(OLD, author="")
    line.write(write("0001-a", label="Ours", owner="Ada", body="ours"))
    line.revise(OLD, "one", author="", label="Theirs")
    assert ["overtaken"] == closings(line.revise(OLD, "two", author="", label="Theirs"))
    assert [("Theirs", "two")] == [(one.label, one.body) for one in open_one(line).batch.writes]
    assert ["overtaken"] == closings(line.revise(OLD, "two", author="", label="Ours"))
    assert [(None, "two")] == [(one.label, one.body) for one in open_one(line).batch.writes]
    assert ["overtaken"] == closings(line.revise(OLD, "ours", author="", label="Ours"))
    assert () == line.proposals()


def test_what_a_text_says_of_a_record_that_people_deleted_is_overtaken() -> None:
    """Nothing is left to write it to."""
    line = Line()
    line.revise(OLD)
    line.write(write("0001-a", label="Ours"))
    line.revise(OLD, "two", author="", label="Theirs")
    assert "person_set" == open_one(line).why
    assert ["overtaken"] == closings(line.write(write("0001-a", delete=True)))
    assert () == line.proposals()


def test_a_text_does_not_overtake_what_its_source_wrote_besides() -> None:
    """A write of the same service, of more than a text writes, waits beside the text's word."""
    line = Line()
    line.revise(OLD, author="")
    line.write(write("0001-a", label="Ours"))
    line.write(write("0001-a", label="Theirs", tags=("a",)), actor=UPSTREAM)
    line.revise(OLD, author="", label="The text's")
    assert [("Theirs", ("a",)), ("The text's", None)] == [
        (one.batch.writes[0].label, one.batch.writes[0].tags) for one in line.proposals()
    ]


def test_a_text_does_not_overtake_what_a_person_edited() -> None:
    """That waits beside the text's newer word; a file that goes overtakes what it said."""
    line = Line()
    line.revise(OLD, author="")
    line.write(write("0001-a", body="ours"))
    line.revise(OLD, "one", author="")
    line.edit(open_one(line), write("0001-a", body="edited"))
    assert [] == closings(line.revise(OLD, "two", author=""))
    assert ["overtaken"] == closings(line.revise(OLD, deleted=True, author=""))
    assert [("edited", False), (None, True)] == [
        (one.batch.writes[0].body, one.batch.writes[0].delete) for one in line.proposals()
    ]


def test_a_status_by_evidence_is_published_as_the_persons(doubt: Line) -> None:
    """It is what the publisher set, keeps its citations, and evidence agrees from then on."""
    output = doubt.publish(open_one(doubt))
    assert ["record.written", "proposal.closed"] == actions(output)
    held = doubt.held("h")
    assert ("refuted", True, 1) == (held.status, "field:status" in held.person_set, len(held.evidence))
    assert ["belief.moved"] == actions(doubt.believe(0.12))
    assert ["belief.moved", "proposal.opened"] == actions(doubt.believe(0.9))


def test_a_rejected_status_stays_and_is_not_proposed_again(doubt: Line) -> None:
    """Neither while evidence says the same, nor at ticks, nor when something else of the record is written."""
    doubt.reject(open_one(doubt))
    for output in (doubt.believe(0.12), doubt.believe(0.08), doubt.tick(), doubt.write(write("h", owner="Ada"))):
        assert "proposal.opened" not in actions(output)
    assert "supported" == doubt.held("h").status


@pytest.mark.parametrize("between", [0.5, 0.9])
def test_a_rejected_status_after_evidence_pointed_elsewhere(doubt: Line, between: float) -> None:
    """To a third status, which is proposed, or to the person's own, which nobody sees: then it counts anew."""
    doubt.reject(open_one(doubt))
    doubt.believe(between)
    assert "proposal.opened" in actions(doubt.believe(0.1))
    assert ["refuted"] == [one.batch.writes[0].fields[0].value.strip('"') for one in doubt.proposals()]


def test_a_rejected_status_after_evidence_aged() -> None:
    """Evidence that aged away and comes back says it anew, though no belief in between said otherwise."""
    line = Line()
    line.write(write("h", "hypothesis", **TEST))
    line.write(write("h", status="supported"))
    line.write(write("h", status="open"))
    line.believe(0.1, mass=20.0, half_life_s=86_400)
    line.reject(open_one(line))
    line.now_us += 60 * DAY_US
    assert () == line.tick().changes
    assert ["belief.moved", "proposal.opened"] == actions(line.believe(0.1))


@pytest.mark.parametrize("parts", [{"status": "open"}, {"condition": {"op": "equals", "value": True}}])
def test_a_rejected_status_after_the_record_was_written_anew(doubt: Line, parts: dict[str, Any]) -> None:
    """Whoever sets the status, or asks something else, hears at once what evidence makes of it."""
    doubt.reject(open_one(doubt))
    assert ["record.written", "proposal.opened"] == actions(doubt.write(write("h", **parts)))


def test_a_status_that_was_changed_there_and_back(doubt: Line) -> None:
    """Setting the same status again after another one is writing it anew."""
    doubt.reject(open_one(doubt))
    for status in ("abandoned", "supported"):
        output = doubt.write(write("h", status=status))
    assert ["record.written", "proposal.opened"] == actions(output)


def test_evidence_that_agrees_again_overtakes_its_proposal(doubt: Line) -> None:
    """What asked for it does not hold any more; so when nothing is asked of evidence, or the record is gone."""
    assert ["overtaken"] == closings(doubt.believe(0.9))
    doubt.believe(0.1)
    assert ["overtaken"] == closings(doubt.write(write("h", status="abandoned")))
    doubt.write(write("h", status="supported"))
    assert ["overtaken"] == closings(doubt.write(write("h", delete=True)))


def test_evidence_that_swings_on_overtakes_and_what_comes_true_is_in_force(doubt: Line) -> None:
    """The older proposal is overtaken by the newer; a person's own write makes it come true."""
    assert ["overtaken"] == closings(doubt.believe(0.5))
    assert ["in_force"] == closings(doubt.write(write("h", status="open")))


def test_a_status_that_a_person_edited_is_theirs_to_close(doubt: Line) -> None:
    """Evidence neither closes what a person edited nor proposes beside it, wherever it points."""
    doubt.edit(open_one(doubt), write("h", status="open", body="why"))
    for probability in (0.12, 0.5, 0.9):
        assert ["belief.moved"] == actions(doubt.believe(probability))
    assert "person" == (open_one(doubt).edited_by or STANCHION).kind


def test_an_agents_rejected_proposal_may_come_again() -> None:
    """Only texts and evidence are not to repeat themselves; an agent answers for what it proposes."""
    line = Line()
    line.write(write("d", "decision", label="D"))
    line.write(write("d", label="E"), actor=AGENT)
    line.reject(open_one(line))
    assert ["proposal.opened"] == actions(line.write(write("d", label="E"), actor=AGENT))


def test_only_the_latest_closed_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was closed long ago is not found, as if it had never been."""
    monkeypatch.setattr(reviewed, "MOST_CLOSED", 2)
    line = Line()
    line.write(write("d", "decision", label="D"))
    closed = []
    for label in "EFG":
        line.write(write("d", label=label), actor=AGENT)
        closed.append(open_one(line))
        line.reject(closed[-1])
    details = [(output.refusal.detail if output.refusal else "") for output in map(line.publish, closed)]
    assert [True, False, False] == ["there is no proposal" in detail for detail in details]
