"""How lists look: records, ledger entries, changes as they come, answers, a local run."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich.text import Text

from stanchion.causes import in_force
from stanchion.names import Names, called
from stanchion.results import Answer, ChangeEvent, LandedRecord, LedgerEntry, Page, Record
from stanchion.show.text import (
    BAD,
    DIM,
    GAP,
    GOOD,
    actor,
    columns,
    cut,
    line,
    lines,
    one_line,
    pad,
    plural,
    state,
    when,
)
from stanchion.story import counts_as
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary import Vocabulary

_WHY: Final = 24  # cells that a reason needs in a table
_NAMED: Final = 8  # records of one change that are named


def records(page: Page, workspace: str, width: int, *, vocabulary: Vocabulary | None = None, more: str = "") -> Text:
    """Give the records of a query, one a line.

    Args:
        page: what was found.
        workspace: whose.
        width: of the terminal, in cells.
        vocabulary: of the workspace; None for the one that ships.
        more: how to get the rest.
    """
    names = Names(called(page.records))
    words = vocabulary or base_vocabulary()
    rows = [(names.of(each.id), each.kind, each.status, _state(each, words)[0]) for each in page.records]
    widths = columns([_RECORD, *rows])
    room = max(width - sum(widths) - len(GAP) * len(widths), 20)
    parts = [line((GAP.join([*map(pad, _RECORD, widths), "label"]), DIM))]
    for row, record in zip(rows, page.records, strict=True):
        begin = GAP.join(map(pad, row[:3], widths))
        state = (pad(row[3], widths[3]), _state(record, words)[1])
        parts.append(line(begin, GAP, state, GAP, cut(record.label, room)))
    shown = f"{len(page.records)} of {plural(page.total, 'record')}"
    facts = [shown, f"workspace {workspace}", f"as of seq {page.as_of_seq}", *([more] if more else [])]
    return lines([*parts, Text(), line((" · ".join(facts), DIM))])


_RECORD: Final = ("name", "kind", "status", "validity")


def _state(record: Record, vocabulary: Vocabulary) -> tuple[str, str]:
    """Give a record's validity in words, with its style."""
    if record.deleted:
        return "deleted", DIM
    if record.validity is None:
        return "", ""
    holds = in_force(record, vocabulary)
    word, style = state(record.validity.state, holds=holds)
    if holds and record.validity.grounds_not_in_force and not record.needs_review:
        return f"{word}, ground not in force", style if record.affirmed else BAD
    return word, style


def entries(found: Sequence[LedgerEntry], width: int) -> Text:
    """Give ledger entries, one a line, oldest first."""
    if not found:
        return line(("no entries", DIM))
    rows = [
        (
            str(each.seq),
            when(each.recorded_at),
            _who(each),
            each.action,
            one_line(each.subject_id),
        )
        for each in found
    ]
    widths = columns([_ENTRY, *rows])
    room = width - sum(widths) - len(GAP) * len(widths)
    if room < _WHY:
        seq = max(len(row[0]) for row in rows)
        rows = [(row[0].rjust(seq), *row[1:]) for row in rows]
        return lines(each for row, entry in zip(rows, found, strict=True) for each in _upright(row, entry, width))
    parts = [line((GAP.join([*map(pad, _ENTRY, widths), "why"]), DIM))]
    for row, each in zip(rows, found, strict=True):
        why = wrap(one_line(each.reason), room) or [""]
        parts.append(line(row[0].rjust(widths[0]), GAP, GAP.join(map(pad, row[1:], widths[1:])), GAP, why[0]))
        parts += [line(" " * (width - room), more) for more in why[1:]]
        if note := _note(each):
            parts.append(line(" " * (width - room), cut(f"“{note}”", room)))
    return lines(parts)


def _who(entry: LedgerEntry) -> str:
    """Give whose doing an entry is, and whoever sent it where that is another."""
    if entry.actor is None:
        return ""
    by = counts_as(entry)
    return f"{actor(by)}, sent by {actor(entry.actor)}" if by is not None and by != entry.actor else actor(entry.actor)


def _upright(row: Sequence[str], entry: LedgerEntry, width: int) -> list[Text]:
    """Give one entry in lines of its own, for a terminal that is too narrow for the table."""
    indent = " " * (len(row[0]) + len(GAP))
    why = wrap(one_line(entry.reason), max(width - len(indent), 1))
    told = [f"{row[3]}{GAP}{row[4]}", *why, *([f"“{note}”"] if (note := _note(entry)) else [])]
    head = line(row[0], GAP, cut(f"{row[1]}{GAP}{row[2]}", width - len(indent)))
    return [head, *(line(indent, cut(each, width - len(indent))) for each in told if each)]


def _note(entry: LedgerEntry) -> str:
    """Give what a person said with an affirmation."""
    note = entry.after.get("note") if entry.action == "record.affirmed" and isinstance(entry.after, dict) else None
    return one_line(str(note)) if note else ""


_ENTRY: Final = ("seq", "recorded (UTC)", "who", "what", "subject")


def change(event: ChangeEvent, width: int) -> Text:
    """Give one change as it comes; what needs review stands out."""
    opened = event.kind == "needs_review.opened"
    named = ", ".join(event.record_ids[:_NAMED])
    rest = len(event.record_ids[_NAMED:]) + event.more
    whom = f"{named} and {rest} more" if named and rest > 0 else named or event.subject_id
    begin = f"{event.seq:>6}{GAP}{when(event.recorded_at)[11:]}{GAP}"
    text = f"{one_line(whom)}{GAP}{one_line(event.reason)}".rstrip()
    room = max(width - len(begin) - 22, 20)
    return line((begin, DIM), (pad(event.kind, 20), BAD if opened else ""), GAP, cut(text, room))


def answer(given: Answer, where: str = "") -> Text:
    """Give what a write came to.

    Args:
        given: what was decided.
        where: what the next commands need to be about the same workspace.
    """
    parts = []
    before = " (it had landed before)" * given.repeated_command
    if given.first_seq and (given.records or not given.proposals):
        seqs = f"seq {given.first_seq}" + (f" to {given.last_seq}" if given.last_seq != given.first_seq else "")
        parts.append(line(("landed", GOOD), f"{GAP}{seqs}", (before, DIM)))
    elif not given.proposals:
        parts.append(line(("nothing changed", DIM), GAP, "it had come before" if before else "everything is as it was"))
    parts += [_landed(each) for each in given.records]
    for each in given.proposals:
        short = one_line(each)
        parts.append(line(("not written", BAD), f"{GAP}it became proposal {short}, which waits for a person"))
        parts.append(line(("Next: ", DIM), f"stanchion review show {short}{where}"))
    parts += [line(("left out", BAD), f"{GAP}{one_line(each)}") for each in given.left_out]
    if given.remaining:
        parts.append(line((f"{plural(given.remaining, 'claim')} will be weighed anew in the background", DIM)))
    return lines(parts)


def _landed(each: LandedRecord) -> Text:
    """Give one record that a write touched."""
    renamed = f"{GAP}decided by {each.decided_by_normalized}" if each.decided_by_normalized else ""
    return line(f"{GAP}{one_line(each.record_id)}{GAP}version {each.version}{renamed}")
