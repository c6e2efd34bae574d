"""Values compare after unit conversion: one exact base a dimension, everything else by its text.

The factors are exact by definition (SI brochure, 9th edition; IEC 80000-13; the international yard and pound of 1959),
so two ways of writing one quantity give one key, bit for bit. A month has no exact length in seconds: months and years
have a base of their own.
"""

import functools
import re
import unicodedata
from fractions import Fraction
from typing import Final, Protocol

NUMERIC: Final = frozenset({"number", "percent", "duration", "money", "range"})
"""The value types whose text is a number (of a range: two)."""


class ValueLike(Protocol):
    """What this module reads of a value (`stanchion_contracts.value.Value` is one)."""

    @property
    def type(self) -> str:
        """Give what kind of value it is."""

    @property
    def text(self) -> str:
        """Give its text."""

    @property
    def unit(self) -> str:
        """Give its unit, empty where there is none."""

    @property
    def op(self) -> str:
        """Give `~`, `<`, `<=`, `>`, `>=`, or empty for exactly."""


ValueKey = str
"""Family, canonical text, base unit and op in one text: equal exactly when two values are the same."""

_MOST_CHARS: Final = 80  # of a value in a sentence
_PARTED: Final = "\x1f"
_BOOLEAN: Final = "boolean" + _PARTED

_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,60}(?:\.\d{0,60})?|\.\d{1,60})(?:[eE][-+]?\d{1,2})?", re.ASCII)
_EXACT: Final = re.compile(r"-?\d+(?:/\d+)?", re.ASCII)  # what `str` makes of a fraction
_BIT, _BYTE = Fraction(1), Fraction(8)
_SI: Final = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_IEC: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50}


def _data() -> dict[str, tuple[str, Fraction]]:
    """Give the data sizes: bits and bytes with decimal and binary prefixes."""
    units = {
        "bit": ("bit", _BIT),
        "B": ("bit", _BYTE),
        "byte": ("bit", _BYTE),
        "bytes": ("bit", _BYTE),
        "bits": ("bit", _BIT),
    }
    for prefix, power in _SI.items():
        units[f"{prefix}bit"] = ("bit", _BIT * 10**power)
        units[f"{prefix}B"] = ("bit", _BYTE * 10**power)
    for prefix, power in _IEC.items():
        units[f"{prefix}bit"] = ("bit", _BIT * 2**power)
        units[f"{prefix}B"] = ("bit", _BYTE * 2**power)
    units["KB"] = units["kB"]  # nobody means kelvin bytes
    return units


def _named(base: str, factors: dict[str, str]) -> dict[str, tuple[str, Fraction]]:
    """Give one dimension: each line is a factor and the names that have it."""
    return {name: (base, Fraction(factor)) for factor, names in factors.items() for name in names.split()}


_TIME: Final = {
    "1/1000000000": "ns nanosecond nanoseconds",
    "1/1000000": "us μs microsecond microseconds",
    "1/1000": "ms millisecond milliseconds",
    "1": "s sec secs second seconds",
    "60": "min mins minute minutes",
    "3600": "h hr hrs hour hours",
    "86400": "d day days",
    "604800": "w wk week weeks",
}
_LENGTH: Final = {
    "1/1000000000": "nm nanometre nanometres nanometer nanometers",
    "1/1000000": "um μm micrometre micrometres micrometer micrometers",
    "1/1000": "mm millimetre millimetres millimeter millimeters",
    "1/100": "cm centimetre centimetres centimeter centimeters",
    "1": "m metre metres meter meters",
    "1000": "km kilometre kilometres kilometer kilometers",
    "0.0254": "in inch inches",
    "0.3048": "ft foot feet",
    "0.9144": "yd yard yards",
    "1609.344": "mi mile miles",
}
_MASS: Final = {
    "1/1000000": "mg milligram milligrams",
    "1/1000": "g gram grams",
    "1": "kg kilogram kilograms",
    "1000": "t tonne tonnes",
    "0.028349523125": "oz ounce ounces",
    "0.45359237": "lb lbs pound pounds",
}
_UNITS: Final[dict[str, tuple[str, Fraction]]] = {
    **_data(),
    **_named("s", _TIME),
    **_named("month", {"1": "mo month months", "3": "quarter quarters", "12": "y yr yrs year years"}),
    **_named("m", _LENGTH),
    **_named("kg", _MASS),
    **_named("Hz", {"1": "Hz hertz", "1000": "kHz", "1000000": "MHz", "1000000000": "GHz"}),
    **_named("", {"1/100": "% percent pct", "1/1000": "‰ permille", "1/10000": "bp bps"}),
}


def number(text: str) -> Fraction | None:
    """Read a plain decimal number exactly; None when the text is not one (or out of all proportion).

    Args:
        text: at most 60 digits each side of the point, exponent at most 99.
    """
    return Fraction(text) if is_number(text) else None


def is_number(text: str) -> bool:
    """Tell whether `number` reads a text."""
    return _NUMBER.fullmatch(text) is not None


def unit_of(type_: str, unit: str) -> tuple[str, Fraction]:
    """Give the base unit of a unit and the exact factor to it; an unknown unit is its own base.

    Args:
        type_: the value's type; money has currencies, never units, and a percent without a unit is one of `%`.
        unit: as written.
    """
    if type_ == "money":
        return unit.upper(), Fraction(1)
    if not unit:
        return ("", Fraction(1, 100)) if type_ == "percent" else ("", Fraction(1))
    plain = unicodedata.normalize("NFKC", unit)  # the micro sign is a Greek mu
    return _UNITS.get(plain) or _UNITS.get(plain.casefold()) or (unit, Fraction(1))


@functools.lru_cache(maxsize=65_536)
def _key(type_: str, text: str, unit: str, op: str) -> ValueKey:
    """Give the key of a value's four parts."""
    return _PARTED.join(_key_parts(type_, text, unit, op))


def _key_parts(type_: str, text: str, unit: str, op: str) -> tuple[str, str, str, str]:
    """Give family, canonical text, base unit and op."""
    if type_ == "boolean":
        return "boolean", text.casefold(), "", op
    if type_ not in NUMERIC:
        return type_, text, unit, op
    bounds = [number(part.strip()) for part in (text.split("..") if type_ == "range" else [text])]
    if any(bound is None for bound in bounds):
        return type_, text, unit, op
    base, factor = unit_of(type_, unit)
    canonical = "..".join(str(bound * factor) for bound in bounds if bound is not None)
    return {"money": "money", "range": "range"}.get(type_, "number"), canonical, base, op


def value_key(value: ValueLike) -> ValueKey:
    """Give what two values share exactly when they are the same value: `90 min` and `1.5 h`, `5 %` and `0.05`."""
    return _key(value.type, value.text, value.unit, value.op)


TRUE: Final[ValueKey] = _PARTED.join(("boolean", "true", "", ""))
FALSE: Final[ValueKey] = _PARTED.join(("boolean", "false", "", ""))


def is_boolean(key: ValueKey) -> bool:
    """Tell whether a key is a boolean's."""
    return key.startswith(_BOOLEAN)


@functools.lru_cache(maxsize=65_536)
def measure(key: ValueKey) -> tuple[str, Fraction] | None:
    """Give dimension and exact size of a number; numbers of one dimension compare by size. None for what is no number.

    A bound or an estimate (`<`, `~`) is of another dimension than the number itself.
    """
    family, text, base, op = key.split(_PARTED, 3) if key.count(_PARTED) == 3 else ("", "", "", "")  # noqa: PLR2004 - four parts
    if family not in {"number", "money"} or _EXACT.fullmatch(text) is None:
        return None
    return _PARTED.join((family, base, op)), Fraction(text)


def in_words(value: ValueLike) -> str:
    """Give a value as a sentence says it, a long one cut."""
    text = value.text if len(value.text) <= _MOST_CHARS else f"{value.text[: _MOST_CHARS - 1]}…"
    sign = "%" if value.type == "percent" else ""
    return f"{value.op}{text}{sign} {value.unit}".rstrip()
