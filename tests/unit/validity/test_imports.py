"""Document revisions as records."""

from typing import Any

from stanchion_contracts.claim import LeftOut
from stanchion_validity.core.held import body_digest
from support.validity import AGENT, MAYA, Line, actions, cite, ref, refused, write

D = "docs/adr/"


def test_a_new_document_is_a_record_of_its_author() -> None:
    """It counts as a person's write where the mapping names the author, keeps the text's own word and its room."""
    line = Line()
    output = line.revise(f"{D}0001-a.md", revision="abc", left_out=(LeftOut(what="line 3", why="no word we know"),))
    (change,) = output.changes
    assert change.record is not None
    assert change.record.by is not None
    assert ("record.created", "person", "ada") == (change.action, change.record.by.kind, change.record.by.id)
    held = line.held("0001-a")
    assert held.upstream is not None
    assert (f"{D}0001-a.md", "abc", "active", ("line 3: no word we know",)) == (
        held.upstream.uri,
        held.upstream.revision,
        held.upstream.status,
        held.upstream.left_out,
    )
    assert ("platform", True) == (held.room, line.head("0001-a").confirmed)
    assert [("0001-a", 1)] == [(landed.record_id, landed.version) for landed in output.landed]


def test_without_an_author_it_is_a_services() -> None:
    """Nobody stands behind a text whose author is not known."""
    line = Line()
    line.revise(f"{D}0001-a.md", author="")
    assert (False, frozenset()) == (line.head("0001-a").confirmed, line.held("0001-a").person_set)


def test_a_text_that_an_agent_brings_is_the_agents() -> None:
    """Whomever it names as its author: an agent neither stands behind a record nor changes what a person set."""
    line = Line()
    line.revise("a/1.md", "by ada")
    assert ["proposal.opened"] == actions(line.revise("a/1.md", "by nobody", actor=AGENT))
    assert (body_digest("by ada"), "coder") == (line.held("1").body_digest, proposer(line))
    (change,) = line.revise("a/2.md", actor=AGENT).changes
    assert change.record is not None
    assert (None, "kept") == (change.record.by, change.record.confirmation)
    assert (False, frozenset()) == (line.head("2").confirmed, line.held("2").person_set)


def proposer(line: Line) -> str:
    """Give who proposed the one thing that waits."""
    (proposal,) = line.proposals()
    return proposal.by.id if proposal.by else ""


def test_the_same_text_again_is_no_change() -> None:
    """A revision that changed no word takes no seq."""
    line = Line()
    line.revise(f"{D}0001-a.md", revision="one")
    assert () == line.revise(f"{D}0001-a.md", revision="two").changes


def test_a_text_that_has_lost_its_status_says_nothing_of_it() -> None:
    """The record's status stays, and the rest of the text lands."""
    line = Line()
    line.revise("a/1.md", "one", status="draft")
    line.revise("a/1.md", "two", status=None)
    assert ("draft", body_digest("two")) == (line.held("1").status, line.held("1").body_digest)


def test_a_body_too_large_is_left_out_and_told() -> None:
    """The text that stood stays; all else that the revision says lands."""
    line = Line()
    line.revise("a/1.md", "one")
    line.revise("a/1.md", "é" * (128 * 1024 + 1), status="withdrawn")
    held = line.held("1")
    assert held.upstream is not None
    assert (body_digest("one"), "withdrawn", ("body: larger than 262144 bytes",)) == (
        held.body_digest,
        held.status,
        held.upstream.left_out,
    )


def test_an_older_revision_is_passed_over() -> None:
    """Told late, or told again, it sets nothing back and begins nothing, wherever its document lived; it is told."""
    line = Line()
    line.revise(f"{D}a.md", "one", revised_at_us=10)
    line.revise("new/a.md", "three", former_uri=f"{D}a.md", revised_at_us=30, revision="r3")
    line.revise("new/b.md", "gone", revised_at_us=20)
    line.revise("new/b.md", deleted=True, revised_at_us=40)
    before = line.outputs[-1].last_seq
    late: tuple[tuple[str, dict[str, Any]], ...] = (
        (f"{D}a.md", {"text": "one"}),
        ("new/a.md", {"text": "two"}),
        ("new/a.md", {"text": "two", "former_uri": f"{D}a.md"}),
        (f"{D}a.md", {"former_uri": "new/a.md"}),
        ("new/a.md", {"deleted": True}),
        ("new/b.md", {"text": "gone"}),
        ("new/c.md", {"text": "gone", "former_uri": "new/b.md"}),
    )
    for uri, parts in late:
        output = line.revise(uri, revised_at_us=20, revision="r2", references=(ref("relates_to", "new/a.md"),), **parts)
        assert (before, (), (f"{uri} at r2: older than what stands",)) == (
            output.last_seq,
            output.imported,
            output.left_out,
        )
    assert ["a", "b"] == sorted(line.workspace.held)
    assert ["record.written"] == actions(line.revise("new/a.md", "at once", revised_at_us=30))
    assert ["record.created"] == actions(line.revise(f"{D}a.md", "another", revised_at_us=30))
    assert ["record.written"] == actions(line.revise("new/a.md", "by nobody's clock"))
    assert () == line.revise("new/a.md", "two", revised_at_us=20).changes


def test_a_document_whose_place_was_taken_stays_gone() -> None:
    """What is told late of a document that another one took the place of is older than its end."""
    line = Line()
    line.revise("a.md", "a", revised_at_us=10)
    line.revise("b.md", "b", revised_at_us=10)
    line.revise("b.md", "a", former_uri="a.md", revised_at_us=30)
    assert () == line.revise("c.md", "b", former_uri="b.md", revised_at_us=20).changes
    assert (True, "b.md") == (line.held("b").deleted, line.workspace.imported["a"].uri)


def test_only_what_the_text_changed_is_written() -> None:
    """What people did here stays when the text changed something else."""
    line = Line()
    line.revise(f"{D}0001-a.md", fields={"owner": "ada"})
    line.write(write("0001-a", label="Our name for it", owner=None, area="api"))
    line.revise(f"{D}0001-a.md", "another text", fields={"owner": "ada"})
    held = line.held("0001-a")
    assert ("Our name for it", None, '"api"') == (held.label, held.fields.get("owner"), held.fields.get("area"))


def test_a_services_text_does_not_undo_what_a_person_set() -> None:
    """That part waits in a proposal, the rest lands; with an author the text is a person's later word."""
    line = Line()
    line.revise(f"{D}0001-a.md", author="", label="one")
    line.write(write("0001-a", label="ours"))
    output = line.revise(f"{D}0001-a.md", "another text", author="", label="two")
    assert ["record.written", "proposal.opened"] == actions(output)
    assert ("ours", 3) == (line.held("0001-a").label, line.held("0001-a").version)
    assert output.changes[1].proposal is not None
    assert "person_set" == output.changes[1].proposal.why
    line.revise(f"{D}0001-a.md", "another text", author="ada", label="three")
    assert "three" == line.held("0001-a").label


def test_rename_keeps_the_record() -> None:
    """A document that moves is the same record, at the same version, with the uris it had."""
    line = Line()
    line.revise(f"{D}0001-a.md", "text")
    output = line.revise("adr/0001-a.md", "text", former_uri=f"{D}0001-a.md", label="Label of 0001-a.md")
    assert ["record.renamed"] == actions(output)
    held = line.held("0001-a")
    assert held.upstream is not None
    assert ("adr/0001-a.md", (f"{D}0001-a.md",), 1) == (held.upstream.uri, held.upstream.former_uris, held.version)
    assert ["record.written"] == actions(line.revise("adr/0001-a.md", "new"))
    assert ["0001-a"] == list(line.workspace.held)


def test_rename_of_a_document_never_seen() -> None:
    """A document first seen when it moved is new, and says where it was."""
    line = Line()
    line.revise("adr/0001-a.md", former_uri=f"{D}0001-a.md")
    held = line.held("0001-a")
    assert held.upstream is not None
    assert (f"{D}0001-a.md",) == held.upstream.former_uris


def test_rename_onto_another_document_ends_that_one() -> None:
    """A document whose place another one takes is gone."""
    line = Line()
    line.revise(f"{D}a.md", "a")
    line.revise(f"{D}b.md", "b")
    line.revise(f"{D}b.md", "a", former_uri=f"{D}a.md", label="Label of a.md")
    assert (True, False) == (line.held("b").deleted, line.held("a").deleted)
    assert ["record.written"] == actions(line.revise(f"{D}b.md", "aa", label="Label of a.md"))
    assert 2 == line.held("a").version


def test_deleted_document_is_a_tombstone_and_comes_back() -> None:
    """Its record is deleted and says so to what rests on it; the same file again is the same record."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("r", "rule", links={"based_on": ["0001-a"]}))
    assert ["record.deleted"] == actions(line.revise(f"{D}0001-a.md", deleted=True))
    held = line.held("0001-a")
    assert held.upstream is not None
    assert (True, True) == (held.deleted, held.upstream.deleted)
    assert ["deleted"] == [reason.change.kind for reason in line.read("r").reasons]
    assert ["record.created"] == actions(line.revise(f"{D}0001-a.md", "again"))
    again = line.held("0001-a")
    assert again.upstream is not None
    assert (False, False, 3) == (again.deleted, again.upstream.deleted, again.version)
    assert () == line.revise(f"{D}never.md", deleted=True).changes


def test_record_that_people_deleted_stays_deleted() -> None:
    """A new text does not bring back what people deleted here."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("0001-a", delete=True))
    assert () == line.revise(f"{D}0001-a.md", "new text").changes
    assert line.held("0001-a").deleted


def test_taken_ids_get_a_digest() -> None:
    """A document whose id is taken, by another one or by a record written here, gets its own."""
    line = Line()
    line.write(write("adr-1", "decision"))
    first = line.revise("a/1.md", record_id="adr-1").landed[0].record_id
    second = line.revise("b/1.md", record_id="adr-1").landed[0].record_id
    third = line.revise("c/1.md", record_id="No Id!").landed[0].record_id
    assert 3 == len({first, second, "adr-1"})
    assert first.startswith("adr-1-")
    assert third.startswith("doc-")


def test_what_the_kind_does_not_hold_is_told() -> None:
    """A field that the kind lacks, or a value it may not hold, is left out and told; the rest lands."""
    line = Line()
    line.revise(f"{D}0001-a.md", fields={"colour": "red", "decided_on": "soon", "owner": "ada"})
    held = line.held("0001-a")
    assert held.upstream is not None
    assert 2 == len(held.upstream.left_out)
    assert {"owner": '"ada"', "status": '"active"'} == dict(held.fields)


def test_unknown_kind_is_refused() -> None:
    """A mapping to a kind that the vocabulary lacks is refused, nothing lands."""
    line = Line()
    output = line.revise(f"{D}0001-a.md", kind="poem")
    assert ("UNKNOWN_KIND", ()) == (refused(output), output.changes)


def test_a_link_is_one_whichever_side_states_it() -> None:
    """Stated by the old document, then by both, then by the new one alone; gone when neither does."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.revise(f"{D}0002-b.md")
    amended, amends = ref("amends", f"{D}0002-b.md", "in"), ref("amends", f"{D}0001-a.md")
    line.revise(f"{D}0001-a.md", "two", references=(amended,))
    assert [("amends", "0001-a", "to")] == line.linked("0002-b")
    line.revise(f"{D}0002-b.md", "two", references=(amends,))
    assert [("amends", "0001-a", "both")] == line.linked("0002-b")
    line.revise(f"{D}0001-a.md", "three")
    assert [("amends", "0001-a", "from")] == line.linked("0002-b")
    line.revise(f"{D}0002-b.md", "three")
    assert [] == line.linked("0002-b")


def test_links_that_people_made_stay() -> None:
    """A text that never stated a link does not take it away."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.revise(f"{D}0002-b.md")
    line.write(write("0002-b", links={"refines": ["0001-a"]}))
    line.revise(f"{D}0002-b.md", "two", references=(ref("amends", f"{D}0001-a.md"),))
    assert [("refines", "0001-a", "from"), ("amends", "0001-a", "from")] == line.linked("0002-b")


def test_reference_waits_for_its_target_and_moves_nothing() -> None:
    """A reference to what is not there yet is told, and lands when it appears, as what the text always said."""
    line = Line()
    line.revise(f"{D}0001-a.md", references=(ref("depends_on", f"{D}0002-b.md"),))
    line.write(write("r", "rule", links={"based_on": ["0001-a"]}))
    held = line.held("0001-a")
    assert held.upstream is not None
    assert (f"depends_on {D}0002-b.md",) == held.upstream.unresolved
    assert ["record.created", "record.written"] == actions(line.revise(f"{D}0002-b.md"))
    held = line.held("0001-a")
    assert held.upstream is not None
    assert ((), [("depends_on", "0002-b", "from")]) == (held.upstream.unresolved, line.linked("0001-a"))
    assert ("current", True) == (line.read("r").state, line.head("0001-a").confirmed)
    line.revise(f"{D}0002-b.md", status="withdrawn")
    assert "needs_review" == line.read("r").state


def test_reference_that_a_text_adds_later_is_a_move() -> None:
    """A new ground in a new text moves what rests on the record."""
    line = Line()
    line.revise(f"{D}0001-a.md", "same")
    line.revise(f"{D}0002-b.md")
    line.write(write("r", "rule", links={"based_on": ["0001-a"]}))
    line.revise(f"{D}0001-a.md", "same", references=(ref("depends_on", f"{D}0002-b.md"),))
    assert [("link", "0002-b")] == [(reason.change.kind, reason.change.to) for reason in line.read("r").reasons]


def test_reference_by_number_and_by_id() -> None:
    """A number means the one document of the folder that has it, and none when two do; an id means the record."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.revise(f"{D}0003-c.md", references=(ref("amends", f"{D}#1"), ref("amends", f"{D}#2"), ref("assumes", "id:h")))
    held = line.held("0003-c")
    assert held.upstream is not None
    assert (f"amends {D}#2", "assumes id:h") == held.upstream.unresolved
    line.write(write("h", "hypothesis"))
    line.revise(f"{D}0002-b.md")
    links = [("assumes", "h", "from"), ("amends", "0001-a", "from"), ("amends", "0002-b", "from")]
    assert links == line.linked("0003-c")
    line.revise(f"{D}0002-other.md")
    assert links[:2] == line.linked("0003-c")
    line.revise(f"{D}0004-other.md", former_uri=f"{D}0002-other.md", label="Label of 0002-other.md")
    assert links == line.linked("0003-c")


def test_references_survive_the_move_of_their_folder() -> None:
    """Documents that move one after the other keep their links all the while."""
    line = Line()
    line.revise(f"{D}0001-a.md", "a", references=(ref("amends", f"{D}0002-b.md", "in", text="Amended by 2"),))
    line.revise(f"{D}0002-b.md", "b", references=(ref("amends", f"{D}#1", text="Amends 1"),))
    for name, body, reference in (
        ("0001-a.md", "a", ref("amends", "adr/0002-b.md", "in", text="Amended by 2")),
        ("0002-b.md", "b", ref("amends", "adr/#1", text="Amends 1")),
    ):
        output = line.revise(f"adr/{name}", body, former_uri=f"{D}{name}", references=(reference,))
        assert ["record.renamed"] == actions(output)
        assert [("amends", "0001-a", "both")] == line.linked("0002-b")


def test_self_reference_and_wrong_ends_are_told() -> None:
    """A reference that the vocabulary refuses is told, and waits for another one; one to itself does not."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("r", "rule"))
    output = line.revise(f"{D}0002-b.md", references=(ref("refines", "id:r"), ref("befriends", f"{D}0001-a.md")))
    assert ["record.created"] == actions(output)
    held = line.held("0002-b")
    assert held.upstream is not None
    assert 2 == len(held.upstream.left_out)
    assert ("refines id:r", f"befriends {D}0001-a.md") == held.upstream.unresolved
    assert [] == line.linked("0002-b")
    line.revise(f"{D}0003-c.md", references=(ref("refines", f"{D}0003-c.md"),))
    itself = line.held("0003-c").upstream
    assert itself is not None
    assert ((), []) == (itself.unresolved, line.linked("0003-c"))


def test_supersession_stated_by_the_old_document() -> None:
    """`Superseded by` makes the link replaces from the new one, which may come later."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("r", "rule", links={"based_on": ["0001-a"]}))
    line.revise(f"{D}0001-a.md", status="superseded", references=(ref("replaces", f"{D}0002-b.md", "in"),))
    assert ["record.created", "record.written"] == actions(line.revise(f"{D}0002-b.md"))
    assert [("replaces", "0001-a", "to")] == line.linked("0002-b")
    assert [("status", "superseded")] == [(reason.change.name, reason.change.to) for reason in line.read("r").reasons]


def test_supersession_that_the_old_document_does_not_know() -> None:
    """The link waits in a proposal with the missing write, the rest lands; it lands when the old text says so."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    output = line.revise(f"{D}0002-b.md", references=(ref("replaces", f"{D}0001-a.md"),))
    assert ["record.created", "proposal.opened"] == actions(output)
    proposal = output.changes[1].proposal
    assert proposal is not None
    assert ("import_refused", "0001-a") == (proposal.why, proposal.record_id)
    assert ["0002-b", "0001-a"] == [one.id for one in proposal.batch.writes]
    assert [("0001-a", 1), ("0002-b", 1)] == [(base.record_id, base.version) for base in proposal.base]
    assert {"0001-a": {proposal.id: "0002-b"}} == line.workspace.heads.claimed
    assert () == line.revise(f"{D}0002-b.md", references=(ref("replaces", f"{D}0001-a.md"),)).changes
    output = line.revise(f"{D}0001-a.md", status="superseded")
    assert ["record.written", "record.written", "proposal.closed"] == actions(output)
    assert [("replaces", "0001-a", "from")] == line.linked("0002-b")
    assert {} == line.workspace.heads.claimed


def test_supersession_that_a_person_completes() -> None:
    """Once a person supersedes the old one here, what the text states lands."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.revise(f"{D}0002-b.md", references=(ref("replaces", f"{D}0001-a.md"),))
    output = line.write(write("0001-a", status="superseded"))
    assert ["record.written", "record.written", "proposal.closed"] == actions(output)
    assert [("replaces", "0001-a", "from")] == line.linked("0002-b")


def test_supersession_that_no_text_states_any_more() -> None:
    """The proposal goes with the statement."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.revise(f"{D}0002-b.md", references=(ref("replaces", f"{D}0001-a.md"),))
    assert ["record.written", "proposal.closed"] == actions(line.revise(f"{D}0002-b.md", "two"))


def test_draft_that_becomes_active_gives_up_its_claim() -> None:
    """A draft carries replaces; accepted while the old one stands, its status lands and the link waits."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    references = (ref("replaces", f"{D}0001-a.md"),)
    line.revise(f"{D}0002-b.md", status="draft", references=references)
    assert [("replaces", "0001-a", "from")] == line.linked("0002-b")
    output = line.revise(f"{D}0002-b.md", references=references)
    assert ["record.written", "proposal.opened"] == actions(output)
    assert ("active", []) == (line.held("0002-b").status, line.linked("0002-b"))


def test_old_document_comes_back() -> None:
    """A superseded document that is accepted again leaves the new one's claim waiting."""
    line = Line()
    line.revise(f"{D}0001-a.md", status="superseded")
    line.revise(f"{D}0002-b.md", references=(ref("replaces", f"{D}0001-a.md"),))
    output = line.revise(f"{D}0001-a.md")
    assert ["record.written", "record.written", "proposal.opened"] == actions(output)
    assert ("active", []) == (line.held("0001-a").status, line.linked("0002-b"))


def test_old_document_does_not_come_back_against_what_people_linked() -> None:
    """Where people made the link here, it is the text's status that waits."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("new", "decision", links={"replaces": ["0001-a"]}), write("0001-a", status="superseded"))
    line.revise(f"{D}0001-a.md", "two", status="superseded")
    output = line.revise(f"{D}0001-a.md", "two")
    assert ["record.written", "proposal.opened"] == actions(output)
    held = line.held("0001-a")
    assert held.upstream is not None
    assert ("superseded", "active") == (held.status, held.upstream.status)


def test_old_document_comes_back_from_nowhere_against_what_people_linked() -> None:
    """A file that was deleted and comes back in force is superseded all the same, and its own word waits."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("new", "decision", links={"replaces": ["0001-a"]}), write("0001-a", status="superseded"))
    line.revise(f"{D}0001-a.md", deleted=True)
    output = line.revise(f"{D}0001-a.md")
    assert ["record.created", "proposal.opened"] == actions(output)
    assert "superseded" == line.held("0001-a").status
    assert "HALF_WRITTEN_REVERSAL" == refused(line.publish(line.proposals()[0]))


def test_supersession_in_part_amends_with_the_texts_words() -> None:
    """It never replaces, and keeps the words."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    reference = ref("amends", f"{D}0001-a.md", text="in part supersedes 1", partial=True)
    line.revise(f"{D}0002-b.md", references=(reference,))
    assert ["in part supersedes 1"] == [link.note for link in line.held("0002-b").links]


def test_imports_keep_citations_made_here() -> None:
    """A new text says nothing about what people cited."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    line.write(write("0001-a", evidence=(cite("u"),)))
    line.revise(f"{D}0001-a.md", "two")
    assert 1 == len(line.held("0001-a").evidence)


def test_agents_do_not_change_a_text_by_an_author() -> None:
    """What a text's author set is a person's."""
    line = Line()
    line.revise(f"{D}0001-a.md")
    assert ["proposal.opened"] == actions(line.write(write("0001-a", label="x"), actor=AGENT))
    assert ["record.written", "proposal.closed"] == actions(line.write(write("0001-a", label="x"), actor=MAYA))


def test_many_references_are_settled_in_parts() -> None:
    """What more documents wait for than one message may change lands at the next ticks."""
    line = Line()
    for number in range(502):
        line.revise(f"{D}9{number}.md", references=(ref("amends", f"{D}0001-a.md"),))
    assert 501 == len(line.revise(f"{D}0001-a.md").changes)
    assert [] == line.linked("9501")
    assert 2 == len(line.tick().changes)
    assert [("amends", "0001-a", "from")] == line.linked("9501")
    assert () == line.tick().changes
