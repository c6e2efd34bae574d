"""What one document says of its relation to another, as references; nothing is guessed.

In a status line, a metadata line or front matter a relation is a phrase and the documents named after it (`Superseded
by [15](0015-dns.md)`, `Depends on: 0003, ADR-7`). In running prose it is a plain statement about this record with a
link.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.claim import LeftOut, Reference
from stanchion_extraction.core.outline import Passage
from stanchion_extraction.core.place import Naming, Place
from stanchion_extraction.core.reference import Target, named_by, named_in

Direction = Literal["out", "in"]

QUOTED_CHARS: Final = 500
"""How much of a text's own words is kept beside what was made of them."""


class Relation(Struct, frozen=True):
    """A link of the vocabulary, which end this record is, and whether the phrase always means a part."""

    name: str
    direction: Direction = "out"
    partial: bool = False


RELATIONS: Final = {
    "based on": Relation("based_on"),
    "exception to": Relation("exception_to"),
    "assumes": Relation("assumes"),
    "replaces": Relation("replaces"),
    "supersedes": Relation("replaces"),
    "replaced by": Relation("replaces", "in"),
    "superseded by": Relation("replaces", "in"),
    "superceded by": Relation("replaces", "in"),
    "obsoletes": Relation("replaces"),
    "obsoleted by": Relation("replaces", "in"),
    "depends on": Relation("depends_on"),
    "refines": Relation("refines"),
    "refined by": Relation("refines", "in"),
    "amends": Relation("amends"),
    "amended by": Relation("amends", "in"),
    "conflicts with": Relation("conflicts_with"),
    "is a": Relation("is_a"),
    "relates to": Relation("relates_to"),
    "related to": Relation("relates_to"),
}
"""How texts name the links of the base vocabulary, in lower case with spaces."""

_PART: Final = r"(?:in[ -]part|partly|partially|parts? of)"
_AS_KEY_ONLY: Final = frozenset({
    "based on",
    "exception to",
    "assumes",
    "is a",
})  # in a sentence they say other things, too
_PARTLY: Final = re.compile(rf"\b{_PART}\b", re.IGNORECASE)
_OF_A_PART: Final = re.compile(r"\s*th(?:is|ese)\b", re.IGNORECASE)
_ABOUT_THIS: Final = re.compile(r"\bthis\s+(?:adr|record|decision|document)\b", re.IGNORECASE)
_HEDGED: Final = re.compile(
    r"\b(?:not|never|no longer|would|could|might|may|should|will|shall|if|unless|can|cannot|until)\b|n't\b",
    re.IGNORECASE,
)
_IN_PROSE: Final = frozenset({"supersedes", "superseded by", "amends", "amended by", "replaces", "replaced by"})
_DOCUMENT: Final = re.compile(r"\.(?:md|markdown)$|#\d+$", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")
_SENTENCE_CHARS: Final = 2_000
"""A longer one is no plain statement; each phrase in it is looked at with the whole of it."""


class Found(Struct, frozen=True):
    """References in the order they are written, and what could not be placed."""

    references: tuple[Reference, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def plain_key(key: str) -> str:
    """Give a key as it is compared: small letters, one space for what stands between words."""
    return re.sub(r"[\s_-]+", " ", key).strip().casefold()


class Speech:
    """How the texts of one mapping name links, and each other."""

    def __init__(self, naming: Naming, phrases: Mapping[str, Relation] | None = None) -> None:
        """Take the phrases that every mapping knows, and more.

        Args:
            naming: of the mapping.
            phrases: of its own, by the phrase in small letters with spaces.
        """
        self.naming = naming
        self.relations: Final = {**RELATIONS, **(phrases or {})}

    @cached_property
    def _phrase(self) -> re.Pattern[str]:
        """The pattern of a phrase in a sentence."""
        spoken = self.relations.keys() - _AS_KEY_ONLY
        phrases = "|".join(sorted(map(re.escape, spoken), key=lambda phrase: (-len(phrase), phrase)))
        return re.compile(
            rf"\b(?P<part>{_PART}\s+)?(?P<name>{phrases})(?P<after>\s+{_PART})?(?![\w-])\s*:?", re.IGNORECASE
        )

    def relation_named(self, key: str) -> Relation | None:
        """Give the relation that a metadata key names (`depends-on`, `Superseded_by`), None when it names none."""
        return self.relations.get(plain_key(key))

    def in_line(self, passage: Passage, place: Place) -> Found:
        """Read the relations of a status or metadata line: each phrase, and the documents named up to the next one."""
        references: list[Reference] = []
        left_out: list[LeftOut] = []
        phrases = list(self._phrase.finditer(passage.text))
        for at, phrase in enumerate(phrases):
            end = phrases[at + 1].start() if at + 1 < len(phrases) else len(passage.text)
            rest = Passage(text=passage.text[phrase.end() : end], links=passage.links)
            relation = self.relations[" ".join(phrase["name"].casefold().split())]
            targets = named_in(rest, place, self.naming)
            if not targets:
                left_out.append(
                    LeftOut(what=passage.words[:QUOTED_CHARS], why=f"`{' '.join(phrase[0].split())}` names no document")
                )
            words = Passage(text=passage.text[phrase.start() : end].strip(), links=passage.links).words
            partial = bool(phrase["part"] or phrase["after"])
            references += [_reference(relation, target, words, partial=partial) for target in targets]
        return Found(tuple(references), tuple(left_out))

    def of_keyed(self, relation: Relation, value: Passage, key: str, place: Place) -> Found:
        """Read what follows the key of a metadata line: links, paths and numbers, else ids of records."""
        targets = named_in(value, place, self.naming)
        if not targets:
            return self.of_values(relation, value.words.split(","), key, place)
        words = f"{key}: {value.words}"
        return Found(tuple(_reference(relation, target, words, partial=False) for target in targets))

    def of_values(self, relation: Relation, values: Iterable[str], key: str, place: Place) -> Found:
        """Read values that stand for themselves, as those of front matter: numbers, file names, paths, names, ids."""
        references: list[Reference] = []
        left_out: list[LeftOut] = []
        for value in values:
            plain = value.strip()
            if plain.casefold() in self.naming.nothing:
                continue
            if plain in self.naming.examples:
                left_out.append(_left(f"{key}: {plain}", "it is the template's example"))
                continue
            targets = named_by(plain, place, self.naming)
            if not targets:
                left_out.append(_left(f"{key}: {plain}", "it is no number, path or id of a record"))
            references += [_reference(relation, target, f"{key}: {plain}", partial=False) for target in targets]
        return Found(tuple(references), tuple(left_out))

    def in_prose(self, passage: Passage, place: Place, *, partly: bool) -> Found:
        """Read plain statements about this record in running text, with the document that each names.

        Args:
            passage: a paragraph.
            place: of the document it stands in.
            partly: the document's status says that it is superseded in part.
        """
        references: list[Reference] = []
        left_out: list[LeftOut] = []
        for sentence in _SENTENCE.split(passage.text):
            if len(sentence) > _SENTENCE_CHARS:
                if self._phrase.search(sentence):
                    left_out.append(_left(sentence, "a sentence this long is not read"))
                continue
            for phrase in self._phrase.finditer(sentence):
                name = " ".join(phrase["name"].casefold().split())
                rest = Passage(text=sentence[phrase.end() :], links=passage.links)
                mentioned = named_in(rest, place, self.naming, bare=False)
                targets = [target for target in mentioned if _DOCUMENT.search(target.uri)]
                if name not in _IN_PROSE or not targets:
                    continue
                words = Passage(text=sentence, links=passage.links).words
                before = sentence[: phrase.start()]
                if not _is_plain(name, before, partly=partly):
                    left_out.append(LeftOut(what=words, why=f"`{name}` here is no plain statement about this record"))
                    continue
                partial = partly or _ABOUT_THIS.search(before) is None or _PARTLY.search(sentence) is not None
                references += [_reference(self.relations[name], target, words, partial=partial) for target in targets]
        return Found(tuple(references), tuple(left_out))


def _left(what: str, why: str) -> LeftOut:
    """Give what could not be placed, in so many of its words as are kept."""
    return LeftOut(what=what[:QUOTED_CHARS], why=why)


def _reference(relation: Relation, target: Target, words: str, *, partial: bool) -> Reference:
    """Give a reference; a supersession in part amends."""
    partial = (partial or relation.partial) and relation.name == "replaces"
    return Reference(
        name="amends" if partial else relation.name,
        target=target.uri,
        otherwise=target.otherwise,
        direction=relation.direction,
        text=words[:QUOTED_CHARS],
        partial=partial,
    )


def _is_plain(name: str, before: str, *, partly: bool) -> bool:
    """Tell whether a sentence states a relation of this record or of a part of it, unhedged."""
    passive = name.endswith(" by") and name != "replaced by"
    of_a_part = passive and (partly or _OF_A_PART.match(before) is not None)  # "these ranges have been superseded by"
    return _HEDGED.search(before) is None and (of_a_part or _ABOUT_THIS.search(before) is not None)
