"""What a workspace's claims are worked out with: trust and policies; and what a message changes of them."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec
from msgspec import Struct, field

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.observation import Resolution
from stanchion_contracts.policy import BeliefPolicy
from stanchion_contracts.trust import Judgement
from stanchion_contracts.value import Value
from stanchion_core.policy import ClaimPolicy, policy_of, says_anything, wants_consensus
from stanchion_core.trust import DEFAULT_TRUST, Outcome, TrustTable, recount, tally

ClaimKey = tuple[str, str]
"""Subject and predicate, normalised."""

T = TypeVar("T")

_PROCESS: Final = -1  # stands for the process's half-life, which nobody reads out of an output


class Terms(Struct, frozen=True, kw_only=True):
    """What claims are worked out with; never changed in place.

    Attributes:
        settings: of a person, 0 to 1, by name of agent or source.
        outcomes: of the claims that are resolved now, by source.
        estimates: of consensus, 0 to 1, by source, whether the workspace wants them or not.
        policies: by predicate, the workspace's own under the empty name; those that say something.
        trust: what follows, as `TrustTable.effective` gives it.
    """

    settings: Mapping[str, float] = field(default_factory=dict)
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    estimates: Mapping[str, float] = field(default_factory=dict)
    policies: Mapping[str, BeliefPolicy] = field(default_factory=dict)
    trust: Mapping[str, float] = field(default_factory=dict)

    @property
    def consensus(self) -> bool:
        """Tell whether estimates count."""
        return wants_consensus(self.policies)


class Resolved(Struct, frozen=True, kw_only=True):
    """What a claim is resolved to, and who was judged by it."""

    value: Value
    outcomes: Mapping[str, Outcome]


def terms_after(terms: Terms, news: Beliefs, resolved: Mapping[ClaimKey, Resolved]) -> Terms:
    """Give the terms once what a message changes is in force.

    Args:
        terms: before it.
        news: a message whose settings, policy, estimates and judgements are those that change something.
        resolved: what claims are resolved to before it.
    """
    settings, policies = terms.settings, terms.policies
    if news.trust is not None:
        settings = _with(settings, news.trust.name, news.trust.value)
    if news.policy is not None:
        after = news.policy.after
        policies = _with(policies, after.predicate, after if says_anything(after) else None)
    estimates = {**terms.estimates, **{one.name: one.trust for one in news.estimates}} if news.estimates else None
    changed = Terms(
        settings=settings,
        policies=policies,
        estimates=terms.estimates if estimates is None else _known(estimates),
        outcomes=_outcomes(terms.outcomes, news, resolved),
    )
    table = TrustTable(
        settings=changed.settings,
        outcomes=changed.outcomes,
        estimates=changed.estimates if changed.consensus else {},
    )
    return msgspec.structs.replace(changed, trust=table.effective())


def trust_moved(before: Terms, after: Terms) -> set[str]:
    """Give the names that are trusted otherwise after than before."""
    names = before.trust.keys() | after.trust.keys()
    return {name for name in names if before.trust.get(name, DEFAULT_TRUST) != after.trust.get(name, DEFAULT_TRUST)}


def policy_moved(before: Terms, after: Terms, predicates: Iterable[str]) -> set[str]:
    """Give the predicates whose claims are worked out otherwise after than before."""
    return {name for name in predicates if _policy(name, before) != _policy(name, after)}


def _policy(predicate: str, terms: Terms) -> ClaimPolicy:
    """Give the policy of a predicate's claims, whatever the process's half-life."""
    return policy_of(predicate, terms.policies, half_life_s=_PROCESS)


def resolved_by(resolution: Resolution, judged: Iterable[Judgement]) -> Resolved | None:
    """Give what is kept of a resolution; None for a claim that is open again."""
    return None if resolution.value is None else Resolved(value=resolution.value, outcomes=tally(judged))


def _outcomes(
    outcomes: Mapping[str, Outcome], news: Beliefs, resolved: Mapping[ClaimKey, Resolved]
) -> Mapping[str, Outcome]:
    """Give the outcomes with a resolution's judgements in place of those that its claim had before."""
    if news.resolution is None:
        return outcomes
    gone = resolved.get((news.resolution.subject, news.resolution.predicate))
    return _known({**outcomes, **recount(outcomes, {} if gone is None else gone.outcomes, tally(news.judged))})


def _known(table: Mapping[str, T | None]) -> dict[str, T]:
    """Give the entries of the names that have one."""
    return {name: held for name, held in table.items() if held is not None}


def _with(table: Mapping[str, T], name: str, value: T | None) -> dict[str, T]:
    """Give a table with one entry in place of another; None for no entry."""
    rest = {other: held for other, held in table.items() if other != name}
    return rest if value is None else {**rest, name: value}
