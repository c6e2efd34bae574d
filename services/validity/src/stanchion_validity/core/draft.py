"""A record before and after one write, not yet a change."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from stanchion_validity.core.held import FIELD, LINK, Held, links_of
from stanchion_validity.core.workspace import Workspace

Records = Callable[[str], Held | None]
"""Gives a record as it stands at some point of a decision; None for one that was never written."""


class Draft(Struct, frozen=True, kw_only=True):
    """A record before and after one write.

    Attributes:
        before: as it stood; None for a new one, and for one that comes back after a deletion.
        after: as it would stand.
        body: the new text where the body changed, else None.
        explicit: the write carried the evidence key.
        stated: links (name, other end) that texts stated before, and that have only found their target: no moves.
    """

    before: Held | None
    after: Held
    body: str | None = None
    explicit: bool = False
    stated: frozenset[tuple[str, str]] = frozenset()

    @property
    def id(self) -> str:
        """The record's id."""
        return self.after.id


class Pending:
    """The drafts of one decision in order, and the records as they would stand after them."""

    def __init__(self, workspace: Workspace, over: "Pending | None" = None) -> None:
        """Begin with nothing.

        Args:
            workspace: as it stands.
            over: what the decision has come to so far, None for nothing.
        """
        self.workspace = workspace
        self._over = over
        self.drafts: list[Draft] = []
        self._after: dict[str, Held] = {}

    def add(self, draft: Draft) -> None:
        """Add a draft; what comes later is decided on it."""
        self.drafts.append(draft)
        self._after[draft.id] = draft.after

    def amend(self, record_id: str, after: Held) -> None:
        """Replace what the last draft of a record leaves it as."""
        place = max(place for place, draft in enumerate(self.drafts) if draft.id == record_id)
        self.drafts[place] = msgspec.structs.replace(self.drafts[place], after=after)
        self._after[record_id] = after

    def record(self, record_id: str) -> Held | None:
        """Give a record as it would stand."""
        own = self._after.get(record_id)
        if own is not None:
            return own
        return self.workspace.held.get(record_id) if self._over is None else self._over.record(record_id)

    def touched(self) -> tuple[str, ...]:
        """Name the records with drafts, in order, each once."""
        return tuple(self._after)


def changed_parts(draft: Draft) -> frozenset[str]:
    """Name the parts whose values a draft changes; citations left behind by silence are not among them.

    `citations` stands for a version that carries again what the record rests on anyway.
    """
    old = draft.before or Held(id=draft.id, kind=draft.after.kind)
    new = draft.after
    parts = {name for name in ("label", "tags", "valid_from", "valid_to") if getattr(old, name) != getattr(new, name)}
    if old.body_digest != new.body_digest:
        parts.add("body")
    if draft.explicit and old.resting != new.resting:
        parts.add("evidence")
    elif draft.explicit and old.evidence != new.evidence:
        parts.add("citations")
    if old.fields != new.fields:
        names = old.fields.keys() | new.fields.keys()
        parts |= {FIELD + name for name in names if old.fields.get(name) != new.fields.get(name)}
    if old.links != new.links:
        names = {link.name for link in (*old.links, *new.links)}
        parts |= {LINK + name for name in names if links_of(old, name) != links_of(new, name)}
    return frozenset(parts)
