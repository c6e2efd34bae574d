"""Hot state from what was stored of it: the same as the fold of the ledger to that position."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import Change, Proposal, WorkspaceSettings
from stanchion_contracts.heads import fold, put_head
from stanchion_contracts.meta import Actor
from stanchion_contracts.policy import BeliefPolicy
from stanchion_contracts.relation import Entity, Triple, Window
from stanchion_core.trust import tally
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.walk import Head
from stanchion_view.core.card import Card
from stanchion_view.core.filed import Filed, wait
from stanchion_view.core.finding import Noted, key_of_finding
from stanchion_view.core.relation import Stated, put
from stanchion_view.core.resolved import Resolved, count, kept_once
from stanchion_view.core.state import Affirmed, Held, Workspace
from stanchion_view.core.vocabulary import in_force

TRUST: Final = "trust"
SETTINGS: Final = "settings"
ABSENT: Final = "absent"
AFFIRMED: Final = "affirmed"
ESTIMATE: Final = "estimate"
POLICY: Final = "policy"
HALF_LIFE: Final = "half_life"
"""Kinds of notes."""

_NOBODY: Final = Actor(kind="system", id="view")
_HEAD: Final = msgspec.json.Decoder(Head)
_CARD: Final = msgspec.json.Decoder(Card)
_BELIEF: Final = msgspec.json.Decoder(Belief)
_PROPOSAL: Final = msgspec.json.Decoder(Proposal)
_FILED: Final = msgspec.json.Decoder(Filed)
_AFFIRMED: Final = msgspec.json.Decoder(Affirmed)
_SETTINGS: Final = msgspec.json.Decoder(WorkspaceSettings)
_POLICY: Final = msgspec.json.Decoder(BeliefPolicy)
_RESOLVED: Final = msgspec.json.Decoder(Resolved)
_NOTED: Final = msgspec.json.Decoder(Noted)
_MISSING: Final = msgspec.json.Decoder(tuple[tuple[bytes, str], ...])

WINDOW_COLUMNS: Final = (
    "workspace, room, from_name, from_type, name, to_name, to_type, seq, recorded_at_us, valid_at_us, invalid_at_us, "
    "stated_by"
)
WindowRow = tuple[str, str, str, str, str, str, str, int, int, int, int, str]
"""A current relation as it was stored, and the columns of `windows` that it is made of."""


def workspaces(base: Vocabulary, rows: Iterable[tuple[str, int, int]]) -> dict[str, Workspace]:
    """Give the workspaces, empty but for where they stand: rows of name, last seq, when.

    Args:
        base: the base vocabulary, in force until the notes are back.
        rows: what was stored.
    """
    found = {}
    for name, last_seq, last_us in rows:
        space = found[name] = Workspace.empty(base)
        space.last_seq, space.last_us = last_seq, last_us
    return found


def heads(spaces: dict[str, Workspace], rows: Iterable[tuple[str, str]]) -> None:
    """Put heads back: rows of workspace, head."""
    for name, head in rows:
        put_head(spaces[name].heads, _HEAD.decode(head))


def cards(spaces: dict[str, Workspace], rows: Iterable[tuple[str, str]]) -> None:
    """Put cards back: rows of workspace, card."""
    for name, card in rows:
        kept = _CARD.decode(card)
        spaces[name].cards[kept.id] = kept


def beliefs(spaces: dict[str, Workspace], rows: Iterable[tuple[str, int, str]]) -> None:
    """Put beliefs back: rows of workspace, seq, belief."""
    for name, seq, state in rows:
        belief = _BELIEF.decode(state)
        spaces[name].beliefs[belief.subject, belief.predicate] = Held(belief=belief, seq=seq)


def notes(spaces: dict[str, Workspace], rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Put the small state back: rows of workspace, kind, id, state; an empty state is what is no longer there.

    Raises:
        InvalidMessage: a vocabulary cannot be read.
    """
    for name, kind, key, state in rows:
        space = spaces[name]
        if not state:
            continue
        _NOTES[kind](space, key, state)


def resolutions(spaces: dict[str, Workspace], rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Put resolutions back, and what came of them by source: rows of workspace, subject, predicate, resolution."""
    for name, subject, predicate, state in rows:
        kept = _RESOLVED.decode(state)
        kept = msgspec.structs.replace(kept, judged=kept_once(kept.judged))
        spaces[name].resolved[subject, predicate] = kept
        count(spaces[name].outcomes, {}, tally(kept.judged))


def findings(spaces: dict[str, Workspace], rows: Iterable[tuple[str, str]]) -> None:
    """Put findings back: rows of workspace, finding."""
    for name, state in rows:
        noted = _NOTED.decode(state)
        spaces[name].findings[key_of_finding(noted.finding)] = noted


def proposals(spaces: dict[str, Workspace], rows: Iterable[tuple[str, int, str, str]]) -> None:
    """Open proposals again, oldest first: rows of workspace, seq of the opening, what is filed, the proposal."""
    for name, _, said, state in sorted(rows, key=lambda row: row[:2]):
        _open(spaces[name], _PROPOSAL.decode(state), _FILED.decode(said))


def relations(spaces: dict[str, Workspace], rows: Iterable[WindowRow]) -> None:
    """Put current relations back: rows as `WindowRow` says."""
    for name, room, from_name, from_type, relation, to_name, to_type, seq, at_us, since, until, stated_by in rows:
        source, target = Entity(name=from_name, type=from_type), Entity(name=to_name, type=to_type)
        window = Window(valid_at_us=since, invalid_at_us=until, stated_by=stated_by)
        stated = Stated(window=window, seq=seq, at_us=at_us)
        put(spaces[name].relations, spaces[name].named, Triple(room, source, relation, target), stated)


def _open(space: Workspace, proposal: Proposal, said: Filed) -> None:
    """Open a proposal again, as its change did."""
    change = Change(
        seq=0, action="proposal.opened", subject_kind="proposal", subject_id=proposal.id, reason="", proposal=proposal
    )
    fold(space.heads, space.vocabulary, change, 0, _NOBODY)
    space.filed[proposal.id] = said
    wait(space.waiting, proposal.id, None, said)


def _trust(space: Workspace, name: str, state: str) -> None:
    """Put a trust setting back."""
    space.trust[name] = float(state)


def _estimate(space: Workspace, name: str, state: str) -> None:
    """Put an estimate back."""
    space.estimates[name] = float(state)


def _policy(space: Workspace, predicate: str, state: str) -> None:
    """Put a policy back."""
    space.policies[predicate] = _POLICY.decode(state)


def _half_life(space: Workspace, _: str, state: str) -> None:
    """Put back how evidence ages that no policy speaks of."""
    space.half_life_s = int(state)


def _affirmed(space: Workspace, record: str, state: str) -> None:
    """Put an affirmation back."""
    space.affirmed[record] = _AFFIRMED.decode(state)


def _absent(space: Workspace, uri: str, state: str) -> None:
    """Put back which quotes of a source were not found."""
    space.heads.absent[uri] = _MISSING.decode(state)


def _settings(space: Workspace, _: str, state: str) -> None:
    """Put the settings back, and the vocabulary in force by them.

    Raises:
        InvalidMessage: the vocabulary cannot be read.
    """
    space.settings = _SETTINGS.decode(state)
    space.vocabulary = in_force(space.settings, space.vocabulary)


_NOTES: Final[Mapping[str, Callable[[Workspace, str, str], None]]] = {
    TRUST: _trust,
    ESTIMATE: _estimate,
    POLICY: _policy,
    HALF_LIFE: _half_life,
    AFFIRMED: _affirmed,
    ABSENT: _absent,
    SETTINGS: _settings,
}
