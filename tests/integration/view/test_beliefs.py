"""Beliefs over real gRPC, from ledgers that fusion, validity and audit wrote."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.value import Value
from stanchion_runtime import clock
from stanchion_runtime.memory import MemoryLog
from support.believing import DAY_US, Line, number, voice
from support.ledgers import Scribe, estimated, judged, resolved, ruled, said, trusted
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"
FIVE, SEVEN = number("5"), number("7")
TRUE, FALSE = Value(type="boolean", text="true"), Value(type="boolean", text="false")


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


async def believed(serving: Serving, subject: str, predicate: str = "tam", *, min_seq: int = 0) -> types_pb2.Belief:
    """Read one belief."""
    request = pb.GetBeliefRequest(workspace=WORKSPACE, subject=subject, predicate=predicate, min_seq=min_seq)
    response: pb.GetBeliefResponse = await serving.stub.GetBelief(request, metadata=serving.me)
    return response.belief


async def listed(serving: Serving, **asked: Any) -> pb.ListBeliefsResponse:  # noqa: ANN401 - as the message takes them
    """List beliefs."""
    request = pb.ListBeliefsRequest(workspace=WORKSPACE, **asked)
    response: pb.ListBeliefsResponse = await serving.stub.ListBeliefs(request, metadata=serving.me)
    return response


def rounded(belief: types_pb2.Belief) -> tuple[dict[str, float], float, float]:
    """What the worked tables name: probabilities, vacuity and dissonance, to six places."""
    values = {state.value.text: round(state.probability, 6) for state in belief.values}
    return values, round(belief.vacuity, 6), round(belief.dissonance, 6)


async def test_worked_table_is_what_a_reader_sees(serving: Serving) -> None:
    """Each row of the table in beliefs.md, from claims to gRPC; a list gives the same numbers as each alone."""
    now = clock.now_us()
    line = Line(now)
    cites: dict[str, Any] = {"evidence": "citation", "at_us": now}
    later: dict[str, Any] = {**cites, "at_us": now + 1}
    rows = {
        "one": [voice("one", FIVE, at_us=now)],
        "boolean": [
            voice("boolean", TRUE, at_us=now),
            *(voice("boolean", FALSE, f"a{at}", evidence="inference", at_us=now) for at in range(5)),
        ],
        "agree": [voice("agree", FIVE, name, **cites) for name in ("crm", "erp")],
        "differ": [voice("differ", FIVE, **cites), voice("differ", SEVEN, "erp", **cites)],
        "repeats": [voice("repeats", FIVE, evidence="citation", at_us=now - at) for at in range(10)],
        "corrects": [voice("corrects", FIVE, **cites), voice("corrects", SEVEN, **later)],
        "weaker": [voice("weaker", FIVE, at_us=now), voice("weaker", SEVEN, evidence="inference", at_us=now + 1)],
        "quoted": [voice("quoted", FIVE, at_us=now), voice("quoted", SEVEN, agent="gossip", at_us=now + 1)],
        "denied": [voice("denied", FIVE, **cites), voice("denied", FIVE, "erp", positive=False, **cites)],
        "unnamed": [voice("unnamed", FIVE, positive=False, **cites)],
        "trusted": [voice("trusted", number("34"), "good", agent="half", **cites)],
    }
    trust = {"gossip": 0.01, "half": 0.5, "good": 0.9}
    serving.append(
        *(line.trust(name, value) for name, value in trust.items()),
        *(line.say(*contributions) for contributions in rows.values()),
    )
    wanted = {
        "one": ({"5": 0.868421}, 0.263158, 0),
        "boolean": ({"true": 0.594595, "false": 0.405405}, 0.180180, 0.630631),
        "agree": ({"5": 0.868421}, 0.263158, 0),
        "differ": ({"5": 0.456140, "7": 0.456140}, 0.263158, 0.736842),
        "repeats": ({"5": 0.791667}, 0.416667, 0),
        "corrects": ({"7": 0.791667}, 0.416667, 0),
        "weaker": ({"5": 0.755020, "7": 0.164659}, 0.240964, 0.168675),
        "quoted": ({"5": 0.818530, "7": 0.094392}, 0.261233, 0.014629),
        "denied": ({"5": 0.5}, 0.263158, 0.736842),
        "unnamed": ({"5": 0.208333}, 0.416667, 0),
        "trusted": ({"34": 0.736842}, 0.526316, 0),
    }
    seq = len(trust) + len(rows)
    assert wanted == {name: rounded(await believed(serving, name, min_seq=seq)) for name in rows}
    page = await listed(serving)
    assert {name: wanted[name] for name in sorted(wanted)} == {each.subject: rounded(each) for each in page.beliefs}
    assert (len(rows), seq) == (page.total, page.as_of_seq)


async def test_evidence_decays_by_the_readers_now(serving: Serving) -> None:
    """A measurement of half a year ago, under each half-life a policy can name; stale where three quarters are gone."""
    now = clock.now_us()
    line = Line(now)
    words = ("fast", "standard", "slow", "none")
    serving.append(
        *(line.rule(predicate=word, half_life=word) for word in words),
        *(line.say(voice("acme", FIVE, predicate=word, at_us=now - 180 * DAY_US)) for word in words),
    )
    found = {word: await believed(serving, "acme", word, min_seq=8) for word in words}
    assert {
        "fast": ({"5": 0.500189}, 0.999623, 0),
        "standard": ({"5": 0.705882}, 0.588235, 0),
        "slow": ({"5": 0.832738}, 0.334524, 0),
        "none": ({"5": 0.868421}, 0.263158, 0),
    } == {word: rounded(belief) for word, belief in found.items()}
    # 180 days are two standard half-lives, and the reader comes a moment later
    assert ["fast", "standard"] == [word for word, belief in found.items() if belief.stale]
    assert [14, 90, 365, 0] == [found[word].half_life_days for word in words]
    stale = await listed(serving, stale=True)
    assert (["fast", "standard"], 2) == ([each.predicate for each in stale.beliefs], stale.total)


async def test_whatever_changes_a_belief_is_seen_at_its_own_seq(serving: Serving) -> None:
    """Trust, estimates, policies and outcomes count on the next read, before anybody has worked the belief out anew."""
    scribe = Scribe()
    now = serving.now_us()
    serving.append(scribe.message(scribe.believe(said("5", at_us=now - 180 * DAY_US))))
    weights = []
    for change in (
        trusted("crm", 0.35),
        trusted("crm", None, 0.35),
        estimated(crm=0.14),
        ruled(consensus=True),
        resolved(FIVE, judged("crm", hit=True), subject="other"),
        trusted("crm", 0.5),
        ruled(consensus=True, half_life="none"),
        ruled("tam", half_life="slow"),
    ):
        serving.append(scribe.message(change))
        belief = await believed(serving, "acme", min_seq=scribe.seq)
        assert 1 == belief.seq
        weights.append(belief.contributions[0].weight)
    slow = 2 ** -(180 / 365)
    assert [
        *(8 * trust / 4 for trust in (0.35, 0.7, 0.7, 0.14, 8 / 11, 0.5)),
        8 * 0.5,
        8 * 0.5 * slow,
    ] == pytest.approx(weights)


async def test_a_reader_hears_who_speaks_and_why_they_are_believed(serving: Serving) -> None:
    """Each voice with where it was found and what it weighs, and of each name how far it is trusted and why."""
    scribe = Scribe()
    now = serving.now_us()
    found = voice("acme", FIVE, "crm", agent="bot", at_us=now, sample="s1", strength=0.5, rule="is", begin=3, end=9)
    serving.append(
        scribe.message(scribe.believe(found, half_life_s=0)),
        scribe.message(
            trusted("bot", 0.9),
            estimated(crm=0.6, bot=0.3),
            ruled(consensus=True),
            resolved(FIVE, judged("bot", hit=True), judged("bot", hit=False), subject="other"),
        ),
    )
    belief = await believed(serving, "acme", min_seq=5)
    (each,) = belief.contributions
    assert ("s1", 0.5, "is", 3, 9) == (each.sample, each.strength, each.rule, each.begin, each.end)
    assert 8 * 0.9 * 0.6 * 0.5 == pytest.approx(each.weight)
    bot, crm = belief.trust
    assert ("bot", 0.9, "setting", 0.9, 1, 2, 0.3) == (
        *(bot.name, bot.value, bot.basis, bot.setting, bot.hits, bot.judged, bot.consensus),
    )
    assert ("crm", 0.6, "consensus", False, 0.6) == (
        *(crm.name, crm.value, crm.basis, crm.HasField("setting"), crm.consensus),
    )


async def test_resolved_and_contradicted_show(serving: Serving) -> None:
    """What a claim turned out to be until it is open again, and whether its values contradict each other."""
    now = clock.now_us()
    line = Line(now)
    serving.append(
        line.say(voice("acme", FIVE, at_us=now)),
        line.say(voice("acme", SEVEN, "erp", at_us=now)),
        line.resolve("acme", "tam", SEVEN),
    )
    belief = await believed(serving, "acme", min_seq=3)
    assert (True, "7") == (belief.contradicted, belief.resolved.text)
    only = await listed(serving, resolved=True, contradicted=True)
    assert [("acme", "7")] == [(each.subject, each.resolved.text) for each in only.beliefs]
    serving.append(line.resolve("acme", "tam", None))
    page = await listed(serving, resolved=True, min_seq=only.as_of_seq + 1)
    assert ([], 0) == (list(page.beliefs), page.total)
    assert not (await believed(serving, "acme")).HasField("resolved")
    serving.append(unsaid := line.resolve("nobody spoke", "tam", SEVEN))
    belief = await believed(serving, "nobody spoke", min_seq=unsaid.size)
    assert ([], 1, "7", unsaid.size) == (list(belief.values), belief.vacuity, belief.resolved.text, belief.seq)


async def test_values_of_a_multi_valued_claim_stand_alone(serving: Serving) -> None:
    """Each value with what speaks against it; within a tolerance numbers are one."""
    now = clock.now_us()
    line = Line(now)
    serving.append(
        line.rule(predicate="tags", multi_valued=True),
        line.rule(predicate="tam", tolerance=0.05),
        line.say(
            voice("acme", number("1"), predicate="tags", at_us=now),
            voice("acme", number("2"), predicate="tags", at_us=now),
            voice("acme", number("2"), "erp", predicate="tags", positive=False, at_us=now),
        ),
        line.say(voice("acme", number("100"), at_us=now), voice("acme", number("102"), "erp", at_us=now)),
    )
    seq = 4
    tags = await believed(serving, "acme", "tags", min_seq=seq)
    first, second = tags.values
    assert ("1", round(6.6 / 7.6, 6), 0, 0) == (
        *(first.value.text, round(first.probability, 6), first.against, first.dissonance),
    )
    assert ("2", 0.5) == (second.value.text, second.probability)
    assert 5.6 == pytest.approx(second.against)
    assert (True, True) == (tags.multi_valued, tags.contradicted)
    tam = await believed(serving, "acme", min_seq=seq)
    assert (1, 0.05, False) == (len(tam.values), tam.tolerance, tam.contradicted)
    workspace = await serving.stub.GetWorkspace(pb.GetWorkspaceRequest(workspace=WORKSPACE), metadata=serving.me)
    assert [("tags", True, 0), ("tam", False, 0.05)] == [
        (each.predicate, each.multi_valued, each.tolerance) for each in workspace.policies
    ]


async def test_pages_of_beliefs_hold_each_once_while_others_move(serving: Serving) -> None:
    """By claim, and by how well they match words: what moves between pages neither repeats nor hides what was there."""
    scribe = Scribe()
    subjects = [f"annual plan {at}" for at in range(5)] + ["monthly plan", "price"]
    serving.append(*(scribe.message(scribe.believe(said("5", subject=subject))) for subject in subjects))
    for about, wanted in (("", sorted(subjects)), ("the annual plan?", [*subjects[:5], "monthly plan"])):
        seen: list[str] = []
        asked: dict[str, Any] = {"about": about, "limit": 3, "min_seq": scribe.seq}
        while True:
            page = await listed(serving, **asked)
            seen += [each.subject for each in page.beliefs]
            if not page.next_cursor:
                break
            serving.append(scribe.message(scribe.believe(said("6", subject=subjects[0]))))
            asked |= {"cursor": page.next_cursor, "min_seq": scribe.seq}
        assert wanted == seen
        assert len(wanted) == page.total
    assert ["price"] == [each.subject for each in (await listed(serving, subject=" PRICE ")).beliefs]
    assert 7 == (await listed(serving, predicate="TAM", limit=1)).total
    assert 1 == len((await listed(serving, predicate="TAM", limit=1)).beliefs)


async def test_a_page_of_large_values_is_shorter(serving: Serving) -> None:
    """A page never outgrows a message: the rest comes with the next ones."""
    now = clock.now_us()
    scribe = Scribe(now_us=now)
    names = [f"s{at:02}" for at in range(40)]
    for name in names:
        values = [Value(type="string", text=f"{at:03}" + "x" * 1_200) for at in range(200)]
        voices = [voice(name, value, f"crm{at}", at_us=now) for at, value in enumerate(values)]
        serving.append(scribe.message(scribe.believe(*voices)))
    seen: list[str] = []
    pages, following = 0, ""
    while pages == 0 or following:
        page = await listed(serving, limit=200, cursor=following, min_seq=len(names))
        seen += [each.subject for each in page.beliefs]
        pages, following = pages + 1, page.next_cursor
    assert (names, 2) == (seen, pages)


async def test_a_page_tells_nothing_that_no_longer_is_so(serving: Serving) -> None:
    """A belief that a policy has refreshed is not shown as stale, though it is counted until it is stated anew."""
    now = clock.now_us()
    line = Line(now - 200 * DAY_US)
    serving.append(line.say(voice("old", FIVE, at_us=line.now_us)), line.say(voice("older", FIVE, at_us=line.now_us)))
    page = await listed(serving, stale=True, min_seq=2)
    assert (["old", "older"], 2) == ([each.subject for each in page.beliefs], page.total)
    scribe = Scribe(seq=2, now_us=now)
    serving.append(scribe.message(ruled(half_life="none")))
    page = await listed(serving, stale=True, min_seq=3)
    assert ([], 2, "") == (list(page.beliefs), page.total, page.next_cursor)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"limit": 201}, "FIELD_VALUE"),
        ({"limit": -1}, "FIELD_VALUE"),
        ({"min_seq": -1}, "FIELD_VALUE"),
        ({"cursor": "nonsense"}, "BAD_CURSOR"),
        ({"subject": "x" * 257}, "TOO_LARGE"),
        ({"about": "x" * 10_001}, "TOO_LARGE"),
        ({"about": "?!"}, "FIELD_VALUE"),
        ({"workspace": ""}, "FIELD_VALUE"),
    ],
)
async def test_a_wrong_question_is_refused(serving: Serving, change: dict[str, Any], reason: str) -> None:
    """What is wrong with the question is told by reason, as INVALID_ARGUMENT."""
    request = pb.ListBeliefsRequest(**{"workspace": WORKSPACE, **change})
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.ListBeliefs(request, metadata=serving.me)
    assert (grpc.StatusCode.INVALID_ARGUMENT, reason) == (caught.value.code(), reason_of(caught.value).reason)


async def test_a_cursor_answers_only_its_own_question(serving: Serving) -> None:
    """A cursor used with other filters, or of another call, is refused."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.believe(said("5")), scribe.believe(said("5", subject="other"))))
    first = await listed(serving, limit=1, min_seq=2)
    for asked in ({"stale": True}, {"about": "acme"}):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await listed(serving, cursor=first.next_cursor, **asked)
        assert "BAD_CURSOR" == reason_of(caught.value).reason


async def test_only_who_may_read_a_workspace_reads_its_beliefs(serving: Serving) -> None:
    """Each of the calls refuses a token of another workspace, and one without `read`."""
    scribe = Scribe()
    serving.append(scribe.message(scribe.believe(said("5"))))
    await believed(serving, "acme", min_seq=1)
    calls: dict[Any, Any] = {
        serving.stub.GetBelief: pb.GetBeliefRequest(workspace=WORKSPACE, subject="acme", predicate="tam"),
        serving.stub.ListBeliefs: pb.ListBeliefsRequest(workspace=WORKSPACE),
        serving.stub.ListTrust: pb.ListTrustRequest(workspace=WORKSPACE),
        serving.stub.GetCalibration: pb.GetCalibrationRequest(workspace=WORKSPACE),
        serving.stub.ListFindings: pb.ListFindingsRequest(workspace=WORKSPACE),
    }
    tokens = {
        "WRONG_WORKSPACE": serving.token(workspaces=["other"]),
        "MISSING_CAPABILITY": serving.token(capabilities=["write"]),
    }
    for call, request in calls.items():
        for reason, token in tokens.items():
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(request, metadata=token)
            assert (grpc.StatusCode.PERMISSION_DENIED, reason) == (
                *(caught.value.code(), reason_of(caught.value).reason),
            )
