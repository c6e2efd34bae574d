"""Made-up sets of claims whose truth is known, one for each way in which sources may differ."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from support.truth import Said, Truth

Made = tuple[Said, Truth]


def made(  # noqa: PLR0913 - what sources can differ in
    seed: int,
    accuracies: list[float],
    *,
    cover: float = 0.6,
    objects: int = 2_000,
    values: int = 10,
    copiers: Mapping[int, int] | None = None,
    copied: float = 0.9,
    popular: float = 0.0,
) -> Made:
    """Make a set.

    Args:
        seed: another one, another set.
        accuracies: of each source, by its number.
        cover: how likely each speaks on an object.
        objects: how many.
        values: how many there are to choose from.
        copiers: by number, whom it copies where that one speaks.
        copied: how often it does.
        popular: how often a wrong value is the one that others choose, too.
    """
    dice = random.Random(seed)  # noqa: S311 - a made-up set, no secret
    said, truth = Said(), Truth()
    for number in range(objects):
        true, *wrong = dice.sample(range(values), values)
        words: dict[int, int] = {}
        for source, accuracy in enumerate(accuracies):
            if dice.random() >= cover:
                continue
            original = (copiers or {}).get(source)
            if original in words and dice.random() < copied:
                words[source] = words[original]
            elif dice.random() < accuracy:
                words[source] = true
            else:
                words[source] = wrong[0] if dice.random() < popular else dice.choice(wrong)
        if words:
            said[f"o{number}", "p"] = {f"s{source:04d}": f"v{value}" for source, value in words.items()}
            truth[f"o{number}", "p"] = f"v{true}"
    return said, truth


def long_tail(seed: int) -> Made:
    """Make a set where five sources say much and thousands one to three things each."""
    dice = random.Random(seed)  # noqa: S311 - a made-up set, no secret
    objects = 4_000
    truth: Truth = {(f"o{number}", "p"): f"v{dice.randrange(10)}" for number in range(objects)}
    said: Said = {claim: {} for claim in truth}
    heads = [(f"h{number}", dice.uniform(0.6, 0.9), dice.sample(sorted(truth), objects // 3)) for number in range(5)]
    tail = [
        (f"t{number:04d}", dice.uniform(0.4, 0.9), dice.choices(sorted(truth), k=dice.randint(1, 3)))
        for number in range(6_000)
    ]
    for name, accuracy, claims in heads + tail:
        for claim in claims:
            said[claim][name] = truth[claim] if dice.random() < accuracy else f"v{dice.randrange(10)}"
    said = {claim: words for claim, words in said.items() if words}
    return said, {claim: truth[claim] for claim in said}


def numbers(seed: int) -> Made:
    """Make a set of measurements that scatter by less than 1 % about the truth where they are right."""
    dice = random.Random(seed)  # noqa: S311 - a made-up set, no secret
    said, truth = Said(), Truth()
    accuracies = _spread(12, 0.35, 0.9, dice)
    for number in range(1_500):
        true = dice.uniform(10, 1_000)
        words = {
            f"s{source:02d}": true * (1 + dice.uniform(-0.004, 0.004))
            if dice.random() < accuracy
            else true * dice.choice((0.5, 0.8, 1.3, 2))
            for source, accuracy in enumerate(accuracies)
            if dice.random() < 0.6
        }
        if words:
            said[f"o{number}", "p"] = {name: f"{value:.2f}" for name, value in words.items()}
            truth[f"o{number}", "p"] = f"{true:.2f}"
    return said, truth


def _spread(count: int, least: float, most: float, dice: random.Random) -> list[float]:
    """Give so many accuracies between two."""
    return [dice.uniform(least, most) for _ in range(count)]


def _of(count: int, least: float, most: float, seed: int) -> list[float]:
    """Give so many accuracies between two, the same for a seed."""
    return _spread(count, least, most, random.Random(seed + 1_000))  # noqa: S311 - a made-up set, no secret


_HONEST: Final = [0.9, 0.85, 0.8, 0.8, 0.75, 0.7]
_FIVE: Final = dict.fromkeys(range(7, 12), 6)

MADE: Final[Mapping[str, Callable[[int], Made]]] = {
    "independent": lambda seed: made(seed, _of(20, 0.3, 0.9, seed), cover=0.4),
    "few sources": lambda seed: made(seed, [0.9, 0.7, 0.5], cover=1.0, objects=4_000),
    "alike sources": lambda seed: made(seed, [0.7] * 5, cover=0.8, objects=4_000),
    "many values": lambda seed: made(seed, _of(15, 0.2, 0.8, seed), values=100),
    "copiers of a bad source": lambda seed: made(seed, [*_HONEST, *[0.5] * 6], cover=0.8, copiers=_FIVE),
    "copiers of a good source": lambda seed: made(
        seed, [0.7, 0.7, 0.65, 0.65, 0.6, 0.6, *[0.85] * 6], cover=0.7, copiers=_FIVE
    ),
    "two rings of copiers": lambda seed: made(
        seed, [*_HONEST, *[0.55] * 8], copiers={7: 6, 8: 6, 9: 6, 11: 10, 12: 10, 13: 10}, copied=0.8
    ),
    "popular errors": lambda seed: made(seed, _of(12, 0.5, 0.9, seed), popular=0.5),
    "adversarial minority": lambda seed: made(seed, [*_of(11, 0.6, 0.9, seed), *[0.05] * 4], popular=0.9),
    "crowd, binary": lambda seed: made(seed, _of(60, 0.5, 0.95, seed), cover=0.08, values=2, objects=4_000),
    "crowd with adversaries, binary": lambda seed: made(
        seed, [*_of(21, 0.65, 0.9, seed), *[0.2] * 9], cover=0.2, values=2
    ),
    "crowd, five values": lambda seed: made(seed, _of(80, 0.3, 0.9, seed), cover=0.06, values=5),
    "long tail": long_tail,
}
