"""The records of a workspace, packed: they are many, and few of them are written at any time.

A record as `Held` is some thirty Python objects; packed it is one run of bytes, about a fifth of that. What is read is
unpacked, and the latest few stay so.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Final

import msgspec
from msgspec import Struct

from stanchion_contracts.change import Upstream
from stanchion_contracts.record import Citation, Link
from stanchion_validity.core.held import FIELD, LINK, Held

RECENT: Final = 512
"""How many records stay unpacked: two batches' worth, and some."""


class _Link(Struct, frozen=True, array_like=True, gc=False):
    """A link; what follows `to` stands only where it differs from an ordinary one's."""

    name: str
    to: str
    rest: Link | None = None


class _Packed(Struct, frozen=True, array_like=True, gc=False):
    """A record but for its id, which is its key.

    Attributes:
        resting: None where the version's own citations are it.
        person_set: True where a person set everything there is.
    """

    kind: str
    room: str
    version: int
    deleted: bool
    label: str
    body_digest: bytes
    fields: dict[str, str]
    links: tuple[_Link, ...]
    evidence: tuple[tuple[str, str, str], ...]
    resting: tuple[tuple[str, str, str], ...] | None
    tags: tuple[str, ...]
    valid_from: str
    valid_to: str
    upstream: Upstream | None
    person_set: tuple[str, ...] | bool


_PLAIN: Final = ("label", "tags", "valid_from", "valid_to", "evidence")
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Packed)


class Kept(MutableMapping[str, Held]):
    """Records by id, in the order they came."""

    __slots__ = ("_packed", "_recent")

    def __init__(self) -> None:
        self._packed: dict[str, bytes] = {}
        self._recent: dict[str, Held] = {}

    def __getitem__(self, record_id: str) -> Held:
        """Give a record.

        Raises:
            KeyError: there is none.
        """
        held = self._recent.get(record_id)
        return self._remember(_unpacked(record_id, self._packed[record_id])) if held is None else held

    def __setitem__(self, record_id: str, held: Held) -> None:
        """Keep a record."""
        self._packed[record_id] = _packed(held)
        self._remember(held)

    def __delitem__(self, record_id: str) -> None:
        """Keep a record no more.

        Raises:
            KeyError: there is none.
        """
        del self._packed[record_id]
        self._recent.pop(record_id, None)

    def __contains__(self, record_id: object) -> bool:
        """Tell whether there is a record."""
        return record_id in self._packed

    def __iter__(self) -> Iterator[str]:
        """Give the ids."""
        return iter(self._packed)

    def __len__(self) -> int:
        """Count the records."""
        return len(self._packed)

    def _remember(self, held: Held) -> Held:
        """Keep a record unpacked for a while."""
        if len(self._recent) >= RECENT:
            self._recent.clear()
        self._recent[held.id] = held
        return held


def _packed(held: Held) -> bytes:
    """Give a record's bytes, in a run of their own length."""
    whole = held.person_set == _parts(held, held.fields, held.links)
    value = _ENCODER.encode((
        held.kind,
        held.room,
        held.version,
        held.deleted,
        held.label,
        held.body_digest,
        held.fields,
        [_link(link) for link in held.links],
        _citations(held.evidence),
        None if held.resting == held.evidence else _citations(held.resting),
        held.tags,
        held.valid_from,
        held.valid_to,
        held.upstream,
        whole or sorted(held.person_set),
    ))
    return bytes(memoryview(value))  # the encoder's own is cut from a longer one, which stays


def _unpacked(record_id: str, value: bytes) -> Held:
    """Give the record of an id from its bytes."""
    packed = _DECODER.decode(value)
    evidence = _cited(packed.evidence)
    links = tuple(link.rest or Link(name=link.name, to=link.to) for link in packed.links)
    return Held(
        id=record_id,
        kind=packed.kind,
        room=packed.room,
        version=packed.version,
        deleted=packed.deleted,
        label=packed.label,
        body_digest=packed.body_digest,
        fields=packed.fields,
        links=links,
        evidence=evidence,
        resting=evidence if packed.resting is None else _cited(packed.resting),
        tags=packed.tags,
        valid_from=packed.valid_from,
        valid_to=packed.valid_to,
        upstream=packed.upstream,
        person_set=_parts(packed, packed.fields, links)
        if isinstance(packed.person_set, bool)
        else frozenset(packed.person_set),
    )


def _parts(record: Held | _Packed, fields: Mapping[str, str], links: tuple[Link, ...]) -> frozenset[str]:
    """Name the parts that a record has."""
    names = [FIELD + name for name in fields] + [LINK + link.name for link in links]
    names += [name for name in _PLAIN if getattr(record, name)]
    return frozenset([*names, "body"] if record.body_digest else names)


def _link(link: Link) -> tuple[object, ...]:
    """Give a link as it is packed."""
    ordinary = link == Link(name=link.name, to=link.to)
    return (link.name, link.to) if ordinary else (link.name, link.to, link)


def _citations(citations: tuple[Citation, ...]) -> list[tuple[str, str, str]]:
    """Give citations as they are packed."""
    return [(one.uri, one.quote, one.version_token) for one in citations]


def _cited(packed: tuple[tuple[str, str, str], ...]) -> tuple[Citation, ...]:
    """Give citations back."""
    return tuple(Citation(uri=uri, quote=quote, version_token=token) for uri, quote, token in packed)
