"""Citations: they belong to the version that carried them, and validity rests on the last explicit list."""

from stanchion_core.walk import Bound
from support.validity import AGENT, DAY_US, Line, actions, cite, refused, write


def cited() -> Line:
    """Give a rule by an agent, affirmed, that cites one source and one document of the workspace."""
    line = Line()
    line.write(
        write("doc", "document", body="one"),
        write("r", "rule", body="one", evidence=(cite("u", "q", "v1"), cite("doc", "", "1"))),
        actor=AGENT,
    )
    line.affirm("r", 2)
    return line


def test_silence_leaves_the_version_without_citations_and_moves_nothing() -> None:
    """A write without the evidence key leaves them behind: no move, no baseline, no confirmation; validity rests on."""
    line = cited()
    line.write(write("top", "rule", links={"exception_to": ["r"]}))
    line.write(write("r", owner="Ada"), actor=AGENT)
    held, head = line.held("r"), line.head("r")
    assert ((), 2) == (held.evidence, len(held.resting))
    assert ((), True, 3) == (head.moves, head.confirmed, head.baseline)
    line.report("u", "v2", absent="q")
    assert ["support_at_risk"] == [reason.kind for reason in line.read("r").reasons]
    assert "current" == line.read("top").state


def test_saying_the_same_list_again_moves_nothing() -> None:
    """The list rested on, said again after silence, is a new version's evidence and no move."""
    line = cited()
    line.write(write("r", owner="Ada"), actor=AGENT)
    line.write(write("r", evidence=(cite("u", "q", "v1"), cite("doc", "", "1"))), actor=AGENT)
    assert (2, ()) == (len(line.held("r").evidence), line.head("r").moves)
    assert 3 == line.head("r").baseline


def test_explicit_list_that_differs_is_a_move() -> None:
    """A citation added, changed or dropped is told by its source; what rests on the record reads it."""
    line = cited()
    line.write(write("top", "rule", links={"exception_to": ["r"]}))
    line.write(write("r", evidence=(cite("u", "q2", "v1"),)), actor=AGENT)
    assert ["u", "doc"] == [move.name for move in line.head("r").moves]
    assert ["citation", "citation"] == [reason.change.kind for reason in line.read("top").reasons]
    assert line.head("r").confirmed
    line.write(write("r", evidence=()), actor=AGENT)
    assert ["u", "doc", "u"] == [move.name for move in line.head("r").moves]
    assert () == line.held("r").resting


def test_new_text_of_a_cited_document_is_a_pin() -> None:
    """The citing record reads input_changed with the pin, what rests on it upstream_changed; a new label is none."""
    line = cited()
    line.write(write("top", "rule", links={"exception_to": ["r"]}), write("doc", label="Doc"))
    assert "current" == line.read("r").state
    line.write(write("doc", body="two"))
    assert [("input_changed", "pin", "3")] == [
        (reason.kind, reason.change.kind, reason.change.to) for reason in line.read("r").reasons
    ]
    assert ["upstream_changed"] == [reason.kind for reason in line.read("top").reasons]


def test_citing_the_new_version_stops_resting_on_the_old() -> None:
    """An agent that cites the document's new version rests on that from then on."""
    line = cited()
    line.write(write("doc", body="two"), actor=AGENT)
    assert "needs_review" == line.read("r").state
    line.write(write("r", evidence=(cite("u", "q", "v1"), cite("doc", "", "2"))), actor=AGENT)
    assert "current" == line.read("r").state


def test_absent_until_a_person_affirms_and_present_clears_nothing() -> None:
    """`absent` puts every citing record at risk, `present` takes it off none, an affirmation does."""
    line = cited()
    line.write(write("r2", "rule", evidence=(cite("u", "q", "v0"),)))
    assert ["citation.observed"] == actions(line.report("u", "v2", absent="q"))
    assert ["needs_review"] * 2 == [line.read(one).state for one in ("r", "r2")]
    line.report("u", "v3", present="q")
    assert "needs_review" == line.read("r").state
    line.affirm("r", line.workspace.seq)
    assert ["current", "needs_review"] == [line.read(one).state for one in ("r", "r2")]


def test_cited_again_with_a_quote_that_is_present() -> None:
    """Citing another quote, or a version in which nobody missed it, clears; the version it was missed in does not."""
    line = cited()
    line.report("u", "v2", absent="q")
    line.write(write("r", evidence=(cite("u", "q", "v2"),)), actor=AGENT)
    assert "needs_review" == line.read("r").state
    line.write(write("r", evidence=(cite("u", "q3", "v2"),)), actor=AGENT)
    assert "current" == line.read("r").state
    line.report("u", "v2", present="q")
    line.write(write("r", evidence=(cite("u", "q", "v2"),)), actor=AGENT)
    assert "current" == line.read("r").state


def test_a_quote_reported_absent_before_anybody_cited_it() -> None:
    """Citing a quote in the version it was missed in is at risk, though nobody cited it when that was reported."""
    line = cited()
    line.report("u", "v2", absent="q7")
    line.write(write("r2", "rule", evidence=(cite("u", "q7", "v2"),)), write("r3", "rule", evidence=(cite("u", "q7"),)))
    assert ["needs_review", "current"] == [line.read(one).state for one in ("r2", "r3")]


def test_thirty_days_without_a_word() -> None:
    """A source neither written nor observed for 30 days bounds what can be said; a report of any kind renews it."""
    line = cited()
    line.now_us += 31 * DAY_US
    assert ("monitoring_incomplete", (Bound("unobserved", "u"),)) == (line.read("r").state, line.read("r").bounds)
    line.report("u", present="q")
    assert "current" == line.read("r").state
    line.now_us += 31 * DAY_US
    line.write(write("r", owner="Ada", evidence=(cite("u", "q", "v1"), cite("doc", "", "1"))), actor=AGENT)
    assert "current" == line.read("r").state


def test_reports_that_say_nothing() -> None:
    """A source that nobody cites takes no seq; a report without a source, or with a quote twice, is refused."""
    line = cited()
    assert () == line.report("elsewhere", absent="q").changes
    assert "FIELD_VALUE" == refused(line.report(" ", absent="q"))
    assert "FIELD_VALUE" == refused(line.report("u", absent="q", present="q"))
    assert "TOO_LARGE" == refused(line.report("u", absent="q" * 2_001))


def test_another_order_of_the_same_citations_moves_nothing() -> None:
    """A person who tells the same citations in another order makes a version, and has not stood behind it anew."""
    line = cited()
    line.write(write("doc", body="two"), actor=AGENT)
    before = line.read("r").reasons
    (change,) = line.write(write("r", evidence=(cite("doc", "", "1"), cite("u", "q", "v1")))).changes
    assert change.record is not None
    assert ((), False, "kept") == (change.record.moves, change.record.baseline, change.record.confirmation)
    assert before == line.read("r").reasons


def test_persons_citation_is_a_new_baseline() -> None:
    """A person who changes what a record cites stands behind it anew."""
    line = cited()
    line.write(write("doc", body="two"), actor=AGENT)
    line.write(write("r", evidence=(cite("u", "q", "v1"), cite("doc", "", "1"), cite("w"))))
    assert ("current", 5, True) == (line.read("r").state, line.head("r").baseline, line.head("r").confirmed)
