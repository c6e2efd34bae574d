"""What a person sees of a run."""

import io

from rich.console import Console

from stanchion_local.show import StatusLine, Steps, line_of
from stanchion_local.status import ProcessStatus, Status


def process(name: str, state: str = "ready", lag: int = 0, dead_letters: int = 0) -> ProcessStatus:
    """A process in a status."""
    return ProcessStatus(name=name, state=state, pid=1, restarts=0, lag=lag, dead_letters=dead_letters)


def test_line_when_all_is_well() -> None:
    """Processes, seq by workspace, what waits, and how to end it."""
    status = Status(home="h", up=True, processes=(process("fusion"), process("view")), seqs={"docs": 61})
    assert "2 of 2 up · docs seq 61 · lag 0 · Ctrl-C ends everything" == line_of(status)


def test_line_names_what_is_not() -> None:
    """A process that is not ready is named with its state; lag adds up, dead letters show."""
    processes = (process("fusion", "waiting", lag=3), process("ingest", lag=4, dead_letters=2))
    expected = "1 of 2 up · fusion waiting · lag 7 · dead letters 2 · Ctrl-C ends everything"
    assert expected == line_of(Status(home="h", up=True, processes=processes))


def test_steps_into_a_file() -> None:
    """Without a terminal each step is one line, counts come seldom, and nothing is drawn over."""
    said = io.StringIO()
    steps = Steps(Console(file=said, width=100), "127.0.0.1:1")
    for done in range(46):
        steps.told("jars", done, 45)
    steps.told("left", 0, 9)
    steps.told("keys", 1, 1)
    for _ in range(3):
        steps.told("services", 0, 8)
    steps.told("services", 3, 8)
    lines = [line.split("  ")[1] for line in said.getvalue().splitlines()]
    counts = [f"… fetching Kafka {count} of 45 jars (once)" for count in (0, 15, 30)]
    assert [*counts, "broker", "… starting the services 0 of 8"] == lines
    assert "Kafka fetched, 45 jars" in said.getvalue()


def test_leftovers_are_told() -> None:
    """Processes that an earlier run had left are told when some were ended."""
    said = io.StringIO()
    Steps(Console(file=said, width=100), "").told("left", 2, 9)
    assert "ended 2 processes that an earlier run had left" in said.getvalue()


def test_status_into_a_file_is_told_when_it_changes() -> None:
    """Without a terminal the line comes once, and again when a process falls."""
    said = io.StringIO()
    with StatusLine(Console(file=said, width=100)) as line:
        for state, lag in (("ready", 0), ("ready", 5), ("waiting", 5)):
            line.show(Status(home="h", up=True, processes=(process("fusion", state, lag=lag),)))
    assert ["1 of 1 up", "0 of 1 up"] == [text[:9] for text in said.getvalue().splitlines()]
