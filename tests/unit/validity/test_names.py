"""Documents that others call by more than their uri, and texts of which nothing can be read any more."""

from msgspec.structs import replace

from stanchion_contracts.claim import LeftOut, Reference
from support.validity import Line, actions, ref

K = "keps/sig-a/"


def kep(line: Line, folder: str, *references: Reference, former_uri: str = "") -> None:
    """Import a document that stands for its folder, and is called by that and by its number."""
    path, number = f"{K}{folder}", folder.partition("-")[0]
    names = (path, f"keps/**/{folder}", f"keps/**/#{number}")
    line.revise(f"{path}/kep.yaml", record_id=folder, names=names, references=references, former_uri=former_uri)


def see(target: str, *otherwise: str) -> Reference:
    """Give a reference with the names to try where its target finds nothing."""
    return replace(ref("relates_to", target), otherwise=otherwise)


def unresolved(line: Line, record_id: str) -> tuple[str, ...]:
    """Give the references of a record that find nothing."""
    held = line.held(record_id)
    return () if held.upstream is None else held.upstream.unresolved


def linked(line: Line, record_id: str) -> set[str]:
    """Give the records that a record relates to."""
    return {to for _, to, _ in line.linked(record_id)}


def test_the_path_then_the_name_then_the_number() -> None:
    """A folder's path means its document; where it means none, a folder of that name does, then one of that number."""
    line = Line()
    kep(line, "1-one")
    kep(line, "2-two")
    kep(line, "3-by-path", see(f"{K}1-one", "keps/**/#2"))
    kep(line, "4-by-name", see("keps/sig-b/1-one", "keps/**/1-one", "keps/**/#2"))
    kep(line, "5-by-number", see(f"{K}2-twain", "keps/**/2-twain", "keps/**/#2"))
    kep(line, "6-by-none", see(f"{K}9-none", "keps/**/9-none", "keps/**/#9"))
    found = {name: linked(line, name) for name in ("3-by-path", "4-by-name", "5-by-number", "6-by-none")}
    assert {"3-by-path": {"1-one"}, "4-by-name": {"1-one"}, "5-by-number": {"2-two"}, "6-by-none": set()} == found
    assert (f"relates_to {K}9-none",) == unresolved(line, "6-by-none")


def test_a_reference_waits_for_any_of_its_names() -> None:
    """What comes later under a name that a text tried is linked to, and let go when another has the name, too."""
    line = Line()
    kep(line, "7-first", see(f"{K}8-old-name", "keps/**/#8"))
    kep(line, "8-new-name")
    assert ({"8-new-name"}, ()) == (linked(line, "7-first"), unresolved(line, "7-first"))
    kep(line, "8-other")
    assert (set(), (f"relates_to {K}8-old-name",)) == (linked(line, "7-first"), unresolved(line, "7-first"))
    line.revise(f"{K}8-other/kep.yaml", record_id="8-other", deleted=True)
    assert ({"8-new-name"}, ()) == (linked(line, "7-first"), unresolved(line, "7-first"))


def test_a_name_that_was_given_up() -> None:
    """A document that got another name is still found by the one it had, until another takes that."""
    line = Line()
    kep(line, "1-old")
    kep(line, "1-new", former_uri=f"{K}1-old/kep.yaml")
    kep(line, "2-two", see(f"{K}1-old"))
    assert {"1-old"} == linked(line, "2-two")
    kep(line, "1-old")
    (held,) = (
        held for held in line.workspace.held.values() if held.upstream and held.upstream.uri == f"{K}1-old/kep.yaml"
    )
    assert {held.id} == linked(line, "2-two")


def test_a_text_that_cannot_be_read_any_more() -> None:
    """Its record, its links and its body stay as they were, at the place and revision it has now, and it says why."""
    line = Line()
    line.revise("adr/2.md", record_id="two")
    line.revise("adr/1.md", "text", record_id="one", references=(ref("amends", "adr/2.md"),), fields={"owner": "ada"})
    before = line.held("one")
    why = (LeftOut(what="adr/one.md", why="no status"),)
    line.revise("adr/one.md", former_uri="adr/1.md", unreadable="no status", revision="b", left_out=why, author="")
    after = line.held("one")
    assert after.upstream is not None
    assert ("adr/one.md", "b", "active", ("adr/one.md: no status",)) == (
        after.upstream.uri,
        after.upstream.revision,
        after.upstream.status,
        after.upstream.left_out,
    )
    assert before == replace(after, upstream=before.upstream)
    again = line.revise("adr/one.md", "text", record_id="one", label="Label of 1.md", fields={"owner": "ada"})
    readable = line.held("one").upstream
    assert readable is not None
    assert (["record.written"], [], ()) == (actions(again), line.linked("one"), readable.left_out)


def test_a_text_that_handed_over_what_it_was() -> None:
    """A file that says no more what it said hands its record to the one beside it, which then says it; once only."""
    line = Line()
    line.revise("keps/0006-apply.md", "text")
    there = f"{K}555-apply/kep.yaml"
    line.revise(there, record_id="555-apply", former_uri="keps/0006-apply.md", unreadable="no status")
    assert ["record.written"] == actions(line.revise(there, "yaml", record_id="555-apply"))
    held = line.held("0006-apply")
    assert held.upstream is not None
    assert (["0006-apply"], ("keps/0006-apply.md",)) == (list(line.workspace.held), held.upstream.former_uris)
    assert () == line.revise(there, former_uri=f"{K}555-apply/README.md", unreadable="no status").changes


def test_a_text_that_comes_too_late_to_hand_over() -> None:
    """Where another document lives already, that one stays as it is and hears of it; the one that came is gone."""
    line = Line()
    line.revise("keps/0006-apply.md", "text")
    there = f"{K}555-apply/kep.yaml"
    line.revise(there, "yaml", record_id="555-apply", fields={"owner": "ada"})
    before = line.held("555-apply")
    why = (LeftOut(what="README.md", why="no status"),)
    line.revise(there, former_uri="keps/0006-apply.md", unreadable="no status", left_out=why)
    after = line.held("555-apply")
    assert after.upstream is not None
    assert (True, ("README.md: no status",)) == (line.held("0006-apply").deleted, after.upstream.left_out)
    assert before == replace(after, upstream=before.upstream)


def test_an_unreadable_text_begins_nothing() -> None:
    """A text that was no record before makes none, and does not bring back one that is gone."""
    line = Line()
    assert () == line.revise("adr/notes.md", unreadable="no status").changes
    line.revise("adr/1.md")
    line.revise("adr/1.md", deleted=True)
    assert () == line.revise("adr/1.md", unreadable="no status").changes
