"""How `stanchion stale` looks."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from stanchion.causes import Cause, Ground, Hop
from stanchion.show.text import BAD, DIM, GAP, GOOD, STRONG, cut, line, lines, one_line, pad, plural, spread
from stanchion.stale import Count, Fallen, Look, Past, Resting, Stale

_STATE: Final = 15  # cells of the first column
_CAUSES: Final = 3  # a record's causes that are listed; `show` has them all
_LABEL: Final = 12  # a label with less room than that says nothing
_MOST: Final = 100  # a wider terminal only pulls things apart, unless there is something that would be cut
_RESTS: Final = "rests on what is not in force"


def render(stale: Stale, width: int, *, where: str = "") -> Text:
    """Give the answer as text.

    Args:
        stale: the answer.
        width: of the terminal, in cells.
        where: what the next commands need to be about the same workspace, as ` -w docs`.
    """
    width = min(width, max(_MOST, _natural(stale)))
    parts = [*_top(stale, width), *_fallen(stale.fallen, width, where), *_resting(stale.resting, width)]
    parts += _look([*stale.fallen, *(each for each in stale.resting if not each.affirmed)], width)
    parts += _apart(stale.incomplete, "incomplete", width)
    parts += _apart(stale.past, "", width)
    return lines([*parts, Text(), _next(stale, where)])


def _natural(stale: Stale) -> int:
    """Give how wide a terminal must be so that nothing is cut, in cells."""
    heads = [
        *(_head_cells(_STATE, each.name, each.label, f"since seq {each.since_seq}") for each in stale.fallen),
        *(_head_cells(len(_RESTS) + 3, each.name, each.label, "") for each in stale.resting),
        *(_head_cells(_STATE, each.name, each.label, _by(each)) for each in (*stale.incomplete, *stale.past)),
    ]
    indent = _STATE + 2 + 3 * len(GAP)
    ways = [
        indent + cell_len(_way(cause, _ENDLESS)) + cell_len(one_line(cause.happened))
        for each in stale.fallen
        for cause in each.causes[:_CAUSES]
    ]
    return max([*heads, *ways], default=0)


_ENDLESS: Final = 10_000  # cells


def _head_cells(first: int, name: str, label: str, right: str) -> int:
    """Give how many cells a record's line takes when nothing is cut."""
    return first + cell_len(name) + cell_len(one_line(label)) + cell_len(right) + 2 * len(GAP)


def _top(stale: Stale, width: int) -> list[Text]:
    """Give the headline, and beside it, or under it where it is narrow, what it is about."""
    head = _headline(stale.counts)
    facts = [f"workspace {stale.workspace}", *map(one_line, stale.only)]
    position = " · ".join([*facts, f"checked through seq {stale.checked_through}"])
    if head.cell_len + len(GAP) + cell_len(position) <= width:
        return [spread(head, position, width)]
    return [head, line((position, DIM))]


def _headline(counts: Sequence[Count]) -> Text:
    """Give the one sentence that everybody reads."""
    present = [count for count in counts if count.in_force]
    if not present:
        return line((f"No {' or '.join(count.kind for count in counts)} in force", STRONG))
    fallen = [count for count in present if count.fallen]
    if not fallen:
        return line((_all(present), f"{STRONG} {GOOD}"))
    said = " and ".join(f"{count.fallen} of {plural(count.in_force, count.kind)}" for count in fallen)
    verb = "stands" if sum(count.fallen for count in fallen) == 1 else "stand"
    return line((f"{said} no longer {verb}", BAD))


def _all(present: Sequence[Count]) -> str:
    """Give `All 14 decisions and 1 rule still stand`."""
    if [count.in_force for count in present] == [1]:
        return f"The only {present[0].kind} still stands"
    return "All " + " and ".join(plural(count.in_force, count.kind) for count in present) + " still stand"


def _fallen(fallen: Sequence[Fallen], width: int, where: str) -> list[Text]:
    """Give the records that no longer stand, each with its causes."""
    names = max((cell_len(each.name) for each in fallen), default=0)
    parts: list[Text] = []
    for each in fallen:
        since = f"since seq {each.since_seq}"
        room = width - _STATE - names - 2 * len(GAP) - len(since)
        head = line(
            (pad("needs review", _STATE), BAD), (pad(each.name, names), STRONG), GAP, pad(cut(each.label, room), room)
        )
        parts += [Text(), spread(head, since, width)] if not parts else [spread(head, since, width)]
        parts += causes(each.causes[:_CAUSES], width, indent=_STATE + 2)
        parts += _grounds(each.grounds, width)
        if len(each.causes) > _CAUSES:
            more = f"and {len(each.causes) - _CAUSES} more: stanchion show {each.name}{where}"
            parts.append(line(" " * (_STATE + 2), (more, DIM)))
    return parts


def _resting(resting: Sequence[Resting], width: int) -> list[Text]:
    """Give the records that rest on what is not in force, each with it; quietly those that a person has affirmed."""
    names = max((cell_len(each.name) for each in resting), default=0)
    parts: list[Text] = [Text()] if resting else []
    for each in sorted(resting, key=_affirmed):
        state = "affirmed, though it rests on what is not in force" if each.affirmed else _RESTS
        room = width - len(state) - 3 - names - len(GAP)
        style, strong = (DIM, DIM) if each.affirmed else (BAD, STRONG)
        label = (cut(each.label, room), DIM if each.affirmed else "")
        parts.append(line((state + "   ", style), (pad(each.name, names), strong), GAP, label))
        parts += _grounds(each.grounds, width)
    return parts


def _look(records: Sequence[Fallen | Resting], width: int) -> list[Text]:
    """Give who should look at what, one a line, whoever has most first; nothing where nobody is known."""
    theirs: dict[Look, list[str]] = {}
    for each in records:
        theirs.setdefault(each.look, []).append(each.name)
    ordered = sorted(theirs.items(), key=lambda item: (not item[0].who, -len(item[1]), item[0].who, item[0].as_))
    if not any(each.who for each, _ in ordered):
        return []
    who = [f"{one_line(each.who)} {_AS[each.as_]}" if each.who else "nobody known:" for each, _ in ordered]
    widest = max(map(cell_len, who))
    parts = [Text()]
    for index, (said, (_, names)) in enumerate(zip(who, ordered, strict=True)):
        head = pad("who should look" * (index == 0), _STATE)
        room = max(width - _STATE - widest - 2 * len(GAP), _LABEL)
        parts.append(line((head, DIM), GAP, pad(said, widest), GAP, (cut(", ".join(names), room), STRONG)))
    return parts


_AS: Final = {
    "owner": "owns",
    "decided_by": "decided",
    "affirmed_by": "affirmed",
    "confirmed_by": "confirmed",
    "written_by": "wrote",
}
"""Why somebody should look, in a word before the names of the records."""


def _affirmed(each: Resting) -> bool:
    """Tell what comes last."""
    return each.affirmed


def _grounds(grounds: Sequence[Ground], width: int) -> list[Text]:
    """Give what is not in force, one a line, as causes are given."""
    hops = [Hop(link=each.link, record_id=each.record_id, name=each.name, label=each.label) for each in grounds]
    why = [Cause(way=(hop,), happened=each.status, seq=0) for hop, each in zip(hops, grounds, strict=True)]
    return causes(why, width, indent=_STATE + 2)


def causes(why: Sequence[Cause], width: int, *, indent: int) -> list[Text]:
    """Give causes, one a line: the way to what moved, its name and label, and what happened."""
    happened = [one_line(cause.happened) for cause in why]
    room = width - indent - max(map(cell_len, happened), default=0) - 2 * len(GAP)
    ways = [_way(cause, room) for cause in why]
    widest = max(map(cell_len, ways), default=0)
    return [
        line(" " * indent, pad(way, widest), GAP, GAP, (text, BAD)) for way, text in zip(ways, happened, strict=True)
    ]


def _way(cause: Cause, room: int) -> str:
    """Give `based on 0003 → assumes  0012  The market grows`: the links to what moved, its name, and its label."""
    if not cause.way:
        return "its own citation"
    before = "".join(f"{hop.link} {hop.name} → " for hop in cause.way[:-1])
    end = cause.way[-1]
    way = f"{before}{end.link}{GAP}{end.name}"
    left = room - cell_len(way) - len(GAP)
    return f"{way}{GAP}{cut(end.label, left)}".rstrip() if left >= _LABEL else way


def _apart(past: Sequence[Past], word: str, width: int) -> list[Text]:
    """Give records that are listed apart, quietly."""
    names = max((cell_len(each.name) for each in past), default=0)
    parts: list[Text] = [Text()] if past else []
    for each in past:
        by = _by(each)
        room = width - _STATE - names - 2 * len(GAP) - cell_len(by)
        head = f"{pad(word or each.status, _STATE)}{pad(each.name, names)}{GAP}{pad(cut(each.label, room), room)}"
        parts.append(spread(Text(head, style=DIM), by, width) if by else line((head, DIM)))
    return parts


def _by(each: Past) -> str:
    """Give by what a record was superseded."""
    return f"by {', '.join(each.superseded_by)}" if each.superseded_by else ""


def _next(stale: Stale, where: str) -> Text:
    """Give what to do next."""
    if names := [each.name for each in stale.fallen] + [each.name for each in stale.resting if not each.affirmed]:
        name = names[0]
        steps = [f"stanchion show {name}{where}", f"stanchion affirm {name}{where} --through {stale.checked_through}"]
    elif any(count.in_force for count in stale.counts):
        steps = [
            f"stanchion query --kind decision{where}",
            f"stanchion watch --from-seq {stale.checked_through + 1}{where}",
        ]
    elif stale.only:
        steps = [f"stanchion stale{where}"]
    else:
        steps = [f"stanchion import git . --dir docs/decisions{where}"]
    return line(("Next: ", DIM), " · ".join(steps))
