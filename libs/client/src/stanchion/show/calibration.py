"""How calibration looks: a table of who was how right, and a reliability diagram as text."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from stanchion.believed import Bin, Calibration, Calibrations
from stanchion.show.text import DIM, GAP, STRONG, columns, line, lines, one_line, pad, plural

_BAR: Final = 40  # cells from 0 to 1
_BIN: Final = 10  # cells of what a bin is called
_BY: Final = {"all": "all beliefs", "source": "source", "agent": "agent", "evidence": "evidence"}


def render(told: Calibrations, workspace: str) -> Text:
    """Give calibration as text: the diagram of all, then everybody's numbers."""
    facts = f"{plural(told.resolved, 'claim')} resolved · workspace {workspace} · as of seq {told.as_of_seq}"
    if not told.calibrations or not told.resolved:
        return lines([
            line((facts, DIM)),
            line("stanchion resolve SUBJECT PREDICATE VALUE says what turned out to be true"),
        ])
    whole = next((each for each in told.calibrations if each.by == "all"), None)
    diagram = [*_diagram(whole.bins), Text()] if whole is not None else []
    return lines([*diagram, *_table(told.calibrations), Text(), line((facts, DIM))])


def _diagram(bins: Sequence[Bin]) -> list[Text]:
    """Give a reliability diagram: how often what was stated with a confidence was right, beside that confidence."""
    parts = [line(("confidence", DIM), GAP, (pad("how often it was right; ┃ is how often it should be", _BAR), DIM))]
    for each in bins:
        begin = f"{each.begin:.1f} to {each.end:.1f}"
        if not each.count:
            parts.append(line((pad(begin, _BIN), DIM)))
            continue
        cells = ["█"] * round(each.hits * _BAR) + [" "] * (_BAR - round(each.hits * _BAR))
        cells[min(round(each.confidence * _BAR), _BAR - 1)] = "┃"
        said = f"{each.hits:.0%} of {each.count}, stated {each.confidence:.0%}"
        parts.append(line(pad(begin, _BIN), GAP, ("".join(cells), "cyan"), GAP, (said, DIM)))
    return parts


def _table(found: Sequence[Calibration]) -> list[Text]:
    """Give everybody's numbers, one a line."""
    rows = [
        (
            _BY[each.by],
            one_line(each.name),
            str(each.count),
            f"{each.hits / each.count:.0%}" if each.count else "",
            f"{each.brier:.3f}",
            f"{each.error:.3f}",
        )
        for each in found
    ]
    widths = columns([_HEAD, *rows])
    parts = [line((GAP.join(map(pad, _HEAD, widths)), DIM))]
    for row, each in zip(rows, found, strict=True):
        parts.append(line((GAP.join(map(pad, row, widths)), STRONG if each.by == "all" else "")))
    return parts


_HEAD: Final = ("by", "name", "judged", "right", "Brier", "error")
