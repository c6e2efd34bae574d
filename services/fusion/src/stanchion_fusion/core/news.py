"""What a message changes of how claims are worked out: settings, policies, estimates, resolutions."""

import msgspec

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.claim import Claims
from stanchion_contracts.policy import BeliefPolicy, PolicyChange, PolicySetting
from stanchion_contracts.trust import Estimate
from stanchion_core.policy import policy_of
from stanchion_core.quantity import value_key
from stanchion_fusion.core.judging import judge
from stanchion_fusion.core.workspace import Workspace


def news_of(workspace: Workspace, claims: Claims, half_life_s: int) -> Beliefs | None:
    """Give the parts of an output that bear on how claims are worked out; None where the message has none.

    Args:
        workspace: before the message; not written to.
        claims: the message.
        half_life_s: the process's own, 0 for none.
    """
    if claims.trust is None and claims.policy is None and claims.resolution is None and not claims.estimates:
        return None
    settings = workspace.terms.settings
    setting = (
        claims.trust if claims.trust is not None and settings.get(claims.trust.name) != claims.trust.value else None
    )
    news = Beliefs(
        meta=claims.meta,
        trust=setting,
        trust_before=None if setting is None else settings.get(setting.name),
        policy=None if claims.policy is None else _policy(workspace, claims.policy),
        estimates=_estimates(workspace, claims.estimates),
    )
    return _resolved(workspace, claims, news, half_life_s)


def with_news(output: Beliefs, news: Beliefs) -> Beliefs:
    """Give an output with the news in it."""
    return msgspec.structs.replace(
        output,
        trust=news.trust,
        trust_before=news.trust_before,
        resolution=news.resolution,
        resolved_before=news.resolved_before,
        judged=news.judged,
        policy=news.policy,
        estimates=news.estimates,
    )


def _policy(workspace: Workspace, setting: PolicySetting) -> PolicyChange | None:
    """Give how a policy changes; None where it says what it said."""
    predicate = setting.predicate
    before = workspace.terms.policies.get(predicate, BeliefPolicy(predicate=predicate))
    said = {name: value for name, value in msgspec.structs.asdict(setting).items() if value is not None}
    if predicate:
        said.pop("consensus", None)
    after = msgspec.structs.replace(before, **said)
    return None if after == before else PolicyChange(before=before, after=after)


def _estimates(workspace: Workspace, estimates: tuple[Estimate, ...]) -> tuple[Estimate, ...]:
    """Give the estimates that trust somebody otherwise than before."""
    known = workspace.terms.estimates
    return tuple(one for one in estimates if known.get(one.name) != one.trust)


def _resolved(workspace: Workspace, claims: Claims, news: Beliefs, half_life_s: int) -> Beliefs:
    """Add to the news what a claim is resolved to, where that changes."""
    resolution = claims.resolution
    if resolution is None:
        return news
    key = resolution.subject, resolution.predicate
    held = workspace.resolved.get(key)
    before = None if held is None else held.value
    if before == resolution.value or (before and resolution.value and value_key(before) == value_key(resolution.value)):
        return news
    policy = policy_of(key[1], workspace.terms.policies, half_life_s=half_life_s)
    truth = resolution.value
    judged = () if truth is None else judge(workspace, key, truth, now_us=claims.meta.time_us, policy=policy)
    return msgspec.structs.replace(news, resolution=resolution, resolved_before=before, judged=judged)
