"""How far sources can be trusted that nobody ever checked: by how well they agree with what most of the trusted say.

A fixpoint over the whole set of contributions, after ACCU (Dong, Berti-Equille and Srivastava, Integrating Conflicting
Data: The Role of Source Dependence, VLDB 2009, section 3): how likely a value is follows from the accuracy of who says
it, and how accurate a source is from how likely its values are. Sources that copy each other are taken for independent.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from stanchion_core.quantity import ValueKey

WRONG_VALUES: Final = 10
"""n: how many wrong values are plausible for a claim, none more so than another."""

PRIOR_ACCURACY: Final = 0.8
PRIOR_CLAIMS: Final = 4.0
"""A source's accuracy is shrunk towards the prior as if it had spoken on so many claims more."""

LEAST, MOST = 0.01, 0.99
"""Nobody is taken to be right or wrong for certain."""

_ROUNDS: Final = 30
_CLOSE: Final = 1e-6  # accuracies that move less than this have settled

Said = Mapping[str, ValueKey]
"""What each source says of one claim: the value that stands of its words."""


class Agreement(Struct, frozen=True, kw_only=True):
    """What consensus makes of one source.

    Attributes:
        accuracy: the share of its values that are taken to be right, from `LEAST` to `MOST`.
        claims: on how many it spoke.
    """

    accuracy: float
    claims: int


def agree(claims: Iterable[Said], known: Mapping[str, float] | None = None) -> dict[str, Agreement]:
    """Work out how accurate each source is.

    Args:
        claims: what was said of each, in any order: the result is the same bit for bit.
        known: accuracies that are known otherwise, by source; they stay as they are.

    Returns:
        By source, sorted.
    """
    fixed = {name: _within(accuracy) for name, accuracy in (known or {}).items()}
    said = [dict(sorted(one.items())) for one in claims if one]
    counts: dict[str, int] = {}
    for one in said:
        for name in one:
            counts[name] = counts.get(name, 0) + 1
    accuracy = {name: fixed.get(name, PRIOR_ACCURACY) for name in sorted(counts)}
    for _ in range(_ROUNDS):
        revised = {**_revised(said, accuracy), **{name: fixed[name] for name in fixed.keys() & counts.keys()}}
        moved = max((abs(revised[name] - accuracy[name]) for name in accuracy), default=0.0)
        accuracy = {name: revised[name] for name in accuracy}
        if moved < _CLOSE:
            break
    return {name: Agreement(accuracy=one, claims=counts[name]) for name, one in accuracy.items()}


def trust_for(accuracy: float) -> float:
    """Give the trust, 0 to 1, with which linear fusion weighs a source as ACCU does: `ln(n·A / (1 - A))`, scaled."""
    return max(0.0, _vote(_within(accuracy))) / _vote(MOST)


def _revised(said: Iterable[Mapping[str, ValueKey]], accuracy: Mapping[str, float]) -> dict[str, float]:
    """Give each source's accuracy from how likely its values are."""
    votes = {name: _vote(one) for name, one in accuracy.items()}
    shares: dict[str, list[float]] = {name: [] for name in accuracy}
    for one in said:
        likely = _likely(one, votes)
        for name, value in one.items():
            shares[name].append(likely[value])
    return {
        name: _within((math.fsum(mine) + PRIOR_CLAIMS * PRIOR_ACCURACY) / (len(mine) + PRIOR_CLAIMS))
        for name, mine in shares.items()
    }


def _likely(one: Mapping[str, ValueKey], votes: Mapping[str, float]) -> dict[ValueKey, float]:
    """Give how likely each value of one claim is; what nobody says of the plausible values shares the rest."""
    scores: dict[ValueKey, list[float]] = {}
    for name, value in one.items():
        scores.setdefault(value, []).append(votes[name])
    summed = {value: math.fsum(mine) for value, mine in scores.items()}
    top = max(0.0, *summed.values())
    masses = {value: math.exp(score - top) for value, score in summed.items()}
    unsaid = max(0, WRONG_VALUES + 1 - len(masses)) * math.exp(-top)
    whole = math.fsum([*masses.values(), unsaid])
    return {value: mass / whole for value, mass in masses.items()}


def _vote(accuracy: float) -> float:
    """Give the logarithm of how much likelier a source makes its value than each of the wrong ones."""
    return math.log(WRONG_VALUES * accuracy / (1.0 - accuracy))


def _within(accuracy: float) -> float:
    """Keep an accuracy away from certainty."""
    return min(MOST, max(LEAST, accuracy))
