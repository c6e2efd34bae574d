"""Majority vote, CRH and ACCU, as the corpus page of truth-discovery has them: what consensus is measured against.

Sources: Li, Li, Gao, Zhao, Fan and Han, Resolving Conflicts in Heterogeneous Data by Truth Discovery and Source
Reliability Estimation, SIGMOD 2014; Dong, Berti-Equille and Srivastava, VLDB 2009. Ties go to the greatest value.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

Said = Mapping[str, str]
Claims = Mapping[tuple[str, str], Said]
Chosen = dict[tuple[str, str], str]


def vote(claims: Claims) -> Chosen:
    """Choose what most say."""
    return _chosen(claims, dict.fromkeys(_sources(claims), 1.0))


def crh(claims: Claims) -> Chosen:
    """Choose by weights that are the logarithm of each source's share of all errors."""
    counts = _sources(claims)
    chosen = vote(claims)
    for _ in range(20):
        errors = dict.fromkeys(counts, 0.5)
        for claim, said in claims.items():
            for source, value in said.items():
                errors[source] += value != chosen[claim]
        shares = {source: errors[source] / (count + 1.0) for source, count in counts.items()}
        whole = math.fsum(shares.values())
        revised = _chosen(claims, {source: -math.log(share / whole) for source, share in shares.items()})
        if revised == chosen:
            break
        chosen = revised
    return chosen


def accu(claims: Claims) -> Chosen:
    """Choose by accuracies that follow from how likely each source's values are, with ten wrong values for each."""
    counts = _sources(claims)
    accuracy = dict.fromkeys(counts, 0.8)
    votes: dict[str, float] = {}
    for _ in range(30):
        votes = {source: math.log(10 * one / (1 - one)) for source, one in accuracy.items()}
        likely = dict.fromkeys(counts, 0.0)
        for said in claims.values():
            scores = _scores(said, votes)
            top = max(scores.values())
            masses = {value: math.exp(score - top) for value, score in scores.items()}
            whole = sum(masses.values()) + max(0, 11 - len(masses)) * math.exp(-top)
            for source, value in said.items():
                likely[source] += masses[value] / whole
        accuracy = {source: min(0.99, max(0.01, likely[source] / count)) for source, count in counts.items()}
    return _chosen(claims, votes)


BASELINES: Final[Mapping[str, Callable[[Claims], Chosen]]] = {"vote": vote, "CRH": crh, "ACCU": accu}


def _sources(claims: Claims) -> dict[str, int]:
    """Count how often each source speaks."""
    counts: dict[str, int] = {}
    for said in claims.values():
        for source in said:
            counts[source] = counts.get(source, 0) + 1
    return counts


def _scores(said: Said, weights: Mapping[str, float]) -> dict[str, float]:
    """Sum the weights behind each value."""
    scores: dict[str, float] = {}
    for source, value in said.items():
        scores[value] = scores.get(value, 0.0) + weights[source]
    return scores


def _chosen(claims: Claims, weights: Mapping[str, float]) -> Chosen:
    """Choose the heaviest value of each claim."""
    return {
        claim: max((score, value) for value, score in _scores(said, weights).items())[1]
        for claim, said in claims.items()
    }
