"""How Review looks: the proposals that wait, and one of them as a diff against the records as they stand."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.text import Text

from stanchion.proposals import OPEN, PartDiff, Proposal, ProposedWrite
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
    when,
)
from stanchion.yaml_lines import flow

WHY: Final = {
    "person_set": "a person set what it would change",
    "consequence": "its kind wants a person",
    "approval_only": "agents only propose here",
    "evidence_disagrees": "evidence says otherwise",
    "import_refused": "a rule refused it",
}
"""Why a proposal waits, in words."""

CLOSED: Final = {
    "published": "published",
    "rejected": "rejected",
    "in_force": "closed by itself: it has come into force by other means",
    "overtaken": "closed by itself: what asked for it does not hold any more",
}
"""How a proposal was closed, in words."""

_MINUTE: Final = 16  # characters of a time to the minute
_SHORT: Final = 8  # characters that an id is shortened to, where that says which
_HEAD: Final = ("id", "since (UTC)", "record", "by")
_PART: Final = 15  # cells of a part's name
_AROUND: Final = 3  # lines of text shown around a change
_TAKEN: Final = "red"
_GIVEN: Final = "green"
_LINE: Final = 70  # cells of two values that stand in one line
_TOLD: Final = frozenset({"uri", "to", "quote", "version_token"})


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """Give for each id what a person types: its beginning, of eight digits or as many as say which."""
    bare = {each: each.rpartition("_")[2] for each in ids}
    for length in range(_SHORT, max(map(len, bare.values()), default=0) + 1):
        if len({each[:length] for each in bare.values()}) == len(ids):
            return {each: bare[each][:length] for each in ids}
    return {each: each for each in ids}


def named(typed: str, ids: Sequence[str]) -> list[str]:
    """Give the ids that a typed name names: the one it equals, else those it is the beginning of."""
    if typed in ids:
        return [typed]
    return sorted(each for each in ids if each.startswith(typed) or each.rpartition("_")[2].startswith(typed))


def table(found: Sequence[Proposal], workspace: str, width: int, *, where: str = "", limit: int = 0) -> Text:
    """Give proposals, one a line, oldest first.

    Args:
        found: all of them.
        workspace: whose.
        width: of the terminal, in cells.
        where: what the next commands need to be about the same workspace.
        limit: how many are listed; 0 for all.
    """
    if not found:
        return line(("nothing waits for a person", STRONG), (f"{GAP}workspace {workspace}", DIM))
    short = short_ids([each.id for each in found])
    listed = found[: limit or len(found)]
    rows = [
        (short[each.id], when(each.recorded_at)[:_MINUTE], _records(each), actor(each.proposed_by)) for each in listed
    ]
    widths = columns([_HEAD, *rows])
    parts = [line((cut(GAP.join([*map(pad, _HEAD, widths), "why"]), width), DIM))]
    for row, each in zip(rows, listed, strict=True):
        begin = cut(GAP.join(map(pad, row, widths)), width)
        room = max(width - sum(widths) - len(GAP) * len(widths) - cell_len(_mark(each)), 0)
        why = cut(WHY.get(each.why, each.why), room)
        style = BAD if each.state == OPEN else DIM
        parts.append(line((begin, "" if each.state == OPEN else DIM), GAP, (_mark(each), style), why))
    count = plural(len(found), "proposal") if len(listed) == len(found) else f"{len(listed)} of {len(found)} proposals"
    first = short[next((each.id for each in listed if each.state == OPEN), listed[0].id)]
    parts += [Text(), line((f"{count} · workspace {workspace}", DIM))]
    return lines([*parts, line(("Next: ", DIM), f"stanchion review show {first}{where}")])


def history(found: Sequence[Proposal], width: int, *, where: str = "") -> Text:
    """Give what was ever proposed for a record, oldest first: by whom and when, and how it was closed.

    Args:
        found: the proposals.
        width: of the terminal, in cells.
        where: what the next commands need to be about the same workspace.
    """
    short = short_ids([each.id for each in found])
    parts = [Text(), line(("proposed for it", DIM))]
    for each in found:
        by = f"by {actor(each.proposed_by)} on {when(each.recorded_at)}"
        end = "waits for a person" if each.state == OPEN else closed(each)
        parts.append(line((short[each.id], STRONG), GAP, cut(f"{by}, seq {each.seq}", width - _SHORT - len(GAP))))
        parts.append(line(" " * (_SHORT + len(GAP)), (end, BAD if each.state == OPEN else "")))
        if each.note:
            parts.append(line(" " * (_SHORT + len(GAP)), f"“{one_line(each.note)}”"))
    return lines([*parts, line(("Next: ", DIM), f"stanchion trace {short[found[-1].id]}{where}")])


def whole(proposal: Proposal, short: str, *, where: str = "") -> Text:
    """Give a proposal: who wants what and why, each write as a diff, and what to do next.

    Args:
        proposal: which.
        short: its id as a person types it.
        where: what the next commands need to be about the same workspace.
    """
    parts = [*_top(proposal, short), *diff(proposal)]
    if proposal.state != OPEN:
        return lines(parts)
    act = f"stanchion review edit {short}{where}" if proposal.outdated else f"stanchion review publish {short}{where}"
    return lines([
        *parts,
        Text(),
        line(("Next: ", DIM), f'{act} · stanchion review reject {short}{where} --reason "…"'),
    ])


def closed(proposal: Proposal) -> str:
    """Give how a proposal was closed, by whom and when."""
    how = CLOSED.get(proposal.state, proposal.state)
    if proposal.state not in {"published", "rejected"}:
        return f"{how} ({when(proposal.closed_at)})"
    return f"{how} by {actor(proposal.closed_by)} on {when(proposal.closed_at)}"


def rejected(proposal: Proposal, short: str, seq: int) -> Text:
    """Give what came of a rejection."""
    return line(
        ("rejected", STRONG), f"{GAP}proposal {short}", (f"{GAP}seq {seq} · {_records(proposal)} stays as it is", DIM)
    )


def diff(proposal: Proposal) -> list[Text]:
    """Give each write as a diff."""
    return [each for write in proposal.writes for each in (Text(), *_write(write, open_=proposal.state == OPEN))]


def _mark(proposal: Proposal) -> str:
    """Give what stands out of a proposal."""
    mark = "outdated" * proposal.outdated if proposal.state == OPEN else proposal.state.replace("_", " ")
    return f"{mark} · " if mark else ""


def _records(proposal: Proposal) -> str:
    """Give which records a proposal would write."""
    first = proposal.record_id or next((each.record_id for each in proposal.writes), "")
    rest = len({each.record_id for each in proposal.writes} - {first})
    return f"{one_line(first)} and {rest} more" if rest else one_line(first)


def _top(proposal: Proposal, short: str) -> Iterator[Text]:
    """Give what the proposal is, who made it and who touched it."""
    yield line((short, STRONG), GAP, (one_line(proposal.reason) or WHY.get(proposal.why, proposal.why), STRONG))
    facts = [
        proposal.state.replace("_", " "),
        WHY.get(proposal.why, proposal.why),
        plural(len(proposal.writes), "write"),
        f"id {proposal.id}",
        f"digest {proposal.digest.hex()[:12]}",
    ]
    yield line((" · ".join(facts), DIM))
    yield Text()
    yield _row("proposed by", f"{actor(proposal.proposed_by)} · {when(proposal.recorded_at)} · seq {proposal.seq}")
    if proposal.origin:
        yield _row("from", one_line(proposal.origin), DIM)
    if proposal.edited_by is not None:
        yield _row("edited by", actor(proposal.edited_by))
    if proposal.state != OPEN:
        yield _row("closed", closed(proposal))
    if proposal.note:
        yield _row("", f"“{one_line(proposal.note)}”")
    if proposal.outdated and proposal.state == OPEN:
        yield _row("outdated", "a record was written since; edit it, and it is made against what stands now", BAD)


def _write(write: ProposedWrite, *, open_: bool) -> Iterator[Text]:
    """Give one write."""
    version = f"version {write.current_version}" if write.current_version else "a new record"
    facts = " · ".join(each for each in (write.kind, version, write.room and f"room {write.room}") if each)
    old = f"{GAP}made against version {write.base_version}" if write.outdated and open_ else ""
    label = one_line(write.label)
    yield line((one_line(write.record_id), STRONG), GAP, label, (f"{GAP}{one_line(facts)}", DIM), (old, BAD))
    if not write.parts:
        yield line(GAP, ("as it stands: nothing would change", DIM))
    for part in sorted(write.parts, key=lambda part: part.part == "body"):  # the text comes last: it may be long
        yield from _body(part) if part.part == "body" else _part(part)


def _part(part: PartDiff) -> Iterator[Text]:
    """Give one part: a short value in one line, anything else by what goes and what comes."""
    kind, _, name = part.part.rpartition(":")
    word = name.replace("_", " ") if kind != "field" else name
    if part.part == "deleted":
        gone = part.after is True
        yield _changed("", "the record is deleted" if gone else "the record comes back", _TAKEN if gone else _GIVEN)
        return
    before, after = _items(part.before), _items(part.after)
    if len(before) == len(after) == 1 and cell_len(before[0] + after[0]) <= _LINE:
        yield line(GAP, (pad(word, _PART), DIM), (before[0], _TAKEN), (" → ", DIM), (after[0], _GIVEN))
        return
    rows = [(f"- {each}", _TAKEN) for each in before if each not in after]
    rows += [(f"+ {each}", _GIVEN) for each in after if each not in before]
    kept = sum(each in after for each in before)
    rows += [(f"  and {kept} as before", DIM)] * bool(kept)
    rows = rows or [("  the same, said anew", DIM)]
    for index, (text, style) in enumerate(rows):
        yield _changed(word * (index == 0), text, style)


def _items(value: Any) -> list[str]:  # noqa: ANN401 - any JSON value
    """Give a value as lines: a list one item a line, nothing for nothing."""
    if value is None:
        return []
    return [_said(each) for each in value] if isinstance(value, list) else [_said(value)]


def _said(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a value in one line: a citation by its source and quote, a link by where it leads."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict) and ("uri" in value or "to" in value):
        named = str(value.get("uri") or value.get("to"))
        version = f" @ {value['version_token']}" if value.get("version_token") else ""
        quote = f" “{value['quote']}”" if value.get("quote") else ""
        rest = {name: each for name, each in value.items() if name not in _TOLD}
        return one_line(f"{named}{version}{quote}" + (f" {flow(rest)}" if rest else ""))
    return one_line(flow(value))


def _body(part: PartDiff) -> Iterator[Text]:
    """Give the text as a unified diff; the view leaves out of a large proposal what stands, and says how much it is."""
    if isinstance(part.before, dict):
        yield _changed("text", f"another one than the {part.before.get('bytes', 0):,} bytes that stand", _GIVEN)
        return
    before, after = safe(str(part.before or "")).splitlines(), safe(str(part.after or "")).splitlines()
    yield line(GAP, ("text", DIM))
    for each in list(difflib.unified_diff(before, after, lineterm="", n=_AROUND))[2:]:
        style = {"-": _TAKEN, "+": _GIVEN, "@": "cyan"}.get(each[:1], "")
        yield line(GAP, GAP, (each, style))


def _changed(word: str, text: str, style: str) -> Text:
    """Give one line of what changes."""
    return line(GAP, (pad(word, _PART), DIM), (text, style))


def _row(name: str, text: str, style: str = "") -> Text:
    """Give one fact."""
    return line((pad(name, _PART), DIM), (text, style))
