"""How likely a condition is, from a stored belief at a later time, and what that makes of a hypothesis.

A belief is stored with its evidence mass per value and its time. Every mass ages by the same factor, so the last belief
alone says how likely a condition is at any later time; nobody has to ask fusion again.
"""

import calendar
import datetime as dt
import functools
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal, Protocol

from msgspec import Struct

from stanchion_core.fusion import PRIOR_WEIGHT, base_rate, decay, is_stale, probability
from stanchion_core.grouping import are_near
from stanchion_core.quantity import NUMERIC, ValueLike, number, unit_of, value_key

Operator = Literal["equals", "at least", "at most", "true"]

SUPPORTED_FROM: Final = 0.80
MOST_VACUITY: Final = 0.40
OPEN_BELOW: Final = 0.60
_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)


class ValueStateLike(Protocol):
    """What this module reads of one candidate value of a belief."""

    @property
    def value(self) -> ValueLike:
        """Give the candidate."""

    @property
    def evidence(self) -> float:
        """Give its evidence mass at the belief's time."""

    @property
    def against(self) -> float:
        """Give, of a multi-valued claim, the evidence mass that it is not one of the values; else 0."""


class BeliefLike(Protocol):
    """What this module reads of a belief (`stanchion_contracts.belief.Belief` is one)."""

    @property
    def values(self) -> Sequence[ValueStateLike]:
        """Give the candidates."""

    @property
    def unnamed(self) -> float:
        """Give the evidence mass on the slot for a value nobody named."""

    @property
    def unlisted(self) -> float:
        """Give the evidence mass of values named but not listed."""

    @property
    def unlisted_values(self) -> int:
        """Give how many values were named but not listed."""

    @property
    def undecayed(self) -> float:
        """Give the evidence mass had nothing aged."""

    @property
    def half_life_s(self) -> int:
        """Give the half-life in seconds, 0 for none."""

    @property
    def time_us(self) -> int:
        """Give the time the belief was worked out for."""

    @property
    def multi_valued(self) -> bool:
        """Tell whether each value is a boolean claim of its own."""

    @property
    def tolerance(self) -> float:
        """Give what share of the larger two numbers may differ by and be one value, 0 for none."""


class Condition(Struct, frozen=True, kw_only=True):
    """What a hypothesis says of a claim's value.

    Attributes:
        op: how the value is compared; `true` needs no value.
        value: what with; None for `true`.
    """

    op: Operator
    value: ValueLike | None = None


class Outlook(Struct, frozen=True, kw_only=True):
    """How likely a condition is at one time.

    Attributes:
        probability: 0 to 1; of a multi-valued claim, of the likeliest value that meets it, 1/2 where there is none.
        vacuity: the share of mass that no evidence backs then, 0 to 1; of a multi-valued claim, of that value.
        stale: the evidence has shrunk below a quarter of its undecayed weight.
    """

    probability: float
    vacuity: float
    stale: bool


def mass_of(belief: BeliefLike) -> float:
    """Give the whole evidence mass of a belief at its time, for and against its values, listed or not."""
    against = (state.against for state in belief.values if state.value.type != "boolean")  # a boolean's is its other's
    return math.fsum([*(state.evidence for state in belief.values), *against, belief.unnamed, belief.unlisted])


def outlook(condition: Condition, belief: BeliefLike, now_us: int) -> Outlook:
    """Tell how likely a condition is, from the last belief alone.

    Args:
        condition: what is asked.
        belief: the claim's last belief.
        now_us: microseconds since the epoch; a time before the belief's counts as the belief's.
    """
    factor = decay(now_us - belief.time_us, belief.half_life_s)
    stale = is_stale(mass_of(belief) * factor, belief.undecayed)
    meeting = [state for state in belief.values if satisfies(state.value, condition, tolerance=belief.tolerance)]
    if belief.multi_valued:
        likely, vacuity = max((_alone(state, factor) for state in meeting), default=_NOTHING_KNOWN)
        return Outlook(probability=likely, vacuity=-vacuity, stale=stale)
    masses = [state.evidence * factor for state in belief.values]
    total = math.fsum([*masses, belief.unnamed * factor, belief.unlisted * factor])
    boolean = bool(belief.values) and all(state.value.type == "boolean" for state in belief.values)
    base = base_rate(len(masses) + belief.unlisted_values, boolean=boolean and not belief.unlisted_values)
    return Outlook(
        probability=math.fsum(probability(state.evidence * factor, total, base) for state in meeting),
        vacuity=PRIOR_WEIGHT / (total + PRIOR_WEIGHT),
        stale=stale,
    )


_NOTHING_KNOWN: Final = (0.5, -1.0)  # a boolean claim that nobody speaks on


def _alone(state: ValueStateLike, factor: float) -> tuple[float, float]:
    """Give the probability of a value that is a boolean claim of its own, and less its vacuity, to be compared."""
    mass, against = state.evidence * factor, state.against * factor
    total = mass + against
    return probability(mass, total, base_rate(1, boolean=True)), -PRIOR_WEIGHT / (total + PRIOR_WEIGHT)


def satisfies(value: ValueLike, condition: Condition, *, tolerance: float = 0.0) -> bool:
    """Tell whether a value certainly meets a condition: all of it, where it is a range, a bound or a span of days.

    Args:
        value: of the claim.
        condition: what is asked.
        tolerance: of the claim; within it a number equals another.
    """
    if condition.op == "true":
        return value.type == "boolean" and value.text.casefold() == "true"
    if condition.value is None:
        return False
    if condition.op == "equals" and are_near(value_key(value), value_key(condition.value), tolerance):
        return True
    mine, asked = _span(value), _span(condition.value)
    if mine is None or asked is None or mine.base != asked.base:
        return False
    enough, few_enough = _reaches(mine.low, asked.low), _reaches(asked.high, mine.high)
    spans = condition.value.type in {"range", "date"}  # a value lies inside a range, a day inside its month
    return {"at least": enough, "at most": few_enough, "equals": spans and enough and few_enough}[condition.op]


def _reaches(one: Fraction | None, other: Fraction | None) -> bool:
    """Tell whether a bound is known and at least another."""
    return one is not None and other is not None and one >= other


def verdict(status: str, seen: Outlook) -> str:
    """Give the status that evidence gives a hypothesis; between the thresholds it stays what it is.

    Args:
        status: the status it has.
        seen: how likely its condition is now.
    """
    sure = seen.vacuity <= MOST_VACUITY
    if sure and seen.probability >= SUPPORTED_FROM:
        return "supported"
    if sure and 1.0 - seen.probability >= SUPPORTED_FROM:
        return "refuted"
    falls = {"supported": seen.probability, "refuted": 1.0 - seen.probability}.get(status)
    return "open" if falls is not None and falls < OPEN_BELOW else status


class _Span(Struct, frozen=True):
    """The dimension and the least and greatest a value can be, None for no bound."""

    base: str
    low: Fraction | None
    high: Fraction | None


def _span(value: ValueLike) -> _Span | None:
    """Give how far a value reaches; None when it has no order."""
    return _span_of(value.type, value.text, value.unit, value.op)


@functools.lru_cache(maxsize=16_384)  # each belief is asked by every hypothesis on its claim
def _span_of(type_: str, text: str, unit: str, op: str) -> _Span | None:
    """Give how far a value of four parts reaches."""
    if type_ == "date":
        return _days(text)
    if type_ not in NUMERIC:
        return None
    bounds = [number(part.strip()) for part in (text.split("..") if type_ == "range" else [text])]
    if len(bounds) > 2 or any(bound is None for bound in bounds):  # noqa: PLR2004 - a range has two ends
        return None
    base, factor = unit_of(type_, unit)
    ends = [bound * factor for bound in bounds if bound is not None]
    low = None if op in {"<", "<="} else ends[0]
    high = None if op in {">", ">="} else ends[-1]
    return _Span(("money " if type_ == "money" else "number ") + base, low, high)


def _days(text: str) -> _Span | None:
    """Give the first and last day of a year, a month or a day; None when it is no date."""
    found = _DATE.fullmatch(text[:10])
    if found is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    if year is None:
        return None
    try:
        first = dt.date(year, month or 1, day or 1)
        last_month = month or 12
        last = dt.date(year, last_month, day or calendar.monthrange(year, last_month)[1])
    except ValueError:  # no such day
        return None
    return _Span("date", Fraction(first.toordinal()), Fraction(last.toordinal()))
