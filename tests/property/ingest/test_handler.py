"""The order in which things come to ingest, and what it makes of it."""

import itertools

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from stanchion_contracts import codec
from stanchion_contracts.observation import Body, Observation
from stanchion_ingest.handler import Arrival, State, evolve
from support.arrivals import ANNOUNCED, NOW_US, arrival, asked, cloud_event, request, run

HOUR_US = 3_600_000_000


def upstream(number: int, content: int) -> Arrival:
    """One of a few events with one of two contents."""
    return arrival(cloud_event(id=f"e-{number}", data={"n": content}), ANNOUNCED)


def asking(number: int, content: int) -> Arrival:
    """One of a few requests with one of two contents."""
    return asked(request(Body(text=f"text {content}"), event_id=f"key-{number}"), waiting=bool(content))


arrivals = st.lists(
    st.tuples(st.sampled_from([upstream, asking]), st.integers(0, 4), st.integers(0, 1)), max_size=30
).map(lambda drawn: [make(number, content) for make, number, content in drawn])
steps = st.lists(st.integers(-HOUR_US, 12 * HOUR_US), min_size=30, max_size=30)


def timed(each: list[Arrival], gaps: list[int]) -> list[Arrival]:
    """Give the records at times that go forth, and sometimes back as clocks of two owners do."""
    times = itertools.accumulate(gaps, initial=NOW_US)
    return [
        msgspec.structs.replace(one, received_at_us=max(at, NOW_US), offset=offset)
        for offset, (one, at) in enumerate(zip(each, times, strict=False))
    ]


@given(arrivals, steps)
def test_fold_of_outputs_is_the_live_state(each: list[Arrival], gaps: list[int]) -> None:
    """Folding the encoded outputs rebuilds the state, whatever came and whenever."""
    live, folded = State(), State()
    for output in run(live, *timed(each, gaps)):
        if isinstance(output, Observation):
            evolve(folded, codec.decode(codec.encode(output), Observation))
    assert live == folded
    assert set(live.seen) == set(live.order)


@given(arrivals)
def test_delivered_twice_changes_nothing(each: list[Arrival]) -> None:
    """A line of records delivered again makes no observation more, and the same state."""
    state = State()
    run(state, *each)
    seen = dict(state.seen)
    again = run(state, *each)
    assert all(not isinstance(output, Observation) or output.refusal_code or output.repeated for output in again)
    assert seen == state.seen


@given(st.data())
def test_order_of_different_ids_does_not_matter(data: st.DataObject) -> None:
    """Events of different ids give the same observations in whatever order they come."""
    each = [upstream(number, 0) for number in range(5)] + [asking(number, 0) for number in range(5)]
    mixed = data.draw(st.permutations(each))
    straight = {codec.encode(output) for output in run(State(), *each) if isinstance(output, Observation)}
    turned = {codec.encode(output) for output in run(State(), *mixed) if isinstance(output, Observation)}
    assert 10 == len(straight)
    assert straight == turned
