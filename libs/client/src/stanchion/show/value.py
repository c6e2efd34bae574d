"""How a value looks."""

import re
from typing import Final

from stanchion.results import Value
from stanchion.show.text import one_line

_PLAIN: Final = re.compile(r"(-?)(\d{5,})(\.\d+)?", re.ASCII)  # a year, or a port, is no number to group
_GROUPED: Final = frozenset({"number", "money", "duration", "percent"})


def named(value: Value | None, nothing: str = "") -> str:
    """Give a value as a person reads it: `>= 5,000,000 EUR`, `34 %`.

    Args:
        value: any.
        nothing: what to say where there is none.
    """
    if value is None:
        return nothing
    text = value.text
    if value.type in _GROUPED and (found := _PLAIN.fullmatch(text)):
        text = f"{found[1]}{int(found[2]):,}{found[3] or ''}"
    unit = value.unit or ("%" if value.type == "percent" else "")
    return one_line(" ".join(part for part in (value.op, text, unit) if part))
