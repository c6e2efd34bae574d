"""What reads ask of heads besides whether a record holds."""

from msgspec.structs import replace

from stanchion_contracts.command import QuoteSeen, ReportObservations, Write
from stanchion_contracts.heads import MOST_ABSENT, claimed_by, resting_on, reword, superseded_by, supersedes
from stanchion_core.base_vocabulary import base_text
from stanchion_core.limits import QUOTES
from stanchion_core.vocabulary_text import read
from stanchion_core.walk import Head
from support.validity import AGENT, BASE, Line, cite, ref, write


def test_supersession_reads_as_one_relation() -> None:
    """`replaces` and `supersedes_statement` read the same, from either end."""
    line = Line()
    line.write(write("old", "decision"), write("s1", "statement"))
    line.write(
        write("new", "decision", links={"replaces": ["old"], "relates_to": ["old"]}),
        write("old", status="superseded"),
        write("s2", "statement", links={"supersedes_statement": ["s1"]}),
    )
    heads = line.workspace.heads
    assert (("new",), ("s2",)) == (superseded_by(heads, BASE, "old"), superseded_by(heads, BASE, "s1"))
    assert (("old",), ()) == (supersedes(heads, BASE, "new"), supersedes(heads, BASE, "old"))
    assert () == supersedes(heads, BASE, "nobody")


def test_open_claims_are_named() -> None:
    """Who claims to replace a record that is still in force, until it is settled."""
    line = Line()
    line.revise("a/1.md")
    line.revise("a/2.md", references=(ref("replaces", "a/1.md"),))
    assert ("2",) == claimed_by(line.workspace.heads, "1")
    line.revise("a/1.md", status="superseded")
    assert () == claimed_by(line.workspace.heads, "1")


def test_a_claim_follows_its_proposal() -> None:
    """Edited, a proposal waits on in its place, and who it claims to replace is what it says now."""
    line = Line()
    line.write(write("a", "decision", label="A"), write("b", "decision"), write("c", "decision"))
    line.write(write("a", links={"replaces": ["b"]}), write("b", status="superseded"), actor=AGENT)
    line.write(write("a", label="x"), actor=AGENT)
    first, second = line.proposals()
    line.edit(first, write("a", links={"replaces": ["c"]}), write("c", status="superseded"))
    heads = line.workspace.heads
    assert ((), ("a",)) == (claimed_by(heads, "b"), claimed_by(heads, "c"))
    assert [first.id, second.id] == list(heads.proposals)
    line.reject(line.proposals()[0])
    assert ({}, [second.id]) == (heads.claimed, list(heads.proposals))


def test_who_rests_on_a_record() -> None:
    """By a resting link or by a citation of its id; not by other links."""
    line = Line()
    line.write(write("d", "decision"), write("x", "rule", links={"relates_to": ["d"]}))
    line.write(write("r", "rule", links={"based_on": ["d"]}), write("c", "rule", evidence=(cite("d"),)), actor=AGENT)
    assert ("r", "c") == resting_on(line.workspace.heads, "d")
    line.write(write("r", links={"based_on": []}), write("c", evidence=()), actor=AGENT)
    assert () == resting_on(line.workspace.heads, "d")


def test_indexes_hold_nothing_of_what_is_gone() -> None:
    """What points nowhere any more leaves nothing behind."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule", links={"based_on": ["d"]}, evidence=(cite("u", "q"),)))
    line.report("u", "v2", absent="q")
    line.report("u", "v2", present="q")
    line.write(write("r", links={"based_on": []}, evidence=()))
    heads = line.workspace.heads
    assert ({}, {}, {}) == (heads.linked_from, heads.citing, heads.absent)


def test_quotes_reported_absent_are_bounded() -> None:
    """Of one source those reported last are remembered, whether anybody cites them or not; a new report is the last."""
    line, token = Line(), "v"
    line.write(write("r", "rule", evidence=(cite("u", "q"),)))
    line.report("u", token, absent="first")
    line.report("u", token, absent="kept")
    for number in range(MOST_ABSENT // QUOTES):
        if number == 1:
            line.report("u", token, absent="kept")
        quotes = tuple(QuoteSeen(quote=f"q{number}-{n}", seen="absent") for n in range(QUOTES - (number == 0)))
        line.command(AGENT, report=ReportObservations(uri="u", version_token=token, quotes=quotes))
    assert MOST_ABSENT == len(line.workspace.heads.absent["u"])
    line.write(*(write(one, "rule", evidence=(cite("u", one, token),)) for one in ("first", "kept", "q0-0")))
    assert ["current", "needs_review", "needs_review"] == [line.read(one).state for one in ("first", "kept", "q0-0")]


def test_a_record_that_comes_back_rests_on_nothing_old() -> None:
    """After a deletion a record starts afresh: neither its old links nor its old citations are walked."""
    line = Line()
    line.write(write("h", "hypothesis"), write("d", "decision", links={"assumes": ["h"]}, evidence=(cite("u", "q"),)))
    line.write(Write(id="d", delete=True))
    line.write(write("d", "decision", label="Again"))
    head, heads = line.head("d"), line.workspace.heads
    assert ((), (), None, {}, {}) == (head.grounds, head.citations, head.claim, heads.linked_from, heads.citing)
    line.write(write("h", status="refuted"))
    assert "current" == line.read("d").state


def test_what_rested_on_a_record_that_came_back_still_says_so() -> None:
    """The deletion of what it rested on stays a reason though the record is there again."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule", links={"based_on": ["d"]}))
    line.write(Write(id="d", delete=True))
    line.write(write("d", "decision"))
    assert ["deleted"] == [reason.change.kind for reason in line.read("r").reasons]


class Written(dict[str, Head]):
    """Heads that remember which were put."""

    def __init__(self, heads: dict[str, Head]) -> None:
        super().__init__(heads)
        self.put: list[str] = []

    def __setitem__(self, record_id: str, head: Head) -> None:
        """Put a head."""
        self.put.append(record_id)
        super().__setitem__(record_id, head)


def test_another_vocabulary_puts_only_what_reads_otherwise() -> None:
    """Whoever keeps heads in layers or files writes no more than what changed; the way back gives the same heads."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule", links={"based_on": ["d"]}), write("i", "intent"))
    records = Written(line.workspace.heads.records)
    heads = replace(line.workspace.heads, records=records)
    reword(heads, read(base_text().replace("based_on: {from: [rule], to: [decision], rests: true}", "based_on: {}")))
    assert (["r"], ()) == (records.put, records["r"].grounds)
    reword(heads, read(base_text().replace("in_force: [standing]", "in_force: [dropped]")))
    assert (["r", "r", "i"], False) == (records.put, records["i"].in_force)
    reword(heads, BASE)
    assert line.workspace.heads == heads
