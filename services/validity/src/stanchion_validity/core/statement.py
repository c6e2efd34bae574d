"""Links that texts state: one link whichever side states it, kept while either side does."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.claim import Reference
from stanchion_contracts.command import LinkSet
from stanchion_contracts.record import Link
from stanchion_core.vocabulary import Vocabulary
from stanchion_validity.core.held import Held, Key
from stanchion_validity.core.place import Places, statements
from stanchion_validity.core.workspace import Workspace


class Stated(Struct, frozen=True, kw_only=True):
    """A link that this decision touches.

    Attributes:
        key: from, name, to.
        sides: which ends' texts state it afterwards: `from`, `to`, both or none.
        note: the words it is written in.
        anew: a text newly says it or stops saying it; otherwise an old statement has only found its target, or lost it.
    """

    key: Key
    sides: frozenset[Literal["from", "to"]]
    note: str
    anew: bool


class Texts(Struct, frozen=True, kw_only=True):
    """What the documents refer to before and after a decision.

    Attributes:
        before: where documents live before it.
        after: where they live after it.
        record_id: the document whose text this decision brings, empty for none.
        references: what it refers to after it.
    """

    before: Places
    after: Places
    record_id: str = ""
    references: tuple[Reference, ...] = ()

    @property
    def workspace(self) -> Workspace:
        """As it stands before the decision."""
        return self.before.workspace

    def stated_before(self, record_id: str) -> Mapping[Key, str]:
        """Give the links that a document stated; a reference that is noted as unresolved stated none."""
        imported, held = self.workspace.imported.get(record_id), self.workspace.held.get(record_id)
        if imported is None:
            return {}
        loose = frozenset(held.upstream.unresolved) if held is not None and held.upstream is not None else frozenset()
        found = (reference for reference in imported.references if noted(reference) not in loose)
        return statements(self.before, record_id, found)

    def stated_after(self, record_id: str) -> Mapping[Key, str]:
        """Give the links that a document states now."""
        return statements(self.after, record_id, self.references_after(record_id))

    def references_after(self, record_id: str) -> tuple[Reference, ...]:
        """Give what a document refers to now."""
        if record_id == self.record_id:
            return self.references
        imported = self.workspace.imported.get(record_id)
        return imported.references if imported else ()


def noted(reference: Reference) -> str:
    """Give a reference as it is noted while it finds no record."""
    return f"{reference.name} {reference.target}"


def touched_links(texts: Texts, affected: Iterable[str], waiting: Iterable[Key]) -> tuple[Stated, ...]:
    """Give the links that come, go or change sides, and those that waited and may land now.

    Args:
        texts: before and after.
        affected: the documents whose statements may have changed.
        waiting: links that a rule refused when they were stated.
    """
    keys: dict[Key, bool] = dict.fromkeys(waiting, True)
    for record_id in affected:
        before, after = texts.stated_before(record_id), texts.stated_after(record_id)
        for key in (*after, *before):
            if (key in before) != (key in after):
                keys[key] = keys.get(key, False) or record_id == texts.record_id
    return tuple(_stated(texts, key, anew=anew) for key, anew in keys.items())


def with_statements(vocabulary: Vocabulary, held: Held, stated: Iterable[Stated]) -> tuple[LinkSet, ...]:
    """Give the links of the names that change, as they will be; links that nobody's text states stay as they are.

    Args:
        vocabulary: of the workspace.
        held: the record at the links' from end.
        stated: links from it that this decision touches.
    """
    links = {(link.name, link.to): link for link in held.links}
    names = set()
    for one in stated:
        _, name, to = one.key
        known = links.get((name, to))
        if one.sides:
            link = _link(one, known)
        elif known is not None:
            link = None
        else:
            continue
        if link == known:
            continue
        names.add(name)
        if link is None:
            del links[name, to]
        else:
            links[name, to] = link
    ordered = sorted(names, key=vocabulary.place)
    return tuple(
        LinkSet(name=name, links=tuple(link for link in links.values() if link.name == name)) for name in ordered
    )


def _stated(texts: Texts, key: Key, *, anew: bool) -> Stated:
    """Say which sides state a link after the decision."""
    of_from, of_to = texts.stated_after(key[0]), texts.stated_after(key[2])
    sides: set[Literal["from", "to"]] = set()
    if key in of_from:
        sides.add("from")
    if key in of_to:
        sides.add("to")
    return Stated(key=key, sides=frozenset(sides), note=of_from.get(key) or of_to.get(key, ""), anew=anew)


def _link(one: Stated, known: Link | None) -> Link:
    """Give a stated link; what a link has besides, it keeps."""
    by: Literal["from", "to", "both"] = "both" if len(one.sides) > 1 else next(iter(one.sides))
    _, name, to = one.key
    if known is not None:
        return msgspec.structs.replace(known, stated_by=by, note=one.note or known.note)
    return Link(name=name, to=to, stated_by=by, note=one.note)
