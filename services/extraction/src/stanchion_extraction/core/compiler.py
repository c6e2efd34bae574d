"""Makes mappings of documents ready: what is declared is checked, its expressions are compiled."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from stanchion_core.vocabulary import STATUS, Kind, Vocabulary
from stanchion_extraction.core.declared import Declared, FieldSource, LinkSource, Own, References, Texts
from stanchion_extraction.core.expression import (
    Expression,
    beginnings,
    compiled,
    fields_after,
    fields_under,
    parsed,
)
from stanchion_extraction.core.form import FieldRule, Form, LinkRule, StatusRule, Text
from stanchion_extraction.core.head import plain_name
from stanchion_extraction.core.parsed import ROOTS
from stanchion_extraction.core.pattern import address_pattern, path_matcher
from stanchion_extraction.core.place import Naming
from stanchion_extraction.core.relation import Relation, Speech, plain_key
from stanchion_extraction.core.status import UNPLACED, WORDS, Words

EXPRESSIONS: Final = 200
"""How many expressions one mapping may have."""


def form_of(name: str, plain: object, own: Own, vocabulary: Vocabulary) -> Form:
    """Make a mapping ready.

    Args:
        name: of the mapping.
        plain: as YAML has it.
        own: words of vocabularies that are not the base one.
        vocabulary: the base one.

    Raises:
        ValueError: it is no mapping of documents; the message says where and why.
    """
    declared: Declared = msgspec.convert(plain, Declared, strict=False)
    if not declared.paths:
        raise ValueError("paths: it is for no file at all")
    _check_words(declared, own, vocabulary)
    made = _Compiler()
    status = declared.status
    words = _words(status.words if status else {}, vocabulary.kinds.get(declared.kind))
    links = tuple(made.link(place, source) for place, source in enumerate(declared.links, start=1))
    form = Form(
        name=name,
        parsers=tuple((path_matcher([path]), parser) for path, parser in declared.paths.items()),
        leave_out=tuple((path_matcher(left.paths), left.why) for left in declared.leave_out),
        when=made.sniffed(declared.when),
        why_not=declared.why_not,
        kind=declared.kind,
        id=made.one(declared.id, "id").expression,
        label=made.texts(declared.label, "label"),
        status=StatusRule(made.texts(status.texts, "status"), status.read, words) if status else None,
        fields=tuple(made.field(name, source) for name, source in declared.fields.items()),
        links=links,
        speech=Speech(_naming(declared.references), _phrases(declared)),
        author=made.one(declared.author, "author").expression,
        folded=_folded(declared),
        rest=declared.body == "rest",
        claims=declared.claims,
        sections=made.sections,
        taken=frozenset(made.taken),
        line_keys=frozenset(made.line_keys),
        section_keys=frozenset(made.section_keys),
        phrased=frozenset(root for rule in links if rule.read == "keys" for text in rule.texts for root in text.roots),
    )
    if made.count > EXPRESSIONS:
        raise ValueError(f"{made.count} expressions; the limit is {EXPRESSIONS} a mapping")
    return form


class _Compiler:
    """Makes expressions ready, and notes what they read."""

    def __init__(self) -> None:
        self.count = 0
        self.sections: frozenset[str] | None = frozenset()
        self.taken: set[str] = set()
        self.line_keys: set[str] = set()
        self.section_keys: set[str] = set()

    def _tree(self, text: str, where: str) -> dict[str, Any]:
        """Give an expression's syntax tree.

        Raises:
            ValueError: it is none, or begins with what no document has.
        """
        self.count += 1
        try:
            tree = parsed(text)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from error
        if unknown := sorted(beginnings(tree) - set(ROOTS)):
            has = ", ".join(ROOTS)
            raise ValueError(f"{where}: {text!r} begins with {', '.join(unknown)}; a document has {has}")
        return tree

    def sniffed(self, text: str) -> Expression | None:
        """Make the expression ready that tells whether a text is one; what it looks at counts as unread."""
        return compiled(text, ROOTS) if text and self._tree(text, "when") else None

    def one(self, text: str, where: str) -> Text:
        """Make one expression ready.

        Raises:
            ValueError: it is none, or begins with what no document has.
        """
        tree = self._tree(text, where)
        sections = fields_under(tree, "sections")
        self.sections = None if sections is None or self.sections is None else self.sections | sections
        self.line_keys |= fields_under(tree, "lines") or frozenset()
        self.section_keys |= fields_after(tree, "keyed")
        root, _, key = text.partition(".")
        whole = root == "head" and key in (fields_under(tree, "head") or ())
        if whole:
            self.taken.add(key)
        return Text(compiled(text, ROOTS), key if whole else where, sections or frozenset(), beginnings(tree))

    def texts(self, texts: Texts, where: str) -> tuple[Text, ...]:
        """Make expressions that give texts ready.

        Raises:
            ValueError: one is none.
        """
        return tuple(self.one(text, where) for text in ([texts] if isinstance(texts, str) else texts))

    def field(self, name: str, source: FieldSource | Texts) -> FieldRule:
        """Make a field's source ready.

        Raises:
            ValueError: an expression is none.
        """
        plain = source if isinstance(source, FieldSource) else FieldSource(texts=source)
        return FieldRule(name, self.texts(plain.texts, name), plain.read)

    def link(self, place: int, source: LinkSource) -> LinkRule:
        """Make a link's source ready.

        Raises:
            ValueError: an expression is none, or it has a name where its texts name it, or none where they do not.
        """
        if bool(source.name) != (source.read == "values"):
            raise ValueError(f"link {place}: `read: values` takes a `name`, the others find it in the text")
        relation = Relation(source.name, source.direction, source.partial) if source.name else None
        return LinkRule(relation, self.texts(source.texts, source.name or f"link {place}"), source.read)


def _folded(declared: Declared) -> frozenset[str]:
    """Give the sections that may leave the body.

    Raises:
        ValueError: one of them is not read line by line as a status, so that something in it could get lost.
    """
    status = declared.status
    texts = [] if status is None else [status.texts] if isinstance(status.texts, str) else status.texts
    names = frozenset(map(plain_name, declared.folded))
    lines = {f"sections.{name}.lines" for name in names}
    if names and (status is None or status.read != "line" or not lines <= set(texts)):
        raise ValueError(f"folded: `status` must read {', '.join(sorted(lines))} with `read: line`")
    return names


def _check_words(declared: Declared, own: Own, vocabulary: Vocabulary) -> None:
    """Check that the vocabulary has what a mapping names.

    Raises:
        ValueError: it has not, and the file does not name it as its own.
    """
    kind = vocabulary.kinds.get(declared.kind)
    _known("kind", [declared.kind], [*vocabulary.kinds, *own.kinds])
    links = [*(link.name for link in declared.links if link.name), *(said.name for said in declared.phrases.values())]
    _known("link", links, [*vocabulary.links, *own.links])
    if STATUS in declared.fields:
        raise ValueError("fields: `status` is said by the key `status` of the mapping")
    if kind is not None:
        _known(f"field of a {kind.name}", declared.fields, [*kind.fields, *own.fields])
        said = declared.status.words.values() if declared.status else ()
        _known(f"status of a {kind.name}", said, [*(status.name for status in kind.statuses), *own.statuses])


def _known(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Check that names are known.

    Raises:
        ValueError: one is not.
    """
    there = sorted(set(known))
    if strange := sorted(set(names) - set(there)):
        raise ValueError(f"there is no {what} called {', '.join(strange)}; there are {', '.join(there)}")


def _words(own: Mapping[str, str], kind: Kind | None) -> Words:
    """Give the status words of a mapping: those that all know, as far as the kind has their statuses, and its own."""
    statuses = {status.name for status in kind.statuses} if kind else {*WORDS.values(), UNPLACED}
    known = {word: ours for word, ours in WORDS.items() if ours in statuses}
    more = {" ".join(word.split()).casefold(): ours for word, ours in own.items()}
    return Words({**known, **more}, UNPLACED if UNPLACED in statuses else "")


def _phrases(declared: Declared) -> dict[str, Relation]:
    """Give a mapping's own phrases."""
    return {
        plain_key(phrase): Relation(said.name, said.direction, said.partial)
        for phrase, said in declared.phrases.items()
    }


def _naming(references: References) -> Naming:
    """Give how documents of a mapping are named."""
    plain = Naming()
    return Naming(
        prefixes=tuple(references.prefixes) or plain.prefixes,
        folder_files=tuple(references.folder_files),
        collection=references.collection.strip("/"),
        addresses=tuple(map(address_pattern, references.addresses)),
        numbered=tuple(map(address_pattern, references.numbered)),
        nothing=plain.nothing | frozenset(map(str.casefold, references.nothing)),
        examples=frozenset(references.examples),
    )
