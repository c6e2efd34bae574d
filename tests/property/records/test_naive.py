"""The product against a second implementation of the records page that keeps everything and works it all out anew.

`make histories` tells more of them. A history that shows a difference is printed, as short as it can be.
"""

import os
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts import moves
from stanchion_core import walk
from stanchion_validity.core import batch, kept
from support.naive_both import Both
from support.naive_histories import tell, tell_wide
from support.naive_reads import Read

HISTORIES = int(os.environ.get("HISTORIES", "1000"))
PARTS = 4


def tape(seed: int) -> bytes:
    """Give the choices of a history."""
    numbers = random.Random(seed)  # noqa: S311 - the same history every time
    return numbers.randbytes(numbers.randrange(120, 600))


def told(seeds: range) -> None:
    """Tell many histories."""
    for seed in seeds:
        tell(Both(), tape(seed))


class Counting(Both):
    """Counts what is read."""

    def __init__(self, *watched: str) -> None:
        super().__init__(*watched)
        self.seen: Counter[str] = Counter()

    def _read(self, record_id: str) -> Read:
        told = super()._read(record_id)
        self.seen.update([told.state, *(kind for kind, _ in told.bounds)])
        self.seen.update(f"{one.change[0]} at {len(one.path)}" for one in told.reasons)
        self.seen.update([f"{told.stood[2]} {told.confirmed}"] if told.stood else [])
        return told


@pytest.mark.parametrize("part", range(PARTS))  # so that worker processes share the work
def test_every_read_is_what_the_page_says(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each step of any history, the product tells of every record what follows from all versions and events."""
    if part % 2:  # forget what can be forgotten at once, and unpack each record for each look at it
        monkeypatch.setattr(moves, "MANY", 1)
        monkeypatch.setattr(kept, "RECENT", 1)

    @settings(max_examples=HISTORIES // PARTS)
    @given(st.binary(min_size=120, max_size=600))
    def agree(choices: bytes) -> None:
        tell(Both(), choices)

    agree()


@settings(max_examples=HISTORIES // 50)
@given(st.binary(min_size=12, max_size=30))
def test_wide_and_deep_walks_are_bounded_as_the_page_says(choices: bytes) -> None:
    """Around the bound of 200 records, with cycles: what was looked at, in which order, and what was not."""
    tell_wide(Both("r", "h0", "h1"), choices)


def test_histories_show_all_that_can_be_read() -> None:
    """The histories are rich enough to prove something: every kind of reason, bound and confirmation turns up."""
    seen: Counter[str] = Counter()
    for seed in range(90):
        both = Counting()
        tell(both, tape(seed))
        seen += both.seen
    wide = Counting("r")
    tell_wide(wide, bytes([5] * 40))
    seen += wide.seen
    near = {f"{kind} at {far}" for kind in ("body", "citation", "field", "link", "pin") for far in (1, 2)}
    stood = {"created True", "created False", "affirmed True", "affirmed False", "approved True"}
    states = {"current", "needs_review", "monitoring_incomplete"}
    bounds = {"depth", "size", "unobserved", "stale_evidence"}
    assert set() == (near | stood | states | bounds | {"citation at 0", "body at 3", "deleted at 1"}) - seen.keys()


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (walk, "MAX_DISTANCE", 2),
        (walk, "CITES", ""),
        (batch, "person_parts", lambda _: frozenset()),
        (batch, "superseded_by_links", lambda *_: ()),
        (moves, "_lowest_floor", lambda *_: 1 << 62),
    ],
)
def test_a_product_that_errs_is_found(
    module: object, name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound too near, a nameless step, a person's value overwritten, a statement or a move forgotten: all show."""
    monkeypatch.setattr(moves, "MANY", 1)
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(AssertionError, match="by the page"):
        told(range(100))
