"""A workspace's vocabulary: kinds, fields, closed words, links, and what counts as a move. Data, not code.

The engine knows nothing about any one kind: all that it needs to know about a kind is declared here. The `base`
vocabulary ships as `base_vocabulary.json` beside this module; whoever builds a service reads the file
(`importlib.resources`) and hands its text to `parse`.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

FieldType = Literal["text", "word", "list", "date", "principal", "claim", "condition"]

BASE_FILE: Final = "base_vocabulary.json"
"""The file beside this module that holds the base vocabulary."""

STATUS: Final = "status"
"""The field that holds a record's status."""


class Turn(Struct, frozen=True, kw_only=True):
    """A field's value before and after a change."""

    before: str
    after: str


class Status(Struct, frozen=True, kw_only=True):
    """One status of a kind.

    Attributes:
        name: the word.
        in_force: a record in this status binds, and what rests on it stands on something.
    """

    name: str
    in_force: bool = False


class Field(Struct, frozen=True, kw_only=True):
    """One field of a kind.

    Attributes:
        name: of the field.
        type: `text`, a closed `word`, a `list` of texts, a `date`, a `principal` (`person:…`, `model:…`, `system:…`),
            a `claim` (subject and predicate) or a `condition` on one.
        words: the closed words of a `word`.
        moves: every change of it is a move.
        moves_into: a change into one of these words is a move.
        moves_back: these changes are moves, too.
        reminds: a date that is announced two weeks before it comes.
    """

    name: str
    type: FieldType = "text"
    words: tuple[str, ...] = ()
    moves: bool = False
    moves_into: tuple[str, ...] = ()
    moves_back: tuple[Turn, ...] = ()
    reminds: bool = False

    @property
    def monitored(self) -> bool:
        """Whether any change of it can be a move."""
        return self.moves or bool(self.moves_into) or bool(self.moves_back)

    def moved(self, before: str, after: str) -> bool:
        """Tell whether a change of the value is a move.

        Args:
            before: the value's plain text, empty when it was not set.
            after: likewise.
        """
        if before == after:
            return False
        return (
            self.moves
            or after in self.moves_into
            or any((t.before, t.after) == (before, after) for t in self.moves_back)
        )


class ByEvidence(Struct, frozen=True, kw_only=True):
    """The statuses that evidence sets on a kind that names a claim and a condition."""

    open: str
    holds: str
    fails: str


class Kind(Struct, frozen=True, kw_only=True):
    """One kind of record.

    Attributes:
        name: of the kind.
        statuses: in order; the first is what a record is created with. None: the kind has no status.
        fields: by name, `status` among them where the kind has one.
        by_evidence: the statuses evidence sets; None where it sets none.
        consequence: agents' writes of it are always proposals.
    """

    name: str
    statuses: tuple[Status, ...] = ()
    fields: Mapping[str, Field]
    by_evidence: ByEvidence | None = None
    consequence: bool = False

    @property
    def initial(self) -> str:
        """The status a record is created with, empty for a kind without status."""
        return self.statuses[0].name if self.statuses else ""

    def in_force(self, status: str) -> bool:
        """Tell whether a record in this status is in force; a kind without statuses always is."""
        return not self.statuses or any(known.name == status and known.in_force for known in self.statuses)


class LinkType(Struct, frozen=True, kw_only=True):
    """One type of link.

    Attributes:
        name: of the link.
        order: its place in the vocabulary; ties of the walk go by it.
        from_kinds: kinds that may carry it, empty for any.
        to_kinds: kinds it may point to, empty for any.
        rests: the record rests on the other end: the link is a ground.
        supersedes: the status that the other end must take when this one is in force; empty for none.
        by_itself: the link itself gives the other end that status, nobody has to write it.
    """

    name: str
    order: int
    from_kinds: tuple[str, ...] = ()
    to_kinds: tuple[str, ...] = ()
    rests: bool = False
    supersedes: str = ""
    by_itself: bool = False


class Vocabulary(Struct, frozen=True, kw_only=True):
    """Everything a workspace may write, and what of it counts as a move."""

    name: str
    kinds: Mapping[str, Kind]
    links: Mapping[str, LinkType]

    def in_force(self, kind: str, status: str) -> bool:
        """Tell whether a record of a kind in a status is in force; an unknown kind never is."""
        known = self.kinds.get(kind)
        return known is not None and known.in_force(status)


class _PlainKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind as the file has it."""

    statuses: tuple[Status, ...] = ()
    moves_into: tuple[str, ...] = ()
    moves_back: tuple[Turn, ...] = ()
    fields: tuple[Field, ...] = ()
    by_evidence: ByEvidence | None = None
    consequence: bool = False


class _PlainLink(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A link as the file has it."""

    from_: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    rests: bool = False
    supersedes: str = ""
    by_itself: bool = False


class _Plain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vocabulary as the file has it."""

    name: str
    kinds: dict[str, _PlainKind]
    links: dict[str, _PlainLink]


def parse(text: str) -> Vocabulary:
    """Read a vocabulary from its JSON text.

    Raises:
        ValueError: it is no JSON, has unknown parts, or contradicts itself; the message says where.
    """
    return _build(msgspec.json.decode(text, type=_Plain))


def from_plain(plain: Mapping[str, object]) -> Vocabulary:
    """Read a vocabulary from plain dicts and lists, as a YAML or JSON reader gives them.

    Raises:
        ValueError: it has unknown parts or contradicts itself; the message says where.
    """
    return _build(msgspec.convert(plain, _Plain))


def _build(plain: _Plain) -> Vocabulary:
    """Make the vocabulary and check that it agrees with itself."""
    kinds = {name: _kind(name, kind) for name, kind in plain.kinds.items()}
    links = {
        name: LinkType(
            name=name,
            order=order,
            from_kinds=link.from_,
            to_kinds=link.to,
            rests=link.rests,
            supersedes=link.supersedes,
            by_itself=link.by_itself,
        )
        for order, (name, link) in enumerate(plain.links.items())
    }
    for link in links.values():
        _known(f"link {link.name}", (*link.from_kinds, *link.to_kinds), kinds)
        if link.supersedes:
            for kind in link.to_kinds:
                _known(f"link {link.name}, kind {kind}", (link.supersedes,), (s.name for s in kinds[kind].statuses))
    return Vocabulary(name=plain.name, kinds=kinds, links=links)


def _kind(name: str, plain: _PlainKind) -> Kind:
    """Make one kind, its status a field like any other.

    Raises:
        ValueError: it contradicts itself.
    """
    words = tuple(status.name for status in plain.statuses)
    evidence = plain.by_evidence
    named = (*plain.moves_into, *(word for turn in plain.moves_back for word in (turn.before, turn.after)))
    _known(f"kind {name}", (*named, *((evidence.open, evidence.holds, evidence.fails) if evidence else ())), words)
    fields = {field.name: field for field in plain.fields}
    if len(fields) != len(plain.fields) or STATUS in fields:
        raise ValueError(f"vocabulary: kind {name} declares a field twice, or declares `status` as a field")
    if words:
        status = Field(name=STATUS, type="word", words=words, moves_into=plain.moves_into, moves_back=plain.moves_back)
        fields = {STATUS: status, **fields}
    return Kind(name=name, statuses=plain.statuses, fields=fields, by_evidence=evidence, consequence=plain.consequence)


def _known(where: str, named: Iterable[str], known: Iterable[str]) -> None:
    """Check that every name is declared.

    Raises:
        ValueError: one is not.
    """
    missing = sorted(set(named) - set(known))
    if missing:
        raise ValueError(f"vocabulary: {where} names what is not declared: {', '.join(missing)}")
