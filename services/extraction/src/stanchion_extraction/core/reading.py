"""One document under its mapping: its status, its fields and its links, and what could not be placed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from stanchion_contracts.claim import LeftOut, Reference
from stanchion_core.text import canonical_json
from stanchion_extraction.core.calendar import date_in
from stanchion_extraction.core.expression import Expression, ExpressionFailed, Scope
from stanchion_extraction.core.form import FieldRule, Form, LinkRule, StatusRule, Text
from stanchion_extraction.core.outline import EMPTY, Passage
from stanchion_extraction.core.parsed import Parsed, passage_of, passages_of, said
from stanchion_extraction.core.place import Place
from stanchion_extraction.core.relation import QUOTED_CHARS, Found, Relation
from stanchion_extraction.core.status import PLACEHOLDER, Status

_RELATES: Final = re.compile(r"supersed|amend|replac", re.IGNORECASE)
"""What any plain statement about another document has."""


class Reading:
    """What is found while a document is read, in the order of its mapping."""

    def __init__(self, form: Form, place: Place, parsed: Parsed, scope: Scope) -> None:
        """Begin with nothing.

        Args:
            form: the mapping.
            place: where the document lives.
            parsed: its text.
            scope: the same as expressions see it.
        """
        self._form, self._place, self._parsed, self._scope = form, place, parsed, scope
        self.statuses: list[Status] = []
        self.references: list[Reference] = []
        self.left_out: list[LeftOut] = []
        self.loose: set[str] = set()
        """Sections in which something could not be placed."""

    def leave_out(self, what: str, why: str) -> None:
        """Note what could not be placed."""
        self.left_out.append(LeftOut(what=what[:QUOTED_CHARS], why=why))

    def value(self, expression: Expression, what: str) -> Any:  # noqa: ANN401 - any JSON value
        """Give what an expression gives; None where it does not apply, and that is told."""
        try:
            return expression(self._scope)
        except ExpressionFailed as error:
            self.leave_out(what, str(error))
            return None

    def texts(self, text: Text) -> list[tuple[Passage, str]]:
        """Give the passages of an expression, each with the key of its line, empty for none."""
        value = self.value(text.expression, text.label)
        if value is None:  # most parts of most documents
            return []
        found: list[tuple[Passage, str]] = []
        for item in value if isinstance(value, list) else [value]:
            key = said(item, "key")
            try:
                found += ((passage, key) for passage in passages_of(item))
            except ValueError as error:
                self.leave_out(text.label, str(error))
        return found

    def plain(self, text: Text) -> list[str]:
        """Give the texts of an expression that are not empty, as a person reads them."""
        return [words for passage, _ in self.texts(text) if (words := passage.words.strip())]

    def is_phrase(self, name: str, root: str) -> bool:
        """Tell whether a key is read as a phrase where it stands."""
        return root in self._form.phrased and self._form.speech.relation_named(name) is not None

    def read_status(self, rule: StatusRule) -> None:
        """Take the status words, and the relations beside them."""
        for text in rule.texts:
            known = len(self.left_out)
            for passage, key in self.texts(text):
                if rule.read == "word":
                    self._status_value(rule, passage.words)
                elif not (key and (key in self._form.section_keys or self.is_phrase(key, "sections"))):
                    self._status_line(rule, passage)
            placed = len(self.left_out) == known and all(status.placed for status in self.statuses)
            self.loose |= frozenset() if placed else text.sections

    def _status_value(self, rule: StatusRule, words: str) -> None:
        """Take a value that is a status."""
        if words.strip():
            self.statuses.append(rule.words.in_value(words))

    def _status_line(self, rule: StatusRule, line: Passage) -> None:
        """Take a status word and the relations beside it."""
        status = rule.words.in_line(line.text)
        speech = self._form.speech
        found = Found() if status is None and PLACEHOLDER.search(line.text) else speech.in_line(line, self._place)
        self._add(found)
        if status is not None:
            self.statuses.append(status)
        elif not found.references and not found.left_out and line.text.strip():
            self.statuses.append(rule.words.unplaced(line.words))

    def field(self, rule: FieldRule) -> Any:  # noqa: ANN401 - a text or a list of them
        """Give a field's value, empty where there is none that can be placed."""
        known, values = len(self.left_out), []
        for text in rule.texts:
            found = self.plain(text)
            values += found
            if rule.read == "date":
                for words in found:
                    if not date_in(words):
                        self.leave_out(f"{rule.name}: {words}", "it is no date that can be read in one way only")
            if len(self.left_out) > known:
                self.loose |= text.sections
        if rule.read == "date":
            return next((date for words in values if (date := date_in(words))), "")
        if rule.read == "list":
            return list(dict.fromkeys(values))
        names = values if rule.read == "text" else [name for words in values for name in _names(words)]
        return self._one(rule.name, list(dict.fromkeys(names)), "name" if rule.read == "name" else "text")

    def _one(self, field: str, values: list[str], what: str) -> str:
        """Give the one value that a field takes."""
        if len(values) > 1:
            self.leave_out(f"{field}: {', '.join(values)}", f"{field} takes one {what}")
            return ""
        return values[0] if values else ""

    def read_links(self, rule: LinkRule) -> None:
        """Take the links that a rule's texts name."""
        for text in rule.texts:
            known = len(self.left_out)
            if rule.read == "keys":
                self._read_keys(text)
            elif rule.read == "statements":
                self._read_statements(text)
            elif rule.relation is not None:
                self._read_values(rule.relation, self._parsed.head.written.get(text.label, text.label), text)
            if len(self.left_out) > known:
                self.loose |= text.sections

    def _read_values(self, relation: Relation, key: str, text: Text) -> None:
        """Take the documents that values name."""
        value = self.value(text.expression, text.label)
        for item in value if isinstance(value, list) else [value]:
            self._read_value(relation, key, item)

    def _read_value(self, relation: Relation, key: str, item: Any) -> None:  # noqa: ANN401 - any JSON value
        """Take the documents that one value names."""
        speech, place = self._form.speech, self._place
        try:
            for passage in passages_of(item):
                if isinstance(item, dict):
                    self._add(speech.of_keyed(relation, passage, said(item, "written") or key, place))
                else:
                    self._add(speech.of_values(relation, (passage.text,), key, place))
        except ValueError as error:
            self.leave_out(key, str(error))

    def _read_keys(self, text: Text) -> None:
        """Take the documents that values behind keys name, where the key is a phrase."""
        keyed = self.value(text.expression, text.label)
        for name, value in keyed.items() if isinstance(keyed, dict) else ():
            relation = self._form.speech.relation_named(name)
            key = self._parsed.head.written.get(name, name)
            for item in value if isinstance(value, list) else [value]:
                if relation is not None:
                    self._read_value(relation, key, item)

    def _read_statements(self, text: Text) -> None:
        """Take the plain statements about this record in running text."""
        outline = self._parsed.outline or EMPTY
        partly = any(status.partly for status in self.statuses)
        prose = self.value(text.expression, text.label)
        for item in prose if isinstance(prose, list) else ():
            if not isinstance(item, dict) or not _RELATES.search(block := said(item, "text")):
                continue
            key = said(item, "key")
            if key and (key in self._form.line_keys or self.is_phrase(key, "lines")):
                continue
            passage = passage_of(item) if "links" in item else outline.prose(block)
            self._add(self._form.speech.in_prose(passage, self._place, partly=partly))

    def _add(self, found: Found) -> None:
        """Take references and what could not be placed."""
        self.references += found.references
        for left in found.left_out:
            self.leave_out(left.what, left.why)

    def taken(self) -> frozenset[str]:
        """Name the keys of the head that something was made of."""
        head: Mapping[str, Any] = self._parsed.head.values
        return self._form.taken | {name for name in head if self.is_phrase(name, "head")}

    def leave_head_out(self) -> None:
        """Tell of what the head says and no rule takes: what it says twice, comments, and keys that get lost."""
        head, taken = self._parsed.head, self.taken()
        for key in head.repeated:
            self.leave_out(key, "it stands twice; the first one counts")
        for key, remark in head.remarks:
            if any(head.written.get(name) == key for name in taken):
                self.leave_out(f"{key}: # {remark}", "a comment is no value")
        for name, value in head.values.items() if not self._form.rest else ():
            if name not in taken:
                said = value if isinstance(value, str) else ", ".join(_said(value))
                self.leave_out(f"{head.written[name]}: {said}", f"no field of a {self._form.kind} takes this key")


def _said(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Give the texts of a value from a head."""
    if isinstance(value, list):
        for item in value:
            yield from _said(item)
    else:
        yield value if isinstance(value, str) else canonical_json(value)


def _names(text: str) -> list[str]:
    """Give the names in a list of people, without their addresses."""
    plain = re.sub(r"<[^<>]*>", " ", text)
    return [name.strip(" *_[]`") for name in re.split(r"[,;]|\band\b", plain) if name.strip(" *_[]`")]
