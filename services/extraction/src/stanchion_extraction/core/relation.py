"""What one document says of its relation to another, as references; nothing is guessed.

In a status line, a metadata line or front matter a relation is a phrase and the documents named after it (`Superseded
by [15](0015-dns.md)`, `Depends on: 0003, ADR-7`). In running prose it is a plain statement about this record with a
link.
"""

import re
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from stanchion_contracts.claim import LeftOut, Reference
from stanchion_core.ids import RECORD_ID
from stanchion_core.limits import URI_CHARS
from stanchion_core.uri import ID_PREFIX, number_in, resolved
from stanchion_extraction.core.outline import LINK, Passage, plain_passage

Direction = Literal["out", "in"]

QUOTED_CHARS: Final = 500
"""How much of a text's own words is kept beside what was made of them."""


class Relation(Struct, frozen=True):
    """A link of the vocabulary, and which end this record is."""

    name: str
    direction: Direction = "out"


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
"""How texts name the links of the vocabulary, in lower case with spaces."""

_PART: Final = r"(?:in[ -]part|partly|partially|parts? of)"
_AS_KEY_ONLY: Final = frozenset({
    "based on",
    "exception to",
    "assumes",
    "is a",
})  # in a sentence they say other things, too
_PHRASES: Final = "|".join(
    sorted(map(re.escape, RELATIONS.keys() - _AS_KEY_ONLY), key=lambda phrase: (-len(phrase), phrase))
)
_PHRASE: Final = re.compile(
    rf"\b(?P<part>{_PART}\s+)?(?P<name>{_PHRASES})(?P<after>\s+{_PART})?(?![\w-])\s*:?", re.IGNORECASE
)
_PARTLY: Final = re.compile(rf"\b{_PART}\b", re.IGNORECASE)
_NAMED: Final = re.compile(
    rf"{LINK.pattern}"
    r"|(?<![\w./%~@:+-])(?P<path>[\w./%~@:+-]+\.(?:md|markdown)\b(?:#\S*)?)"
    r"|\bADR[-_ ]?#?0{0,32}(?P<adr>\d{1,6})\b"
    r"|(?<![\w.#-])#?0{0,32}(?P<bare>\d{1,6})(?![\w.-]*\w)",
    re.IGNORECASE,
)
_BEFORE_BARE: Final = re.compile(r"[\s:(\[]*(?:(?:adrs?|decisions?|records?|numbers?|no\.?|nr\.?)\s*)*", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,;/&()\[\]`]*+(?:and)?[\s,;/&()\[\]`]*+", re.IGNORECASE)
_OF_A_PART: Final = re.compile(r"\s*th(?:is|ese)\b", re.IGNORECASE)
_NOTHING: Final = frozenset({"", "-", "none", "nothing", "n/a", "na"})
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


def relation_named(key: str) -> Relation | None:
    """Give the relation that a metadata key names (`depends-on`, `Superseded_by`), None when it names none."""
    return RELATIONS.get(re.sub(r"[\s_-]+", " ", key).strip().casefold())


def in_line(passage: Passage, uri: str) -> Found:
    """Read the relations of a status or metadata line: each phrase, and the documents named up to the next one."""
    references: list[Reference] = []
    left_out: list[LeftOut] = []
    phrases = list(_PHRASE.finditer(passage.text))
    for place, phrase in enumerate(phrases):
        end = phrases[place + 1].start() if place + 1 < len(phrases) else len(passage.text)
        rest = Passage(text=passage.text[phrase.end() : end], links=passage.links)
        relation = RELATIONS[" ".join(phrase["name"].casefold().split())]
        partial = bool(phrase["part"] or phrase["after"])
        targets = named_in(rest, uri)
        if not targets:
            left_out.append(
                LeftOut(what=passage.words[:QUOTED_CHARS], why=f"`{' '.join(phrase[0].split())}` names no document")
            )
        words = Passage(text=passage.text[phrase.start() : end].strip(), links=passage.links).words
        references += [_reference(relation, target, words, partial=partial) for target in targets]
    return Found(tuple(references), tuple(left_out))


def _reference(relation: Relation, target: str, words: str, *, partial: bool) -> Reference:
    """Give a reference; a supersession in part amends."""
    partial = partial and relation.name == "replaces"
    return Reference(
        name="amends" if partial else relation.name,
        target=target,
        direction=relation.direction,
        text=words[:QUOTED_CHARS],
        partial=partial,
    )


def named_in(passage: Passage, uri: str, *, bare: bool = True) -> list[str]:
    """Give the targets of the documents that a line names first, one after the other: by link, path or number.

    Args:
        passage: what follows the relation.
        uri: of the document it stands in.
        bare: whether a number alone names a document.
    """
    targets: list[str] = []
    end = 0
    for found in _NAMED.finditer(passage.text):
        gap = passage.text[end : found.start()]
        if targets and _BETWEEN.fullmatch(gap) is None:
            break
        if found["bare"] and not (bare and (targets or _BEFORE_BARE.fullmatch(gap))):
            continue
        if target := _target(found, passage, uri):
            targets.append(target)
            end = found.end()
    return list(dict.fromkeys(targets))


def _target(found: re.Match[str], passage: Passage, uri: str) -> str:
    """Give the target of one mention; empty for a link into the same document, and for what no uri is."""
    written = found["path"] if found[1] is None else passage.links[int(found[1])].href
    if written is not None:
        target = resolved(uri, written)
        return "" if len(target) > URI_CHARS or "\x00" in target else target
    return number_in(uri, int(found["adr"] or found["bare"]))


def of_keyed(relation: Relation, value: Passage, key: str, uri: str) -> Found:
    """Read what follows the key of a metadata line: links, paths and numbers, else ids of records."""
    targets = named_in(value, uri)
    if not targets:
        return of_values(relation, value.words.split(","), key, uri)
    words = f"{key}: {value.words}"
    return Found(tuple(_reference(relation, target, words, partial=False) for target in targets))


def of_values(relation: Relation, values: Iterable[str], key: str, uri: str) -> Found:
    """Read the values of a front-matter key: numbers, file names, paths, or ids of records."""
    references: list[Reference] = []
    left_out: list[LeftOut] = []
    for value in values:
        plain = value.strip()
        if plain.casefold() in _NOTHING:
            continue
        targets = named_in(plain_passage(plain), uri)
        if not targets and RECORD_ID.fullmatch(plain):
            targets = [ID_PREFIX + plain]
        if not targets:
            left_out.append(LeftOut(what=f"{key}: {plain}", why="it is no number, path or id of a record"))
        references += [_reference(relation, target, f"{key}: {plain}", partial=False) for target in targets]
    return Found(tuple(references), tuple(left_out))


def in_prose(passage: Passage, uri: str, *, partly: bool) -> Found:
    """Read plain statements about this record in running text, with the document that each names.

    Args:
        passage: a paragraph.
        uri: of the document it stands in.
        partly: the document's status says that it is superseded in part.
    """
    references: list[Reference] = []
    left_out: list[LeftOut] = []
    for sentence in _SENTENCE.split(passage.text):
        if len(sentence) > _SENTENCE_CHARS:
            if _PHRASE.search(sentence):
                left_out.append(LeftOut(what=sentence[:QUOTED_CHARS], why="a sentence this long is not read"))
            continue
        for phrase in _PHRASE.finditer(sentence):
            name = " ".join(phrase["name"].casefold().split())
            rest = Passage(text=sentence[phrase.end() :], links=passage.links)
            targets = [target for target in named_in(rest, uri, bare=False) if _DOCUMENT.search(target)]
            if name not in _IN_PROSE or not targets:
                continue
            words = Passage(text=sentence, links=passage.links).words
            before = sentence[: phrase.start()]
            if not _is_plain(name, before, partly=partly):
                left_out.append(LeftOut(what=words, why=f"`{name}` here is no plain statement about this record"))
                continue
            partial = partly or _ABOUT_THIS.search(before) is None or _PARTLY.search(sentence) is not None
            references += [_reference(RELATIONS[name], target, words, partial=partial) for target in targets]
    return Found(tuple(references), tuple(left_out))


def _is_plain(name: str, before: str, *, partly: bool) -> bool:
    """Tell whether a sentence states a relation of this record or of a part of it, unhedged."""
    passive = name.endswith(" by") and name != "replaced by"
    of_a_part = passive and (partly or _OF_A_PART.match(before) is not None)  # "these ranges have been superseded by"
    return _HEDGED.search(before) is None and (of_a_part or _ABOUT_THIS.search(before) is not None)
