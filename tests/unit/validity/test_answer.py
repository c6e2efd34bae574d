"""What whoever waits for an event or observation is answered."""

import copy

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import LeftOut
from support.validity import MAYA, Line, write

TEXT = LeftOut(what="text", why="free text is not read yet")


def test_what_was_left_out_is_told() -> None:
    """An observation that moved nothing says what was not taken and why, and how far the workspace has come."""
    line = Line()
    line.write(write("r-1", "rule", label="a"))
    answer = line.feed(Beliefs(meta=line.meta(MAYA, "observation"), left_out=(TEXT,)))
    assert ((), ("text: free text is not read yet",), 1) == (answer.changes, answer.left_out, answer.last_seq)


def test_what_a_document_could_not_hold_is_told() -> None:
    """A revision also says what the rules here did not take of it, each once."""
    line = Line()
    answer = line.revise("docs/adr/0001-a.md", fields={"colour": "red"}, left_out=(TEXT,))
    held = line.held("0001-a")
    assert held.upstream is not None
    assert 2 == len(answer.left_out)
    assert held.upstream.left_out == answer.left_out


def test_a_repeat_is_told_as_one() -> None:
    """An observation that came before changes nothing; its answer says so, and which seq covers it."""
    line = Line()
    line.write(write("r-1", "rule", label="a"))
    before = copy.deepcopy(line.state)
    answer = line.feed(Beliefs(meta=line.meta(MAYA, "observation"), repeated=True))
    assert ((), True, 1, 0) == (answer.changes, answer.repeated, answer.last_seq, answer.first_seq)
    assert before == line.state
