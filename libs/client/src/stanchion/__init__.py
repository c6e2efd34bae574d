"""Client and command line of Stanchion: what a team knows, and whether it still holds.

Names are loaded when they are asked for: the command line begins here, too, and must be its own master before gRPC is
loaded, which takes a second.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from stanchion.blocking import SyncClient
    from stanchion.client import Client
    from stanchion.errors import (
        Blocked,
        Conflict,
        KeyReused,
        NotAllowed,
        NotFound,
        NotInTime,
        NotSignedIn,
        NotYetVisible,
        OutcomeUnknown,
        Refused,
        ServerFault,
        StanchionError,
        Unreachable,
    )
    from stanchion.graph import Entity, Relation
    from stanchion.results import Value
    from stanchion.retry import Retry
    from stanchion.settings import ClientSettings
    from stanchion.writes import Claim, Event, QuoteSeen, Write

__all__ = [
    "Blocked",
    "Claim",
    "Client",
    "ClientSettings",
    "Conflict",
    "Entity",
    "Event",
    "KeyReused",
    "NotAllowed",
    "NotFound",
    "NotInTime",
    "NotSignedIn",
    "NotYetVisible",
    "OutcomeUnknown",
    "QuoteSeen",
    "Refused",
    "Relation",
    "Retry",
    "ServerFault",
    "StanchionError",
    "SyncClient",
    "Unreachable",
    "Value",
    "Write",
]

_MODULES: Final = {
    "Client": "client",
    "ClientSettings": "settings",
    "Retry": "retry",
    "SyncClient": "blocking",
    "Value": "results",
    **dict.fromkeys(("Entity", "Relation"), "graph"),
    **dict.fromkeys(("Claim", "Event", "QuoteSeen", "Write"), "writes"),
}
"""Where a name is at home; every other one is an error."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a name's own type is what the checker sees above
    """Give a name of the package.

    Raises:
        AttributeError: there is none.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)
