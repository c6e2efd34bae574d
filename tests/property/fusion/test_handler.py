"""Fusion as a service: order, repeats, batching and restarts leave the same beliefs, bit for bit."""

from hypothesis import given
from hypothesis import strategies as st

from stanchion_contracts.belief import Belief, Beliefs
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.codec import decode_folded, encode
from stanchion_contracts.value import Evidence
from stanchion_fusion.handler import State, evolve
from support.beliefs import NOW_US, claims, estimates, policy, resolve, said, trust, value
from support.fusing import DECIDE, believed

EVIDENCE: list[Evidence] = ["measurement", "citation", "inference"]
NAMES = ["a", "b", "c"]
TEXTS = [("number", text) for text in ("5", "5.1", "5.3", "7", "9")] + [("boolean", "true"), ("string", "red")]
WORDS = st.lists(
    st.builds(
        lambda stated, **parts: said(stated[1], kind=stated[0], **parts),
        st.sampled_from(TEXTS),
        subject=st.sampled_from(["pump", "valve"]),
        predicate=st.sampled_from(["temperature", "speed"]),
        source=st.sampled_from(["a", "b", ""]),
        agent=st.sampled_from(["a", "c"]),
        evidence=st.sampled_from(EVIDENCE),
        positive=st.booleans(),
        at_us=st.integers(NOW_US - 3, NOW_US + 3) | st.integers(0, NOW_US),
    ),
    max_size=20,
    unique_by=lambda word: word.id,
)
SHARES = st.none() | st.sampled_from([0.0, 0.35, 0.7, 1.0]) | st.floats(0, 1)
CLAIMS = st.tuples(st.sampled_from(["pump", "valve", "nobody's"]), st.sampled_from(["temperature", "speed"]))
TERMS = st.one_of(
    st.builds(trust, st.just(0), st.sampled_from(NAMES), SHARES),
    st.dictionaries(st.sampled_from(NAMES), SHARES, min_size=1).map(lambda found: estimates(0, **found)),
    st.builds(
        policy,
        st.just(0),
        st.sampled_from(["", "temperature"]),
        half_life=st.none() | st.sampled_from(["", "fast", "none"]),
        multi_valued=st.none() | st.booleans(),
        tolerance=st.none() | st.sampled_from([0.0, 0.03, 0.3]),
        consensus=st.none() | st.booleans(),
    ),
    st.builds(
        lambda claim, truth: resolve(0, truth, *claim),
        CLAIMS,
        st.none() | st.sampled_from(TEXTS).map(lambda stated: value(stated[1], kind=stated[0])),
    ),
)


def split(data: st.DataObject, words: list[Contribution]) -> list[Claims]:
    """Cut a sequence into messages, all at one time."""
    messages, rest = [], words
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        messages.append(claims(0, *rest[:size]))
        rest = rest[size:]
    return messages


def told(data: st.DataObject, words: list[Contribution], terms: list[Claims]) -> list[Claims]:
    """Give the words in any order, in any batches, with any repeats, and the terms in their order anywhere between."""
    again = words + (data.draw(st.lists(st.sampled_from(words))) if words else [])
    messages = split(data, data.draw(st.permutations(again)))
    for term in terms:
        messages.insert(data.draw(st.integers(0, len(messages))), term)
    return messages


def after(messages: list[Claims]) -> tuple[State, list[Beliefs]]:
    """Give the state once all messages are through, and the outputs."""
    state, outputs = State(), []
    for message in messages:
        decided = DECIDE(state, message)
        decided.fold(state)
        outputs.append(decided.output)
    return state, outputs


def beliefs_of(state: State) -> dict[tuple[str, str], Belief]:
    """Give the last beliefs."""
    return state.workspaces["docs"].beliefs if state.workspaces else {}


@given(WORDS, st.lists(TERMS, max_size=6), st.data())
def test_a_function_of_what_was_said(words: list[Contribution], terms: list[Claims], data: st.DataObject) -> None:
    """However contributions come, and whatever trust, policies, estimates and resolutions come between them.

    The beliefs are those of the whole set under the terms that stand, bit for bit, worked out in one go.
    """
    state, outputs = after(told(data, words, terms))
    assert believed(outputs, words, now_us=lambda _: NOW_US) == beliefs_of(state)


@given(WORDS, st.lists(TERMS.filter(lambda term: term.resolution is None), max_size=6), st.data())
def test_terms_before_or_after(words: list[Contribution], terms: list[Claims], data: st.DataObject) -> None:
    """When terms come does not matter to what is believed once all is said (a resolution judges by its time)."""
    early, late = after([*terms, *split(data, words)]), after([*split(data, words[::-1]), *terms])
    assert beliefs_of(early[0]) == beliefs_of(late[0])


@given(WORDS, st.lists(TERMS, max_size=6), st.data())
def test_restart_anywhere(words: list[Contribution], terms: list[Claims], data: st.DataObject) -> None:
    """A process rebuilt from its own outputs, which works out what deciding knew, goes on as if nothing had been."""
    messages = told(data, words, terms)
    live, rebuilt = State(), State()
    cut = data.draw(st.integers(0, len(messages)))
    for number, message in enumerate(messages):
        decided = DECIDE(live, message)
        assert decided.output == DECIDE(rebuilt if number >= cut else live, message).output
        decided.fold(live)
        evolve(rebuilt, decode_folded(encode(decided.output), Beliefs))
    assert live == rebuilt
