"""Which sources say the same because one has it from the other: by the errors they share.

To be right together is no sign of copying, to be wrong together is: of n plausible wrong values two sources would
seldom choose the same. After Dong, Berti-Equille and Srivastava, Integrating Conflicting Data: The Role of Source
Dependence, VLDB 2009, section 4, but not as a test of whether a pair depends: as an estimate of how much it does, which
stays near nothing where there is little to go by, however many claims there are.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final

LEAST_SHARED: Final = 5
"""Pairs that spoke on fewer claims together are taken to be independent."""

_SHRUNK: Final = 10.0  # a share of copied errors is shrunk towards none as if there were so many errors more
_SPARED: Final = 1.0  # and what chance gives is allowed so many standard deviations more
_SHARES: Final = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)  # of words copied, that descriptions are tried with

Groups = tuple[tuple[int, ...], ...]
Pattern = tuple[int, Groups]
Likely = Sequence[Sequence[float]]
"""Of each pattern, how likely each of its values is."""


def words_of(patterns: Sequence[tuple[Pattern, int]], sources: int) -> list[int]:
    """Give on how many claims each source spoke."""
    counts = [0] * sources
    for (_, groups), often in patterns:
        for group in groups:
            for at in group:
                counts[at] += often
    return counts


class Pairs:
    """Every two sources that spoke on several claims together.

    Args:
        patterns: who agrees with whom, and on how many claims.
        plausible: of each source, how many wrong values are plausible where it speaks.
    """

    def __init__(self, patterns: Sequence[tuple[Pattern, int]], plausible: Sequence[float]) -> None:
        self._plausible = plausible
        self._counts = words_of(patterns, len(plausible))
        shared: dict[tuple[int, int], int] = {}
        for (_, groups), often in patterns:
            for first, second, _, _ in _met(groups):
                shared[first, second] = shared.get((first, second), 0) + often
        self._pairs = sorted(pair for pair, count in shared.items() if count >= LEAST_SHARED)
        self._shared = [shared[pair] for pair in self._pairs]
        numbers = {pair: at for at, pair in enumerate(self._pairs)}
        self._patterns = [
            (
                often,
                groups,
                [
                    (numbers[first, second], mine, other)
                    for first, second, mine, other in _met(groups)
                    if (first, second) in numbers
                ],
            )
            for (_, groups), often in patterns
        ]
        self._alike = [0] * len(self._pairs)
        for often, _, met in self._patterns:
            for pair, mine, other in met:
                if mine == other:
                    self._alike[pair] += often

    def unlike(self, power: int | None) -> list[float]:
        """Give an independence to begin with: who is much like others counts for less, right or wrong.

        Args:
            power: the likeness of a pair is its share of like words to this power; None: all are independent.
        """
        met = [0.0] * len(self._counts)
        if power is not None:
            for pair, alike, shared in zip(self._pairs, self._alike, self._shared, strict=True):
                for at in pair:
                    met[at] += (alike / (shared + 2)) ** power * shared / self._counts[at]
        return [1.0 / (1.0 + one) for one in met]

    def independence(self, accuracies: Sequence[float], likely: Likely) -> list[float]:
        """Give how much of what each source says is its own: one by one and the copies of it that there are.

        Args:
            accuracies: of each source.
            likely: how likely each value is.
        """
        met = [0.0] * len(self._counts)
        right, mine, other = self._truths(likely)
        for at, (first, second) in enumerate(self._pairs):
            shared, alike = self._shared[at], self._alike[at]
            wrong_both = alike - right[at]
            wrong = [wrong_both + (shared - alike) - mine[at], wrong_both + (shared - alike) - other[at]]
            chance = (wrong[0] * (1 - accuracies[second]) + wrong[1] * (1 - accuracies[first])) / (
                self._plausible[first] + self._plausible[second]
            )
            over = wrong_both - chance - _SPARED * math.sqrt(chance + 1.0)
            if over > 0.0:
                share = min(1.0, over / (sum(wrong) / 2 - chance + _SHRUNK))
                met[first] += share * shared / self._counts[first]
                met[second] += share * shared / self._counts[second]
        return [1.0 / (1.0 + one) for one in met]

    def bits(self, likely: Likely) -> float:
        """Give how long a description of what everybody said is, in nats, when the values are so likely.

        Each source is described by what is true and its own errors, or, where that is shorter, as one that has a share
        of its words from a source that said more than it: so nobody is explained by who is explained by it.

        Args:
            likely: how likely each value is.
        """
        true = [0.0] * len(self._counts)
        for (often, groups, _), shares in zip(self._patterns, likely, strict=True):
            for group, share in zip(groups, shares, strict=True):
                for at in group:
                    true[at] += often * share
        alone = [
            _length(mine, count - mine, _smoothed(mine, count), n)
            for mine, count, n in zip(true, self._counts, self._plausible, strict=True)
        ]
        shortest = list(alone)
        right, mine, other = self._truths(likely)
        for at, (first, second) in enumerate(self._pairs):
            copier = second if (self._counts[second], -second) < (self._counts[first], -first) else first
            apart = other[at] if copier == second else mine[at]
            words = self._alike[at], right[at], self._shared[at] - self._alike[at], apart
            length = _copied(words, true[copier], self._counts[copier], self._plausible[copier])
            shortest[copier] = min(shortest[copier], length)
        return math.fsum(shortest)

    def _truths(self, likely: Likely) -> tuple[list[float], list[float], list[float]]:
        """Give how often each pair is right together, and how often the first and the second where they differ."""
        right, mine, other = ([0.0] * len(self._pairs) for _ in range(3))
        for (often, _, met), shares in zip(self._patterns, likely, strict=True):
            for pair, ours, theirs in met:
                if ours == theirs:
                    right[pair] += often * shares[ours]
                else:
                    mine[pair] += often * shares[ours]
                    other[pair] += often * shares[theirs]
        return right, mine, other


def _met(groups: Groups) -> Iterator[tuple[int, int, int, int]]:
    """Give every two sources of one claim, the lesser number first, each with the place of its value."""
    words = sorted((at, place) for place, group in enumerate(groups) for at in group)
    for number, (first, mine) in enumerate(words):
        for second, other in words[number + 1 :]:
            yield first, second, mine, other


def _copied(words: tuple[int, float, int, float], true: float, count: int, plausible: float) -> float:
    """Give how long the shortest description of a source is that copies a share of its words from another.

    Args:
        words: how often they say the same, and that is right; how often not, and what the source says is right.
        true: how many of all its words are right.
        count: how many there are.
        plausible: n.
    """
    alike, right, unlike, apart = words
    rest = count - alike - unlike
    rest_true = true - right - apart
    lengths = []
    for share in _SHARES:
        own = alike * (1.0 - share)
        accuracy = _smoothed(apart + rest_true + right * (1.0 - share), unlike + rest + own)
        like = right * math.log(share + (1.0 - share) * accuracy)
        like += (alike - right) * math.log(share + (1.0 - share) * (1.0 - accuracy) / plausible)
        lengths.append(
            _length(apart + rest_true, unlike - apart + rest - rest_true, accuracy, plausible)
            - like
            - unlike * math.log(1.0 - share)
        )
    return min(lengths)


def _length(right: float, wrong: float, accuracy: float, plausible: float) -> float:
    """Give how long it is to say which words are right, and of each wrong one which of the wrong values it is."""
    return -(right * math.log(accuracy) + wrong * math.log((1.0 - accuracy) / plausible))


def _smoothed(right: float, count: float) -> float:
    """Give a share that is never nothing and never all."""
    return min(0.99, max(0.01, (right + 1.0) / (count + 2.0)))
