"""Where documents live, and which record a reference means; as it is, or as it will be after one import."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from stanchion_contracts.claim import Reference
from stanchion_core.uri import ID_PREFIX, file_of
from stanchion_validity.core.held import Key
from stanchion_validity.core.workspace import Workspace, called


class Move(Struct, frozen=True, kw_only=True):
    """One document's coming, going or renaming.

    Attributes:
        record_id: the record it is.
        was: its uri before, empty when it did not live.
        now: its uri after, empty when it is gone.
        were: what else it was called before.
        names: what else it is called after.
    """

    record_id: str
    was: str
    now: str
    were: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Places(Struct, frozen=True, kw_only=True):
    """Where documents live.

    Attributes:
        workspace: as it stands.
        move: what this decision changes, None for nothing.
        written: the records it has written.
    """

    workspace: Workspace
    move: Move | None = None
    written: frozenset[str] = frozenset()

    def meant(self, reference: Reference) -> str | None:
        """Give the record that a reference means; its other names count where its target means none."""
        records = (self.record_of(name) for name in (reference.target, *reference.otherwise))
        return next((record_id for record_id in records if record_id is not None), None)

    def record_of(self, target: str) -> str | None:
        """Give the record that a uri, name or id means; None when it means none, or more than one.

        A document's own uri goes before those that others left, and a name that stands before one that was given up.
        """
        if target.startswith(ID_PREFIX):
            return self._known(target.removeprefix(ID_PREFIX))
        if file_of(target).startswith("#"):
            return self._named(target)
        move = self.move
        if move is not None and target == move.now:
            return move.record_id
        home = self.workspace.home.get(target)
        if home is not None and not (move is not None and home == move.record_id and move.now):
            return home
        if move is not None and target == move.was:
            return move.record_id
        return self.workspace.former.get(target) or self._named(target)

    def _known(self, record_id: str) -> str | None:
        """Give an id that stands for a record."""
        held = self.workspace.held.get(record_id)
        return record_id if record_id in self.written or (held is not None and not held.deleted) else None

    def _named(self, name: str) -> str | None:
        """Give the one document that has a number or another name, or else the one that once had it."""
        having = set(self.workspace.names.get(name, ()))
        had = set(self.workspace.former_names.get(name, ()))
        if self.move is not None:
            having.discard(self.move.record_id)
            if name in called(self.move.now, self.move.names):
                having.add(self.move.record_id)
            elif name in called(self.move.was, self.move.were):
                had.add(self.move.record_id)
        candidates = having or had
        return next(iter(candidates)) if len(candidates) == 1 else None


def tokens_of(uris: Iterable[str], record_ids: Iterable[str], names: Iterable[str] = ()) -> tuple[str, ...]:
    """Give all that a reference may call documents or records by."""
    places = [name for uri in uris if uri for name in (uri, *called(uri, ()))]
    return tuple(dict.fromkeys([*places, *names, *(ID_PREFIX + record_id for record_id in record_ids)]))


def statements(places: Places, record_id: str, references: Iterable[Reference]) -> Mapping[Key, str]:
    """Give the links that one document states, with the words of each; what it says of itself is none."""
    found: dict[Key, str] = {}
    for reference in references:
        other = places.meant(reference)
        if other is not None and other != record_id:
            out = reference.direction == "out"
            key = (record_id, reference.name, other) if out else (other, reference.name, record_id)
            found.setdefault(key, reference.text)
    return found


def settled(places: Places, before: Iterable[Reference], now: Iterable[Reference]) -> tuple[Reference, ...]:
    """Give references as they are to be kept: the same words that pointed somewhere before keep pointing there.

    When a folder moves, its documents move one after the other, and each one's links are resolved against its new place
    while some of what they point to still lives at the old one.
    """
    old: dict[tuple[str, str, str, bool], list[str]] = {}
    for known in before:
        old.setdefault((known.name, known.direction, known.text, known.partial), []).append(known.target)
    kept = []
    for reference in now:
        targets = old.get((reference.name, reference.direction, reference.text, reference.partial), [])
        was = targets.pop(0) if targets else ""
        lost = places.meant(reference) is None and was and places.record_of(was) is not None
        kept.append(msgspec.structs.replace(reference, target=was) if lost else reference)
    return tuple(kept)
