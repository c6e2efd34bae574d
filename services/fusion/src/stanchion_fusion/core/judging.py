"""What each voice on a claim said before anybody knew, and whether it was right."""

from collections.abc import Iterable, Iterator
from typing import Final

from stanchion_contracts.claim import Contribution
from stanchion_contracts.trust import Judgement
from stanchion_contracts.value import Value
from stanchion_core.condition import Condition, satisfies
from stanchion_core.fusion import ClaimPolicy, Spoken, decay, opinion
from stanchion_core.quantity import ValueKey, value_key
from stanchion_fusion.core.terms import ClaimKey
from stanchion_fusion.core.workspace import Workspace, hear_all

MOST_JUDGED: Final = 5_000
MOST_JUDGED_BYTES: Final = 1024 * 1024
"""Judgements beyond these, in their order, are left out: what is judged must fit a message."""

_MILLION: Final = 1_000_000


def judge(
    workspace: Workspace, key: ClaimKey, truth: Value, *, now_us: int, policy: ClaimPolicy
) -> tuple[Judgement, ...]:
    """Judge each voice on a claim by its heaviest word, sorted.

    Of a multi-valued claim only those are judged that speak of the value that turned out to be true: of the other
    values nothing is known.

    Args:
        workspace: before the resolution; not written to.
        key: the claim.
        truth: what it is resolved to.
        now_us: microseconds since the epoch.
        policy: of the claim.
    """
    if key not in workspace.said:
        return ()
    heard = hear_all(workspace, key, (), None)
    held = opinion(
        heard.voices.values(), now_us=now_us, half_life_s=policy.half_life_s, multi_valued=policy.multi_valued
    )
    likely = {heard.reading.groups.of(value_key(one.value)): one.probability for one in held.values}
    words = (_heaviest(standing, now_us, policy.half_life_s) for standing in heard.voices.values())
    is_true = Condition(op="equals", value=truth)
    judged = []
    for word in words:
        agrees = satisfies(word.value, is_true, tolerance=policy.tolerance)
        alone = held.multi_valued and not word.value.type == truth.type == "boolean"
        if agrees or not alone:
            judged.append(_judgement(workspace.said[key][word.order[1]], word.key, likely, agrees=agrees))
    return tuple(_within_bounds(sorted(judged, key=_order)))


def _heaviest(standing: tuple[Spoken[Value], ...], now_us: int, half_life_s: int) -> Spoken[Value]:
    """Give the heaviest of a voice's words, of equals the latest."""
    return max(standing, key=lambda word: (word.weight * decay(now_us - word.order[0], half_life_s), word.order))


def _judgement(said: Contribution, key: ValueKey, likely: dict[ValueKey, float], *, agrees: bool) -> Judgement:
    """Judge one word: a denial is right when what it denies is not so, and held as likely as that."""
    probability = likely[key] if said.positive else 1.0 - likely[key]
    return Judgement(
        source=said.source or said.agent,
        agent=said.agent,
        evidence=said.evidence,
        millionths=round(probability * _MILLION),
        hit=agrees == said.positive,
    )


def _order(one: Judgement) -> tuple[str, str, str, int, bool]:
    """Give what sorts judgements."""
    return one.source, one.agent, one.evidence, one.millionths, one.hit


def _within_bounds(judged: Iterable[Judgement]) -> Iterator[Judgement]:
    """Give the first judgements that fit the bounds."""
    size = 0
    for number, one in enumerate(judged):
        size += len(one.source.encode()) + len(one.agent.encode()) + 16
        if number >= MOST_JUDGED or size > MOST_JUDGED_BYTES:
            return
        yield one
