"""How one belief looks: its values, how sure they are, and why: every voice with what its weight is made of."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from rich.text import Text

from stanchion.believed import Belief, Contribution, Trust, ValueState
from stanchion.show.text import BAD, DIM, GAP, GOOD, STRONG, columns, line, lines, one_line, pad, plural, when
from stanchion.show.value import named
from stanchion_core.condition import Condition, satisfies
from stanchion_core.voice import BASE_WEIGHT

_BAR: Final = 24  # cells of a bar that stands for certainty
_STANDS: Final = 0.25  # conflict or doubt from which a number is worth a colour
_NAME: Final = 15  # cells of the name of a fact
_DAY_S: Final = 86_400
_FEW: Final = 3  # values that are named beside


def render(belief: Belief) -> Text:
    """Give a belief as text."""
    title = f"{one_line(belief.subject)} · {one_line(belief.predicate)}"
    parts = [line((title, STRONG)), line((" · ".join(_facts(belief)), DIM)), Text(), *_values(belief), Text()]
    if belief.resolved is not None:
        parts.append(line((pad("turned out", _NAME), DIM), (named(belief.resolved), GOOD)))
    parts.append(_fact("vacuity", f"{belief.vacuity:.3f}", "how much no evidence backs"))
    conflict = BAD if belief.contradicted or belief.dissonance >= _STANDS else ""
    parts.append(_fact("dissonance", f"{belief.dissonance:.3f}", "how much is in conflict", conflict))
    if belief.contradicted:
        parts.append(
            line((pad("contradicted", _NAME), BAD), "its values contradict each other: find out, then resolve")
        )
    if belief.stale:
        parts.append(line((pad("stale", _NAME), BAD), "its evidence is old: look again"))
    return lines([*parts, *_voices(belief), *_trust(belief)])


def outcome(belief: Belief) -> Text:
    """Say how a belief held what it was resolved to; that nobody had said so may be a slip."""
    if belief.resolved is None:
        return line(("open", DIM), GAP, "nobody is judged by it any more")
    told = named(belief.resolved)
    if (true := turned_out(belief)) is not None:
        return line(("turned out", GOOD), f"{GAP}{told}", (f"{GAP}held at P {true.probability:.3f}", DIM))
    others = ", ".join(named(each.value) for each in belief.values[:_FEW])
    beside = f"which nobody had said; there is {others}" if others else "of which nobody had said anything"
    return line(("turned out", GOOD), f"{GAP}{told}", (f"{GAP}{beside}", BAD))


def turned_out(belief: Belief) -> ValueState | None:
    """Give the likeliest value that is what a belief was resolved to, as the line judges it; None where none is."""
    if belief.resolved is None:
        return None
    true = Condition(op="equals", value=belief.resolved)
    return next((each for each in belief.values if satisfies(each.value, true, tolerance=belief.tolerance)), None)


def basis(trust: Trust) -> str:
    """Say what trust rests on."""
    if trust.basis == "outcomes":
        return f"right {trust.hits} of {trust.judged} times"
    return {
        "setting": "a person set it",
        "consensus": "as it agrees with others",
        "default": "nobody said, and nothing is known",
    }[trust.basis]


def _facts(belief: Belief) -> list[str]:
    """Give what a belief is worked out from."""
    ages = f"half-life {belief.half_life_days:g} days" if belief.half_life_days else "no decay"
    facts = [f"workspace {belief.workspace}", f"seq {belief.seq}", ages]
    if belief.multi_valued:
        facts.append("several values may be true")
    if belief.tolerance:
        facts.append(f"numbers within {belief.tolerance:.2%} are one")
    return facts


def _fact(name: str, number: str, says: str, style: str = "") -> Text:
    """Give one number with what it says."""
    return line((pad(name, _NAME), DIM), (number, style), (f"{GAP}{says}", DIM))


def _values(belief: Belief) -> list[Text]:
    """Give its values, likeliest first, each with a bar and its evidence."""
    names = [named(each.value) for each in belief.values]
    widest = max(map(len, names), default=0)
    parts = []
    for name, state in zip(names, belief.values, strict=True):
        bar = pad("█" * round(state.probability * _BAR), _BAR)
        mass = (f"{GAP}{_mass(state)}" if state.evidence or state.against else "", DIM)
        parts.append(line(GAP, pad(name, widest), GAP, f"{state.probability:.3f}", GAP, (bar, "cyan"), mass))
    if (more := belief.values_total - len(belief.values)) > 0:
        parts.append(line((f"{GAP}and {plural(more, 'other value')}", DIM)))
    return parts or [line((f"{GAP}nobody has named a value", DIM))]


def _mass(state: ValueState) -> str:
    """Give the evidence of a value, and that against it where it has a state of its own."""
    return f"evidence {state.evidence:.3f}" + (f", against {state.against:.3f}" if state.against else "")


def _voices(belief: Belief) -> list[Text]:
    """Give who said what, the weightiest first, and what each weight is made of; idle columns are left out."""
    if not belief.contributions:
        return []
    trust = {each.name: each for each in belief.trust}
    ordered = sorted(belief.contributions, key=lambda each: (each.displaced, -each.weight, each.id))
    rows = [_voice(each, trust, belief.half_life_days, belief.as_of) for each in ordered]
    told = [at for at, name in enumerate(_HEAD) if name not in _SILENT or any(row[at] != _SILENT[name] for row in rows)]
    table = [tuple(row[at] for at in told) for row in (_HEAD, *rows)]
    widths = columns(table)
    parts = [Text(), line((GAP.join(map(pad, table[0], widths)), DIM))]
    for row, each in zip(table[1:], ordered, strict=True):
        parts.append(line((GAP.join(map(pad, row, widths)), DIM if each.displaced else "")))
    if (more := belief.contributions_total - len(ordered)) > 0:
        parts.append(line((f"and {plural(more, 'older voice')}", DIM)))
    return [*parts, Text(), line((_FORMULA, DIM))]


_HEAD: Final = (
    "weight",
    "says",
    "evidence",
    "base",
    "· agent",
    "· source",
    "· strength",
    "· age",
    "source",
    "agent",
    "sample",
    "observed",
    "found by",
)
_SILENT: Final = {"· agent": "", "· source": "", "· strength": "1", "· age": "1", "sample": "", "found by": ""}
"""What a column says when it says nothing; one in which all rows do is left out."""

_FORMULA: Final = (
    "weight = base · trust of agent and source · strength · age; P = (evidence + 2 · base rate) / (all + 2)"
)


def _voice(
    each: Contribution, trust: Mapping[str, Trust], half_life_days: float, as_of: datetime | None
) -> tuple[str, ...]:
    """Give one voice as a row."""
    says = f"not {named(each.value)}" if each.denial else named(each.value)
    apart = each.source not in {"", each.agent}
    place = f" at {each.begin} to {each.end}" if each.rule and each.end else ""
    return (
        "displaced" if each.displaced else f"{each.weight:.3f}",
        says,
        each.evidence,
        f"{BASE_WEIGHT[each.evidence]:g}" if each.evidence in BASE_WEIGHT else "",
        _trusted(trust.get(each.agent)),
        _trusted(trust.get(each.source)) if apart else "",
        f"{each.strength:g}",
        _aged(each.observed_at, as_of, half_life_days),
        one_line(each.source),
        one_line(each.agent),
        one_line(each.sample),
        when(each.observed_at),
        f"{one_line(each.rule)}{place}",
    )


def _trusted(trust: Trust | None) -> str:
    """Give how far somebody is trusted, as a factor."""
    return f"{trust.value:.2f}" if trust is not None else ""


def _aged(observed_at: datetime | None, as_of: datetime | None, half_life_days: float) -> str:
    """Give what is left of a weight at its age, as a factor."""
    if not half_life_days or observed_at is None or as_of is None:
        return "1"
    age_s = max((as_of.astimezone(UTC) - observed_at.astimezone(UTC)).total_seconds(), 0.0)
    left = 2.0 ** (-age_s / (half_life_days * _DAY_S))
    return f"{left:.3f}".rstrip("0").rstrip(".")


def _trust(belief: Belief) -> list[Text]:
    """Give how far those who speak are trusted, and why."""
    rows = [(f"{each.value:.3f}", one_line(each.name), basis(each)) for each in belief.trust]
    widths = columns(rows)
    parts = [line((GAP.join(map(pad, row[:2], widths)), ""), GAP, (row[2], DIM)) for row in rows]
    return [Text(), line(("trust", DIM)), *parts] if parts else []
