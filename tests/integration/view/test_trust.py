"""Trust, calibration and findings over real gRPC."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_runtime.memory import MemoryLog
from support.believing import DAY_US, Line, number, voice
from support.ledgers import Scribe, estimated, found, judged, resolved, ruled, said, trusted
from support.views import PARTITIONS, Serving, reason_of

WORKSPACE = "acme"
FIVE, SEVEN = number("5"), number("7")


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    """A view that serves an empty ledger."""
    async with Serving(tmp_path, MemoryLog(partitions=PARTITIONS)) as running:
        yield running


async def trusts(serving: Serving, **asked: Any) -> pb.ListTrustResponse:  # noqa: ANN401 - as the message takes them
    """List trust."""
    request = pb.ListTrustRequest(workspace=WORKSPACE, **asked)
    response: pb.ListTrustResponse = await serving.stub.ListTrust(request, metadata=serving.me)
    return response


async def findings(serving: Serving, **asked: Any) -> pb.ListFindingsResponse:  # noqa: ANN401 - as the message takes them
    """List findings."""
    request = pb.ListFindingsRequest(workspace=WORKSPACE, **asked)
    response: pb.ListFindingsResponse = await serving.stub.ListFindings(request, metadata=serving.me)
    return response


async def test_trust_says_on_what_it_rests(serving: Serving) -> None:
    """Setting, then outcomes, then consensus, then the default; what is not in force is told, too."""
    scribe = Scribe()
    serving.append(
        scribe.message(
            trusted("set", 0.2),
            estimated(set=0.3, out=0.4, con=0.5),
            resolved(FIVE, judged("out", hit=True), judged("set", hit=False)),
        )
    )
    page = await trusts(serving, min_seq=3)
    assert [("con", "default", 0.7, 0.5), ("out", "outcomes", 8 / 11, 0.4), ("set", "setting", 0.2, 0.3)] == [
        (each.name, each.basis, each.value, each.consensus) for each in page.trust
    ]
    serving.append(scribe.message(ruled(consensus=True)))
    first = await trusts(serving, limit=2, min_seq=4)
    second = await trusts(serving, limit=2, cursor=first.next_cursor)
    assert [("con", "consensus", 0.5, 0.5), ("out", "outcomes", 8 / 11, 0.4), ("set", "setting", 0.2, 0.3)] == [
        (each.name, each.basis, each.value, each.consensus) for each in (*first.trust, *second.trust)
    ]
    assert ("", 1) == (second.next_cursor, second.trust[0].judged)
    only = await trusts(serving, name="nobody")
    assert [("nobody", "default", 0.7)] == [(each.name, each.basis, each.value) for each in only.trust]


async def test_calibration_goes_by_the_confidence_before_the_resolution(serving: Serving) -> None:
    """Of all beliefs, then by source, agent and evidence type, each with its bins; a reopened claim is not counted."""
    now = serving.now_us()
    line = Line(now - 90 * DAY_US)
    serving.append(
        line.say(voice("right", FIVE, "crm", agent="bot", at_us=line.now_us)),
        line.say(voice("wrong", FIVE, "crm", evidence="citation", at_us=line.now_us)),
        line.say(voice("open", FIVE, "erp", at_us=line.now_us)),
    )
    line.now_us = now
    serving.append(
        line.resolve("right", "tam", FIVE),
        line.resolve("wrong", "tam", SEVEN),
        line.resolve("open", "tam", FIVE),
        last := line.resolve("open", "tam", None),
    )
    seq = last.size
    request = pb.GetCalibrationRequest(workspace=WORKSPACE, min_seq=seq)
    response: pb.GetCalibrationResponse = await serving.stub.GetCalibration(request, metadata=serving.me)
    assert (2, seq) == (response.resolved, response.as_of_seq)
    found_ones = {(each.by, each.name): each for each in response.calibrations}
    assert [
        *(("all", ""), ("source", "crm"), ("agent", "bot"), ("agent", "crm")),
        *(("evidence", "citation"), ("evidence", "measurement")),
    ] == list(found_ones)
    everything = found_ones["all", ""]
    # half a weight is left after ninety days; crm, right once, is trusted 8/11 when the second claim is resolved
    right, wrong = ((mass / 2 + 1) / (mass / 2 + 2) for mass in (8 * 0.7 * 0.7, 4 * 8 / 11))
    assert (2, 1) == (everything.count, everything.hits)
    assert ((1 - right) ** 2 + wrong**2) / 2 == pytest.approx(everything.brier, rel=1e-6)
    assert 10 == len(everything.bins)
    assert [(7, 2, 0.5)] == [(at, one.count, one.hits) for at, one in enumerate(everything.bins) if one.count]
    assert abs((right + wrong) / 2 - 0.5) == pytest.approx(everything.error, rel=1e-6)
    crm = found_ones["source", "crm"]
    assert (2, 1) == (crm.count, crm.hits)
    assert (1, 1) == (found_ones["evidence", "measurement"].count, found_ones["agent", "bot"].hits)


async def test_calibration_of_many_shows_those_judged_most(serving: Serving) -> None:
    """At most as many sources and as many agents as asked for, most judged first, ties by name."""
    scribe = Scribe()
    voices = [judged(name, hit=True) for name in ("b", "a", "c", "c")]
    serving.append(scribe.message(resolved(FIVE, *voices)))
    request = pb.GetCalibrationRequest(workspace=WORKSPACE, limit=2, min_seq=1)
    response = await serving.stub.GetCalibration(request, metadata=serving.me)
    named = [(each.by, each.name, each.count) for each in response.calibrations]
    assert [("source", "c", 2), ("source", "a", 1), ("agent", "c", 2), ("agent", "a", 1)] == named[1:5]
    assert ("all", "", 0) == named[0]


async def test_findings_that_hold_come_latest_first(serving: Serving) -> None:
    """By kind, and of a claim or a source; one that is told anew comes first, one that is closed not at all."""
    scribe = Scribe()
    serving.append(
        scribe.message(
            found("stale", "a"),
            found("stale", "b"),
            found("contradiction", "a"),
            found("trust_moved", "CRM", ""),
            found("stale", "c"),
        ),
        scribe.message(found("stale", "a", detail="more so"), found("stale", "c", closed=True)),
    )
    first = await findings(serving, limit=2, min_seq=7)
    rest = await findings(serving, limit=2, cursor=first.next_cursor)
    assert [("stale", "a", 6), ("trust_moved", "CRM", 4), ("contradiction", "a", 3), ("stale", "b", 2)] == [
        (each.kind, each.subject, each.seq) for each in (*first.findings, *rest.findings)
    ]
    assert ("more so", scribe.now_us) == (first.findings[0].detail, first.findings[0].found_at.ToMicroseconds())
    assert "" == rest.next_cursor
    for asked, seqs in (
        ({"kinds": ["contradiction", "trust_moved"]}, [4, 3]),
        ({"subject": " A ", "predicate": "TAM"}, [6, 3]),
        ({"subject": "CRM"}, [4]),
        ({"subject": "c"}, []),
    ):
        assert seqs == [each.seq for each in (await findings(serving, **asked)).findings]


async def test_watch_tells_what_changes_beliefs(serving: Serving) -> None:
    """Policies, estimates, resolutions and findings come by on Watch like everything else."""
    scribe = Scribe()
    call = serving.stub.Watch(pb.WatchRequest(workspace=WORKSPACE, from_seq=1), metadata=serving.me)
    serving.append(
        scribe.message(
            *(scribe.believe(said("5")), trusted("crm", 0.5), ruled("tam", tolerance=0.1), estimated(crm=0.5)),
            *(resolved(FIVE), found("stale"), found("stale", closed=True)),
        )
    )
    told = []
    async with asyncio.timeout(5):
        async for response in call:
            if response.HasField("event"):
                told.append((response.event.kind, response.event.subject_id))
            if len(told) == 7:
                break
    call.cancel()
    assert [
        *(("belief.moved", "acme/tam"), ("trust.set", "crm"), ("policy.set", "tam")),
        *(("trust.estimated", "consensus"), ("claim.resolved", "acme/tam")),
        *(("finding.opened", "stale acme/tam"), ("finding.closed", "stale acme/tam")),
    ] == told


@pytest.mark.parametrize(
    ("method", "request_of", "change", "reason"),
    [
        ("ListTrust", pb.ListTrustRequest, {"limit": 1_001}, "FIELD_VALUE"),
        ("ListTrust", pb.ListTrustRequest, {"name": "x" * 257}, "TOO_LARGE"),
        ("ListTrust", pb.ListTrustRequest, {"cursor": "x"}, "BAD_CURSOR"),
        ("GetCalibration", pb.GetCalibrationRequest, {"limit": -1}, "FIELD_VALUE"),
        ("ListFindings", pb.ListFindingsRequest, {"kinds": ["odd"]}, "FIELD_VALUE"),
        ("ListFindings", pb.ListFindingsRequest, {"limit": 201}, "FIELD_VALUE"),
        ("ListFindings", pb.ListFindingsRequest, {"cursor": "x"}, "BAD_CURSOR"),
        ("GetBelief", pb.GetBeliefRequest, {"subject": "acme"}, "FIELD_VALUE"),
    ],
)
async def test_a_wrong_question_is_refused(
    serving: Serving, method: str, request_of: Callable[..., object], change: dict[str, Any], reason: str
) -> None:
    """What is wrong with the question is told by reason, as INVALID_ARGUMENT."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await getattr(serving.stub, method)(request_of(workspace=WORKSPACE, **change), metadata=serving.me)
    assert (grpc.StatusCode.INVALID_ARGUMENT, reason) == (caught.value.code(), reason_of(caught.value).reason)
