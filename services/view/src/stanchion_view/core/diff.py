"""What a proposed write would make of a record: the parts that differ, before and after.

What a write is silent about stays and is not shown. Of citations silence says something, too: a version written in
silence about them carries none, and its validity rests on the last explicit list. So a write that has such a list is
shown with it, also where it is the same again.

A list of citations that the write carries is shown even where it is the one that stands: saying it anew keeps it, and
whoever edits the proposal must see that it is said.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.command import Write
from stanchion_contracts.record import Citation, Link
from stanchion_view.core.card import Card

_EVIDENCE: Final = "evidence"


class Part(Struct, frozen=True):
    """One part of a record that a write changes.

    Attributes:
        name: `label`, `body`, `evidence`, `tags`, `valid_from`, `valid_to`, `deleted`, `field:<name>` or `link:<name>`.
        before: JSON text, empty where there is nothing.
        after: likewise.
    """

    name: str
    before: str
    after: str


def parts(card: Card | None, body: str, write: Write) -> tuple[Part, ...]:
    """Give the parts that a write changes, and its citations, in the order of `Part`, fields and links by name.

    Args:
        card: of the record it is written to, None where there is none.
        body: that stands.
        write: what would be written.
    """
    before, after = _standing(card, body), _written(card, write)
    return tuple(
        Part(name, before.get(name, ""), value)
        for name, value in after.items()
        if name == _EVIDENCE or before.get(name, "") != value
    )


def _standing(card: Card | None, body: str) -> dict[str, str]:
    """Give every part of a record as it stands; of a deleted one nothing is left."""
    if card is None or card.deleted:
        return {} if card is None else {"deleted": "true"}
    links: dict[str, list[Link]] = {}
    for link in card.links:
        links.setdefault(link.name, []).append(link)
    return {
        "label": _json(card.label),
        "body": _json(body),
        _EVIDENCE: _json([_citation(citation) for citation in card.evidence]),
        "tags": _json(card.tags),
        "valid_from": _json(card.valid_from),
        "valid_to": _json(card.valid_to),
        "deleted": "false",
        **{f"field:{field.name}": field.value for field in card.fields},
        **{f"link:{name}": _links(some) for name, some in links.items()},
    }


def _written(card: Card | None, write: Write) -> dict[str, str]:
    """Give every part that a write names, in order."""
    if write.delete:
        return {"deleted": "true"}
    said: dict[str, object] = {
        "label": write.label,
        "body": write.body,
        _EVIDENCE: None if write.evidence is None else [_citation(citation) for citation in write.evidence],
        "tags": write.tags,
        "valid_from": write.valid_from,
        "valid_to": write.valid_to,
    }
    return {
        **{name: _json(value) for name, value in said.items() if value is not None},
        **({"deleted": "false"} if card is not None else {}),
        **{f"field:{field.name}": field.value for field in sorted(write.fields)},
        **{f"link:{some.name}": _links(some.links) for some in sorted(write.links, key=lambda some: some.name)},
    }


def _citation(citation: Citation) -> dict[str, str]:
    """Give one citation without what is empty."""
    return {name: value for name, value in msgspec.structs.asdict(citation).items() if value}


def _links(links: Iterable[Link]) -> str:
    """Give links of one name as JSON: where each leads, and of the rest what is not as it usually is."""
    plain = Link(name="", to="")
    return _json([
        {
            name: value
            for name, value in msgspec.structs.asdict(link).items()
            if name == "to" or (name != "name" and value != getattr(plain, name))
        }
        for link in links
    ])


def _json(value: object) -> str:
    """Give a value as JSON text; nothing for an empty text or list."""
    return msgspec.json.encode(value).decode() if value else ""
