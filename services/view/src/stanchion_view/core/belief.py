"""A belief as it stands at the reader's now: decay and trust applied on read."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from stanchion_contracts.claim import Contribution
from stanchion_contracts.value import Value
from stanchion_core.claim_key import claim_key
from stanchion_core.fusion import Opinion, by_voice, decay, opinion, weigh
from stanchion_view.core.state import Claim


class Counted(Struct, frozen=True, kw_only=True):
    """One contribution and what it counts for now.

    Attributes:
        contribution: as it was made.
        weight: decay and trust applied.
        displaced: a later word of the same source took its place.
    """

    contribution: Contribution
    weight: float
    displaced: bool


class BeliefNow(Struct, frozen=True, kw_only=True):
    """A belief now.

    Attributes:
        opinion: the fused state.
        half_life_s: of the claim, 0 for none.
        counted: every contribution, latest first.
    """

    opinion: Opinion[Value]
    half_life_s: int
    counted: tuple[Counted, ...]


def believe(
    contributions: Iterable[Contribution], trust: Mapping[str, float], *, now_us: int, half_life_s: int
) -> BeliefNow:
    """Work out a belief for a reader.

    Args:
        contributions: all of one claim; repeats count once.
        trust: settings by source or agent.
        now_us: the reader's now, microseconds since the epoch.
        half_life_s: of the claim, 0 for none.
    """
    by_id = {contribution.id: contribution for contribution in contributions}
    voices = by_voice(by_id.values(), trust)
    standing = {word.order[1] for words in voices.values() for word in words}
    ordered = sorted(by_id.values(), key=lambda said: (said.observed_at_us, said.id), reverse=True)
    return BeliefNow(
        opinion=opinion(voices.values(), now_us=now_us, half_life_s=half_life_s),
        half_life_s=half_life_s,
        counted=tuple(
            Counted(
                contribution=said,
                weight=weigh(said, trust).weight * decay(now_us - said.observed_at_us, half_life_s),
                displaced=said.id not in standing,
            )
            for said in ordered
        ),
    )


def claim_of(subject: str, predicate: str) -> Claim:
    """Give the key of a claim as a reader writes it."""
    return claim_key(subject), claim_key(predicate)
