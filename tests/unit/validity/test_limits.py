"""One input never makes more changes than a message can carry; what is left is made up for later."""

from typing import Any

import pytest

from stanchion_audit import handler as audit
from stanchion_contracts.change import Changes
from stanchion_contracts.claim import Reference
from stanchion_contracts.codec import encode
from stanchion_contracts.meta import Actor
from stanchion_contracts.outline import read_outline
from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_validity.core import hypothesis, message_size
from stanchion_validity.core.message_size import MOST_CHANGE_BYTES
from support.validity import AGENT, CLAIM, Line, actions, ref, refused, write

TEST: dict[str, Any] = {"claim": {"subject": CLAIM[0], "predicate": CLAIM[1]}, "condition": {"op": "true"}}


def size(output: Changes) -> int:
    """Give how many bytes a message has."""
    return len(encode(output))


def long_references(*targets: str) -> tuple[Reference, ...]:
    """Give references to these, and to as many others with long names as a text may have."""
    others = (ref("depends_on", f"a/{number:02}{'x' * 2_000}.md") for number in range(64 - len(targets)))
    return (*(ref("amends", target) for target in targets), *others)


def test_a_document_that_many_texts_wait_for() -> None:
    """Sixty texts with long lists of open references find their target: some at once, the rest at ticks."""
    line = Line()
    for number in range(100, 160):
        line.revise(f"a/{number}-x.md", references=long_references("a/new.md"))
    outputs = [line.revise("a/new.md")]
    outputs += [line.tick() for _ in range(20)]
    assert all(size(output) <= MOST_CHANGE_BYTES for output in outputs)
    assert all([("amends", "new", "from")] == line.linked(f"{number}-x") for number in range(100, 160))


def test_a_record_that_many_texts_wait_for() -> None:
    """What waits for a record never keeps it from being written: what does not fit beside it lands at ticks."""
    line = Line()
    for number in range(100, 160):
        line.revise(f"a/{number}-x.md", references=long_references("id:new"))
    outputs = [line.write(write("new", "decision"))]
    outputs += [line.tick() for _ in range(20)]
    assert ("", True) == (refused(outputs[0]), all(size(output) <= MOST_CHANGE_BYTES for output in outputs))
    assert all([("amends", "new", "from")] == line.linked(f"{number}-x") for number in range(100, 160))


def test_a_write_that_brings_about_many_small_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change has an entry of its own in the ledger, so a command makes no more of them than a revision does."""
    line = Line()
    for number in range(30):
        line.revise(f"a/{number}-x.md", references=(ref("amends", "id:new"),))
    monkeypatch.setattr(message_size, "MOST_CHANGES", 20)
    outputs = [line.write(write("new", "decision")), *(line.tick() for _ in range(10))]
    assert ("", True) == (refused(outputs[0]), all(len(output.changes) <= 20 for output in outputs))
    assert all([("amends", "new", "from")] == line.linked(f"{number}-x") for number in range(30))


def test_entries_that_name_a_long_name_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each entry names who acted and for whom: however they are called, what audit makes of it all fits a message."""
    monkeypatch.setattr(message_size, "MOST_LEDGER_BYTES", 300_000)
    line = Line()
    for number in range(100, 300):
        line.revise(f"a/{number}-x.md", references=(ref("amends", "a/new.md"),))
    name = "\U00010400" * 256
    line.revise("a/new.md", actor=Actor(kind="service", id=name, on_behalf_of=name))
    state, largest = audit.State(), 0
    for output in (*line.outputs, *(line.tick() for _ in range(10))):
        notarised = audit.decide(state, read_outline(encode(output)))
        if notarised is not None:
            audit.evolve(state, notarised)
            largest = max(largest, len(encode(notarised)))
    assert 50_000 < largest <= 300_000
    assert all([("amends", "new", "from")] == line.linked(f"{number}-x") for number in range(100, 300))


def test_a_revision_that_fits_no_message_is_refused() -> None:
    """When even the text's own links would not fit, it is refused with the limit, and the line goes on."""
    line = Line()
    words = "\U00010400" * 500
    targets = [f"b/{other}-b.md" for other in range(63)]
    for target in targets:
        line.revise(target)
    for number in range(64):
        line.revise(f"a/{number}.md", references=tuple(ref("amends", target, text=words) for target in targets))
    assert all(63 == len(line.linked(str(number))) for number in range(64))
    output = line.revise("a/hub.md", references=tuple(ref("amends", f"a/{n}.md", "in", text="x") for n in range(64)))
    assert ("TOO_LARGE", True) == (refused(output), size(output) < MAX_MESSAGE_BYTES)
    assert "hub" not in line.workspace.held
    assert "" == refused(line.revise("a/hub.md"))


def test_many_hypotheses_with_long_names_cross_at_once() -> None:
    """A thousand hypotheses on one claim cross in as few messages as fit."""
    line = Line()
    for start in range(0, 1_000, 100):
        line.write(*(write(f"h{n}", "hypothesis", label="\U00010400" * 299, **TEST) for n in range(start, start + 100)))
    output = line.believe(0.95)
    assert size(output) <= MOST_CHANGE_BYTES
    line.tick()
    assert {"supported"} == {line.held(f"h{n}").status for n in range(1_000)}


def test_a_document_that_moves_often() -> None:
    """The places a document left are all known; its record tells the latest of them."""
    line = Line()
    for number in range(100):
        former = f"a/{number - 1}/x.md" if number else ""
        line.revise(f"a/{number}/x.md", record_id="x", former_uri=former)
    upstream = line.held("x").upstream
    assert upstream is not None
    assert (64, "a/98/x.md") == (len(upstream.former_uris), upstream.former_uris[-1])
    assert "x" == line.workspace.former["a/0/x.md"]


def test_proposals_that_wait_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypotheses whose status a person set, and that evidence disagrees with, do not use up what a tick may cross."""
    line = Line()
    line.write(*(write(f"a{n}", "hypothesis", **TEST) for n in range(3)))
    line.write(*(write(f"a{n}", status="abandoned") for n in range(3)))
    line.write(*(write(f"a{n}", status="open") for n in range(3)))
    line.write(write("b", "hypothesis", **TEST), actor=AGENT)
    monkeypatch.setattr(hypothesis, "MOST_CROSSINGS", 3)
    assert ["proposal.opened"] * 3 == actions(line.believe(0.95))[1:]
    assert ["record.written"] == actions(line.tick())
    assert "supported" == line.held("b").status


def test_large_proposals_that_come_true_at_once() -> None:
    """A person may write what several large proposals say: as many close as a message can carry, the rest later."""
    line = Line()
    line.write(write("r", "rule", owner="Ada"))
    batch = (write("r", owner="Bo"), *(write(f"r{n}", "rule", body=f"{n}" * 250_000) for n in range(7)))
    for number in range(4):
        assert ["proposal.opened"] == actions(line.write(*batch, actor=Actor(kind="agent", id=f"a{number}")))
    output = line.write(*batch)
    assert ("", True) == (refused(output), size(output) <= MOST_CHANGE_BYTES)
    for number in range(3):
        line.write(write("r", label=f"Label {number}"))
    assert {} == line.workspace.heads.proposals


def test_large_proposals_that_a_publication_makes_true() -> None:
    """The largest batch may be published though others say the same: they close with later writes."""
    line = Line()
    line.write(write("r", "rule", owner="Ada"))
    batch = (write("r", owner="Bo"), *(write(f"r{n}", "rule", body=f"{n}" * 260_000) for n in range(8)))
    for number in range(3):
        line.write(*batch, actor=Actor(kind="agent", id=f"a{number}"))
    output = line.publish(line.proposals()[0])
    assert ("", True) == (refused(output), size(output) <= MOST_CHANGE_BYTES)
    assert 1 == actions(output).count("proposal.closed")
    for number in range(2):
        line.write(write("r", label=f"Label {number}"))
    assert () == line.proposals()
