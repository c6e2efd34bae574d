"""What single steps of validity take: walks, writes, imports, and how large the state of 200,000 records is."""

from typing import Any

from stanchion_core.walk import validity
from stanchion_runtime.clock import monotonic_s
from support.heads import head, lookup, status
from support.state_size import RECORD, measured
from support.timing import per_call_us
from support.validity import Line, ref, write

RECORDS = 1_000
MANY = 200_000


def measure() -> dict[str, Any]:
    """Give microseconds of walks, records a second, and bytes a record."""
    state = {"rss": measured(MANY), "traced": measured(RECORDS * 20, traced=True), "record": RECORD}
    return {"walk_us": _walks(), "line": _line(), "state": state}


def _walks() -> dict[str, float]:
    """Walk over ten grounds, and over 200 records of which none or nearly all moved."""
    ten = lookup(head("r", *(("exception_to", f"x{n}", 1) for n in range(10))), *(head(f"x{n}") for n in range(10)))
    hubs = [head(f"h{n}", *(("exception_to", f"x{leaf}", 1) for leaf in range(n, 195, 5))) for n in range(5)]
    root = head("r", *(("exception_to", f"h{n}", 1) for n in range(5)))
    still = lookup(root, *hubs, *(head(f"x{n}") for n in range(195)))
    moved = lookup(root, *hubs, *(head(f"x{n}", moves=(status(5, "superseded"),)) for n in range(195)))
    return {
        name: per_call_us(lambda heads=heads: validity(heads.get, "r", 0, 9))  # type: ignore[misc]
        for name, heads in (("10_grounds", ten), ("200_records", still), ("200_records_moved", moved))
    }


def _line() -> dict[str, float]:
    """Decide and fold document revisions and writes, codec not counted."""
    line = Line()
    for number in range(RECORDS):
        references = (ref("depends_on", f"adr/{number - 1:04d}.md"),) if number else ()
        line.revise(f"adr/{number:04d}.md", "text\n" * 200, references=references)
    for number in range(RECORDS):
        line.write(write(f"r{number}", "rule", links={"based_on": [f"{number:04d}"]}))
    again = Line()
    halves = (line.inputs[:RECORDS], line.inputs[RECORDS:])
    names = ("document_revisions_per_s", "writes_per_s")
    return {name: round(1e6 / _decided_us(again, half)) for name, half in zip(names, halves, strict=True)}


def _decided_us(line: Line, messages: list[Any]) -> float:
    """Give microseconds a message to decide and fold."""
    begun = monotonic_s()
    for message in messages:
        output = line.decide(line.state, message)
        if output is not None:
            line.evolve(line.state, output)
    return (monotonic_s() - begun) / len(messages) * 1e6
