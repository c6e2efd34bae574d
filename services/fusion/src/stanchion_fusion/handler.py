"""What happens to a message: contributions become belief updates, other terms re-evaluate, the rest passes on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from stanchion_contracts.belief import Beliefs, BeliefUpdate, likeliest
from stanchion_contracts.claim import Claims, Contribution
from stanchion_core.decided import Decided
from stanchion_core.fusion import ClaimPolicy, opinion
from stanchion_core.policy import policy_of
from stanchion_core.voice import read_more
from stanchion_fusion.core.belief import size_of, state_belief
from stanchion_fusion.core.news import news_of, with_news
from stanchion_fusion.core.terms import ClaimKey, resolved_by
from stanchion_fusion.core.workspace import (
    Effect,
    Heard,
    Workspace,
    changed_voices,
    effect_of,
    hear_all,
    hear_whole,
    new_contributions,
)

MOST_REASSESSED: Final = 200
"""How many claims one message re-evaluates for what touched them: trust, a policy, a resolution."""

MOST_REASSESSED_BYTES: Final = 1024 * 1024
"""And about how many bytes of beliefs; one claim at least."""


MOST_REASSESSED_CONTRIBUTIONS: Final = 20_000
"""And how many contributions are weighed anew for it (half a second); one claim at least."""


class State(Struct, kw_only=True):
    """What one partition keeps."""

    workspaces: dict[str, Workspace] = field(default_factory=dict)


_NEW: Final = Workspace()  # read only: what a workspace looks like before its first output


def decider(half_life_s: int) -> Callable[[State, Claims], Decided[State, Beliefs]]:
    """Give `decide` for a half-life.

    Args:
        half_life_s: seconds, 0 for none; where no policy names one.
    """

    def decide(state: State, claims: Claims) -> Decided[State, Beliefs]:
        """Work out how one message moves the beliefs of its workspace.

        One that moves nothing is passed on, too: somebody may wait to hear how far the workspace has come.
        """
        workspace = state.workspaces.get(claims.meta.workspace, _NEW)
        news = news_of(workspace, claims, half_life_s)
        effect = None if news is None else effect_of(workspace, news)
        fresh = new_contributions(workspace, claims.contributions) if claims.contributions else {}
        due = workspace.due if effect is None else _due(workspace, effect)
        chosen = _chosen(workspace, due, fresh)
        moving = _Moving(workspace, effect, half_life_s, claims.meta.time_us)
        updates, heard_of = [], []
        for key in sorted(chosen) if len(chosen) > 1 else chosen:
            update, heard = moving.update(key, tuple(fresh[key].values()) if key in fresh else ())
            updates.append(update)
            heard_of.append(heard)
        output = Beliefs(
            meta=claims.meta,
            updates=tuple(updates),
            intents=claims.intents,
            imports=claims.imports,
            relations=claims.relations,
            left_out=claims.left_out,
            tick=claims.tick,
            reassess=claims.reassess,
            remaining=sum(key not in chosen for key in due) if due else 0,
            refusal=claims.refusal,
            repeated=claims.repeated,
            findings=claims.findings,
        )
        if news is not None:
            output = with_news(output, news)
        return Decided(output=output, fold=lambda state: evolve(state, output, heard_of))

    return decide


class _Moving:
    """How one message moves claims of its workspace; nothing is written to.

    Args:
        workspace: before the message.
        effect: of the message on how claims are worked out; None for none.
        half_life_s: where no policy names one.
        now_us: the message's time.
    """

    __slots__ = ("_effect", "_half_life_s", "_now_us", "_policies", "_usual", "_workspace")

    def __init__(self, workspace: Workspace, effect: Effect | None, half_life_s: int, now_us: int) -> None:
        self._workspace, self._effect = workspace, effect
        self._policies = (workspace.terms if effect is None else effect.terms).policies
        self._half_life_s, self._usual = half_life_s, ClaimPolicy(half_life_s=half_life_s)
        self._now_us = now_us

    def update(self, key: ClaimKey, added: tuple[Contribution, ...]) -> tuple[BeliefUpdate, Heard]:
        """Give how one claim's belief moves by what is added, and what stands of its voices then."""
        workspace, policies = self._workspace, self._policies
        policy = policy_of(key[1], policies, half_life_s=self._half_life_s) if policies else self._usual
        heard = hear_all(workspace, key, added, self._effect)
        now = opinion(
            heard.voices.values(),
            now_us=self._now_us,
            half_life_s=policy.half_life_s,
            multi_valued=policy.multi_valued,
        )
        contributions = len(workspace.said.get(key, ())) + len(added)
        after = state_belief(key, now, contributions=contributions, policy=policy, now_us=self._now_us)
        held = workspace.beliefs.get(key)
        return BeliefUpdate(before=None if held is None else likeliest(held), after=after, added=added), heard


def evolve(state: State, output: Beliefs, heard_of: Sequence[Heard] | None = None) -> None:
    """Fold an output into the state.

    Args:
        state: of the partition.
        output: what `decide` gave, live or read back.
        heard_of: of each update, what stands of the voices on its claim, where `decide` has just worked it out.
    """
    workspace = state.workspaces.setdefault(output.meta.workspace, Workspace())
    if output.trust is not None or output.policy is not None or output.resolution is not None or output.estimates:
        _take_effect(workspace, output)
    for at, update in enumerate(output.updates):
        key = (update.after.subject, update.after.predicate)
        if heard_of is None:
            _hear(workspace, key, update.added)
        else:
            workspace.heard[key] = heard_of[at]
        if update.added:
            _keep(workspace, key, update.added)
        workspace.beliefs[key] = update.after
    if workspace.due:
        done = {(update.after.subject, update.after.predicate) for update in output.updates}
        workspace.due = tuple(key for key in workspace.due if key not in done)


def _take_effect(workspace: Workspace, output: Beliefs) -> None:
    """Put what a message changes in force, and forget what it outdates."""
    effect = effect_of(workspace, output)
    workspace.due = _due(workspace, effect)
    workspace.terms = effect.terms
    for key in effect.touched:
        workspace.heard.pop(key, None)
    if output.resolution is not None:
        key = output.resolution.subject, output.resolution.predicate
        resolved = resolved_by(output.resolution, output.judged)
        if resolved is None:
            workspace.resolved.pop(key, None)
        else:
            workspace.resolved[key] = resolved


def _due(workspace: Workspace, effect: Effect) -> tuple[ClaimKey, ...]:
    """Give the claims to re-evaluate, sorted, with those that a message touches."""
    return tuple(sorted(effect.touched.union(workspace.due))) if effect.touched else workspace.due


def _chosen(workspace: Workspace, due: tuple[ClaimKey, ...], fresh: Mapping[ClaimKey, object]) -> set[ClaimKey]:
    """Give the claims this message evaluates: those it speaks on, and of those due as many as are allowed."""
    chosen = set(fresh)
    if not due:
        return chosen
    weighed = 0
    size = sum(size_of(workspace.beliefs[key]) for key in fresh if key in workspace.beliefs)
    for key in due[:MOST_REASSESSED]:
        chosen.add(key)
        size += size_of(workspace.beliefs[key])
        weighed += len(workspace.said[key])
        if size > MOST_REASSESSED_BYTES or weighed > MOST_REASSESSED_CONTRIBUTIONS:
            break
    return chosen


def _hear(workspace: Workspace, key: ClaimKey, added: tuple[Contribution, ...]) -> None:
    """Work out what stands of the voices on a claim once new contributions are heard."""
    known = workspace.heard.get(key)
    reading = None if known is None else read_more(known.reading, added)
    if known is None or reading is None:
        workspace.heard[key] = hear_whole(workspace, key, added, workspace.terms)
        return
    known.voices.update(changed_voices(workspace, key, added, known, reading))
    if reading is not known.reading:
        workspace.heard[key] = Heard(voices=known.voices, reading=reading)


def _keep(workspace: Workspace, key: ClaimKey, added: tuple[Contribution, ...]) -> None:
    """Keep what was said on a claim, and note who spoke on it."""
    said = workspace.said.get(key)
    if said is None:
        said = workspace.said[key] = {}
    for contribution in added:
        said[contribution.id] = contribution
        for name in {contribution.agent, contribution.source}:
            spoken = workspace.named.get(name)
            if spoken is not None:
                spoken.add(key)
            elif name:
                workspace.named[name] = {key}
