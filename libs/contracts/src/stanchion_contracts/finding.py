"""What a look over all beliefs of a workspace finds, between messages."""

from typing import Literal

from msgspec import Struct

FindingKind = Literal["contradiction", "stale", "related", "trust_moved"]


class ClaimName(Struct, frozen=True, kw_only=True, order=True):
    """What a claim is called: subject and predicate, normalised."""

    subject: str
    predicate: str


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was found, or that does not hold any more.

    Attributes:
        kind: the values of a claim contradict each other, its evidence has grown stale, it has related claims, or trust
            in a source moved (then `subject` is the source's name and `predicate` is empty).
        subject: of the claim.
        predicate: of the claim.
        related: the claims it goes with, sorted, at most ten; empty for the other kinds.
        detail: a sentence a person can read.
        closed: it was found before and does not hold any more.
    """

    kind: FindingKind
    subject: str
    predicate: str = ""
    related: tuple[ClaimName, ...] = ()
    detail: str
    closed: bool = False
