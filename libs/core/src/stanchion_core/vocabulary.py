"""A workspace's vocabulary: kinds, fields, closed words, links, and what counts as a move. Data, not code.

The engine knows nothing about any one kind: all that it needs to know about a kind is declared here. What it does know
are three fields: `status`, and `claim` with `condition`, by which evidence sets a status. The `base` vocabulary ships
(`base_vocabulary.yaml`); `vocabulary_text` reads and writes vocabularies.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

FieldType = Literal["text", "word", "list", "date", "principal", "claim", "condition"]

STATUS: Final = "status"
"""The field that holds a record's status."""

CLAIM: Final = "claim"
"""The field that names the claim a record makes, of the type of the same name."""

CONDITION: Final = "condition"
"""The field that says when the claim holds, likewise."""


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


class ByEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
        """Tell whether a record in this status is in force; one of a kind without statuses always is.

        Args:
            status: the word; empty for a record that was written before its kind had statuses: it is in the first one.
        """
        if not self.statuses:
            return True
        word = status or self.initial
        return any(known.name == word and known.in_force for known in self.statuses)


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
    """Everything a workspace may write, and what of it counts as a move.

    Tombstones and open proposals may name kinds and links of a vocabulary that the workspace once had: what is not
    declared is not in force, rests on nothing, supersedes nothing and comes last.
    """

    name: str
    kinds: Mapping[str, Kind]
    links: Mapping[str, LinkType]

    def in_force(self, kind: str, status: str) -> bool:
        """Tell whether a record of a kind in a status is in force; an unknown kind never is."""
        known = self.kinds.get(kind)
        return known is not None and known.in_force(status)

    def rests(self, link: str) -> bool:
        """Tell whether a record rests on the other end of a link; not by an unknown one."""
        known = self.links.get(link)
        return known is not None and known.rests

    def supersedes(self, link: str) -> str:
        """Give the status that the other end of a link must take; empty for none, or for an unknown link."""
        known = self.links.get(link)
        return known.supersedes if known is not None else ""

    def place(self, link: str) -> tuple[int, str]:
        """Give what links are sorted by: their order in the vocabulary; unknown ones come last, by name."""
        known = self.links.get(link)
        return (known.order, "") if known is not None else (len(self.links), link)
