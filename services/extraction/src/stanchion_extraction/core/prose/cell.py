"""One written value on its own: of a table's cell, a key, a field of JSON."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from typing import Final

from stanchion_contracts.value import Value
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.core.prose.quantity import Mention, mentions_in
from stanchion_extraction.core.prose.unit import per_after
from stanchion_extraction.core.prose.word import lowered
from stanchion_extraction.core.typed import checked

_TRUE: Final = frozenset({"true", "yes", "enabled", "on", "✓", "✔", "✅"})
_FALSE: Final = frozenset({"false", "no", "disabled", "off", "✗", "✘", "❌"})
_EMPTY: Final = frozenset({
    "",
    "-",
    "–",
    "—",
    "n/a",
    "na",
    "null",
    "none",
    "nil",
    "tbd",
    "?",
    "...",
    "…",
    "unknown",
    "todo",
    "tbc",
    "<none>",
    "<unset>",
})
_MINUTES: Final = re.compile(r"(\d{1,5})m", re.ASCII)
_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([GT])", re.ASCII)
"""As tools print sizes; a `K` or an `M` alone may be thousands and millions of anything."""
_NAME: Final = re.compile(r"[\w./:@+#-]{1,60}")
AFTER: Final = re.compile(
    r"[\s.,;!]*(?:\((?P<aside>[^()?]{0,80})\))?(?: (?P<noun>[a-z][a-z-]{1,24}(?: [a-z][a-z-]{1,24})?))?[\s.,;!]*"
)
_DOUBT: Final = re.compile(
    r"(?<![\w])(?:please|pls|plz|asap|instead|thanks|est|estimated?|tbc|tbd|unconfirmed|guess|target|"
    r"goal|forecast|planned|expected|"
    r"projected|assumed|plan|budget|approx|probably|maybe|likely|hopefully|proposed)(?!\w)|\?"
)


def quantity_of(written: str) -> tuple[Mention, str] | None:
    """Give the quantity that a text is, and the noun it counts; None where it is anything more."""
    low = lowered(written)
    if len(low) > 120:  # noqa: PLR2004 - a small bound
        return None
    mentions = mentions_in(low)
    if not mentions or low[: mentions[0].start].strip(" \t\"'`=") or (mentions[0].value is None and len(mentions) == 1):
        return None
    first = mentions[0]
    after = AFTER.fullmatch(low, per_after(low, first.end))
    if (
        after is None
        or _DOUBT.search(low)
        or (after["noun"] or "").split()[:1]
        in (
            ["more"],
            ["less"],
            ["over"],
            ["under"],
            ["to"],
            ["or"],
            ["and"],
            ["higher"],
            ["lower"],
            ["if"],
            ["per"],
            ["below"],
            ["above"],
            ["up"],
            ["down"],
            ["faster"],
            ["slower"],
            ["than"],
        )
    ):
        return None
    return first, after["noun"] or ""


def value_of(written: str, *, words: bool) -> Value | None:  # noqa: PLR0911 - one way out a form
    """Give the typed value of a cell, None where it holds none.

    Args:
        written: the cell.
        words: a name of its own, `Running`, is a value too.
    """
    plain = written.strip().strip("\"'`").strip()
    low = plain.lower()
    if low in _EMPTY:
        return None
    if words and (minutes := _MINUTES.fullmatch(low)):
        return Value(type="duration", text=str(int(minutes[1])), unit="min")
    if words and (size := _SIZE.fullmatch(plain)):
        return checked(Value(type="number", text=size[1], unit=f"{size[2]}B"))
    if low in _TRUE or low in _FALSE:
        return Value(type="boolean", text="true" if low in _TRUE else "false")
    found = quantity_of(plain)
    if found is not None and found[0].value is not None and found[0].kind != "period":
        return found[0].value
    if words and _NAME.fullmatch(plain) and any(char.isalnum() for char in plain) and not _is_number_like(plain):
        return Value(type="string", text=plain)
    return None


def _is_number_like(text: str) -> bool:
    """Tell whether a text is digits and marks that no number was read from."""
    return all(not char.isalpha() for char in text) and ":" not in text and "." not in text


_SUFFIXES: Final = {
    "seconds": "s",
    "second": "s",
    "secs": "s",
    "sec": "s",
    "ms": "ms",
    "millis": "ms",
    "milliseconds": "ms",
    "minutes": "min",
    "mins": "min",
    "hours": "h",
    "days": "day",
    "bytes": "byte",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
    "kb": "kB",
    "mib": "MiB",
    "gib": "GiB",
    "percent": "%",
    "pct": "%",
    "percentage": "%",
    "usd": "USD",
    "eur": "EUR",
    "gbp": "GBP",
    "celsius": "°C",
    "chf": "CHF",
    "kg": "kg",
    "kwh": "kWh",
    "km": "km",
    "c": "°C",
    "ppm": "ppm",
    "bar": "bar",
    "rpm": "rpm",
    "watts": "W",
    "kw": "kW",
    "volts": "V",
    "mm": "mm",
    "m2": "m²",
    "litres": "l",
    "liters": "l",
    "d": "day",
    "months": "month",
    "weeks": "week",
    "years": "year",
}
_TIMES: Final = frozenset({"s", "ms", "min", "h", "day", "week", "month", "year"})


_BRACKETED: Final = re.compile(r"\s*[(\[](?P<unit>[^\W\d][\w/²³°%]{0,7}|[$€£%°][\w]{0,3})[)\]]\s*$")
"""The unit of a column, as `Output (t)` and `Price [EUR]` have it."""


def with_unit(name: str, number: str) -> Value | None:
    """Give a plain number in the unit that its name ends with: `duration_seconds`, `lag_ms`, `price_usd`."""
    bracketed = _BRACKETED.search(name)
    if bracketed is not None:
        value = value_of(f"{number} {bracketed['unit']}", words=False)
        if value is not None and (value.unit or value.type != "number"):
            return value
    last = re.split(r"[_\s.:-]|(?<=[a-z])(?=[A-Z])", name.strip())[-1].lower()
    unit = _SUFFIXES.get(last, "") or ("s" if name.strip().lower().endswith("_s") else "")
    try:
        if unit == "%":
            return checked(Value(type="percent", text=number))
        if unit in {"USD", "EUR", "GBP", "CHF"}:
            return checked(Value(type="money", text=number, unit=unit))
        return checked(Value(type="duration" if unit in _TIMES else "number", text=number, unit=unit))
    except InvalidMessage:
        return None


def unit_word(name: str) -> str:
    """Give a name without the unit it ends with."""
    bracketed = _BRACKETED.search(name)
    if bracketed is not None and with_unit(name, "1") != checked(Value(type="number", text="1")):
        return name[: bracketed.start()].strip()
    parts = [part for part in re.split(r"[_\s]+", name.strip()) if part]
    unit = len(parts) > 1 and (parts[-1].lower() in _SUFFIXES or name.strip().lower().endswith("_s"))
    return " ".join(parts[:-1] if unit else parts)


PLAIN: Final = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?", re.ASCII)


def named_value(name: str, written: str, *, words: bool) -> Value | None:
    """Give a cell's value, a plain number in the unit of its column's name."""
    if PLAIN.fullmatch(written.strip()):
        return with_unit(name, written.strip())
    value = value_of(written, words=words)
    if value is not None and value.type == "number" and not value.unit and not value.op:
        return with_unit(name, value.text)
    return value
