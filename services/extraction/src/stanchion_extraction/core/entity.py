"""Relations between entities that a text states outright: `[[works_at::Payments team]]`."""

import re
from typing import Final

from stanchion_contracts.claim import LeftOut
from stanchion_contracts.relation import Entity, Relation
from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import NAME_CHARS, RELATIONS
from stanchion_core.uri import ID_PREFIX
from stanchion_extraction.core.outline import spoken

_STATED: Final = re.compile(r"\[\[([^\[\]:\n]{1,1000}):{2}([^\[\]\n]{1,1000})\]\]")
_RECORD: Final = "record"
_QUOTED: Final = 200


def relations_in(text: str) -> tuple[tuple[Relation, ...], tuple[LeftOut, ...]]:
    """Give the relations that a text states of its record, each once, and those that are not among them.

    Args:
        text: markdown, or what reads like it; what stands in code states nothing.
    """
    if "[[" not in text:
        return (), ()
    found: dict[Relation, None] = {}
    left_out: list[LeftOut] = []
    for stated in (stated for passage in spoken(text) for stated in _STATED.finditer(passage)):
        relation = Relation(name=" ".join(stated[1].split()), to_entity=_entity(" ".join(stated[2].split())))
        if 0 < len(relation.name) <= NAME_CHARS and 0 < len(relation.to_entity.name) <= NAME_CHARS:
            found[relation] = None
        else:
            left_out.append(LeftOut(what=stated[0][:_QUOTED], why=f"a name has 1 to {NAME_CHARS} characters"))
    if len(found) > RELATIONS:
        left_out.append(LeftOut(what="relations", why=f"{len(found)}; a document states at most {RELATIONS}"))
    return tuple(found)[:RELATIONS], tuple(left_out)


def _entity(written: str) -> Entity:
    """Give an entity: a record where the text says `id:` and an id, else a name."""
    identity = written.removeprefix(ID_PREFIX)
    if identity != written and RECORD_ID.fullmatch(identity):
        return Entity(name=identity, type=_RECORD)
    return Entity(name=written)
