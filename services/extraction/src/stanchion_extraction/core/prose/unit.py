"""Units, currencies and what they are called, and which of them follows a number."""

# ruff: noqa: RUF001 - the texts that are read have these marks

import re
from decimal import Decimal
from typing import Final, Literal

MentionKind = Literal["money", "percent", "duration", "number", "date", "time", "version", "period"]
_SYMBOLS: Final = {
    "us$": "USD",
    "a$": "AUD",
    "c$": "CAD",
    "nz$": "NZD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
}
CODES: Final = [
    "usd",
    "eur",
    "gbp",
    "chf",
    "jpy",
    "cad",
    "aud",
    "nzd",
    "sek",
    "nok",
    "dkk",
    "pln",
    "czk",
    "huf",
    "inr",
    "cny",
    "brl",
    "mxn",
    "zar",
    "sgd",
    "hkd",
    "krw",
    "try",
    "ils",
    "aed",
]
_NAMED: Final = {"dollars": "USD", "dollar": "USD", "bucks": "USD", "euros": "EUR", "euro": "EUR", "quid": "GBP"} | {
    code: code.upper() for code in CODES
}
_NAMES: Final = "|".join(sorted(_NAMED, key=len, reverse=True))
CURRENCY: Final = re.compile(rf" ?(?P<code>us\$|[$€£¥₹]|(?:{_NAMES})(?!\w))")
_PERCENT: Final = re.compile(r"[ -]?(?:%|(?:percent|per cent|pct|prozent)(?!\w))(?!\w)")
_UNITS: Final = {
    "ms": "ms millisecond milliseconds millis msec",
    "us": "us μs µs microsecond microseconds",
    "s": "s sec secs second seconds sekunden",
    "min": "min mins minute minutes minuten",
    "h": "h hr hrs hour hours stunde stunden",
    "day": "d day days tag tage tagen",
    "week": "w wk wks week weeks woche wochen",
    "month": "mo mos month months monat monate monaten",
    "quarter": "quarters",
    "year": "y yr yrs year years jahr jahre jahren",
    "kB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes gigs",
    "TB": "tb terabyte terabytes",
    "PB": "pb petabyte petabytes",
    "KiB": "kib ki",
    "MiB": "mib mi",
    "GiB": "gib gi",
    "TiB": "tib ti",
    "byte": "byte bytes",
    "kg": "kg kilogram kilograms kilos",
    "g": "g gram grams",
    "mg": "mg",
    "t": "t tonne tonnes tons",
    "mm": "mm millimetres millimeters",
    "cm": "cm",
    "m": "metre metres meter meters",
    "km": "km kilometres kilometers",
    "m²": "m² m2 sqm",
    "W": "watt watts",
    "kW": "kw",
    "MW": "megawatt megawatts",
    "kWh": "kwh",
    "MWh": "mwh",
    "°C": "°c celsius",
    "°F": "°f fahrenheit",
    "Hz": "hz hertz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "Mbps": "mbps mbit/s",
    "Gbps": "gbps gbit/s",
    "rps": "rps req/s",
    "qps": "qps",
    "x": "x ×",
    "pp": "pp percentage_points",
    "bps": "bps",
    "V": "volt volts",
    "A": "amps",
    "l": "l litre litres liter liters",
    "ml": "ml",
    "m³": "m³ m3 cubic_metres cubic_meters",
    "m³/s": "m³/s m3/s",
    "km²": "km² km2 sqkm",
    "ha": "ha hectare hectares",
    "acre": "acre acres",
    "ft²": "sqft sq_ft ft²",
    "ft": "ft foot feet",
    "in": "inch inches",
    "mi": "mile miles",
    "lb": "lb lbs",
    "oz": "oz ounce ounces",
    "bar": "bar",
    "mbar": "mbar",
    "psi": "psi",
    "kPa": "kpa",
    "hPa": "hpa",
    "MPa": "mpa",
    "dB": "db decibel decibels",
    "lx": "lux",
    "N": "newton newtons",
    "kN": "kn",
    "J": "joule joules",
    "kJ": "kj",
    "kcal": "kcal",
    "mAh": "mah",
    "Ah": "ah",
    "ppm": "ppm",
    "ppb": "ppb",
    "km/h": "km/h kmh kph",
    "mph": "mph",
    "m/s": "m/s",
    "rpm": "rpm",
    "GW": "gw gigawatt gigawatts",
    "GWh": "gwh",
    "TWh": "twh",
    "mA": "ma",
    "mV": "mv",
    "kV": "kv",
    "px": "px",
    "fps": "fps",
    "lm": "lumen lumens",
    "NTU": "ntu",
}
UNIT_OF: Final = {word.replace("_", " "): unit for unit, words in _UNITS.items() for word in words.split()}
_TIME: Final = frozenset({"ms", "us", "s", "min", "h", "day", "week", "month", "quarter", "year"})
_UNIT: Final = re.compile(
    rf"[ \u00a0-]?(?P<unit>{'|'.join(map(re.escape, sorted(UNIT_OF, key=len, reverse=True)))})(?![a-z²"
    rf"_/]|-[a-z]|(?<![hmd])\d)"
)
SECONDS: Final = {
    "ms": Decimal("0.001"),
    "s": Decimal(1),
    "min": Decimal(60),
    "h": Decimal(3600),
    "day": Decimal(86400),
}
_METRES: Final = re.compile(
    r" ?m(?= (?:long|wide|high|deep|tall|above|below|away|apart|in length|of (?:cable|pipe|fabric|rope))(?!\w))"
    r"| m(?=[.,;)]|$| (?!users?|people|customers?|accounts?|requests?|events?|rows?|records?|downloads?|views?|visits?|"
    r"dollars?|euros?|pounds?|members?|lines?|and|or)[a-z])"
)


_INSIDE: Final = re.compile(r" in (?=[a-z])")
"""`2 in May` are two, and no inches."""


def measured(low: str, end: int, number: Decimal, _: str) -> tuple[int, MentionKind, str]:
    """Give where a number's unit ends, what it makes of it, and the unit."""
    del number
    if percent := _PERCENT.match(low, end):
        return percent.end(), "percent", ""
    if currency := CURRENCY.match(low, end):
        return currency.end(), "money", currency_of(currency["code"])
    if metres := _METRES.match(low, end):
        return metres.end(), "number", "m"
    unit = _UNIT.match(low, end)
    if (
        unit is None
        or _INSIDE.match(low, end)
        or (
            unit["unit"] in {"g", "l", "t", "w", "y", "d", "x", "a", "v", "s", "h"}
            and low[end : end + 1] == " "
            and unit["unit"] not in "hsgtlw"
        )
    ):
        return end, "number", ""
    name = "W" if unit["unit"] == "w" and low[end : end + 1] == " " else UNIT_OF[unit["unit"]]
    return unit.end(), "duration" if name in _TIME else "number", name


def currency_of(written: str) -> str:
    """Give the ISO 4217 code of a symbol, a code or a name."""
    return _SYMBOLS.get(written) or _NAMED[written]


PER: Final = re.compile(
    r" ?(?:/ ?|per |an? |each |every |pro |p)(?:(?:seat|user|month|year|day|hour|week|quarter|minute|"
    r"second|min|sec|request|unit|person|head|mo|yr|h|s|annum|employee|customer|order|m|a)(?!\w))(?: "
    r"?/ ?(?:month|mo|year|yr)| (?:per|a) (?:month|year))?"
)


def per_after(low: str, end: int) -> int:
    """Give where the `per month` or `/seat` after a mention ends, or `end` where there is none."""
    found = PER.match(low, end)
    return found.end() if found else end
