"""What turned out, and how beliefs are worked out, over gRPC and the whole line."""

import asyncio

import pytest

from stanchion.results import Answer, LedgerEntry, Value
from stanchion.values import value_of
from stanchion.writes import Claim
from support.team import Team, refused

MANY = 250


async def speak(team: Team, source: str, value: int) -> None:
    """Let a source speak on many claims, in two messages."""
    claims = [Claim(subject=f"s{number:03}", predicate="p", value=value_of(value)) for number in range(MANY)]
    for part in (claims[:200], claims[200:]):
        observed = await team.clients["maya"].observe(
            workspace=team.workspace, path="tool-result", source=source, claims=part
        )
        team.took(observed.answer)


async def entries(team: Team) -> list[LedgerEntry]:
    """Give the ledger of the workspace."""
    return [entry async for entry in team.clients["maya"].trace(workspace=team.workspace, min_seq=team.seq)]


async def weighed(team: Team, answer: Answer) -> None:
    """Wait until all claims have been weighed anew, each once: the rest of the work is asked for by the gateway."""
    team.took(answer)
    assert (200, MANY - 200) == (len(answer.beliefs), answer.remaining)
    async with asyncio.timeout(60):
        while True:
            moved = [
                each for each in await entries(team) if each.action == "belief.moved" and each.seq > answer.first_seq
            ]
            if len(moved) >= MANY:
                break
            await asyncio.sleep(0.2)
    assert MANY == len(moved) == len({each.subject_id for each in moved})


@pytest.mark.timeout(180)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_resolution_and_a_policy_weigh_everything_anew(team: Team) -> None:
    """Each touches more claims than one message may: the answer says how many are left, and then none are."""
    maya = team.clients["maya"]
    await speak(team, "crm", 5)
    resolved = await maya.resolve("S000", "P", 7, workspace=team.workspace, idempotency_key="r")
    await weighed(team, resolved)
    trust = await maya.trust.get("crm", workspace=team.workspace, min_seq=team.seq)
    assert ("outcomes", 0, 1) == (trust.basis, trust.hits, trust.judged)
    assert 7 / 11 == trust.value
    again = await maya.resolve("S000", "P", 7, workspace=team.workspace, idempotency_key="r")
    assert (True, 0) == (again.repeated_command, again.remaining)
    await weighed(team, await maya.policy.set("P", multi_valued=True, workspace=team.workspace))
    said = {entry.action: entry.reason for entry in await entries(team)}
    assert "s000 p: resolved as 7; 0 of 1 who spoke on it were right" == said["claim.resolved"]
    assert "beliefs on p: several values at once" == said["policy.set"]


@pytest.mark.asyncio(loop_scope="session")
async def test_who_may_not_and_what_is_none(team: Team) -> None:
    """Over the wire a refusal keeps its reason and its field, from the gateway and from a stage down the line."""
    maya, reader = team.clients["maya"], team.clients["reader"]
    wrong = await refused(maya.policy.set(tolerance=0.6, workspace=team.workspace))
    assert ("FIELD_VALUE", ["tolerance"]) == (wrong.reason, [field for field, _ in wrong.violations])
    for call in (
        reader.policy.set(tolerance=0.1, workspace=team.workspace),
        reader.resolve("a", "b", 1, workspace=team.workspace),
    ):
        assert "MISSING_CAPABILITY" == (await refused(call)).reason
    no_day = Value(type="date", text="2026-02-30")
    assert "FIELD_VALUE" == (await refused(maya.resolve("a", "b", no_day, workspace=team.workspace))).reason
