"""What a reader is told of a belief is what fusion holds, bit for bit, for the same contributions, tables and now."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger, Payload
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Evidence, Value
from stanchion_core.aged import contradicted, contradicted_at, likeliest_at, stale_at
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.fusion import Opinion, opinion
from stanchion_core.policy import policy_of
from stanchion_core.voice import by_voice, read
from stanchion_view import handler
from stanchion_view.core.belief import believe, tables
from stanchion_view.core.output import Output
from stanchion_view.core.state import Claim, Draft, Workspace
from support.believing import DAY_US, Line, number, voice

BASE: Final = base_vocabulary()
START_US: Final = 1_800_000_000_000_000
NAMES: Final = ("crm", "erp", "bot")
SUBJECTS: Final = ("a", "b")
VALUES: Final = (
    number("100"),
    number("102"),
    number("7"),
    number("0.1", "kg"),
    Value(type="boolean", text="true"),
    Value(type="boolean", text="false"),
)
EVIDENCE: Final[tuple[Evidence, ...]] = ("measurement", "citation", "inference")

Step = tuple[str, int, int, int, int]


def _say(line: Line, one: int, two: int, three: int, age: int) -> Ledger:
    """Somebody asserts or denies a value, observed up to two hundred days ago."""
    return line.say(
        voice(
            SUBJECTS[one % 2],
            VALUES[two % len(VALUES)],
            NAMES[three % 3],
            agent=NAMES[one % 3],
            evidence=EVIDENCE[(one + three) % 3],
            positive=(one + two) % 4 != 0,
            at_us=line.now_us - age * DAY_US,
            strength=1 - (three % 2) / 2,
        )
    )


def _rule(line: Line, one: int, two: int, three: int, _age: int) -> Ledger:
    """Somebody sets a policy, of the predicate or the workspace."""
    parts: tuple[dict[str, Any], ...] = (
        {"half_life": ("", "fast", "none")[two % 3]},
        {"multi_valued": two % 2 == 0},
        {"tolerance": (0.0, 0.05)[two % 2]},
    )
    wide = {"predicate": ""} | ({"consensus": two % 2 == 0} if one % 2 else {})
    return line.rule(**({"predicate": "tam"} | parts[three % 3] if one % 3 else wide | parts[0]))


def _trust(line: Line, one: int, two: int, _three: int, _age: int) -> Ledger:
    """Somebody sets trust, or takes it back."""
    return line.trust(NAMES[one % 3], None if two == 0 else two / 10)


def _estimate(line: Line, one: int, two: int, _three: int, _age: int) -> Ledger:
    """Consensus finds out."""
    found = Estimate(name=NAMES[one % 3], trust=None if two == 0 else two / 10, accuracy=0.8, claims=3)
    return line.say(estimates=(found,))


def _resolve(line: Line, one: int, two: int, three: int, _age: int) -> Ledger:
    """Somebody says what turned out, or opens the claim again."""
    return line.resolve(SUBJECTS[one % 2], "tam", None if three == 0 else VALUES[two % len(VALUES)])


MAKE: Final[dict[str, Callable[[Line, int, int, int, int], Ledger]]] = {
    "say": _say,
    "rule": _rule,
    "trust": _trust,
    "estimate": _estimate,
    "resolve": _resolve,
}
STEPS: Final = st.lists(
    st.tuples(
        st.sampled_from(("say", "say", "say", *MAKE)),
        *(st.integers(0, 5) for _ in range(3)),
        st.integers(0, 200),
    ),
    max_size=25,
)


def told(taken: Sequence[Step]) -> tuple[Line, Workspace, dict[Claim, list[Any]]]:
    """Let the steps go down the line and into a view; give both, and what the view would find in its file."""
    line, space, said = Line(START_US), Workspace.empty(BASE), dict[Claim, list[Any]]()
    for what, one, two, three, age in taken:
        line.now_us += DAY_US
        message = MAKE[what](line, one, two, three, age)
        draft = Draft(space)
        handler.apply(draft, Output(), BASE, message)
        draft.settle()
        for payload in message.payloads:
            moved = codec.decode(payload, Payload).change.belief
            if moved is not None:
                said.setdefault((moved.after.subject, moved.after.predicate), []).extend(moved.added)
    return line, space, said


def held(line: Line, claim: Claim, now_us: int) -> Opinion[Value]:
    """What fusion holds of a claim: its own contributions, trust and policies."""
    kept = line.fusion
    policy = policy_of(claim[1], kept.terms.policies, half_life_s=90 * 86_400)
    said = kept.said[claim].values()
    voices = by_voice(said, kept.terms.trust, read(said, policy))
    return opinion(voices.values(), now_us=now_us, half_life_s=policy.half_life_s, multi_valued=policy.multi_valued)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.integers(0, 300))
def test_a_belief_that_is_read_is_the_one_that_fusion_holds(taken: list[Step], days: int) -> None:
    """Whatever was said, set, estimated and resolved, and however much of it fusion has still to work out anew."""
    line, space, said = told(taken)
    now_us = line.now_us + days * DAY_US
    assert set(line.fusion.said if taken and said else ()) == set(space.beliefs)
    for claim in space.beliefs:
        now = believe(claim, reversed(said[claim] + said[claim]), tables(space), now_us)
        assert held(line, claim, now_us) == now.opinion
        assert now.total == len(now.counted) == len(line.fusion.said[claim])


@settings(max_examples=150, deadline=None)
@given(STEPS, st.integers(0, 300))
def test_a_stored_belief_aged_is_the_one_worked_out_anew(taken: list[Step], days: int) -> None:
    """Without the contributions: how likely, whether stale, and whether contradicted, but for the last digits."""
    line, space, _ = told(taken)
    now_us = line.now_us + days * DAY_US
    due = line.fusion.due if space.beliefs else ()
    for claim, kept in space.beliefs.items():
        if claim in due:
            continue
        exact, likeliest = held(line, claim, now_us), likeliest_at(kept.belief, now_us)
        likely = [stance.probability for stance in exact.values]
        assert (likeliest is None) == (not likely)
        assert likeliest is None or abs(max(likely) - likeliest[1]) < 1e-9
        if abs(exact.total - 0.25 * exact.undecayed) > 1e-6:
            assert exact.stale == stale_at(kept.belief, now_us)
        rivals = () if exact.multi_valued else [(one.evidence, one.probability) for one in exact.values[:2]]
        if min(abs(exact.dissonance - 0.5), *(abs(each - 0.25) for _, each in rivals), 1) > 1e-5:
            assert contradicted(exact.dissonance, rivals) == contradicted_at(kept.belief, now_us)
