"""How far the sources of a workspace are to be trusted by how they agree with each other."""

from collections.abc import Iterator
from typing import Final

from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Value
from stanchion_core.calibration import outcome_trust
from stanchion_core.consensus import Said, accuracy_for, agree
from stanchion_core.fusion import Spoken
from stanchion_fusion.core.terms import Terms
from stanchion_fusion.core.workspace import Workspace, hear_whole

LEAST_MOVED: Final = 0.005
"""An estimate that moved by no more is not told."""

_DIGITS: Final = 6


def said_in(workspace: Workspace) -> Iterator[tuple[str, Said]]:
    """Give of each claim its predicate and what its sources say of it now.

    Claims that may have several values are left out but for booleans: who names one value says nothing of another.
    """
    for key in workspace.said:
        heard = workspace.heard.get(key) or hear_whole(workspace, key, (), workspace.terms)
        said: dict[str, Spoken[Value]] = {}
        for voice, standing in heard.voices.items():
            if len(voice) > 2:  # noqa: PLR2004 - the third part names a value of a multi-valued claim
                continue
            for word in standing:
                before = said.get(voice[0])
                if word.slot is not None and (before is None or _rank(word) > _rank(before)):
                    said[voice[0]] = word
        yield key[1], {name: word.slot for name, word in said.items() if word.slot is not None}


def known_in(terms: Terms) -> dict[str, float]:
    """Give the accuracies that need no estimate: what a person set, else what came out."""
    outcomes = {name: outcome_trust(one.hits, one.judged) for name, one in terms.outcomes.items()}
    return {**outcomes, **{name: accuracy_for(trust) for name, trust in terms.settings.items()}}


def moved_estimates(workspace: Workspace) -> tuple[Estimate, ...]:
    """Give the estimates that are new, or moved by more than `LEAST_MOVED`, or are no more; sorted by name."""
    held = workspace.terms.estimates
    found = agree(said_in(workspace), known_in(workspace.terms))
    moved = [
        Estimate(
            name=name,
            trust=round(one.trust, _DIGITS),
            accuracy=round(one.accuracy, _DIGITS),
            claims=one.claims,
        )
        for name, one in found.items()
        if name not in held or abs(held[name] - one.trust) > LEAST_MOVED
    ]
    gone = [Estimate(name=name, trust=None, accuracy=0.0, claims=0) for name in held if name not in found]
    return tuple(sorted([*moved, *gone], key=lambda one: one.name))


def _rank(word: Spoken[Value]) -> tuple[float, tuple[int, str]]:
    """Give what puts a source's strongest word before its others, then the latest."""
    return word.power, word.order
