"""Hot state from what was stored of it: the same as the fold of the ledger to that position."""

from collections.abc import Iterable
from typing import Final

import msgspec

from stanchion_contracts.belief import Belief
from stanchion_contracts.change import Change, Proposal
from stanchion_contracts.heads import fold
from stanchion_contracts.meta import Actor
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.walk import Head
from stanchion_view.core.card import Card
from stanchion_view.core.state import Affirmed, Held, Workspace, put_head

TRUST: Final = "trust"
PROPOSAL: Final = "proposal"
ABSENT: Final = "absent"
AFFIRMED: Final = "affirmed"
"""Kinds of notes."""

_NOBODY: Final = Actor(kind="system", id="view")
_HEAD: Final = msgspec.json.Decoder(Head)
_CARD: Final = msgspec.json.Decoder(Card)
_BELIEF: Final = msgspec.json.Decoder(Belief)
_PROPOSAL: Final = msgspec.json.Decoder(Proposal)
_AFFIRMED: Final = msgspec.json.Decoder(Affirmed)
_QUOTE: Final = msgspec.json.Decoder(tuple[str, bytes])
_TOKENS: Final = msgspec.json.Decoder(tuple[str, ...])


def workspaces(rows: Iterable[tuple[str, int, int]]) -> dict[str, Workspace]:
    """Give the workspaces, empty but for where they stand: rows of name, last seq, when."""
    found = {}
    for name, last_seq, last_us in rows:
        space = found[name] = Workspace.empty()
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


def notes(spaces: dict[str, Workspace], vocabulary: Vocabulary, rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Put the small state back: rows of workspace, kind, id, state; an empty state is what is no longer there."""
    for name, kind, key, state in rows:
        if not state:
            continue
        if kind == TRUST:
            spaces[name].trust[key] = float(state)
        elif kind == AFFIRMED:
            spaces[name].affirmed[key] = _AFFIRMED.decode(state)
        elif kind == ABSENT:
            spaces[name].heads.absent[_QUOTE.decode(key)] = _TOKENS.decode(state)
        else:
            _open(spaces[name], vocabulary, _PROPOSAL.decode(state))


def _open(space: Workspace, vocabulary: Vocabulary, proposal: Proposal) -> None:
    """Open a proposal again, as its change did."""
    change = Change(
        seq=0, action="proposal.opened", subject_kind="proposal", subject_id=proposal.id, reason="", proposal=proposal
    )
    fold(space.heads, vocabulary, change, 0, _NOBODY)
