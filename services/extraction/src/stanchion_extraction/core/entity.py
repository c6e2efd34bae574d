"""Relations between entities that a text states outright: `[[works_at::Payments team]]`."""

import re
from typing import Final

from stanchion_contracts.relation import Entity, Relation
from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import NAME_CHARS, RELATIONS
from stanchion_core.uri import ID_PREFIX
from stanchion_extraction.core.outline import spoken

_STATED: Final = re.compile(r"\[\[([^\[\]:\n]{1,1000}):{2}([^\[\]\n]{1,1000})\]\]")
_RECORD: Final = "record"


def relations_in(text: str) -> tuple[tuple[Relation, ...], str]:
    """Give the relations that a text states of its record, each once, and why some are not among them.

    Args:
        text: markdown, or what reads like it; what stands in code states nothing.
    """
    if "[[" not in text:
        return (), ""
    found: dict[tuple[str, Entity], Relation] = {}
    for passage in spoken(text):
        for stated in _STATED.finditer(passage):
            name, entity = " ".join(stated[1].split()), _entity(" ".join(stated[2].split()))
            if 0 < len(name) <= NAME_CHARS and 0 < len(entity.name) <= NAME_CHARS:
                found.setdefault((name, entity), Relation(name=name, to_entity=entity))
    more = f"{len(found)} relations; a document states at most {RELATIONS}" if len(found) > RELATIONS else ""
    return tuple(found.values())[:RELATIONS], more


def _entity(written: str) -> Entity:
    """Give an entity: a record where the text says `id:` and an id, else a name."""
    identity = written.removeprefix(ID_PREFIX)
    if identity != written and RECORD_ID.fullmatch(identity):
        return Entity(name=identity, type=_RECORD)
    return Entity(name=written)
