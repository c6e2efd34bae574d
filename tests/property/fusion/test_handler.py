"""Fusion as a service: order, repeats, batching and restarts leave the same beliefs, bit for bit."""

from hypothesis import given
from hypothesis import strategies as st

from stanchion_contracts.belief import Belief
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.value import Evidence
from stanchion_core.fusion import ClaimPolicy, fuse
from stanchion_fusion.core.belief import state_belief
from stanchion_fusion.handler import State, decider, evolve
from support.beliefs import HALF_LIFE_S, NOW_US, claims, said, trust

DECIDE = decider(HALF_LIFE_S)
EVIDENCE: list[Evidence] = ["measurement", "citation", "inference"]
WORDS = st.lists(
    st.builds(
        said,
        st.sampled_from(["5", "7", "9"]),
        subject=st.sampled_from(["pump", "valve"]),
        source=st.sampled_from(["a", "b", ""]),
        agent=st.sampled_from(["a", "c"]),
        evidence=st.sampled_from(EVIDENCE),
        positive=st.booleans(),
        at_us=st.integers(NOW_US - 3, NOW_US + 3) | st.integers(0, NOW_US),
    ),
    max_size=20,
    unique_by=lambda word: word.id,
)


def split(data: st.DataObject, words: list[Contribution]) -> list[Claims]:
    """Cut a sequence into messages, all at one time."""
    messages, rest = [], words
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        messages.append(claims(0, *rest[:size]))
        rest = rest[size:]
    return messages


def beliefs_after(messages: list[Claims], state: State | None = None) -> dict[tuple[str, str], Belief]:
    """Give the last beliefs once all messages are through."""
    state = state or State()
    for message in messages:
        DECIDE(state, message).fold(state)
    return state.workspaces["docs"].beliefs if state.workspaces else {}


@given(WORDS, st.data())
def test_order_batches_and_repeats(words: list[Contribution], data: st.DataObject) -> None:
    """However the same contributions come, the beliefs are those of the whole set."""
    again = data.draw(st.permutations(words + (data.draw(st.lists(st.sampled_from(words))) if words else [])))
    by_claim: dict[tuple[str, str], list[Contribution]] = {}
    for word in words:
        by_claim.setdefault((word.subject, word.predicate), []).append(word)
    expected = {
        key: state_belief(
            key,
            fuse(said_of, {}, now_us=NOW_US, policy=ClaimPolicy(half_life_s=HALF_LIFE_S)),
            contributions=len(said_of),
            policy=ClaimPolicy(half_life_s=HALF_LIFE_S),
            now_us=NOW_US,
        )
        for key, said_of in by_claim.items()
    }
    assert expected == beliefs_after(split(data, again))


@given(WORDS, WORDS, st.floats(0, 1), st.data())
def test_trust_before_or_after(
    before: list[Contribution], after: list[Contribution], value: float, data: st.DataObject
) -> None:
    """When a setting comes does not matter to what is believed once all is said."""
    words = list({word.id: word for word in before + after}.values())
    late = beliefs_after([*split(data, before), trust(0, "a", value), *split(data, after)])
    early = beliefs_after([trust(0, "a", value), *split(data, words)])
    assert early == late


@given(WORDS, st.data())
def test_restart_anywhere(words: list[Contribution], data: st.DataObject) -> None:
    """A process rebuilt from its own outputs, which works out what deciding knew, goes on as if nothing had been."""
    messages = [*split(data, words), trust(0, "a", 0.3), *split(data, words[::2])]
    live, rebuilt = State(), State()
    cut = data.draw(st.integers(0, len(messages)))
    for number, message in enumerate(messages):
        decided = DECIDE(live, message)
        assert decided.output == DECIDE(rebuilt if number >= cut else live, message).output
        decided.fold(live)
        evolve(rebuilt, decided.output)
    assert live == rebuilt
