"""What another vocabulary makes of the records that are there."""

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import Intent
from stanchion_contracts.command import Write
from stanchion_contracts.heads import claimed_by, superseded_by
from stanchion_core.base_vocabulary import base_text
from support.validity import AGENT, DAY_US, MAYA, Line, actions, cite, ref, refused, write

OWN = """
name: own
kinds:
  task:
    statuses: [todo, done, dropped]
    in_force: [todo, done]
    fields: {owner: text, due: date}
  note: {}
links:
  needs: {from: [task], to: [task], rests: true}
  about: {to: [task, note]}
  after: {from: [task], to: [task]}
  instead_of: {from: [task], to: [task], supersedes: dropped}
"""
NOTES = """
name: notes
kinds: {note: {}}
links: {see: {}}
"""


def own(*edits: tuple[str, str]) -> str:
    """Give the vocabulary with some of its text replaced."""
    text = OWN
    for part, other in edits:
        assert part in text
        text = text.replace(part, other)
    return text


def tasks() -> Line:
    """Give a workspace of tasks."""
    line = Line()
    line.set(OWN)
    return line


def test_what_rests_and_in_which_order() -> None:
    """A link that rests from now on is walked from now on, after those before it in the vocabulary."""
    line = tasks()
    line.write(write("t1", "task", body="one"), write("t2", "task"))
    line.write(write("t3", "task", links={"needs": ["t2"], "after": ["t1"]}), actor=AGENT)
    line.write(write("t1", body="two"))
    assert "current" == line.read("t3").state
    line.set(own(("  needs:", "  after: {rests: true}\n  needs:"), ("  after: {from: [task], to: [task]}\n", "")))
    assert [("after", "t1"), ("needs", "t2")] == [(one.name, one.to) for one in line.head("t3").grounds]
    assert ["t1", "t2"] == [to for _, to, _ in line.linked("t3")]
    assert ["t1"] == [reason.record_id for reason in line.read("t3").reasons]
    line.set(OWN)
    assert (["t2"], ["t1"]) == ([one.to for one in line.head("t3").grounds], [one.to for one in line.head("t3").others])
    assert "current" == line.read("t3").state


def test_what_is_in_force() -> None:
    """A status that binds no more shows at once on what rests on it."""
    line = tasks()
    line.write(write("t1", "task", status="done"), write("t2", "task", links={"needs": ["t1"]}))
    assert () == line.read("t2").grounds_not_in_force
    line.set(own(("in_force: [todo, done]", "in_force: [todo]")))
    assert [("t1", "done")] == [(one.record_id, one.status) for one in line.read("t2").grounds_not_in_force]


def test_a_kind_that_gets_statuses_keeps_its_records() -> None:
    """What was written before is in the first status until somebody says otherwise, and its next version says so."""
    line = tasks()
    line.write(write("n", "note", label="N"), write("t", "task"))
    line.set(own(("note: {}", "note: {statuses: [live, old], in_force: [live], moves_into: [old]}")))
    assert (True, "") == (line.head("n").in_force, line.held("n").status)
    line.write(write("n", label="M"))
    assert (True, "live", 2) == (line.head("n").in_force, line.held("n").status, line.held("n").version)


def test_dates_that_remind() -> None:
    """A field that reminds from now on is announced, one that does no more is not."""
    line = tasks()
    line.write(write("t", "task", due="2020-01-01"))
    assert () == line.tick().changes
    line.set(own(("due: date", "due: {type: date, reminds: true}")))
    assert ["date.reached"] == actions(line.tick())
    line.write(write("u", "task", due="2020-01-01"))
    line.set(OWN)
    line.now_us += DAY_US
    assert () == line.tick().changes


def test_who_claims_to_supersede_whom() -> None:
    """An open proposal's link claims what it claims under the vocabulary that stands."""
    line = tasks()
    line.write(write("t1", "task"), write("t2", "task"))
    line.set(approval_only=True)
    line.write(write("t2", links={"instead_of": ["t1"]}), write("t1", status="dropped"), actor=AGENT)
    assert ("t2",) == claimed_by(line.workspace.heads, "t1")
    line.set(own(("  instead_of: {from: [task], to: [task], supersedes: dropped}\n", "")))
    assert () == claimed_by(line.workspace.heads, "t1")
    line.set(OWN)
    assert ("t2",) == claimed_by(line.workspace.heads, "t1")
    line.reject(line.proposals()[0])
    assert {} == line.workspace.heads.claimed


def test_tombstones_of_what_is_gone() -> None:
    """A tombstone of a kind and with links that are gone is read, walked, deleted again and written anew."""
    line = tasks()
    line.write(
        write("t1", "task", status="dropped"),
        write("t2", "task", links={"instead_of": ["t1"], "about": ["t1"], "needs": ["t1"]}),
        write("n", "note", evidence=(cite("t2"),)),
    )
    line.write(Write(id="t2", delete=True), Write(id="t1", delete=True))
    assert ["workspace.set"] == actions(line.set(NOTES))
    assert ((), ["about", "instead_of", "needs"]) == (
        line.head("t2").grounds,
        [link.name for link in line.head("t2").others],
    )
    assert not line.head("t2").in_force
    vocabulary = line.workspace.vocabulary
    assert vocabulary is not None
    assert () == superseded_by(line.workspace.heads, vocabulary, "t1")
    assert ["deleted"] == [one.change.kind for one in line.read("n").reasons]
    again = line.write(Write(id="t1", delete=True), write("n", label="N"))
    assert ("", ["record.written"]) == (refused(again), actions(again))
    assert ["record.created"] == actions(line.write(write("t2", "note", links={"see": ["n"]})))
    assert (["see"], 3) == ([link.name for link in line.head("t2").others], line.held("t2").version)
    assert () == line.tick().changes


def test_documents_of_what_is_gone() -> None:
    """A document can go, move and come back though its first kind is not in the vocabulary any more."""
    line = Line()
    line.revise("a/1-x.md", "one", references=(ref("amends", "a/2-y.md"),))
    line.revise("a/2-y.md", "two")
    line.revise("a/1-x.md", deleted=True)
    line.write(Write(id="2-y", delete=True))
    line.set(NOTES)
    assert "" == refused(line.revise("a/1-x.md", deleted=True))
    assert "UNKNOWN_KIND" == refused(line.revise("a/1-x.md", "one"))
    back = line.revise("a/1-x.md", "one", kind="note")
    assert (["record.created"], "note") == (actions(back), line.held("1-x").kind)
    assert "" == refused(line.revise("a/2-y.md", former_uri="a/1-x.md", kind="note"))
    assert ("1-x", True) == (line.workspace.home["a/2-y.md"], line.workspace.imported["2-y"].deleted)


def test_a_text_says_no_more_what_its_kind_has_no_more() -> None:
    """A field that nobody has and that left the vocabulary does not keep the text's next revision from landing."""
    line = tasks()
    line.revise("a/1.md", "one", kind="task", status="todo", fields={"owner": "Ada"})
    line.write(write("1", owner=None))
    line.set(own(("owner: text, ", "")))
    after = line.revise("a/1.md", "two", kind="task", status="todo", fields={"owner": "Ada"})
    assert ("", ["record.written"]) == (refused(after), actions(after))
    held = line.held("1")
    assert held.upstream is not None
    assert ("owner: a task has no such field",) == held.upstream.left_out


def test_links_that_the_vocabulary_learns() -> None:
    """What a text said before its workspace had the word lands at the next tick, moves nothing, and is told no more."""
    line = tasks()
    line.revise("a/1.md", kind="task", status="todo")
    line.revise("a/2.md", kind="note", status="todo", references=(ref("tracks", "a/1.md"), ref("needs", "a/1.md")))
    told = line.held("2").upstream
    assert told is not None
    assert ("tracks a/1.md", "needs a/1.md") == told.unresolved
    assert () == line.tick().changes
    line.set(own(("  about:", "  tracks: {rests: true}\n  about:")))
    (landed,) = line.tick().changes
    assert landed.record is not None
    assert (["2"], ()) == ([landed.record.id], landed.record.moves)
    assert [("tracks", "1", "from")] == line.linked("2")
    now = line.held("2").upstream
    assert now is not None
    assert (("needs a/1.md",), 1) == (now.unresolved, len([why for why in now.left_out if why.startswith("needs 1: ")]))
    assert [] == [why for why in now.left_out if why.startswith("tracks")]
    assert () == line.tick().changes


def test_what_a_hand_removed_does_not_come_back_with_a_vocabulary() -> None:
    """A link that somebody took away here stays away, whatever the vocabulary says next."""
    line = tasks()
    line.revise("a/1.md", kind="task", status="todo")
    line.revise("a/2.md", kind="task", status="todo", references=(ref("needs", "a/1.md"),))
    line.write(write("2", links={"needs": []}))
    line.set(own(("needs:", "wants:")))
    line.set(OWN)
    assert () == line.tick().changes
    assert [] == line.linked("2")


def test_evidence_goes_by_the_words_of_the_workspace() -> None:
    """A kind of a workspace's own with a claim gets its statuses from beliefs, in its own words."""
    line = Line()
    line.set(
        """
        name: bets
        kinds:
          bet:
            statuses: [placed, won, lost]
            in_force: [placed, won]
            by_evidence: {open: placed, holds: won, fails: lost}
            fields: {claim: claim, condition: condition}
        """
    )
    claim = {"subject": "checkout", "predicate": "p99-latency"}
    line.write(write("b", "bet", claim=claim, condition={"op": "true"}))
    line.believe(0.95)
    assert "won" == line.held("b").status


def test_wishes_as_the_vocabulary_keeps_them() -> None:
    """A workspace may declare intents in its own way, or not at all."""
    wish = Intent(kind="goal", holder="Ada", gist="Ship it")
    kept = []
    for declared in ("intent: {fields: {holder: text, intent_kind: {words: [dream]}}}", "note: {}"):
        line = Line()
        line.set(f"name: own\nkinds: {{{declared}}}")
        line.feed(Beliefs(meta=line.meta(MAYA, "observation"), intents=(wish,)))
        kept.append([dict(held.fields) for held in line.workspace.held.values()])
    assert [[{"holder": '"Ada"'}], []] == kept


def test_the_words_of_then_stay() -> None:
    """What moved under one vocabulary moved; what moves under the next is decided by the next."""
    line = Line()
    line.write(write("d", "decision", owner="Ada"), write("r", "rule", links={"based_on": ["d"]}))
    line.set(base_text().replace("owner: text\n      origin", "owner: {moves: true}\n      origin"))
    line.write(write("d", owner="Bo"))
    assert ["owner"] == [reason.change.name for reason in line.read("r").reasons]
    line.set("")
    line.write(write("d", owner="Cy"))
    assert ["owner"] == [reason.change.name for reason in line.read("r").reasons]
