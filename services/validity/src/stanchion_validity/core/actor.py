"""Who may: what a command takes of the one who gives it."""

from stanchion_contracts.meta import Actor
from stanchion_validity.core.refused import Refused


def require_person(actor: Actor, act: str, capability: str) -> None:
    """Let persons with a capability pass, and nobody else whatever they may.

    Raises:
        Refused: `NOT_A_PERSON` or `MISSING_CAPABILITY`.
    """
    if actor.kind != "person":
        raise Refused("NOT_A_PERSON", f"only a person can {act}; {actor.id} is a {actor.kind}")
    require(actor, act, capability)


def require(actor: Actor, act: str, capability: str) -> None:
    """Let whoever has a capability pass.

    Raises:
        Refused: `MISSING_CAPABILITY`.
    """
    if capability not in actor.capabilities:
        raise Refused("MISSING_CAPABILITY", f"to {act} takes the capability {capability}", capability)
