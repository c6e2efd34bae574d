"""Client and command line of Stanchion: what a team knows, and whether it still holds."""

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
    "Unreachable",
    "Write",
]
