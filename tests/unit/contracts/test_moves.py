"""Which moves a head keeps."""

from stanchion_contracts.moves import MANY
from support.validity import AGENT, Line, write

TIMES = 10 * MANY


def rewritten(line: Line, times: int = TIMES) -> int:
    """Give how many moves the head of `d` keeps after so many new texts."""
    for number in range(times):
        line.write(write("d", body=f"text {number} {line.workspace.seq}"), actor=AGENT)
    return len(line.head("d").moves)


def test_nobody_reads_them() -> None:
    """Where nothing rests on a record, its moves do not pile up, and the last one stays for who affirms it."""
    line = Line()
    line.write(write("d", "decision", body="zero"), actor=AGENT)
    read = line.workspace.seq
    assert rewritten(line) <= MANY
    assert line.workspace.seq == line.head("d").moves[-1].seq
    output = line.affirm("d", read)
    assert output.refusal is not None
    assert "MOVED_SINCE" == output.refusal.reason


def test_somebody_reads_all_of_them() -> None:
    """A rule that rests on it and was never affirmed lists every move; all of them stay."""
    line = Line()
    line.write(write("d", "decision"), write("r", "rule", links={"based_on": ["d"]}), actor=AGENT)
    assert TIMES == rewritten(line) == len(line.read("r").reasons)


def test_affirmed_ones_are_told_of_no_more() -> None:
    """What every rule on the way up has been affirmed past is dropped, and what came later is read whole."""
    line = Line()
    rules = [
        write(f"r{n}", "rule", links={"exception_to": [f"r{n + 1}"]} if n < 3 else {"based_on": ["d"]})
        for n in (1, 2, 3)
    ]
    line.write(write("d", "decision"), *rules, actor=AGENT)
    rewritten(line)
    for rule in ("r2", "r3"):
        line.affirm(rule, line.workspace.seq)
    assert 2 * TIMES == rewritten(line)  # r1 reads them all, three links away
    line.affirm("r1", line.workspace.seq)
    kept = rewritten(line)
    assert 2 * TIMES + MANY > kept
    assert [TIMES, 2 * TIMES, 2 * TIMES] == [len(line.read(rule).reasons) for rule in ("r1", "r2", "r3")]


def test_a_link_from_now_on_reads_what_comes_after_it() -> None:
    """What was dropped nobody can come to by a link made later: such a link is later than every move there was."""
    line = Line()
    line.write(write("d", "decision"), actor=AGENT)
    rewritten(line)
    line.write(write("r", "rule", links={"based_on": ["d"]}), actor=AGENT)
    assert () == line.read("r").reasons
    rewritten(line, 3)
    assert 3 == len(line.read("r").reasons)
