"""What every message carries: whose it is, when it was stamped, what it came from, who acted."""

from typing import Final, Literal

from msgspec import Struct

OURSELVES: Final = "stanchion"
"""Actor, publisher and source of what the line asks of itself: ticks, estimates, findings; nobody else is called so."""

ActorKind = Literal["person", "agent", "service", "system"]


class Actor(Struct, frozen=True, kw_only=True):
    """Who acted.

    Attributes:
        kind: `person`, `agent`, `service`, or `system` for Stanchion itself.
        id: the token's subject, or the name an upstream system gave.
        on_behalf_of: the person an agent or service acts for, empty when for nobody.
        capabilities: what the token allowed when the message was made, sorted.
    """

    kind: ActorKind
    id: str
    on_behalf_of: str = ""
    capabilities: tuple[str, ...] = ()


class Meta(Struct, frozen=True, kw_only=True):
    """The head of every message on the line.

    Attributes:
        id: the message's id.
        workspace: the unit of order, isolation, ledger and keys.
        room: the room inside the workspace, empty for its root.
        time_us: microseconds since the epoch, stamped once by ingest or the gateway; later stages read no clock.
        seed: 16 random bytes, stamped beside the time; the salts of ledger entries derive from it.
        origin: `observation:<id>` or `command:<id>`, what the whole chain of changes goes back to.
        actor: who acted.
    """

    id: str
    workspace: str
    room: str = ""
    time_us: int
    seed: bytes
    origin: str
    actor: Actor
