"""The rules that a vocabulary keeps beyond its form: what it names is there, and it does not contradict itself."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct

from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, TOO_MANY, InvalidMessage
from stanchion_core.limits import FIELDS, KINDS, LINK_TYPES, NAME_CHARS, WORD_CHARS, WORDS
from stanchion_core.text import required
from stanchion_core.vocabulary import CLAIM, CONDITION, STATUS, Field, FieldType, Kind, LinkType, Vocabulary
from stanchion_core.walk import CITES

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_OTHER_SUBJECTS: Final = frozenset({"belief", "citation", "proposal", "relation", "trust", "workspace"})
"""What a change may be about besides a record."""
_ENGINES: Final[dict[str, FieldType]] = {CLAIM: "claim", CONDITION: "condition"}


class Place(Struct, frozen=True, kw_only=True):
    """A place in a vocabulary; the whole of it where nothing is named."""

    kind: str = ""
    field: str = ""
    link: str = ""

    @property
    def words(self) -> str:
        """The place as a sentence begins."""
        named = (("kind", self.kind), ("field", self.field), ("link", self.link))
        return ", ".join(["vocabulary", *(f"{what} {name:.80}" for what, name in named if name)])

    @property
    def path(self) -> str:
        """The place as a caller names a field."""
        named = (("kinds", self.kind), ("fields", self.field), ("links", self.link))
        return ".".join(["vocabulary", *(f"{what}.{name:.80}" for what, name in named if name)])


class WrongVocabulary(InvalidMessage):
    """A text is no vocabulary, for what stands at a place in it."""

    def __init__(self, place: Place, what: str, code: str = FIELD_VALUE) -> None:
        super().__init__(code, f"{place.words}: {what}", place.path)


def check(vocabulary: Vocabulary) -> None:
    """Check that a vocabulary keeps the rules.

    Raises:
        WrongVocabulary: it does not; the kind, field or link is named.
        InvalidMessage: its name is missing or too long.
    """
    required(vocabulary.name, "vocabulary.name", chars=NAME_CHARS)
    if not vocabulary.kinds:
        raise WrongVocabulary(Place(), "it has no kinds; a record is of one")
    _count(Place(), len(vocabulary.kinds), KINDS, "kinds")
    _count(Place(), len(vocabulary.links), LINK_TYPES, "links")
    for kind in vocabulary.kinds.values():
        _check_kind(kind)
    for link in vocabulary.links.values():
        _check_link(link, vocabulary)


def _check_kind(kind: Kind) -> None:
    """Check one kind.

    Raises:
        WrongVocabulary: it breaks a rule.
    """
    place = Place(kind=kind.name)
    _check_name(place, kind.name)
    if kind.name in _OTHER_SUBJECTS:
        raise WrongVocabulary(place, f"the ledger has other things of this name ({', '.join(sorted(_OTHER_SUBJECTS))})")
    words = tuple(status.name for status in kind.statuses)
    _check_words(place, words, "status")
    if words and not any(status.in_force for status in kind.statuses):
        raise WrongVocabulary(place, "no status is in_force, so nothing of this kind could ever bind")
    _count(place, len(kind.fields), FIELDS, "fields, the status among them")
    for field in kind.fields.values():
        _check_field(Place(kind=kind.name, field=field.name), field)
    if kind.by_evidence is not None:
        named = (kind.by_evidence.open, kind.by_evidence.holds, kind.by_evidence.fails)
        _known(place, "by_evidence", named, words)
        if len(set(named)) != len(named):
            raise WrongVocabulary(place, "by_evidence needs three different statuses")
        if not _ENGINES.keys() <= kind.fields.keys():
            raise WrongVocabulary(place, "by_evidence needs the fields `claim: claim` and `condition: condition`")


def _check_field(place: Place, field: Field) -> None:
    """Check one field; the status is one, too.

    Raises:
        WrongVocabulary: it breaks a rule.
    """
    _check_name(place, field.name)
    expected = _ENGINES.get(field.name)
    if (expected is not None or field.type in _ENGINES.values()) and field.type != expected:
        raise WrongVocabulary(
            place, f"`{expected or field.type}` is a field's name and its type; it has one with the other"
        )
    if (field.type == "word") != bool(field.words):
        raise WrongVocabulary(place, "a field of type word, and no other, has `words`")
    if field.name != STATUS:
        _check_words(place, field.words, "word")
    turns = (word for turn in field.moves_back for word in (turn.before, turn.after))
    _known(place, "moves_into or moves_back", (*field.moves_into, *turns), field.words)
    if field.reminds and field.type != "date":
        raise WrongVocabulary(place, f"only a date reminds; this is a {field.type}")


def _check_link(link: LinkType, vocabulary: Vocabulary) -> None:
    """Check one type of link.

    Raises:
        WrongVocabulary: it breaks a rule.
    """
    place = Place(link=link.name)
    _check_name(place, link.name)
    if link.name == CITES:
        raise WrongVocabulary(place, "a path calls the step to a cited record so; choose another name")
    for end, kinds in (("from", link.from_kinds), ("to", link.to_kinds)):
        _known(place, end, kinds, vocabulary.kinds)
        _once(place, kinds, "kind")
    if not link.supersedes:
        if link.by_itself:
            raise WrongVocabulary(place, "by_itself says how it supersedes, and it supersedes nothing")
        return
    if link.rests:
        raise WrongVocabulary(place, "it cannot both rest on the other end and supersede it")
    for name in link.to_kinds or vocabulary.kinds:
        kind = vocabulary.kinds[name]
        _known(place, f"supersedes, for a {name},", (link.supersedes,), [status.name for status in kind.statuses])
        if kind.in_force(link.supersedes):
            raise WrongVocabulary(place, f"a {name} that is {link.supersedes} is still in force")


def _check_name(place: Place, name: str) -> None:
    """Check how a kind, a field or a link is called.

    Raises:
        WrongVocabulary: otherwise than they may be.
    """
    if len(name) > WORD_CHARS:
        raise WrongVocabulary(place, f"a name of {len(name)} characters; the limit is {WORD_CHARS}", TOO_LARGE)
    if _NAME.fullmatch(name) is None:
        raise WrongVocabulary(place, f"{name!r} is no name: small letters, digits and _, beginning with a letter")


def _check_words(place: Place, words: Collection[str], what: str) -> None:
    """Check closed words, or statuses.

    Raises:
        WrongVocabulary: there are too many, one stands twice, or one is no word.
    """
    _count(place, len(words), WORDS, "words")
    _once(place, words, what)
    for word in words:
        if len(word) > WORD_CHARS:
            raise WrongVocabulary(place, f"a {what} of {len(word)} characters; the limit is {WORD_CHARS}", TOO_LARGE)
        if not word or word != " ".join(unicodedata.normalize("NFC", word).split()) or not word.isprintable():
            raise WrongVocabulary(place, f"{word!r} is no {what}: letters in NFC, with single spaces inside at most")


def _count(place: Place, number: int, limit: int, what: str) -> None:
    """Check how many there are.

    Raises:
        WrongVocabulary: `TOO_MANY`.
    """
    if number > limit:
        raise WrongVocabulary(place, f"{number} {what}; the limit is {limit}", TOO_MANY)


def _once(place: Place, named: Collection[str], what: str) -> None:
    """Check that nothing is named twice.

    Raises:
        WrongVocabulary: something is.
    """
    if len(set(named)) != len(named):
        twice = next(name for name, times in Counter(named).items() if times > 1)
        raise WrongVocabulary(place, f"{what} {twice:.80} stands twice")


def _known(place: Place, where: str, named: Iterable[str], known: Iterable[str]) -> None:
    """Check that every name is declared.

    Raises:
        WrongVocabulary: one is not.
    """
    declared = set(known)
    missing = list(dict.fromkeys(name for name in named if name not in declared))
    if missing:
        raise WrongVocabulary(place, f"{where} names what is not declared: {', '.join(missing):.200}")
