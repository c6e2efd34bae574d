"""How a local run looks: its processes, what waits, how far it has come."""

from typing import Any, Final

from rich.text import Text

from stanchion.show.text import BAD, DIM, GAP, GOOD, STRONG, columns, line, lines, pad

_HEAD: Final = ("process", "state", "pid", "restarts", "lag", "inputs", "dead letters", "memory")
_NUMBERS: Final = 2  # the columns from here on are numbers
_WELL: Final = "ready"
_MIB: Final = 1024 * 1024


def render(status: Any) -> Text:  # noqa: ANN401 - stanchion_local.status.Status, which this package must not import
    """Give a run as text."""
    if not status.up:
        left = ", ".join(status.left_behind)
        parts = [line(("nothing runs", STRONG), f" on {status.home}")]
        parts += [line((f"an earlier run has left {left}", BAD), ": `stanchion down` ends it")] if left else []
        return lines([*parts, line(("Next: ", DIM), "stanchion up")])
    rows = [_row(process) for process in status.processes]
    widths = columns([_HEAD, *rows])
    head = f"{status.ready} of {len(status.processes)} processes ready"
    parts = [
        line(
            (head, STRONG if status.ready == len(status.processes) else BAD),
            (f"  {status.home} · {status.bootstrap}", DIM),
        ),
        Text(),
        line((_cells(_HEAD, widths), DIM)),
    ]
    for row, process in zip(rows, status.processes, strict=True):
        text = line(_cells(row, widths))
        begin = widths[0] + len(GAP)
        text.stylize(GOOD if process.state == _WELL else BAD, begin, begin + len(row[1]))
        parts.append(text)
    seqs = [f"{workspace} seq {seq}" for workspace, seq in sorted(status.seqs.items())]
    if status.dead_letters:
        kept = f"{status.dead_letters:,} kept: `stanchion dead-letters` shows them"
        parts += [Text(), line(("dead letters  ", DIM), (kept, BAD))]
    return lines([*parts, *([Text(), line(("workspaces  ", DIM), " · ".join(seqs))] if seqs else [])])


def _row(process: Any) -> tuple[str, ...]:  # noqa: ANN401 - as above
    """Give one process as a row."""
    numbers = (process.pid, process.restarts, process.lag, process.inputs, process.dead_letters)
    memory = f"{process.memory_bytes // _MIB} MiB" if process.memory_bytes else ""
    return (
        process.name,
        process.state,
        *(f"{number:,}" if index else str(number or "") for index, number in enumerate(numbers)),
        memory,
    )


def _cells(row: tuple[str, ...], widths: list[int]) -> str:
    """Give a row: words to the left, numbers to the right."""
    words = [pad(cell, width) for cell, width in zip(row[:_NUMBERS], widths, strict=False)]
    numbers = [cell.rjust(width) for cell, width in zip(row[_NUMBERS:], widths[_NUMBERS:], strict=True)]
    return GAP.join([*words, *numbers])
