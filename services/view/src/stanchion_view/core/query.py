"""Query: which records match, and a page of them, all from one position."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from stanchion_contracts.record import FieldValue
from stanchion_core.walk import Validity, validity
from stanchion_view.core.card import Card
from stanchion_view.core.state import Workspace

State = Literal["current", "needs_review", "monitoring_incomplete"]


class Filters(Struct, frozen=True, kw_only=True):
    """What a record must be; an empty filter lets everything through.

    Attributes:
        kinds: one of these.
        room: in this room or one below it (`payments` holds `payments/cards`).
        fields: each with exactly this value, as canonical JSON text.
        states: one of these.
        deleted: tombstones too.
    """

    kinds: frozenset[str] = frozenset()
    room: str = ""
    fields: tuple[FieldValue, ...] = ()
    states: frozenset[State] = frozenset()
    deleted: bool = False


class Found(Struct, frozen=True, kw_only=True):
    """One record that matches, and whether it still holds."""

    card: Card
    validity: Validity


class Page(Struct, frozen=True, kw_only=True):
    """One page.

    Attributes:
        found: in order of id.
        more: whether there is a page after it.
        total: how many match in all.
    """

    found: tuple[Found, ...]
    more: bool
    total: int


def page(workspace: Workspace, filters: Filters, now_us: int, *, after: str, limit: int) -> Page:
    """Give the page of matching records that comes after an id.

    Args:
        workspace: where.
        filters: what is asked.
        now_us: microseconds since the epoch.
        after: id of the last record of the page before; empty for the first page.
        limit: at least 1.
    """
    cards = sorted(_plain_matches(workspace, filters), key=lambda card: card.id)
    if not filters.states:
        rest = [card for card in cards if card.id > after]
        found = tuple(Found(card=card, validity=holds(workspace, card.id, now_us)) for card in rest[:limit])
        return Page(found=found, more=len(rest) > limit, total=len(cards))
    every = [Found(card=card, validity=holds(workspace, card.id, now_us)) for card in cards]
    every = [found for found in every if found.validity.state in filters.states]
    those = [found for found in every if found.card.id > after]
    return Page(found=tuple(those[:limit]), more=len(those) > limit, total=len(every))


def holds(workspace: Workspace, record: str, now_us: int) -> Validity:
    """Work out whether a record still holds, now and at the workspace's position.

    Raises:
        KeyError: there is no such record.
    """
    return validity(
        workspace.heads.records.get,
        record,
        now_us,
        workspace.last_seq,
        stale=lambda claim: workspace.stale(claim, now_us),
    )


def _plain_matches(workspace: Workspace, filters: Filters) -> Iterator[Card]:
    """Give the records that match everything but validity."""
    below = f"{filters.room}/"
    for card in workspace.cards.values():
        if (
            (filters.deleted or not card.deleted)
            and (not filters.kinds or card.kind in filters.kinds)
            and (not filters.room or card.room == filters.room or card.room.startswith(below))
            and all(field in card.fields for field in filters.fields)
        ):
            yield card
