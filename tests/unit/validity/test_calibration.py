"""How beliefs are worked out, and what claims turned out to be, as changes."""

from typing import Any

import pytest

from stanchion_contracts.belief import Beliefs, BeliefUpdate
from stanchion_contracts.change import Change, Changes, ResolutionChange
from stanchion_contracts.codec import encode
from stanchion_contracts.observation import Resolution
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.refusal import Refusal
from stanchion_contracts.topics import MAX_MESSAGE_BYTES
from stanchion_contracts.trust import Estimate, EstimateChange, Judgement
from stanchion_contracts.value import Value
from support.validity import CLAIM, MAYA, Line, belief, write

FIVE, SEVEN = Value(type="money", text="5", unit="USD"), Value(type="money", text="7", unit="USD")
RIGHT = Judgement(source="crm", agent="bot", evidence="citation", millionths=868_421, hit=True)
WRONG = Judgement(source="erp", agent="erp", evidence="measurement", millionths=131_579, hit=False)


def only(output: Changes) -> Change:
    """Give the one change of an output."""
    (change,) = output.changes
    return change


def resolve(line: Line, value: Value | None, before: Value | None = None, *judged: Judgement) -> Changes:
    """Resolve a claim, or open it again."""
    resolution = Resolution(subject="tam", predicate="size", value=value)
    meta = line.meta(MAYA, "observation")
    return line.feed(Beliefs(meta=meta, resolution=resolution, resolved_before=before, judged=judged))


def test_a_resolution_carries_what_was_before_and_who_was_right() -> None:
    """Resolved, resolved otherwise, opened again: each with what stood before; the same again is no change."""
    line = Line()
    outputs = [
        resolve(line, FIVE, None, RIGHT, WRONG),
        resolve(line, FIVE, None, RIGHT, WRONG),
        resolve(line, SEVEN, FIVE),
        resolve(line, None, SEVEN),
        resolve(line, None),
    ]
    assert [
        ResolutionChange(subject="tam", predicate="size", value=FIVE, judged=(RIGHT, WRONG)),
        ResolutionChange(subject="tam", predicate="size", value=SEVEN, before=FIVE),
        ResolutionChange(subject="tam", predicate="size", value=None, before=SEVEN),
    ] == [change.resolution for output in outputs for change in output.changes]
    assert [
        "tam size: resolved as 5 USD; 1 of 2 who spoke on it were right",
        "tam size: resolved as 7 USD, was resolved as 5 USD",
        "tam size: open again, was resolved as 7 USD",
    ] == [change.reason for output in outputs for change in output.changes]
    assert {} == line.workspace.resolved


def test_five_thousand_judgements_fit() -> None:
    """The most voices that a resolution judges, under long names, fit a message beside two hundred beliefs."""
    line = Line()
    judged = tuple(
        Judgement(source=f"{number:0256}", agent=f"{number:0256}", evidence="citation", millionths=1, hit=True)
        for number in range(5_000)
    )
    meta = line.meta(MAYA, "observation")
    updates = tuple(
        BeliefUpdate(before=None, after=belief(0.9, meta.time_us, claim=(f"s{number}", "p"))) for number in range(200)
    )
    resolution = Resolution(subject="tam", predicate="size", value=FIVE)
    output = line.feed(Beliefs(meta=meta, updates=updates, resolution=resolution, judged=judged, remaining=7))
    assert (201, 7, None) == (len(output.changes), output.remaining, output.refusal)
    assert len(encode(output)) < MAX_MESSAGE_BYTES


@pytest.mark.parametrize(
    ("before", "after", "subject", "reason"),
    [
        (
            BeliefPolicy(),
            BeliefPolicy(half_life="fast", multi_valued=True, tolerance=0.05, consensus=True),
            "docs",
            (
                "beliefs of workspace docs: half-life the process's → fast; several values at once; "
                "tolerance 0 → 0.05; consensus on"
            ),
        ),
        (
            BeliefPolicy(predicate="size", half_life="slow", multi_valued=True, tolerance=0.5),
            BeliefPolicy(predicate="size"),
            "size",
            "beliefs on size: half-life slow → the workspace's; as the workspace has it; tolerance 0.5 → 0",
        ),
        (
            BeliefPolicy(multi_valued=True, consensus=True),
            BeliefPolicy(),
            "docs",
            "beliefs of workspace docs: one value at a time; consensus off",
        ),
    ],
)
def test_a_policy(before: BeliefPolicy, after: BeliefPolicy, subject: str, reason: str) -> None:
    """A policy that changed is a change of its predicate, or of the workspace, and says what differs; else none."""
    line = Line()
    policy = PolicyChange(before=before, after=after)
    change = only(line.feed(Beliefs(meta=line.meta(MAYA, "observation"), policy=policy)))
    assert ("policy.set", "policy", subject, reason) == (
        change.action,
        change.subject_kind,
        change.subject_id,
        change.reason,
    )
    assert policy == change.policy
    same = PolicyChange(before=after, after=after)
    assert () == line.feed(Beliefs(meta=line.meta(MAYA, "observation"), policy=same)).changes


def test_estimates() -> None:
    """Estimates are one change, which names the first few."""
    line = Line()
    estimates = tuple(
        Estimate(name=f"src{number}", trust=None if number == 1 else number / 10, accuracy=0.5, claims=3)
        for number in range(5)
    )
    change = only(line.feed(Beliefs(meta=line.meta(MAYA, "observation"), estimates=estimates)))
    assert ("trust.estimated", "trust", "consensus") == (change.action, change.subject_kind, change.subject_id)
    assert "trust by consensus: src0 0.00, src1 no more, src2 0.20 and 2 more" == change.reason
    assert EstimateChange(estimates=estimates) == change.estimated


def test_a_belief_that_is_worked_out_otherwise_has_moved() -> None:
    """Re-evaluated under another half-life a belief ages otherwise, though it says the same for now."""
    line = Line()
    for half_life_s, moved in ((0, 1), (0, 0), (1_209_600, 1), (1_209_600, 0)):
        meta = line.meta(MAYA, "observation")
        update = BeliefUpdate(before=None, after=belief(0.9, meta.time_us, half_life_s=half_life_s))
        assert moved == len(line.feed(Beliefs(meta=meta, updates=(update,))).changes)
    assert 1_209_600 == line.workspace.beliefs[CLAIM].half_life_s


@pytest.mark.parametrize("parts", [{"repeated": True}, {"refusal": Refusal(reason="FIELD_VALUE", detail="no")}, {}])
def test_what_was_due_moves_with_whatever_comes_next(parts: dict[str, Any]) -> None:
    """Fusion re-evaluates with any message, also with one that came before or was refused: nothing of it is lost."""
    line = Line()
    line.write(write("h", "hypothesis", claim={"subject": CLAIM[0], "predicate": CLAIM[1]}, condition={"op": "true"}))
    meta = line.meta(MAYA, "observation")
    due = BeliefUpdate(before=None, after=belief(0.9, meta.time_us))
    output = line.feed(Beliefs(meta=meta, updates=(due,), remaining=7, **parts))
    assert ["belief.moved", "record.written"] == [change.action for change in output.changes]
    assert (7, parts.get("refusal"), "repeated" in parts) == (output.remaining, output.refusal, output.repeated)
    assert ((0, 0) if "repeated" in parts else (2, 3)) == (output.first_seq, output.last_seq_answered)
    assert ("supported", 3) == (line.held("h").status, line.workspace.seq)
