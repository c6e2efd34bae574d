"""A reliability diagram, drawn: how often what was stated with a confidence was right.

Drawing needs matplotlib, which the client otherwise does without: `pip install 'stanchion[plot]'`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from stanchion.believed import Bin, Calibration

_INCHES: Final = (6.0, 7.0)
_DOTS: Final = 150  # an inch
_EDGE: Final = 0.02  # of an axis, so that what is always or never right is seen
_MOST: Final = 6  # lines of sources that stay readable
_ALL: Final = "0.85"  # grey behind, so that no source's line has its colour


class CannotDraw(Exception):
    """There is nothing to draw with."""


def draw(found: Sequence[Calibration], path: Path, title: str) -> None:
    """Draw a reliability diagram as a PNG file.

    Args:
        found: as `Client.calibration` gives it: that of all is drawn as bars, the sources judged most as lines.
        path: where; what is there is overwritten.
        title: above it.

    Raises:
        CannotDraw: matplotlib is not there.
        OSError: the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as error:
        raise CannotDraw("drawing needs matplotlib: pip install 'stanchion[plot]'") from error
    figure = Figure(figsize=_INCHES, dpi=_DOTS, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    upper.plot([0, 1], [0, 1], color="0.5", linestyle="--", linewidth=1, label="as it should be")
    for each in found:
        filled = [one for one in each.bins if one.count]
        if each.by == "all":
            centres = [(one.begin + one.end) / 2 for one in filled]
            label = f"all beliefs: {each.count} judged, error {each.error:.3f}, Brier {each.brier:.3f}"
            upper.bar(centres, _hits(filled), width=0.09, color=_ALL, label=label)
            lower.bar(centres, [one.count for one in filled], width=0.09, color=_ALL)
    for each in [each for each in found if each.by == "source"][:_MOST]:
        filled = [one for one in each.bins if one.count]
        stated = [one.confidence for one in filled]
        upper.plot(stated, _hits(filled), marker="o", linewidth=1, markersize=4, label=_named(each))
    upper.set(xlim=(0, 1), ylim=(-_EDGE, 1 + _EDGE), ylabel="how often it was right", title=_plain(title))
    figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    lower.set(xlabel="confidence that was stated", ylabel="claims")
    lower.yaxis.get_major_locator().set_params(integer=True)
    figure.savefig(path, format="png")


def _hits(bins: Sequence[Bin]) -> list[float]:
    """Give how often each bin was right."""
    return [each.hits for each in bins]


def _named(each: Calibration) -> str:
    """Give the label of a source's line."""
    return _plain(f"{each.name[:40]} ({each.count})")


def _plain(text: str) -> str:
    """Give a text in which matplotlib sees no formula, and that has what a font can show."""
    return "".join(char for char in text if char.isprintable()).replace("$", r"\$")
