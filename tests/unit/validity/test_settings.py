"""Settings of a workspace: who may change them, and which vocabulary its records let it have."""

import pytest

from stanchion_contracts.change import WorkspaceSettings
from stanchion_contracts.command import SetWorkspace, Write
from stanchion_core.base_vocabulary import base_text
from stanchion_core.vocabulary_text import from_json, read
from support.validity import AGENT, MAYA, OLGA, Line, actions, refused, write

OWN = """
name: own
kinds:
  task:
    statuses: [todo, done, dropped]
    in_force: [todo, done]
    moves_into: [dropped]
    fields: {owner: text, size: {words: [small, large]}, due: date}
  note: {}
links:
  needs: {from: [task], to: [task], rests: true}
  about: {from: [note], to: [task, note]}
  instead_of: {from: [task], to: [task], supersedes: dropped}
"""


@pytest.fixture
def line() -> Line:
    """Give a workspace with a vocabulary of its own, and something written in every part of it."""
    one = Line()
    one.set(OWN)
    one.write(
        write("t1", "task", owner="Ada", size="small", due="2027-01-02"),
        write("t2", "task", links={"needs": ["t1"]}),
        write("t3", "task", links={"instead_of": ["t4"]}),
        write("t4", "task", status="dropped"),
        write("n1", "note", links={"about": ["t1"]}),
    )
    return one


def test_a_person_with_the_capability_sets_them() -> None:
    """Settings have a version; what is absent stays, and what they are already makes no version and no seq."""
    line = Line()
    first = line.set(approval_only=True)
    assert ["workspace.set"] == actions(first)
    change = first.changes[0]
    assert ("workspace", "docs", 1) == (change.subject_kind, change.subject_id, change.seq)
    assert "workspace docs, settings version 1: agents only propose" == change.reason
    second = line.set(OWN, if_match=1)
    assert "workspace docs, settings version 2: vocabulary base → own" == second.changes[0].reason
    settings = line.workspace.settings
    assert (2, True, read(OWN)) == (settings.version, settings.approval_only, from_json(settings.vocabulary))
    assert [(), ()] == [line.set(OWN).changes, line.set(approval_only=True).changes]
    third = line.set("", approval_only=False, if_match=2)
    assert third.changes[0].reason.endswith("version 3: agents write by themselves; vocabulary own → base")
    assert WorkspaceSettings(version=3) == line.workspace.settings


@pytest.mark.parametrize(
    ("asked", "actor", "reason", "said"),
    [
        (SetWorkspace(approval_only=True), AGENT, "NOT_A_PERSON", "only a person can change"),
        (SetWorkspace(approval_only=True), MAYA, "MISSING_CAPABILITY", "takes the capability admin"),
        (SetWorkspace(approval_only=True, if_match=1), OLGA, "VERSION_CONFLICT", "stand at version 0, not 1"),
        (SetWorkspace(), OLGA, "FIELD_VALUE", "nothing would be set"),
        (SetWorkspace(vocabulary="name: own"), OLGA, "FIELD_VALUE", "vocabulary is not JSON"),
        (
            SetWorkspace(vocabulary='{"name":"x","kinds":{"k":{"fields":{"f":"txt"}}},"links":{}}'),
            OLGA,
            "FIELD_VALUE",
            "vocabulary, kind k, field f: Invalid enum value",
        ),
        (SetWorkspace(vocabulary='{"name":"' + "x" * 65_536 + '"}'), OLGA, "TOO_LARGE", "the limit is 65536"),
    ],
)
def test_what_is_refused_changes_nothing(asked: SetWorkspace, actor: object, reason: str, said: str) -> None:
    """Whoever may not, another version, nothing to set, and a text that is no vocabulary: each says why."""
    line = Line()
    output = line.command(actor, workspace=asked)  # type: ignore[arg-type]
    assert (reason, ()) == (refused(output), output.changes)
    assert output.refusal is not None
    assert said in output.refusal.detail
    assert WorkspaceSettings() == line.workspace.settings


def test_a_repeat_is_answered_as_the_first_time() -> None:
    """The same key changes nothing twice, and the answer names the same seqs."""
    line = Line()
    first, again = line.set(OWN, key="k"), line.set(OWN, key="k")
    assert (1, 1, ()) == (first.first_seq, again.first_seq, again.changes)
    assert again.repeated
    assert "IDEMPOTENCY_KEY_REUSED" == refused(line.set("", key="k"))


def test_each_workspace_has_its_own(line: Line) -> None:
    """What one workspace may write, another may not, and nobody else's records are read otherwise."""
    assert "UNKNOWN_KIND" == refused(line.write(write("d", "decision")))
    assert line.held("t1").status == "todo"
    line.name = "others"
    assert "UNKNOWN_KIND" == refused(line.write(write("t", "task")))
    assert "" == refused(line.write(write("d", "decision")))


def with_edits(*edits: tuple[str, str]) -> str:
    """Give the vocabulary with some of its text replaced."""
    text = OWN
    for part, other in edits:
        assert part in text
        text = text.replace(part, other)
    return text


IN_USE = [
    ([("task", "job")], "kind task is gone (t1, t2, t3 and 1 more)"),
    ([("note", "memo")], "kind note is gone (n1)"),
    ([("owner: text, ", "")], "field owner of task is gone (t1)"),
    ([("owner: text", "owner: list")], "field owner of task would be a list (t1)"),
    ([("owner: text", "owner: date")], "field owner of task would be a date (t1)"),
    ([("owner: text", "owner: {words: [Bo]}")], "word of owner Ada of task is gone (t1)"),
    ([("[small, large]", "[large]")], "word of size small of task is gone (t1)"),
    ([("todo, ", "")], "status todo of task is gone (t1, t2, t3)"),
    ([("needs:", "wants:")], "link needs is gone (t2)"),
    ([("to: [task, note]", "to: [note]")], "link about would not go from note to task (n1)"),
    ([("needs: {from: [task]", "needs: {from: [note]")], "link needs would not go from task to task (t2)"),
    ([("rests: true", "supersedes: dropped")], "link needs would supersede what is still in force, such as t1 (t2)"),
    (
        [("owner: text, ", ""), ("about", "of"), ("needs", "wants")],
        "field owner of task is gone (t1); link needs is gone (t2); link about is gone (n1)",
    ),
]


@pytest.mark.parametrize(("edits", "said"), IN_USE)
def test_what_records_use_cannot_go(line: Line, edits: list[tuple[str, str]], said: str) -> None:
    """A vocabulary that a live record would not fit is refused; the part and the first few records are named."""
    output = line.set(with_edits(*edits))
    assert output.refusal is not None
    assert ("VOCABULARY_IN_USE", "vocabulary", ()) == (output.refusal.reason, output.refusal.field, output.changes)
    assert f"live records would no longer fit: {said}" == output.refusal.detail
    assert output.refusal.record_id in said
    assert 1 == line.workspace.settings.version


def test_a_status_that_comes_into_force_leaves_no_reversal_half_done(line: Line) -> None:
    """What was superseded may not come back into force by a change of words."""
    text = with_edits(("dropped}", "gone}"), ("dropped]", "dropped, gone]"), ("[todo, done]", "[todo, done, dropped]"))
    output = line.set(text.replace("needs:", "wants: {}\n  needs:"))
    assert output.refusal is not None
    assert output.refusal.detail.endswith("link instead_of would supersede what is still in force, such as t4 (t3)")


@pytest.mark.parametrize(
    "edits",
    [
        [("note: {}", "note: {fields: {by: principal}}\n  plan: {}")],
        [("owner: text", "owner: {words: [Ada, Bo]}")],
        [("due: date", "due: text")],
        [("[small, large]", "[small]")],
        [("todo, done, dropped", "todo, waiting, done, dropped"), ("from: [task], to: [task], rests", "rests")],
        [("from: [task], to: [task], rests: true", "")],
        [("about:", "see: {}\n  about:"), ("moves_into: [dropped]", "moves_into: [done, dropped]")],
    ],
)
def test_what_no_record_uses_may_change(line: Line, edits: list[tuple[str, str]]) -> None:
    """More of everything, less of what nobody has, and a type that what is written fits: all this is taken."""
    output = line.set(with_edits(*edits))
    assert ("", ["workspace.set"]) == (refused(output), actions(output))
    assert [] == [held for held in line.workspace.held if refused(line.write(write(held, label="Again")))]


def test_only_what_lives_is_in_the_way(line: Line) -> None:
    """A tombstone keeps no vocabulary, nor does a proposal that waits: it cannot be published, and can be rejected."""
    line.write(Write(id="n1", delete=True))
    line.set(approval_only=True)
    line.write(write("n2", "note", links={"about": ["t1"]}), actor=AGENT)
    assert "" == refused(line.set(with_edits(("note", "memo"), ("about", "of"))))
    (proposal,) = line.proposals()
    assert "UNKNOWN_KIND" == refused(line.publish(proposal))
    assert ["proposal.closed"] == actions(line.reject(proposal))


def test_a_refusal_names_a_few_of_many() -> None:
    """Hundreds of records that would not fit make one sentence."""
    line = Line()
    kinds = "".join(f"  k{number}: {{}}\n" for number in range(10))
    line.set(f"name: many\nkinds:\n{kinds}")
    for number in range(10):
        line.write(*(write(f"r{number}-{one}", f"k{number}") for one in range(20)))
    output = line.set(OWN)
    assert output.refusal is not None
    assert output.refusal.detail.endswith("kind k5 is gone (r5-0, r5-1, r5-2 and 17 more); and 4 things more")
    assert len(output.refusal.detail) < 1_000


def test_the_base_vocabulary_comes_back_only_where_records_fit_it(line: Line) -> None:
    """What the base vocabulary lacks is in use like anything else."""
    assert "VOCABULARY_IN_USE" == refused(line.set(""))
    line.write(*(Write(id=held, delete=True) for held in tuple(line.workspace.held)))
    assert "" == refused(line.set(""))
    assert "" == refused(line.write(write("d", "decision")))
    assert "" == refused(line.set(base_text()))
