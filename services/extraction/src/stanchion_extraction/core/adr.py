"""Architecture decision records in Nygard's form and in MADR's, as decisions.

Nygard: `# 4. Title`, `Date: …`, a `Status` section (M. Nygard, Documenting Architecture Decisions, 2011; adr-tools).
MADR: front matter or a list before the first section (`* Status: …`), `Context and Problem Statement`, `Decision
Outcome` (adr.github.io/madr, versions 2 to 4). Both forms mix in practice, so each part is read wherever it stands.
"""

import re
from typing import Final

from msgspec import Struct

from stanchion_contracts.claim import Import, LeftOut, Reference
from stanchion_contracts.observation import Document
from stanchion_contracts.record import FieldValue
from stanchion_core.limits import LABEL_CHARS, LINKS
from stanchion_core.text import canonical_json
from stanchion_core.uri import file_of
from stanchion_extraction.core.calendar import date_in
from stanchion_extraction.core.front_matter import front_matter
from stanchion_extraction.core.naming import record_id_of
from stanchion_extraction.core.outline import Outline, Passage, Section, outline_of, plain_passage
from stanchion_extraction.core.relation import (
    QUOTED_CHARS,
    Found,
    in_line,
    in_prose,
    of_keyed,
    of_values,
    relation_named,
)
from stanchion_extraction.core.status import PLACEHOLDER, Status, status_in, unplaced

FORMS: Final = frozenset({"adr-nygard", "adr-madr"})
"""The names of the two forms; each part is read the same in both."""

_KEYED: Final = re.compile(r"^[-*+]?\s*(?P<key>[A-Za-z][A-Za-z _-]{0,40}?)\s*:\s*(?P<value>.*)$", re.DOTALL)
_NUMBERED_TITLE: Final = re.compile(r"^\s*(?:ADR[-_ ]?)?#?\d+\s*[.:)–—-]\s*|^\s*ADR[-_ ]?#?\d+\s+", re.IGNORECASE)  # noqa: RUF001 - dashes as titles have them
_MADR_HEADINGS: Final = frozenset({"context and problem statement", "decision outcome", "considered options"})
_DATE_KEYS: Final = frozenset({"date", "decided on", "decided"})
_DECIDER_KEYS: Final = frozenset({"deciders", "decision makers", "decision maker", "decided by", "decider"})
_RELATES: Final = re.compile(r"supersed|amend|replac", re.IGNORECASE)


class Read(Struct, frozen=True):
    """What a mapping made of a text: a record, or why not; and what it could not place."""

    record: Import | None
    left_out: tuple[LeftOut, ...] = ()


class _Facts:
    """What is found while a text is read, first word first."""

    def __init__(self) -> None:
        self.statuses: list[Status] = []
        self.dates: list[str] = []
        self.deciders: list[str] = []
        self.references: list[Reference] = []
        self.left_out: list[LeftOut] = []
        self.taken: list[tuple[int, int]] = []  # lines of sections that became fields and references whole

    def add(self, found: Found) -> None:
        """Take references and what could not be placed."""
        self.references += found.references
        for left in found.left_out:
            self.leave_out(left.what, left.why)

    def leave_out(self, what: str, why: str) -> None:
        """Note what could not be placed."""
        self.left_out.append(LeftOut(what=what[:QUOTED_CHARS], why=why))


def read_adr(document: Document, *, declared: bool) -> Read:
    """Read a decision record.

    Args:
        document: not deleted.
        declared: whether its format says that it is one; else it must look like one.
    """
    head = front_matter(document.text)
    outline = outline_of(head.text)
    facts = _Facts()
    if head.wrong:
        facts.leave_out("front matter", head.wrong)
    for key, values in head.values.items():
        _front_key(facts, key, values, document.uri)
    _preamble(facts, outline, document.uri)
    has_section = _sections(facts, outline, document.uri)
    is_madr = any(section.heading.casefold() in _MADR_HEADINGS for section in outline.sections)
    if not (declared or facts.statuses or has_section or is_madr):
        return Read(None, (LeftOut(what=document.uri, why="it has no status: neither Nygard's form nor MADR's"),))
    title = outline.title or " ".join(head.values.get("title", ()))
    body = document.text if head.wrong else _without(head.text, facts.taken)
    return Read(_record(document, facts, title, body), tuple(facts.left_out))


def _without(text: str, taken: list[tuple[int, int]]) -> str:
    """Give a text without some of its lines.

    What stands in fields and links is not said again in the body: a text whose status alone changed has the same body.
    """
    if not taken:
        return text
    gone = {number for start, end in taken for number in range(start, end)}
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in gone).strip("\n") + "\n"


def _front_key(facts: _Facts, key: str, values: tuple[str, ...], uri: str) -> None:
    """Take one key of the front matter."""
    name = re.sub(r"[\s_-]+", " ", key).strip().casefold()
    relation = relation_named(key)
    if name == "status":
        for value in values:
            _status_line(facts, plain_passage(value), uri)
    elif name in _DATE_KEYS:
        _date(facts, " ".join(values))
    elif name in _DECIDER_KEYS:
        facts.deciders += [part for value in values for part in _names(value)]
    elif relation is not None:
        facts.add(of_values(relation, values, key, uri))
    elif name != "title":
        facts.leave_out(f"{key}: {', '.join(values)}", "no field of a decision takes this key")


def _preamble(facts: _Facts, outline: Outline, uri: str) -> None:
    """Take the lines `Key: value` between the title and the first section; other text there is prose."""
    for block in outline.preamble:
        for line in outline.passages(block):
            keyed = _KEYED.match(line.text)
            if keyed is None or not _keyed_line(facts, keyed, line, uri):
                facts.add(in_prose(line, uri, partly=False))


def _keyed_line(facts: _Facts, keyed: re.Match[str], line: Passage, uri: str) -> bool:
    """Take a line `Key: value`, False when its key says nothing to us."""
    name = re.sub(r"[\s_-]+", " ", keyed["key"]).strip().casefold()
    value = Passage(text=keyed["value"].strip(), links=line.links)
    if name == "status":
        _status_line(facts, value, uri)
    elif name in _DATE_KEYS:
        _date(facts, value.words)
    elif name in _DECIDER_KEYS:
        facts.deciders += _names(value.words)
    elif (relation := relation_named(name)) is not None:
        facts.add(of_keyed(relation, value, keyed["key"].strip(), uri))
    else:
        return False
    return True


def _sections(facts: _Facts, outline: Outline, uri: str) -> bool:
    """Take the status section and the statements of the others, tell whether there is a status section."""
    has_status = False
    rest: list[Section] = []
    for section in outline.sections:
        heading = section.heading.strip().casefold().rstrip(":")
        if heading == "status":
            has_status = True
            _status_section(facts, outline, section, uri)
        elif heading in _DATE_KEYS and section.blocks:
            _date(facts, outline.prose(section.blocks[0]).words)
        elif heading in _DECIDER_KEYS:
            facts.deciders += [name for block in section.blocks for name in _names(outline.prose(block).words)]
        else:
            rest.append(section)
    partly = any(status.partly for status in facts.statuses)
    for section in rest:
        for block in section.blocks:
            if _RELATES.search(block):
                facts.add(in_prose(outline.prose(block), uri, partly=partly))
    return has_status


def _status_section(facts: _Facts, outline: Outline, section: Section, uri: str) -> None:
    """Take the lines of a status section."""
    reported = len(facts.left_out)
    for block in section.blocks:
        for line in outline.passages(block):
            keyed = _KEYED.match(line.text)
            if keyed is None or not _keyed_line(facts, keyed, line, uri):
                _status_line(facts, line, uri)
    placed = len(facts.left_out) == reported and all(status.placed for status in facts.statuses)
    if placed and section.blocks:
        facts.taken.append(section.lines)


def _status_line(facts: _Facts, line: Passage, uri: str) -> None:
    """Take a status word and the relations beside it."""
    status = status_in(line.text)
    found = Found() if status is None and PLACEHOLDER.search(line.text) else in_line(line, uri)
    facts.add(found)
    if status is not None:
        facts.statuses.append(status)
    elif not found.references and not found.left_out and line.text.strip():
        facts.statuses.append(unplaced(line.words))


def _date(facts: _Facts, text: str) -> None:
    """Take a date."""
    if not text.strip():
        return
    date = date_in(text)
    if date:
        facts.dates.append(date)
    else:
        facts.leave_out(f"date: {text}", "it is no date that can be read in one way only")


def _names(text: str) -> list[str]:
    """Give the names in a list of people."""
    return [name.strip(" *_[]`") for name in re.split(r"[,;]|\band\b", text) if name.strip(" *_[]`")]


def _record(document: Document, facts: _Facts, title: str, body: str) -> Import:
    """Give the record of what was found."""
    label = _NUMBERED_TITLE.sub("", title).strip()
    if not label:
        label = file_of(document.uri)
        facts.leave_out(document.uri, "it has no title; the file's name stands in for it")
    if len(label) > LABEL_CHARS:
        facts.leave_out(label[LABEL_CHARS:], f"a label has at most {LABEL_CHARS} characters")
    references = _once(facts.references)
    if len(references) > LINKS:
        facts.leave_out(document.uri, f"{len(references)} references; a record has at most {LINKS} links")
    status = _status(facts)
    fields = {
        "decided_by": _decider(facts),
        "decided_on": facts.dates[0] if facts.dates else "",
        "status": status.ours,
        "upstream_status": status.upstream,
    }
    return Import(
        uri=document.uri,
        former_uri=document.former_uri,
        record_id=record_id_of(document.uri),
        kind="decision",
        label=label[:LABEL_CHARS],
        body=body,
        fields=tuple(FieldValue(name=name, value=canonical_json(value)) for name, value in fields.items() if value),
        references=references[:LINKS],
        revision=document.revision,
        author=document.author,
    )


def _status(facts: _Facts) -> Status:
    """Give the text's status: what ends it counts, else what it says first; `draft` where nothing can be placed."""
    known = [status for status in facts.statuses if status.placed]
    if known and all(status.date for status in known):  # a history: the last one holds
        known = sorted(known, key=lambda status: status.date)[-1:]
    ended = [status for status in known if status.ours == "superseded" or status.partly]
    if not known:
        status = facts.statuses[0] if facts.statuses else Status(upstream="", ours="draft", placed=False)
        what = f"status: {status.upstream}" if status.upstream else "status"
        facts.leave_out(
            what, "it is no word we know, so the decision is a draft" if status.upstream else "none is stated"
        )
        return status
    for other in facts.statuses:
        if not other.placed:
            facts.leave_out(f"status: {other.upstream}", "it is neither a status nor a relation that we know")
    status = (ended or known)[0]
    for other in known:
        if other.ours != status.ours and not ended:
            facts.leave_out(f"status: {other.upstream}", f"the text says {status.upstream} first")
    return status


def _decider(facts: _Facts) -> str:
    """Give who decided, where it is one."""
    names = list(dict.fromkeys(facts.deciders))
    if len(names) > 1:
        facts.leave_out(f"deciders: {', '.join(names)}", "decided_by takes one name")
        return ""
    return names[0] if names else ""


def _once(references: list[Reference]) -> tuple[Reference, ...]:
    """Give each relation once; what is superseded as a whole is not amended in part by the same text."""
    whole = {(ref.target, ref.direction) for ref in references if ref.name == "replaces"}
    kept: dict[tuple[str, str, str], Reference] = {}
    for ref in references:
        if not (ref.partial and (ref.target, ref.direction) in whole):
            kept.setdefault((ref.name, ref.target, ref.direction), ref)
    return tuple(kept.values())
