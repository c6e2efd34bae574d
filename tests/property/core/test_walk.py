"""The walk against a plain reading of its page."""

from itertools import count

import msgspec
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


def every_path(heads: dict[str, Head], start: str) -> dict[str, list[list[Ground]]]:
    """Give all paths to each record within three links: the shortest first, of equal ones the first in order."""
    found: dict[str, list[tuple[int, tuple[int, ...], list[Ground]]]] = {}

    def follow(at: str, path: list[Ground], places: tuple[int, ...]) -> None:
        found.setdefault(at, []).append((len(path), places, path))
        if len(path) == 3:
            return
        head = heads[at]
        cited = [Ground(CITES, one.uri, one.seq) for one in head.citations if one.uri in heads]
        for place, ground in zip(count(), [*head.grounds, *cited], strict=False):
            follow(ground.to, [*path, ground], (*places, place))

    follow(start, [], ())
    return {
        record_id: [path for *_, path in sorted(ways, key=lambda way: way[:2])]
        for record_id, ways in found.items()
        if record_id != start
    }


def paths(heads: dict[str, Head], start: str) -> dict[str, list[Ground]]:
    """Give the path by which each record is told of."""
    return {record_id: ways[0] for record_id, ways in every_path(heads, start).items()}


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_reasons_are_told_by_the_shortest_paths(heads: dict[str, Head]) -> None:
    """A move counts when it is later than the baseline and than every link on some path; the shortest is shown."""
    read = validity(heads.get, "n0", 0, 20)
    expected = {
        (record_id, move.seq, tuple((ground.name, ground.to) for ground in ways[0]))
        for record_id, ways in every_path(heads, "n0").items()
        for move in heads[record_id].moves
        if move.seq > max(heads["n0"].baseline, min(max(ground.seq for ground in path) for path in ways))
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


@settings(max_examples=100, deadline=None)
@given(graphs(), st.sampled_from(IDS), st.sampled_from(IDS[1:]), st.integers(0, 2))
def test_a_link_more_clears_nothing(heads: dict[str, Head], start: str, to: str, place: int) -> None:
    """Whatever is linked to whatever, now and wherever in the list: what counted before counts after."""
    before = validity(heads.get, "n0", 0, 20)
    grounds = heads[start].grounds
    if to != start and to not in {ground.to for ground in grounds}:
        longer = (*grounds[:place], Ground("exception_to", to, 21), *grounds[place:])
        heads[start] = msgspec.structs.replace(heads[start], grounds=longer)
    after = validity(heads.get, "n0", 0, 21)
    assert {(one.record_id, one.seq) for one in before.reasons} <= {(one.record_id, one.seq) for one in after.reasons}
