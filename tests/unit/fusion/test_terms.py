"""What changes how claims are worked out: policies, estimates of consensus, resolutions."""

import pytest

from stanchion_contracts.belief import Beliefs, likeliest
from stanchion_contracts.claim import Claims, Intent
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.trust import Judgement
from stanchion_core.trust import Outcome
from stanchion_fusion.core import judging
from stanchion_fusion.handler import State, evolve
from support.beliefs import NOW_US, claims, estimates, meta, policy, resolve, said, trust, value
from support.fusing import fuse_all, only

DAY_US = 86_400 * 1_000_000
OLD_US = NOW_US - 90 * DAY_US
FIVE, SEVEN = value("5"), value("7")


def masses(output: Beliefs) -> dict[str, str]:
    """Give the evidence for each value of the one belief that moved."""
    return {state.value.text: f"{state.evidence:.3f}" for state in only(output).after.values}


def _heaviest(output: Beliefs) -> float:
    """Give the greatest evidence mass of the one belief that moved."""
    return only(output).after.values[0].evidence


def test_half_life_of_a_predicate() -> None:
    """It goes before the workspace's, that before the process's; what it touches is worked out anew at once."""
    _, outputs = fuse_all(
        claims(0, said("5", at_us=OLD_US)),
        policy(0, "temperature", half_life="slow"),
        policy(0, half_life="none"),
        policy(0, "temperature", half_life=""),
    )
    lives = [[update.after.half_life_s // 86_400 for update in output.updates] for output in outputs]
    assert [[90], [365], [], [0]] == lives
    assert ["2.800", "4.720", "5.600"] == [masses(outputs[at])["5"] for at in (0, 1, 3)]


def test_policy_says_what_changed() -> None:
    """A part that is not named stays; what says nothing new is no change; consensus is of a workspace only."""
    state, outputs = fuse_all(
        policy(0, "p", tolerance=0.1),
        policy(1, "p", multi_valued=True, consensus=True),
        policy(2, "p", tolerance=0.1),
        policy(3, "p", tolerance=0.0, multi_valued=False),
    )
    said_first = BeliefPolicy(predicate="p", tolerance=0.1)
    said_then = BeliefPolicy(predicate="p", tolerance=0.1, multi_valued=True)
    silent = BeliefPolicy(predicate="p")
    changes = [(silent, said_first), (said_first, said_then), None, (said_then, silent)]
    assert [change and PolicyChange(before=change[0], after=change[1]) for change in changes] == [
        output.policy for output in outputs
    ]
    assert {} == state.workspaces["docs"].terms.policies


def test_policy_touches_its_predicate_only() -> None:
    """Claims of other predicates, and of a predicate whose own policy says otherwise, stay as they are."""
    _, outputs = fuse_all(
        claims(0, said("5"), said("5", predicate="speed"), said("5", subject="valve")),
        policy(1, "temperature", tolerance=0.1),
        policy(2, tolerance=0.2),
    )
    touched = [[(update.after.subject, update.after.predicate) for update in output.updates] for output in outputs[1:]]
    assert [[("pump", "temperature"), ("valve", "temperature")], [("pump", "speed")]] == touched


def test_multi_valued() -> None:
    """What displaced each other stands side by side, and says so in the belief; switched back it is as before."""
    _, outputs = fuse_all(
        claims(0, said("5"), said("7", at_us=NOW_US + 1), said("7", source="lab", positive=False)),
        policy(0, "temperature", multi_valued=True),
        claims(0, said("9", at_us=NOW_US + 2)),
        policy(0, "temperature", multi_valued=False),
    )
    several, more, back = (only(output).after for output in outputs[1:])
    assert [("5", 0.0), ("7", 5.6)] == [(state.value.text, round(state.against, 9)) for state in several.values]
    assert (3, True, 0.0) == (len(more.values), more.multi_valued, more.unnamed)
    assert ({"9": "5.600", "7": "0.000"}, False) == (masses(outputs[3]), back.multi_valued)
    assert (5.6, 0.0) == (round(back.unnamed, 9), back.values[0].against)


def test_tolerance() -> None:
    """Values that come near each other are one, however they come: alone, between two others, below the least."""
    _, outputs = fuse_all(
        policy(0, "temperature", tolerance=0.04),
        claims(0, said("100", source="a"), said("107", source="b")),
        claims(0, said("103.5", source="c", evidence="inference")),
        claims(0, said("98", source="d", evidence="inference")),
        claims(0, said("200", source="e", evidence="assumption")),
    )
    assert [["100", "107"], ["100"], ["100"], ["100", "200"]] == [list(masses(output)) for output in outputs[1:]]
    assert ["5.600", "11.900", "12.600", "12.600"] == [masses(output)["100"] for output in outputs[1:]]
    assert 0.04 == only(outputs[4]).after.tolerance


def test_estimates_count_while_the_workspace_wants_them() -> None:
    """They are kept in any case; a setting goes before them, and one that is taken back leaves the default."""
    state, outputs = fuse_all(
        claims(0, said("5", source="a"), said("7", source="b"), said("9", source="c", subject="valve")),
        trust(0, "b", 0.5),
        estimates(0, a=0.35, b=0.9, c=0.7),
        policy(0, consensus=True),
        estimates(0, a=0.175, b=0.9),
        estimates(0, a=None),
        policy(0, consensus=False),
    )
    assert [0, 0, 3, 0, 1, 1, 0] == [len(output.estimates) for output in outputs]
    found = [[update.after.subject for update in output.updates] for output in outputs[2:]]
    assert [[], ["pump"], ["pump"], ["pump"], []] == found
    expected = [{"7": "4.000", "5": "2.800"}, {"7": "4.000", "5": "1.400"}, {"5": "5.600", "7": "4.000"}]
    assert expected == [masses(output) for output in outputs[3:6]]
    assert {"b": 0.9, "c": 0.7} == state.workspaces["docs"].terms.estimates


def test_resolving_judges_each_voice() -> None:
    """By its heaviest word and how likely that was just before; a denial by what it denies."""
    state, outputs = fuse_all(
        claims(
            0,
            said("5", source="a"),
            said("7", source="b", agent="bot", evidence="citation"),
            said("7", source="c", positive=False, evidence="inference"),
            said("9", source="d", at_us=NOW_US - 1),
            said("5", source="d", evidence="inference"),
        ),
        resolve(0, FIVE),
    )
    likely = {one.value.text: one.millionths for one in outputs[0].updates[0].after.values}
    assert (
        Judgement(source="a", agent="a", evidence="measurement", millionths=likely["5"], hit=True),
        Judgement(source="b", agent="bot", evidence="citation", millionths=likely["7"], hit=False),
        Judgement(source="c", agent="c", evidence="inference", millionths=1_000_000 - likely["7"], hit=True),
        Judgement(source="d", agent="d", evidence="measurement", millionths=likely["9"], hit=False),
    ) == outputs[1].judged
    hit, missed = Outcome(hits=1, judged=1), Outcome(hits=0, judged=1)
    assert {"a": hit, "b": missed, "c": hit, "d": missed} == state.workspaces["docs"].terms.outcomes
    assert 8 / 11 == state.workspaces["docs"].terms.trust["a"]


def test_outcomes_move_what_their_sources_say_elsewhere() -> None:
    """A source that was right counts for more on all its claims; a setting goes before that."""
    _, outputs = fuse_all(
        claims(0, said("5"), said("7", source="lab"), said("3", subject="valve"), said("3", subject="v", source="lab")),
        trust(0, "lab", 0.5),
        resolve(0, FIVE),
    )
    assert ["pump", "valve"] == [update.after.subject for update in outputs[2].updates]
    assert 8 * (8 / 11) == outputs[2].updates[1].after.values[0].evidence


def test_resolving_otherwise_and_reopening() -> None:
    """Another one takes the place of the judgements before; reopening takes them back; the same changes nothing."""
    state, outputs = fuse_all(
        claims(0, said("5")),
        resolve(1, FIVE),
        resolve(2, value("5.0")),
        resolve(3, SEVEN),
        resolve(4, None),
        resolve(5, None),
    )
    resolutions = [(output.resolution and output.resolution.value, output.resolved_before) for output in outputs[1:]]
    assert [(FIVE, None), (None, None), (SEVEN, FIVE), (None, SEVEN), (None, None)] == resolutions
    assert [True, False] == [one.hit for output in outputs for one in output.judged]
    assert ["5.8182", "5.0909", "5.6000"] == [f"{_heaviest(outputs[at]):.4f}" for at in (1, 3, 4)]
    assert ({}, {}) == (state.workspaces["docs"].terms.outcomes, state.workspaces["docs"].resolved)


def test_resolving_what_nobody_spoke_on() -> None:
    """It is resolved all the same, and nobody is judged."""
    state, (output,) = fuse_all(resolve(0, FIVE))
    assert (FIVE, ()) == (output.resolution and output.resolution.value, output.judged)
    assert FIVE == state.workspaces["docs"].resolved["pump", "temperature"].value


def test_resolving_within_the_tolerance() -> None:
    """A value that is near enough to what turned out is a hit; so is a day in the month that did."""
    _, outputs = fuse_all(
        policy(0, "temperature", tolerance=0.05),
        claims(0, said("5.1", source="a"), said("6", source="b"), said("2026-03-09", kind="date", source="c")),
        resolve(0, FIVE),
        resolve(0, value("2026-03", kind="date")),
    )
    assert [[True, False, False], [False, False, True]] == [
        [one.hit for one in output.judged] for output in outputs[2:]
    ]


def test_resolving_one_of_several_values() -> None:
    """Of a multi-valued claim those are judged who speak of that value: of the others nothing is known."""
    _, outputs = fuse_all(
        policy(0, "temperature", multi_valued=True),
        claims(0, said("5"), said("7"), said("5", source="lab", positive=False), said("true", kind="boolean")),
        resolve(0, FIVE),
        resolve(0, value("false", kind="boolean")),
    )
    judged = [[(one.source, one.millionths, one.hit) for one in output.judged] for output in outputs[2:]]
    assert [[("lab", 500_000, False), ("plant", 500_000, True)], [("plant", 872_093, False)]] == judged


def test_most_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged at once is bounded in number and in bytes."""
    crowd = claims(0, *(said("5", source=f"s{n}") for n in range(9)))
    monkeypatch.setattr(judging, "MOST_JUDGED", 5)
    assert [f"s{n}" for n in range(5)] == [one.source for one in fuse_all(crowd, resolve(0, FIVE))[1][1].judged]
    monkeypatch.setattr(judging, "MOST_JUDGED_BYTES", 50)
    assert 2 == len(fuse_all(crowd, resolve(0, FIVE))[1][1].judged)


def test_judged_by_the_trust_of_the_time() -> None:
    """A claim that a setting still has to re-evaluate is judged as that setting has it."""
    names = [f"a{n:03}" for n in range(210)]
    crowd = [claims(0, *(said("5", subject=name) for name in names[at : at + 30])) for at in range(0, 210, 30)]
    _, outputs = fuse_all(
        *crowd,
        claims(0, said("5", subject="pump", source="plant"), said("7", subject="pump", source="lab")),
        trust(0, "plant", 0.0),
        resolve(0, FIVE),
    )
    likely = {one.source: one.millionths for one in outputs[-1].judged}
    assert 11 == outputs[-2].remaining
    assert likely["plant"] < likely["lab"]


def test_a_thousand_wishes() -> None:
    """Repeating a wish moves no belief by one bit."""
    first = claims(0, said("5"), said("7", source="lab"))
    wish = Intent(kind="goal", gist="I want to target enterprise")
    wishes = [Claims(meta=meta(0), intents=(wish,)) for _ in range(1000)]
    state, outputs = fuse_all(first, *wishes)
    expected, _ = fuse_all(first)
    assert expected == state
    assert all((wish,) == output.intents and not output.updates for output in outputs[1:])


def test_earlier_outputs_fold_as_before() -> None:
    """A resolution that was passed on before anybody was judged stands, and judges nobody."""
    state = State()
    evolve(state, Beliefs(meta=meta(0), resolution=resolve(0, FIVE).resolution))
    docs = state.workspaces["docs"]
    assert (FIVE, {}) == (docs.resolved["pump", "temperature"].value, docs.terms.trust)


def test_the_likeliest_of_several_is_not_the_heaviest() -> None:
    """Of values that may be true together one with less evidence, but none against it, is told as held likeliest."""
    _, outputs = fuse_all(
        policy(0, "temperature", multi_valued=True),
        claims(
            1,
            said("5", source="a"),
            said("5", source="b"),
            said("5", source="c", positive=False),
            said("7", source="d", evidence="citation"),
        ),
        claims(2, said("9", source="e", evidence="assumption")),
    )
    after = only(outputs[1]).after
    assert ["5", "7"] == [state.value.text for state in after.values]
    held = likeliest(after)
    assert (SEVEN, 791_667) == (held.value, held.millionths)
    assert held == only(outputs[2]).before
