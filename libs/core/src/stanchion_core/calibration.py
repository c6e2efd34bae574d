"""How well stated confidence met what turned out: Brier score, calibration error, bins of a reliability diagram.

Sources: Brier, Verification of Forecasts Expressed in Terms of Probability, 1950; Naeini, Cooper and Hauskrecht,
Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015, for the expected calibration error.
"""

import math
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

BINS: Final = 10
"""Bins of equal width, from 0 to 1; the last one holds 1."""

PRIOR_HITS, PRIOR_JUDGED = 7, 10
"""What a source begins with: as if it had been right seven times of ten."""


class Judged(Struct, frozen=True, kw_only=True):
    """One confidence, stated before anybody knew, and whether it was right.

    Attributes:
        confidence: 0 to 1.
        hit: the value it was stated for is what the claim was resolved to.
    """

    confidence: float
    hit: bool


class Bin(Struct, frozen=True, kw_only=True):
    """What falls into one bin.

    Attributes:
        begin: of the bin, included.
        end: of the bin, left out, but for the last one.
        count: how many confidences.
        confidence: their mean, 0 where there is none.
        hits: the share that was right, 0 where there is none.
    """

    begin: float
    end: float
    count: int
    confidence: float
    hits: float


class Calibration(Struct, frozen=True, kw_only=True):
    """How well a set of confidences met what turned out.

    Attributes:
        count: how many.
        brier: the mean squared error, 0 is best; 0 where there is none.
        error: the expected calibration error, 0 to 1: how far, on average, the hits are from the confidence.
        bins: all of them, also the empty ones.
    """

    count: int
    brier: float
    error: float
    bins: tuple[Bin, ...]


def calibration(judged: Iterable[Judged]) -> Calibration:
    """Measure confidences, in any order."""
    found: list[list[Judged]] = [[] for _ in range(BINS)]
    for one in judged:
        found[min(BINS - 1, int(one.confidence * BINS))].append(one)
    bins = tuple(_bin(number, mine) for number, mine in enumerate(found))
    count = sum(map(len, found))
    squares = math.fsum((one.confidence - one.hit) ** 2 for mine in found for one in mine)
    gaps = math.fsum(one.count * abs(one.confidence - one.hits) for one in bins)
    return Calibration(
        count=count, brier=squares / count if count else 0.0, error=gaps / count if count else 0.0, bins=bins
    )


def outcome_trust(hits: int, judged: int) -> float:
    """Give how far a source is trusted that was right so many times: `(7 + hits) / (10 + judged)`."""
    return (PRIOR_HITS + hits) / (PRIOR_JUDGED + judged)


def _bin(number: int, mine: list[Judged]) -> Bin:
    """Give one bin."""
    count = len(mine)
    return Bin(
        begin=number / BINS,
        end=(number + 1) / BINS,
        count=count,
        confidence=math.fsum(one.confidence for one in mine) / count if count else 0.0,
        hits=sum(one.hit for one in mine) / count if count else 0.0,
    )
