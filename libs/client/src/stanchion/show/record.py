"""How `stanchion show RECORD` looks: what it says, whether it holds, what it rests on, where it comes from."""

import json
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from textwrap import wrap
from typing import Any, Final

from msgspec import Struct, field
from rich.cells import cell_len
from rich.text import Text

from stanchion.causes import causes as causes_of
from stanchion.causes import in_force, words
from stanchion.names import Names, called
from stanchion.proposals import Proposal
from stanchion.results import Citation, Link, Record, Validity
from stanchion.show.review import WHY, short_ids
from stanchion.show.stale import causes
from stanchion.show.text import (
    BAD,
    DIM,
    GAP,
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
    state,
    when,
)
from stanchion.story import Story
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary import CLAIM, Vocabulary

_NAME: Final = 15  # cells of the first column
_MOST: Final = 110  # a wider terminal only pulls things apart, unless a label would be cut
_STATUS: Final = 20  # cells of a status, with the gaps before and after what stands before it
_PROPOSALS: Final = 3  # that are listed; `review --record` has them all
_QUIET: Final = frozenset({"status"})


class Around(Struct, frozen=True, kw_only=True):
    """What one needs to know to show a record.

    Attributes:
        known: the records it links to, and those on the way to what moved, by id.
        vocabulary: of its workspace.
        proposals: those that would write it.
        story: what the ledger says of it.
        where: what a next command needs to be about the same workspace.
    """

    known: Mapping[str, Record] = {}
    vocabulary: Vocabulary = field(default_factory=base_vocabulary)
    proposals: Sequence[Proposal] = ()
    story: Story = Story()
    where: str = ""


def render(record: Record, around: Around, width: int, *, body: bool = True) -> Text:
    """Give a record as text.

    Args:
        record: which.
        around: what is known beside it.
        width: of the terminal, in cells.
        body: with its text.
    """
    width = min(width, max(_MOST, _natural(record, around.known)))
    names = Names(called([record, *around.known.values()]))
    parts = [*_head(record, names, width), Text(), *_standing(record, around, names, width)]
    for section in (
        _waiting(record, around, width),
        _links(record, around, names, width),
        _citations(record.evidence, width),
        _fields(record, width),
        _upstream(record, width),
        _written(record, around.story),
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


def _standing(record: Record, around: Around, names: Names, width: int) -> Iterator[Text]:
    """Give whether it holds, why not, and who stands behind it."""
    if record.validity is not None:
        yield _state(record, record.validity, holds=in_force(record, around.vocabulary))
        yield from causes(causes_of(record, around.known, names), width, indent=_NAME)
        for bound in record.validity.bounds:
            yield line(" " * _NAME, (f"not looked at beyond {bound.kind} {one_line(bound.name)}".rstrip(), DIM))
        for ground in record.validity.grounds_not_in_force:
            yield _row("not in force", f"{names.of(ground.record_id)} is {ground.status}")
    if record.superseded_by:
        yield _row("superseded by", ", ".join(map(names.of, record.superseded_by)))
    if record.supersedes:
        yield _row("supersedes", ", ".join(map(names.of, record.supersedes)))
    if record.replacement_claimed_by:
        say = "says it replaces" if len(record.replacement_claimed_by) == 1 else "say they replace"
        yield _row("claimed by", f"{', '.join(map(names.of, record.replacement_claimed_by))} {say} this", BAD)
    yield from _belief(record, around)
    yield _confirmed(record, around.story)
    yield from _affirmed(record, width)


def _state(record: Record, validity: Validity, *, holds: bool) -> Text:
    """Give the state in one line."""
    through = f"checked through seq {validity.observed_through or record.as_of_seq}"
    seen = validity.monitored
    looked = f" · {plural(seen.records, 'record')}, {plural(seen.links, 'link')} looked at" if seen else ""
    word, style = state(validity.state, holds=holds)
    if validity.state == "needs_review":
        since = min((reason.seq for reason in validity.reasons), default=0)
        return line((pad(word, _NAME), style), f"since seq {since}", (f" · {through}{looked}", DIM))
    if validity.state == "monitoring_incomplete":
        return line(pad(word, _NAME), "nothing found, but not everything could be checked", (f" · {through}", DIM))
    return line((pad(word, _NAME), style), (through + looked, DIM))


def _belief(record: Record, around: Around) -> Iterator[Text]:
    """Give what is held of the claim that set the record's status, where evidence did, and how to see it."""
    kind, claim = around.vocabulary.kinds.get(record.kind), record.fields.get(CLAIM)
    by = kind.by_evidence if kind else None
    if by is None or record.status not in {by.holds, by.fails} or not isinstance(claim, dict):
        return
    subject, predicate = str(claim.get("subject", "")), str(claim.get("predicate", ""))
    yield _row("belief", one_line(f"{subject} · {predicate}"))
    yield _row("", one_line(f"stanchion believe show {quote(subject)} {quote(predicate)}{around.where}"), DIM)


def _confirmed(record: Record, story: Story) -> Text:
    """Give who stands behind it."""
    if record.confirmed:
        stands = story.stands
        if stands is None:
            return _row("confirmed", "a person stands behind this version")
        did = _DID.get(stands.how, stands.how)
        within = f" · proposal {one_line(story.proposal_id)}" if story.proposal_id else ""
        return _row(
            "confirmed", f"by {actor(stands.by)}, who {did} on {when(stands.at)[:10]}, seq {stands.seq}{within}"
        )
    last = record.last_confirmed
    if last is None or last.by is None:
        return _row("confirmed", "by nobody yet", DIM)
    return _row("confirmed", f"no longer; {last.how} by {actor(last.by)} on {when(last.at)[:10]}, seq {last.seq}", DIM)


_DID: Final = {"created": "wrote it", "approved": "approved it", "affirmed": "affirmed it"}
"""How a person came to stand behind a version, in words."""


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


def _waiting(record: Record, around: Around, width: int) -> list[Text]:
    """Give what waits for a person: proposals that would write it, and evidence that says otherwise."""
    short = short_ids([each.id for each in around.proposals])
    parts = []
    for index, each in enumerate(around.proposals[:_PROPOSALS]):
        why = cut(f"{actor(each.proposed_by)}: {WHY.get(each.why, each.why)}", max(width - 2 * _NAME, _NAME))
        parts.append(line((pad("in review" * (index == 0), _NAME), DIM), (short[each.id], BAD), GAP, why))
    if (rest := len(record.proposals) - len(parts)) > 0 and parts:
        parts.append(_row("", f"and {rest} more: stanchion review --record {record.id}{around.where}", DIM))
    if (points := record.evidence_disagrees) is not None:
        said = f"points to {points.status} since seq {points.since_seq}, and a person set {record.status}"
        parts.append(_row("evidence", one_line(said), BAD))
    if around.proposals:
        first = short[around.proposals[0].id]
        parts.append(_row("", f"stanchion review show {first}{around.where}", DIM))
    return parts


def _links(record: Record, around: Around, names: Names, width: int) -> list[Text]:
    """Give its links, those it rests on first."""
    rests = around.vocabulary.rests
    ordered = sorted(record.links, key=lambda link: (not rests(link.name), link.name))
    rows = [(_link_words(each), names.of(each.to), *_other_end(each, around.known)) for each in ordered]
    name_width, id_width, _, _ = columns(rows) or [0, 0, 0, 0]
    room = width - _NAME - name_width - id_width - _STATUS
    parts = []
    for index, (name, to, label, status) in enumerate(rows):
        ground = rests(ordered[index].name)
        begins = index == 0 or ground != rests(ordered[index - 1].name)
        ended = around.known.get(ordered[index].to)
        style = BAD if ground and ended is not None and not in_force(ended, around.vocabulary) else DIM
        first = ("rests on" if ground else "links") * begins
        middle = f"{pad(name, name_width)}{GAP}{pad(to, id_width)}{GAP}{pad(cut(label, room), room)}{GAP}"
        parts.append(line((pad(first, _NAME), DIM), middle, (status, style)))
    return parts


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
    parts += [_row("", cut(f"not landed: {each}", width - _NAME), DIM) for each in upstream.unresolved]
    return parts


def _written(record: Record, story: Story) -> list[Text]:
    """Give who wrote it, through whom it came, when, and from what."""
    sent = f"sent by {actor(story.sent_by)}" if story.sent_by is not None else ""
    facts = [actor(record.written_by), sent, when(record.written_at), f"seq {record.seq}", record.origin]
    return [_row("written by", one_line(" · ".join(each for each in facts if each)), DIM)]


def _row(name: str, text: str, style: str = "") -> Text:
    """Give one fact."""
    return line((pad(name, _NAME), DIM), (text, style))
