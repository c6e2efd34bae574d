"""What a look over all beliefs found: opened and closed once."""

import msgspec

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.finding import ClaimName, Finding
from stanchion_contracts.meta import Actor
from support.validity import Line

STANCHION = Actor(kind="system", id="stanchion")
FOUND = Finding(kind="contradiction", subject="tam", predicate="size", detail="5 USD and 7 USD, 0.46 each")
RELATED = Finding(
    kind="related",
    subject="tam",
    predicate="size",
    related=(ClaimName(subject="tam", predicate="growth"),),
    detail="goes with one more of the same subject",
)
MOVED = Finding(kind="trust_moved", subject="crm", detail="trust went from 0.70 to 0.40")
ALL = (FOUND, RELATED, MOVED)


def find(line: Line, *findings: Finding) -> Changes:
    """Tell of findings."""
    return line.feed(Beliefs(meta=line.meta(STANCHION, "observation"), findings=findings))


def closed(finding: Finding) -> Finding:
    """Give a finding that does not hold any more."""
    return msgspec.structs.replace(finding, closed=True)


def told(output: Changes) -> list[tuple[str, str, str]]:
    """Give action, subject and sentence of each change."""
    return [(change.action, change.subject_id, change.reason) for change in output.changes]


def test_opened_and_closed() -> None:
    """Each begins to hold once and ends once, under its kind and claim, in a sentence."""
    line = Line()
    assert [
        ("finding.opened", "contradiction tam/size", "tam size: 5 USD and 7 USD, 0.46 each"),
        ("finding.opened", "related tam/size", "tam size: goes with one more of the same subject"),
        ("finding.opened", "trust_moved crm", "crm: trust went from 0.70 to 0.40"),
    ] == told(find(line, *ALL))
    ended = msgspec.structs.replace(FOUND, detail="its values no longer contradict each other", closed=True)
    assert [
        ("finding.closed", "contradiction tam/size", "tam size: its values no longer contradict each other")
    ] == told(find(line, ended))
    assert 2 == len(line.workspace.findings)


def test_a_repeat_changes_nothing() -> None:
    """What holds already and what ended already take no seq, in another message or in the same one."""
    line = Line()
    find(line, *ALL, *ALL)
    assert 3 == line.workspace.seq
    find(line, *ALL)
    find(line, closed(FOUND), closed(FOUND))
    find(line, closed(FOUND))
    assert 4 == line.workspace.seq
    output = find(line, FOUND, closed(RELATED), closed(RELATED), RELATED)
    assert ["finding.opened", "finding.closed", "finding.opened"] == [change.action for change in output.changes]


def test_other_words_are_a_repeat_but_not_another_move_of_trust() -> None:
    """How much two values differ changes all day; other related claims, or trust that moved anew, are news."""
    line = Line()
    find(line, *ALL)
    wider = ClaimName(subject="tam", predicate="year")
    output = find(
        line,
        msgspec.structs.replace(FOUND, detail="5 USD at 0.50, 7 USD at 0.42"),
        msgspec.structs.replace(RELATED, related=(*RELATED.related, wider)),
        msgspec.structs.replace(MOVED, detail="trust went from 0.40 to 0.20"),
    )
    assert ["related tam/size", "trust_moved crm"] == [change.subject_id for change in output.changes]


def test_halves_make_the_whole() -> None:
    """Findings told in one message or in several keep the same, and take the same seqs."""
    together, apart = Line(), Line()
    find(together, *ALL, closed(FOUND))
    for finding in (*ALL, closed(FOUND)):
        find(apart, finding)
    assert (together.workspace.findings, together.workspace.seq) == (apart.workspace.findings, apart.workspace.seq)
