"""How `stanchion show --belief SUBJECT PREDICATE` looks."""

from typing import Final

from rich.text import Text

from stanchion.believed import Belief, Contribution
from stanchion.results import Value
from stanchion.show.text import BAD, DIM, GAP, STRONG, columns, line, lines, one_line, pad, when

_BAR: Final = 24  # cells of a bar that stands for certainty
_STANDS: Final = 0.25  # conflict or doubt from which a number is worth a colour


def render(belief: Belief) -> Text:
    """Give a belief as text."""
    title = f"{one_line(belief.subject)} · {one_line(belief.predicate)}"
    facts = [
        f"workspace {belief.workspace}",
        f"seq {belief.seq}",
        f"half-life {belief.half_life_days:g} days" if belief.half_life_days else "no decay",
    ]
    parts = [line((title, STRONG)), line((" · ".join(facts), DIM)), Text(), *_values(belief), Text()]
    parts.append(
        line(
            (pad("vacuity", 15), DIM),
            f"{belief.vacuity:.3f}",
            ("  how much no evidence backs", DIM),
        )
    )
    conflict = BAD if belief.dissonance >= _STANDS else ""
    parts.append(
        line((pad("dissonance", 15), DIM), (f"{belief.dissonance:.3f}", conflict), ("  how much is in conflict", DIM))
    )
    if belief.stale:
        parts.append(line((pad("stale", 15), BAD), "its evidence is old: look again"))
    return lines([*parts, *_voices(belief)])


def value(held: Value | None) -> str:
    """Give a value as a person reads it."""
    if held is None:
        return ""
    return one_line(" ".join(part for part in (held.op, held.text, held.unit) if part))


def _values(belief: Belief) -> list[Text]:
    """Give its values, likeliest first, each with a bar."""
    named = [value(each.value) for each in belief.values]
    widest = max(map(len, named), default=0)
    parts = []
    for name, state in zip(named, belief.values, strict=True):
        bar = "█" * round(state.probability * _BAR)
        parts.append(line(GAP, pad(name, widest), GAP, f"{state.probability:.3f}", GAP, (bar, "cyan")))
    return parts or [line((f"{GAP}nobody has named a value", DIM))]


def _voices(belief: Belief) -> list[Text]:
    """Give who said what, the weightiest first."""
    if not belief.contributions:
        return []
    ordered = sorted(belief.contributions, key=lambda each: (each.displaced, -each.weight, each.id))
    rows = [_voice(each) for each in ordered]
    widths = columns([_HEAD, *rows])
    parts = [Text(), line((GAP.join(map(pad, _HEAD, widths)), DIM))]
    for row, each in zip(rows, ordered, strict=True):
        parts.append(line((GAP.join(map(pad, row, widths)), DIM if each.displaced else "")))
    return parts


_HEAD: Final = ("weight", "says", "evidence", "source", "agent", "observed")


def _voice(each: Contribution) -> tuple[str, ...]:
    """Give one voice as a row."""
    says = f"not {value(each.value)}" if each.denial else value(each.value)
    weight = "displaced" if each.displaced else f"{each.weight:.3f}"
    return weight, says, each.evidence, one_line(each.source), one_line(each.agent), when(each.observed_at)
