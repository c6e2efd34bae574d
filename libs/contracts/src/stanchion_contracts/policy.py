"""How the beliefs of a workspace are worked out: how fast evidence ages, and which values go together."""

from typing import Literal

from msgspec import Struct

HalfLife = Literal["", "fast", "standard", "slow", "none"]
"""14, 90 or 365 days, or that nothing ages; empty where the wider policy holds."""


class BeliefPolicy(Struct, frozen=True, kw_only=True):
    """How the beliefs of one predicate, or of a whole workspace, are worked out.

    Attributes:
        predicate: normalised; empty for the workspace.
        half_life: how fast evidence ages; empty where the wider policy holds, for a workspace the process's setting.
        multi_valued: several values may be true at once; each is a boolean claim of its own.
        tolerance: numbers that differ by no more than this share of the larger are one value, 0 to 0.5; 0 for none.
        consensus: of a workspace only: sources that nobody ever resolved are trusted as they agree with others.
    """

    predicate: str = ""
    half_life: HalfLife = ""
    multi_valued: bool = False
    tolerance: float = 0.0
    consensus: bool = False


class PolicySetting(Struct, frozen=True, kw_only=True):
    """What a person sets of a policy; None leaves a part as it is.

    Attributes:
        predicate: as written; normalised by extraction; empty for the workspace.
        half_life: empty takes the setting back.
        multi_valued: see `BeliefPolicy`.
        tolerance: see `BeliefPolicy`.
        consensus: see `BeliefPolicy`; only without a predicate.
    """

    predicate: str = ""
    half_life: HalfLife | None = None
    multi_valued: bool | None = None
    tolerance: float | None = None
    consensus: bool | None = None


class PolicyChange(Struct, frozen=True, kw_only=True):
    """A policy changed; before and after name the same predicate."""

    before: BeliefPolicy
    after: BeliefPolicy
