"""Looks over a workspace: what is asked, once."""

import random

from stanchion_contracts.claim import Claims
from stanchion_contracts.finding import ClaimName, Finding
from stanchion_contracts.observation import Body, Tick
from stanchion_contracts.trust import Estimate
from stanchion_core.limits import FINDINGS
from stanchion_fusion.reassessment.handler import MOST_MESSAGES, Asked, State, evolve, look
from support.beliefs import NOW_US, meta, policy, said, trust
from support.reassessing import HOUR_US, Beside, disagreeing

DAY_US = 24 * HOUR_US


def found(asked: tuple[Asked, ...]) -> list[Finding]:
    """Give every finding that is asked."""
    return [one for message in asked for one in message.body.findings]


def estimated(asked: tuple[Asked, ...]) -> dict[str, Estimate]:
    """Give every estimate that is asked, by name."""
    return {one.name: one for message in asked for one in message.body.estimates}


def kinds(asked: tuple[Asked, ...]) -> list[str]:
    """Give the kinds of the findings that are asked, closed ones with a mark."""
    return [one.kind + ("!" if one.closed else "") for one in found(asked)]


def test_an_empty_hour_asks_nothing() -> None:
    """A tick over a workspace without claims, and one after which nothing came, ask nothing."""
    beside = Beside()
    assert () == beside.hour(1)
    beside.say(said("5"))
    assert () == beside.hour(2)


def test_a_clock_that_ran_ahead_costs_no_later_look() -> None:
    """While the last tick's hour has not come, a tick behind it is looked at like any other."""
    beside, hour = Beside(), NOW_US // HOUR_US
    beside.say(said("5", source="a"), said("7", source="b"))
    beside.tell(Claims(meta=meta(len(beside.outputs)), tick=Tick(hour=hour + 1_000)))
    beside.back(look(beside.state, "docs"))
    beside.say(*(said("5", source=f"c{number}") for number in range(10)))
    beside.tell(Claims(meta=meta(len(beside.outputs)), tick=Tick(hour=hour)))
    assert ["contradiction!"] == kinds(look(beside.state, "docs"))


def test_sources_are_estimated_where_the_workspace_wants_it() -> None:
    """Estimates come only while the policy has consensus on; who agrees with nobody is trusted less."""
    beside = Beside()
    disagreeing(beside)
    assert {} == estimated(beside.hour(1))
    beside.tell(policy(len(beside.outputs), consensus=True))
    asked = beside.hour(2)
    assert "consensus:2:1" == asked[0].event_id
    first = estimated(asked)
    assert ["ann", "ben", "cy", "odd"] == list(first)
    assert (20, 20) == (first["ann"].claims, first["odd"].claims)
    assert first["ann"].trust is not None
    assert first["odd"].trust is not None
    assert first["ann"].trust > 0.8
    assert first["odd"].trust < 0.2
    workspace = beside.state.fused.workspaces["docs"]
    assert first["ann"].trust == workspace.terms.trust["ann"]


def test_only_what_moved_is_told() -> None:
    """A look after which nothing came tells nothing, one after a little more of the same tells nobody's estimate."""
    beside = Beside()
    beside.tell(policy(0, consensus=True))
    disagreeing(beside, 60)
    assert estimated(beside.hour(1))
    assert ["contradiction!"] * 60 + ["trust_moved"] * 4 == kinds(beside.hour(2))  # trust has decided them
    assert ["trust_moved!"] * 4 == kinds(beside.hour(3))
    assert () == beside.hour(4)
    for source in ("ann", "ben", "cy"):
        beside.say(said("7", subject="one more", source=source, evidence="citation"))
    assert {} == estimated(beside.hour(5))


def test_a_person_s_setting_counts_as_known() -> None:
    """Whom a person trusts fully is taken to be right, and who agrees with it rises."""
    plain, told = Beside(), Beside()
    for beside in (plain, told):
        beside.tell(policy(0, consensus=True))
    told.tell(trust(1, "odd", 1.0))
    for beside in (plain, told):
        disagreeing(beside)
    before, after = estimated(plain.hour(1)), estimated(told.hour(1))
    assert (before["ann"].trust or 0) > (after["ann"].trust or 0)


def test_contradictions_open_and_close() -> None:
    """Two sources that cite two values contradict each other until others decide it."""
    beside = Beside()
    beside.say(said("5", source="a", evidence="citation"), said("7", source="b", evidence="citation"))
    asked = beside.hour(1)
    (one,) = found(asked)
    assert ("findings:1:1", "contradiction", "pump", "temperature") == (
        asked[0].event_id,
        one.kind,
        one.subject,
        one.predicate,
    )
    assert "evidence disagrees (dissonance 0.74): 5 (0.46) and 7 (0.46)" == one.detail
    assert () == beside.hour(2)
    beside.say(*(said("7", source=f"s{number}") for number in range(4)))
    assert ["contradiction!"] == kinds(beside.hour(3))
    assert () == beside.hour(4)


def test_age_alone_makes_a_belief_stale_and_new_evidence_fresh() -> None:
    """After more than two half-lives a belief is stale; the next word on it closes that."""
    beside = Beside()
    beside.say(said("5", at_us=NOW_US - 179 * DAY_US))
    assert [] == kinds(beside.hour(1))
    assert ["stale"] == kinds(beside.hour(48))
    assert [] == kinds(beside.hour(49))
    beside.say(said("5", source="fresh", at_us=NOW_US + 49 * HOUR_US))
    assert ["stale!"] == kinds(beside.hour(50))


def test_claims_that_share_subject_and_source_are_related() -> None:
    """Each is told of the other, one of another subject and source of none; nothing is told twice."""
    beside = Beside()
    beside.say(said("5"), said("9", predicate="pressure"), said("1", subject="fan", source="other"))
    told = {one.predicate: one.related for one in found(beside.hour(1)) if one.kind == "related"}
    assert {
        "temperature": (ClaimName(subject="pump", predicate="pressure"),),
        "pressure": (ClaimName(subject="pump", predicate="temperature"),),
    } == told
    beside.say(said("6", at_us=NOW_US + 1))
    assert [] == kinds(beside.hour(2))


def test_claims_of_one_predicate_are_related_by_two_sources() -> None:
    """One shared source is not enough where only the predicate is shared, two are."""
    beside = Beside()
    for subject, source in (("a", "x"), ("b", "x"), ("a", "y")):
        beside.say(said("5", subject=subject, source=source))
    assert [] == kinds(beside.hour(1))
    beside.say(said("5", subject="b", source="y"))
    assert ["related", "related"] == kinds(beside.hour(2))


def test_what_every_claim_says_relates_none() -> None:
    """Texts say `is` of most things: that two claims share it means nothing."""
    beside = Beside()
    for subject, source in (("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")):
        beside.say(said("5", subject=subject, predicate="is", source=source))
    assert [] == kinds(beside.hour(1))


def test_trust_that_moved_is_told_once() -> None:
    """A setting is told at the next look with before and after, and closes at the one after."""
    beside = Beside()
    beside.say(said("5"))
    beside.tell(trust(1, "plant", 0.2))
    (one,) = found(beside.hour(1))
    assert ("trust_moved", "plant", "", "trust went from 0.70 to 0.20") == (
        one.kind,
        one.subject,
        one.predicate,
        one.detail,
    )
    assert ["trust_moved!"] == kinds(beside.hour(2))
    assert () == beside.hour(3)
    beside.tell(trust(len(beside.outputs), "plant", 0.22))
    assert () == beside.hour(4)


def test_a_look_asks_no_more_than_its_messages_hold_and_the_next_goes_on() -> None:
    """Beyond the bound findings wait for the next look; none is lost and none told twice."""
    beside = Beside()
    count = FINDINGS * MOST_MESSAGES + 30
    beside.say(*(said("5", subject=f"pump {number // 2}", predicate=f"p{number % 2}") for number in range(count)))
    first, second = found(beside.hour(1)), found(beside.hour(2))
    assert (FINDINGS * MOST_MESSAGES, 30) == (len(first), len(second))
    assert count == len({(one.subject, one.predicate) for one in first + second})
    assert () == beside.hour(3)


def test_a_second_process_asks_the_same() -> None:
    """Whoever folds the same outputs asks the same, byte for byte, whenever it started."""
    beside = Beside()
    beside.tell(policy(0, consensus=True))
    disagreeing(beside)
    asked = beside.tick(1)
    late = State()
    for output in beside.outputs:
        evolve(late, output)
    assert asked == look(late, "docs")


def test_a_restart_sees_what_was_asked_already() -> None:
    """Once a look's first message is back, a process that starts does not look again for that hour; before, it does."""
    beside = Beside()
    beside.say(said("5", source="a", evidence="citation"), said("7", source="b", evidence="citation"))
    asked = beside.tick(1)
    before, after = State(), State()
    for output in beside.outputs:
        evolve(before, output)
    beside.back(asked)
    for output in beside.outputs:
        evolve(after, output)
    assert (False, True) == (before.seen["docs"].looked, after.seen["docs"].looked)
    assert asked[0].body.findings == tuple(after.seen["docs"].findings.values())


def test_a_tick_that_is_old_is_none() -> None:
    """A tick of an hour that has been does not bring its look again."""
    beside = Beside()
    beside.say(said("5", source="a", evidence="citation"), said("7", source="b", evidence="citation"))
    beside.hour(2)
    state = beside.state.seen["docs"]
    beside.tell(Claims(meta=meta(len(beside.outputs)), tick=Tick(hour=1)))
    assert (2, True) == (state.hour, state.looked)


def test_looking_changes_nothing_that_was_folded() -> None:
    """A look only notes that it was done."""
    beside = Beside()
    dice = random.Random(1)  # noqa: S311 - made-up claims, no secret
    for number in range(50):
        beside.say(said(str(dice.randrange(3)), subject=f"s{number % 7}", source=f"x{dice.randrange(5)}"))
    workspace = beside.state.fused.workspaces["docs"]
    before = repr((workspace, beside.state.seen["docs"].findings, beside.state.seen["docs"].told))
    beside.tick(1)
    assert before == repr((workspace, beside.state.seen["docs"].findings, beside.state.seen["docs"].told))


def test_bodies_have_one_part() -> None:
    """Estimates and findings travel apart, as ingest wants them."""
    beside = Beside()
    beside.tell(policy(0, consensus=True))
    disagreeing(beside)
    for one in beside.tick(1):
        assert one.body in {Body(estimates=one.body.estimates), Body(findings=one.body.findings)}
