"""The walk against a plain reading of its page."""

from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_core.walk import CITES, Cited, Ground, Head, Moved, validity

IDS = [f"n{number}" for number in range(7)]


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Head]:
    """Give records that rest on each other any way, and moved now and then."""
    heads = {}
    for record_id in IDS:
        targets = draw(st.lists(st.sampled_from(IDS), max_size=3, unique=True))
        cited = draw(st.lists(st.sampled_from([*IDS, "u"]), max_size=1))
        seqs = sorted(draw(st.lists(st.integers(1, 20), max_size=3, unique=True)))
        heads[record_id] = Head(
            id=record_id,
            kind="rule",
            baseline=draw(st.integers(0, 15)),
            grounds=tuple(Ground("exception_to", to, draw(st.integers(0, 15))) for to in targets if to != record_id),
            citations=tuple(Cited(uri, b"", "", draw(st.integers(0, 15)), 0, 0) for uri in cited if uri != record_id),
            moves=tuple(Moved(seq, 2, "field", "status", "withdrawn") for seq in seqs),
        )
    return heads


def paths(heads: dict[str, Head], start: str) -> dict[str, list[Ground]]:
    """Give the path to each record within three links: of all paths the shortest, of equal ones the first in order."""
    found: dict[str, tuple[tuple[int, tuple[int, ...]], list[Ground]]] = {}

    def follow(at: str, path: list[Ground], places: tuple[int, ...]) -> None:
        rank = (len(path), places)
        if at not in found or rank < found[at][0]:
            found[at] = (rank, path)
        if len(path) == 3:
            return
        head = heads[at]
        cited = [Ground(CITES, one.uri, one.seq) for one in head.citations if one.uri in heads]
        for place, ground in zip(count(), [*head.grounds, *cited], strict=False):
            follow(ground.to, [*path, ground], (*places, place))

    follow(start, [], ())
    return {record_id: path for record_id, (_, path) in found.items() if record_id != start}


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_reasons_are_those_of_the_shortest_paths(heads: dict[str, Head]) -> None:
    """Each move counts when it is later than the baseline and than every link on the record's shortest path."""
    read = validity(heads.get, "n0", 0, 20)
    expected = {
        (record_id, move.seq, tuple((ground.name, ground.to) for ground in path))
        for record_id, path in paths(heads, "n0").items()
        for move in heads[record_id].moves
        if move.seq > max([heads["n0"].baseline, *(ground.seq for ground in path)])
    }
    assert expected == {
        (reason.record_id, reason.seq, tuple((step.link, step.record_id) for step in reason.path))
        for reason in read.reasons
    }
    assert [reason.seq for reason in read.reasons] == sorted(reason.seq for reason in read.reasons)
    assert len(paths(heads, "n0")) == read.records
    assert all((len(reason.path) == 1) == (reason.kind == "input_changed") for reason in read.reasons)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_depth_is_said_exactly_when_more_is_below(heads: dict[str, Head]) -> None:
    """The bound depth stands exactly when records beyond three links were not looked at."""
    seen = {"n0", *paths(heads, "n0")}
    below = {ground.to for one in seen for ground in heads[one].grounds}
    below |= {one.uri for record_id in seen for one in heads[record_id].citations if one.uri in heads}
    read = validity(heads.get, "n0", 0, 20)
    assert bool(below - seen) is ("depth" in {bound.kind for bound in read.bounds})
