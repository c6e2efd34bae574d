"""When a process is started again."""

from stanchion_local.restarts import LIMIT, LONGEST_S, SETTLED_S, UNUSABLE, Restarts, advice


def test_waits_double_then_end() -> None:
    """Quick ends wait 0.5, 1, 2, 4, 8 s; the sixth in a row is the last."""
    history = Restarts()
    waits = [history.ended(1.0) for _ in range(LIMIT)]
    assert [0.5, 1.0, 2.0, 4.0, 8.0, None] == waits
    assert LIMIT - 1 == history.total


def test_a_long_run_forgets() -> None:
    """A process that ran for a minute starts its row anew, so that a crash a day is never given up."""
    history = Restarts()
    waits = [history.ended(SETTLED_S) for _ in range(100)]
    assert [0.5] * 100 == waits


def test_no_wait_is_longer_than_the_longest() -> None:
    """However long the first wait, none passes the longest."""
    history = Restarts(first_s=10.0)
    assert [10.0, LONGEST_S, LONGEST_S] == [history.ended(0.0) for _ in range(3)]


def test_a_process_may_say_that_it_is_no_use() -> None:
    """The exit code for a wrong setting ends the row at once."""
    assert Restarts().ended(0.0, UNUSABLE) is None


def test_what_to_do_depends_on_how_a_process_ended() -> None:
    """Each exit code that means something has its own advice, and any other says that nothing is lost."""
    told = {advice(code) for code in (UNUSABLE, 70, 75, -9, 1)}
    assert 5 == len(told)
    assert advice(1) == advice(3)
    assert "Nothing is lost" in advice(1)
