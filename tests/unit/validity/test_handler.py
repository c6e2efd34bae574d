"""What happens to a message: golden, delivered twice, folded, and in any order of workspaces."""

import copy
import datetime as dt

import msgspec
import pytest

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import (
    Base,
    Change,
    Changes,
    Landed,
    Proposal,
    RecordChange,
    RecordPart,
    ResolutionChange,
    TrustChange,
)
from stanchion_contracts.command import Affirm, Command, Write, WriteBatch
from stanchion_contracts.meta import Actor
from stanchion_contracts.observation import Resolution, TrustSetting
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.value import Value
from stanchion_validity.handler import State, decider, evolver
from support.validity import AGENT, BASE, BLANK, CLAIM, DAY_US, MAYA, UPSTREAM, Line, actions, cite, ref, refused, write


def story(line: Line) -> None:
    """Let a little of everything happen."""
    claim = {"subject": CLAIM[0], "predicate": CLAIM[1]}
    line.write(write("h", "hypothesis", claim=claim, condition={"op": "true"}), key="one")
    line.write(write("d", "decision", links={"assumes": ["h"]}, evidence=(cite("u", "q"),)), actor=AGENT)
    line.write(write("r", "rule", links={"based_on": ["d"]}, review_by="2026-12-05"))
    line.believe(0.9)
    line.believe(0.1)
    line.revise("a/1.md", references=(ref("depends_on", "a/2.md"), ref("amends", "id:d")))
    line.revise("a/2.md", references=(ref("replaces", "a/1.md"),))
    line.write(write("r", body="other"), actor=AGENT)
    line.report("u", absent="q")
    line.affirm("r", line.workspace.seq)
    line.tick()
    line.write(write("h", status="supported"))
    line.believe(0.2)
    line.write(write("r", label="R"), write("n", "rule"), actor=AGENT)
    line.write(write("r", owner="Ada"))
    for proposal in line.proposals():
        line.edit(proposal, *proposal.batch.writes, write("m", "rule"))
    for proposal, other in zip(line.proposals()[::2], line.proposals()[1::2], strict=False):
        line.publish(proposal, "m", note="good")
        line.reject(other, "bad")
    line.believe(0.2)
    line.revise("a/1.md", status="superseded")
    line.write(write("d", delete=True))
    line.write(write("nope", "decision", links={"refines": ["nobody"]}))


def test_golden_write() -> None:
    """A write becomes one change with all that a read needs, and its answer."""
    line = Line()
    line.write(write("d", "decision"))
    output = line.write(write("r", "rule", label="Keep it fast", links={"based_on": ["d"]}, area="api"), key="k")
    expected = Change(
        seq=2,
        action="record.created",
        subject_kind="rule",
        subject_id="r",
        reason="rule r “Keep it fast” created, active",
        record=RecordChange(
            id="r",
            kind="rule",
            version=1,
            before=None,
            after=RecordPart(
                label="Keep it fast",
                fields=(FieldValue(name="area", value='"api"'), FieldValue(name="status", value='"active"')),
                links=(Link(name="based_on", to="d"),),
                link_names=("based_on",),
            ),
            baseline=True,
            confirmation="given",
        ),
    )
    assert (expected,) == output.changes
    assert (2, 2, 2, (Landed(record_id="r", version=1),)) == (
        output.first_seq,
        output.last_seq,
        output.last_seq_answered,
        output.landed,
    )


def test_golden_belief() -> None:
    """A belief update is one change that carries it whole."""
    line = Line()
    output = line.believe(0.9)
    message = line.inputs[0]
    assert isinstance(message, Beliefs)
    expected = Change(
        seq=1,
        action="belief.moved",
        subject_kind="belief",
        subject_id="checkout/p99-latency",
        reason="checkout p99-latency: true at 0.90",
        belief=message.updates[0],
    )
    assert (
        Changes(
            meta=message.meta,
            recorded_at_us=message.meta.time_us,
            last_seq=1,
            changes=(expected,),
            first_seq=1,
            last_seq_answered=1,
        )
        == output
    )


def test_golden_publication() -> None:
    """What a person publishes is one change that says by which proposal, and the proposal's end with her words."""
    line = Line()
    line.write(write("d", "decision", label="D"))
    line.write(write("d", label="E", if_match=1), actor=AGENT)
    (waited,) = line.proposals()
    expected = Proposal(
        id=waited.id,
        reason="a person set label of d",
        batch=WriteBatch(writes=(Write(id="d", label="E"),)),
        record_id="d",
        base=(Base(record_id="d", version=1),),
        by=Actor(kind="agent", id="coder", on_behalf_of="maya"),
    )
    assert expected == waited
    output = line.publish(waited, note="fine")
    written = Change(
        seq=3,
        action="record.written",
        subject_kind="decision",
        subject_id="d",
        reason="decision d “E”: label changed",
        record=RecordChange(
            id="d",
            kind="decision",
            version=2,
            before=RecordPart(label="D"),
            after=RecordPart(label="E"),
            baseline=True,
            confirmation="given",
            proposal_id=waited.id,
        ),
    )
    closed = Change(
        seq=4,
        action="proposal.closed",
        subject_kind="proposal",
        subject_id=waited.id,
        reason="rosa published d: fine",
        proposal=msgspec.structs.replace(waited, state="published", note="fine"),
    )
    assert (written, closed) == output.changes
    assert ((Landed(record_id="d", version=2),), ()) == (output.landed, output.proposals)


def test_passed_on_facts() -> None:
    """Trust, resolutions and refusals of fusion become changes, or the answer; the same resolution twice is none."""
    line = Line()
    value = Value(type="boolean", text="true")
    for resolution in (value, value, None):
        line.feed(
            Beliefs(
                meta=line.meta(MAYA, "observation"),
                trust=TrustSetting(name="crm", value=0.2) if resolution is None else None,
                trust_before=0.9,
                remaining=4,
                resolution=Resolution(subject="a", predicate="b", value=resolution),
            )
        )
    parts = [(change.trust, change.resolution) for output in line.outputs for change in output.changes]
    assert parts == [
        (None, ResolutionChange(subject="a", predicate="b", value=value)),
        (TrustChange(name="crm", before=0.9, after=0.2), None),
        (None, ResolutionChange(subject="a", predicate="b", value=None, before=value)),
    ]
    assert [4, 4, 4] == [output.remaining for output in line.outputs]
    refusal = Refusal(reason="EVENT_ID_REUSED", detail="other content")
    assert refusal == line.feed(Beliefs(meta=line.meta(MAYA, "observation"), refusal=refusal)).refusal


def test_delivered_twice() -> None:
    """The same command with its key is answered from the first success with no change; imports change nothing again."""
    line = Line()
    first = line.write(write("r", "rule"), key="k")
    again = line.write(write("r", "rule"), key="k")
    assert (True, (), first.landed, 1, 1) == (
        again.repeated,
        again.changes,
        again.landed,
        again.first_seq,
        again.last_seq_answered,
    )
    line.revise("a/1.md")
    assert () == line.revise("a/1.md").changes
    assert 2 == line.workspace.seq


def test_key_reused_for_other_content() -> None:
    """The same key with other content is refused; another principal's or workspace's key is its own."""
    line = Line()
    line.write(write("r", "rule"), key="k")
    assert "IDEMPOTENCY_KEY_REUSED" == refused(line.write(write("r2", "rule"), key="k"))
    assert "" == refused(line.write(write("r2", "rule"), key="k", actor=AGENT))


def test_refusals_are_not_remembered() -> None:
    """A refused command may be sent again under its key once it is right."""
    line = Line()
    bad = write("r", "rule", links={"based_on": ["d"]})
    assert "LINK_TARGET_MISSING" == refused(line.write(bad, key="k"))
    line.write(write("d", "decision"))
    assert ["record.created"] == actions(line.write(bad, key="k"))


def test_answers_are_kept_for_a_day() -> None:
    """After 24 hours of message time a key is free again."""
    line = Line()
    line.write(write("r", "rule"), key="k")
    line.now_us += DAY_US - 1_000_001
    assert line.write(write("r", "rule"), key="k").repeated
    line.now_us += 1
    assert "" == refused(line.write(write("r2", "rule"), key="k"))
    assert [("docs", "maya", "k")] == list(line.state.answers.kept)


def test_recorded_at_never_goes_back() -> None:
    """A message stamped earlier is recorded no earlier than the change before it."""
    line = Line()
    line.write(write("a", "rule"))
    stood = line.workspace.recorded_at_us
    line.now_us -= 10_000_000
    assert stood == line.write(write("b", "rule")).recorded_at_us


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"write_batch": WriteBatch(writes=(write("r", "rule"),)), "affirm": Affirm(record_id="r", observed_through=0)},
    ],
)
def test_a_command_has_exactly_one_part(parts: dict[str, object]) -> None:
    """None or two are refused."""
    line = Line()
    assert "FIELD_VALUE" == refused(line.feed(msgspec.structs.replace(Command(meta=BLANK, digest=b""), **parts)))


def test_long_key_is_refused() -> None:
    """A key of more than 128 characters is too large."""
    assert "TOO_LARGE" == refused(Line().write(write("r", "rule"), key="k" * 129))


def test_dates_are_announced_once_a_value() -> None:
    """Two weeks before, from ticks, once for each value of the field; not for what is no longer in force."""
    line = Line()
    line.write(write("r", "rule", review_by="2026-12-20"), write("r2", "rule", review_by="2026-12-01"))
    line.write(write("r2", status="withdrawn"))
    assert [] == actions(line.tick())
    line.now_us += 10 * DAY_US
    (change,) = line.tick().changes
    assert change.date is not None
    assert ("r", "review_by", "2026-12-20") == (change.date.record_id, change.date.field, change.date.date)
    assert [] == actions(line.tick())
    line.write(write("r", review_by="2026-12-12"))
    assert ["date.reached"] == actions(line.tick())
    line.write(write("r", review_by=None))
    assert [("r2", "review_by")] == list(line.workspace.reminders)


def test_a_date_is_announced_two_weeks_before_and_no_sooner() -> None:
    """The tick at 14 days tells, the one an hour earlier does not; a date that has passed is told at once."""
    line = Line()
    due = line.now_us + 20 * DAY_US
    at = dt.datetime.fromtimestamp(due // 1_000_000, dt.UTC).isoformat()
    line.write(write("r", "rule", review_by=at), write("h", "hypothesis", review_by="2020-01-01"))
    assert ["h"] == [change.subject_id for change in line.tick().changes]
    line.now_us = due - 14 * DAY_US - 3_600 * 1_000_000
    assert [] == actions(line.tick())
    line.now_us = due - 14 * DAY_US - 1_000_000
    assert ["r"] == [change.subject_id for change in line.tick().changes]


def test_decide_only_reads() -> None:
    """Deciding a message leaves the state as it was."""
    line = Line()
    story(line)
    state, decide = State(), decider(BASE)
    for message, output in zip(line.inputs, line.outputs, strict=True):
        before = copy.deepcopy(state)
        assert output == decide(state, message)
        assert before == state
        evolver(BASE)(state, output)


def test_fold_of_outputs_is_the_live_state() -> None:
    """Folding the outputs gives the live state at every point, and what follows is decided alike from it."""
    line = Line()
    story(line)
    decide, evolve = decider(BASE), evolver(BASE)
    for cut in range(len(line.inputs)):
        state = State()
        for output in line.outputs[:cut]:
            evolve(state, output)
        for message, output in zip(line.inputs[cut:], line.outputs[cut:], strict=True):
            assert output == decide(state, message)
            evolve(state, output)
        assert line.state == state


def test_workspaces_are_apart() -> None:
    """Two workspaces of one partition do not see each other, however their messages interleave."""
    one, other = Line("one"), Line("other")
    story(one)
    story(other)
    decide, evolve = decider(BASE), evolver(BASE)
    state = State()
    for pair in zip(one.inputs, other.inputs, strict=True):
        for message in pair:
            output = decide(state, message)
            assert output is not None
            evolve(state, output)
    assert {"one": one.workspace, "other": other.workspace} == state.workspaces


def test_seqs_have_no_gaps() -> None:
    """Every change has the next seq, refusals and repeats none, and each message says the last one."""
    line = Line()
    story(line)
    seqs = [change.seq for output in line.outputs for change in output.changes]
    assert list(range(1, len(seqs) + 1)) == seqs
    assert len(seqs) == line.outputs[-1].last_seq
    assert "LINK_TARGET_MISSING" == refused(line.outputs[-1])


def test_upstream_actor_is_kept() -> None:
    """The message's own actor stands in its meta; whose write an import counts as stands in the change."""
    line = Line()
    output = line.revise("a/1.md")
    assert UPSTREAM == output.meta.actor
