"""What is current between entities: one window for each triple of a room, and who states it."""

from msgspec import Struct, field

from stanchion_contracts.change import Change
from stanchion_contracts.relation import Triple, Window


class Related(Struct, kw_only=True):
    """What a workspace keeps of relations; the maps change in place.

    Attributes:
        windows: the current one of each triple.
        stated_by: for a record whose text states relations, the triples whose current window it states.
    """

    windows: dict[Triple, Window] = field(default_factory=dict)
    stated_by: dict[str, dict[Triple, None]] = field(default_factory=dict)


def fold_relation(related: Related, change: Change) -> None:
    """Fold what became current, or ended; the window before it is current no more."""
    relation = change.relation
    if relation is None:
        return
    triple = Triple(change.room, relation.from_entity, relation.name, relation.to_entity)
    before = related.windows.pop(triple, None)
    if before is not None and before.stated_by:
        stated = related.stated_by[before.stated_by]
        del stated[triple]
        if not stated:
            del related.stated_by[before.stated_by]
    if relation.after is not None:
        related.windows[triple] = relation.after
        if relation.after.stated_by:
            related.stated_by.setdefault(relation.after.stated_by, {})[triple] = None
