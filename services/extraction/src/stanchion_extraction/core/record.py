"""A document under its mapping becomes a record."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from msgspec import Struct

from stanchion_contracts.claim import Import, LeftOut, Reference
from stanchion_contracts.observation import Document
from stanchion_contracts.record import FieldValue
from stanchion_contracts.relation import Relation
from stanchion_core.limits import FIELD_VALUE_BYTES, LABEL_CHARS, LINKS, NAME_CHARS
from stanchion_core.text import canonical_json
from stanchion_core.uri import file_of
from stanchion_extraction.core.declared import Parser
from stanchion_extraction.core.entity import relations_in
from stanchion_extraction.core.expression import Expression, ExpressionFailed, is_nothing
from stanchion_extraction.core.form import Form, StatusRule
from stanchion_extraction.core.parsed import Parsed, parse, scope_of
from stanchion_extraction.core.place import names_of, place_of, record_id_of
from stanchion_extraction.core.reading import Reading
from stanchion_extraction.core.status import Status

_UPSTREAM_STATUS: Final = "upstream_status"
_FIELDS_BYTES: Final = 4 * FIELD_VALUE_BYTES
"""Of all fields together: one text may be mapped to many of them."""


class Read(Struct, frozen=True):
    """What a mapping made of a text: a record, or why not; and what it could not place.

    Attributes:
        record: None for what is no record.
        left_out: with the reason of each.
        relations: that the text states of the record.
        evidence: the text in which claims are looked for, at its places in the whole; empty where its mapping asks for
            none.
    """

    record: Import | None
    left_out: tuple[LeftOut, ...] = ()
    relations: tuple[Relation, ...] = ()
    evidence: str = ""


class Unlike(Exception):
    """A text is not one of a mapping's, or cannot be read as one."""


def read_record(form: Form, document: Document, parser: Parser, *, declared: bool) -> Read:
    """Read a document by a mapping.

    Args:
        form: the mapping.
        document: not deleted.
        parser: how its text is parsed.
        declared: whether its format names the mapping; else it must look like one.

    Raises:
        Unlike: it does not.
    """
    place = place_of(document.uri, form.speech.naming)
    parsed = parse(document.text, parser)
    if parsed.head.wrong and parser in {"yaml", "rfc822"}:
        raise Unlike(parsed.head.wrong)
    scope = scope_of(document, place, parsed, form.sections)
    if form.when is not None and not declared and not _looks(form, scope):
        raise Unlike(form.why_not)
    reading = Reading(form, place, parsed, scope)
    if parsed.head.wrong:
        reading.leave_out("front matter", parsed.head.wrong)
    fields = _fields(form, reading)
    relations, unsaid = relations_in(parsed.head.text)
    reading.left_out += unsaid
    record = Import(
        uri=document.uri,
        former_uri=document.former_uri,
        record_id=record_id_of(_text(reading, form.id, "id") or place.stem, document.uri),
        kind=form.kind,
        label=_label(form, reading, document, parser),
        body=_body(form, reading, document, parsed, parser),
        fields=fields,
        references=_references(reading, document),
        revision=document.revision,
        author=_text(reading, form.author, "author")[:NAME_CHARS],
        names=names_of(place, form.speech.naming),
    )
    evidence = _in_place(document.text, parsed.head.text) if form.claims else ""
    return Read(record, tuple(reading.left_out), relations, evidence)


def _in_place(whole: str, text: str) -> str:
    """Give a text with blanks for what stands before it, so that its places are those of the whole."""
    before = whole[: len(whole) - len(text)] if whole.endswith(text) else ""
    return "".join(char if char == "\n" else " " for char in before) + text


def _fields(form: Form, reading: Reading) -> tuple[FieldValue, ...]:
    """Read everything, and give the fields."""
    values = {rule.name: reading.field(rule) for rule in form.fields}
    if form.status is not None:
        reading.read_status(form.status)
    for rule in form.links:
        reading.read_links(rule)
    reading.leave_head_out()
    if form.status is not None:
        status = _status(form.status, form.kind, reading)
        values |= {"status": status.ours, _UPSTREAM_STATUS: status.upstream}
    fields = (FieldValue(name=name, value=canonical_json(value)) for name, value in sorted(values.items()) if value)
    return tuple(_fitting(reading, fields))


def _fitting(reading: Reading, fields: Iterable[FieldValue]) -> Iterator[FieldValue]:
    """Give the fields whose values are not too large, each and together."""
    room = _FIELDS_BYTES
    for field in fields:
        size = len(field.value.encode())
        if size > min(room, FIELD_VALUE_BYTES):
            reading.leave_out(field.name, f"it has {size} bytes; a field has at most {FIELD_VALUE_BYTES}")
        else:
            room -= size
            yield field


def _looks(form: Form, scope: dict[str, Any]) -> bool:
    """Tell whether a text has what its mapping asks for; an expression that does not apply finds nothing."""
    try:
        return form.when is None or not is_nothing(form.when(scope))
    except ExpressionFailed:
        return False


def _text(reading: Reading, expression: Expression, what: str) -> str:
    """Give what an expression gives as one text."""
    value = reading.value(expression, what)
    if isinstance(value, str):
        return value.strip()
    if value is not None:
        reading.leave_out(what, "it gives what is no text")
    return ""


def _label(form: Form, reading: Reading, document: Document, parser: Parser) -> str:
    """Give the title without its number; the file's name stands in for one that is not there."""
    title = next((words for text in form.label for words in reading.plain(text)), "")
    label = title
    if parser == "markdown":
        label = _numbered_title(form.speech.naming.prefixes).sub("", title).strip()
    if not label:
        label = file_of(document.uri)
        reading.leave_out(document.uri, "it has no title; the file's name stands in for it")
    if len(label) > LABEL_CHARS:
        reading.leave_out(label[LABEL_CHARS:], f"a label has at most {LABEL_CHARS} characters")
    return label[:LABEL_CHARS]


@cache
def _numbered_title(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    """Give how titles begin that begin with a number: `4. `, `ADR-0004: `, `ADR 4 `."""
    letters = "|".join(map(re.escape, prefixes)) or r"(?!)"
    return re.compile(
        rf"^\s*(?:(?:{letters})[-_ ]?)?#?\d+\s*[.:)–—-]\s*|^\s*(?:{letters})[-_ ]?#?\d+\s+",  # noqa: RUF001 - dashes as titles have them
        re.IGNORECASE,
    )


def _body(form: Form, reading: Reading, document: Document, parsed: Parsed, parser: Parser) -> str:
    """Give the text without what became fields and links: a text whose status alone changed has the same body."""
    head = parsed.head
    if head.wrong:
        return document.text
    text = _without_sections(parsed, form.folded - reading.loose)
    rest = head.without(reading.taken()) if form.rest else ""
    if not rest.strip():
        return text
    fence = max(re.findall(r"`{3,}", rest), key=len, default="``") + "`"
    kind = "" if parser == "rfc822" else "yaml"
    return f"{fence}{kind}\n{rest}\n{fence}\n" + (f"\n{text.lstrip()}" if text.strip() else "")


def _without_sections(parsed: Parsed, names: frozenset[str]) -> str:
    """Give the text behind the head without some of its sections; one without a word stays."""
    text = parsed.head.text
    gone = {
        number
        for section in (parsed.outline.sections if parsed.outline and names else ())
        if section.name in names and section.blocks
        for number in range(*section.lines)
    }
    if not gone:
        return text
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in gone).strip("\n") + "\n"


def _status(rule: StatusRule, kind: str, reading: Reading) -> Status:
    """Give the text's status: what ends it counts, else what it says first; `draft` where nothing can be placed."""
    said = reading.statuses
    known = [status for status in said if status.placed]
    if known and all(status.date for status in known):  # a history: the last one holds
        known = sorted(known, key=lambda status: status.date)[-1:]
    ended = [status for status in known if status.ours == "superseded" or status.partly]
    if not known:
        status = said[0] if said else rule.words.none()
        what = f"status: {status.upstream}" if status.upstream else "status"
        so = f", so the {kind} is a {status.ours}" if status.ours else ""
        reading.leave_out(what, f"it is no word we know{so}" if status.upstream else "none is stated")
        return status
    for other in said:
        if not other.placed:
            reading.leave_out(f"status: {other.upstream}", "it is neither a status nor a relation that we know")
    status = (ended or known)[0]
    for other in known:
        if other.ours != status.ours and not ended:
            reading.leave_out(f"status: {other.upstream}", f"the text says {status.upstream} first")
    return status


def _references(reading: Reading, document: Document) -> tuple[Reference, ...]:
    """Give each relation once; what is superseded as a whole is not amended in part by the same text."""
    whole = {(ref.target, ref.direction) for ref in reading.references if ref.name == "replaces"}
    kept: dict[tuple[str, str, str], Reference] = {}
    for ref in reading.references:
        if not (ref.partial and (ref.target, ref.direction) in whole):
            kept.setdefault((ref.name, ref.target, ref.direction), ref)
    if len(kept) > LINKS:
        reading.leave_out(document.uri, f"{len(kept)} references; a record has at most {LINKS} links")
    return tuple(kept.values())[:LINKS]
