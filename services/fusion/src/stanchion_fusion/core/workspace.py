"""What fusion keeps of one workspace, and how one claim's part of it grows."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from stanchion_contracts.belief import Belief
from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.fusion import Spoken, Voice, by_voice, hear, say, thin, voice_of, weigh

ClaimKey = tuple[str, str]
"""Subject and predicate, normalised."""

Voices = dict[Voice, tuple[Spoken[Value], ...]]
"""What stands of each voice on one claim, weighed with the trust of the time."""


class Workspace(Struct, kw_only=True):
    """One workspace's maps; their values are never changed in place but for the maps of `said` and `voices`.

    Attributes:
        trust: settings by name of agent or source.
        said: by claim, every contribution by its id.
        voices: by claim, what stands; missing where a trust setting has outdated it.
        beliefs: by claim, the last belief.
        named: by name of agent or source, the claims it spoke on.
        due: the claims that a trust setting still has to re-evaluate, sorted.
    """

    trust: dict[str, float] = field(default_factory=dict)
    said: dict[ClaimKey, dict[str, Contribution]] = field(default_factory=dict)
    voices: dict[ClaimKey, Voices] = field(default_factory=dict)
    beliefs: dict[ClaimKey, Belief] = field(default_factory=dict)
    named: dict[str, set[ClaimKey]] = field(default_factory=dict)
    due: tuple[ClaimKey, ...] = ()


def new_contributions(
    workspace: Workspace, contributions: Iterable[Contribution]
) -> dict[ClaimKey, dict[str, Contribution]]:
    """Give what is not known yet, by claim and id; the first of an id counts."""
    fresh: dict[ClaimKey, dict[str, Contribution]] = {}
    for contribution in contributions:
        key = (contribution.subject, contribution.predicate)
        if contribution.id not in workspace.said.get(key, ()):
            fresh.setdefault(key, {}).setdefault(contribution.id, contribution)
    return fresh


def all_voices(
    workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], trust: Mapping[str, float]
) -> Voices:
    """Give what stands of every voice on a claim once new contributions are heard; `changed_voices` and the rest.

    Args:
        workspace: not written to.
        key: the claim.
        fresh: contributions that it does not have yet.
        trust: the table to weigh with.
    """
    changed = changed_voices(workspace, key, fresh, trust)
    known = workspace.voices.get(key)
    return changed if known is None else {**known, **changed}


def changed_voices(
    workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], trust: Mapping[str, float]
) -> Voices:
    """Give what stands of those voices on a claim that new contributions or another trust table changed.

    Args:
        workspace: before the change; not written to.
        key: the claim.
        fresh: contributions that it does not have yet.
        trust: the table to weigh with; the workspace's own wherever it has `voices` for the claim.
    """
    known = workspace.voices.get(key)
    if known is None or trust is not workspace.trust:
        return by_voice([*workspace.said.get(key, {}).values(), *fresh], trust)
    changed: Voices = {}
    for contribution in sorted(fresh, key=_order) if len(fresh) > 1 else fresh:
        voice, word = voice_of(contribution), weigh(contribution, trust)
        standing = changed.get(voice) or known.get(voice, ())
        if not standing or word.order > standing[-1].order:
            changed[voice] = say(standing, word)
        else:
            changed[voice] = hear(standing, word) or _whole(workspace, key, fresh, voice)
    return changed


def _whole(
    workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], voice: Voice
) -> tuple[Spoken[Value], ...]:
    """Give what stands of one voice, from everything it said: for a word that comes late and might be out."""
    every = (*workspace.said.get(key, {}).values(), *fresh)
    return thin(weigh(word, workspace.trust) for word in every if voice_of(word) == voice)


def _order(contribution: Contribution) -> tuple[int, str]:
    """Give when a contribution was said."""
    return contribution.observed_at_us, contribution.id
