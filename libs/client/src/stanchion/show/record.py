"""How `stanchion show RECORD` looks: what it says, whether it holds, what it rests on, where it comes from."""

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final

from rich.cells import cell_len
from rich.text import Text

from stanchion.names import Names, called
from stanchion.results import Citation, Link, Record, Validity
from stanchion.show.stale import causes
from stanchion.show.text import (
    BAD,
    DIM,
    GAP,
    GOOD,
    STRONG,
    actor,
    columns,
    cut,
    line,
    lines,
    one_line,
    pad,
    plural,
    safe,
    when,
)
from stanchion.stale import RESTS, in_force, words
from stanchion.stale import causes as causes_of

_NAME: Final = 15  # cells of the first column
_MOST: Final = 110  # a wider terminal only pulls things apart, unless a label would be cut
_STATUS: Final = 20  # cells of a status, with the gaps before and after what stands before it
_QUIET: Final = frozenset({"status"})


def render(record: Record, known: Mapping[str, Record], width: int, *, body: bool = True) -> Text:
    """Give a record as text.

    Args:
        record: which.
        known: the records it links to, and those on the way to what moved.
        width: of the terminal, in cells.
        body: with its text.
    """
    width = min(width, max(_MOST, _natural(record, known)))
    names = Names(called([record, *known.values()]))
    parts = [*_head(record, names, width), Text(), *_standing(record, known, names, width)]
    for section in (
        _links(record, known, names, width),
        _citations(record.evidence, width),
        _fields(record, width),
        _upstream(record, width),
        _written(record),
    ):
        parts += [Text(), *section] if section else []
    if body and record.body:
        parts += [Text(), *(Text(each) for each in safe(record.body).strip("\n").split("\n"))]
    return lines(parts)


def _natural(record: Record, known: Mapping[str, Record]) -> int:
    """Give how wide a terminal must be so that no label is cut, in cells; at most."""
    labels = [
        _NAME + cell_len(words(link.name)) + cell_len(link.to) + cell_len(one_line(known[link.to].label)) + _STATUS
        for link in record.links
        if link.to in known
    ]
    return max([cell_len(record.id) + len(GAP) + cell_len(one_line(record.label)), *labels])


def _head(record: Record, names: Names, width: int) -> Iterator[Text]:
    """Give name and label, and under it what it is."""
    name = names.of(record.id)
    yield line((name, STRONG), GAP, (cut(record.label, width - cell_len(name) - 2), STRONG))
    where = f"{record.workspace} / {record.room}" if record.room else record.workspace
    facts = [record.kind, record.status, f"version {record.version}", f"workspace {where}", f"id {record.id}"]
    yield line((one_line(" · ".join(each for each in ["deleted" * record.deleted, *facts] if each)), DIM))


def _standing(record: Record, known: Mapping[str, Record], names: Names, width: int) -> Iterator[Text]:
    """Give whether it holds, why not, and who stands behind it."""
    if record.validity is not None:
        yield _state(record, record.validity)
        yield from causes(causes_of(record, known, names), width, indent=_NAME)
        for bound in record.validity.bounds:
            yield line(" " * _NAME, (f"not looked at beyond {bound.kind} {one_line(bound.name)}".rstrip(), DIM))
        for ground in record.validity.grounds_not_in_force:
            yield _row("not in force", f"{names.of(ground.record_id)} is {ground.status}")
    if record.superseded_by:
        yield _row("superseded by", ", ".join(map(names.of, record.superseded_by)))
    if record.supersedes:
        yield _row("supersedes", ", ".join(map(names.of, record.supersedes)))
    if record.replacement_claimed_by:
        yield _row("claimed by", f"{', '.join(map(names.of, record.replacement_claimed_by))} say they replace it", BAD)
    yield _confirmed(record)
    yield from _affirmed(record, width)


def _state(record: Record, validity: Validity) -> Text:
    """Give the state in one line."""
    through = f"checked through seq {validity.observed_through or record.as_of_seq}"
    seen = validity.monitored
    looked = f" · {plural(seen.records, 'record')}, {plural(seen.links, 'link')} looked at" if seen else ""
    if validity.state == "needs_review":
        since = min((reason.seq for reason in validity.reasons), default=0)
        return line((pad("needs review", _NAME), BAD), f"since seq {since}", (f" · {through}{looked}", DIM))
    if validity.state == "monitoring_incomplete":
        return line(
            pad("incomplete", _NAME), "nothing found, but not everything could be checked", (f" · {through}", DIM)
        )
    word, style = ("current", GOOD) if in_force(record) else ("unmoved", DIM)
    return line((pad(word, _NAME), style), (through + looked, DIM))


def _confirmed(record: Record) -> Text:
    """Give who stands behind it."""
    if record.confirmed:
        return _row("confirmed", "a person stands behind this version")
    last = record.last_confirmed
    if last is None or last.by is None:
        return _row("confirmed", "by nobody yet", DIM)
    return _row("confirmed", f"no longer; {last.how} by {actor(last.by)} on {when(last.at)[:10]}, seq {last.seq}", DIM)


def _affirmed(record: Record, width: int) -> Iterator[Text]:
    """Give the last affirmation, with its note."""
    last = record.last_affirmed
    if last is None or last.by is None:
        return
    which = "" if record.affirmed else f", of version {last.version}"
    yield _row("affirmed", f"by {actor(last.by)} on {when(last.at)[:10]}, seq {last.seq}{which}")
    if last.note:
        yield from _wrapped(f"“{one_line(last.note)}”", width)


def _wrapped(text: str, width: int) -> Iterator[Text]:
    """Give a text in lines that stand under the second column."""
    for each in wrap(text, max(width - _NAME, 20)):
        yield _row("", each)


def _links(record: Record, known: Mapping[str, Record], names: Names, width: int) -> list[Text]:
    """Give its links, those it rests on first."""
    ordered = sorted(record.links, key=lambda link: (link.name not in RESTS, link.name))
    rows = [(_link_words(each), names.of(each.to), *_other_end(each, known)) for each in ordered]
    name_width, id_width, _, _ = columns(rows) or [0, 0, 0, 0]
    room = width - _NAME - name_width - id_width - _STATUS
    parts = []
    for index, (name, to, label, status) in enumerate(rows):
        first = ("rests on" if ordered[index].name in RESTS else "links") if _begins(ordered, index) else ""
        ended = known.get(ordered[index].to)
        style = BAD if ordered[index].name in RESTS and ended is not None and not in_force(ended) else DIM
        middle = f"{pad(name, name_width)}{GAP}{pad(to, id_width)}{GAP}{pad(cut(label, room), room)}{GAP}"
        parts.append(line((pad(first, _NAME), DIM), middle, (status, style)))
    return parts


def _begins(ordered: Sequence[Link], index: int) -> bool:
    """Tell whether a link is the first of its group."""
    return index == 0 or (ordered[index].name in RESTS) != (ordered[index - 1].name in RESTS)


def _link_words(link: Link) -> str:
    """Give a link's name, and its state where it is not simply there."""
    return words(link.name) + (f" ({link.state})" if link.state in {"proposed", "revoked"} else "")


def _other_end(link: Link, known: Mapping[str, Record]) -> tuple[str, str]:
    """Give label and status of the record at a link's other end."""
    record = known.get(link.to)
    if record is None:
        return one_line(link.note), "not there"
    return one_line(record.label), "deleted" if record.deleted else record.status


def _citations(evidence: Sequence[Citation], width: int) -> list[Text]:
    """Give its citations, each with its quote."""
    parts = []
    for index, citation in enumerate(evidence):
        seen = f"last observed {when(citation.last_observed)}" if citation.last_observed else "never observed"
        version = f" @ {citation.version_token}" if citation.version_token else ""
        parts.append(line(pad("cites" * (index == 0), _NAME), one_line(citation.uri + version), (f"{GAP}{seen}", DIM)))
        if citation.quote:
            parts.append(line(" " * (_NAME + 2), (f"“{cut(citation.quote, width - _NAME - 4)}”", "italic")))
    return parts


def _fields(record: Record, width: int) -> list[Text]:
    """Give its other fields, its tags and its dates."""
    rows = [(name, _value(value)) for name, value in sorted(record.fields.items()) if name not in _QUIET]
    rows += [("tags", ", ".join(record.tags))] if record.tags else []
    rows += [("valid from", record.valid_from)] if record.valid_from else []
    rows += [("valid to", record.valid_to)] if record.valid_to else []
    return [_row(name.replace("_", " "), cut(value, width - _NAME)) for name, value in rows]


def _value(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a field's value as a person reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _upstream(record: Record, width: int) -> list[Text]:
    """Give where it was imported from, and what the import could not place."""
    upstream = record.upstream
    if upstream is None:
        return []
    revision = f" @ {upstream.revision[:12]}" if upstream.revision else ""
    parts = [_row("upstream", one_line(upstream.uri + revision) + (GAP + "deleted there") * upstream.deleted)]
    parts += [_row("", f"says “{one_line(upstream.status)}”")] if upstream.status else []
    parts += [_row("", f"was {one_line(uri)}", DIM) for uri in upstream.former_uris]
    parts += [_row("", cut(f"left out: {each}", width - _NAME), DIM) for each in upstream.left_out]
    parts += [_row("", cut(f"not found: {each}", width - _NAME), DIM) for each in upstream.unresolved]
    return parts


def _written(record: Record) -> list[Text]:
    """Give who wrote it, when, and from what."""
    facts = [actor(record.written_by), when(record.written_at), f"seq {record.seq}", record.origin]
    return [_row("written by", one_line(" · ".join(each for each in facts if each)), DIM)]


def _row(name: str, text: str, style: str = "") -> Text:
    """Give one fact."""
    return line((pad(name, _NAME), DIM), (text, style))
