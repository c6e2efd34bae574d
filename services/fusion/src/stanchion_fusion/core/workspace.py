"""What fusion keeps of one workspace, and how one claim's part of it grows."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from stanchion_contracts.belief import Belief, Beliefs
from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.fusion import PLAIN, Reading, Spoken, Voice, by_voice, hear, read, say, thin, voice_of, weigh
from stanchion_core.policy import policy_of
from stanchion_core.voice import read_more
from stanchion_fusion.core.terms import ClaimKey, Resolved, Terms, policy_moved, terms_after, trust_moved

Voices = dict[Voice, tuple[Spoken[Value], ...]]
"""What stands of each voice on one claim, weighed with the trust of the time."""


class Heard(Struct, frozen=True, kw_only=True):
    """What stands of the voices on one claim, and how their words are read."""

    voices: Voices
    reading: Reading


class Workspace(Struct, kw_only=True):
    """One workspace's maps; their values are never changed in place but for the maps of `said` and those in `heard`.

    Attributes:
        terms: what its claims are worked out with.
        said: by claim, every contribution by its id.
        heard: by claim, what stands; missing where other terms have outdated it.
        beliefs: by claim, the last belief.
        named: by name of agent or source, the claims it spoke on.
        resolved: by claim, what it is resolved to, those that are.
        due: the claims that other terms still have to re-evaluate, sorted.
    """

    terms: Terms = field(default_factory=Terms)
    said: dict[ClaimKey, dict[str, Contribution]] = field(default_factory=dict)
    heard: dict[ClaimKey, Heard] = field(default_factory=dict)
    beliefs: dict[ClaimKey, Belief] = field(default_factory=dict)
    named: dict[str, set[ClaimKey]] = field(default_factory=dict)
    resolved: dict[ClaimKey, Resolved] = field(default_factory=dict)
    due: tuple[ClaimKey, ...] = ()


class Effect(Struct, frozen=True, kw_only=True):
    """What a message does to how claims are worked out.

    Attributes:
        terms: from then on.
        touched: the claims that were worked out with others.
    """

    terms: Terms
    touched: frozenset[ClaimKey]


def effect_of(workspace: Workspace, news: Beliefs) -> Effect:
    """Give what a message does to how claims are worked out.

    Args:
        workspace: before it; not written to.
        news: its settings, policy, estimates and judgements that change something.
    """
    terms = terms_after(workspace.terms, news, workspace.resolved)
    touched: set[ClaimKey] = set()
    for name in trust_moved(workspace.terms, terms):
        touched.update(workspace.named.get(name, ()))
    if news.policy is not None:
        moved = policy_moved(workspace.terms, terms, {predicate for _, predicate in workspace.said})
        touched.update(key for key in workspace.said if key[1] in moved)
    return Effect(terms=terms, touched=frozenset(touched))


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


def hear_all(workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], effect: Effect | None) -> Heard:
    """Give what stands of every voice on a claim once new contributions are heard.

    Args:
        workspace: not written to.
        key: the claim.
        fresh: contributions that it does not have yet.
        effect: of the message; None for none.
    """
    known, terms = workspace.heard.get(key), workspace.terms
    if effect is not None:
        known, terms = None if key in effect.touched else known, effect.terms
    if known is None:
        return hear_whole(workspace, key, fresh, terms)
    reading = known.reading if known.reading is PLAIN else read_more(known.reading, fresh)
    if reading is None:
        return hear_whole(workspace, key, fresh, terms)
    return Heard(voices={**known.voices, **changed_voices(workspace, key, fresh, known, reading)}, reading=reading)


def hear_whole(workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], terms: Terms) -> Heard:
    """Give what stands of every voice on a claim, from everything that was said; `hear_all`, where nothing is known.

    Args:
        workspace: not written to.
        key: the claim.
        fresh: contributions that it does not have yet.
        terms: to work it out with.
    """
    every = [*workspace.said.get(key, {}).values(), *fresh]
    reading = read(every, policy_of(key[1], terms.policies, half_life_s=0)) if terms.policies else PLAIN
    return Heard(voices=by_voice(every, terms.trust, reading), reading=reading)


def changed_voices(
    workspace: Workspace, key: ClaimKey, fresh: Sequence[Contribution], known: Heard, reading: Reading
) -> Voices:
    """Give what stands of those voices on a claim that new contributions changed.

    Args:
        workspace: before the change, its terms those that `known` was worked out with; not written to.
        key: the claim.
        fresh: contributions that it does not have yet.
        known: what stands before them.
        reading: how they are read, all those before them as `known` has it.
    """
    trust = workspace.terms.trust
    spoken: dict[Voice, list[Spoken[Value]]] = {}
    speakers: dict[Voice, Voice] = {}
    for contribution in fresh:
        word = weigh(contribution, trust, reading)
        voice = voice_of(contribution, word.key if reading.multi_valued else "")
        spoken.setdefault(voice, []).append(word)
        speakers[voice] = voice_of(contribution) if reading.multi_valued else voice
    changed: Voices = {}
    untold: dict[Voice, Voice] = {}  # words of theirs might be out; all that their speakers said can tell
    for voice, words in spoken.items():
        after = _after(known.voices.get(voice, ()), words)
        if after is None:
            untold[voice] = speakers[voice]
        else:
            changed[voice] = after
    if untold:  # looked for once, whoever they are: what was said may be long
        wanted = set(untold.values())
        every = (*workspace.said.get(key, {}).values(), *fresh)
        whole = by_voice((one for one in every if voice_of(one) in wanted), trust, reading)
        changed.update((voice, whole[voice]) for voice in untold)
    return changed


def _after(standing: tuple[Spoken[Value], ...], words: list[Spoken[Value]]) -> tuple[Spoken[Value], ...] | None:
    """Give what stands of a voice after new words; None where only everything that it said can tell."""
    if not standing or all(word.order > standing[-1].order for word in words):
        return say(standing, words[0]) if len(words) == 1 else thin((*standing, *words))
    return hear(standing, words[0]) if len(words) == 1 else None
