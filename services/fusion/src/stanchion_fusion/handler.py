"""What happens to a message: contributions become belief updates, trust settings re-evaluate, the rest passes on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from stanchion_contracts.belief import Beliefs, BeliefUpdate, likeliest
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.observation import TrustSetting
from stanchion_core.decided import Decided
from stanchion_core.fusion import opinion
from stanchion_fusion.core.belief import size_of, state_belief
from stanchion_fusion.core.workspace import ClaimKey, Voices, Workspace, all_voices, changed_voices, new_contributions

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


def decider(half_life_s: int) -> Callable[[State, Claims], Decided[State, Beliefs]]:
    """Give `decide` for a half-life.

    Args:
        half_life_s: seconds, 0 for none.
    """

    def decide(state: State, claims: Claims) -> Decided[State, Beliefs]:
        """Work out how one message moves the beliefs of its workspace.

        One that moves nothing is passed on, too: somebody may wait to hear how far the workspace has come.
        """
        workspace = state.workspaces.get(claims.meta.workspace, _NEW)
        setting = claims.trust if claims.trust is not None and _changes(workspace, claims.trust) else None
        trust = workspace.trust if setting is None else _with(workspace.trust, setting)
        fresh = new_contributions(workspace, claims.contributions) if claims.contributions else {}
        due = _due(workspace, setting)
        chosen = _chosen(workspace, due, fresh)
        updates, voices = [], []
        for key in sorted(chosen) if len(chosen) > 1 else chosen:
            added = tuple(fresh[key].values()) if key in fresh else ()
            heard = all_voices(workspace, key, added, trust)
            held = workspace.beliefs.get(key)
            after = state_belief(
                key,
                opinion(heard.values(), now_us=claims.meta.time_us, half_life_s=half_life_s),
                contributions=len(workspace.said.get(key, ())) + len(added),
                half_life_s=half_life_s,
                now_us=claims.meta.time_us,
            )
            updates.append(BeliefUpdate(before=None if held is None else likeliest(held), after=after, added=added))
            voices.append(heard)
        output = Beliefs(
            meta=claims.meta,
            updates=tuple(updates),
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
        return Decided(output=output, fold=lambda state: evolve(state, output, voices))

    return decide


def evolve(state: State, output: Beliefs, voices: Sequence[Voices] | None = None) -> None:
    """Fold an output into the state.

    Args:
        state: of the partition.
        output: what `decide` gave, live or read back.
        voices: of each update, what stands of the voices on its claim, where `decide` has just worked it out.
    """
    workspace = state.workspaces.setdefault(output.meta.workspace, Workspace())
    if output.trust is not None:
        _set_trust(workspace, output.trust)
    for at, update in enumerate(output.updates):
        key = (update.after.subject, update.after.predicate)
        if voices is None:
            _hear(workspace, key, update.added)
        else:
            workspace.voices[key] = voices[at]
        if update.added:
            _keep(workspace, key, update.added)
        workspace.beliefs[key] = update.after
    if workspace.due:
        done = {(update.after.subject, update.after.predicate) for update in output.updates}
        workspace.due = tuple(key for key in workspace.due if key not in done)


def _set_trust(workspace: Workspace, setting: TrustSetting) -> None:
    """Put a setting in force, and forget what it outdates."""
    workspace.due = _due(workspace, setting)
    workspace.trust = _with(workspace.trust, setting)
    for key in workspace.named.get(setting.name, ()):
        workspace.voices.pop(key, None)


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


def _hear(workspace: Workspace, key: ClaimKey, added: tuple[Contribution, ...]) -> None:
    """Work out what stands of the voices on a claim once new contributions are heard."""
    changed = changed_voices(workspace, key, added, workspace.trust)
    known = workspace.voices.get(key)
    if known is None:
        workspace.voices[key] = changed
    else:
        known.update(changed)


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
