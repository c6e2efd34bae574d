"""How far sources can be trusted that nobody ever checked: by how well they agree with what most of the trusted say.

A fixpoint over the whole set of contributions, after ACCU (Dong, Berti-Equille and Srivastava, Integrating Conflicting
Data: The Role of Source Dependence, VLDB 2009, section 3): how likely a value is follows from the accuracy of who says
it, and how accurate a source is from how likely its values are. Sources that copy each other count for less
(`stanchion_core.copying`). There may be several fixpoints, such as one where the copied are right and one where they
are wrong: the one is taken that describes what everybody said in the fewest bits.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, fsum, log, prod
from typing import Final

from msgspec import Struct

from stanchion_core.copying import Pairs, words_of
from stanchion_core.quantity import ValueKey

WRONG_VALUES: Final = 10
"""n: how many wrong values are plausible for a claim, none more so than another; fewer where fewer were ever said."""

PRIOR_ACCURACY: Final = 0.8
PRIOR_CLAIMS: Final = 4.0
"""A source's accuracy is shrunk towards the prior as if it had spoken on so many claims more."""

LEAST, MOST = 0.01, 0.99
"""Nobody is taken to be right or wrong for certain."""

MOST_WORDS, MOST_PAIRS = 50_000, 200_000
"""Words that are read, and pairs of words that are compared, to see who copies whom; of more, every k-th claim is."""

MOST_TOGETHER: Final = 300
"""Claims on which more sources spoke say nothing of who copies whom: their pairs alone would fill the memory."""

_ROUNDS: Final = 30
_WHOLE_ROUNDS: Final = 5  # over all claims, where those that are read have told most
_TURNS: Final = 6  # accuracies and independence are worked out in turn
_CLOSE: Final = 1e-4  # accuracies that move less than this have settled
_FEW: Final = 64  # words of which products neither overflow nor vanish
_SETTLED: Final = 1e-3  # the same of independence
_ALL_UNLIKE: Final = 0.8  # where nobody is less unlike the others, to begin with likeness leads to nothing else
_STARTS: Final = (None, 40, 12, 6)  # how little likeness already counts as copying at first; None: no likeness does
_AS_SHORT: Final = 1.01  # of descriptions about as short as each other the one that trusts likeness least

Said = Mapping[str, ValueKey]
"""What each source says of one claim: the value that stands of its words."""

Pattern = tuple[int, tuple[tuple[int, ...], ...]]
"""Who agrees with whom on a claim: n, and the numbers of the sources, those of one value together."""


class Agreement(Struct, frozen=True, kw_only=True):
    """What consensus makes of one source.

    Attributes:
        accuracy: the share of its values that are taken to be right, from `LEAST` to `MOST`.
        independence: how much of what it says is its own, above 0 and up to 1; the rest others say for it.
        plausible: n, how many wrong values are plausible where it speaks, from 1.
        claims: on how many it spoke that another spoke on, too.
    """

    accuracy: float
    independence: float
    plausible: float
    claims: int

    @property
    def trust(self) -> float:
        """Give the trust, 0 to 1, with which linear fusion weighs the source as ACCU does."""
        return self.independence * trust_for(self.accuracy, self.plausible)


def trust_for(accuracy: float, plausible: float = WRONG_VALUES) -> float:
    """Give the trust for an accuracy: `ln(n·A / (1 - A))`, scaled to 0 to 1.

    Args:
        accuracy: A, 0 to 1.
        plausible: n, from 1.
    """
    return max(0.0, _vote(_within(accuracy), plausible)) / _vote(MOST, plausible)


def accuracy_for(trust: float) -> float:
    """Give the accuracy for which `trust_for` gives a trust, 0 to 1."""
    odds = exp(min(1.0, max(0.0, trust)) * _vote(MOST, WRONG_VALUES)) / WRONG_VALUES
    return _within(odds / (1.0 + odds))


def agree(claims: Iterable[tuple[str, Said]], known: Mapping[str, float] | None = None) -> dict[str, Agreement]:
    """Work out how accurate each source is, and how independent.

    Args:
        claims: of each its predicate and what was said, in any order: the result is the same bit for bit.
        known: accuracies that are known otherwise, by source; they stay as they are.

    Returns:
        By source, sorted; who never spoke on what another spoke on has no place in it.
    """
    fixpoint = _Fixpoint(claims, known or {})
    if not fixpoint.names:
        return {}
    accuracies, independence = fixpoint.best()
    return {
        name: Agreement(
            accuracy=accuracies[at],
            independence=independence[at],
            plausible=fixpoint.plausible[at],
            claims=fixpoint.counts[at],
        )
        for at, name in enumerate(fixpoint.names)
    }


class _Fixpoint:
    """Who said what, as patterns that many claims share, and what is worked out from them.

    Args:
        claims: see `agree`.
        known: see `agree`.
    """

    def __init__(self, claims: Iterable[tuple[str, Said]], known: Mapping[str, float]) -> None:
        shared, ranges = [], dict[str, set[ValueKey]]()
        for predicate, said in claims:
            ranges.setdefault(predicate, set()).update(said.values())
            if len(said) > 1:
                shared.append((predicate, said))
        self.names = sorted({name for _, said in shared for name in said})
        numbers = {name: at for at, name in enumerate(self.names)}
        wrong = {predicate: min(WRONG_VALUES, max(1, len(values) - 1)) for predicate, values in ranges.items()}
        times: dict[Pattern, int] = {}
        for predicate, said in shared:
            pattern = wrong[predicate], _grouped(said, numbers)
            times[pattern] = times.get(pattern, 0) + 1
        self.patterns = sorted(times.items())
        self.counts, sums = [0] * len(self.names), [0] * len(self.names)
        for (plausible, groups), often in self.patterns:
            for at in (at for group in groups for at in group):
                self.counts[at] += often
                sums[at] += often * plausible
        self.plausible = [whole / count for whole, count in zip(sums, self.counts, strict=True)]
        self._known = {numbers[name]: _within(one) for name, one in known.items() if name in numbers}

    def best(self) -> tuple[list[float], list[float]]:
        """Give the accuracies and the independence of the fixpoint that says it all in the fewest bits."""
        sample = _sample(self.patterns)
        pairs = Pairs(sample, self.plausible)
        found = []
        for power in _STARTS:
            start = pairs.unlike(power)
            if power is None or min(start) < _ALL_UNLIKE:
                accuracies, independence, likely = self._settle(sample, pairs, start)
                found.append((pairs.bits(likely), accuracies, independence))
        near = _AS_SHORT * min(bits for bits, _, _ in found)
        _, accuracies, independence = next(one for one in reversed(found) if one[0] <= near)
        if len(sample) < len(self.patterns):
            accuracies, _ = self._accuracies(self.patterns, accuracies, independence, rounds=_WHOLE_ROUNDS)
        return accuracies, independence

    def _settle(
        self, patterns: Sequence[tuple[Pattern, int]], pairs: Pairs, independence: list[float]
    ) -> tuple[list[float], list[float], list[list[float]]]:
        """Give accuracies and independence that follow from each other, and how likely that makes each value."""
        accuracies = [self._known.get(at, PRIOR_ACCURACY) for at in range(len(self.names))]
        likely: list[list[float]] = []
        for _ in range(_TURNS):
            accuracies, likely = self._accuracies(patterns, accuracies, independence)
            revised = pairs.independence(accuracies, likely)
            moved = max(abs(new - old) for new, old in zip(revised, independence, strict=True))
            independence = revised
            if moved < _SETTLED:
                break
        return accuracies, independence, likely

    def _accuracies(
        self,
        patterns: Sequence[tuple[Pattern, int]],
        accuracies: list[float],
        independence: list[float],
        *,
        rounds: int = _ROUNDS,
    ) -> tuple[list[float], list[list[float]]]:
        """Give the accuracies that follow from themselves, and how likely they make each value of each pattern."""
        counts = words_of(patterns, len(self.names))
        likely: list[list[float]] = []
        for _ in range(rounds):
            votes = [own * _vote(one) for own, one in zip(independence, accuracies, strict=True)]
            odds = [exp(vote) for vote in votes]
            likely = [_likely(pattern, votes, odds) for pattern, _ in patterns]
            right = [0.0] * len(self.names)
            for ((_, groups), often), shares in zip(patterns, likely, strict=True):
                for group, share in zip(groups, shares, strict=True):
                    for at in group:
                        right[at] += often * share
            revised = [
                self._known.get(at, _within((mine + PRIOR_CLAIMS * PRIOR_ACCURACY) / (counts[at] + PRIOR_CLAIMS)))
                for at, mine in enumerate(right)
            ]
            moved = max(abs(new - old) for new, old in zip(revised, accuracies, strict=True))
            accuracies = revised
            if moved < _CLOSE:
                break
        return accuracies, likely


def _grouped(said: Said, numbers: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """Give the numbers of the sources, those that say one value together, in one order for all that look alike."""
    groups: dict[ValueKey, list[int]] = {}
    for name, value in said.items():
        groups.setdefault(value, []).append(numbers[name])
    return tuple(sorted(tuple(sorted(group)) for group in groups.values()))


def _sample(patterns: Sequence[tuple[Pattern, int]]) -> Sequence[tuple[Pattern, int]]:
    """Give as many patterns, evenly spread, as hold no more than about `MOST_WORDS` and `MOST_PAIRS`."""
    sized = [(sum(map(len, pattern[1])), (pattern, often)) for pattern, often in patterns]
    compared = [(size, one) for size, one in sized if size <= MOST_TOGETHER]
    words = sum(size for size, _ in compared)
    pairs = sum(size * (size - 1) // 2 for size, _ in compared)
    return [one for _, one in compared[:: max(1, -(-words // MOST_WORDS), -(-pairs // MOST_PAIRS))]]


def _likely(pattern: Pattern, votes: Sequence[float], odds: Sequence[float]) -> list[float]:
    """Give how likely each value of one claim is; what nobody says of the plausible values shares the rest.

    Args:
        pattern: of the claim.
        votes: of each source.
        odds: `exp` of the votes.
    """
    plausible, groups = pattern
    unsaid = float(max(0, plausible + 1 - len(groups)))
    if sum(map(len, groups)) <= _FEW:
        masses = [prod(map(odds.__getitem__, group)) for group in groups]
    else:
        scores = [fsum(map(votes.__getitem__, group)) for group in groups]
        top = max(0.0, *scores)
        masses = [exp(score - top) for score in scores]
        unsaid *= exp(-top)
    whole = fsum([*masses, unsaid])
    return [mass / whole for mass in masses]


def _vote(accuracy: float, plausible: float = WRONG_VALUES) -> float:
    """Give the logarithm of how much likelier a source makes its value than each of the wrong ones."""
    return log(plausible * accuracy / (1.0 - accuracy))


def _within(accuracy: float) -> float:
    """Keep an accuracy away from certainty."""
    return min(MOST, max(LEAST, accuracy))
