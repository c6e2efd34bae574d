"""How ingest is wired."""

from stanchion_ingest.app import build
from stanchion_ingest.handler import Arrival, State
from stanchion_runtime.stage import Record


def test_arrivals_are_stamped_as_they_come() -> None:
    """Both inputs are stamped with a time and a seed of their own; their bytes are left to `decide`."""
    times, seeds = iter((7, 8)), iter((b"a" * 16, b"b" * 16))
    stage = build(4, lambda: next(times), lambda: next(seeds))
    record = Record(topic="inbox", partition=3, offset=5, timestamp_us=1, value=b"\xff", headers=(("a", b"b"),))
    expected = Arrival(
        topic="inbox",
        partition=3,
        offset=5,
        value=b"\xff",
        headers=(("a", b"b"),),
        received_at_us=7,
        seed=b"a" * 16,
    )
    assert expected == stage.decode["inbox"](record)
    later = stage.decode["requests"](record)
    assert (8, b"b" * 16) == (later.received_at_us, later.seed)


def test_edge_of_the_line() -> None:
    """Ingest dead-letters both of its inputs, and keeps a state a partition."""
    stage = build(4)
    assert stage.dead_letters_of("inbox")
    assert stage.dead_letters_of("requests")
    assert State() == stage.initial()
    assert stage.initial() is not stage.initial()
