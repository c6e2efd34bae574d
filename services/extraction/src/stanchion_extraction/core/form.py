"""A mapping of documents, ready to use: which files it is for, and what of them becomes which part of a record."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from stanchion_extraction.core.declared import Parser
from stanchion_extraction.core.expression import Expression
from stanchion_extraction.core.relation import Relation, Speech
from stanchion_extraction.core.status import Words

Matcher = Callable[[str], bool]


class Text(Struct, frozen=True):
    """One expression that gives texts.

    Attributes:
        expression: ready to evaluate.
        label: what to call it where a value of it is told; the head's key for a plain `head.<key>`.
        sections: that it reads.
        roots: what it begins with.
    """

    expression: Expression
    label: str
    sections: frozenset[str]
    roots: frozenset[str]


class FieldRule(Struct, frozen=True):
    """Which texts are a field's value, and how they are read."""

    name: str
    texts: tuple[Text, ...]
    read: Literal["text", "list", "date", "name"]


class LinkRule(Struct, frozen=True):
    """Which texts name links, how they are read, and which link it is where they do not say it themselves."""

    relation: Relation | None
    texts: tuple[Text, ...]
    read: Literal["values", "keys", "statements"]


class StatusRule(Struct, frozen=True):
    """Which texts say the status, how they are read, and the words they know."""

    texts: tuple[Text, ...]
    read: Literal["word", "line"]
    words: Words


class Form(Struct, frozen=True):
    """A mapping of documents.

    Attributes:
        name: as `format` names it.
        parsers: which files it is for, and how each is parsed, in order.
        leave_out: files among them that are no records, and why.
        when: what a text must have; None for nothing.
        why_not: told of a text that has not.
        kind: of the record.
        id: an expression.
        label: the first text that is not empty.
        status: None where the kind has none.
        fields: in order.
        links: in order.
        speech: how its texts name links and each other.
        author: an expression.
        folded: sections that leave the body once everything in them has become something else.
        rest: what nothing was made of in the head stays in the body.
        claims: what the text states is evidence, as a citation of the document.
        sections: names of those that expressions read; None for all.
        taken: keys of the head that have become something else.
        line_keys: keys of `Key: value` lines before the first section that expressions read.
        section_keys: the same of lines in sections.
        phrased: where keys are looked for that are phrases: `head`, `lines`, `sections`.
    """

    name: str
    parsers: tuple[tuple[Matcher, Parser], ...]
    leave_out: tuple[tuple[Matcher, str], ...]
    when: Expression | None
    why_not: str
    kind: str
    id: Expression
    label: tuple[Text, ...]
    status: StatusRule | None
    fields: tuple[FieldRule, ...]
    links: tuple[LinkRule, ...]
    speech: Speech
    author: Expression
    folded: frozenset[str]
    rest: bool
    claims: bool
    sections: frozenset[str] | None
    taken: frozenset[str]
    line_keys: frozenset[str]
    section_keys: frozenset[str]
    phrased: frozenset[str]

    def parser(self, path: str) -> Parser | None:
        """Give how a file is parsed; None where the mapping is not for it."""
        return next((parser for matches, parser in self.parsers if matches(path)), None)

    def why_left_out(self, path: str) -> str:
        """Give why a file is no record by its name, empty when it may be one."""
        return next((why for matches, why in self.leave_out if matches(path)), "")
