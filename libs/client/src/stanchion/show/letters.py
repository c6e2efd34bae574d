"""How dead letters look: as a list, and one of them whole, made safe for a terminal."""

from datetime import UTC, datetime
from typing import Any, Final

from rich.text import Text

from stanchion.show.text import BAD, DIM, GAP, STRONG, columns, cut, line, lines, one_line, pad, plural, safe, when

_HEAD: Final = ("refused (UTC)", "stage", "code", "message")
_DETAIL: Final = 24  # cells that a detail needs in a table
_NAME: Final = 15
_TEXT: Final = 64 * 1024  # characters of a text that are printed
_BYTES: Final = 512  # of what is no text
_ROW: Final = 16


def render(found: Any, width: int) -> Text:  # noqa: ANN401 - stanchion_local.deadletters.Letters, of another package
    """Give dead letters, one a line, newest first."""
    if not found.letters:
        return line(("no dead letters", DIM))
    rows = [(_time(each), one_line(each.stage), one_line(each.code), one_line(each.cause)) for each in found.letters]
    widths = columns([_HEAD, *rows])
    room = width - sum(widths) - len(GAP) * len(widths)
    parts = [] if room < _DETAIL else [line((GAP.join([*map(pad, _HEAD, widths), "why"]), DIM))]
    for row, each in zip(rows, found.letters, strict=True):
        if room < _DETAIL:
            parts += [line(cut(GAP.join(row), width)), line(GAP, cut(each.detail, width - len(GAP)))]
        else:
            parts.append(line(GAP.join(map(pad, row, widths)), GAP, cut(each.detail, room)))
    told = f"{len(found.letters)} of {plural(found.total, 'dead letter')}, newest first"
    first = f"stanchion dead-letters --show {one_line(found.letters[0].cause)}"
    return lines([*parts, Text(), line((told, DIM)), line(("Next: ", DIM), first)])


def whole(letter: Any) -> Text:  # noqa: ANN401 - stanchion_contracts.deadletter.DeadLetter
    """Give one dead letter: why, its headers, and the message as it came."""
    parts = [
        line((one_line(letter.cause), STRONG), GAP, (one_line(letter.code), BAD)),
        line(one_line(letter.detail)),
        Text(),
        line((pad("refused", _NAME), DIM), f"{_time(letter)} by {one_line(letter.stage) or 'nobody known'}"),
    ]
    if letter.workspace:
        parts.append(line((pad("workspace", _NAME), DIM), one_line(letter.workspace)))
    for index, each in enumerate(letter.headers):
        said = _text(each.value)
        value = each.value[:_BYTES].hex(" ") if said is None else one_line(said[:_BYTES])
        parts.append(line((pad("headers" * (index == 0), _NAME), DIM), f"{one_line(each.name)}: {value}"))
    parts += [line((pad("message", _NAME), DIM), plural(len(letter.raw), "byte")), Text(), *_raw(letter.raw)]
    return lines(parts)


def _raw(raw: bytes) -> list[Text]:
    """Give a message as text where it is one, else its first bytes; `--json` has all of it."""
    said = _text(raw)
    if said is not None:
        parts = [Text(each) for each in safe(said[:_TEXT]).split("\n")]
        rest = len(said) - _TEXT
        return parts + ([line((f"and {plural(rest, 'character')} more: --json has them", DIM))] if rest > 0 else [])
    parts = [_bytes(raw, at) for at in range(0, min(len(raw), _BYTES), _ROW)]
    rest = len(raw) - _BYTES
    return parts + ([line((f"and {plural(rest, 'byte')} more: --json has them in base64", DIM))] if rest > 0 else [])


def _bytes(raw: bytes, at: int) -> Text:
    """Give one row of bytes: where, in hexadecimal, and what is ASCII of it."""
    row = raw[at : at + _ROW]
    plain = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in row)  # noqa: PLR2004 - printable ASCII
    return line((f"{at:08x}", DIM), GAP, pad(row.hex(" "), 3 * _ROW - 1), GAP, plain)


def _text(raw: bytes) -> str | None:
    """Give bytes as text; None when they are none."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def _time(letter: Any) -> str:  # noqa: ANN401 - as above
    """Give when it was refused."""
    return when(datetime.fromtimestamp(letter.time_us / 1_000_000, UTC))
