"""What happens to a message: contributions become belief updates, trust settings re-evaluate, the rest passes on."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct, field

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate, likeliest
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.observation import TrustSetting
from stanchion_core.fusion import opinion
from stanchion_fusion.core.belief import size_of, state_belief
from stanchion_fusion.core.workspace import ClaimKey, Workspace, changed_voices, new_contributions

MOST_REASSESSED: Final = 200
"""How many claims one message re-evaluates for a trust setting."""

MOST_REASSESSED_BYTES: Final = 1024 * 1024
"""And about how many bytes of beliefs; one claim at least."""


MOST_REASSESSED_CONTRIBUTIONS: Final = 20_000
"""And how many contributions are weighed anew for it (half a second); one claim at least."""


class State(Struct, kw_only=True):
    """What one partition keeps."""

    workspaces: dict[str, Workspace] = field(default_factory=dict)


_NEW: Final = Workspace()  # read only: what a workspace looks like before its first output


def decider(half_life_s: int) -> Callable[[State, Claims], Beliefs]:
    """Give `decide` for a half-life.

    Args:
        half_life_s: seconds, 0 for none.
    """

    def decide(state: State, claims: Claims) -> Beliefs:
        """Work out how one message moves the beliefs of its workspace.

        One that moves nothing is passed on, too: somebody may wait to hear how far the workspace has come.
        """
        workspace = state.workspaces.get(claims.meta.workspace, _NEW)
        setting = claims.trust if claims.trust is not None and _changes(workspace, claims.trust) else None
        trust = workspace.trust if setting is None else _with(workspace.trust, setting)
        fresh = new_contributions(workspace, claims.contributions) if claims.contributions else {}
        due = _due(workspace, setting)
        chosen = _chosen(workspace, due, fresh)
        updates = tuple(
            BeliefUpdate(
                before=likeliest(held) if (held := workspace.beliefs.get(key)) is not None else None,
                after=_believed(workspace, key, fresh.get(key, {}), trust, claims.meta.time_us, half_life_s),
                added=tuple(fresh[key].values()) if key in fresh else (),
            )
            for key in (sorted(chosen) if len(chosen) > 1 else chosen)
        )
        return Beliefs(
            meta=claims.meta,
            updates=updates,
            intents=claims.intents,
            imports=claims.imports,
            relations=claims.relations,
            left_out=claims.left_out,
            trust=setting,
            trust_before=None if setting is None else workspace.trust.get(setting.name),
            resolution=claims.resolution,
            tick=claims.tick,
            reassess=claims.reassess,
            remaining=sum(key not in chosen for key in due),
            refusal=claims.refusal,
            repeated=claims.repeated,
        )

    return decide


def evolve(state: State, output: Beliefs) -> None:
    """Fold an output into the state."""
    workspace = state.workspaces.setdefault(output.meta.workspace, Workspace())
    if output.trust is not None:
        workspace.due = _due(workspace, output.trust)
        workspace.trust = _with(workspace.trust, output.trust)
        for key in workspace.named.get(output.trust.name, ()):
            workspace.voices.pop(key, None)
    for update in output.updates:
        key = (update.after.subject, update.after.predicate)
        fresh = {contribution.id: contribution for contribution in update.added}
        changed = changed_voices(workspace, key, fresh, workspace.trust)
        workspace.voices.setdefault(key, {}).update(changed)
        if fresh:
            workspace.said.setdefault(key, {}).update(fresh)
            _index(workspace, key, update.added)
        workspace.beliefs[key] = update.after
    if workspace.due:
        done = {(update.after.subject, update.after.predicate) for update in output.updates}
        workspace.due = tuple(key for key in workspace.due if key not in done)


def _changes(workspace: Workspace, setting: TrustSetting) -> bool:
    """Tell whether a trust setting says anything new."""
    return workspace.trust.get(setting.name) != setting.value


def _with(trust: Mapping[str, float], setting: TrustSetting) -> dict[str, float]:
    """Give the trust table with a setting in force."""
    rest = {name: value for name, value in trust.items() if name != setting.name}
    return rest if setting.value is None else {**rest, setting.name: setting.value}


def _due(workspace: Workspace, setting: TrustSetting | None) -> tuple[ClaimKey, ...]:
    """Give the claims to re-evaluate, sorted, with those that a new setting touches."""
    if setting is None:
        return workspace.due
    return tuple(sorted(workspace.named.get(setting.name, set()).union(workspace.due)))


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


def _believed(  # noqa: PLR0913, PLR0917 - a pure function of all it depends on
    workspace: Workspace,
    key: ClaimKey,
    fresh: Mapping[str, Contribution],
    trust: Mapping[str, float],
    now_us: int,
    half_life_s: int,
) -> Belief:
    """Work out the belief on one claim."""
    changed = changed_voices(workspace, key, fresh, trust)
    known = workspace.voices.get(key)
    voices = {**known, **changed} if known else changed
    return state_belief(
        key,
        opinion(voices.values(), now_us=now_us, half_life_s=half_life_s),
        contributions=len(workspace.said.get(key, ())) + len(fresh),
        half_life_s=half_life_s,
        now_us=now_us,
    )


def _index(workspace: Workspace, key: ClaimKey, added: tuple[Contribution, ...]) -> None:
    """Note who spoke on a claim."""
    for contribution in added:
        for name in (contribution.agent, contribution.source):
            if name:
                workspace.named.setdefault(name, set()).add(key)
