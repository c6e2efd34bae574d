"""How lists of beliefs look, and what belongs to them: what moved, findings, intents, trust, policies."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from stanchion.believed import Belief, BeliefPage, Finding, Intent, Learned, Trust
from stanchion.results import BeliefPolicy, MovedBelief
from stanchion.show.belief import basis, turned_out
from stanchion.show.text import BAD, DIM, GAP, GOOD, columns, cut, line, lines, one_line, pad, plural, when
from stanchion.show.value import named

_VALUE: Final = 32  # cells of a value in a list
_TEXT: Final = 20  # cells that a text has at least


def table(page: BeliefPage, workspace: str, width: int, more: str = "") -> Text:
    """Give beliefs, one a line.

    Args:
        page: what was found.
        workspace: whose.
        width: of the terminal, in cells.
        more: how to get the rest.
    """
    facts = [f"{len(page.beliefs)} of {plural(page.total, 'belief')}", f"workspace {workspace}"]
    facts += [f"as of seq {page.as_of_seq}", *([more] if more else [])]
    tail = line((" · ".join(facts), DIM))
    if not page.beliefs:
        return tail
    rows = [(*_row(each), *_state(each)) for each in page.beliefs]
    widths = columns([_HEAD, *(row[:4] for row in rows)])
    room = max(width - sum(widths) - len(GAP) * len(widths), _TEXT)
    parts = [line((GAP.join([*map(pad, _HEAD, widths), "claim"]), DIM))]
    for row, each in zip(rows, page.beliefs, strict=True):
        claim = cut(f"{each.subject} · {each.predicate}", room)
        begin = GAP.join(map(pad, row[:3], widths))
        parts.append(line(begin, GAP, (pad(row[3], widths[3]), row[4]), GAP, claim))
    return lines([*parts, Text(), tail])


_HEAD: Final = ("P", "value", "open", "state")


def _row(each: Belief) -> tuple[str, str, str]:
    """Give probability, value and vacuity of a belief."""
    return f"{each.probability:.3f}" if each.values else "", cut(named(each.value), _VALUE), f"{each.vacuity:.0%}"


def _state(each: Belief) -> tuple[str, str]:
    """Say what is special about a belief, with its style."""
    if each.resolved is not None:
        true = turned_out(each)
        right = true is not None and (each.multi_valued or true is each.values[0])
        return ("turned out so", GOOD) if right else (f"turned out {cut(named(each.resolved), _VALUE)}", BAD)
    said = [word for word, holds in (("contradicted", each.contradicted), ("stale", each.stale)) if holds]
    return ", ".join(said), BAD if said else ""


def learned(found: Learned, where: str = "") -> Text:
    """Give what became of an observation: what moved, what was noted, what was left out.

    Args:
        found: it.
        where: what the next commands need to be about the same workspace.
    """
    parts = [moved(each) for each in found.moved]
    if found.intents:
        noted = f"{plural(len(found.intents), 'intent')}: never evidence; `stanchion intents{where}` lists them"
        parts.append(line(("noted", GOOD), GAP, noted))
    if not parts:
        before = found.answer.repeated_command
        parts.append(line(("nothing moved", DIM), GAP, "it had come before" if before else _UNMOVED))
    review = f": stanchion review{where}"
    parts += [line(("waits", BAD), f"{GAP}proposal {one_line(each)}{review}") for each in found.answer.proposals]
    parts += [line(("left out", BAD), GAP, one_line(each)) for each in found.left_out]
    return lines(parts)


_UNMOVED: Final = "what it states changes no belief; what is asked, supposed or not understood counts for nothing"


def moved(each: MovedBelief) -> Text:
    """Give how one belief moved."""
    before = f"{named(each.value_before)} {each.probability_before:.3f}" if each.value_before else "nothing"
    after = f"{named(each.value)} {each.probability:.3f}" if each.value else "nothing"
    claim = f"{one_line(each.subject)} · {one_line(each.predicate)}"
    return line(("moved", GOOD), f"{GAP}{claim}{GAP}{before} → {after}", (f"{GAP}{each.vacuity:.0%} open", DIM))


def findings(found: Sequence[Finding], width: int) -> Text:
    """Give findings, one a line, latest first."""
    if not found:
        return line(("nothing is found: once an hour all beliefs are looked over", DIM))
    rows = [
        (each.kind.replace("_", " "), when(each.found_at), " · ".join(filter(None, (each.subject, each.predicate))))
        for each in found
    ]
    rows = [(kind, time, cut(claim, _VALUE * 2)) for kind, time, claim in rows]
    widths = columns([_FINDING, *rows])
    room = max(width - sum(widths) - len(GAP) * len(widths), _TEXT)
    parts = [line((GAP.join([*map(pad, _FINDING, widths), "why"]), DIM))]
    for row, each in zip(rows, found, strict=True):
        goes = "; ".join(f"{other.subject} · {other.predicate}" for other in each.related)
        why = f"{each.detail} ({goes})" if goes and goes not in each.detail else each.detail
        parts.append(
            line((pad(row[0], widths[0]), _KINDS.get(each.kind, "")), GAP, *_rest(row, widths), cut(why, room))
        )
    return lines(parts)


def _rest(row: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    """Give the cells of a row after its first."""
    return (f"{pad(cell, width)}{GAP}" for cell, width in zip(row[1:], widths[1:], strict=True))


_FINDING: Final = ("what", "found (UTC)", "claim")
_KINDS: Final = {"contradiction": BAD, "stale": BAD}


def intents(found: Sequence[Intent], width: int) -> Text:
    """Give intents, one a line."""
    if not found:
        return line(("nobody has said what they want", DIM))
    rows = [(each.kind, one_line(each.holder), each.last_said_on or when(each.noted_at)[:10]) for each in found]
    said = [f"{each.gist}{' (dropped)' if each.status == 'dropped' else ''}" for each in found]
    widths = columns([_INTENT[:-1], *rows])
    ids = max(len(each.id) for each in found)
    room = max(width - ids - sum(widths) - len(GAP) * (len(widths) + 1), _TEXT)
    told = [(*row, cut(words, room)) for row, words in zip(rows, said, strict=True)]
    widths = columns([_INTENT, *told])
    parts = [line((GAP.join([*map(pad, _INTENT, widths), "id"]), DIM))]
    parts += [line(GAP.join([*map(pad, row, widths), each.id])) for row, each in zip(told, found, strict=True)]
    return lines(parts)


_INTENT: Final = ("kind", "of", "last said", "in their words")


def trust(found: Sequence[Trust]) -> Text:
    """Give how far sources and agents are trusted, one a line."""
    if not found:
        return line(("nobody's trust is set or known: each has the default, 0.7", DIM))
    rows = [(f"{each.value:.3f}", one_line(each.name), basis(each), *_beside(each)) for each in found]
    widths = columns([_TRUST, *rows])
    parts = [line((GAP.join(map(pad, _TRUST, widths)), DIM))]
    return lines([*parts, *(line(GAP.join(map(pad, row, widths))) for row in rows)])


_TRUST: Final = ("trust", "name", "why", "right", "agrees")


def _beside(each: Trust) -> tuple[str, str]:
    """Give what is known of a name whether or not its trust rests on it."""
    return (
        f"{each.hits} of {each.judged}" if each.judged else "",
        "" if each.consensus is None else f"{each.consensus:.3f}",
    )


def policies(found: Sequence[BeliefPolicy]) -> Text:
    """Give policies, one a line."""
    if not found:
        unset = "evidence has a half-life of 90 days unless the process is told otherwise, one value of a claim is true"
        return line((f"nothing is set: {unset}, and numbers that differ are two", DIM))
    rows = [_policy(each) for each in found]
    widths = columns([_POLICY, *rows])
    parts = [line((GAP.join(map(pad, _POLICY, widths)), DIM))]
    return lines([*parts, *(line(GAP.join(map(pad, row, widths))) for row in rows)])


_POLICY: Final = ("predicate", "half-life", "values", "tolerance", "consensus")


def _policy(each: BeliefPolicy) -> tuple[str, ...]:
    """Give one policy as a row."""
    return (
        one_line(each.predicate) or "(all)",
        each.half_life or "as above",
        "several may be true" if each.multi_valued else "one",
        f"{each.tolerance:.2%}" if each.tolerance else "",
        "on" if each.consensus else "",
    )
