"""How far a source is trusted that nobody set: what came out of its claims, and what others make of it."""

from msgspec import Struct

from stanchion_contracts.value import Evidence


class Judgement(Struct, frozen=True, kw_only=True):
    """What one voice said of a claim before anybody knew, and whether it was right.

    Attributes:
        source: what it rests on; the agent where it names none.
        agent: who submitted it.
        evidence: its type.
        millionths: how likely the belief held what it said just before the resolution, in integer millionths.
        hit: it said what the claim was resolved to.
    """

    source: str
    agent: str
    evidence: Evidence
    millionths: int
    hit: bool


class Estimate(Struct, frozen=True, kw_only=True):
    """How far a source is to be trusted, by how well it agrees with the others.

    Attributes:
        name: of the source.
        trust: 0 to 1; None when it has no estimate any more.
        accuracy: the share of its values that are taken to be right, 0 to 1.
        claims: on how many it spoke.
    """

    name: str
    trust: float | None
    accuracy: float
    claims: int


class EstimateChange(Struct, frozen=True, kw_only=True):
    """Estimates that are new or differ from those before, sorted by name."""

    estimates: tuple[Estimate, ...]
